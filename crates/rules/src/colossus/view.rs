//! The hexagon.

use super::{Cell, Occupant, Position};
use crate::Side;
use crate::view::{Counted, Ground, Piece, Show, Spot, View};

impl Show for Position {
    fn view(&self) -> View {
        let spots = Cell::all()
            .map(|cell| {
                let row = i16::from(cell.row());
                Spot {
                    cell: cell.index().into(),
                    name: cell.to_string(),
                    // Row d is the longest; each row from it begins half a cell further in.
                    x: 2 * i16::from(cell.place()) + 1 + (row - 3).abs(),
                    y: 2 * row + 1,
                    ground: Ground::Hex,
                    piece: self.at(cell).map(|occupant| match occupant {
                        Occupant::Stone(side) => Piece::Stone(side),
                        Occupant::Tower(owner) => Piece::Tower(owner),
                    }),
                    owner: None,
                }
            })
            .collect();
        View {
            spots,
            counts: Side::BOTH.map(|side| self.score(side)),
            counted: Counted::Score,
            supply: Some(self.supply),
            stall: Some([self.stall, super::STALL]),
        }
    }
}
