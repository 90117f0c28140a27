//! Erasing deleted data.
//!
//! SQLite overwrites what is deleted from the database (`secure_delete`), but its write-ahead log keeps
//! earlier versions of pages until it is truncated. Postgres keeps dead rows until it vacuums, and its own
//! log for as long as it is configured to.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::StoreError;
use super::database::Database;

/// Everyone can delete something all the time, as by choosing another name, and moves wait while the log is truncated.
/// So the task that runs checkpoints does it, once in this time, or once a second if accounts were deleted.
const INTERVAL: Duration = Duration::from_secs(60);

/// Truncates the log after something was deleted.
#[derive(Debug, Clone)]
pub(super) struct Erasure {
    database: Database,
    waiting: Arc<Mutex<Waiting>>,
}

/// What is still to be erased.
#[derive(Debug, Default)]
struct Waiting {
    /// Something of an account that was deleted.
    account: bool,
    /// Anything else.
    other: bool,
    /// When anything else was last erased.
    erased: Option<Instant>,
}

impl Waiting {
    fn is_due(&self, now: Instant) -> bool {
        let has_rested = self.erased.is_none_or(|erased| now - erased >= INTERVAL);
        self.account || self.other && has_rested
    }

    /// Takes everything, to be erased now.
    fn begin(&mut self, now: Instant) -> Waiting {
        let erased = if self.other { Some(now) } else { self.erased };
        std::mem::replace(self, Waiting { erased, ..Waiting::default() })
    }
}

impl Erasure {
    pub(super) fn new(database: Database) -> Erasure {
        // An account deleted just before a crash may still be in the log.
        let waiting = Waiting { account: true, ..Waiting::default() };
        Erasure { database, waiting: Arc::new(Mutex::new(waiting)) }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was deleted: the log is truncated within a minute.
    pub(super) fn request(&self) {
        self.waiting().other = true;
    }

    /// An account was deleted: the log is truncated within a second.
    pub(super) fn request_for_account(&self) {
        self.waiting().account = true;
    }

    pub(super) fn is_due(&self) -> bool {
        self.waiting().is_due(Instant::now())
    }

    /// Erases what still waits, before the database is closed: another process may keep the log.
    pub(super) async fn finish(&self) -> Result<(), StoreError> {
        let is_waiting = {
            let waiting = self.waiting();
            waiting.account || waiting.other
        };
        if is_waiting { self.run().await } else { Ok(()) }
    }

    /// Truncates the log. While a reader uses an earlier state that is not possible, and a later checkpoint tries
    /// again: the next one if an account was deleted. Only one task at a time does this.
    pub(super) async fn run(&self) -> Result<(), StoreError> {
        // What is deleted meanwhile is to be erased once more.
        let what = self.waiting().begin(Instant::now());
        let mut attempt = Attempt { erasure: self, what, is_done: false };
        attempt.is_done = self.database.truncate_log().await?;
        Ok(())
    }
}

/// An attempt to erase what was waiting. If it fails, or nobody waits for it any more, that waits again.
struct Attempt<'a> {
    erasure: &'a Erasure,
    what: Waiting,
    is_done: bool,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            let mut waiting = self.erasure.waiting();
            waiting.account |= self.what.account;
            waiting.other |= self.what.other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Access, Kind, PlayerRow, Store};
    use super::*;

    #[test]
    fn names_that_change_all_the_time_are_erased_once_a_minute() {
        let began = Instant::now();
        let seconds = |n| began + Duration::from_secs(n);
        let mut waiting = Waiting { other: true, ..Waiting::default() };
        assert!(waiting.is_due(began), "the first at once");
        waiting.begin(began);
        assert!(!waiting.is_due(seconds(1000)), "there is nothing to erase");
        waiting.other = true;
        assert!(!waiting.is_due(seconds(59)));
        assert!(waiting.is_due(seconds(60)));
        waiting.account = true;
        assert!(waiting.is_due(seconds(1)), "accounts do not wait for that");
    }

    #[tokio::test]
    async fn whoever_deletes_an_account_does_not_wait_for_the_log() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let mut waiting = 0;
        // The task that runs checkpoints may come in between once, but not every time.
        for n in 0..5 {
            let id = format!("p{n}");
            assert!(store.add_player(&PlayerRow::for_test(&id)).await.expect("a database"));
            store.delete_player(&id, 1).await.expect("deleted");
            waiting += usize::from(store.erasure.is_due());
        }
        assert!(waiting > 0);
        store.close().await;
        assert!(!store.erasure.is_due(), "all is erased at the end");
    }

    #[tokio::test]
    async fn accounts_are_erased_together_as_soon_as_nobody_reads_what_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        // Without the task that runs checkpoints.
        Store::open(&file).await.expect("a database").close().await;
        let options = Kind::Sqlite.url(&file, Access::Existing).parse().expect("an address");
        let database = Database::open(Kind::Sqlite, options, &file).await.expect("a database");
        let erasure = Erasure::new(database.clone());
        erasure.run().await.expect("what was left from before");
        assert!(!erasure.is_due());

        let mut reader = database.readers().acquire().await.expect("a reader");
        sqlx::raw_sql("BEGIN; SELECT * FROM beat").execute(&mut *reader).await.expect("rows");
        let mut transaction = database.write().await.expect("a transaction");
        let changed =
            sqlx::query("INSERT INTO beat (id, at) VALUES (7, 7)").execute(&mut *transaction);
        changed.await.expect("changed");
        transaction.commit().await.expect("a commit");
        let log = || std::fs::metadata(format!("{file}-wal")).expect("a log").len();
        for _ in 0..40 {
            erasure.request_for_account();
        }
        erasure.run().await.expect("tried");
        assert!(erasure.is_due(), "tried again at the next checkpoint");
        assert!(log() > 0);
        sqlx::raw_sql("COMMIT").execute(&mut *reader).await.expect("read");
        drop(reader);
        erasure.run().await.expect("erased");
        assert!(!erasure.is_due(), "all of them at once");
        assert_eq!(log(), 0);

        erasure.request_for_account();
        let transaction = database.write().await.expect("a transaction");
        let given_up = Duration::from_millis(50);
        assert!(tokio::time::timeout(given_up, erasure.run()).await.is_err());
        assert!(erasure.is_due(), "nobody waited for the end of it");
        transaction.roll_back().await.expect("rolled back");
        erasure.run().await.expect("erased");
        assert!(!erasure.is_due());
        database.close().await;
    }
}
