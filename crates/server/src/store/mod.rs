//! The database: players, challenges and games, in SQLite or in Postgres.
//!
//! Both understand the same statements, so each is written once and runs through sqlx's `Any`. Whatever
//! the two disagree about is in this file.
//!
//! | file | what |
//! |---|---|
//! | `database.rs` | transactions that write, and all connections |
//! | `turns.rs` | who writes next: moves first |
//! | `readers.rs` | connections that read |
//! | `bounded.rs` | statements that are given up if there is no answer |
//! | `file.rs` | files of SQLite: who may read them, copies, checks |
//! | `ownership.rs` | files of SQLite: whose they are, and that they stay where they are |
//! | `erasure.rs` | erasing what was deleted from the files |
//! | `rows.rs` | rows as types |
//! | `bulk.rs` | statements that take several rows at once |
//! | `games.rs` | games and their lists |
//! | `archive.rs` | finished games: what they are found by |
//! | `explored.rs` | what was played from positions |
//! | `waiting.rs` | people who wait to be paired |
//! | `conditional.rs` | conditional moves |
//! | `correspondence.rs` | vacations, notes, the choice of notices |
//! | `challenges.rs` | challenges, and how one becomes a game |
//! | `players.rs` | players and their accounts |
//! | `ratings.rs` | ratings: counting games, lists of what came of it |
//! | `rebuild.rs` | ratings computed again from the games |
//! | `profiles.rs` | what is shown of a player to others |
//! | `acquaintances.rs` | whom players follow and have blocked |
//! | `talk.rs`, `reports.rs` | what people say in games, mutes, reports |
//! | `tokens.rs` | API tokens |
//! | `passkeys.rs`, `sessions.rs` | passkeys; devices that are signed in |
//! | `reviews.rs` | reviews of games, and the jobs of making them |
//! | `workers.rs` | who may make them |
//! | `pushes.rs` | Web Push subscriptions |
//! | `puzzles.rs` | puzzles that people have solved |
//! | `mails.rs` | addresses for mail, links, the queue of mail |
//! | `writer.rs` | the writer task: group commit of game events |
//! | `bots.rs` | bots |
//! | `heartbeat.rs` | heartbeats and downtimes |
//! | `administration.rs` | what administrators do, beside running servers |

mod acquaintances;
mod administration;
mod archive;
mod bots;
mod bounded;
mod bulk;
mod challenges;
mod conditional;
mod correspondence;
mod database;
mod erasure;
mod explored;
mod file;
mod games;
mod heartbeat;
mod mails;
mod migrations;
mod ownership;
mod passkeys;
mod players;
mod profiles;
mod pushes;
mod puzzles;
mod ratings;
mod readers;
mod rebuild;
mod reports;
mod reviews;
mod rows;
mod sessions;
#[cfg(test)]
mod shares;
mod talk;
mod tokens;
mod turns;
mod waiting;
mod workers;
mod writer;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::MigrateError;

pub(crate) use acquaintances::{Relation, RelationChange};
pub use administration::{Account, Administration, AdministrationError, MAX_BANNER_LENGTH};
pub(crate) use archive::{ArchiveCursor, ArchiveFilter, MAX_SEARCHED, RatingFilter};
pub(crate) use challenges::{Accepted, Added, ChallengeLimits};
pub(crate) use conditional::ConditionalChange;
pub(crate) use correspondence::{Interval, VacationChange};
pub(crate) use explored::{Count, ExploredRow, PlayedGame, Turn};
pub use file::{BackupReport, back_up, check_backup, restore};
pub(crate) use games::{Cursor, EngineBusy, EngineLimits, NewGame};
pub(crate) use heartbeat::{MAX_CLOCK_DIFFERENCE, POSTGRES_TIME};
pub(crate) use mails::{MailAddressRow, MailLinkRow, MailQuota, MailRow};
pub(crate) use ownership::Ownership;
pub(crate) use passkeys::NewPasskeyRow;
pub(crate) use players::NewAccount;
pub(crate) use profiles::{ResultRow, Seen};
pub(crate) use puzzles::SolvedRow;
pub(crate) use ratings::{CountedGame, HistoryRow, LeaderboardCursor};
pub use rebuild::{RebuildReport, rebuild_ratings};
pub use reports::Report;
pub(crate) use reviews::{Asked, QueueLimits};
pub(crate) use rows::{
    Authenticated, ChallengeRow, GameRow, PasswordHash, PlayerRow, PushRow, Snapshot,
};
pub(crate) use sessions::NewSession;
pub(crate) use talk::{Muted, ReportRow, Said};
pub(crate) use tokens::TokenAdded;
pub(crate) use waiting::{Match, PlaceChanges, Queue, Seek};
pub use workers::Worker;
pub(crate) use workers::WorkerRow;
pub(crate) use writer::{Commit, Committed};

