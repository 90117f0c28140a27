//! Moves, and how they are found.

use super::{Direction, Position, Square};
use crate::sink::Sink;

/// Picks up checkers on a square and puts them on its neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the checkers are picked up.
    pub from: Square,
    /// How many are carried: the mover's own checker and all above it.
    pub carried: u8,
    /// To which neighbour they go.
    pub direction: Direction,
}

impl Position {
    /// Every legal move (clauses 2, 3 and 5).
    #[inline]
    pub(super) fn generate_into(&self, sink: &mut impl Sink<Move>) {
        for from in Square::all() {
            let stack = self.stack(from);
            // Colours alternate, so one's own checkers are every second one from the top.
            let first_own = if stack.is_topped_by(self.side) { 1 } else { 2 };
            for direction in Direction::BOTH {
                let Some(to) = from.neighbour(direction) else { continue };
                for carried in (first_own..=self.most_carried(from, to)).step_by(2) {
                    sink.push(Move { from, carried, direction });
                }
            }
        }
    }

    /// How many checkers, at the most, may go from a square to its neighbour: the whole stack onto
    /// a stack topped with the mover's colour (clause 3), all but the bottom one to an empty
    /// square (clause 5).
    #[inline]
    fn most_carried(&self, from: Square, to: Square) -> u8 {
        let (stack, target) = (self.stack(from), self.stack(to));
        if target.is_empty() {
            stack.height().saturating_sub(1)
        } else if target.is_topped_by(self.side) {
            stack.height()
        } else {
            0
        }
    }
}
