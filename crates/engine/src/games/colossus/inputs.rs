//! What a network sees of a position.

use stoa_rules::Position as _;
use stoa_rules::colossus::{CELLS, Cell, Position, TOWERS};

use super::BOARD;
use crate::net::InputGroups;

const BOARD_CELLS: u8 = CELLS as u8;

/// The mover's stones, the opponent's, empty towers, the mover's towers, the opponent's; towers of
/// the opponent that one more stone besieges, and the mover's own; how far the stall has come, in
/// steps of five turns; how many towers are off the board.
pub(super) const GROUPS: &[u8] = &[
    BOARD_CELLS,
    BOARD_CELLS,
    BOARD_CELLS,
    BOARD_CELLS,
    BOARD_CELLS,
    BOARD_CELLS,
    BOARD_CELLS,
    8,
    TOWERS as u8 + 1,
];

/// Every cell once, towers in danger a second time, and the two counts.
pub(super) const MAX_SET: u16 = BOARD_CELLS as u16 + TOWERS as u16 + 8 + 1;

/// Phases of the game, by how many spaces are empty.
pub(super) const BUCKETS: usize = 8;

#[inline]
pub(super) fn set(position: &Position, groups: &mut InputGroups) {
    let mover = position.side_to_move();
    let (own, other) = (position.stones(mover), position.stones(mover.other()));
    let towers = position.towers();
    groups[0] = own & !towers;
    groups[1] = other & !towers;
    groups[2] = towers & !own & !other;
    groups[3] = own & towers;
    groups[4] = other & towers;
    groups[5] = nearly_besieged(other & towers, own & !towers);
    groups[6] = nearly_besieged(own & towers, other & !towers);
    groups[7] = !(u64::MAX << (position.stall() / 5).min(8));
    groups[8] = 1 << position.supply();
}

/// The towers around which at most one space is not held by these stones.
#[inline]
fn nearly_besieged(mut towers: u64, stones: u64) -> u64 {
    let mut found = 0;
    while towers != 0 {
        let index = towers.trailing_zeros() as u8;
        let around = Cell::from_index(index).map_or(0, Cell::neighbours);
        if (around & !stones).count_ones() <= 1 {
            found |= 1 << index;
        }
        towers &= towers - 1;
    }
    found
}

#[inline]
pub(super) fn bucket(position: &Position) -> usize {
    let [first, second] = stoa_rules::Side::BOTH.map(|side| position.stones(side));
    let empty = (BOARD & !(first | second | position.towers())).count_ones() as usize;
    (empty / 5).min(BUCKETS - 1)
}
