//! The writer task: group commit of game events.
//!
//! A commit waits for the disk, so one for each event would take too long. One task commits everything
//! that was queued during the last commit as one transaction, and answers only after that. Each event
//! carries the version that its game is expected to have; if the game has another, another node was first,
//! and the event is not written.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use stoa_wire::{GameEvent, GameStatus};
use tokio::sync::{mpsc, oneshot};

use super::archive;
use super::bulk::{self, Bulk};
use super::conditional::{self, ConditionalChange};
use super::database::{Database, WriterConnection};
use super::erasure::Erasure;
use super::games::{ENGINE_LOCK, EngineBusy, EngineGame, EngineLimits, NewGame, check_engine};
use super::rows::Word;
use super::{Kind, Snapshot, StoreError};
use crate::monitoring::{debug_folded, error_folded};
use crate::tasks::RunningTask;

/// The largest number of events in one transaction.
const MAX_BATCH: usize = 256;
/// The largest number of queued events; beyond it, requests are refused as unavailable.
const MAX_QUEUED: usize = 4096;

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
    /// What happens to conditional moves.
    pub(crate) conditional: Option<ConditionalChange>,
    /// A game that begins with this event: a rematch.
    pub(crate) new_game: Option<NewGame>,
    /// How many games against the engine there may be, if that is one.
    pub(crate) engine_limits: EngineLimits,
}

#[cfg(test)]
impl Commit {
    /// The first move of a game.
    pub(super) fn for_test(game: &str) -> Commit {
        Commit {
            game: game.to_owned(),
            version: 0,
            revision: 0,
            events: vec![GameEvent::Moved { ply: 0, text: "d2-b4".to_owned(), left: None }],
            at: 0,
            snapshot: Snapshot {
                ply: 1,
                position: String::new(),
                status: GameStatus::Playing,
                turn: Some(stoa_rules::Side::Second),
                result: None,
                deadline: None,
            },
            family: "impasse",
            conditional: None,
            new_game: None,
            engine_limits: EngineLimits { of_player: 0, from_network: None, of_level: 0, all: 0 },
        }
    }
}

/// The result of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Committed {
    /// It is on the disk.
    Done,
    /// The game had another version or revision.
    Conflict,
    /// It would begin a game against the engine, which has enough to do.
    EngineBusy(EngineBusy),
}

type Answer = oneshot::Sender<Result<Committed, StoreError>>;

/// The queue of the writer task.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
    tasks: Arc<Mutex<Vec<RunningTask>>>,
}

#[derive(Debug)]
enum Message {
    Commit(Box<Commit>, Answer),
    Finish(oneshot::Sender<()>),
}

impl Writer {
    pub(super) fn start(database: Database, erasure: Erasure) -> Writer {
        let (queue, waiting) = mpsc::channel(MAX_QUEUED);
        let mut tasks = Vec::new();
        if database.kind() == Kind::Sqlite {
            let checkpoints = checkpoint(database.clone(), erasure, queue.downgrade());
            tasks.push(("checkpoints", tokio::spawn(checkpoints)));
        }
        tasks.push(("writer", tokio::spawn(run(waiting, database))));
        Writer { queue, tasks: Arc::new(Mutex::new(tasks)) }
    }

    /// The tasks, which do not end while the store is open. For whoever asks first.
    pub(super) fn take_tasks(&self) -> Vec<RunningTask> {
        std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner))
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

/// Runs checkpoints while others read and write, so that no commit has to, and truncates the log when something is to
/// be erased. Ends with the writer task.
async fn checkpoint(database: Database, erasure: Erasure, writer: mpsc::WeakSender<Message>) {
    loop {
        tokio::time::sleep(CHECKPOINT_INTERVAL).await;
        if writer.strong_count() == 0 || database.is_closed() {
            return;
        }
        let done = match erasure.is_due() {
            true => erasure.run().await,
            false => database.checkpoint().await,
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
    let written = write_all(database, &commits).await;
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
    let commits: Vec<&Commit> = commits.iter().map(|(commit, _)| &**commit).collect();
    let at_once = database.kind().rows_in_order();
    let mut transaction = database.write_first().await?;
    let results = match admit(database, &mut transaction, &commits, at_once).await? {
        Some(results) => results,
        // Another node has changed some games: committing one by one shows which.
        None => {
            transaction.roll_back().await?;
            transaction = database.write_first().await?;
            admit(database, &mut transaction, &commits, 1).await?.unwrap_or_default()
        }
    };
    let done = commits.iter().zip(&results).filter(|(_, result)| **result == Committed::Done);
    write_events(database, &mut transaction, done.map(|(commit, _)| *commit)).await?;
    transaction.commit().await?;
    Ok(results)
}

/// How a game then stands, if it has the expected version and revision.
static UPDATE: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new(
        "UPDATE games SET version = v.column1, updated = v.column2, ply = v.column3, \
         position = v.column4, status = v.column5, turn = v.column6, winner = v.column7, \
         reason = v.column8, deadline = v.column9, \
         network = CASE WHEN v.column5 = 'playing' THEN games.network ELSE NULL END, \
         ended = CASE WHEN v.column5 = 'playing' THEN NULL ELSE COALESCE(games.ended, v.column2) END, \
         revision = games.revision + v.column10 FROM (VALUES",
        13,
        ") AS v WHERE games.id = v.column11 AND games.version = v.column12 \
         AND games.revision = v.column13",
    )
});

