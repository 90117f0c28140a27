//! Sets of cells as bits of a word.

/// The indices of the set bits of a word, lowest first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(lowest)
    }
}

/// Mixes a word into a running hash key: the finaliser of SplitMix64. Start from 0, so that every
/// word after the first meets a key that is mixed already; else two words could cancel out.
#[inline]
pub(crate) const fn mix(key: u64, word: u64) -> u64 {
    let mut z = (key ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_lowest_first() {
        assert_eq!(Bits(0).count(), 0);
        assert_eq!(Bits(1 << 63 | 0b101).collect::<Vec<_>>(), [0, 2, 63]);
    }

    #[test]
    fn mixing_tells_words_and_their_order_apart() {
        assert_ne!(mix(0, 1), mix(0, 2));
        assert_ne!(mix(mix(0, 1), 2), mix(mix(0, 2), 1));
        assert_eq!(mix(0, 0), 0xe220_a839_7b1d_cdaf, "the first number of SplitMix64 from seed 0");
    }
}
