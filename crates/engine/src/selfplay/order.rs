//! Games that are played side by side and handed over one after the other.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Does `work` for every number of a range on some threads, each with something of its own, and hands
/// the results over in the order of the numbers, so that nobody can tell how many threads there were.
/// Where `work` returns nothing its thread ends, and later results are not handed over.
///
/// ```
/// let mut squares = Vec::new();
/// stoa_engine::selfplay::in_order(1..5, 3, || (), &mut |n| squares.push(n), |(), n| Some(n * n));
/// assert_eq!(squares, [1, 4, 9, 16]);
/// ```
pub fn in_order<W, T: Send>(
    numbers: Range<u64>,
    threads: usize,
    own: impl Fn() -> W + Sync,
    finished: &mut (dyn FnMut(T) + Send),
    work: impl Fn(&mut W, u64) -> Option<T> + Sync,
) {
    struct InOrder<'a, T> {
        next: u64,
        /// Results that wait for one with a lower number.
        waiting: BTreeMap<u64, T>,
        finished: &'a mut (dyn FnMut(T) + Send),
    }
    let next = AtomicU64::new(numbers.start);
    let state = InOrder { next: numbers.start, waiting: BTreeMap::new(), finished };
    let state = Mutex::new(state);
    let run = || {
        let mut own = own();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            let Some(result) = work(&mut own, number) else { return };
            let Ok(mut state) = state.lock() else { return };
            state.waiting.insert(number, result);
            while let Some(result) = {
                let next = state.next;
                state.waiting.remove(&next)
            } {
                state.next += 1;
                (state.finished)(result);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
