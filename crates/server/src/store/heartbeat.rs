//! Heartbeats and downtimes.
//!
//! Every node updates one shared row each second (table `beat`). A node that finds the last heartbeat too
//! long ago stores the gap as a downtime, in the same transaction: the server was not running, or the
//! database could not be reached. Players' clocks leave downtimes out, whatever the reason.
//!
//! A machine's clock may be wrong. A node whose clock is far from that of Postgres writes no heartbeat, and so judges
//! no game. Where a clock went ahead and came back, what is left of it in the future is removed; otherwise players'
//! clocks would stand still until then.

use std::time::Duration;

use sqlx::Row;

use super::database::WriterConnection;
use super::{Kind, Store, StoreError};
use crate::play::Downtimes;
use crate::time::{Time, millis};

/// Older downtimes are ignored: no clock can have been running for so long.
const MAX_DOWNTIME_AGE: Duration = Duration::from_secs(60 * 24 * 3600);

/// How far the clock of a node may be from that of Postgres. This is about clocks that are plainly wrong; to keep
/// them right to a second is the business of NTP.
pub(crate) const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_secs(60);

impl Kind {
    /// No heartbeat of a node whose clock was right can be further ahead of the time than this. With SQLite there is
    /// only one clock; with Postgres two may be wrong in opposite directions.
    fn max_clock_lead(self) -> Duration {
        match self {
            Kind::Sqlite => Duration::from_secs(5),
            Kind::Postgres => 2 * MAX_CLOCK_DIFFERENCE,
        }
    }
}

/// That a clock, which was read before and after the database's, is not far from it.
fn check_clock([before, after]: [i64; 2], database: i64) -> Result<(), StoreError> {
    let ahead = before - database;
    let behind = database - after;
    match ahead.max(behind) > millis(MAX_CLOCK_DIFFERENCE) {
        true => Err(StoreError::Clock(if ahead > 0 { ahead } else { -behind })),
        false => Ok(()),
    }
}

/// The time of Postgres, in milliseconds since 1970.
pub(crate) const POSTGRES_TIME: &str =
    "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now";

impl Store {
    /// Writes a heartbeat; returns its time and the downtimes. Gaps up to `max_gap` milliseconds are no
    /// downtimes.
    ///
    /// # Errors
    /// If the database cannot be written, or the clock is wrong.
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
        let now = match self.checked_time(&mut transaction, time).await {
            Err(error @ StoreError::Clock(_)) => {
                transaction.roll_back().await?;
                return Err(error);
            }
            checked => checked?,
        };
        if last - now > millis(database.kind().max_clock_lead()) {
            let seconds = (last - now) as f64 / 1000.0;
            tracing::warn!(
                seconds,
                "the clock of a server was ahead, and clocks of games stood still"
            );
            for statement in [
                "DELETE FROM downtimes WHERE began >= $1",
                "UPDATE downtimes SET ended = $1 WHERE ended > $1",
                "UPDATE beat SET at = $1 WHERE id = 1",
            ] {
                let repaired = sqlx::query(statement).bind(now).execute(&mut *transaction);
                database.answered(repaired).await?;
            }
        }
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

    /// The time, if it can be. A time that tests set is what they say.
    async fn checked_time(
        &self,
        connection: &mut WriterConnection,
        time: &Time,
    ) -> Result<i64, StoreError> {
        let before = time.now();
        if self.database.kind() == Kind::Sqlite || matches!(time, Time::Manual(_)) {
            return Ok(before);
        }
        let answer = sqlx::query(POSTGRES_TIME).fetch_one(connection);
        let database = self.database.answered(answer).await?.try_get("now")?;
        let now = time.now();
        check_clock([before, now], database)?;
        Ok(now)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use stoa_testing::{Durability, Postgres, or_skip};

    use super::*;

    const HOUR: i64 = 3_600_000;
    const BEGAN: i64 = 1_800_000_000_000;

    #[tokio::test]
    async fn a_clock_that_was_ahead_stops_no_other_clock_when_it_is_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let clock = Arc::new(AtomicI64::new(BEGAN));
        let time = Time::Manual(Arc::clone(&clock));
        let beat = async |at: i64| {
            clock.store(BEGAN + at, Ordering::SeqCst);
            let (now, downtimes) = store.write_heartbeat(&time, Some(3000)).await.expect("written");
            assert_eq!(now, BEGAN + at);
            downtimes
        };
        let down = |times: &[(i64, i64)]| {
            Downtimes::new(times.iter().map(|(a, b)| (BEGAN + a, BEGAN + b)).collect())
        };
        beat(0).await;
        assert_eq!(beat(10_000).await, down(&[(0, 10_000)]));
        assert_eq!(beat(11_000).await, down(&[(0, 10_000)]));
        // It may also have been suspended: only the way back shows that it was not.
        assert_eq!(beat(HOUR).await, down(&[(0, 10_000), (11_000, HOUR)]));
        let wrong = [(0, 10_000), (11_000, HOUR), (HOUR, 2 * HOUR)];
        assert_eq!(beat(2 * HOUR).await, down(&wrong));
        assert_eq!(beat(13_000).await, down(&[(0, 10_000), (11_000, 13_000)]));
        // And gaps are noticed again.
        assert_eq!(beat(14_000).await, down(&[(0, 10_000), (11_000, 13_000)]));
        let all = [(0, 10_000), (11_000, 13_000), (14_000, 20_000)];
        assert_eq!(beat(20_000).await, down(&all));
        assert_eq!(beat(18_000).await, down(&all), "a little is nothing");
        store.close().await;
    }

    #[test]
    fn clocks_may_differ_a_little_from_the_databases() {
        let minute = millis(MAX_CLOCK_DIFFERENCE);
        let check = |before, after| match check_clock([BEGAN + before, BEGAN + after], BEGAN) {
            Ok(()) => None,
            Err(StoreError::Clock(ahead)) => Some(ahead),
            Err(error) => panic!("{error}"),
        };
        assert_eq!([check(0, 0), check(minute, minute), check(-minute, -minute)], [None; 3]);
        assert_eq!(check(minute + 1, minute + 2), Some(minute + 1));
        assert_eq!(check(-minute - 3, -minute - 1), Some(-minute - 1));
        assert_eq!(check(-HOUR, HOUR), None, "the answer took long");
        let said = |ahead| StoreError::Clock(ahead).to_string();
        assert!(said(HOUR).contains("3600 s ahead of"), "{}", said(HOUR));
        assert!(said(-HOUR).contains("3600 s behind"), "{}", said(-HOUR));
    }

    #[tokio::test]
    async fn the_time_of_postgres_is_the_time() {
        let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
        let address = postgres.database("clock").expect("a database");
        let store = Store::open(&address).await.expect("a database");
        let before = Time::System.now();
        let (now, _) = store.write_heartbeat(&Time::System, Some(3000)).await.expect("it is right");
        assert!((before..=Time::System.now()).contains(&now));
        store.close().await;
    }
}
