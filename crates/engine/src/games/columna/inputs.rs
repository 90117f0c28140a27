//! What a network sees of a position.

use stoa_rules::columna::{Position, RuleSet};
use stoa_rules::{Position as _, Side};

use super::{INNER, SIDES, connected};
use crate::net::InputGroups;

/// Bits of the inner board: eight to a rank, of which the last is not used.
const SPACES: u8 = 55;

/// The mover's stacks of one, two, three and four, the opponent's; both pawns; where each player
/// could drop next; how far the stall has come, in steps of five turns; and what matters in this
/// rule set. In `spaces` that is the stacks that connect both sides of the ring, and those connected
/// with the other player's pawn; in `points`, the spaces on which only one player can drop from the
/// track, as the board is now and as it may become.
pub(super) const GROUPS: &[u8] = &[
    SPACES, SPACES, SPACES, SPACES, SPACES, SPACES, SPACES, SPACES, 32, 32, SPACES, SPACES, 8,
    SPACES, SPACES, SPACES, SPACES,
];

/// Every space for its stack, for both players' drops and for two views that only one player has of
/// it; two pawns, and the stall.
pub(super) const MAX_SET: u16 = 49 * 5 + 2 + 8;

/// Phases of the game, by how many pieces are on the board.
pub(super) const BUCKETS: usize = 8;

#[inline]
pub(super) fn set(position: &Position, groups: &mut InputGroups) {
    let mover = position.side_to_move();
    // Everything is seen as the first player sees it: the second one's board is turned round.
    let seen = |spaces: u64| {
        if mover == Side::First { spaces } else { spaces.reverse_bits() >> 9 }
    };
    for (number, side) in [mover, mover.other()].into_iter().enumerate() {
        let own = position.owned(side);
        for height in 1..=4 {
            groups[number * 4 + usize::from(height) - 1] = seen(own & position.of_height(height));
        }
        let pawn = position.pawn(side).index();
        let turned = if mover == Side::First { pawn } else { (pawn + 16) % 32 };
        groups[8 + number] = 1 << turned;
        groups[10 + number] = seen(position.droppable(side));
        match position.options() {
            RuleSet::Spaces => {
                let [one, two] = SIDES;
                let bridges = connected(one, own) & connected(two, own) & INNER;
                let beside = position.pawn(side.other()).neighbour();
                groups[13 + number] = seen(bridges);
                groups[15 + number] = seen(connected(beside, own));
            }
            RuleSet::Points => {
                let (sight, open) = (position.sight(side), position.open_to(side));
                groups[13 + number] = seen(sight & !position.sight(side.other()));
                groups[15 + number] = seen(open & !position.open_to(side.other()));
            }
        }
    }
    groups[12] = !(u64::MAX << (position.stall() / 5).min(8));
}

#[inline]
pub(super) fn bucket(position: &Position) -> usize {
    (position.pieces() as usize / 12).min(BUCKETS - 1)
}
