//! What the main thread is searching at the root, for the others to join in.
//!
//! Helpers search the same depth in the same window: what they leave in the table then answers the main thread's
//! own questions. When the main thread goes on to another depth or window, they give up theirs. The others are
//! threads of this engine, or engines that share some words with it ([`Crew`]).

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::crew::{Crew, RootSearch};

/// Those who search a root together.
pub(super) struct Team<'a> {
    /// The key of the root.
    root: u64,
    /// The number of the latest root search, 0 before the first.
    latest: AtomicU32,
    search: Mutex<Option<RootSearch>>,
    crew: Option<&'a Crew>,
}

impl<'a> Team<'a> {
    pub(super) fn new(root: u64, crew: Option<&'a Crew>) -> Team<'a> {
        let latest = crew.map_or(0, Crew::latest);
        Team { root, latest: AtomicU32::new(latest), search: Mutex::new(None), crew }
    }

    /// Whom this engine helps, if it does not lead.
    pub(super) fn leader(&self) -> Option<&'a Crew> {
        self.crew.filter(|crew| !crew.leads())
    }

    /// Announces what the main thread begins to search.
    pub(super) fn begin(&self, depth: i32, alpha: i32, beta: i32, excluded: Vec<u16>) {
        let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.latest.load(Ordering::Relaxed).wrapping_add(1).max(1);
        let begun = RootSearch { number, depth, alpha, beta, excluded };
        if let Some(crew) = self.crew.filter(|crew| crew.leads()) {
            crew.begin(self.root, &begun);
        }
        *search = Some(begun);
        self.latest.store(number, Ordering::Relaxed);
    }

    /// Whether there is a later search than that with a number.
    #[inline]
    pub(super) fn is_past(&self, number: u32) -> bool {
        match self.leader() {
            Some(leader) => leader.latest() != number,
            None => self.latest.load(Ordering::Relaxed) != number,
        }
    }

    /// The latest search, if it is not the one with this number.
    pub(super) fn next_after(&self, number: u32) -> Option<RootSearch> {
        if let Some(leader) = self.leader() {
            return leader.next_after(number, self.root);
        }
        let search = self.is_past(number).then(|| self.search.lock());
        search?.unwrap_or_else(PoisonError::into_inner).clone()
    }
}
