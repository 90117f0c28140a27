//! The search against a plain negamax, on evaluations that mean nothing: whatever is clever in it
//! must not change a value.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use stoa_rules::playout::Rng;
use stoa_rules::{Position, colonnade, colossus, columna, impasse, palisade};

use super::node::Searcher;
use super::order::MoveOrdering;
use super::{MoveOrderings, Search, SearchOptions, SearchResult, Shared};
use crate::crew::tests::Words;
use crate::crew::{Crew, Role, SharedWords, words_for};
use crate::level::Oversight;
use crate::limits::{Stop, Timer};
use crate::score::{PROVEN, WIN};
use crate::transposition::{Bound, Entry, TranspositionTable};
use crate::{Evaluator, Knowledge, Limits, Weights};

/// Judges positions by their hash key: every order of moves is as wrong as any other.
struct Hashed(u64);

impl<P: Knowledge> Evaluator<P> for Hashed {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, position: &P, (): &mut ()) -> i32 {
        Rng::new(position.board_key() ^ self.0).below(1001) as i32 - 500
    }
}

/// The value of a position by looking at everything.
fn negamax<P: Knowledge>(
    position: &P,
    depth: i32,
    ply: i32,
    evaluator: &impl Evaluator<P, State = ()>,
) -> i32 {
    if let Some(outcome) = position.outcome() {
        return match outcome.winner {
            None => 0,
            Some(winner) if winner == position.side_to_move() => WIN - ply,
            Some(_) => ply - WIN,
        };
    }
    if depth == 0 {
        return evaluator.evaluate(position, &mut ());
    }
    let values = position.legal_moves().into_iter().map(|mv| {
        let mut child = position.clone();
        child.play_unchecked(mv);
        -negamax(&child, depth - 1, ply + 1, evaluator)
    });
    values.max().expect("a game that is not over has moves")
}

fn search<P: Knowledge>(
    position: &P,
    evaluator: &impl Evaluator<P>,
    options: SearchOptions,
    limits: Limits,
    (lines, threads): (usize, usize),
    table: &TranspositionTable,
) -> SearchResult<P::Move> {
    search_in_crew(
        position,
        evaluator,
        options,
        limits,
        (lines, threads),
        table,
        None,
        &Stop::new(),
    )
}

#[allow(clippy::too_many_arguments)]
fn search_in_crew<P: Knowledge>(
    position: &P,
    evaluator: &impl Evaluator<P>,
    options: SearchOptions,
    limits: Limits,
    (lines, threads): (usize, usize),
    table: &TranspositionTable,
    crew: Option<&Crew>,
    stop: &Stop,
) -> SearchResult<P::Move> {
    let search = Search {
        position,
        evaluator,
        table,
        options,
        oversight: Oversight::default(),
        limits: &limits,
        lines,
        threads,
        oracle: None,
        crew,
        stop,
        timer: Timer::start(),
    };
    search.run(&mut MoveOrderings::default(), &mut |_| {})
}

