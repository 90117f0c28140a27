//! Palisade on small boards, solved.

mod board;
mod search;
#[cfg(test)]
mod tests;

pub use board::{Board, MOST_POINTS, Stones};
pub use search::Field;
