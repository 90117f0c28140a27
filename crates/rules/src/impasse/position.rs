//! The position, and what a move does to it.

use super::{Action, Checkers, Crown, Move, Square};
use crate::bits::{Bits, mix};
use crate::sink::Generator;
use crate::{Outcome, Reason, Side};

/// A position of Impasse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The squares of each player's singles, as bits.
    pub(super) singles: [u64; 2],
    /// The squares of each player's doubles, as bits.
    pub(super) doubles: [u64; 2],
    pub(super) side: Side,
}

impl Position {
    /// What stands on a square.
    pub fn at(&self, square: Square) -> Option<Checkers> {
        Side::BOTH.into_iter().find_map(|side| {
            if self.singles[side.index()] & square.bit() != 0 {
                Some(Checkers::Single(side))
            } else if self.doubles[side.index()] & square.bit() != 0 {
                Some(Checkers::Double(side))
            } else {
                None
            }
        })
    }

    /// How many checkers a player has on the board.
    pub fn checkers(&self, side: Side) -> u32 {
        self.singles[side.index()].count_ones() + 2 * self.doubles[side.index()].count_ones()
    }

    /// The squares of a player's singles, as bits numbered like [`Square::index`].
    #[inline]
    pub fn singles(&self, side: Side) -> u64 {
        self.singles[side.index()]
    }

    /// The squares of a player's doubles, as bits numbered like [`Square::index`].
    #[inline]
    pub fn doubles(&self, side: Side) -> u64 {
        self.doubles[side.index()]
    }

    /// The occupied squares, as bits.
    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.singles[0] | self.singles[1] | self.doubles[0] | self.doubles[1]
    }

    #[inline]
    fn has_no_checkers(&self, side: Side) -> bool {
        self.singles[side.index()] | self.doubles[side.index()] == 0
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.has_no_checkers(side))
    }
}

impl crate::Position for Position {
    type Move = Move;
    type Options = ();

    fn start((): ()) -> Position {
        // Clause 1.
        const fn squares<const N: usize>(names: [(u8, u8); N]) -> u64 {
            let mut bits = 0;
            let mut i = 0;
            while i < N {
                let (file, rank) = names[i];
                bits |= 1 << ((file - b'a') + 8 * (rank - 1));
                i += 1;
            }
            bits
        }
        Position {
            singles: [
                squares([(b'a', 1), (b'e', 1), (b'd', 2), (b'h', 2)]),
                squares([(b'd', 8), (b'h', 8), (b'a', 7), (b'e', 7)]),
            ],
            doubles: [
                squares([(b'b', 8), (b'f', 8), (b'c', 7), (b'g', 7)]),
                squares([(b'c', 1), (b'g', 1), (b'b', 2), (b'f', 2)]),
            ],
            side: Side::First, // R1
        }
    }

    fn options(&self) {}

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    /// Clause 6. At least one player has checkers.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        [self.side.other(), self.side]
            .into_iter()
            .find(|&side| self.has_no_checkers(side))
            .map(|side| Outcome::win(side, Reason::NoCheckers))
    }

    #[inline]
    fn generate(&self, moves: &mut Vec<Move>) {
        self.generate_into(moves);
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.count()
    }

    #[inline]
    fn nth_move(&self, index: usize) -> Option<Move> {
        self.nth(index)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let singles = &mut self.singles[self.side.index()];
        let doubles = &mut self.doubles[self.side.index()];
        match mv.action {
            Action::Slide { from, to } => {
                let moved = if *singles & from.bit() != 0 { &mut *singles } else { &mut *doubles };
                *moved ^= from.bit() | to.bit();
                if mv.bears_off {
                    *doubles ^= to.bit();
                    *singles ^= to.bit();
                }
            }
            Action::Transpose { from, onto } => {
                *doubles ^= from.bit();
                *singles ^= from.bit();
                if !mv.bears_off {
                    *doubles ^= onto.bit();
                    *singles ^= onto.bit();
                }
            }
            Action::Remove(from) => {
                *doubles &= !from.bit();
                *singles ^= from.bit();
            }
        }
        if let Some(Crown { lifted, onto }) = mv.crown {
            *singles ^= lifted.bit() | onto.bit();
            *doubles ^= onto.bit();
        }
        self.side = self.side.other();
    }

    #[inline]
    fn key(&self) -> u64 {
        // Only dark squares are used, so one board fits into the gaps of another, a rank higher.
        let white = self.singles[0] | self.doubles[0].rotate_left(8);
        let black = self.singles[1] | self.doubles[1].rotate_left(8);
        mix(mix(mix(0, white), black), self.side as u64)
    }

    /// Weigh a single by the rows it has yet to go plus 15, a double likewise plus 23. A slide or a
    /// transpose lowers the sum; a bear off after a slide turns a double in the nearest row (23)
    /// into a single there (7 + 15); a crown turns two singles (15 or more each) into a double with
    /// seven rows to go (7 + 23); a removal takes a single away or leaves one of a double.
    fn turns_left_at_most(&self) -> u32 {
        let rows_to = |square: u8, row: u8| u32::from((square / 8).abs_diff(row));
        Side::BOTH
            .into_iter()
            .map(|side| {
                let (near, far) = match side {
                    Side::First => (0, 7),
                    Side::Second => (7, 0),
                };
                let singles = Bits(self.singles[side.index()]).map(|s| rows_to(s, far) + 15);
                let doubles = Bits(self.doubles[side.index()]).map(|s| rows_to(s, near) + 23);
                singles.sum::<u32>() + doubles.sum::<u32>()
            })
            .sum()
    }
}
