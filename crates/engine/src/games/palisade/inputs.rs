//! What a policy network sees of a position.

use stoa_rules::palisade::{MAX_SIZE, Point, PointSet, Position};
use stoa_rules::{Position as _, Side};

use crate::policy::Grid;

/// The bits of a cell. Those of pairs are the player's to move first, then the opponent's.
pub(super) const PLANES: usize = 15;

const ON_BOARD: u16 = 1;
/// The points that have the colour of the player to move.
const COLOUR: u16 = 1 << 1;
const STONE: u16 = 1 << 2;
const OPEN: u16 = 1 << 4;
const OWNED: u16 = 1 << 6;
const LAST_OF_FOUR: u16 = 1 << 8;
const LOOP_CLOSING: u16 = 1 << 10;
const CAPTURABLE: u16 = 1 << 12;
/// Black is to move: corners are Black's points, so the board looks different to each player.
const FIRST: u16 = 1 << 14;

pub(super) fn grid(position: &Position, cells: &mut Grid) -> usize {
    let size = position.size();
    let side = usize::from(size.get());
    let mover = position.side_to_move();
    let everywhere = ON_BOARD | if mover == Side::First { FIRST } else { 0 };
    let owner = position.owners();
    for (cell, point) in size.points().enumerate() {
        let mut bits = everywhere;
        if point.colour() == mover {
            bits |= COLOUR;
        }
        match owner(point) {
            None => {}
            Some(owner) if owner == mover => bits |= OWNED,
            Some(_) => bits |= OWNED << 1,
        }
        cells[cell] = bits;
    }
    let mut set = |points: PointSet, bit: u16| {
        for point in points.iter() {
            cells[cell_of(point, side)] |= bit;
        }
    };
    for (shift, player) in [mover, mover.other()].into_iter().enumerate() {
        set(position.stones(player), STONE << shift);
        set(position.open(player), OPEN << shift);
        set(position.last_of_four(player), LAST_OF_FOUR << shift);
        set(position.loop_closing(player), LOOP_CLOSING << shift);
        set(position.capturable(player), CAPTURABLE << shift);
    }
    side
}

/// The cell of a point, row by row from the bottom.
pub(super) fn cell_of(point: Point, side: usize) -> usize {
    usize::from(point.rank()) * side + usize::from(point.file())
}

/// Whether a cell is Black's.
pub(super) fn is_blacks(position: &Position, cell: usize) -> bool {
    let side = usize::from(position.size().get());
    let (file, rank) = ((cell % side) as u8, (cell / side) as u8);
    debug_assert!(file < MAX_SIZE && rank < MAX_SIZE);
    Point::new(file, rank).and_then(|point| position.owner(point)) == Some(Side::First)
}