use database::{Bounds, Database, Durability, POOL_TIMEOUT};
use erasure::Erasure;

use crate::tasks::RunningTask;

/// How long one round of a background task may take.
const TASK_TIMEOUT: Duration = Duration::from_secs(8);

/// The database.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    database: Database,
    writer: writer::Writer,
    erasure: Erasure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sqlite,
    Postgres,
}

/// Why a database operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached, or has failed. Whether a write was committed is not known.
    #[error("the database does not answer: {0}")]
    Database(#[from] sqlx::Error),
    /// Others are writing, and it did not become this writer's turn.
    #[error("the database is busy")]
    Busy,
    /// A migration failed.
    #[error("the database cannot be migrated: {0}")]
    Migration(MigrateError),
    /// A newer program has migrated it.
    #[error(
        "the database has schema {found}, and this program knows only schema {known}: a newer version of \
         Stoa has used it. Start that version, or restore a backup from before the upgrade"
    )]
    Newer {
        /// The schema of the database.
        found: i64,
        /// The newest schema that this program knows.
        known: i64,
    },
    /// It holds data that this program does not understand.
    #[error("the database holds data that this program does not understand: {0}")]
    Corrupt(String),
    /// Something could not be written as JSON.
    #[error("cannot write as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Only SQLite can do this.
    #[error(
        "this is for SQLite; a Postgres database is backed up with pg_dump and restored with pg_restore"
    )]
    NotSqlite,
    /// A file cannot be read or written.
    #[error("cannot {what}: {why}")]
    File {
        /// What was attempted.
        what: String,
        /// What the system says.
        why: std::io::Error,
    },
    /// There is no database where one should be.
    #[error("there is no database {0}")]
    Missing(String),
    /// A file is not what it should be.
    #[error("{file} is not a usable database of Stoa: {why}")]
    Unusable {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// Another process uses the database.
    #[error("{0} is in use; stop the server first")]
    InUse(String),
    /// Another server uses the database.
    #[error(
        "another server uses {0}; with SQLite there can be only one server; to run several, use Postgres and NATS"
    )]
    Owned(String),
    /// The database file is no longer where it was.
    #[error(
        "{0} was moved away or replaced while the server used it; nothing is written until it is back"
    )]
    Replaced(String),
    /// The clock of this machine is this many milliseconds ahead of the database's, or behind it.
    #[error(
        "the clock of this machine is {} s {} that of the database: put it right, or the other; until then \
         this node judges no game", .0.abs() / 1000, if *.0 > 0 { "ahead of" } else { "behind" }
    )]
    Clock(i64),
    /// The address is not that of a supported database.
    #[error(
        "{0} is not the address of a database: write a file's name, sqlite:FILE or postgres://…"
    )]
    Address(String),
}

impl Store {
    /// Opens a database and migrates it. A missing SQLite file is created, readable by its owner alone.
    pub(crate) async fn open(address: &str) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let kind = Kind::of(address)?;
        let options = |access| {
            AnyConnectOptions::from_str(&kind.url(address, access))
                .map_err(|_| StoreError::Address(without_password(address)))
        };
        let creating = options(Access::Create)?;
        if kind == Kind::Sqlite {
            file::protect(&kind.file(address))?;
        }
        migrate(kind, &creating).await?;
        // From here on a missing file is one that was moved away, and no connection may put an empty one there.
        let database = Database::open(kind, options(Access::Existing)?, address).await?;
        let erasure = Erasure::new(database.clone());
        let writer = writer::Writer::start(database.clone(), erasure.clone());
        let store = Store { database, writer, erasure };
        store.complete_skeletons().await?;
        Ok(store)
    }

    /// Waits for a query, though not for ever: a connection may be silently dead. To be used where others wait
    /// for the result.
    pub(crate) async fn answered<T>(
        &self,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.database.answered(answer).await
    }

    /// Does something that takes several statements, or gives it up: a background task must not wait for ever
    /// for a connection that is dead without anybody having said so.
    pub(crate) async fn in_time<T>(
        &self,
        task: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        tokio::time::timeout(TASK_TIMEOUT, task).await.unwrap_or(Err(StoreError::Busy))
    }

    /// Its background tasks, for whoever asks first: as long as it is open, they do not end.
    pub(crate) fn take_tasks(&self) -> Vec<RunningTask> {
        self.writer.take_tasks()
    }

    /// Finishes queued writes and closes the database.
    pub(crate) async fn close(&self) {
        self.writer.finish().await;
        if let Err(error) = self.in_time(self.erasure.finish()).await {
            tracing::warn!(%error, "deleted data is erased from the log at the next start");
        }
        self.database.close().await;
    }
}

