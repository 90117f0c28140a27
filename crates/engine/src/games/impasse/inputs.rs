//! What a network sees of a position.

use stoa_rules::Position as _;
use stoa_rules::Side;
use stoa_rules::impasse::Position;

use crate::net::InputGroups;

/// The mover's checkers and the opponent's: singles on their squares, and doubles a rank higher,
/// where the light squares would be.
pub(super) const GROUPS: &[u8] = &[64, 64];

/// The most checkers that can be on the board.
pub(super) const MAX_SET: u16 = 24;

/// Phases of the game, by how many checkers are left.
pub(super) const BUCKETS: usize = 8;

#[inline]
pub(super) fn set(position: &Position, groups: &mut InputGroups) {
    let mover = position.side_to_move();
    let checkers = |side| {
        let word = position.singles(side) | position.doubles(side).rotate_left(8);
        // Everything is seen from the mover's own end of the board.
        if mover == Side::First { word } else { turned(position, side) }
    };
    groups[0] = checkers(mover);
    groups[1] = checkers(mover.other());
}

#[inline]
fn turned(position: &Position, side: Side) -> u64 {
    position.singles(side).reverse_bits() | position.doubles(side).reverse_bits().rotate_left(8)
}

#[inline]
pub(super) fn bucket(position: &Position) -> usize {
    let checkers = position.checkers(Side::First) + position.checkers(Side::Second);
    (checkers.saturating_sub(1) as usize / 3).min(BUCKETS - 1)
}
