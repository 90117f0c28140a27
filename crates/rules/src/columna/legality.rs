//! Why a move is not allowed.

use super::ring::{RING, side_of, straight, track};
use super::{Cell, FULL_HEIGHT, Move, Point, Position, RuleSet, Space, Stack};
use crate::objection::cites;

/// The rule that a move breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A pass while there is a turn to play.
    #[error("you have a valid turn, so you may not pass")]
    MayNotPass,
    /// The pawn stays where it is.
    #[error("your pawn stands on {0} already and must move to another point")]
    PawnStays(Point),
    /// The ring has no such point.
    #[error("the ring has no point {0}")]
    NoSuchPoint(Point),
    /// The other pawn stands there.
    #[error("the other pawn stands on {0}")]
    PointTaken(Point),
    /// The other pawn stands on that side.
    #[error("{to} lies on the side on which the other pawn stands, on {other}")]
    OtherPawnsSide {
        /// The point the pawn was to go to.
        to: Point,
        /// Where the other pawn stands.
        other: Point,
    },
    /// The pawn would leave its track.
    #[error("{0} is not on your track")]
    OffTheTrack(Point),
    /// The pawn would turn a corner.
    #[error("{to} is not in a straight line with {from} on your track")]
    NotStraight {
        /// Where the pawn stands.
        from: Point,
        /// Where it was to go.
        to: Point,
    },
    /// The pawn's new point is a corner.
    #[error("a pawn on {0} sees nothing")]
    SeesNothing(Point),
    /// The piece is dropped outside the line of sight.
    #[error("{on} is not in the line of sight of a pawn on {pawn}")]
    NotInSight {
        /// The pawn's new point.
        pawn: Point,
        /// Where the piece was to be dropped.
        on: Space,
    },
    /// The stack has four pieces already.
    #[error("the stack on {0} has four pieces already")]
    StackFull(Space),
    /// A stack stands before the empty space.
    #[error("the stack on {before} stands before the empty space {on}")]
    SpaceHidden {
        /// Where the piece was to be dropped.
        on: Space,
        /// What stands before it.
        before: Space,
    },
    /// A stack that is not lower stands before the stack.
    #[error("the stack on {before} stands before the one on {on} and is not lower")]
    StackHidden {
        /// Where the piece was to be dropped.
        on: Space,
        /// What stands before it.
        before: Space,
    },
    /// The player to move does not own a stack there.
    #[error("you own no stack on {0}")]
    NotYours(Space),
    /// A stack of four never moves.
    #[error("the stack on {0} has four pieces and never moves")]
    FourNeverMoves(Space),
    /// The stack does not move exactly as many spaces as it is high.
    #[error(
        "a stack moves in a straight line as many spaces as it is high, here {height}, and {to} is not reached from {from} so"
    )]
    WrongDistance {
        /// Where the stack stands.
        from: Space,
        /// Where it was to go.
        to: Space,
        /// How many pieces it has.
        height: u8,
    },
    /// A stack is in the way.
    #[error("the stack on {0} is in the way")]
    InTheWay(Space),
}

cites!(Violation {
    Violation::MayNotPass => Clause(5) "may-not-pass" {}
    Violation::PawnStays(point) => Ruling(1) "pawn-stays" { point }
    Violation::NoSuchPoint(point) => Clause(6) "no-such-point" { point }
    Violation::PointTaken(point) => Clause(7) "point-taken" { point }
    Violation::OtherPawnsSide { to, other } => Clause(7) "other-pawns-side" { to, other }
    Violation::OffTheTrack(point) => Clause(9) "off-the-track" { point }
    Violation::NotStraight { from, to } => Clause(9) "not-straight" { from, to }
    Violation::SeesNothing(point) => Clause(4) "sees-nothing" { point }
    Violation::NotInSight { pawn, on } => Clause(4) "not-in-sight" { pawn, on }
    Violation::StackFull(space) => Clause(3) "stack-full" { space }
    Violation::SpaceHidden { on, before } => Clause(3) "space-hidden" { on, before }
    Violation::StackHidden { on, before } => Clause(3) "stack-hidden" { on, before }
    Violation::NotYours(space) => Clause(3) "not-yours" { space }
    Violation::FourNeverMoves(space) => Clause(3) "four-never-moves" { space }
    Violation::WrongDistance { from, to, height } => Clause(3) "wrong-distance"
        { from, to, height }
    Violation::InTheWay(space) => Clause(3) "in-the-way" { space }
});

impl Position {
    pub(super) fn find_violation(&self, mv: Move) -> Option<Violation> {
        match mv {
            Move::Pass => (self.count_turns(self.side) > 0).then_some(Violation::MayNotPass),
            Move::Drop { pawn, on } => {
                self.check_pawn(pawn).and_then(|()| self.check_drop(pawn, on)).err()
            }
            Move::MoveStack { pawn, from, to } => {
                self.check_pawn(pawn).and_then(|()| self.check_stack_move(from, to)).err()
            }
        }
    }

    fn check_pawn(&self, to: Point) -> Result<(), Violation> {
        let from = self.pawn(self.side);
        let other = self.pawn(self.side.other());
        match self.rules {
            _ if to == from => Err(Violation::PawnStays(to)),
            RuleSet::Spaces if to.bit() & RING == 0 => Err(Violation::NoSuchPoint(to)),
            RuleSet::Spaces if to == other => Err(Violation::PointTaken(to)),
            RuleSet::Spaces if to.bit() & side_of(other) != 0 => {
                Err(Violation::OtherPawnsSide { to, other })
            }
            RuleSet::Points if to.bit() & track(self.side) == 0 => Err(Violation::OffTheTrack(to)),
            RuleSet::Points if to.bit() & straight(from) == 0 => {
                Err(Violation::NotStraight { from, to })
            }
            _ => Ok(()),
        }
    }

    fn check_drop(&self, pawn: Point, on: Space) -> Result<(), Violation> {
        if pawn.is_corner() {
            return Err(Violation::SeesNothing(pawn));
        }
        if pawn.line() & on.bit() == 0 {
            return Err(Violation::NotInSight { pawn, on });
        }
        let height = self.height(on);
        if height == FULL_HEIGHT {
            return Err(Violation::StackFull(on));
        }
        let between = pawn.cell().between(on.cell()).filter_map(Cell::space);
        for before in between {
            let other = self.height(before);
            if height == 0 && other > 0 {
                return Err(Violation::SpaceHidden { on, before });
            }
            if height > 0 && other >= height {
                return Err(Violation::StackHidden { on, before });
            }
        }
        Ok(())
    }

    fn check_stack_move(&self, from: Space, to: Space) -> Result<(), Violation> {
        let height = match self.stack(from) {
            Some(Stack { owner, height }) if owner == self.side => height,
            _ => return Err(Violation::NotYours(from)),
        };
        if height == FULL_HEIGHT {
            return Err(Violation::FourNeverMoves(from));
        }
        let (files, ranks) = (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
        if files.min(ranks) != 0 || files.max(ranks) != height {
            return Err(Violation::WrongDistance { from, to, height });
        }
        let mut crossed = from.cell().between(to.cell()).chain([to.cell()]).filter_map(Cell::space);
        match crossed.find(|&space| self.height(space) > 0) {
            Some(space) => Err(Violation::InTheWay(space)),
            None => Ok(()),
        }
    }

    /// How many pieces are on a space.
    fn height(&self, space: Space) -> u8 {
        self.stack(space).map_or(0, |stack| stack.height)
    }
}
