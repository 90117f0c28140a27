//! What both benchmarks measure on: the games, and the same positions of each in every run.

#[path = "../../tests/common/mod.rs"]
mod common;

use stoa_rules::Playable;
use stoa_rules::playout::Rng;

/// The number of positions of a game. A round number, so that totals are easy to divide.
pub(crate) const SAMPLES: usize = 100;

/// Positions with a legal move of each.
#[derive(Clone)]
pub(crate) struct Samples<P: Playable> {
    pub(crate) positions: Vec<P>,
    pub(crate) moves: Vec<P::Move>,
    /// The place of each move in its position's list.
    pub(crate) indices: Vec<usize>,
}

/// Positions from all parts of random games, one of each game.
pub(crate) fn samples<P: Playable>(options: P::Options) -> Samples<P> {
    let mut rng = Rng::new(1);
    let mut samples = Samples { positions: Vec::new(), moves: Vec::new(), indices: Vec::new() };
    while samples.positions.len() < SAMPLES {
        let mut line = vec![P::start(options)];
        while let Some(mv) = common::random_move(&line[line.len() - 1], &mut rng) {
            let mut next = line[line.len() - 1].clone();
            next.play_unchecked(mv);
            line.push(next);
        }
        // The last position is the end of the game.
        let position = line.swap_remove(rng.below(line.len() - 1));
        let index = rng.below(position.count_moves());
        samples.moves.push(position.nth_move(index).expect("the index is below the count"));
        samples.indices.push(index);
        samples.positions.push(position);
    }
    samples
}
