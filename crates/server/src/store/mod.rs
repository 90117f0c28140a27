//! The database: players, challenges and games, in SQLite or in Postgres.
//!
//! Both understand the same statements, so each is written once and runs through sqlx's `Any`. Whatever
//! the two disagree about is in this file.
//!
//! | file | what |
//! |---|---|
//! | `rows.rs` | rows as types |
//! | `games.rs` | games and their lists |
//! | `challenges.rs` | challenges, and how one becomes a game |
//! | `players.rs` | players and their accounts |
//! | `tokens.rs` | API tokens |
//! | `pushes.rs` | Web Push subscriptions |
//! | `writer.rs` | the writer task: group commit of game events |
//! | `bots.rs` | bots |
//! | `heartbeat.rs` | heartbeats and downtimes |

mod bots;
mod challenges;
mod games;
mod heartbeat;
mod migrations;
mod players;
mod pushes;
mod rows;
mod tokens;
mod writer;

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::AnyPool;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};

pub(crate) use challenges::Accepted;
pub(crate) use games::NewGame;
pub(crate) use rows::{
    Authenticated, ChallengeRow, GameRow, PasswordHash, PlayerRow, PushRow, Snapshot,
};
use writer::WriteLock;
pub(crate) use writer::{Commit, Committed};

/// How long a statement may wait for a connection of the pool.
const POOL_TIMEOUT: Duration = Duration::from_secs(5);

/// The database.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    pool: AnyPool,
    kind: Kind,
    writer: writer::Writer,
    write_lock: WriteLock,
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
    /// A migration failed.
    #[error("the database cannot be migrated: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// It holds data that this program does not understand.
    #[error("the database holds data that this program does not understand: {0}")]
    Corrupt(String),
    /// Something could not be written as JSON.
    #[error("cannot write as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Only SQLite can do this.
    #[error("a Postgres database is backed up with pg_dump")]
    NotSqlite,
    /// The address is not that of a supported database.
    #[error(
        "{0} is not the address of a database: write a file's name, sqlite:FILE or postgres://…"
    )]
    Address(String),
}

impl Store {
    /// Opens a database and migrates it. A missing SQLite file is created.
    pub(crate) async fn open(address: &str) -> Result<Store, StoreError> {
        sqlx::any::install_default_drivers();
        let kind = Kind::of(address)?;
        let options = AnyConnectOptions::from_str(&kind.url(address))
            .map_err(|_| StoreError::Address(without_password(address)))?;
        let pool = AnyPoolOptions::new()
            .max_connections(kind.connections())
            .acquire_timeout(POOL_TIMEOUT)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    for statement in kind.session_settings() {
                        sqlx::query(*statement).execute(&mut *connection).await?;
                    }
                    Ok(())
                })
            })
            .connect_with(options)
            .await?;
        migrations::all().run(&pool).await?;
        let write_lock = WriteLock::new(kind);
        let writer = writer::Writer::start(pool.clone(), kind, write_lock.clone());
        Ok(Store { pool, kind, writer, write_lock })
    }

    /// Whether the database answers.
    pub(crate) async fn is_healthy(&self) -> bool {
        let asked = sqlx::query("SELECT 1").execute(&self.pool);
        matches!(tokio::time::timeout(POOL_TIMEOUT, asked).await, Ok(Ok(_)))
    }

    /// Copies an SQLite database to a new file while it is in use.
    pub(crate) async fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        if self.kind == Kind::Postgres {
            return Err(StoreError::NotSqlite);
        }
        let to = to.to_string_lossy().into_owned();
        sqlx::query("VACUUM INTO $1").bind(to).execute(&self.pool).await?;
        Ok(())
    }

    /// Finishes queued writes and closes the database.
    pub(crate) async fn close(&self) {
        self.writer.finish().await;
        self.pool.close().await;
    }
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

    fn url(self, address: &str) -> String {
        match self {
            Kind::Postgres => address.to_owned(),
            Kind::Sqlite => {
                let file = address.strip_prefix("sqlite:").unwrap_or(address);
                let file = file.strip_prefix("//").unwrap_or(file);
                format!("sqlite://{}?mode=rwc", file.replace('%', "%25").replace('?', "%3f"))
            }
        }
    }

    fn connections(self) -> u32 {
        match self {
            Kind::Sqlite => 6,
            Kind::Postgres => 12,
        }
    }

    /// The settings of a new connection. With a write-ahead log readers never wait for the writer, and a
    /// commit is on the disk when it returns.
    fn session_settings(self) -> &'static [&'static str] {
        match self {
            Kind::Sqlite => &[
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL",
                "PRAGMA busy_timeout = 5000",
                "PRAGMA foreign_keys = ON",
                // A commit that makes the log this long must run a checkpoint, and everyone waits for that;
                // in most cases the background checkpoint comes first.
                "PRAGMA wal_autocheckpoint = 8000",
            ],
            Kind::Postgres => &["SET statement_timeout = '10s'", "SET lock_timeout = '5s'"],
        }
    }

    /// How a transaction that writes begins. In SQLite it takes the write lock at once: a reader that
    /// becomes a writer later can fail because the database is busy.
    fn begin(self) -> &'static str {
        match self {
            Kind::Sqlite => "BEGIN IMMEDIATE",
            Kind::Postgres => "BEGIN",
        }
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
    fn addresses_are_told_apart_and_shown_without_passwords() {
        for file in ["stoa.db", "/var/lib/stoa.db", "sqlite:stoa.db", "C:\\stoa.db", "./a:b.db"] {
            assert_eq!(Kind::of(file).unwrap(), Kind::Sqlite, "{file}");
        }
        assert_eq!(Kind::of("postgres://u:p@h/d").unwrap(), Kind::Postgres);
        assert!(Kind::of("mysql://u:p@h/d").unwrap_err().to_string().contains("mysql://…@h/d"));
        assert_eq!(without_password("postgres://me:pass@word@host/db"), "postgres://…@host/db");
        assert_eq!(without_password("stoa.db"), "stoa.db");
        assert_eq!(Kind::Sqlite.url("sqlite:///a/b?.db"), "sqlite:///a/b%3f.db?mode=rwc");
    }
}
