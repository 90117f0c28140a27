//! Reviews of finished games: a queue of jobs that workers lease, and their results.
//!
//! Jobs are taken in rounds. A player's first job is in the current round, the next one in the round after that,
//! and so on; so however many jobs one player has, everyone else's first comes before their second. A lease that
//! is not renewed expires, and the job waits again at its old place.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::ReviewState;

use super::challenges::lock_player;
use super::database::WriterConnection;
use super::rows::{counts, word};
use super::{Store, StoreError};
use crate::guard::Client;

/// A job goes back to its place and waits for another worker.
pub(super) const RELEASE: &str = "UPDATE reviews SET state = 'waiting', lease = NULL, worker = NULL, \
    expires = NULL, judged = 0";

/// How often a job is taken before it is given up, and how often it may fail.
pub(crate) const MAX_ATTEMPTS: i64 = 10;
pub(crate) const MAX_FAILURES: i64 = 3;
/// How many times as long as usual the queue may be for people of whose network nothing waits.
const NEWCOMER_FACTOR: i64 = 2;
/// How often taking a job is tried while others are quicker.
const MAX_RACES: usize = 20;

/// A review, or the job of making it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReviewRow {
    pub(crate) game: String,
    pub(crate) state: ReviewState,
    round: i64,
    asked: i64,
    pub(crate) judged: i64,
    pub(crate) failure: Option<String>,
    pub(crate) finished: Option<i64>,
    pub(crate) body: Option<String>,
}

/// How many reviews may wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueLimits {
    pub(crate) of_player: i64,
    pub(crate) from_network: i64,
    pub(crate) all: i64,
}

/// The result of asking for a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// It waits, or was requested before.
    Known,
    /// The player, or their network or a wider one, has too many waiting.
    TooMany,
    /// There are too many in all.
    QueueFull,
    /// The player has been deleted meanwhile.
    NoPlayer,
}

/// How much there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReviewQueue {
    pub(crate) waiting: i64,
    pub(crate) running: i64,
    /// When the one that has waited longest was asked for.
    pub(crate) oldest: Option<i64>,
}

impl ReviewRow {
    fn read(row: &AnyRow) -> Result<ReviewRow, StoreError> {
        Ok(ReviewRow {
            game: row.try_get("game")?,
            state: word(row, "state")?,
            round: row.try_get("round")?,
            asked: row.try_get("asked")?,
            judged: row.try_get("judged")?,
            failure: row.try_get("failure")?,
            finished: row.try_get("finished")?,
            body: row.try_get("body")?,
        })
    }
}

