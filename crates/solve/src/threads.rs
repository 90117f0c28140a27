//! Work shared by threads.

use std::sync::{Mutex, PoisonError};

/// Does some work for each of many tasks on a number of threads, the calling one included.
pub(crate) fn share<T: Send>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let tasks = Mutex::new(tasks);
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| std::iter::from_fn(next).for_each(&work));
        }
        std::iter::from_fn(next).for_each(&work);
    });
}

/// Works something out for each of many tasks on a number of threads, in their order.
pub(crate) fn map<T: Send, R: Send>(
    threads: usize,
    tasks: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let mut results: Vec<Option<R>> = tasks.iter().map(|_| None).collect();
    share(threads, tasks.into_iter().zip(&mut results), |(task, result)| {
        *result = Some(work(task))
    });
    results.into_iter().flatten().collect()
}
