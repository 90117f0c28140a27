//! Palisade on small boards: who wins from the empty board, and after every first move.
//!
//! ```
//! use stoa_engine::Stop;
//! use stoa_rules::Side;
//! use stoa_solve::palisade::{Board, Solver};
//!
//! let board = Board::new(3).expect("a small board");
//! let mut solver = Solver::new(board, 1 << 20);
//! solver.work(u64::MAX, &Stop::new());
//! assert_eq!(solver.winner(), Some(Side::Second));
//! ```
//!
//! A position is [one word](Board::word), which is all there is to it, so the table of the
//! [proof search](crate::proof::search) compares whole positions and nothing is left to chance.
//! Two things shorten the search, and both are exact: the eight images of a position are one
//! ([`Board::least_word`]), and a game is over as soon as a majority is out of reach for a player
//! ([`Board::max_owned`]).

mod board;
mod search;
mod solver;
#[cfg(test)]
mod tests;

pub use board::{Board, MAX_SIZE, Stones};
pub use search::Field;
pub use solver::{Opening, Solver};
