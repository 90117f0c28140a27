//! Moves, and how they are found.

use super::{Point, Position};
use crate::sink::{Generator, Sink};

/// Puts a stone on a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub Point);

impl Generator<Move> for Position {
    /// Every legal move: the open points of the mover's colour (clauses 2 and 5).
    #[inline]
    fn generate_into(&self, sink: &mut impl Sink<Move>) {
        for (first, word) in self.open[self.side.index()].words() {
            sink.push_each(word, |bit| Move(Point::from_slot(first + bit, self.side)));
        }
    }
}
