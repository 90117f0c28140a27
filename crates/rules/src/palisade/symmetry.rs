//! The square can be turned and reflected. Its sides are odd, so every point keeps its colour; and
//! because the colours have different points, they cannot be exchanged.

use super::points::Points;
use super::{Move, Point, Position, Size};
use crate::{Side, Symmetry};

impl Symmetry for Position {
    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> Position {
        let board = self.size.board();
        let stones = Side::BOTH.map(|colour| {
            let placed = self.stones[colour.index()] & board.points[colour.index()];
            placed.slots().fold(board.ring[colour.index()], |stones: Points, slot| {
                let point = Point::from_slot(slot, colour);
                stones.with(transformed(point, self.size, symmetry).slot())
            })
        });
        Position::assemble(self.size, stones, self.side)
    }

    fn transform_move(&self, Move(point): Move, symmetry: usize) -> Move {
        Move(transformed(point, self.size, symmetry))
    }
}

/// Bit 0 exchanges left and right, bit 1 bottom and top, and bit 2 then files and ranks.
fn transformed(point: Point, size: Size, symmetry: usize) -> Point {
    let far = size.get() - 1;
    let file = if symmetry & 1 != 0 { far - point.file() } else { point.file() };
    let rank = if symmetry & 2 != 0 { far - point.rank() } else { point.rank() };
    if symmetry & 4 != 0 { Point::at(rank, file) } else { Point::at(file, rank) }
}
