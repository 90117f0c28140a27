//! Connections that read, and transactions that write.
//!
//! A connection of the readers refuses to write. A writer holds a [`WriteTransaction`], which is the connection,
//! the transaction on it and, with SQLite, the turn to write in one value: none of them can be had without the
//! others (`turns.rs`).
//!
//! A transaction that was neither committed nor rolled back is in doubt: a full disk or a failed sync may have
//! ended it behind our back. Its connection is never used again, and the next writer opens another.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use sqlx::any::{
    AnyConnectOptions, AnyPoolOptions, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo,
};
use sqlx::pool::PoolConnection;
use sqlx::{
    Any, AnyConnection, AnyPool, ConnectOptions, Connection, Either, Execute, Executor, Row, SqlStr,
};

use super::bounded::{each_in_time, in_time};
use super::ownership::KnownFile;
use super::readers::Readers;
use super::turns::{Admission, Admitted, Turn, Turns, Urgency};
use super::{Kind, StoreError};

/// How long a statement may wait for a connection of a pool.
pub(super) const POOL_TIMEOUT: Duration = Duration::from_secs(3);
/// How long an idle connection may take to say that it is alive.
const PING_TIMEOUT: Duration = Duration::from_millis(500);
/// How long a transaction may wait for its turn and for its beginning.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long closing may take: the last checkpoint of a long log takes a while, and a connection that is silently dead
/// never comes back.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);
/// A write-ahead log of this many pages, 16 MB, is to be reset.
const MAX_LOG_PAGES: i64 = 4000;
/// The log is truncated only when no more of it than this, 4 MB, is still to be copied.
const MAX_LOG_REST: i64 = 1000;
/// How long a transaction that can wait looks for a moment when nobody else writes, and how often.
const MAX_DELAY: Duration = Duration::from_millis(20);
const DELAY: Duration = Duration::from_millis(1);
/// How many connections of Postgres are left for transactions that are urgent: the writer task has one transaction
/// at a time, and so has the heartbeat.
const URGENT_CONNECTIONS: u32 = 2;
/// After a transaction that can wait, the next of these waits this many times as long as that took.
const REST_FACTOR: u32 = 4;

/// A database that is open.
#[derive(Debug, Clone)]
pub(super) struct Database {
    kind: Kind,
    readers: Readers,
    writers: Writers,
}

#[derive(Debug, Clone)]
enum Writers {
    /// SQLite has one writer at a time. Its turns are fair; without them, connections would poll the database
    /// until it is free, and an unlucky one would wait while another, which writes without a pause, has
    /// it all.
    One {
        file: KnownFile,
        connection: Turns<Option<AnyConnection>>,
        options: Box<AnyConnectOptions>,
        /// Until when write-behind transactions rest.
        rest: Arc<std::sync::Mutex<Instant>>,
    },
    /// Postgres has concurrent writers. Some connections are left for those that are urgent.
    Pool { pool: AnyPool, admission: Admission },
}

/// Whether a commit is on the disk when it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    Synced,
    /// It is there with the next commit that is. If the power fails before, it has not happened.
    Unsynced,
}

/// The statements that begin and end a transaction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) begin: &'static str,
    pub(super) commit: &'static str,
    pub(super) roll_back: &'static str,
}

/// A transaction that writes. Unless it is committed, nothing of it happens.
#[derive(Debug)]
pub(super) struct WriteTransaction {
    connection: WriterConnection,
    bounds: Bounds,
    answer_timeout: Duration,
    is_open: bool,
    /// When it began, if others are to have their turn after it, and until when they have it.
    behind: Option<(Instant, Arc<std::sync::Mutex<Instant>>)>,
}

/// The connection of a transaction that writes. A statement that gets no answer is given up, and the transaction with
/// it.
#[derive(Debug)]
pub(super) struct WriterConnection {
    writer: Writer,
    /// How long the next part of an answer may take.
    timeout: Option<Duration>,
}

#[derive(Debug)]
enum Writer {
    One(Turn<Option<AnyConnection>>),
    Pooled { connection: PoolConnection<Any>, _admitted: Admitted },
}

