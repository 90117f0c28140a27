//! Moves, and how they are found.

use super::board::{between, next_to};
use super::{Cell, Position};
use crate::bits::Bits;
use crate::sink::{Generator, Sink};

/// A whole turn (clause 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A stone is placed on an empty space.
    Place(Cell),
    /// A stone is moved to an empty space, or as a desperate force onto an empty tower (clause 5).
    Step {
        /// Where it stood, on a space or on a tower.
        from: Cell,
        /// Where it goes.
        to: Cell,
    },
    /// An empty tower is claimed, and the stones on the line to it are removed. The two ends tell
    /// which these are.
    Claim {
        /// The empty tower.
        tower: Cell,
        /// One's own tower at the other end of the line.
        from: Cell,
        /// Where a tower from the supply is put.
        new_tower: Option<Cell>,
    },
}

impl Generator<Move> for Position {
    /// Every legal move.
    #[inline]
    fn generate_into(&self, sink: &mut impl Sink<Move>) {
        if self.ended_with_last_turn().is_some() {
            return;
        }
        let placements = self.placements();
        sink.push_each(placements, |cell| Move::Place(Cell::from_bit(cell)));
        let landings = self.landings();
        let mut found = placements;
        for from in Bits(self.own()).map(Cell::from_bit) {
            let targets = from.two_away() & landings;
            found |= targets;
            sink.push_each(targets, |to| Move::Step { from, to: Cell::from_bit(to) });
        }
        // Clause 6: a player who can neither place nor move a stone has lost, claims or not.
        if found != 0 {
            self.claims(sink);
        }
    }
}

impl Position {
    /// Where the player to move may place a stone (clause 3), as bits.
    #[inline]
    pub(super) fn placements(&self) -> u64 {
        next_to(self.own()) & self.empty()
    }

    /// Where a stone of the player to move may land: on empty spaces (clause 3), and without a
    /// tower of one's own on empty towers too (clause 5).
    #[inline]
    pub(super) fn landings(&self) -> u64 {
        let desperate = self.own() & self.towers == 0;
        self.empty() | if desperate { self.empty_towers() } else { 0 }
    }

    /// Whether the player to move can place or move a stone (clause 6).
    pub(super) fn can_place_or_move(&self) -> bool {
        let landings = self.landings();
        self.placements() != 0
            || Bits(self.own()).any(|from| Cell::from_bit(from).two_away() & landings != 0)
    }

    /// The claims of clause 3.
    #[inline]
    fn claims(&self, sink: &mut impl Sink<Move>) {
        let new_towers = self.new_tower_cells();
        for tower in Bits(self.empty_towers()).map(Cell::from_bit) {
            for from in self.lines_to(tower) {
                sink.push(Move::Claim { tower, from, new_tower: None });
                sink.push_each(between(tower, from) & new_towers, |cell| Move::Claim {
                    tower,
                    from,
                    new_tower: Some(Cell::from_bit(cell)),
                });
            }
        }
    }

    /// The towers of the player to move from which an unbroken line of their stones runs to
    /// another tower (R3).
    #[inline]
    pub(super) fn lines_to(&self, tower: Cell) -> impl Iterator<Item = Cell> {
        let own = self.own();
        let stones = own & !self.towers;
        Bits(own & self.towers).map(Cell::from_bit).filter(move |&from| {
            let links = between(tower, from);
            links != 0 && links & !stones == 0
        })
    }

    /// Where a tower from the supply may stand, if a linking stone stood there (clause 3).
    #[inline]
    fn new_tower_cells(&self) -> u64 {
        if self.supply == 0 { 0 } else { !next_to(self.towers) }
    }
}
