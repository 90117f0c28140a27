#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::time::{Duration, Instant};

use stoa_engine::{Knowledge, KnowledgeVisitor, Stop, visit};
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Notation as _, Position as _, Setup as _};
use stoa_rules::{colonnade, colossus, columna, palisade};

use super::*;

/// The value of a position by plain negamax, unless that takes too many positions.
fn truth<P: Knowledge>(
    position: &P,
    known: &mut HashMap<P, Verdict>,
    budget: &mut u32,
) -> Option<Verdict> {
    if let Some(outcome) = position.outcome() {
        return Some(value_of_end(position.side_to_move(), outcome.winner));
    }
    if let Some(&value) = known.get(position) {
        return Some(value);
    }
    *budget = budget.checked_sub(1)?;
    let mut best = Verdict::Loss;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        best = best.max(opposite(truth(&next, known, budget)?));
        if best == Verdict::Win {
            break;
        }
    }
    known.insert(position.clone(), best);
    Some(best)
}

fn value_of_end(mover: stoa_rules::Side, winner: Option<stoa_rules::Side>) -> Verdict {
    match winner {
        None => Verdict::Draw,
        Some(winner) if winner == mover => Verdict::Win,
        Some(_) => Verdict::Loss,
    }
}

fn opposite(value: Verdict) -> Verdict {
    match value {
        Verdict::Win => Verdict::Loss,
        Verdict::Draw => Verdict::Draw,
        Verdict::Loss => Verdict::Win,
    }
}

fn proof_of<P: Knowledge>(position: &P, memory: usize) -> Answer<P::Move> {
    // An error of the search must not keep the tests busy forever.
    let budget = Budget { nodes: Some(20_000_000), time: None, memory };
    prove(position, &budget, &Stop::new(), &mut |_| {})
}

/// The proof agrees with the truth, and its line is legal and ends as it says.
fn check<P: Knowledge>(position: &P, expected: Verdict, memory: usize) {
    let answer = proof_of(position, memory);
    assert_eq!(answer.value(), Some(expected), "{position:?}");
    let mut at = position.clone();
    for &mv in &answer.line {
        at.play(mv).unwrap_or_else(|_| panic!("{mv:?} is not legal in {at:?}"));
    }
    if answer.is_line_whole {
        let winner =
            at.outcome().unwrap_or_else(|| panic!("no end after the line of {position:?}"));
        assert_eq!(value_of_end(position.side_to_move(), winner.winner), expected, "{position:?}");
    } else {
        assert!(memory < 1 << 16, "the line of {position:?} is not whole");
    }
}

/// Endings of random games.
struct Endings {
    /// How many are wanted, and how many positions negamax may look at for one.
    count: usize,
    budget: u32,
}

impl KnowledgeVisitor for Endings {
    type Output = [usize; 3];

    fn visit<P: Knowledge>(self, options: P::Options) -> [usize; 3] {
        let mut rng = Rng::new(0x900f);
        let mut found = [0; 3];
        for game in 0..20 * self.count {
            let mut way = vec![P::start(options)];
            while let Some(mv) =
                way.last().and_then(|at| at.nth_move(rng.below(at.count_moves().max(1))))
            {
                let mut next = way[way.len() - 1].clone();
                next.play_unchecked(mv);
                way.push(next);
            }
            for position in way.iter().rev().take(40) {
                let mut known = HashMap::new();
                let Some(value) = truth(position, &mut known, &mut { self.budget }) else { break };
                // Now and then with a table that is far too small.
                check(position, value, if game % 4 == 0 { 1 << 10 } else { 1 << 20 });
                found[value as usize] += 1;
            }
            if found.iter().sum::<usize>() >= self.count {
                break;
            }
        }
        found
    }
}

fn endings(id: &str, count: usize, budget: u32) {
    let game: Game = id.parse().unwrap();
    let [losses, draws, wins] = visit(game, Endings { count, budget });
    assert!(
        losses + draws + wins >= count && losses > 9 && wins > 9,
        "{id}: {losses} {draws} {wins}"
    );
}

