//! Symmetries of a game: for solvers, tables and tests.

use crate::Position;

/// Ways to turn, reflect or recolour the board that the rules do not notice.
///
/// The law: if `q` is `p` after the legal move `m`, then `transform(q, s)` is `transform(p, s)`
/// after the legal move `transform_move(m, s)`.
pub trait Symmetry: Position {
    /// How many symmetries there are; number 0 is the identity.
    fn symmetries(&self) -> usize;

    /// The position seen through symmetry number `symmetry`.
    #[must_use]
    fn transform(&self, symmetry: usize) -> Self;

    /// The move of this position seen through symmetry number `symmetry`.
    fn transform_move(&self, mv: Self::Move, symmetry: usize) -> Self::Move;
}