impl Database {
    /// Opens a database whose schema is up to date.
    pub(super) async fn open(
        kind: Kind,
        options: AnyConnectOptions,
        address: &str,
    ) -> Result<Database, StoreError> {
        let silence = Silence::default();
        let file = (kind == Kind::Sqlite).then(|| KnownFile::at(kind.file(address)));
        let writers = match &file {
            Some(file) => {
                let connection = connect(&options, kind.writer_settings()).await?;
                Writers::One {
                    file: file.clone(),
                    connection: Turns::new(Some(connection)),
                    options: Box::new(options.clone()),
                    rest: Arc::new(std::sync::Mutex::new(Instant::now())),
                }
            }
            None => {
                let usual = kind.connections();
                let settings = kind.writer_settings();
                let all = usual + URGENT_CONNECTIONS;
                let pool = pool(&options, kind, all, settings, &silence, None).await?;
                Writers::Pool { pool, admission: Admission::new(usual as usize) }
            }
        };
        let (most, settings) = (kind.connections(), kind.reader_settings());
        let readers = pool(&options, kind, most, settings, &silence, file).await?;
        let readers = Readers::new(readers, kind.longest_answer());
        Ok(Database { kind, readers, writers })
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Connections that can only read.
    pub(super) fn readers(&self) -> &Readers {
        &self.readers
    }

    /// Begins a transaction that writes, when it is its turn.
    pub(super) async fn write(&self) -> Result<WriteTransaction, StoreError> {
        self.begin(Urgency::Usual, Durability::Synced).await
    }

    /// Begins a transaction for which everybody waits: only moves and heartbeats. It waits for at most one other,
    /// however many want to write.
    pub(super) async fn write_first(&self) -> Result<WriteTransaction, StoreError> {
        self.begin(Urgency::First, Durability::Synced).await
    }

    /// Begins a transaction that can be done again, such as counting what has ended: it waits for a moment
    /// when nobody else wants to write, though not for ever, and nobody waits until it is on the disk. With
    /// SQLite all of these together have a fifth of the time.
    pub(super) async fn write_behind(&self) -> Result<WriteTransaction, StoreError> {
        let Writers::One { connection, rest, .. } = &self.writers else {
            return self.begin(Urgency::Usual, Durability::Unsynced).await;
        };
        let rested = *rest.lock().unwrap_or_else(PoisonError::into_inner);
        tokio::time::sleep_until(rested.into()).await;
        let given_up = Instant::now() + MAX_DELAY;
        while !connection.is_free() && Instant::now() < given_up {
            tokio::time::sleep(DELAY).await;
        }
        let mut transaction = self.begin(Urgency::Usual, Durability::Unsynced).await?;
        transaction.behind = Some((Instant::now(), Arc::clone(rest)));
        Ok(transaction)
    }

    async fn begin(
        &self,
        urgency: Urgency,
        durability: Durability,
    ) -> Result<WriteTransaction, StoreError> {
        let bounds = self.kind.bounds(durability);
        let begin = async {
            let writer = match &self.writers {
                Writers::One { file, connection, options, .. } => {
                    let mut place = connection.take(urgency).await;
                    file.check()?;
                    if place.is_none() {
                        *place = Some(connect(options, self.kind.writer_settings()).await?);
                    }
                    Writer::One(place)
                }
                Writers::Pool { pool, admission } => {
                    let admitted = admission.wait(urgency).await;
                    Writer::Pooled { connection: pool.acquire().await?, _admitted: admitted }
                }
            };
            let answer_timeout = self.kind.answer_timeout();
            let connection = WriterConnection { writer, timeout: self.kind.longest_answer() };
            let mut transaction = WriteTransaction {
                connection,
                bounds,
                answer_timeout,
                is_open: true,
                behind: None,
            };
            self.answered(sqlx::raw_sql(bounds.begin).execute(&mut *transaction)).await?;
            Ok(transaction)
        };
        tokio::time::timeout(BEGIN_TIMEOUT, begin).await.unwrap_or(Err(StoreError::Busy))
    }

    /// Copies the write-ahead log of SQLite into the database, while others read and write. It is reset only
    /// when all of it has been copied. While people play, there is always something new in it; so if it has
    /// become long, the rest is copied while nobody writes. That is little, as most has just been copied.
    pub(super) async fn checkpoint(&self) -> Result<(), StoreError> {
        let Writers::One { connection: writer, .. } = &self.writers else { return Ok(()) };
        let mut reader = self.readers.acquire().await?;
        let (frames, copied) = copy_log(&mut reader).await?;
        if frames >= MAX_LOG_PAGES && copied < frames {
            let _turn = writer.take(Urgency::Usual).await;
            copy_log(&mut reader).await?;
        }
        Ok(())
    }

    /// Copies the write-ahead log of SQLite into the database and truncates it, unless a reader uses an earlier
    /// state; returns whether that was done. Postgres takes care of its own.
    pub(super) async fn truncate_log(&self) -> Result<bool, StoreError> {
        let Writers::One { file, connection, options, .. } = &self.writers else {
            return Ok(true);
        };
        // Moves wait for what follows, so most is copied before.
        let mut reader = self.readers.acquire().await?;
        let (frames, copied) = copy_log(&mut reader).await?;
        drop(reader);
        if frames - copied > MAX_LOG_REST {
            return Ok(false);
        }
        let mut place = connection.take(Urgency::Usual).await;
        file.check()?;
        let mut connection = match place.take() {
            Some(connection) => connection,
            None => connect(options, self.kind.writer_settings()).await?,
        };
        // Readers may use the log for a moment yet.
        sqlx::query("PRAGMA busy_timeout = 100").execute(&mut connection).await?;
        let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await?;
        sqlx::query("PRAGMA busy_timeout = 5000").execute(&mut connection).await?;
        *place = Some(connection);
        Ok(row.try_get::<i64, _>(0)? == 0)
    }

    /// Waits for the answer to a statement, though not for ever: a connection may be silently dead.
    pub(super) async fn answered<T, E>(
        &self,
        answer: impl Future<Output = Result<T, E>>,
    ) -> Result<T, StoreError>
    where
        StoreError: From<E>,
    {
        match tokio::time::timeout(self.kind.answer_timeout(), answer).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(StoreError::Busy),
        }
    }

