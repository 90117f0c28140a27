//! What the threads are searching just now, so that they do not all search the same.
//!
//! Before a thread searches a move that is not the first of its node, it looks whether another one
//! is at it, and if so puts the move off to the end. By then the other thread's result is often in
//! the table. This is the idea of ABDADA in its simplest form; a lost or wrong entry costs time,
//! never correctness.

use std::sync::atomic::{AtomicU64, Ordering};

const WAYS: usize = 4;
const SETS: usize = 1 << 12;

/// Fingerprints of moves being searched.
pub(crate) struct Busy(Box<[[AtomicU64; WAYS]]>);

impl Busy {
    pub(crate) fn new() -> Busy {
        Busy(std::iter::repeat_with(Default::default).take(SETS).collect())
    }

    fn set(&self, fingerprint: u64) -> &[AtomicU64; WAYS] {
        &self.0[fingerprint as usize % SETS]
    }

    /// Whether some thread searches this.
    pub(crate) fn contains(&self, fingerprint: u64) -> bool {
        self.set(fingerprint).iter().any(|way| way.load(Ordering::Relaxed) == fingerprint)
    }

    /// Says that this thread searches it.
    pub(crate) fn enter(&self, fingerprint: u64) {
        let set = self.set(fingerprint);
        let free = set.iter().find(|way| way.load(Ordering::Relaxed) == 0).unwrap_or(&set[0]);
        free.store(fingerprint, Ordering::Relaxed);
    }

    /// Says that it no longer does.
    pub(crate) fn leave(&self, fingerprint: u64) {
        for way in self.set(fingerprint) {
            if way.load(Ordering::Relaxed) == fingerprint {
                way.store(0, Ordering::Relaxed);
            }
        }
    }
}