/// A position from a random game, often late in it.
fn random_position<P: Knowledge>(options: P::Options, rng: &mut Rng, max_turns: usize) -> P {
    loop {
        let mut position = P::start(options);
        let turns = rng.below(max_turns + 1);
        for _ in 0..turns {
            let Some(mv) = position.nth_move(rng.below(position.count_moves())) else { break };
            position.play_unchecked(mv);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Compares the values of many positions with those of the plain search. A table is kept over all
/// of them, so that what one search leaves behind meets the next.
fn equals_negamax<P: Knowledge>(
    options: P::Options,
    positions: usize,
    turns: usize,
    max_leaves: usize,
) {
    let mut rng = Rng::new(0x5704);
    let table = TranspositionTable::new(1 << 16);
    let evaluator = Hashed(rng.bits());
    for number in 0..positions {
        let position: P = random_position(options, &mut rng, turns);
        let width = position.count_moves().max(3);
        let mut depth = 1;
        while width.pow(depth + 1) <= max_leaves {
            depth += 1;
        }
        let depth = 1 + rng.below(depth as usize) as i32;
        let bound = position.turns_left_at_most() as i32;
        let expected = negamax(&position, depth.min(bound), 0, &evaluator);
        let how = (1, 1 + number % 2);
        let limits = Limits::depth(depth as u32);
        let ended = search(&position, &evaluator, SearchOptions::PLAIN, limits, how, &table);
        let best = &ended.found[0];
        // Once a win or loss is proven, no deeper search is begun.
        if best.score.is_proven() && ended.depth < depth as u32 {
            let nearer = negamax(&position, ended.depth as i32, 0, &evaluator);
            assert_eq!(best.score.raw(), nearer, "depth {} of {position:?}", ended.depth);
        } else {
            assert_eq!(best.score.raw(), expected, "depth {depth} of {position:?}");
        }
        let mut child = position.clone();
        child.play(best.line[0]).expect("the best move is legal");
        let value = -negamax(&child, ended.depth as i32 - 1, 1, &evaluator);
        assert_eq!(value, best.score.raw(), "the best move's value, depth {depth} of {position:?}");
    }
}

/// Searches with a helper that shares nothing with the one who leads but some words.
fn search_together<P: Knowledge>(
    position: &P,
    evaluator: &impl Evaluator<P>,
    (options, limits, lines): (SearchOptions, Limits, usize),
    words: &Arc<dyn SharedWords>,
    tables: [&TranspositionTable; 2],
) -> SearchResult<P::Move> {
    let part = |role| Crew::new(Arc::clone(words), role).unwrap();
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let (helper, stop_helper) = (part(Role::Helper(0)), stop.clone());
        scope.spawn(move || {
            let (limits, table) = (Limits::default(), tables[1]);
            let how = (lines, 1);
            let crew = Some(&helper);
            let found = search_in_crew(
                position,
                evaluator,
                options,
                limits,
                how,
                table,
                crew,
                &stop_helper,
            );
            assert!(found.found.is_empty());
        });
        let (how, crew) = ((lines, 1), part(Role::Leader));
        let crew = Some(&crew);
        let (table, own) = (tables[0], Stop::new());
        let found = search_in_crew(position, evaluator, options, limits, how, table, crew, &own);
        stop.stop();
        found
    })
}

/// With the help of an engine that has a memory of its own, the values are still those of the plain search.
#[test]
fn a_crew_equals_negamax() {
    fn check<P: Knowledge>(options: P::Options, positions: usize, turns: usize) {
        let mut rng = Rng::new(0xc4e3);
        let words: Arc<dyn SharedWords> = Arc::new(Words::new(words_for(1 << 10)));
        let tables = [TranspositionTable::new(1 << 14), TranspositionTable::new(1 << 14)];
        let evaluator = Hashed(rng.bits());
        for number in 0..positions {
            let position: P = random_position(options, &mut rng, turns);
            let width = position.count_moves().max(3);
            let mut depth = 2;
            while width.pow(depth + 1) <= 20_000 {
                depth += 1;
            }
            let depth = depth.min(position.turns_left_at_most());
            let limits = Limits::depth(depth);
            let lines = 1 + number % 3;
            let how = (SearchOptions::PLAIN, limits, lines);
            let found =
                search_together(&position, &evaluator, how, &words, [&tables[0], &tables[1]]);
            let values = position.legal_moves().into_iter().map(|mv| {
                let mut child = position.clone();
                child.play_unchecked(mv);
                -negamax(&child, found.depth as i32 - 1, 1, &evaluator)
            });
            let mut values: Vec<i32> = values.collect();
            values.sort_unstable_by_key(|value| std::cmp::Reverse(*value));
            let scores: Vec<i32> = found.found.iter().map(|line| line.score.raw()).collect();
            assert_eq!(scores, values[..lines.min(values.len())], "depth {depth} of {position:?}");
        }
    }
    check::<impasse::Position>((), 100, 120);
    check::<colossus::Position>((), 40, 60);
    check::<columna::Position>(columna::RuleSet::Spaces, 30, 60);
}

#[test]
fn colonnade_equals_negamax() {
    equals_negamax::<colonnade::Position>((), 300, 40, 20_000);
}

#[test]
fn impasse_equals_negamax() {
    equals_negamax::<impasse::Position>((), 200, 120, 20_000);
}

#[test]
fn palisade_equals_negamax() {
    for size in [3, 5, 9].into_iter().filter_map(palisade::Size::new) {
        equals_negamax::<palisade::Position>(size, 60, 60, 5_000);
    }
}

#[test]
fn columna_equals_negamax() {
    for rules in columna::RuleSet::BOTH {
        equals_negamax::<columna::Position>(rules, 60, 200, 20_000);
    }
}

#[test]
fn colossus_equals_negamax() {
    equals_negamax::<colossus::Position>((), 200, 120, 20_000);
}

/// Positions in which the stall rule is about to end the game, reached by moves that make no
/// progress: values with other counts must not be mixed up in the table.
#[test]
fn stall_counts_are_not_mixed_up() {
    let mut rng = Rng::new(40);
    let table = TranspositionTable::new(1 << 16);
    let evaluator = Hashed(7);
    let mut met = 0;
    for _ in 0..400 {
        let mut position: colossus::Position = random_position((), &mut rng, 30);
        // Shuffle without filling the board.
        for _ in 0..60 {
            let idle: Vec<_> = position
                .legal_moves()
                .into_iter()
                .filter(|mv| matches!(mv, colossus::Move::Step { .. }))
                .filter(|&mv| {
                    let mut after = position;
                    after.play_unchecked(mv);
                    after.outcome().is_none()
                })
                .collect();
            if idle.is_empty() || position.stall_left() <= 1 {
                break;
            }
            position.play_unchecked(idle[rng.below(idle.len())]);
            if position.stall_left() < 12 {
                for depth in 1..=2 {
                    let expected = negamax(&position, depth, 0, &evaluator);
                    let limits = Limits::depth(depth as u32);
                    let ended =
                        search(&position, &evaluator, SearchOptions::PLAIN, limits, (1, 1), &table);
                    let found = ended.found[0].score.raw();
                    if ended.depth as i32 == depth {
                        assert_eq!(found, expected, "depth {depth} of {position:?}");
                    }
                    met += u32::from(position.stall_left() <= depth as u32);
                }
            }
        }
    }
    assert!(met > 5, "the end by stall was met {met} times");
}

/// A proof that a shallow search has stored may be a long one, and then holds only where the stall
/// rule does not end the game before it is carried out.
#[test]
fn long_proofs_do_not_outlast_the_stall_rule() {
    // Twelve turns are left: a search of two turns does not meet the end, but a
    // win in 20 would.
    let stall = colossus::STALL - 12;
    let text = format!("t2W/5/6/t5t/6/1b3/B2t w 3 {stall} 30");
    let late = stoa_rules::Game::Colossus.position(&text).unwrap();
    let position = late.downcast::<colossus::Position>().unwrap();
    let table = TranspositionTable::new(1 << 20);
    for mv in position.legal_moves() {
        let mut child = *position;
        child.play_unchecked(mv);
        let entry = Entry { best: None, score: WIN - 20, depth: 1, bound: Bound::Exact };
        table.put(child.board_key(), entry);
    }
    let (stop, done, timer) = (Stop::new(), Stop::new(), Timer::start());
    let shared = Shared {
        table: &table,
        stop: &stop,
        timer,
        time_budget: None,
        max_nodes: u64::MAX,
        nodes: AtomicU64::new(0),
        currently_searching: None,
        oracle: None,
        crew: None,
    };
    let weights = Weights::of::<colossus::Position>(());
    let search = Search {
        position,
        evaluator: &weights,
        table: &table,
        options: SearchOptions { futility: false, ..SearchOptions::default() },
        oversight: Oversight::default(),
        limits: &Limits::default(),
        lines: 1,
        threads: 1,
        oracle: None,
        crew: None,
        stop: &stop,
        timer,
    };
    let mut ordering = MoveOrdering::new();
    let team = super::team::Team::new(position.key(), None);
    let mut searcher = Searcher::new(&search, &shared, &mut ordering, &team, &done);
    let value = searcher.value(position, 2, -PROVEN, 1 - PROVEN).unwrap();
    assert!(value > -PROVEN, "lost in {} turns", WIN + value);
}

/// A search that ends before it has searched a move answers with the static evaluation.
#[test]
fn a_single_node_is_worth_its_evaluation() {
    fn check<P: Knowledge>(options: P::Options) {
        let weights = Weights::of::<P>(options);
        let table = TranspositionTable::new(1 << 16);
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let position: P = random_position(options, &mut rng, 40);
            let limits = Limits::nodes(1);
            let ended =
                search(&position, &weights, SearchOptions::default(), limits, (1, 1), &table);
            assert_eq!((ended.depth, ended.nodes), (0, 1), "{position:?}");
            let best = &ended.found[0];
            assert_eq!(best.score.raw(), weights.evaluate(&position, &mut ()), "{position:?}");
            assert!(position.is_legal(best.line[0]), "{position:?}");
        }
    }
    check::<colonnade::Position>(());
    check::<impasse::Position>(());
    check::<palisade::Position>(palisade::Size::new(5).unwrap());
    check::<columna::Position>(columna::RuleSet::Spaces);
    check::<colossus::Position>(());
}

