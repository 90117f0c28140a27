//! The tablebase agrees with plain search.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use stoa_engine::Stop;
use stoa_rules::playout::Rng;
use stoa_rules::{Notation, Setup, Symmetry};

use super::*;

/// Plain negamax over the rules, which remembers what it has seen.
#[derive(Default)]
struct Search(HashMap<Position, Exact>);

impl Search {
    fn value(&mut self, position: &Position) -> Exact {
        if let Some(outcome) = position.outcome() {
            let verdict = verdict(outcome.winner == Some(position.side_to_move()));
            return Exact { verdict, plies: Some(0) };
        }
        if let Some(&value) = self.0.get(position) {
            return value;
        }
        let after = |mv| {
            let mut next = *position;
            next.play_unchecked(mv);
            self.value(&next).before()
        };
        let values = position.legal_moves().into_iter().map(after);
        let value = values.max_by(Exact::compare).expect("a move");
        self.0.insert(*position, value);
        value
    }
}

struct Folder {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn folder() -> Folder {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("impasse.table");
    Folder { _folder: folder, path }
}

fn plan<'a>(stacks: usize, stop: &'a Stop, progress: &'a (dyn Fn(u64) + Sync)) -> Plan<'a> {
    Plan { stacks, stacks_with_plies: STACKS_WITH_PLIES, threads: 2, stop, progress }
}

fn built(path: &Path, stacks: usize, threads: usize) -> Report {
    let (stop, progress) = (Stop::new(), |_| {});
    let plan = Plan { threads, ..plan(stacks, &stop, &progress) };
    build(path, &plan).unwrap().expect("nobody stopped it")
}

/// A tablebase of up to three stacks, built once.
fn small() -> &'static Tablebase {
    static TABLE: OnceLock<Tablebase> = OnceLock::new();
    TABLE.get_or_init(|| {
        let Folder { path, _folder } = folder();
        built(&path, 3, 2);
        Tablebase::from_bytes(std::fs::read(&path).unwrap()).unwrap()
    })
}

fn at(text: &str) -> Position {
    stoa_rules::impasse::Setup::parse(text, ()).unwrap().validate().unwrap()
}

/// A random position with this many stacks, set up by hand.
fn random_position(stacks: usize, rng: &mut Rng) -> Position {
    let (mut singles, mut doubles) = ([0; 2], [0; 2]);
    let mut squares: Vec<u8> = stoa_rules::impasse::Square::all().map(|s| s.index()).collect();
    for _ in 0..stacks {
        let square = 1 << squares.swap_remove(rng.below(squares.len()));
        let sets = if rng.below(2) == 0 { &mut singles } else { &mut doubles };
        sets[rng.below(2)] |= square;
    }
    Position::from_squares(singles, doubles, Side::BOTH[rng.below(2)]).unwrap()
}

#[test]
fn every_position_of_two_and_three_stacks_is_right() {
    let mut search = Search::default();
    let mut answered = 0;
    for class in Class::all(3) {
        let numbering = Numbering::new(class, Packing::Plies);
        for row in numbering.layers().iter().flatten() {
            numbering.visit_row(row, |_, singles, doubles| {
                for side in Side::BOTH {
                    let position = Position::from_squares(singles, doubles, side).unwrap();
                    let value = small().value(&position).unwrap();
                    assert_eq!(value, Some(search.value(&position)), "{}", position.to_setup());
                    assert_eq!(value, small().value(&position.transform(1)).unwrap());
                    answered += 1;
                }
            });
        }
    }
    assert_eq!(answered, positions(3));
}

#[test]
fn reachable_positions_are_answered() {
    let mut rng = Rng::new(3);
    let mut answered = 0;
    for _ in 0..2_000 {
        let mut position = Position::start(());
        while position.outcome().is_none() {
            let index = rng.below(position.count_moves());
            position.play_unchecked(position.nth_move(index).unwrap());
            let value = small().value(&position).unwrap();
            assert_eq!(value.is_some(), position.outcome().is_some() || stacks_of(&position) <= 3);
            answered += usize::from(value.is_some());
        }
    }
    assert!(answered > 5_000, "{answered}");
}