#[test]
fn endings_of_colonnade() {
    endings("colonnade", 1_500, 500);
}

#[test]
fn endings_of_impasse() {
    endings("impasse", 1_500, 500);
}

#[test]
fn endings_of_palisade() {
    endings("palisade:3", 500, 1_000);
    endings("palisade:5", 1_000, 500);
}

#[test]
fn endings_of_columna() {
    endings("columna", 300, 500);
    endings("columna:points", 60, 1_000);
}

/// The position of a text, if it is one of the game.
fn at<P: Knowledge>(text: &str, options: P::Options) -> Option<P> {
    P::Setup::parse(text, options).unwrap().validate().ok()
}

/// Checks positions against negamax, and counts the values.
fn check_all<P: Knowledge>(positions: impl Iterator<Item = P>, budget: u32) -> [usize; 3] {
    let mut found = [0; 3];
    for position in positions.filter(|position| position.outcome().is_none()) {
        if let Some(value) = truth(&position, &mut HashMap::new(), &mut { budget }) {
            check(&position, value, 1 << 20);
            found[value as usize] += 1;
        }
    }
    found
}

/// Full boards with a few gaps, at every distance from the end by stall: the pawns and some stacks
/// can move, and a drop starts the count again.
#[test]
fn stalls_of_columna() {
    let mut rng = Rng::new(0xc01);
    for rules in columna::RuleSet::BOTH {
        let positions = (0..1_200).filter_map(|_| {
            let mut cell = || match rng.below(20) {
                0 => "x".to_owned(),
                1 => format!("{}{}", ["b", "w"][rng.below(2)], 1 + rng.below(3)),
                _ => format!("{}4", ["b", "w"][rng.below(2)]),
            };
            let ranks: Vec<String> =
                (0..7).map(|_| (0..7).map(|_| cell()).collect::<Vec<_>>().join(",")).collect();
            let (board, stall) = (ranks.join("/"), 20 + rng.below(20));
            at::<columna::Position>(&format!("{board} a1 i9 b {stall}"), rules)
        });
        let [losses, draws, wins] = check_all(positions, 400);
        assert!(losses > 9 && draws > 9 && wins > 9, "{rules:?}: {losses} {draws} {wins}");
    }
}

/// Positions of random games, as if the board had once been full: nothing starts the count again,
/// and there are a few turns left.
#[test]
fn stalls_of_colossus() {
    let positions = (0..900).filter_map(|game| {
        let mut rng = Rng::for_game(0xc0105, game);
        let mut position = colossus::Position::start(());
        for _ in 0..10 + rng.below(40) {
            let Some(mv) = position.playout_move(&mut rng) else { break };
            position.play_unchecked(mv);
        }
        let text = position.to_setup().to_string();
        let (rest, _peak) = text.rsplit_once(' ')?;
        let (rest, _stall) = rest.rsplit_once(' ')?;
        let stall = 37 + rng.below(3);
        at::<colossus::Position>(&format!("{rest} {stall} 37"), ())
    });
    let [losses, draws, wins] = check_all(positions, 3_000);
    assert!(losses > 9 && draws > 9 && wins > 9, "{losses} {draws} {wins}");
}