thread_local! {
    /// The time that has passed by [`Slow`]'s clock, in microseconds.
    static PASSED: Cell<u64> = const { Cell::new(0) };
}

fn slow_now() -> Duration {
    Duration::from_micros(PASSED.get())
}

/// An evaluation that takes this many microseconds, by a clock of its own.
struct Slow(u64);

impl<P: Knowledge> Evaluator<P> for Slow {
    type State = ();

    fn state(&self) {}

    fn evaluate(&self, position: &P, (): &mut ()) -> i32 {
        PASSED.set(PASSED.get() + self.0);
        Hashed(1).evaluate(position, &mut ())
    }
}

/// However slow the nodes are, and also within a quiescence search, the clock is checked in time.
#[test]
fn the_time_is_kept_with_slow_nodes() {
    fn overrun<P: Knowledge>(options: P::Options, micros: u64) -> Duration {
        let mut rng = Rng::new(5);
        let mut worst = Duration::ZERO;
        for _ in 0..10 {
            let position: P = random_position(options, &mut rng, 120);
            let limits = Limits::time(Duration::from_millis(50));
            let stop = Stop::new();
            let timer = Timer::with(slow_now);
            let search = Search {
                position: &position,
                evaluator: &Slow(micros),
                table: &TranspositionTable::new(1 << 16),
                options: SearchOptions { futility: false, ..SearchOptions::default() },
                oversight: Oversight::default(),
                limits: &limits,
                lines: 1,
                threads: 1,
                oracle: None,
                crew: None,
                stop: &stop,
                timer,
            };
            search.run(&mut MoveOrderings::default(), &mut |_| {});
            let budget = limits.time_budget().unwrap().hard;
            worst = worst.max(timer.elapsed().saturating_sub(budget));
        }
        worst
    }
    for micros in [1, 20, 200] {
        // A check is due after a quarter of a millisecond, and then one more node may be searched.
        let bound = Duration::from_micros(500 + 2 * micros);
        let impasse = overrun::<impasse::Position>((), micros);
        assert!(impasse <= bound, "impasse, {micros} µs a node: {impasse:?} late");
        let columna = overrun::<columna::Position>(columna::RuleSet::Points, micros);
        assert!(columna <= bound, "columna, {micros} µs a node: {columna:?} late");
    }
}

