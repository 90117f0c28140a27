//! What the main thread is searching at the root, for the others to join in.
//!
//! Helpers search the same depth in the same window: what they leave in the table then answers the main thread's
//! own questions. When the main thread goes on to another depth or window, they give up theirs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A search of the root.
#[derive(Debug, Clone)]
pub(super) struct RootSearch<M> {
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) excluded: Vec<M>,
}

/// The threads of a search.
pub(super) struct Team<M> {
    /// The number of the latest root search, 0 before the first.
    latest: AtomicU64,
    search: Mutex<Option<RootSearch<M>>>,
}

impl<M: Clone> Team<M> {
    pub(super) fn new() -> Team<M> {
        Team { latest: AtomicU64::new(0), search: Mutex::new(None) }
    }

    /// Announces what the main thread begins to search.
    pub(super) fn begin(&self, depth: i32, alpha: i32, beta: i32, excluded: &[M]) {
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.latest.load(Ordering::Relaxed) + 1;
        *search = Some(RootSearch { number, depth, alpha, beta, excluded: excluded.to_vec() });
        self.latest.store(number, Ordering::Relaxed);
    }

    /// Whether there is a later search than that with a number.
    #[inline]
    pub(super) fn is_past(&self, number: u64) -> bool {
        self.latest.load(Ordering::Relaxed) != number
    }

    /// The latest search, if it is not the one with this number.
    pub(super) fn next_after(&self, number: u64) -> Option<RootSearch<M>> {
        let search = self.is_past(number).then(|| self.search.lock());
        search?.unwrap_or_else(PoisonError::into_inner).clone()
    }
}
