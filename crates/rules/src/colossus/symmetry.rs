//! The hexagon can be turned and reflected in twelve ways, and the colours can be exchanged
//! together with the turn.

use super::{Cell, Move, Position};
use crate::Symmetry;
use crate::bits::Bits;

/// The symmetries of the hexagon; as many again exchange the colours too.
const OF_THE_HEXAGON: usize = 12;

impl Symmetry for Position {
    fn symmetries(&self) -> usize {
        2 * OF_THE_HEXAGON
    }

    fn transform(&self, symmetry: usize) -> Position {
        let map = |cells: u64| {
            Bits(cells).fold(0, |mapped, cell| {
                mapped | Cell::from_bit(cell).mapped(symmetry % OF_THE_HEXAGON).bit()
            })
        };
        let mut position =
            Position { stones: self.stones.map(map), towers: map(self.towers), ..*self };
        if symmetry >= OF_THE_HEXAGON {
            position.stones.reverse();
            position.side = position.side.other();
        }
        position
    }

    fn transform_move(&self, mv: Move, symmetry: usize) -> Move {
        let map = |cell: Cell| cell.mapped(symmetry % OF_THE_HEXAGON);
        match mv {
            Move::Place(cell) => Move::Place(map(cell)),
            Move::Step { from, to } => Move::Step { from: map(from), to: map(to) },
            Move::Claim { tower, from, new_tower } => {
                Move::Claim { tower: map(tower), from: map(from), new_tower: new_tower.map(map) }
            }
        }
    }
}