/// Several lines are the values of several moves, in order.
#[test]
fn lines_are_the_best_moves_in_order() {
    let mut rng = Rng::new(3);
    let table = TranspositionTable::new(1 << 16);
    let evaluator = Hashed(1);
    for _ in 0..40 {
        let position: impasse::Position = random_position((), &mut rng, 60);
        let mut values: Vec<i32> = position
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let mut child = position;
                child.play_unchecked(mv);
                -negamax(&child, 2, 1, &evaluator)
            })
            .collect();
        values.sort_unstable_by_key(|value| -value);
        let limits = Limits::depth(3);
        let ended = search(&position, &evaluator, SearchOptions::PLAIN, limits, (3, 1), &table);
        if ended.depth == 3 {
            let found: Vec<i32> = ended.found.iter().map(|line| line.score.raw()).collect();
            assert_eq!(found, values[..found.len()], "{position:?}");
        }
    }
}

/// With everything switched on, a proven result is still a true one: the player it says wins does so against
/// every defence, in at most as many turns.
#[test]
fn proven_results_are_true() {
    fn check<P: Knowledge>(options: P::Options, turns: usize, depth: u32) -> u32 {
        let mut rng = Rng::new(11);
        let table = TranspositionTable::new(1 << 20);
        let weights = Weights::of::<P>(options);
        let mut proven = 0;
        for _ in 0..600 {
            let position: P = random_position(options, &mut rng, turns);
            let limits = Limits::depth(depth);
            let ended =
                search(&position, &weights, SearchOptions::default(), limits, (1, 1), &table);
            let score = ended.found[0].score;
            let Some(distance) = score.turns().filter(|&distance| distance <= depth) else {
                continue;
            };
            let value = negamax(&position, distance as i32, 0, &weights);
            assert_eq!(value >= WIN - 1000, score.is_win(), "{score} in {position:?}");
            assert_eq!(value <= 1000 - WIN, score.is_loss(), "{score} in {position:?}");
            proven += 1;
        }
        proven
    }
    assert!(check::<colonnade::Position>((), 30, 6) > 10);
    assert!(check::<impasse::Position>((), 150, 5) > 10);
    assert!(check::<palisade::Position>(palisade::Size::new(5).unwrap(), 20, 4) > 10);
    assert!(check::<columna::Position>(columna::RuleSet::Spaces, 30, 2) > 10);
    assert!(check::<colossus::Position>((), 60, 4) > 3);
}