static ADD_EVENTS: LazyLock<Bulk> =
    LazyLock::new(|| Bulk::new("INSERT INTO events (game, seq, at, body) VALUES", 4, ""));

/// Updates games, many at once, except those whose rematch the engine has no time for. Nothing if it cannot be
/// said which of them had another version.
async fn admit(
    database: &Database,
    connection: &mut WriterConnection,
    commits: &[&Commit],
    at_once: usize,
) -> Result<Option<Vec<Committed>>, StoreError> {
    let refusals = database.answered(engine_refusals(database, connection, commits)).await?;
    let admitted = commits.iter().zip(&refusals).filter(|(_, refusal)| refusal.is_none());
    let admitted: Vec<&Commit> = admitted.map(|(commit, _)| *commit).collect();
    let Some(updated) = update(database, connection, &admitted, at_once).await? else {
        return Ok(None);
    };
    let mut updated = updated.into_iter();
    let result = |refusal: Option<EngineBusy>| {
        let updated = || updated.next().unwrap_or(Committed::Conflict);
        refusal.map_or_else(updated, Committed::EngineBusy)
    };
    Ok(Some(refusals.into_iter().map(result).collect()))
}

/// Why rematches against the engine cannot begin, those that cannot. This comes before games are locked: another
/// transaction that begins one waits for the end of this one, and must not hold what this still needs.
async fn engine_refusals(
    database: &Database,
    connection: &mut WriterConnection,
    commits: &[&Commit],
) -> Result<Vec<Option<EngineBusy>>, StoreError> {
    // They are not in the database yet.
    let mut begun: Vec<EngineGame<'_>> = Vec::new();
    let mut refusals = Vec::with_capacity(commits.len());
    for commit in commits {
        let Some(game) = commit.new_game.as_ref().and_then(NewGame::engine_game) else {
            refusals.push(None);
            continue;
        };
        database.advisory_lock(connection, ENGINE_LOCK).await?;
        let limits = commit.engine_limits;
        let refusal = check_engine(connection, game, &begun, limits, commit.at).await?.err();
        if refusal.is_none() {
            begun.push(game);
        }
        refusals.push(refusal);
    }
    Ok(refusals)
}

/// Updates games, many at once. Nothing if it is not known which of them had another version.
async fn update(
    database: &Database,
    connection: &mut WriterConnection,
    commits: &[&Commit],
    at_once: usize,
) -> Result<Option<Vec<Committed>>, StoreError> {
    let mut results = Vec::with_capacity(commits.len());
    for (text, some) in UPDATE.split(commits, at_once) {
        let mut query = sqlx::query(text);
        for commit in some {
            let Snapshot { ply, position, status, turn, result, deadline } = &commit.snapshot;
            let count = i64::try_from(commit.events.len()).unwrap_or(i64::MAX);
            query = query
                .bind(commit.version + count)
                .bind(commit.at)
                .bind(i64::try_from(*ply).unwrap_or(i64::MAX))
                .bind(position)
                .bind(Word(status).to_string())
                .bind(turn.map(|side| Word(side).to_string()))
                .bind(result.and_then(|result| result.winner).map(|side| Word(side).to_string()))
                .bind(result.map(|result| result.reason.word()))
                .bind(*deadline)
                .bind(i64::from(commit.conditional.is_some()))
                .bind(&commit.game)
                .bind(commit.version)
                .bind(commit.revision);
        }
        let updated = database.answered(query.execute(&mut *connection)).await?.rows_affected();
        match (usize::try_from(updated).unwrap_or_default(), some.len()) {
            (updated, all) if updated == all => {
                results.resize(results.len() + all, Committed::Done)
            }
            (0, 1) => results.push(Committed::Conflict),
            _ => return Ok(None),
        }
    }
    Ok(Some(results))
}

/// Writes the events, and what goes with them.
async fn write_events(
    database: &Database,
    connection: &mut WriterConnection,
    commits: impl Iterator<Item = &Commit>,
) -> Result<(), StoreError> {
    let commits: Vec<&Commit> = commits.collect();
    let mut events = Vec::with_capacity(commits.len());
    for commit in &commits {
        for (seq, event) in (commit.version + 1..).zip(&commit.events) {
            events.push((*commit, seq, serde_json::to_string(event)?));
        }
    }
    for (text, some) in ADD_EVENTS.split(&events, bulk::MAX_ROWS) {
        let mut query = sqlx::query(text);
        for (commit, seq, body) in some {
            query = query.bind(&commit.game).bind(seq).bind(commit.at).bind(body);
        }
        database.answered(query.execute(&mut *connection)).await?;
    }
    for commit in commits {
        if let Some(change) = &commit.conditional {
            database.answered(conditional::write(connection, &commit.game, change)).await?;
        }
        if commit.snapshot.status == GameStatus::Over {
            let added = archive::add(connection, &commit.game, commit.family, commit.at);
            database.answered(added).await?;
        }
        if let Some(new_game) = &commit.new_game {
            database.answered(new_game.insert(connection)).await?;
        }
    }
    Ok(())
}
