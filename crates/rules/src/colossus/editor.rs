//! What can be changed: stones, towers, and all counters.

use super::{CELLS, Occupant, Setup};
use crate::view::{Piece, Spot};
use crate::{Counter, Edit, Side};

impl Edit for Setup {
    fn options(&self) {}

    fn pieces() -> Vec<Piece> {
        let towers = [None, Some(Side::First), Some(Side::Second)].map(Piece::Tower);
        Side::BOTH.map(Piece::Stone).into_iter().chain(towers).collect()
    }

    fn at(&self, spot: &Spot) -> Option<Piece> {
        self.board[usize::from(spot.cell)].map(|occupant| match occupant {
            Occupant::Stone(side) => Piece::Stone(side),
            Occupant::Tower(owner) => Piece::Tower(owner),
        })
    }

    /// A fuller board raises the peak with it; it can still be set to anything afterwards.
    fn put(&mut self, spot: &Spot, piece: Option<&Piece>) {
        self.board[usize::from(spot.cell)] = match piece {
            Some(Piece::Stone(side)) => Some(Occupant::Stone(*side)),
            Some(Piece::Tower(owner)) => Some(Occupant::Tower(*owner)),
            _ => None,
        };
        let occupied = self.board.iter().flatten().count() as u32;
        self.peak = self.peak.max(occupied);
    }

    fn side(&mut self) -> &mut Side {
        &mut self.side
    }

    fn counters(&mut self) -> Vec<(Counter, &mut u32)> {
        vec![
            (Counter::Supply, &mut self.supply),
            (Counter::Stall, &mut self.stall),
            (Counter::Peak, &mut self.peak),
        ]
    }

    /// The supply is emptied too, so that nine towers can be put on the board without touching the
    /// counters.
    fn clear(&mut self) {
        self.board = [None; CELLS];
        (self.supply, self.stall, self.peak) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::Counter;
    use crate::testing::{flaws, set_up};

    #[test]
    fn a_fuller_board_raises_the_peak() {
        let [stone, tower] = [0, 2];
        let mut setup = set_up("colossus", &[("d4", Some(tower)), ("d5", Some(stone))]);
        assert_eq!(setup.text(), "t2W/5/6/t2tb1t/6/5/B2t b 3 0 8");
        setup.set_counter(Counter::Supply, 9);
        assert!(flaws(&setup)[0].contains("only 9 exist"), "{:?}", flaws(&setup));
        setup.clear();
        assert_eq!(setup.text(), "4/5/6/7/6/5/4 b 0 0 0");
    }
}