    /// Takes an advisory lock by name, on all nodes, until the transaction ends. SQLite has one writer anyway.
    pub(super) async fn advisory_lock(
        &self,
        connection: &mut WriterConnection,
        what: &str,
    ) -> Result<(), StoreError> {
        if self.kind == Kind::Postgres {
            sqlx::query("SELECT 1 AS n FROM pg_advisory_xact_lock(hashtextextended($1, 0))")
                .bind(what)
                .fetch_one(connection)
                .await?;
        }
        Ok(())
    }

    /// Whether it has been closed.
    pub(super) fn is_closed(&self) -> bool {
        self.readers.is_closed()
    }

    /// Closes all connections, though it waits for none for ever.
    pub(super) async fn close(&self) {
        if tokio::time::timeout(CLOSE_TIMEOUT, self.close_all()).await.is_err() {
            let seconds = CLOSE_TIMEOUT.as_secs();
            tracing::warn!("the database was not closed within {seconds} s");
        }
    }

    async fn close_all(&self) {
        self.readers.close().await;
        match &self.writers {
            Writers::One { connection, .. } => {
                if let Some(connection) = connection.take(Urgency::Usual).await.take() {
                    let _ = connection.close().await;
                }
            }
            Writers::Pool { pool, .. } => pool.close().await,
        }
    }
}

