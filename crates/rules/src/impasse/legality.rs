//! Why a move is not allowed.

use super::board::{Direction, furthest_row, nearest_row};
use super::{Action, Checkers, Crown, Move, Position, Square};
use crate::objection::cites;

/// The rule that a move breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The player to move has nothing on the square.
    #[error("you have no checker on {0}")]
    NotYours(Square),
    /// A single can only slide forward along a diagonal over empty squares.
    #[error(
        "a single slides diagonally forward over empty squares, which does not lead from {from} to {to}"
    )]
    NoSingleSlide {
        /// Where the single stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// A double can only slide backward along a diagonal over empty squares.
    #[error(
        "a double slides diagonally backward over empty squares, which does not lead from {from} to {to}"
    )]
    NoDoubleSlide {
        /// Where the double stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// The top of a double can only go onto one's own single, diagonally next to it and nearer.
    #[error(
        "only the top of your double can go onto your single diagonally next to it in the row nearer to you, not from {from} onto {onto}"
    )]
    NoTranspose {
        /// The double.
        from: Square,
        /// The single.
        onto: Square,
    },
    /// A checker may be removed only when there is no basic move.
    #[error("you have a basic move, so you may not remove a checker")]
    NotAtAnImpasse,
    /// Nothing is borne off by this move.
    #[error("this move brings no double to your nearest row, so nothing is borne off")]
    NothingToBearOff,
    /// The move bears off.
    #[error("the move brings a double to your nearest row, so its top is borne off")]
    BearOffDue,
    /// There must be a crown.
    #[error("a crown is due")]
    CrownDue,
    /// There is no crown.
    #[error("no crown is due")]
    NoCrownDue,
    /// The lifted checker is not another single.
    #[error("{0} does not hold another single of yours to crown with")]
    NoSingleToLift(Square),
    /// The square crowned is not a single in the furthest row.
    #[error("{0} does not hold a single of yours in your furthest row")]
    NoSingleToCrown(Square),
}

cites!(Violation {
    Violation::NotYours(square) => Clause(2) "not-yours" { square }
    Violation::NoSingleSlide { from, to } => Clause(2) "no-single-slide" { from, to }
    Violation::NoDoubleSlide { from, to } => Clause(2) "no-double-slide" { from, to }
    Violation::NoTranspose { from, onto } => Clause(2) "no-transpose" { from, onto }
    Violation::NotAtAnImpasse => Clause(5) "not-at-an-impasse" {}
    Violation::NothingToBearOff => Clause(3) "nothing-to-bear-off" {}
    Violation::BearOffDue => Clause(3) "bear-off-due" {}
    Violation::CrownDue => Clause(4) "crown-due" {}
    Violation::NoCrownDue => Clause(4) "no-crown-due" {}
    Violation::NoSingleToLift(square) => Clause(4) "no-single-to-lift" { square }
    Violation::NoSingleToCrown(square) => Clause(4) "no-single-to-crown" { square }
});

impl Position {
    pub(super) fn find_violation(&self, mv: Move) -> Option<Violation> {
        self.check_action(mv.action)
            .and_then(|()| self.check_bear_off(mv))
            .and_then(|()| self.check_crown(mv))
            .err()
    }

    fn check_action(&self, action: Action) -> Result<(), Violation> {
        let side = self.side;
        let own = |square: Square| match self.at(square) {
            Some(Checkers::Single(owner) | Checkers::Double(owner)) => owner == side,
            None => false,
        };
        match action {
            Action::Slide { from, .. } | Action::Transpose { from, .. } | Action::Remove(from)
                if !own(from) =>
            {
                Err(Violation::NotYours(from))
            }
            Action::Slide { from, to } => {
                let single = self.at(from) == Some(Checkers::Single(side));
                let reaches = |directions: [Direction; 2]| {
                    directions
                        .into_iter()
                        .any(|way| way.slides(from.bit(), !self.occupied()) & to.bit() != 0)
                };
                if single && !reaches(Direction::forward(side)) {
                    Err(Violation::NoSingleSlide { from, to })
                } else if !single && !reaches(Direction::forward(side.other())) {
                    Err(Violation::NoDoubleSlide { from, to })
                } else {
                    Ok(())
                }
            }
            Action::Transpose { from, onto } => {
                let adjacent = Direction::forward(side)
                    .into_iter()
                    .any(|direction| direction.shift(onto.bit()) == from.bit());
                let kinds = self.at(from) == Some(Checkers::Double(side))
                    && self.at(onto) == Some(Checkers::Single(side));
                if adjacent && kinds { Ok(()) } else { Err(Violation::NoTranspose { from, onto }) }
            }
            Action::Remove(_) if self.has_basic_move() => Err(Violation::NotAtAnImpasse),
            Action::Remove(_) => Ok(()),
        }
    }

    fn check_bear_off(&self, mv: Move) -> Result<(), Violation> {
        match (self.bears_off(mv.action), mv.bears_off) {
            (true, false) => Err(Violation::BearOffDue),
            (false, true) => Err(Violation::NothingToBearOff),
            _ => Ok(()),
        }
    }

    /// Whether the action brings a double to the nearest row (clause 3).
    pub(super) fn bears_off(&self, action: Action) -> bool {
        let nearest = nearest_row(self.side);
        match action {
            Action::Slide { from, to } => {
                self.at(from) == Some(Checkers::Double(self.side)) && to.bit() & nearest != 0
            }
            Action::Transpose { onto, .. } => onto.bit() & nearest != 0,
            Action::Remove(_) => false,
        }
    }

    fn check_crown(&self, mv: Move) -> Result<(), Violation> {
        let mut uncrowned = *self;
        crate::Position::play_unchecked(&mut uncrowned, Move { crown: None, ..mv });
        let singles = uncrowned.singles[self.side.index()];
        let to_crown = singles & furthest_row(self.side);
        let due = to_crown != 0 && singles.count_ones() > 1;
        match mv.crown {
            None if due => Err(Violation::CrownDue),
            Some(_) if !due => Err(Violation::NoCrownDue),
            Some(Crown { onto, .. }) if to_crown & onto.bit() == 0 => {
                Err(Violation::NoSingleToCrown(onto))
            }
            Some(Crown { lifted, onto }) if lifted == onto || singles & lifted.bit() == 0 => {
                Err(Violation::NoSingleToLift(lifted))
            }
            _ => Ok(()),
        }
    }
}
