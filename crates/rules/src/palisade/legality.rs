//! Why a move is not allowed.

use super::{Move, Point, Position};
use crate::objection::{cites, player};
use crate::{Playable, Side};

/// The rule that a move breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The board is too small to have the point.
    #[error("{0} is not on this board")]
    OffTheBoard(Point),
    /// A stone stands there already.
    #[error("{0} is occupied")]
    Occupied(Point),
    /// The point is for stones of the other colour.
    #[error("only {} may put a stone on {}", Position::INFO.side(.0.colour()), .0)]
    WrongColour(Point),
    /// The point is within a loop.
    #[error("{point} lies within a loop of {}'s", Position::INFO.side(*.owner))]
    WithinLoop {
        /// The point.
        point: Point,
        /// Whose loop it is.
        owner: Side,
    },
}

cites!(Violation {
    Violation::OffTheBoard(point) => Clause(2) "off-the-board" { point }
    Violation::Occupied(point) => Clause(2) "occupied" { point }
    Violation::WrongColour(point) => Clause(2) "wrong-colour"
        { point, side = player(point.colour()) }
    Violation::WithinLoop { point, owner } => Clause(5) "within-loop"
        { point, side = player(*owner) }
});

impl Position {
    pub(super) fn find_violation(&self, Move(point): Move) -> Option<Violation> {
        if !self.size.holds(point) {
            Some(Violation::OffTheBoard(point))
        } else if self.at(point).is_some() {
            Some(Violation::Occupied(point))
        } else if point.colour() != self.side {
            Some(Violation::WrongColour(point))
        } else {
            // An empty point is never on a loop, so it is owned only if it is within one.
            self.owner(point).map(|owner| Violation::WithinLoop { point, owner })
        }
    }
}
