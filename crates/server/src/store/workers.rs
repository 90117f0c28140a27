//! Workers: programs that review games. Only the hashes of their tokens are stored.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::administration::{Administration, AdministrationError};
use super::database::Database;
use super::reviews::RELEASE;
use super::{Store, StoreError};
use crate::ids;

/// How precisely it is stored when a worker was last seen.
const USED_PRECISION: i64 = 60_000;
/// The longest label, in characters.
pub(super) const MAX_WORKER_LABEL: usize = 50;
/// The id of the worker that is part of the server; no other id has a hyphen.
const OWN_WORKER: &str = "own-worker";

/// A worker as an administrator sees one. Times are in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// The id.
    pub id: String,
    /// The label that the administrator gave it.
    pub label: String,
    /// When it was created.
    pub created: i64,
    /// When it was last seen, to the minute.
    pub used: Option<i64>,
    /// How many reviews it is making.
    pub running: i64,
}

/// A worker that was found by its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorkerRow {
    pub(crate) id: String,
    pub(crate) used: Option<i64>,
}

impl Worker {
    fn read(row: &AnyRow) -> Result<Worker, sqlx::Error> {
        Ok(Worker {
            id: row.try_get("id")?,
            label: row.try_get("label")?,
            created: row.try_get("created")?,
            used: row.try_get("used")?,
            running: row.try_get("running")?,
        })
    }
}

impl Administration {
    /// Creates a worker and returns its id and its token, which is not stored.
    ///
    /// # Errors
    /// If the label is too long or has control characters, or the database fails.
    pub async fn create_worker(
        &self,
        label: &str,
    ) -> Result<(String, String), AdministrationError> {
        let label = label.trim();
        if label.chars().count() > MAX_WORKER_LABEL || label.chars().any(char::is_control) {
            return Err(AdministrationError::WorkerLabel);
        }
        let (id, token) = (ids::short(), ids::secret());
        add(self.database(), &id, &token, label, self.now()).await?;
        Ok((id, token))
    }

    /// All workers, oldest first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn workers(&self) -> Result<Vec<Worker>, AdministrationError> {
        let rows = sqlx::query(
            "SELECT w.id, w.label, w.created, w.used, (SELECT COUNT(*) FROM reviews r \
             WHERE r.worker = w.id AND r.state = 'running') AS running \
             FROM workers w ORDER BY w.created, w.id",
        )
        .fetch_all(self.database().readers())
        .await?;
        Ok(rows.iter().map(Worker::read).collect::<Result<_, _>>()?)
    }

    /// Revokes the token of a worker; its jobs wait for another. False if there is no such worker.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn revoke_worker(&self, id: &str) -> Result<bool, AdministrationError> {
        let mut transaction = self.database().write().await?;
        let revoked = sqlx::query("DELETE FROM workers WHERE id = $1")
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        let release = format!("{RELEASE} WHERE worker = $1 AND state = 'running'");
        sqlx::query(sqlx::AssertSqlSafe(release)).bind(id).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(revoked.rows_affected() > 0)
    }
}

async fn add(
    database: &Database,
    id: &str,
    token: &str,
    label: &str,
    now: i64,
) -> Result<(), StoreError> {
    let hash = ids::hash(token);
    let mut transaction = database.write().await?;
    // The server's own worker gets another token when the secret changes.
    sqlx::query("DELETE FROM workers WHERE id = $1 AND hash <> $2")
        .bind(id)
        .bind(&hash)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(
        "INSERT INTO workers (id, hash, label, created) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    )
    .bind(id)
    .bind(&hash)
    .bind(label)
    .bind(now)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await
}

impl Store {
    /// The worker to which a token belongs.
    pub(crate) async fn worker(&self, hash: &str) -> Result<Option<WorkerRow>, StoreError> {
        let row = sqlx::query("SELECT id, used FROM workers WHERE hash = $1")
            .bind(hash)
            .fetch_optional(self.database.readers())
            .await?;
        let read =
            |row: AnyRow| Ok(WorkerRow { id: row.try_get("id")?, used: row.try_get("used")? });
        row.map(read).transpose()
    }

    /// Stores that a worker was seen, unless that was stored a moment ago.
    pub(crate) async fn worker_seen(&self, worker: &WorkerRow, now: i64) -> Result<(), StoreError> {
        if worker.used.is_some_and(|used| (0..USED_PRECISION).contains(&(now - used))) {
            return Ok(());
        }
        let mut transaction = self.database.write().await?;
        sqlx::query("UPDATE workers SET used = $1 WHERE id = $2")
            .bind(now)
            .bind(&worker.id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }

    /// Whether a worker was seen after a moment.
    pub(crate) async fn has_workers(&self, after: i64) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT id FROM workers WHERE used > $1 LIMIT 1")
            .bind(after)
            .fetch_optional(self.database.readers())
            .await?;
        Ok(row.is_some())
    }

    /// Makes the token of the worker that is part of the server a known one.
    pub(crate) async fn set_own_worker(&self, token: &str, now: i64) -> Result<(), StoreError> {
        add(&self.database, OWN_WORKER, token, "part of the server", now).await
    }
}
