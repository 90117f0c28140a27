//! The transposition table: what the search has found out about positions, shared by all threads
//! without locks.
//!
//! An entry is two words, the data and the key combined with the data by exclusive or. Should two
//! threads write one entry at the same time, its words no longer belong together, the key does not
//! match, and the entry is not found.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::score::{PROVEN, WIN};

/// Which kind of bound a stored score is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The true score is at least this.
    Lower = 1,
    /// The true score is at most this.
    Upper = 2,
    /// The true score.
    Exact = 3,
}

/// What the table holds about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The index of the best move in the list of legal moves.
    pub(crate) best: Option<u16>,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

impl Entry {
    /// Whether it proves that the game is won or lost, which no deeper search will change.
    #[inline]
    pub(crate) fn is_proof(&self) -> bool {
        (self.score >= PROVEN && self.bound != Bound::Upper)
            || (self.score <= -PROVEN && self.bound != Bound::Lower)
    }

    /// How many turns ahead its score looks. A proof may be longer than the depth of the search that
    /// stored it, if that search found parts of the proof in the table.
    #[inline]
    pub(crate) fn reach(&self) -> i32 {
        if self.is_proof() { self.depth.max(WIN - self.score.abs()) } else { self.depth }
    }
}

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries per bucket: they fill a cache line.
const WAYS: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// The transposition table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
}

const NO_MOVE: u16 = u16::MAX;

impl TranspositionTable {
    /// A table of at most this many bytes, but of at least one bucket.
    pub(crate) fn new(bytes: usize) -> TranspositionTable {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        TranspositionTable {
            buckets: std::iter::repeat_with(Bucket::default).take(buckets).collect(),
            generation: AtomicU8::new(0),
        }
    }

    /// Removes all entries.
    pub(crate) fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
    }

    /// Begins a new search: entries of earlier ones are replaced first.
    pub(crate) fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) & 63;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// How full it is with entries of this search, in thousandths, by a sample.
    pub(crate) fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.buckets.iter().take(250).flat_map(|bucket| &bucket.0);
        let (mut used, mut all) = (0, 0);
        for slot in sample {
            let data = slot.data.load(Ordering::Relaxed);
            used += u32::from(data != 0 && (data >> 58) as u8 == generation);
            all += 1;
        }
        used * 1000 / all
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// The entry of a key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Stores the entry of a key, in place of the one that is worth least.
    #[inline]
    pub(crate) fn put(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut chosen = &self.bucket(key).0[0];
        let mut least = i32::MAX;
        let mut best = entry.best;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                chosen = slot;
                break;
            }
            let old = unpack(data);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                // A search that found no best move keeps the one known before.
                best = best.or(old.best);
                chosen = slot;
                break;
            }
            let age = i32::from(generation.wrapping_sub((data >> 58) as u8) & 63);
            let worth = old.depth - 8 * age;
            if worth < least {
                least = worth;
                chosen = slot;
            }
        }
        let data = pack(Entry { best, ..entry }, generation);
        chosen.data.store(data, Ordering::Relaxed);
        chosen.check.store(key ^ data, Ordering::Relaxed);
    }
}

/// From the lowest bit: best move 16, score 16, depth 16, bound 2, unused 8, generation 6.
#[inline]
pub(crate) fn pack(entry: Entry, generation: u8) -> u64 {
    u64::from(entry.best.unwrap_or(NO_MOVE))
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.depth as i16 as u16) << 32
        | (entry.bound as u64) << 48
        | u64::from(generation) << 58
}

#[inline]
pub(crate) fn unpack(data: u64) -> Entry {
    let best = data as u16;
    Entry {
        best: (best != NO_MOVE).then_some(best),
        score: i32::from((data >> 16) as u16 as i16),
        depth: i32::from((data >> 32) as u16 as i16),
        bound: match data >> 48 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1 << 16);
        let entry = Entry { best: Some(700), score: -29_990, depth: -3, bound: Bound::Upper };
        assert_eq!(table.get(99), None);
        table.put(99, entry);
        assert_eq!(table.get(99), Some(entry));
        table.put(99, Entry { best: None, score: 5, depth: 9, bound: Bound::Exact });
        let kept = Entry { best: Some(700), score: 5, depth: 9, bound: Bound::Exact };
        assert_eq!(table.get(99), Some(kept), "the best move stays");
        table.clear();
        assert_eq!(table.get(99), None);
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let table = TranspositionTable::new(1);
        let entry = |depth| Entry { best: None, score: 0, depth, bound: Bound::Exact };
        for key in 1..=4 {
            table.put(key, entry(key as i32));
        }
        table.put(5, entry(1));
        assert_eq!(table.get(1), None, "the shallowest was replaced");
        assert_eq!(table.get(4), Some(entry(4)));
        table.age();
        for key in 10..=13 {
            table.put(key, entry(0));
        }
        assert_eq!(table.get(4), None, "all were of an earlier search");
        assert_eq!(table.fullness(), 1000);
    }
}
