//! Erasing deleted data.
//!
//! SQLite overwrites what is deleted from the database (`secure_delete`), but its write-ahead log keeps
//! earlier versions of pages until it is truncated. Postgres keeps dead rows until it vacuums, and its own
//! log for as long as it is configured to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::StoreError;
use super::database::Database;

/// Truncates the log after something was deleted.
#[derive(Debug, Clone)]
pub(super) struct Erasure {
    database: Database,
    is_due: Arc<AtomicBool>,
}

impl Erasure {
    pub(super) fn new(database: Database) -> Erasure {
        // Data deleted just before a crash may still be in the log.
        Erasure { database, is_due: Arc::new(AtomicBool::new(true)) }
    }

    /// Something was deleted: the next checkpoint truncates the log.
    pub(super) fn request(&self) {
        self.is_due.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_due(&self) -> bool {
        self.is_due.load(Ordering::SeqCst)
    }

    /// Truncates the log. While a reader uses an earlier state that is not possible, and the next checkpoint
    /// tries again.
    pub(super) async fn run(&self) -> Result<(), StoreError> {
        self.is_due.store(false, Ordering::SeqCst);
        let done = self.database.truncate_log().await;
        if !matches!(done, Ok(true)) {
            self.request();
        }
        done.map(drop)
    }
}
