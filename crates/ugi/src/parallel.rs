//! Work that is spread over threads.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `work` for every number below `count` on some threads, and hands each result to `take`, in
/// the order in which they are ready.
///
/// ```
/// let mut sum = 0;
/// stoa_ugi::parallel::for_each(10, 2, |number| number * number, |_, square| sum += square);
/// assert_eq!(sum, 285);
/// ```
pub fn for_each<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T),
) {
    let next = AtomicUsize::new(0);
    let (sender, results) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, work(index))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, result) in results {
            take(index, result);
        }
    });
}

/// How many cores this machine has.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
