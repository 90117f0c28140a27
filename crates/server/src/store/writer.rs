//! Moves, written durably: many games' changes in one commit.
//!
//! A commit waits for the disk, so each alone would cost a few milliseconds of everybody's time. One task
//! takes all that has gathered while the last commit was under way and commits it as one transaction.
//! Whoever asked is told only after that. Each change says how many events it believes the game to have;
//! where that is no longer so, another was first, and this one is not written.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, AnyPool, Connection};
use tokio::sync::{mpsc, oneshot};

use super::games::NewGame;
use super::{Kind, StoreError, Summary};
use crate::play::Event;

/// More changes than these are not put into one transaction.
const MOST_TOGETHER: usize = 256;
/// More than these are not taken: the server is overloaded, and says so.
const MOST_WAITING: usize = 4096;

/// How often the log is copied into an SQLite database.
const TIDY: Duration = Duration::from_secs(1);

/// Who writes to SQLite, one after the other in the order in which they ask. Without it connections ask the
/// database again and again whether it is free, and whoever is unlucky waits for a second while the writer,
/// who writes without a pause, has it all. Postgres has better ways, and there is nothing to wait for.
#[derive(Debug, Clone)]
pub(super) struct Turn(Option<Arc<tokio::sync::Mutex<()>>>);

impl Turn {
    pub(super) fn new(kind: Kind) -> Turn {
        Turn((kind == Kind::Sqlite).then(Arc::default))
    }

    /// Waits until it is one's turn, which ends when the answer is dropped.
    pub(super) async fn wait(&self) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        match &self.0 {
            Some(turn) => Some(turn.lock().await),
            None => None,
        }
    }
}

/// A change of a game.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) game: String,
    /// How many events the game had when this was decided.
    pub(crate) version: i64,
    pub(crate) event: Event,
    pub(crate) at: i64,
    /// The game after the event.
    pub(crate) summary: Summary,
    /// A game that begins with this event: a rematch.
    pub(crate) new_game: Option<NewGame>,
}

/// What has become of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Committed {
    /// It is on the disk.
    Done,
    /// The game had other events already.
    Conflict,
}

type Answer = oneshot::Sender<Result<Committed, StoreError>>;

/// The task that writes.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
}

#[derive(Debug)]
enum Message {
    Commit(Box<Commit>, Answer),
    Finish(oneshot::Sender<()>),
}

impl Writer {
    pub(super) fn start(pool: AnyPool, kind: Kind, turn: Turn) -> Writer {
        let (queue, waiting) = mpsc::channel(MOST_WAITING);
        if kind == Kind::Sqlite {
            tokio::spawn(tidy(pool.clone(), queue.downgrade()));
        }
        tokio::spawn(run(waiting, pool, kind, turn));
        Writer { queue }
    }

    pub(super) async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let (answer, answered) = oneshot::channel();
        metrics::gauge!("stoa_writer_queue").set((MOST_WAITING - self.queue.capacity()) as f64);
        self.queue.try_send(Message::Commit(Box::new(commit), answer)).map_err(|_| busy())?;
        answered.await.map_err(|_| busy())?
    }

    /// Done when all that was asked for before is written.
    pub(super) async fn finish(&self) {
        let (answer, answered) = oneshot::channel();
        if self.queue.send(Message::Finish(answer)).await.is_ok() {
            let _ = answered.await;
        }
    }
}

/// The queue is full, or the writer is gone.
fn busy() -> StoreError {
    StoreError::Database(sqlx::Error::PoolTimedOut)
}

/// Copies the log into the database while others read and write, so that nobody has to wait for it. Ends
/// with the writer.
async fn tidy(pool: AnyPool, writer: mpsc::WeakSender<Message>) {
    loop {
        tokio::time::sleep(TIDY).await;
        if writer.strong_count() == 0 || pool.is_closed() {
            return;
        }
        if let Err(error) = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&pool).await {
            tracing::debug!(%error, "the log was not copied into the database");
        }
    }
}