impl WriteTransaction {
    /// When this returns, everything is on the disk, unless the transaction began as one that can be done
    /// again.
    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        let timeout = self.answer_timeout;
        let committed = sqlx::raw_sql(self.bounds.commit).execute(&mut *self);
        tokio::time::timeout(timeout, committed).await.map_err(|_| StoreError::Busy)??;
        self.is_open = false;
        Ok(())
    }

    /// Ends it without a change.
    pub(super) async fn roll_back(mut self) -> Result<(), StoreError> {
        let timeout = self.answer_timeout;
        let rolled_back = sqlx::raw_sql(self.bounds.roll_back).execute(&mut *self);
        tokio::time::timeout(timeout, rolled_back).await.map_err(|_| StoreError::Busy)??;
        self.is_open = false;
        Ok(())
    }
}

impl Deref for WriteTransaction {
    type Target = WriterConnection;

    fn deref(&self) -> &WriterConnection {
        &self.connection
    }
}

impl DerefMut for WriteTransaction {
    fn deref_mut(&mut self) -> &mut WriterConnection {
        &mut self.connection
    }
}

impl<'c> Executor<'c> for &'c mut WriterConnection {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        each_in_time(self.timeout, self.deref_mut().fetch_many(query))
    }

    fn fetch_optional<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxFuture<'e, Result<Option<AnyRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        Box::pin(in_time(self.timeout, self.deref_mut().fetch_optional(query)))
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, Result<AnyStatement, sqlx::Error>>
    where
        'c: 'e,
    {
        Box::pin(in_time(self.timeout, self.deref_mut().prepare_with(sql, parameters)))
    }
}

impl Deref for WriterConnection {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        match &self.writer {
            Writer::One(place) => place.as_ref().expect("a transaction has its connection"),
            Writer::Pooled { connection, .. } => connection,
        }
    }
}

impl DerefMut for WriterConnection {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        match &mut self.writer {
            Writer::One(place) => place.as_mut().expect("a transaction has its connection"),
            Writer::Pooled { connection, .. } => connection,
        }
    }
}

impl Drop for WriteTransaction {
    fn drop(&mut self) {
        if let Some((began, rest)) = &self.behind {
            *rest.lock().unwrap_or_else(PoisonError::into_inner) =
                Instant::now() + REST_FACTOR * began.elapsed();
        }
        if !self.is_open {
            return;
        }
        metrics::counter!("stoa_writers_replaced_total").increment(1);
        match &mut self.connection.writer {
            Writer::One(place) => **place = None,
            Writer::Pooled { connection, .. } => connection.close_on_drop(),
        }
    }
}

/// Copies as much of the write-ahead log as nobody needs; returns how many pages it has, and how many of them
/// are in the database.
async fn copy_log(connection: &mut AnyConnection) -> Result<(i64, i64), StoreError> {
    let row = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(connection).await?;
    Ok((row.try_get(1)?, row.try_get(2)?))
}

/// Opens a connection.
pub(super) async fn connect(
    options: &AnyConnectOptions,
    settings: &[&'static str],
) -> Result<AnyConnection, StoreError> {
    let mut connection = options.connect().await?;
    for statement in settings {
        sqlx::query(*statement).execute(&mut connection).await?;
    }
    Ok(connection)
}

/// When a connection was last found to be silently dead. Others that were opened before then have probably died
/// with it, and to find that out one after the other would take too long.
#[derive(Debug, Clone, Default)]
struct Silence(Arc<std::sync::Mutex<Option<Instant>>>);

impl Silence {
    fn noticed(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a connection of this age is to be closed without being asked.
    fn is_older(&self, age: Duration) -> bool {
        self.noticed().is_some_and(|noticed| noticed.elapsed() < age)
    }

    /// Whether an idle connection that somebody wants to have is alive; one that does not say so is closed.
    async fn check(
        &self,
        connection: &mut AnyConnection,
        age: Duration,
    ) -> Result<bool, sqlx::Error> {
        if self.is_older(age) {
            return Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()));
        }
        let answer = ping(connection).await;
        if let Err(sqlx::Error::Io(error)) = &answer
            && error.kind() == std::io::ErrorKind::TimedOut
        {
            *self.noticed() = Some(Instant::now());
        }
        answer
    }
}

