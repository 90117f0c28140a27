//! Limits how many searches run at the same time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A counting semaphore: so many threads hold a permit, and others wait. Clones share the permits.
#[derive(Debug, Clone)]
pub struct Semaphore(Arc<(Mutex<usize>, Condvar)>);

/// A permit; it is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit(Semaphore);

impl Semaphore {
    /// A semaphore with so many permits, one at least.
    pub fn new(permits: usize) -> Semaphore {
        Semaphore(Arc::new((Mutex::new(permits.max(1)), Condvar::new())))
    }

    /// Waits for a permit.
    pub(crate) fn acquire(&self) -> Permit {
        let (free, freed) = &*self.0;
        let free = free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free =
            freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Permit(self.clone())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let (free, freed) = &*(self.0).0;
        *free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn no_more_than_allowed_are_permit() {
        let semaphore = Semaphore::new(2);
        let (inside, max) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _permit = semaphore.acquire();
                    let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                    max.fetch_max(now, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(max.load(Ordering::SeqCst), 2);
    }
}
