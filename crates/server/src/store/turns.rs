//! Who writes next. Moves and heartbeats wait for at most one other transaction, however many want to write:
//! of those, only one at a time is let through to where moves wait, too.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// Who waits for a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Urgency {
    /// Everybody: a move, or the heartbeat without which no clock can be judged.
    First,
    /// Whoever caused it.
    Usual,
}

/// Lets through only so many transactions at a time, in the order in which they came, and all that are urgent.
#[derive(Debug, Clone)]
pub(super) struct Admission(Arc<Semaphore>);

/// A transaction was let through. Others are when this is dropped.
#[derive(Debug)]
pub(super) struct Admitted {
    _place: Option<OwnedSemaphorePermit>,
}

impl Admission {
    /// For this many transactions at a time, beside those that are urgent.
    pub(super) fn new(usual: usize) -> Admission {
        Admission(Arc::new(Semaphore::new(usual)))
    }

    pub(super) async fn wait(&self, urgency: Urgency) -> Admitted {
        let place = match urgency {
            Urgency::First => None,
            // It is never closed.
            Urgency::Usual => Arc::clone(&self.0).acquire_owned().await.ok(),
        };
        Admitted { _place: place }
    }
}

/// What only one can have at a time, and nobody without waiting for their turn.
#[derive(Debug)]
pub(super) struct Turns<T> {
    admission: Admission,
    /// Fair: of those who were let through, whoever came first is next.
    what: Arc<Mutex<T>>,
}

impl<T> Clone for Turns<T> {
    fn clone(&self) -> Turns<T> {
        Turns { admission: self.admission.clone(), what: Arc::clone(&self.what) }
    }
}

/// Somebody's turn.
#[derive(Debug)]
pub(super) struct Turn<T> {
    // Dropped in this order: nobody else is let through before those who wait for their turn have it.
    what: OwnedMutexGuard<T>,
    _admitted: Admitted,
}

impl<T> Turns<T> {
    pub(super) fn new(what: T) -> Turns<T> {
        Turns { admission: Admission::new(1), what: Arc::new(Mutex::new(what)) }
    }

    /// Waits for a turn.
    pub(super) async fn take(&self, urgency: Urgency) -> Turn<T> {
        let admitted = self.admission.wait(urgency).await;
        Turn { what: Arc::clone(&self.what).lock_owned().await, _admitted: admitted }
    }

    /// Whether it is nobody's turn.
    pub(super) fn is_free(&self) -> bool {
        self.what.try_lock().is_ok()
    }
}

impl<T> Deref for Turn<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.what
    }
}

impl<T> DerefMut for Turn<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.what
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex as StdMutex;

    use futures_util::future::poll_immediate;
    use futures_util::future::{BoxFuture, join_all};

    use super::*;

    /// Who had their turn, in order, when the transaction that had it meanwhile has ended. Each waits when the next
    /// one comes, and nobody is late by chance.
    async fn order(holder: Urgency, waiting: &[(&'static str, Urgency)]) -> Vec<&'static str> {
        let turns = Turns::new(());
        let had = StdMutex::new(Vec::new());
        let held = turns.take(holder).await;
        let mut tasks: Vec<BoxFuture<'_, ()>> = Vec::new();
        for &(name, urgency) in waiting {
            let (turns, had) = (&turns, &had);
            let mut task: BoxFuture<'_, ()> = Box::pin(async move {
                let turn = turns.take(urgency).await;
                had.lock().expect("no panic").push(name);
                // Others come while it has its turn.
                tokio::task::yield_now().await;
                drop(turn);
            });
            assert!(poll_immediate(&mut task).await.is_none());
            tasks.push(task);
        }
        assert!(!turns.is_free());
        drop(held);
        join_all(tasks).await;
        assert!(turns.is_free());
        had.into_inner().expect("no panic")
    }

    #[tokio::test]
    async fn moves_and_heartbeats_overtake_everybody_else_who_waits() {
        use Urgency::{First, Usual};
        let mut waiting = vec![("rename", Usual); 100];
        waiting.extend([("move", First), ("heartbeat", First), ("last", Usual)]);
        let had = order(Usual, &waiting).await;
        assert_eq!(had[..2], ["move", "heartbeat"], "after the one that had begun");
        assert_eq!(had[2..102], ["rename"; 100]);
        assert_eq!(had[102], "last");
        let had = order(First, &waiting).await;
        assert_eq!(had[..3], ["rename", "move", "heartbeat"], "one other was let through");
    }

    #[tokio::test]
    async fn others_have_their_turns_in_order_and_between_moves() {
        use Urgency::{First, Usual};
        let waiting = [("a", Usual), ("1", First), ("b", Usual), ("c", Usual), ("2", First)];
        assert_eq!(order(First, &waiting).await, ["a", "1", "2", "b", "c"]);
        // Moves without a pause: whoever has made one waits again, and others are next.
        let turns = Turns::new(Vec::new());
        let mut first = turns.take(First).await;
        let mut usual = Box::pin(async {
            for n in 0..3 {
                turns.take(Usual).await.push(n);
            }
        });
        for round in 0..3 {
            assert!(poll_immediate(&mut usual).await.is_none());
            let mut next = Box::pin(turns.take(First));
            assert!(poll_immediate(&mut next).await.is_none());
            drop(first);
            let _ = poll_immediate(&mut usual).await;
            first = next.await;
            assert_eq!(*first, (0..=round).collect::<Vec<_>>());
        }
    }

    #[tokio::test]
    async fn who_no_longer_waits_is_passed_over() {
        let turns = Turns::new(());
        let held = turns.take(Urgency::Usual).await;
        let mut gone = Box::pin(turns.take(Urgency::Usual));
        let mut gone_first = Box::pin(turns.take(Urgency::First));
        let mut next = Box::pin(turns.take(Urgency::Usual));
        assert!(poll_immediate(&mut gone).await.is_none());
        assert!(poll_immediate(&mut gone_first).await.is_none());
        assert!(poll_immediate(&mut next).await.is_none());
        drop(gone);
        drop(gone_first);
        drop(held);
        next.await;
    }

    #[tokio::test]
    async fn with_several_writers_moves_are_let_through_at_once() {
        let admission = Admission::new(2);
        let _begun = [admission.wait(Urgency::Usual).await, admission.wait(Urgency::Usual).await];
        let mut third = Box::pin(admission.wait(Urgency::Usual));
        assert!(poll_immediate(&mut third).await.is_none());
        assert!(poll_immediate(Box::pin(admission.wait(Urgency::First))).await.is_some());
    }
}