/// What is proven far from the stall's end is not believed where the end comes sooner: one table
/// serves all counts in turn.
#[test]
fn proofs_do_not_outlast_the_stall_rule() {
    let text = |stall| format!("t2W/5/6/t5t/6/1b3/B2t w 3 {stall} 30");
    let at_stall = |stall: u32| at::<colossus::Position>(&text(stall), ()).unwrap();
    let mut table = ProofTable::new(1 << 24);
    let (stop, mut seen) = (Stop::new(), [0; 2]);
    for stall in [30, 39, 33, 38, 34, 37, 36] {
        let position = at_stall(stall);
        let space = GameSpace::new(&position, Need::Win);
        let ends = Ends { nodes: 300_000, time: None, timer: Timer::start(), stop: &stop };
        let (found, _) = Search::new(&space, &mut table).run(&position, &ends);
        if let Some(value) = truth(&position, &mut HashMap::new(), &mut 30_000)
            && found.is_settled()
        {
            assert_eq!(found.is_proven(), value == Verdict::Win, "stall {stall}");
            seen[usize::from(found.is_proven())] += 1;
        }
    }
    assert!(seen[0] + seen[1] >= 3, "{seen:?}");
}

/// Where only one of several moves wins, the line begins with it.
#[test]
fn the_only_winning_move_is_found() {
    let mut found = 0;
    for game in 0..300 {
        let mut rng = Rng::for_game(0x0a3, game);
        let mut way = vec![colonnade::Position::start(())];
        while let Some(mv) =
            way.last().and_then(|at| at.nth_move(rng.below(at.count_moves().max(1))))
        {
            let mut next = way[way.len() - 1];
            next.play_unchecked(mv);
            way.push(next);
        }
        for position in way.iter().rev().skip(1).take(12) {
            let mut known = HashMap::new();
            let after = |mv| {
                let mut next = *position;
                next.play_unchecked(mv);
                Some((mv, truth(&next, &mut known, &mut 500)?))
            };
            let moves = position.legal_moves();
            let Some(values) = moves.into_iter().map(after).collect::<Option<Vec<_>>>() else {
                break;
            };
            let wins: Vec<_> = values.iter().filter(|(_, value)| *value == Verdict::Loss).collect();
            if let [(only, _)] = wins[..]
                && values.len() > 2
            {
                assert_eq!(proof_of(position, 1 << 20).line.first(), Some(only), "{position:?}");
                found += 1;
            }
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn a_finished_game_needs_no_proof() {
    let position = at::<colonnade::Position>("r/-/-/-/-/-/-/- r", ()).unwrap();
    let answer = proof_of(&position, 1 << 10);
    assert_eq!((answer.value(), answer.nodes), (Some(Verdict::Loss), 0));
    assert!(answer.line.is_empty() && answer.is_line_whole);
}

#[test]
fn the_budget_is_kept() {
    let position = colossus::Position::start(());
    for nodes in [1, 1_000, 5_000, 9_000] {
        let few = Budget { nodes: Some(nodes), ..Budget::default() };
        let answer = prove(&position, &few, &Stop::new(), &mut |_| {});
        assert_eq!((answer.value(), answer.nodes), (None, nodes));
        assert!(answer.line.is_empty() && !answer.is_line_whole);
        assert!(answer.numbers.proof > 0 && answer.numbers.disproof > 0);
    }

    let short = Budget { time: Some(Duration::from_millis(50)), ..Budget::default() };
    let begun = Instant::now();
    assert_eq!(prove(&position, &short, &Stop::new(), &mut |_| {}).value(), None);
    // Generous, for machines that are busy with other things.
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn a_stop_is_obeyed() {
    let stop = Stop::new();
    let mut reports = 0;
    let answer = prove(
        &columna::Position::start(columna::RuleSet::Spaces),
        &Budget::default(),
        &stop,
        &mut |_| {
            reports += 1;
            if reports == 3 {
                stop.stop();
            }
        },
    );
    assert_eq!((answer.value(), reports), (None, 3));
}

#[test]
fn the_same_question_has_the_same_answer() {
    let position = palisade::Position::start(palisade::Size::new(5).unwrap());
    let budget = Budget { nodes: Some(20_000), ..Budget::default() };
    let ask = || {
        let answer = prove(&position, &budget, &Stop::new(), &mut |_| {});
        (answer.least, answer.most, answer.line, answer.numbers, answer.nodes)
    };
    assert_eq!(ask(), ask());
}