async fn run(mut waiting: mpsc::Receiver<Message>, pool: AnyPool, kind: Kind, turn: Turn) {
    let mut batch = Vec::with_capacity(MOST_TOGETHER);
    while waiting.recv_many(&mut batch, MOST_TOGETHER).await > 0 {
        let mut finished = Vec::new();
        let mut commits = Vec::with_capacity(batch.len());
        for message in batch.drain(..) {
            match message {
                Message::Commit(commit, answer) => commits.push((commit, answer)),
                Message::Finish(answer) => finished.push(answer),
            }
        }
        if !commits.is_empty() {
            write(&pool, kind, &turn, commits).await;
        }
        for answer in finished {
            let _ = answer.send(());
        }
    }
}

async fn write(pool: &AnyPool, kind: Kind, turn: &Turn, mut commits: Vec<(Box<Commit>, Answer)>) {
    // Every node locks games in the same order, so no two wait for each other.
    commits.sort_by(|(a, _), (b, _)| (&a.game, a.version).cmp(&(&b.game, b.version)));
    let began = Instant::now();
    let written = write_all(pool, kind, turn, &commits).await;
    metrics::histogram!("stoa_commit_seconds").record(began.elapsed());
    metrics::histogram!("stoa_commit_games").record(commits.len() as f64);
    match written {
        Ok(results) => {
            for ((_, answer), result) in commits.into_iter().zip(results) {
                let _ = answer.send(Ok(result));
            }
        }
        Err(error) => {
            metrics::counter!("stoa_commit_failures_total").increment(1);
            tracing::error!(%error, games = commits.len(), "a commit failed");
            for (_, answer) in commits {
                let _ = answer.send(Err(StoreError::Database(sqlx::Error::PoolClosed)));
            }
        }
    }
}

async fn write_all(
    pool: &AnyPool,
    kind: Kind,
    turn: &Turn,
    commits: &[(Box<Commit>, Answer)],
) -> Result<Vec<Committed>, StoreError> {
    let _turn = turn.wait().await;
    let mut connection = pool.acquire().await?;
    let mut transaction = connection.begin_with(kind.begin()).await?;
    let mut results = Vec::with_capacity(commits.len());
    for (commit, _) in commits {
        results.push(write_one(&mut transaction, commit).await?);
    }
    transaction.commit().await?;
    Ok(results)
}

async fn write_one(
    connection: &mut AnyConnection,
    commit: &Commit,
) -> Result<Committed, StoreError> {
    let Summary { ply, position, status, turn, winner, reason, deadline } = &commit.summary;
    let updated = sqlx::query(
        "UPDATE games SET version = $1, updated = $2, ply = $3, position = $4, status = $5, \
         turn = $6, winner = $7, reason = $8, deadline = $9 WHERE id = $10 AND version = $11",
    )
    .bind(commit.version + 1)
    .bind(commit.at)
    .bind(ply)
    .bind(position)
    .bind(status)
    .bind(turn.map(|seat| seat.word()))
    .bind(winner.map(|seat| seat.word()))
    .bind(reason.as_deref())
    .bind(*deadline)
    .bind(&commit.game)
    .bind(commit.version)
    .execute(&mut *connection)
    .await?;
    if updated.rows_affected() == 0 {
        return Ok(Committed::Conflict);
    }
    let body = serde_json::to_string(&commit.event)
        .map_err(|error| StoreError::Strange(error.to_string()))?;
    sqlx::query("INSERT INTO events (game, seq, at, body) VALUES ($1, $2, $3, $4)")
        .bind(&commit.game)
        .bind(commit.version + 1)
        .bind(commit.at)
        .bind(body)
        .execute(&mut *connection)
        .await?;
    if let Some(new_game) = &commit.new_game {
        new_game.insert(connection).await?;
    }
    Ok(Committed::Done)
}