/// Brings a database up to date.
async fn migrate(kind: Kind, options: &AnyConnectOptions) -> Result<(), StoreError> {
    let pool = AnyPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(POOL_TIMEOUT)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                for statement in kind.writer_settings().iter().chain(kind.migration_settings()) {
                    sqlx::query(*statement).execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
        .connect_with(options.clone())
        .await;
    let pool = match pool {
        Ok(pool) => pool,
        Err(sqlx::Error::PoolTimedOut) => return Err(why_unreachable(kind, options).await),
        Err(error) => return Err(error.into()),
    };
    let migrated = migrations::all().run(&pool).await;
    pool.close().await;
    migrated.map_err(|error| match error {
        MigrateError::VersionMissing(found) if found > migrations::NEWEST => {
            StoreError::Newer { found, known: migrations::NEWEST }
        }
        error => StoreError::Migration(error),
    })
}

/// Why no connection could be had: the pool tries again and again, and does not say.
async fn why_unreachable(kind: Kind, options: &AnyConnectOptions) -> StoreError {
    let tried = database::connect(options, kind.writer_settings());
    match tokio::time::timeout(POOL_TIMEOUT, tried).await {
        Ok(Err(error)) => error,
        _ => StoreError::Database(sqlx::Error::PoolTimedOut),
    }
}

/// The newest schema that this program knows.
pub(crate) const NEWEST_SCHEMA: i64 = migrations::NEWEST;

/// Where a database is.
#[derive(Debug)]
pub(crate) struct DatabaseLocation {
    /// By which an existing one is opened.
    pub(crate) url: String,
    pub(crate) kind: DatabaseKind,
}

/// What kind of database it is.
#[derive(Debug)]
pub(crate) enum DatabaseKind {
    /// A file.
    Sqlite(PathBuf),
    /// A server.
    Postgres,
}

/// Where the database with this address is.
pub(crate) fn location(address: &str) -> Result<DatabaseLocation, StoreError> {
    let kind = Kind::of(address)?;
    let url = kind.url(address, Access::Existing);
    let kind = match kind {
        Kind::Sqlite => DatabaseKind::Sqlite(kind.file(address)),
        Kind::Postgres => DatabaseKind::Postgres,
    };
    Ok(DatabaseLocation { url, kind })
}

/// How an SQLite file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// A missing file is created.
    Create,
    /// A missing file is an error.
    Existing,
}

impl Kind {
    fn of(address: &str) -> Result<Kind, StoreError> {
        match address.split_once(':') {
            Some(("postgres" | "postgresql", _)) => Ok(Kind::Postgres),
            Some(("sqlite", _)) | None => Ok(Kind::Sqlite),
            // A drive letter of Windows, or a file with a colon in its name.
            Some((scheme, _)) if scheme.len() == 1 || scheme.contains(['/', '.']) => {
                Ok(Kind::Sqlite)
            }
            Some(_) => Err(StoreError::Address(without_password(address))),
        }
    }

    fn url(self, address: &str, access: Access) -> String {
        match self {
            Kind::Postgres => address.to_owned(),
            Kind::Sqlite => {
                let (file, vfs) = split(address);
                let file = file.replace('%', "%25").replace('?', "%3f");
                let mode = if access == Access::Create { "rwc" } else { "rw" };
                let vfs = vfs.map_or(String::new(), |vfs| format!("&vfs={vfs}"));
                format!("sqlite://{file}?mode={mode}{vfs}")
            }
        }
    }

    /// The file of an SQLite database.
    fn file(self, address: &str) -> PathBuf {
        PathBuf::from(split(address).0)
    }

    /// The connections of a pool, beside those for what is urgent.
    fn connections(self) -> u32 {
        match self {
            Kind::Sqlite => 5,
            Kind::Postgres => 6,
        }
    }

