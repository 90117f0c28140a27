//! Sets of places of one colour.
//!
//! Black and White never share a point (clause 2), so the places are numbered for each colour
//! apart, and a set of either fits into four words.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::bits::Bits;

const WORDS: usize = 4;

/// A set of places of one colour, points or ring, by their slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Points([u64; WORDS]);

impl Points {
    pub(super) const EMPTY: Points = Points([0; WORDS]);

    #[inline]
    pub(super) const fn with(mut self, slot: u8) -> Points {
        self.0[slot as usize / 64] |= 1 << (slot % 64);
        self
    }

    #[inline]
    pub(super) const fn without(mut self, slot: u8) -> Points {
        self.0[slot as usize / 64] &= !(1 << (slot % 64));
        self
    }

    #[inline]
    pub(super) const fn contains(self, slot: u8) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self == Points::EMPTY
    }

    #[inline]
    pub(super) fn meets(self, other: Points) -> bool {
        !(self & other).is_empty()
    }

    #[inline]
    pub(super) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The words, each with the slot of its lowest bit.
    #[inline]
    pub(super) fn words(self) -> impl Iterator<Item = (u8, u64)> {
        self.0.into_iter().enumerate().map(|(index, word)| (64 * index as u8, word))
    }

    /// The slots of the set, lowest first.
    #[inline]
    pub(super) fn slots(self) -> impl Iterator<Item = u8> {
        self.words().flat_map(|(first, word)| Bits(word).map(move |bit| first + bit))
    }

    /// Every place moved up by `by` slots, from 1 to 63.
    #[inline]
    pub(super) fn up(self, by: u8) -> Points {
        let [a, b, c, d] = self.0;
        let back = 64 - by;
        Points([a << by, b << by | a >> back, c << by | b >> back, d << by | c >> back])
    }

    /// Every place moved down by `by` slots, from 1 to 63.
    #[inline]
    pub(super) fn down(self, by: u8) -> Points {
        let [a, b, c, d] = self.0;
        let back = 64 - by;
        Points([a >> by | b << back, b >> by | c << back, c >> by | d << back, d >> by])
    }
}

impl std::fmt::Debug for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.slots()).finish()
    }
}

impl BitAnd for Points {
    type Output = Points;

    #[inline]
    fn bitand(self, other: Points) -> Points {
        Points(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }
}

impl BitOr for Points {
    type Output = Points;

    #[inline]
    fn bitor(self, other: Points) -> Points {
        Points(std::array::from_fn(|index| self.0[index] | other.0[index]))
    }
}

impl Not for Points {
    type Output = Points;

    #[inline]
    fn not(self) -> Points {
        Points(self.0.map(|word| !word))
    }
}

impl BitAndAssign for Points {
    #[inline]
    fn bitand_assign(&mut self, other: Points) {
        *self = *self & other;
    }
}

impl BitOrAssign for Points {
    #[inline]
    fn bitor_assign(&mut self, other: Points) {
        *self = *self | other;
    }
}