/// Whether a connection answers; one that does not is closed.
async fn ping(connection: &mut AnyConnection) -> Result<bool, sqlx::Error> {
    match tokio::time::timeout(PING_TIMEOUT, connection.ping()).await {
        Ok(answer) => answer.map(|()| true),
        Err(late) => Err(sqlx::Error::Io(late.into())),
    }
}

async fn pool(
    options: &AnyConnectOptions,
    kind: Kind,
    most: u32,
    settings: &'static [&'static str],
    silence: &Silence,
    file: Option<KnownFile>,
) -> Result<AnyPool, StoreError> {
    // The pool's own pings wait for ever for a connection that is silently dead.
    let mut pool = AnyPoolOptions::new().test_before_acquire(false);
    if kind == Kind::Postgres {
        let silence = silence.clone();
        pool = pool
            .before_acquire(move |connection, known| {
                let silence = silence.clone();
                Box::pin(async move { silence.check(connection, known.age).await })
            })
            // One whose statement was given up may still be at work on it: that says nothing of the others.
            .after_release(|connection, _| Box::pin(ping(connection)));
    }
    let pool = pool
        .max_connections(most)
        .acquire_timeout(POOL_TIMEOUT)
        .after_connect(move |connection, _| {
            let file = file.clone();
            Box::pin(async move {
                // SQLite has not read anything yet. From another file with this name it would conclude that the
                // write-ahead log is not needed any more, and delete it.
                if let Some(file) = file {
                    file.check().map_err(|error| sqlx::Error::Configuration(error.into()))?;
                }
                for statement in settings {
                    sqlx::query(*statement).execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
        .connect_with(options.clone())
        .await?;
    Ok(pool)
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use futures_util::future::poll_immediate;
    use stoa_testing::{Postgres, or_skip};

    use super::super::{Commit, Committed, Store};
    use super::*;
    use crate::time::Time;

    async fn opened(folder: &tempfile::TempDir) -> Store {
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        Store::open(&file).await.expect("a database")
    }

    async fn beat(store: &Store) -> Result<(), StoreError> {
        let mut transaction = store.database.write().await?;
        sqlx::query("INSERT INTO beat (id, at) VALUES (7, 7)").execute(&mut *transaction).await?;
        transaction.commit().await
    }

    #[test]
    fn connections_from_before_a_silence_are_suspected() {
        let silence = Silence::default();
        assert!(!silence.is_older(Duration::from_secs(1000)), "nothing was noticed yet");
        *silence.noticed() = Some(Instant::now());
        assert!(silence.is_older(Duration::from_secs(1000)));
        assert!(!silence.is_older(Duration::ZERO), "opened since");
    }

    /// A list that took too long was given up, and Postgres is still at work on it.
    #[tokio::test]
    async fn a_statement_that_was_given_up_is_no_silence() {
        let Some(postgres) = or_skip(Postgres::start(stoa_testing::Durability::Forgetful)) else {
            return;
        };
        sqlx::any::install_default_drivers();
        let address = postgres.database("silence").expect("a database");
        let options = address.parse().expect("an address");
        let silence = Silence::default();
        let settings = Kind::Postgres.reader_settings();
        let readers = pool(&options, Kind::Postgres, 6, settings, &silence, None).await;
        let readers = readers.expect("a pool");
        let long = sqlx::query("SELECT 1 AS n FROM pg_sleep(5)").fetch_all(&readers);
        let given_up = tokio::time::timeout(Duration::from_millis(100), long).await;
        assert!(given_up.is_err());
        let began = Instant::now();
        while readers.size() > 0 {
            assert!(began.elapsed() < Duration::from_secs(4), "its connection is closed");
            tokio::time::sleep(DELAY).await;
        }
        assert_eq!(*silence.noticed(), None, "others are not suspected");
        readers.close().await;
    }

    #[tokio::test]
    async fn a_transaction_without_an_answer_is_given_up() {
        let Some(postgres) = or_skip(Postgres::start(stoa_testing::Durability::Forgetful)) else {
            return;
        };
        let address = postgres.database("answers").expect("a database");
        let store = Store::open(&address).await.expect("a database");
        for _ in 0..=Kind::Postgres.connections() + URGENT_CONNECTIONS {
            let mut transaction = store.database.write().await.expect("a connection is left");
            assert_eq!(transaction.timeout, Kind::Postgres.longest_answer());
            transaction.timeout = Some(Duration::from_millis(50));
            let began = Instant::now();
            let long = sqlx::query("SELECT 1 AS n FROM pg_sleep(5)").fetch_one(&mut *transaction);
            assert!(matches!(long.await, Err(sqlx::Error::Io(_))));
            assert!(began.elapsed() < Duration::from_secs(4));
        }
        store.close().await;
    }

    #[tokio::test]
    async fn readers_cannot_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = opened(&folder).await;
        let written = sqlx::query("INSERT INTO beat (id, at) VALUES (7, 7)")
            .execute(store.database.readers())
            .await;
        let error = written.expect_err("refused").to_string();
        assert!(error.contains("readonly"), "{error}");
        beat(&store).await.expect("a transaction writes");
        store.close().await;
    }

    /// What a full disk does: SQLite has ended the transaction itself, and rolling back fails.
    #[tokio::test]
    async fn a_writer_whose_transaction_is_in_doubt_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = opened(&folder).await;
        let mut doubtful = store.database.write().await.expect("a transaction");
        sqlx::raw_sql("ROLLBACK").execute(&mut *doubtful).await.expect("ended from outside");
        assert!(doubtful.commit().await.is_err());
        beat(&store).await.expect("another connection");
        let mut abandoned = store.database.write().await.expect("a transaction");
        sqlx::query("DELETE FROM beat").execute(&mut *abandoned).await.expect("deleted");
        drop(abandoned);
        let rows = sqlx::query("SELECT at FROM beat WHERE id = 7")
            .fetch_all(store.database.readers())
            .await
            .expect("an answer");
        assert_eq!(rows.len(), 1, "what is not committed has not happened");
        store.close().await;
    }

    /// Somebody changes their name all the time. They were all there before the move.
    #[tokio::test]
    async fn moves_and_heartbeats_wait_for_one_other_transaction() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = opened(&folder).await;
        let done = std::sync::Mutex::new(Vec::new());
        let note = |what: &'static str| done.lock().expect("no panic").push(what);
        let time = Time::Manual(Arc::default());
        let held = store.database.write().await.expect("a transaction");
        let mut waiting: Vec<BoxFuture<'_, ()>> = Vec::new();
        for _ in 0..50 {
            waiting.push(Box::pin(async {
                store.rename("p", "Xeno").await.expect("a database");
                note("rename");
            }));
        }
        waiting.push(Box::pin(async {
            let committed = store.commit(Commit::for_test("g")).await.expect("a database");
            assert_eq!(committed, Committed::Conflict, "there is no such game");
            note("move");
        }));
        waiting.push(Box::pin(async {
            store.write_heartbeat(&time, None).await.expect("a database");
            note("heartbeat");
        }));
        for task in &mut waiting {
            assert!(poll_immediate(task).await.is_none());
        }
        // The writer task takes the move, and waits for its turn.
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        held.roll_back().await.expect("rolled back");
        join_all(waiting).await;
        let mut done = done.into_inner().expect("no panic");
        done[..2].sort_unstable();
        assert_eq!(done[..3], ["heartbeat", "move", "rename"]);
        assert_eq!(done.len(), 52);
        store.close().await;
    }

    #[tokio::test]
    async fn writers_wait_for_each_other_and_nobody_fails() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = opened(&folder).await;
        let tasks = (0..50).map(|id| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut transaction = store.database.write().await?;
                sqlx::query("INSERT INTO beat (id, at) VALUES ($1, 0)")
                    .bind(1000 + id)
                    .execute(&mut *transaction)
                    .await?;
                transaction.commit().await
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.expect("a task").expect("a commit");
        }
        let rows = sqlx::query("SELECT id FROM beat WHERE id >= 1000")
            .fetch_all(store.database.readers())
            .await
            .expect("an answer");
        assert_eq!(rows.len(), 50);
        store.close().await;
    }
}