#[test]
fn positions_set_up_by_hand_get_the_right_answer_or_none() {
    let value = |text: &str| small().value(&at(text)).unwrap().map(|value| value.to_string());
    // The game is over.
    assert_eq!(value("8/8/8/8/8/8/8/w7 w").as_deref(), Some("loss 0"));
    assert_eq!(value("8/8/8/8/8/8/8/w7 b").as_deref(), Some("win 0"));
    assert_eq!(value("3w4/8/8/8/8/8/8/b7 w").as_deref(), Some("win 1"));
    // A double in its nearest row, and a single in its furthest row beside another.
    assert_eq!(value("8/8/8/8/8/8/7b/W7 w"), None);
    assert_eq!(value("1w6/8/8/8/8/8/7b/w7 w"), None);
    // Too many stacks.
    assert_eq!(value("8/8/8/8/8/2w5/7b/w1w5 w"), None);
    assert_eq!(small().value(&Position::start(())).unwrap(), None);

    let mut rng = Rng::new(5);
    let mut search = Search::default();
    let mut unanswered = 0;
    for _ in 0..20_000 {
        let position = random_position(1 + rng.below(3), &mut rng);
        match small().value(&position).unwrap() {
            Some(value) => assert_eq!(value, search.value(&position), "{}", position.to_setup()),
            None => unanswered += 1,
        }
    }
    assert!(unanswered > 1_000);
}

#[test]
fn threads_and_interruptions_make_no_difference() {
    let [one, two, resumed] = [(); 3].map(|()| folder());
    let report = built(&one.path, 3, 1);
    assert_eq!(built(&two.path, 3, 3), report);
    let whole = std::fs::read(&one.path).unwrap();
    assert!(std::fs::read(&two.path).unwrap() == whole);
    assert_eq!(report.solved, report.shares.iter().map(|share| share.positions).sum::<u64>());

    // Stopped again and again, each time a little later.
    let mut attempts = 0;
    let last = loop {
        let stop = Stop::new();
        attempts += 1;
        let most = attempts * 60_000;
        let progress = |done: u64| {
            if done > most {
                stop.stop()
            }
        };
        match build(&resumed.path, &plan(3, &stop, &progress)).unwrap() {
            None => assert!(!resumed.path.exists() && attempts < 20),
            Some(report) => break report,
        }
    };
    assert!(attempts > 2 && last.solved < report.solved);
    assert_eq!(last.shares, report.shares);
    assert!(std::fs::read(&resumed.path).unwrap() == whole);
}

#[test]
fn a_bit_says_as_much_as_a_number_of_turns() {
    let Folder { path, _folder } = folder();
    let (stop, progress) = (Stop::new(), |_| {});
    let plan = Plan { stacks_with_plies: 2, ..plan(3, &stop, &progress) };
    let report = build(&path, &plan).unwrap().expect("nobody stopped it");
    let table = Tablebase::open(&path).unwrap();
    assert!(table.length() < small().length() / 5);
    let mut wins = 0;
    for class in Class::all(3) {
        let numbering = Numbering::new(class, Packing::Wins);
        for row in numbering.layers().iter().flatten() {
            numbering.visit_row(row, |_, singles, doubles| {
                for side in Side::BOTH {
                    let position = Position::from_squares(singles, doubles, side).unwrap();
                    let known = small().value(&position).unwrap().unwrap();
                    let plies = known.plies.filter(|_| class.stacks() == 2);
                    let found = table.value(&position).unwrap();
                    assert_eq!(found, Some(Exact { plies, ..known }), "{}", position.to_setup());
                    let is_counted =
                        class.stacks() == 3 && (side == Side::First || !class.is_symmetric());
                    wins += u64::from(is_counted && known.verdict == Verdict::Win);
                }
            });
        }
    }
    assert_eq!(report.shares[1].wins, wins);
    assert_eq!(report.shares[1].longest, None);
}

#[test]
fn the_report_names_a_longest_win() {
    let Folder { path, _folder } = folder();
    let report = built(&path, 3, 2);
    let stacks: Vec<u32> = report.shares.iter().map(|share| share.stacks).collect();
    assert_eq!(stacks, [2, 3]);
    for share in &report.shares {
        let (plies, position) = share.longest.unwrap();
        let value = small().value(&position).unwrap();
        assert_eq!(value, Some(Exact { verdict: Verdict::Win, plies: Some(plies) }));
        assert!(share.wins * 2 > share.positions && share.wins < share.positions);
    }
    let of_start = positions(3);
    assert!(report.solved < of_start, "symmetric classes are solved twice and counted once");
}

#[test]
fn leftovers_of_a_larger_table_are_not_taken_over() {
    let Folder { path, _folder } = folder();
    let stop = Stop::new();
    let progress = |done: u64| {
        if done > 100_000 {
            stop.stop()
        }
    };
    assert_eq!(build(&path, &plan(3, &stop, &progress)).unwrap(), None);
    built(&path, 2, 1);
    let table = Tablebase::open(&path).unwrap();
    assert_eq!(table.stacks(), 2);
    let classes = Class::all(2);
    let stored = |side| classes.iter().filter(move |class| class.is_stored(side)).count();
    assert_eq!(table.file.sections().count(), stored(Side::First) + stored(Side::Second));
}

