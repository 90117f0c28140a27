//! How many think at the same time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Lets a number of threads through and makes others wait. Clones are the same gate.
#[derive(Debug, Clone)]
pub(crate) struct Gate(Arc<(Mutex<usize>, Condvar)>);

/// Somebody who is through; others may follow when this is dropped.
#[derive(Debug)]
pub(crate) struct Through(Gate);

impl Gate {
    /// A gate for so many at a time, one at least.
    pub(crate) fn new(most: usize) -> Gate {
        Gate(Arc::new((Mutex::new(most.max(1)), Condvar::new())))
    }

    /// Waits until there is room.
    pub(crate) fn pass(&self) -> Through {
        let (room, freed) = &*self.0;
        let free = room.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free =
            freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Through(self.clone())
    }
}

impl Drop for Through {
    fn drop(&mut self) {
        let (room, freed) = &*(self.0).0;
        *room.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn no_more_than_allowed_are_through() {
        let gate = Gate::new(2);
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _through = gate.pass();
                    let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }
}
