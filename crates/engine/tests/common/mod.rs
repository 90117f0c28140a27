//! What the tests of the engine share.

#![allow(dead_code, reason = "not every test uses everything")]

use stoa_engine::{Engine, Settings};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game};

/// The games and options that the tests go through.
pub(crate) fn games() -> impl Iterator<Item = Game> {
    Game::variants().filter(|game| match game {
        Game::Palisade(size) => [3, 5, 9].contains(&size.get()),
        _ => true,
    })
}

pub(crate) fn engine(game: Game, settings: Settings) -> Engine {
    Engine::new(game, settings).expect("the weights are the game's own")
}

/// A position of a random game that is not over, after at most `max_turns` turns.
pub(crate) fn random_position(game: Game, rng: &mut Rng, max_turns: usize) -> AnyPosition {
    loop {
        let mut position = game.start();
        for _ in 0..rng.below(max_turns + 1) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(&moves[rng.below(moves.len())]).expect("a generated move is legal");
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// A number of cases times the variable `STOA_MORE`.
pub(crate) fn scaled(count: usize) -> usize {
    let more = std::env::var("STOA_MORE").ok().and_then(|more| more.parse().ok());
    count * more.unwrap_or(1)
}
