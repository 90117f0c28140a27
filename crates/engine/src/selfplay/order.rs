//! Games that are played side by side and handed over one after the other.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Does `work` for every number of a range on some threads, and hands the results over in the order
/// of the numbers, so that nobody can tell how many threads there were. Where `work` returns nothing
/// its thread ends, and later results are not handed over.
///
/// ```
/// let mut squares = Vec::new();
/// stoa_engine::selfplay::in_order(1..5, 3, &mut |square| squares.push(square), |n| Some(n * n));
/// assert_eq!(squares, [1, 4, 9, 16]);
/// ```
pub fn in_order<T: Send>(
    numbers: Range<u64>,
    threads: usize,
    finished: &mut (dyn FnMut(T) + Send),
    work: impl Fn(u64) -> Option<T> + Sync,
) {
    let next = AtomicU64::new(numbers.start);
    let results = InOrder::new(numbers.start, finished);
    let run = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            let Some(result) = work(number) else { return };
            results.add(number, result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

/// Takes results in any order and hands them over in the order of their numbers.
pub(super) struct InOrder<'a, T>(Mutex<Waiting<'a, T>>);

struct Waiting<'a, T> {
    next: u64,
    /// Results that wait for one with a lower number.
    results: BTreeMap<u64, T>,
    finished: &'a mut (dyn FnMut(T) + Send),
}

impl<'a, T> InOrder<'a, T> {
    pub(super) fn new(first: u64, finished: &'a mut (dyn FnMut(T) + Send)) -> InOrder<'a, T> {
        InOrder(Mutex::new(Waiting { next: first, results: BTreeMap::new(), finished }))
    }

    pub(super) fn add(&self, number: u64, result: T) {
        let Ok(mut waiting) = self.0.lock() else { return };
        waiting.results.insert(number, result);
        while let Some(result) = {
            let next = waiting.next;
            waiting.results.remove(&next)
        } {
            waiting.next += 1;
            (waiting.finished)(result);
        }
    }
}