/// The number of nodes of a search to a fixed depth from the start: a change of any of these is a
/// change of the search, and is made on purpose.
#[test]
fn fingerprints() {
    fn nodes<P: Knowledge>(options: P::Options, depth: u32) -> u64 {
        let position = P::start(options);
        let weights = Weights::of::<P>(options);
        let table = TranspositionTable::new(1 << 22);
        let limits = Limits::depth(depth);
        search(&position, &weights, SearchOptions::default(), limits, (1, 1), &table).nodes
    }
    let seven = palisade::Size::new(7).unwrap();
    let found = [
        ("colonnade", nodes::<colonnade::Position>((), 12)),
        ("impasse", nodes::<impasse::Position>((), 9)),
        ("palisade:7", nodes::<palisade::Position>(seven, 4)),
        ("columna", nodes::<columna::Position>(columna::RuleSet::Spaces, 4)),
        ("columna:points", nodes::<columna::Position>(columna::RuleSet::Points, 5)),
        ("colossus", nodes::<colossus::Position>((), 10)),
    ];
    let expected = [
        ("colonnade", 178_387),
        ("impasse", 137_421),
        ("palisade:7", 3_913),
        ("columna", 10_064),
        ("columna:points", 10_797),
        ("colossus", 13_926),
    ];
    assert_eq!(found, expected);
}
