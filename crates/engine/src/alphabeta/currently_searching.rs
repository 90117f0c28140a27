//! Which moves the threads are currently searching, so that they do not all search the same ones.
//!
//! Before a thread searches a move that is not the first of its node, it checks whether another thread
//! is searching it, and if so defers the move to the end. By then the other thread's result is often
//! in the transposition table. This is simplified ABDADA; a lost or wrong entry costs time, never
//! correctness.

use std::sync::atomic::{AtomicU64, Ordering};

const WAYS: usize = 4;
const SETS: usize = 1 << 12;

/// Fingerprints of the moves that threads are currently searching.
pub(crate) struct CurrentlySearching(Box<[[AtomicU64; WAYS]]>);

impl CurrentlySearching {
    pub(crate) fn new() -> CurrentlySearching {
        CurrentlySearching(std::iter::repeat_with(Default::default).take(SETS).collect())
    }

    fn set(&self, fingerprint: u64) -> &[AtomicU64; WAYS] {
        // Bit 0 of a fingerprint is always set.
        &self.0[(fingerprint >> 1) as usize % SETS]
    }

    /// Whether a thread is searching this.
    pub(crate) fn contains(&self, fingerprint: u64) -> bool {
        self.set(fingerprint).iter().any(|way| way.load(Ordering::Relaxed) == fingerprint)
    }

    /// Records that this thread is searching it.
    pub(crate) fn enter(&self, fingerprint: u64) {
        let set = self.set(fingerprint);
        let free = set.iter().find(|way| way.load(Ordering::Relaxed) == 0).unwrap_or(&set[0]);
        free.store(fingerprint, Ordering::Relaxed);
    }

    /// Records that it no longer is.
    pub(crate) fn leave(&self, fingerprint: u64) {
        for way in self.set(fingerprint) {
            if way.load(Ordering::Relaxed) == fingerprint {
                way.store(0, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fingerprints are odd.
    #[test]
    fn all_sets_are_used() {
        let searching = CurrentlySearching::new();
        for number in 0..SETS as u64 {
            searching.enter(2 * number + 1);
        }
        assert!(searching.0.iter().all(|set| set[0].load(Ordering::Relaxed) != 0));
    }
}