impl Store {
    /// The review of a game, or the job.
    pub(crate) async fn review(&self, game: &str) -> Result<Option<ReviewRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM reviews WHERE game = $1")
            .bind(game)
            .fetch_optional(self.database.readers())
            .await?;
        row.as_ref().map(ReviewRow::read).transpose()
    }

    /// How many jobs come before one that waits, those being done included.
    pub(crate) async fn reviews_before(&self, job: &ReviewRow) -> Result<i64, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS n FROM reviews WHERE state = 'running' OR (state = 'waiting' \
             AND (round, asked, game) < ($1, $2, $3))",
        )
        .bind(job.round)
        .bind(job.asked)
        .bind(&job.game)
        .fetch_one(self.database.readers())
        .await?;
        Ok(row.try_get("n")?)
    }

    /// Asks for the review of a game. One that was given up is tried again.
    pub(crate) async fn ask_review(
        &self,
        game: &str,
        player: &str,
        network: &str,
        limits: QueueLimits,
        now: i64,
    ) -> Result<Asked, StoreError> {
        let mut transaction = self.database.write().await?;
        // Before anything is read: a second request at the same time waits here.
        if !lock_player(&mut transaction, player).await? {
            transaction.roll_back().await?;
            return Ok(Asked::NoPlayer);
        }
        let known = sqlx::query("SELECT state FROM reviews WHERE game = $1 AND state <> 'failed'")
            .bind(game)
            .fetch_optional(&mut *transaction)
            .await?;
        if known.is_some() {
            transaction.roll_back().await?;
            return Ok(Asked::Known);
        }
        let refused = refusal(&mut transaction, player, network, limits).await?;
        if let Some(refused) = refused {
            transaction.roll_back().await?;
            return Ok(refused);
        }
        sqlx::query(
            "INSERT INTO reviews (game, state, player, network, round, asked, judged, attempts, failures) \
             VALUES ($1, 'waiting', $2, $3, (SELECT MAX(n) FROM (\
             SELECT MAX(round) + 1 AS n FROM reviews WHERE player = $2 AND state IN ('waiting', 'running') \
             UNION ALL SELECT COALESCE((SELECT MIN(round) FROM reviews WHERE state = 'waiting'), \
             (SELECT MAX(round) FROM reviews WHERE state = 'running'), 0) AS n) rounds), $4, 0, 0, 0) \
             ON CONFLICT (game) DO UPDATE SET state = excluded.state, player = excluded.player, \
             network = excluded.network, round = excluded.round, asked = excluded.asked, judged = 0, \
             attempts = 0, failures = 0, failure = NULL, finished = NULL WHERE reviews.state = 'failed'",
        )
        .bind(game)
        .bind(player)
        .bind(network)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Asked::Known)
    }

    /// Leases the next job to a worker until a moment, and returns its game.
    pub(crate) async fn lease_review(
        &self,
        lease: &str,
        worker: &str,
        expires: i64,
    ) -> Result<Option<String>, StoreError> {
        for _ in 0..MAX_RACES {
            // Read first: most of the time there is nothing to do, and nobody has to wait for that.
            let next = sqlx::query(
                "SELECT game FROM reviews WHERE state = 'waiting' ORDER BY round, asked, game LIMIT 1",
            )
            .fetch_optional(self.database.readers())
            .await?;
            let Some(next) = next else { return Ok(None) };
            let game: String = next.try_get("game")?;
            let mut transaction = self.database.write().await?;
            let leased = sqlx::query(
                "UPDATE reviews SET state = 'running', lease = $2, worker = $3, expires = $4, \
                 judged = 0, attempts = attempts + 1 WHERE game = $1 AND state = 'waiting'",
            )
            .bind(&game)
            .bind(lease)
            .bind(worker)
            .bind(expires)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            if leased.rows_affected() > 0 {
                return Ok(Some(game));
            }
        }
        Ok(None)
    }

    /// The game that a worker has leased, if it still has it.
    pub(crate) async fn leased_game(
        &self,
        lease: &str,
        worker: &str,
    ) -> Result<Option<String>, StoreError> {
        let row = sqlx::query(
            "SELECT game FROM reviews WHERE lease = $1 AND worker = $2 AND state = 'running'",
        )
        .bind(lease)
        .bind(worker)
        .fetch_optional(self.database.readers())
        .await?;
        row.map(|row| Ok(row.try_get("game")?)).transpose()
    }

    /// Renews a lease. False if the worker no longer has it.
    pub(crate) async fn renew_review(
        &self,
        lease: &str,
        worker: &str,
        judged: i64,
        expires: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let renewed = sqlx::query(
            "UPDATE reviews SET expires = $3, judged = CASE \
             WHEN $4 > (SELECT ply + 1 FROM games WHERE games.id = reviews.game) \
             THEN (SELECT ply + 1 FROM games WHERE games.id = reviews.game) ELSE $4 END \
             WHERE lease = $1 AND worker = $2 AND state = 'running'",
        )
        .bind(lease)
        .bind(worker)
        .bind(expires)
        .bind(judged)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(renewed.rows_affected() > 0)
    }

    /// Keeps a review that was checked. False if the worker no longer has the job.
    pub(crate) async fn keep_review(
        &self,
        lease: &str,
        worker: &str,
        body: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let kept = sqlx::query(
            "UPDATE reviews SET state = 'done', body = $3, finished = $4, player = NULL, \
             network = NULL, lease = NULL, worker = NULL, expires = NULL, failure = NULL \
             WHERE lease = $1 AND worker = $2 AND state = 'running'",
        )
        .bind(lease)
        .bind(worker)
        .bind(body)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(kept.rows_affected() > 0)
    }

    /// Takes a job back that a worker returns without having begun it in earnest. False if it no longer has it.
    pub(crate) async fn return_review(
        &self,
        lease: &str,
        worker: &str,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        // As if it had never been taken.
        let returned = sqlx::query(
            "UPDATE reviews SET state = 'waiting', lease = NULL, worker = NULL, expires = NULL, \
             judged = 0, attempts = attempts - 1 WHERE lease = $1 AND worker = $2 AND state = 'running'",
        )
        .bind(lease)
        .bind(worker)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(returned.rows_affected() > 0)
    }

    /// Takes a job back with which a worker has failed. False if the worker no longer has it.
    pub(crate) async fn fail_review(
        &self,
        lease: &str,
        worker: &str,
        reason: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let failed = sqlx::query(
            "UPDATE reviews SET failures = failures + 1, failure = $3, expires = 0 \
             WHERE lease = $1 AND worker = $2 AND state = 'running'",
        )
        .bind(lease)
        .bind(worker)
        .bind(reason)
        .execute(&mut *transaction)
        .await?;
        end_expired(&mut transaction, now).await?;
        transaction.commit().await?;
        Ok(failed.rows_affected() > 0)
    }

    /// Takes back the jobs of workers that have not renewed their leases, and gives up those that were taken too
    /// often; returns how many of each.
    pub(crate) async fn expire_reviews(&self, now: i64) -> Result<(u64, u64), StoreError> {
        let expired = sqlx::query(
            "SELECT game FROM reviews WHERE state = 'running' AND expires <= $1 LIMIT 1",
        )
        .bind(now)
        .fetch_optional(self.database.readers())
        .await?;
        if expired.is_none() {
            return Ok((0, 0));
        }
        let mut transaction = self.database.write().await?;
        let done = end_expired(&mut transaction, now).await?;
        transaction.commit().await?;
        Ok(done)
    }

    /// How much there is to do.
    pub(crate) async fn review_queue(&self) -> Result<ReviewQueue, StoreError> {
        let row = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM reviews WHERE state = 'waiting') AS waiting, \
             (SELECT COUNT(*) FROM reviews WHERE state = 'running') AS running, \
             (SELECT MIN(asked) FROM reviews WHERE state = 'waiting') AS oldest",
        )
        .fetch_one(self.database.readers())
        .await?;
        Ok(ReviewQueue {
            waiting: row.try_get("waiting")?,
            running: row.try_get("running")?,
            oldest: row.try_get("oldest")?,
        })
    }

    /// The games whose review a player has asked for and that are not done yet.
    pub(crate) async fn reviews_asked(&self, player: &str) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query("SELECT game FROM reviews WHERE player = $1 ORDER BY asked, game")
            .bind(player)
            .fetch_all(self.database.readers())
            .await?;
        rows.iter().map(|row| Ok(row.try_get("game")?)).collect()
    }
}