/// Plain search for who wins and nothing else, which ends at the first winning move.
#[derive(Default)]
struct Quick {
    seen: HashMap<Position, bool>,
    /// How many more positions may be looked at.
    budget: usize,
}

impl Quick {
    /// Nothing if there are too many positions.
    fn is_win(&mut self, position: &Position) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.winner == Some(position.side_to_move()));
        }
        if let Some(&is_win) = self.seen.get(position) {
            return Some(is_win);
        }
        self.budget = self.budget.checked_sub(1)?;
        let mut is_win = false;
        let mut moves = position.legal_moves();
        // The player with fewer checkers is likely to win.
        moves.sort_by_key(|mv| !mv.bears_off);
        for mv in moves {
            let mut next = *position;
            next.play_unchecked(mv);
            if !self.is_win(&next)? {
                is_win = true;
                break;
            }
        }
        self.seen.insert(*position, is_win);
        Some(is_win)
    }
}

/// A tablebase that exists: `STOA_IMPASSE_TABLE=FILE cargo test --release -p stoa-solve -- --ignored
/// --nocapture a_large_table`. `STOA_MORE=10` tries ten times as many positions.
#[test]
#[ignore = "needs a table and minutes"]
fn a_large_table_agrees_with_plain_search_and_with_itself() {
    let path = std::env::var_os("STOA_IMPASSE_TABLE").expect("STOA_IMPASSE_TABLE names a table");
    let more: usize = std::env::var("STOA_MORE").map_or(1, |more| more.parse().unwrap());
    let table = Tablebase::open(Path::new(&path)).unwrap();
    table.verify_all().unwrap();
    for stacks in 2..=table.stacks() as usize {
        let mut rng = Rng::new(100 + stacks as u64);
        let mut quick = Quick::default();
        let (mut agreed, mut consistent) = (0, 0);
        for index in 0..100_000 * more {
            let position = random_position(stacks, &mut rng);
            let Some(value) = table.value(&position).unwrap() else { continue };
            let text = position.to_setup();
            let has_plies = stacks <= STACKS_WITH_PLIES || position.outcome().is_some();
            assert_eq!(value.plies.is_some(), has_plies, "{text}");
            assert_eq!(table.value(&position.transform(1)).unwrap(), Some(value), "{text}");
            // One move ahead: with no cycles and the ends right, this alone makes all values right.
            let after = |mv| {
                let mut next = position;
                next.play_unchecked(mv);
                table.value(&next).unwrap().expect("no more stacks").before()
            };
            if let Some(best) = position.legal_moves().into_iter().map(after).max_by(Exact::compare)
            {
                assert_eq!(best.verdict, value.verdict, "{text}");
                assert!(value.plies.is_none() || value == best, "{text}");
                consistent += 1;
            }
            let searched = if stacks <= 4 { 6_000 } else { 1_500 };
            if index < searched * more {
                if quick.seen.len() > 4_000_000 {
                    quick.seen.clear();
                }
                quick.budget = 30_000;
                if let Some(is_win) = quick.is_win(&position) {
                    assert_eq!(value.verdict == Verdict::Win, is_win, "{text}");
                    agreed += 1;
                }
            }
        }
        eprintln!("{stacks} stacks: {agreed} agree with search, {consistent} with their moves");
        assert!(consistent > 30_000 * more && agreed > 100 * more);
    }
}

/// How long a look into a tablebase takes that is in memory: as the test before, `probing`.
#[test]
#[ignore = "measures"]
fn probing_takes_microseconds() {
    let path = std::env::var_os("STOA_IMPASSE_TABLE").expect("STOA_IMPASSE_TABLE names a table");
    let table = Tablebase::open(Path::new(&path)).unwrap();
    for stacks in 3..=table.stacks() as usize {
        let mut rng = Rng::new(7);
        let positions: Vec<Position> =
            (0..100_000).map(|_| random_position(stacks, &mut rng)).collect();
        let probe = || positions.iter().filter_map(|p| table.value(p).unwrap()).count();
        let found = probe();
        let begun = std::time::Instant::now();
        assert_eq!(probe(), found);
        let each = begun.elapsed() / positions.len() as u32;
        eprintln!("{stacks} stacks: {each:?} a position, {found} of {} found", positions.len());
    }
}
