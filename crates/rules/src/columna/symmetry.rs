//! The board can be reflected and turned as far as the ring allows it, and the colours and the turn
//! can be exchanged.
//!
//! In `spaces` the base tiles must stay base tiles, and that is all: the two sides are alike, and
//! so are the players. The board may be reflected in the diagonal through the base tiles, turned
//! round, and both; and each of these with or without an exchange of colours.
//!
//! In `points` each player has a track, and `a1` belongs to Black's and `i9` to White's. Only the
//! turn together with the exchange of colours takes one track to the other.

use super::{Move, Point, Position, RuleSet, Space};
use crate::Symmetry;

/// What a symmetry consists of.
#[derive(Clone, Copy)]
struct Parts {
    /// Files and ranks are exchanged: a reflection in the diagonal from `a1` to `i9`.
    reflected: bool,
    /// The board is turned round.
    turned: bool,
    /// The players are exchanged.
    recoloured: bool,
}

impl Parts {
    fn new(rules: RuleSet, symmetry: usize) -> Parts {
        match rules {
            RuleSet::Spaces => Parts {
                reflected: symmetry & 1 != 0,
                turned: symmetry & 2 != 0,
                recoloured: symmetry & 4 != 0,
            },
            RuleSet::Points => {
                Parts { reflected: false, turned: symmetry != 0, recoloured: symmetry != 0 }
            }
        }
    }

    fn point(self, point: Point) -> Point {
        let index = if self.reflected { 32 - point.index() } else { point.index() };
        Point::wrapped(if self.turned { index + 16 } else { index })
    }

    fn space(self, space: Space) -> Space {
        Space::from_bit(self.spaces(space.bit()).trailing_zeros() as u8)
    }

    fn spaces(self, spaces: u64) -> u64 {
        let reflected = if self.reflected { transposed(spaces) } else { spaces };
        // Turned, bit 0 becomes bit 54, the last of the board.
        if self.turned { reflected.reverse_bits() >> 9 } else { reflected }
    }

    fn pair<T>(self, [black, white]: [T; 2]) -> [T; 2] {
        if self.recoloured { [white, black] } else { [black, white] }
    }
}

/// Bit 8y + x becomes bit 8x + y: three exchanges of ever larger blocks beside the diagonal.
const fn transposed(spaces: u64) -> u64 {
    const fn exchange(spaces: u64, blocks: u64, distance: u32) -> u64 {
        let difference = (spaces >> distance ^ spaces) & blocks;
        spaces ^ difference ^ difference << distance
    }
    let ones = exchange(spaces, 0x00aa_00aa_00aa_00aa, 7);
    let twos = exchange(ones, 0x0000_cccc_0000_cccc, 14);
    exchange(twos, 0x0000_0000_f0f0_f0f0, 28)
}

impl Symmetry for Position {
    fn symmetries(&self) -> usize {
        match self.rules {
            RuleSet::Spaces => 8,
            RuleSet::Points => 2,
        }
    }

    fn transform(&self, symmetry: usize) -> Position {
        let parts = Parts::new(self.rules, symmetry);
        Position {
            owned: parts.pair(self.owned.map(|spaces| parts.spaces(spaces))),
            higher: self.higher.map(|spaces| parts.spaces(spaces)),
            pawns: parts.pair(self.pawns.map(|pawn| parts.point(pawn))),
            side: if parts.recoloured { self.side.other() } else { self.side },
            ..*self
        }
    }

    fn transform_move(&self, mv: Move, symmetry: usize) -> Move {
        let parts = Parts::new(self.rules, symmetry);
        match mv {
            Move::Pass => Move::Pass,
            Move::Drop { pawn, on } => Move::Drop { pawn: parts.point(pawn), on: parts.space(on) },
            Move::MoveStack { pawn, from, to } => Move::MoveStack {
                pawn: parts.point(pawn),
                from: parts.space(from),
                to: parts.space(to),
            },
        }
    }
}