    /// The settings of a connection that writes. With a write-ahead log readers never wait for the writer,
    /// and a commit is on the disk when it returns.
    fn writer_settings(self) -> &'static [&'static str] {
        match self {
            Kind::Sqlite => &[
                "PRAGMA busy_timeout = 5000",
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL",
                "PRAGMA foreign_keys = ON",
                // What is deleted is overwritten.
                "PRAGMA secure_delete = ON",
                // A commit that makes the log this long, 128 MB, must run a checkpoint, and everyone waits for
                // that; if the disk is quick enough, the background checkpoint comes first.
                "PRAGMA wal_autocheckpoint = 32000",
                // What a commit changes is in many places. In KiB; the system caches the file as well.
                "PRAGMA cache_size = -8000",
            ],
            Kind::Postgres => &[
                "SET statement_timeout = '10s'",
                "SET lock_timeout = '5s'",
                // Of a node that is gone in the middle of a transaction: nobody waits for its locks for long.
                "SET idle_in_transaction_session_timeout = '3s'",
            ],
        }
    }

    /// What a connection that migrates needs besides, and nobody else may have: a migration takes as long as it
    /// takes. Tables of millions of rows are dropped by it, and other nodes wait while their pages are
    /// overwritten, so a migration that deletes what people wrote must overwrite it itself.
    fn migration_settings(self) -> &'static [&'static str] {
        match self {
            Kind::Sqlite => &["PRAGMA secure_delete = FAST"],
            Kind::Postgres => &["SET statement_timeout = 0", "SET lock_timeout = '60s'"],
        }
    }

    /// The settings of a connection that reads.
    fn reader_settings(self) -> &'static [&'static str] {
        match self {
            Kind::Sqlite => &[
                "PRAGMA busy_timeout = 5000",
                "PRAGMA query_only = ON",
                // In KiB. A reader forgets its pages whenever somebody has written, so a larger cache holds
                // memory and saves nothing.
                "PRAGMA cache_size = -512",
            ],
            Kind::Postgres => {
                &["SET statement_timeout = '10s'", "SET default_transaction_read_only = on"]
            }
        }
    }

    /// How long the answer to a statement may take. The disk of an SQLite database may be slow; a Postgres
    /// server that has not answered for this long may be gone, and another connection is tried.
    fn answer_timeout(self) -> Duration {
        match self {
            Kind::Sqlite => Duration::from_secs(15),
            Kind::Postgres => Duration::from_secs(3),
        }
    }

    /// How long the answer to any statement may take, apart from migrations. Postgres ends statements before that, so a
    /// connection without an answer is dead. SQLite answers, however slow the disk is.
    fn longest_answer(self) -> Option<Duration> {
        match self {
            Kind::Sqlite => None,
            Kind::Postgres => Some(Duration::from_secs(15)),
        }
    }

    /// How many rows one statement may change that nodes must lock in the same order. Postgres locks the rows
    /// of a statement in whatever order it finds them in, so two nodes could wait for each other.
    fn rows_in_order(self) -> usize {
        match self {
            Kind::Sqlite => bulk::MAX_ROWS,
            Kind::Postgres => 1,
        }
    }

    /// How a transaction that writes begins and ends. In SQLite it takes the write lock at once: a reader
    /// that becomes a writer later can fail because the database is busy.
    fn bounds(self, durability: Durability) -> Bounds {
        match (self, durability) {
            (Kind::Sqlite, Durability::Synced) => {
                Bounds { begin: "BEGIN IMMEDIATE", commit: "COMMIT", roll_back: "ROLLBACK" }
            }
            (Kind::Sqlite, Durability::Unsynced) => Bounds {
                begin: "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE",
                commit: "COMMIT; PRAGMA synchronous = FULL",
                roll_back: "ROLLBACK; PRAGMA synchronous = FULL",
            },
            (Kind::Postgres, Durability::Synced) => {
                Bounds { begin: "BEGIN", commit: "COMMIT", roll_back: "ROLLBACK" }
            }
            (Kind::Postgres, Durability::Unsynced) => Bounds {
                begin: "BEGIN; SET LOCAL synchronous_commit = off",
                commit: "COMMIT",
                roll_back: "ROLLBACK",
            },
        }
    }
}

/// The file of an SQLite address, and the virtual file system that is to be used for it, if one is named.
fn split(address: &str) -> (&str, Option<&str>) {
    let file = address.strip_prefix("sqlite:").unwrap_or(address);
    let file = file.strip_prefix("//").unwrap_or(file);
    match file.rsplit_once("?vfs=") {
        Some((file, vfs)) => (file, Some(vfs)),
        None => (file, None),
    }
}

/// The address without the password, to be shown.
pub(crate) fn without_password(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://…@{place}"),
        _ => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_shown_without_passwords() {
        for file in ["stoa.db", "/var/lib/stoa.db", "sqlite:stoa.db", "C:\\stoa.db", "./a:b.db"] {
            assert_eq!(Kind::of(file).unwrap(), Kind::Sqlite, "{file}");
        }
        assert_eq!(Kind::of("postgres://u:p@h/d").unwrap(), Kind::Postgres);
        assert!(Kind::of("mysql://u:p@h/d").unwrap_err().to_string().contains("mysql://…@h/d"));
        assert_eq!(without_password("postgres://me:pass@word@host/db"), "postgres://…@host/db");
        assert_eq!(without_password("stoa.db"), "stoa.db");
        let url = |address, access| Kind::Sqlite.url(address, access);
        assert_eq!(url("sqlite:///a/b?.db", Access::Create), "sqlite:///a/b%3f.db?mode=rwc");
        assert_eq!(url("a.db?vfs=x", Access::Existing), "sqlite://a.db?mode=rw&vfs=x");
    }
}
