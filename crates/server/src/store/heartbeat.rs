//! Heartbeats and downtimes.
//!
//! Every node updates one shared row each second (table `beat`). A node that finds the last heartbeat too
//! long ago stores the gap as a downtime, in the same transaction: the server was not running, or the
//! database could not be reached. Players' clocks leave downtimes out, whatever the reason.

use std::time::Duration;

use sqlx::Row;

use super::{Store, StoreError};
use crate::play::Downtimes;
use crate::time::{Time, millis};

/// Older downtimes are ignored: no clock can have been running for so long.
const MAX_DOWNTIME_AGE: Duration = Duration::from_secs(60 * 24 * 3600);

impl Store {
    /// Writes a heartbeat; returns its time and the downtimes. Gaps up to `max_gap` milliseconds are no
    /// downtimes.
    pub(crate) async fn write_heartbeat(
        &self,
        time: &Time,
        max_gap: Option<i64>,
    ) -> Result<(i64, Downtimes), StoreError> {
        let database = &self.database;
        let mut transaction = database.write_first().await?;
        let begun =
            sqlx::query("INSERT INTO beat (id, at) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
                .bind(time.now())
                .execute(&mut *transaction);
        let begun = database.answered(begun).await?;
        // Before the very first heartbeat there was no service that could have been down.
        let max_gap = max_gap.filter(|_| begun.rows_affected() == 0);
        // The lock on the row makes nodes with simultaneous heartbeats wait for each other.
        let last = sqlx::query("UPDATE beat SET id = 1 WHERE id = 1 RETURNING at")
            .fetch_one(&mut *transaction);
        let last: i64 = database.answered(last).await?.try_get("at")?;
        // The time is taken only now: a heartbeat that waited for an unreachable database would otherwise
        // claim that the service was up meanwhile, and split one long gap into two that are too short.
        let now = time.now();
        if max_gap.is_some_and(|max_gap| now - last > max_gap) {
            let seconds = (now - last) as f64 / 1000.0;
            tracing::warn!(seconds, "the service was down");
            let stored = sqlx::query(
                "INSERT INTO downtimes (began, ended) VALUES ($1, $2) ON CONFLICT (began) DO NOTHING",
            )
            .bind(last)
            .bind(now)
            .execute(&mut *transaction);
            database.answered(stored).await?;
        }
        let written = sqlx::query("UPDATE beat SET at = $1 WHERE id = 1 AND at < $1")
            .bind(now)
            .execute(&mut *transaction);
        database.answered(written).await?;
        let rows =
            sqlx::query("SELECT began, ended FROM downtimes WHERE ended > $1 ORDER BY began")
                .bind(now - millis(MAX_DOWNTIME_AGE))
                .fetch_all(&mut *transaction);
        let rows = database.answered(rows).await?;
        transaction.commit().await?;
        let times = rows.iter().map(|row| Ok((row.try_get("began")?, row.try_get("ended")?)));
        Ok((now, Downtimes::new(times.collect::<Result<_, StoreError>>()?)))
    }
}
