//! The writer task: group commit of game events.
//!
//! A commit waits for the disk, so one for each event would take too long. One task commits everything
//! that was queued during the last commit as one transaction, and answers only after that. Each event
//! carries the version that its game is expected to have; if the game has another, another node was first,
//! and the event is not written.

use std::time::{Duration, Instant};

use sqlx::AnyConnection;
use stoa_wire::{GameEvent, GameStatus};
use tokio::sync::{mpsc, oneshot};

use super::archive;
use super::conditional::{self, ConditionalChange};
use super::database::Database;
use super::erasure::Erasure;
use super::games::NewGame;
use super::rows::Word;
use super::{Kind, Snapshot, StoreError};
use crate::monitoring::{debug_folded, error_folded};

/// The largest number of events in one transaction.
const MAX_BATCH: usize = 256;
/// The largest number of queued events; beyond it, requests are refused as unavailable.
const MAX_QUEUED: usize = 4096;

/// How long a commit may take. A connection may be dead without anybody having said so; then another is
/// opened for the next commit.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(15);
/// How often a checkpoint copies the write-ahead log into an SQLite database.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(1);

/// Events to commit: one, or a move with the answer that was prepared for it.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) game: String,
    /// The version of the game when this was decided.
    pub(crate) version: i64,
    /// Its revision then.
    pub(crate) revision: i64,
    pub(crate) events: Vec<GameEvent>,
    pub(crate) at: i64,
    /// The game after the events.
    pub(crate) snapshot: Snapshot,
    /// The id of the game's rules without their options.
    pub(crate) family: &'static str,
    /// What becomes of conditional moves.
    pub(crate) conditional: Option<ConditionalChange>,
    /// A game that begins with this event: a rematch.
    pub(crate) new_game: Option<NewGame>,
}

/// The result of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Committed {
    /// It is on the disk.
    Done,
    /// The game had another version or revision.
    Conflict,
}

type Answer = oneshot::Sender<Result<Committed, StoreError>>;

/// The queue of the writer task.
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
    pub(super) fn start(database: Database, erasure: Erasure) -> Writer {
        let (queue, waiting) = mpsc::channel(MAX_QUEUED);
        if database.kind() == Kind::Sqlite {
            tokio::spawn(checkpoint(database.clone(), erasure, queue.downgrade()));
        }
        tokio::spawn(run(waiting, database));
        Writer { queue }
    }

    pub(super) async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let (answer, answered) = oneshot::channel();
        metrics::gauge!("stoa_writer_queue").set((MAX_QUEUED - self.queue.capacity()) as f64);
        self.queue.try_send(Message::Commit(Box::new(commit), answer)).map_err(|_| busy())?;
        answered.await.map_err(|_| busy())?
    }

    /// Completes when everything queued before is written.
    pub(super) async fn finish(&self) {
        let (answer, answered) = oneshot::channel();
        if self.queue.send(Message::Finish(answer)).await.is_ok() {
            let _ = answered.await;
        }
    }
}

/// The queue is full, or the writer task is gone.
fn busy() -> StoreError {
    StoreError::Database(sqlx::Error::PoolTimedOut)
}

/// Runs checkpoints while others read and write, so that no commit has to. Ends with the writer task.
async fn checkpoint(database: Database, erasure: Erasure, writer: mpsc::WeakSender<Message>) {
    loop {
        tokio::time::sleep(CHECKPOINT_INTERVAL).await;
        if writer.strong_count() == 0 || database.is_closed() {
            return;
        }
        let done = match erasure.is_due() {
            true => erasure.run().await,
            false => {
                let done = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)");
                done.execute(database.readers()).await.map(drop).map_err(StoreError::from)
            }
        };
        if let Err(error) = done {
            debug_folded!(%error, "a checkpoint failed");
        }
    }
}

async fn run(mut waiting: mpsc::Receiver<Message>, database: Database) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while waiting.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let mut finished = Vec::new();
        let mut commits = Vec::with_capacity(batch.len());
        for message in batch.drain(..) {
            match message {
                Message::Commit(commit, answer) => commits.push((commit, answer)),
                Message::Finish(answer) => finished.push(answer),
            }
        }
        if !commits.is_empty() {
            write(&database, commits).await;
        }
        for answer in finished {
            let _ = answer.send(());
        }
    }
}

async fn write(database: &Database, mut commits: Vec<(Box<Commit>, Answer)>) {
    // Every node locks games in the same order, to avoid deadlocks.
    commits.sort_by(|(a, _), (b, _)| (&a.game, a.version).cmp(&(&b.game, b.version)));
    let began = Instant::now();
    let written = tokio::time::timeout(COMMIT_TIMEOUT, write_all(database, &commits)).await;
    let written = written.unwrap_or(Err(StoreError::Busy));
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
            error_folded!(%error, games = commits.len(), "a commit failed");
            for (_, answer) in commits {
                let _ = answer.send(Err(StoreError::Database(sqlx::Error::PoolClosed)));
            }
        }
    }
}

async fn write_all(
    database: &Database,
    commits: &[(Box<Commit>, Answer)],
) -> Result<Vec<Committed>, StoreError> {
    let mut transaction = database.write().await?;
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
    let Snapshot { ply, position, status, turn, result, deadline } = &commit.snapshot;
    let ply = i64::try_from(*ply).unwrap_or(i64::MAX);
    let count = i64::try_from(commit.events.len()).unwrap_or(i64::MAX);
    let updated = sqlx::query(
        "UPDATE games SET version = $1, updated = $2, ply = $3, position = $4, status = $5, \
         turn = $6, winner = $7, reason = $8, deadline = $9, \
         network = CASE WHEN $5 = 'playing' THEN network ELSE NULL END, \
         ended = CASE WHEN $5 = 'playing' THEN NULL ELSE COALESCE(ended, $2) END, \
         revision = revision + $12 WHERE id = $10 AND version = $11 AND revision = $13",
    )
    .bind(commit.version + count)
    .bind(commit.at)
    .bind(ply)
    .bind(position)
    .bind(Word(status).to_string())
    .bind(turn.map(|side| Word(side).to_string()))
    .bind(result.and_then(|result| result.winner).map(|side| Word(side).to_string()))
    .bind(result.map(|result| result.reason.word()))
    .bind(*deadline)
    .bind(&commit.game)
    .bind(commit.version)
    .bind(i64::from(commit.conditional.is_some()))
    .bind(commit.revision)
    .execute(&mut *connection)
    .await?;
    if updated.rows_affected() == 0 {
        return Ok(Committed::Conflict);
    }
    for (seq, event) in (commit.version + 1..).zip(&commit.events) {
        sqlx::query("INSERT INTO events (game, seq, at, body) VALUES ($1, $2, $3, $4)")
            .bind(&commit.game)
            .bind(seq)
            .bind(commit.at)
            .bind(serde_json::to_string(event)?)
            .execute(&mut *connection)
            .await?;
    }
    if let Some(change) = &commit.conditional {
        conditional::write(connection, &commit.game, change).await?;
    }
    if *status == GameStatus::Over {
        archive::add(connection, &commit.game, commit.family, commit.at).await?;
    }
    if let Some(new_game) = &commit.new_game {
        new_game.insert(connection).await?;
    }
    Ok(Committed::Done)
}
