//! Whatever it is asked, the engine answers with legal moves, and with the same ones when it is
//! asked again.

mod common;

use std::time::{Duration, Instant};

use common::{engine, games, random_position, scaled};
use stoa_engine::{Level, Limits, Settings, Skill, Stop, Strategy};
use stoa_rules::Game;
use stoa_rules::playout::Rng;

/// Random positions, strategies, limits, levels and numbers of lines: every line that comes back
/// is legal from its first move to its last. `STOA_MORE=500` makes it a million calls.
#[test]
fn every_line_is_legal() {
    let mut rng = Rng::new(0x1e6a1);
    let mut calls = 0;
    while calls < scaled(2_000) {
        for game in games() {
            let (strategy, _) = Strategy::WORDS[rng.below(Strategy::WORDS.len())];
            let level = Level::new(rng.below(11) as u8);
            let lines = 1 + rng.below(3);
            let seed = rng.bits();
            let strategy = Some(strategy);
            let settings =
                Settings { strategy, level, lines, seed, table: 0, ..Settings::default() };
            let mut engine = engine(game, settings);
            for _ in 0..10 {
                let position = random_position(game, &mut rng, 60);
                let limits = match rng.below(3) {
                    0 => Limits {
                        depth: Some(1 + rng.below(3) as u32),
                        nodes: Some(2_000),
                        ..Limits::default()
                    },
                    _ => Limits::nodes(1 + rng.below(60) as u64),
                };
                let thought = engine.think(&position, &limits, &Stop::new(), &mut |_| {});
                assert!(thought.best().is_some(), "no move in {position:?}");
                for line in &thought.lines {
                    let mut at = position.clone();
                    for mv in &line.moves {
                        at.play(mv).unwrap_or_else(|error| panic!("{error} in {position:?}"));
                    }
                }
                calls += 1;
            }
        }
    }
}

/// One thread, a seed and a limit of nodes: the same thought every time, also with what an earlier
/// search has left behind.
#[test]
fn thoughts_can_be_repeated() {
    for game in games() {
        for strategy in [Strategy::AlphaBeta, Strategy::Mcts, Strategy::Uct] {
            for level in [None, Level::new(3)] {
                let mut thoughts = Vec::new();
                for _ in 0..2 {
                    let settings = Settings {
                        strategy: Some(strategy),
                        level,
                        seed: 5,
                        table: 1,
                        ..Settings::default()
                    };
                    let mut engine = engine(game, settings);
                    let mut position = game.start();
                    for _ in 0..4 {
                        let limits = Limits::nodes(800);
                        let thought = engine.think(&position, &limits, &Stop::new(), &mut |_| {});
                        if let Some(best) = thought.best() {
                            position.play(best).expect("the engine's move is legal");
                        }
                        thoughts.push((thought.lines, thought.nodes, thought.depth));
                    }
                }
                let (first, second) = thoughts.split_at(4);
                assert_eq!(first, second, "{game} {strategy} {level:?}");
            }
        }
    }
}

/// A game that is over, or of another kind, gets no line and no panic.
#[test]
fn nothing_to_think_about() {
    let mut engine = engine(Game::Impasse, Settings::default());
    let over = Game::Impasse.position("8/8/8/8/8/8/8/6b1 b").expect("a position");
    assert!(over.outcome().is_some());
    let thought = engine.think(&over, &Limits::nodes(100), &Stop::new(), &mut |_| {});
    assert_eq!(thought.best(), None);
    let other = Game::Colonnade.start();
    let thought = engine.think(&other, &Limits::nodes(100), &Stop::new(), &mut |_| {});
    assert_eq!(thought.best(), None);
}

/// Other options are another game: they have weights and levels of their own.
#[test]
fn a_position_with_other_options_is_not_searched() {
    for (id, other) in [("columna", "columna:points"), ("palisade:5", "palisade:7")] {
        let [game, other]: [Game; 2] = [id, other].map(|id| id.parse().expect("a game's id"));
        let mut engine = engine(game, Settings::default());
        let mut best = |game: Game| {
            let limits = Limits::nodes(100);
            engine
                .think(&game.start(), &limits, &Stop::new(), &mut |_| {})
                .best()
                .map(str::to_owned)
        };
        assert_eq!(best(other), None, "{other}");
        assert!(best(game).is_some(), "{game}");
        assert_eq!(engine.explain(&other.start()), [], "{other}");
        assert!(!engine.explain(&game.start()).is_empty(), "{game}");
    }
}

/// A search ends soon after it is told to, whatever it is doing. The bound is far above what is
/// promised, so that a busy machine does not fail the test.
#[test]
fn a_stop_is_obeyed() {
    for game in games().chain(["palisade".parse().expect("a game's id")]) {
        for threads in [1, 2] {
            let mut engine = engine(game, Settings { threads, ..Settings::default() });
            let stop = Stop::new();
            let told = std::thread::scope(|scope| {
                let telling = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(60));
                    stop.stop();
                    Instant::now()
                });
                let thought = engine.think(&game.start(), &Limits::default(), &stop, &mut |_| {});
                let ended = Instant::now();
                assert!(thought.best().is_some());
                let told = telling.join().expect("nothing to fail");
                // Small games are proven before the stop.
                ended.saturating_duration_since(told)
            });
            assert!(told < Duration::from_millis(500), "{game}, {threads} threads: {told:?}");
        }
    }
}

/// A skill of our own making, and the levels' own: each keeps to its nodes.
#[test]
fn levels_keep_to_their_nodes() {
    for game in games() {
        let skill = Skill { nodes: Some(50), overlook: 300 };
        let mut engine = engine(game, Settings { skill: Some(skill), ..Settings::default() });
        let thought = engine.think(&game.start(), &Limits::default(), &Stop::new(), &mut |_| {});
        assert!(thought.nodes <= 60, "{game}: {}", thought.nodes);
        // A limit of playouts does not lift that of the level.
        let limits = Limits { playouts: Some(5_000), ..Limits::default() };
        let thought = engine.think(&game.start(), &limits, &Stop::new(), &mut |_| {});
        assert!(thought.nodes <= 60, "{game}: {}", thought.nodes);
    }
}
