//! When the service was down.
//!
//! Every node says each second that it is up, by one row that all share. Who finds that the last such
//! beat lies further back than it should writes the gap down as a downtime, in the same transaction: the
//! server was not running, or the database could not be reached. Clocks do not count downtimes, so time
//! that passed then is nobody's loss, whatever the reason.

use sqlx::{Connection, Row};

use super::{Store, StoreError};
use crate::play::Downtimes;
use crate::time::Time;

/// Downtimes longer ago than any clock can have been running are forgotten.
const REMEMBERED: i64 = 60 * 24 * 3600 * 1000;

impl Store {
    /// Says that the service is up now, and tells what time that is and when it was down. Gaps up to the
    /// longest delay are no downtimes.
    pub(crate) async fn beat(
        &self,
        time: &Time,
        longest_delay: Option<i64>,
    ) -> Result<(i64, Downtimes), StoreError> {
        let _turn = self.turn.wait().await;
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin_with(self.kind.begin()).await?;
        sqlx::query("INSERT INTO beat (id, at) VALUES (1, $1) ON CONFLICT (id) DO NOTHING")
            .bind(time.now())
            .execute(&mut *transaction)
            .await?;
        // The lock on the row makes nodes that beat at the same time wait for each other.
        sqlx::query("UPDATE beat SET id = 1 WHERE id = 1").execute(&mut *transaction).await?;
        // Only now: a beat that waited for a database that was away would say that the service was up in
        // the middle of that, and make of one long gap two that are too short to count.
        let now = time.now();
        let last: i64 = sqlx::query("SELECT at FROM beat WHERE id = 1")
            .fetch_one(&mut *transaction)
            .await?
            .try_get("at")?;
        if longest_delay.is_some_and(|longest| now - last > longest) {
            tracing::warn!(seconds = (now - last) / 1000, "the service was down");
            sqlx::query(
                "INSERT INTO downtimes (began, ended) VALUES ($1, $2) ON CONFLICT (began) DO NOTHING",
            )
            .bind(last)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query("UPDATE beat SET at = $1 WHERE id = 1 AND at < $1")
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        let rows =
            sqlx::query("SELECT began, ended FROM downtimes WHERE ended > $1 ORDER BY began")
                .bind(now - REMEMBERED)
                .fetch_all(&mut *transaction)
                .await?;
        transaction.commit().await?;
        let times = rows.iter().map(|row| Ok((row.try_get("began")?, row.try_get("ended")?)));
        Ok((now, Downtimes::new(times.collect::<Result<_, StoreError>>()?)))
    }
}
