//! The database of a server, read beside it.

use std::collections::BTreeMap;
use std::future::Future;

use anyhow::{Context, Result};
use sqlx::{AnyConnection, Connection, Row};

/// A database.
#[derive(Debug)]
pub(super) struct Database {
    url: String,
    runtime: tokio::runtime::Runtime,
}

/// A game as it is stored, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GameRow {
    /// How many events the game's row says it has, and how many there are.
    pub(super) version: i64,
    pub(super) events: i64,
    pub(super) is_archived: bool,
    /// Its place among the games that have counted for ratings.
    pub(super) counted: Option<i64>,
}

/// A review as it is stored, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReviewRow {
    pub(super) state: String,
    pub(super) attempts: i64,
}

/// Everything from which ratings are shown, to the last bit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RatingTables {
    pub(super) ratings: Vec<String>,
    pub(super) changes: Vec<String>,
}

impl Database {
    /// A database by its address or its file.
    pub(super) fn new(place: &str) -> Result<Database> {
        sqlx::any::install_default_drivers();
        let is_address = place.starts_with("postgres://");
        let url = if is_address { place.to_owned() } else { format!("sqlite://{place}") };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Ok(Database { url, runtime: runtime.context("cannot start")? })
    }

    /// Reads with a connection of its own: the server may have been restarted since the last time.
    fn read<T, F: Future<Output = sqlx::Result<T>>>(
        &self,
        read: impl FnOnce(AnyConnection) -> F,
    ) -> Result<T> {
        let read = async { read(AnyConnection::connect(&self.url).await?).await };
        self.runtime.block_on(read).context("cannot read the database")
    }

    /// The jobs that a worker has leased: their games, and how often they were taken.
    pub(super) fn leases(&self, worker: &str) -> Result<Vec<(String, i64)>> {
        self.read(|mut connection| async move {
            let rows = sqlx::query(
                "SELECT game, attempts FROM reviews WHERE worker = $1 AND state = 'running'",
            )
            .bind(worker)
            .fetch_all(&mut connection)
            .await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })
    }

    /// How many finished games are not counted yet, by the explorer and for ratings together.
    pub(super) fn uncounted(&self) -> Result<i64> {
        self.read(|mut connection| async move {
            let row = sqlx::query(
                "SELECT (SELECT COUNT(*) FROM uncounted) + (SELECT COUNT(*) FROM games \
                 WHERE rated = 1 AND status = 'over' AND ply >= 2 AND counted IS NULL)",
            )
            .fetch_one(&mut connection)
            .await?;
            row.try_get(0)
        })
    }

    /// All games.
    pub(super) fn games(&self) -> Result<BTreeMap<String, GameRow>> {
        self.read(|mut connection| async move {
            let rows = sqlx::query(
                "SELECT id, version, counted, (SELECT COUNT(*) FROM events WHERE game = games.id), \
                 (SELECT COUNT(*) FROM archive WHERE archive.id = games.id) FROM games",
            )
            .fetch_all(&mut connection)
            .await?;
            let read = |row: &sqlx::any::AnyRow| {
                let game = GameRow {
                    version: row.try_get(1)?,
                    counted: row.try_get(2)?,
                    events: row.try_get(3)?,
                    is_archived: row.try_get::<i64, _>(4)? > 0,
                };
                Ok((row.try_get(0)?, game))
            };
            rows.iter().map(read).collect()
        })
    }

    /// All reviews, by game.
    pub(super) fn reviews(&self) -> Result<BTreeMap<String, ReviewRow>> {
        self.read(|mut connection| async move {
            let rows = sqlx::query("SELECT game, state, attempts FROM reviews")
                .fetch_all(&mut connection)
                .await?;
            let read = |row: &sqlx::any::AnyRow| {
                Ok((
                    row.try_get(0)?,
                    ReviewRow { state: row.try_get(1)?, attempts: row.try_get(2)? },
                ))
            };
            rows.iter().map(read).collect()
        })
    }

    /// All ratings.
    pub(super) fn ratings(&self) -> Result<RatingTables> {
        self.read(|mut connection| async move {
            let ratings = sqlx::query(
                "SELECT player, category, rating, deviation, volatility, wins, losses, draws, at, \
                 sure_until FROM ratings ORDER BY player, category",
            )
            .fetch_all(&mut connection)
            .await?;
            let changes = sqlx::query(
                "SELECT game, player, category, rating_before, rating_after, deviation_after, counted, \
                 at, provisional_before, provisional_after FROM rating_changes ORDER BY game, player",
            )
            .fetch_all(&mut connection)
            .await?;
            Ok(RatingTables {
                ratings: ratings.iter().map(|row| bits(row, 2)).collect::<sqlx::Result<_>>()?,
                changes: changes.iter().map(|row| bits(row, 3)).collect::<sqlx::Result<_>>()?,
            })
        })
    }
}

/// A row of some words, three floating-point numbers and then whole ones, to the last bit.
fn bits(row: &sqlx::any::AnyRow, words: usize) -> sqlx::Result<String> {
    let mut text = String::new();
    for column in 0..row.len() {
        text += &match column {
            word if word < words => row.try_get::<String, _>(word)?,
            number if number < words + 3 => {
                let number: f64 = row.try_get(number)?;
                format!("{number}={:016x}", number.to_bits())
            }
            whole => row.try_get::<i64, _>(whole)?.to_string(),
        };
        text.push(' ');
    }
    Ok(text)
}
