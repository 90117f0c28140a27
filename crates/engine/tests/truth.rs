//! Every strategy finds the truth where there is nothing but truth to find: near the end of games.

mod common;

use std::collections::HashMap;

use common::{engine, random_position, scaled};
use stoa_engine::{Limits, Line, Settings, Skill, Stop, Strategy, Thought};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game};

/// The result of best play for the player to move: 1 for a win, 0 for a draw, -1 for a loss.
/// `None` if the tree is too large.
fn truth(
    position: &AnyPosition,
    known: &mut HashMap<String, i32>,
    budget: &mut u32,
) -> Option<i32> {
    if let Some(outcome) = position.outcome() {
        return Some(match outcome.winner {
            None => 0,
            Some(winner) if winner == position.side_to_move() => 1,
            Some(_) => -1,
        });
    }
    if let Some(&value) = known.get(&position.text()) {
        return Some(value);
    }
    *budget = budget.checked_sub(1)?;
    let mut best = -1;
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play(&mv).expect("a generated move is legal");
        best = best.max(-truth(&after, known, budget)?);
        if best == 1 {
            break;
        }
    }
    known.insert(position.text(), best);
    Some(best)
}

/// Positions of a game from which everything can be seen, with their results.
fn endings(game: Game, count: usize) -> Vec<(AnyPosition, i32)> {
    let mut rng = Rng::new(0xe4d);
    let mut found = Vec::new();
    for _ in 0..count * 40 {
        let position = random_position(game, &mut rng, 300);
        let mut known = HashMap::new();
        if let Some(value) = truth(&position, &mut known, &mut 300) {
            // Positions in which the next move decides are easy, and common.
            if position.count_moves() > 1 && known.len() > 10 {
                found.push((position, value));
            }
        }
        if found.len() == count {
            break;
        }
    }
    found
}

#[test]
fn strategies_find_the_truth() {
    // Elsewhere hardly any position of a random game is so near the end.
    for id in ["colonnade", "impasse", "palisade:3", "palisade:5"] {
        let game: Game = id.parse().expect("a game's id");
        let endings = endings(game, scaled(12));
        assert!(endings.len() >= 5, "{game}: only {} endings", endings.len());
        for strategy in [Strategy::AlphaBeta, Strategy::Mcts] {
            let settings = Settings { strategy: Some(strategy), ..Settings::default() };
            let mut unproven = 0;
            for (position, value) in &endings {
                let mut engine = engine(game, settings.clone());
                let limits = Limits::nodes(50_000);
                let thought = engine.think(position, &limits, &Stop::new(), &mut |_| {});
                let score = thought.score().expect("a score");
                let found = i32::from(score.is_win()) - i32::from(score.is_loss());
                // The tree search need not prove everything in this many playouts, but most of it.
                if strategy == Strategy::Mcts && found == 0 && *value != 0 {
                    unproven += 1;
                    continue;
                }
                assert_eq!(found, *value, "{strategy}: {score} in {position:?}");
                let mut after = position.clone();
                after.play(thought.best().expect("a move")).expect("a legal move");
                let mut enough = u32::MAX;
                let kept = -truth(&after, &mut HashMap::new(), &mut enough).expect("a result");
                assert_eq!(kept, *value, "{strategy} plays {:?} in {position:?}", thought.best());
            }
            assert!(unproven * 5 <= endings.len(), "{game}: {unproven} of {}", endings.len());
        }
    }
}

/// A level that overlooks moves may believe in a win or a loss, but must not call it proven.
#[test]
fn a_level_that_overlooks_moves_proves_nothing() {
    let mut sure = 0;
    for id in ["colonnade", "impasse", "palisade:3", "colossus"] {
        let game: Game = id.parse().expect("a game's id");
        let mut rng = Rng::new(0x0e1);
        for strategy in [Strategy::AlphaBeta, Strategy::Mcts] {
            let skill = Some(Skill { nodes: Some(1_000), overlook: 300 });
            let settings = Settings { strategy: Some(strategy), skill, ..Settings::default() };
            let mut engine = engine(game, Settings { lines: 2, ..settings });
            for _ in 0..20 {
                let position = random_position(game, &mut rng, 300);
                let mut check = |thought: &Thought| {
                    for Line { score, .. } in &thought.lines {
                        assert!(!score.is_proven(), "{strategy}: {score} in {position:?}");
                        sure += u32::from(score.raw().abs() > 10_000);
                    }
                };
                let limits = Limits::default();
                let thought = engine.think(&position, &limits, &Stop::new(), &mut check);
                check(&thought);
            }
        }
    }
    assert!(sure > 20, "only {sure} times was the end in sight");
}

/// Where one move is proven to win, the tree search goes on with the others if they are asked for.
#[test]
fn every_line_is_followed_to_its_end() {
    let game = Game::Colonnade;
    let position = game.position("rbr/b/r/r/brb/r/-/- r").expect("a position");
    let settings = Settings { strategy: Some(Strategy::Mcts), lines: 9, ..Settings::default() };
    let limits = Limits::nodes(100_000);
    let thought = engine(game, settings).think(&position, &limits, &Stop::new(), &mut |_| {});
    assert_eq!(thought.lines.len(), 4, "as many as there are moves");
    assert!(thought.lines[0].score.is_win() && thought.lines[3].score.is_loss());
    for Line { score, moves } in &thought.lines {
        assert!(score.is_proven(), "{moves:?} is not: {score}");
    }
}

/// In lost positions a trap may be played: the last report begins with the move that is played.
#[test]
fn a_trap_is_told() {
    let game = Game::Colonnade;
    let mut rng = Rng::new(0x7249);
    let mut traps = 0;
    for _ in 0..100 {
        let position = random_position(game, &mut rng, 16);
        let mut told = Vec::new();
        let settings = Settings { table: 1, ..Settings::default() };
        let thought = engine(game, settings).think(
            &position,
            &Limits::nodes(20_000),
            &Stop::new(),
            &mut |thought| told.push(thought.best().map(str::to_owned)),
        );
        let [.., before, last] = &told[..] else { continue };
        if thought.score().is_some_and(|score| score.is_loss()) {
            assert_eq!(last.as_deref(), thought.best(), "{position:?}");
            traps += u32::from(before != last);
        }
    }
    assert!(traps > 2, "only {traps} traps");
}
