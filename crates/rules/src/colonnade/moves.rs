//! Moves, and how they are found.

use super::{Direction, Position, Square, Stack};

/// Picks up checkers on a square and puts them on its neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the checkers are picked up.
    pub from: Square,
    /// How many are carried: the mover's own checker and all above it.
    pub carried: u8,
    /// To which neighbour they go.
    pub direction: Direction,
}

impl Position {
    /// Every legal move.
    #[inline]
    pub(super) fn generate_into(&self, moves: &mut Vec<Move>) {
        for direction in Direction::BOTH {
            let mut counts = self.counts(direction);
            while counts != 0 {
                let from = Square::from_bit(counts.trailing_zeros() as u8 / 8);
                let count = counts.to_le_bytes()[from.index()];
                counts &= !(0xff << (8 * from.index()));
                for index in 0..count {
                    moves.push(self.make(from, direction, index));
                }
            }
        }
    }

    /// The number of legal moves.
    #[inline]
    pub(super) fn count(&self) -> usize {
        Direction::BOTH.into_iter().map(|direction| usize::from(sum(self.counts(direction)))).sum()
    }

    /// The move at a place in the list of [`generate_into`](Position::generate_into).
    #[inline]
    pub(super) fn nth(&self, index: usize) -> Option<Move> {
        let left = self.counts(Direction::Left);
        let before = usize::from(sum(left));
        let (counts, direction, index) = if index < before {
            (left, Direction::Left, index)
        } else {
            (self.counts(Direction::Right), Direction::Right, index - before)
        };
        if index >= usize::from(sum(counts)) {
            return None;
        }
        // The moves up to and from each square, and so the squares whose moves come before ours.
        let index = index as u8;
        let running = counts.wrapping_mul(EACH);
        let passed = (((EACH * u64::from(index)) | (EACH << 7)) - running) & EACH << 7;
        let from = Square::from_bit(passed.count_ones() as u8);
        let before_from = (running << 8).to_le_bytes()[from.index()];
        Some(self.make(from, direction, index - before_from))
    }

    /// How many moves there are from each square in a direction, as bytes (clauses 2, 3 and 5).
    ///
    /// All eight squares are worked out at once: each is a byte of the word, and no byte overflows.
    #[inline]
    fn counts(&self, direction: Direction) -> u64 {
        let stacks = u64::from_le_bytes(self.stacks.map(Stack::byte));
        let heights = (stacks >> 1) & (EACH * 0x7f);
        let occupied = (heights + EACH * 0x7f) >> 7 & EACH;
        let own = occupied & !(stacks ^ (EACH * self.side as u64));
        let neighbours = |squares: u64| match direction {
            Direction::Left => squares << 8,
            Direction::Right => squares >> 8,
        };
        let to_empty = neighbours(occupied ^ EACH) & occupied;
        let to_own = neighbours(own) & occupied;
        // Onto a stack the bottom checker may go too (clause 3), down to an empty square not
        // (clause 5). Colours alternate, so of the checkers that may go every second one from the
        // top is one's own, the first if the stack is topped with one's colour.
        let own_checkers = ((heights - to_empty + own) >> 1) & (EACH * 0x7f);
        own_checkers & ((to_empty | to_own) * 0xff)
    }

    /// The move from a square that carries as few checkers as can be, or after `index` others.
    #[inline]
    fn make(&self, from: Square, direction: Direction, index: u8) -> Move {
        let fewest = if self.stack(from).is_topped_by(self.side) { 1 } else { 2 };
        Move { from, carried: fewest + 2 * index, direction }
    }
}

/// One in each byte of a word.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The sum of the bytes of a word, which must be less than 256.
#[inline]
const fn sum(bytes: u64) -> u8 {
    (bytes.wrapping_mul(EACH) >> 56) as u8
}
