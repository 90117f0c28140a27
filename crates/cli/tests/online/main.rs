//! `stoa serve` and `stoa bot` as real processes: bots that play, kills, and services that fail.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod administration;
mod bots;
mod crashes;
mod disk;
mod failures;
mod handover;
mod load;
mod reviews;
#[cfg(target_os = "linux")]
mod sandbox;

use std::path::Path;
use std::time::{Duration, Instant};

use stoa_client::{Action, Client, GameView, NewChallenge, Situation, TimeControl};
use stoa_rules::playout::Rng;
use stoa_testing::Stoa;

/// The program.
fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_stoa"))
}

/// A server without an engine.
fn serve(data: &Path, more: &[&str]) -> Stoa {
    let arguments = [&["--rate", "0", "--engine", "false", "--log", "warn"], more].concat();
    Stoa::start(program(), data, &arguments).unwrap()
}

/// Waits until something is so; panics if it does not become so.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{what} does not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A game between two people, in the order of their seats.
fn begin(ann: &Client, bob: &Client, game: &str, control: TimeControl) -> GameView {
    let new = NewChallenge {
        side: stoa_client::ChallengeSide::First,
        ..NewChallenge::new(game, control)
    };
    bob.accept(&ann.challenge(&new).unwrap().id).unwrap()
}

/// A random legal move where the game stands.
fn random_move(view: &GameView, rng: &mut Rng) -> Action {
    let game: stoa_rules::Game = view.game.parse().unwrap();
    let position = game.position(&view.situation.position).unwrap();
    let moves = position.legal_moves();
    Action::Move { ply: view.moves.len(), text: moves[rng.below(moves.len())].clone() }
}

/// Plays a random move for the side to move.
fn play(people: [&Client; 2], game: &str, rng: &mut Rng) -> Situation {
    let view = people[0].game(game).unwrap();
    let mover = people[view.situation.turn.unwrap().index()];
    mover.act(game, &random_move(&view, rng)).unwrap()
}
