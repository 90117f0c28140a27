//! The fast rules against slow, obvious twins that were written from the rules files alone: the
//! same moves, the same positions after them, the same results.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[allow(missing_docs, unreachable_pub, clippy::unwrap_used, reason = "a plain test oracle")]
mod twin;

use common::{random_move, random_setup, scaled};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Playable, Side, Visitor};
use twin::Verdict;

/// The id that the twin knows a game by.
fn twin_id(game: Game) -> &'static str {
    match game {
        Game::Columna(stoa_rules::columna::RuleSet::Spaces) => "columna:spaces",
        Game::Columna(stoa_rules::columna::RuleSet::Points) => "columna:points",
        other => other.info().id,
    }
}

/// Compares everything that both know about a position. Moves are compared with the positions
/// they lead to; of long lists a part is enough.
fn compare(position: &AnyPosition, rng: &mut Rng) {
    let game = position.game();
    let text = position.text();
    let look = twin::look(twin_id(game), &text);
    let verdict = position.outcome().map(|outcome| match outcome.winner {
        Some(Side::First) => Verdict::First,
        Some(Side::Second) => Verdict::Second,
        None => Verdict::Draw,
    });
    assert_eq!(verdict, look.verdict, "{game} {text}");
    let mut moves = position.legal_moves();
    moves.sort();
    let twins: Vec<&str> = look.moves.iter().map(|(mv, _)| mv.as_str()).collect();
    assert_eq!(moves, twins, "{game} {text}");
    let step = 1 + moves.len() / 40;
    for (mv, after) in look.moves.iter().skip(rng.below(step)).step_by(step) {
        let mut next = position.clone();
        next.play(mv).unwrap();
        assert_eq!(next.text(), *after, "{game} {text} {mv}");
    }
}

/// Random games, compared at some of their positions.
struct Games {
    game: Game,
    positions: usize,
    every: usize,
}

impl Visitor for Games {
    type Output = ();

    fn visit<P: Playable>(self, options: P::Options) {
        let mut rng = Rng::new(2024);
        let mut compared = 0;
        while compared < scaled(self.positions) {
            let mut position = P::start(options);
            let mut ply = rng.below(self.every);
            loop {
                let over = position.outcome().is_some();
                if over || ply.is_multiple_of(self.every) {
                    let text = position.to_setup().to_string();
                    compare(&self.game.position(&text).unwrap(), &mut rng);
                    compared += 1;
                }
                let Some(mv) = random_move(&position, &mut rng) else { break };
                position.play_unchecked(mv);
                ply += 1;
            }
        }
    }
}

fn compare_games(id: &str, positions: usize, every: usize) {
    let game: Game = id.parse().unwrap();
    game.visit(Games { game, positions, every });
}

fn compare_setups(id: &str, count: usize) {
    let game: Game = id.parse().unwrap();
    let mut rng = Rng::new(77);
    for _ in 0..scaled(count) {
        let text = random_setup(game, &mut rng);
        let position = game.position(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(position.text(), text);
        compare(&position, &mut rng);
    }
}

#[test]
fn colonnade() {
    compare_games("colonnade", 3000, 1);
    compare_setups("colonnade", 3000);
}

#[test]
fn impasse() {
    compare_games("impasse", 3000, 3);
    compare_setups("impasse", 3000);
}

#[test]
fn palisade_small() {
    for id in ["palisade:3", "palisade:5", "palisade:7"] {
        compare_games(id, 600, 1);
        compare_setups(id, 600);
    }
}

#[test]
fn palisade_large() {
    for id in ["palisade:9", "palisade:11", "palisade:13", "palisade:15", "palisade:17"] {
        compare_games(id, 60, 5);
        compare_setups(id, 40);
    }
    compare_games("palisade", 60, 17);
    compare_setups("palisade", 30);
}

#[test]
fn columna_spaces() {
    compare_games("columna", 400, 7);
    compare_setups("columna", 400);
}

#[test]
fn columna_points() {
    compare_games("columna:points", 500, 11);
    compare_setups("columna:points", 500);
}

#[test]
fn colossus() {
    compare_games("colossus", 1500, 3);
    compare_setups("colossus", 1500);
}
