//! Counting move sequences: the standard check of a move generator.
//!
//! ```
//! use stoa_rules::{Position, colonnade, perft};
//! assert_eq!(perft(&colonnade::Position::start(()), 3), 2694);
//! ```

use crate::Position;

/// The number of sequences of exactly `depth` legal moves from `position`. A finished game has no
/// moves and adds nothing below it.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    count(position, depth, &mut Vec::new())
}

/// `moves` is a stack of the move lists from the root down to here.
fn count<P: Position>(position: &P, depth: u32, moves: &mut Vec<P::Move>) -> u64 {
    if depth == 1 {
        return position.count_moves() as u64;
    }
    let first = moves.len();
    position.generate(moves);
    let mut leaves = 0;
    for index in first..moves.len() {
        let mut next = position.clone();
        next.play_unchecked(moves[index]);
        leaves += count(&next, depth - 1, moves);
    }
    moves.truncate(first);
    leaves
}