/// Why a player may not ask for another review.
async fn refusal(
    connection: &mut WriterConnection,
    player: &str,
    network: &str,
    limits: QueueLimits,
) -> Result<Option<Asked>, StoreError> {
    let row = sqlx::query(
        "SELECT COUNT(*) AS n, SUM(CASE WHEN player = $1 THEN 1 ELSE 0 END) AS own FROM reviews \
         WHERE state IN ('waiting', 'running')",
    )
    .bind(player)
    .fetch_one(&mut *connection)
    .await?;
    let all: i64 = row.try_get("n")?;
    let own = row.try_get::<Option<i64>, _>("own")?.unwrap_or_default();
    let [from, to] = Client::customer_pseudonyms(network);
    // Only those that wait or are being made have a network.
    let near = sqlx::query(
        "SELECT network, COUNT(*) AS n FROM reviews WHERE network BETWEEN $1 AND $2 GROUP BY network",
    )
    .bind(from)
    .bind(to)
    .fetch_all(&mut *connection)
    .await?;
    let near = counts(&near)?;
    let is_full = Client::reached_limit(network, limits.from_network, &near).is_some();
    if own >= limits.of_player || is_full {
        return Ok(Some(Asked::TooMany));
    }
    // However many others fill the queue, whoever has nothing waiting has a place, within reason.
    let is_newcomer = own == 0 && near.is_empty();
    let max = if is_newcomer { limits.all.saturating_mul(NEWCOMER_FACTOR) } else { limits.all };
    Ok((all >= max).then_some(Asked::QueueFull))
}

/// Jobs whose lease has expired wait again, or are given up; returns how many of each.
async fn end_expired(
    connection: &mut WriterConnection,
    now: i64,
) -> Result<(u64, u64), StoreError> {
    let given_up = sqlx::query(
        "UPDATE reviews SET state = 'failed', finished = $1, player = NULL, network = NULL, \
         lease = NULL, worker = NULL, expires = NULL, \
         failure = COALESCE(failure, 'the workers that took it have not come back') \
         WHERE state = 'running' AND expires <= $1 AND (attempts >= $2 OR failures >= $3)",
    )
    .bind(now)
    .bind(MAX_ATTEMPTS)
    .bind(MAX_FAILURES)
    .execute(&mut *connection)
    .await?;
    let release = format!("{RELEASE} WHERE state = 'running' AND expires <= $1");
    let released =
        sqlx::query(sqlx::AssertSqlSafe(release)).bind(now).execute(&mut *connection).await?;
    Ok((released.rows_affected(), given_up.rows_affected()))
}
