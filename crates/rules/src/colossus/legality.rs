//! Why a move is not allowed.

use super::board::{between, next_to};
use super::{Cell, Move, Occupant, Position};
use crate::objection::cites;

/// The rule that a move breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A stone was to go where a stone is.
    #[error("{0} is not empty")]
    NotEmpty(Cell),
    /// A stone was to go where a tower is.
    #[error("there is a tower on {0}, so it is not an empty space")]
    TowerThere(Cell),
    /// A stone is placed only next to one's own stones and towers.
    #[error("{0} is not next to any stone or tower of yours")]
    NotNextToOwn(Cell),
    /// The player to move has no stone there, on a space or on a tower.
    #[error("you have no stone on {0}")]
    NotYours(Cell),
    /// A stone moves exactly two steps.
    #[error("a stone moves to a space exactly two steps away, and {to} is not so far from {from}")]
    NotTwoAway {
        /// Where the stone stands.
        from: Cell,
        /// Where it was to go.
        to: Cell,
    },
    /// Only a player without a tower may move a stone onto an empty one.
    #[error("you have a tower, so you may not move a stone onto the one on {0}")]
    NotDesperate(Cell),
    /// Even a desperate force goes only onto an empty tower.
    #[error("a desperate force needs an empty tower, and the one on {0} is claimed")]
    ClaimedTower(Cell),
    /// There is no empty tower to claim.
    #[error("there is no empty tower on {0} to claim")]
    NoEmptyTower(Cell),
    /// The line does not begin at a tower of the player to move.
    #[error("the line to {tower} begins at {from}, where you have no tower")]
    NoTowerOfYours {
        /// The tower that was to be claimed.
        tower: Cell,
        /// The other end of the line.
        from: Cell,
    },
    /// The line is not straight, or has something else than the player's stones on it.
    #[error("no unbroken straight line of your stones runs between {from} and {tower}")]
    BrokenLine {
        /// The tower that was to be claimed.
        tower: Cell,
        /// The other end of the line.
        from: Cell,
    },
    /// No tower is left to put on the board.
    #[error("there is no tower left in the supply")]
    NoSupply,
    /// A new tower stands only where a linking stone stood.
    #[error("none of the linking stones stands on {0}, so no new tower can be put there")]
    NotALink(Cell),
    /// A new tower may not be next to another one.
    #[error("{0} is next to another tower, so no new tower can be put there")]
    NextToTower(Cell),
}

cites!(Violation {
    Violation::NotEmpty(cell) => Clause(3) "not-empty" { cell }
    Violation::TowerThere(cell) => Clause(2) "tower-there" { cell }
    Violation::NotNextToOwn(cell) => Clause(3) "not-next-to-own" { cell }
    Violation::NotYours(cell) => Clause(3) "not-yours" { cell }
    Violation::NotTwoAway { from, to } => Ruling(2) "not-two-away" { from, to }
    Violation::NotDesperate(cell) => Clause(5) "not-desperate" { cell }
    Violation::ClaimedTower(cell) => Clause(5) "claimed-tower" { cell }
    Violation::NoEmptyTower(cell) => Clause(3) "no-empty-tower" { cell }
    Violation::NoTowerOfYours { tower, from } => Clause(3) "no-tower-of-yours" { tower, from }
    Violation::BrokenLine { tower, from } => Ruling(3) "broken-line" { tower, from }
    Violation::NoSupply => Clause(3) "no-supply" {}
    Violation::NotALink(cell) => Clause(3) "not-a-link" { cell }
    Violation::NextToTower(cell) => Clause(3) "next-to-tower" { cell }
});

impl Position {
    pub(super) fn find_violation(&self, mv: Move) -> Option<Violation> {
        match mv {
            Move::Place(cell) => self.check_placement(cell),
            Move::Step { from, to } => self.check_step(from, to),
            Move::Claim { tower, from, new_tower } => self
                .check_line(tower, from)
                .and_then(|()| new_tower.map_or(Ok(()), |new| self.check_new(new, tower, from))),
        }
        .err()
    }

    fn check_placement(&self, cell: Cell) -> Result<(), Violation> {
        match self.at(cell) {
            Some(Occupant::Stone(_)) => Err(Violation::NotEmpty(cell)),
            Some(Occupant::Tower(_)) => Err(Violation::TowerThere(cell)),
            None if self.own() & cell.neighbours() == 0 => Err(Violation::NotNextToOwn(cell)),
            None => Ok(()),
        }
    }

    fn check_step(&self, from: Cell, to: Cell) -> Result<(), Violation> {
        if self.own() & from.bit() == 0 {
            return Err(Violation::NotYours(from));
        }
        if from.two_away() & to.bit() == 0 {
            return Err(Violation::NotTwoAway { from, to });
        }
        let desperate = self.own() & self.towers == 0;
        match self.at(to) {
            Some(Occupant::Stone(_)) => Err(Violation::NotEmpty(to)),
            Some(Occupant::Tower(None)) if !desperate => Err(Violation::NotDesperate(to)),
            Some(Occupant::Tower(Some(_))) if desperate => Err(Violation::ClaimedTower(to)),
            Some(Occupant::Tower(Some(_))) => Err(Violation::TowerThere(to)),
            Some(Occupant::Tower(None)) | None => Ok(()),
        }
    }

    fn check_line(&self, tower: Cell, from: Cell) -> Result<(), Violation> {
        if self.at(tower) != Some(Occupant::Tower(None)) {
            Err(Violation::NoEmptyTower(tower))
        } else if self.at(from) != Some(Occupant::Tower(Some(self.side))) {
            Err(Violation::NoTowerOfYours { tower, from })
        } else if !self.lines_to(tower).any(|end| end == from) {
            Err(Violation::BrokenLine { tower, from })
        } else {
            Ok(())
        }
    }

    fn check_new(&self, cell: Cell, tower: Cell, from: Cell) -> Result<(), Violation> {
        if self.supply == 0 {
            Err(Violation::NoSupply)
        } else if between(tower, from) & cell.bit() == 0 {
            Err(Violation::NotALink(cell))
        } else if next_to(self.towers) & cell.bit() != 0 {
            Err(Violation::NextToTower(cell))
        } else {
            Ok(())
        }
    }
}
