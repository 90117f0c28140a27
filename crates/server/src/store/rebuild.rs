//! Ratings computed again from the games.

use std::collections::{BTreeMap, HashMap};

use futures_util::TryStreamExt;
use sqlx::Row;
use stoa_rules::Side;

use super::ratings::{ChangeRow, FinishedGame, lock_order, write_changes, write_standing};
use super::{Store, StoreError};
use crate::ratings::Standing;

/// How many rows one statement writes; SQLite has a limit on the number of values.
const MAX_ROWS: usize = 90;
/// How many games are counted at a time that had not counted yet.
const COUNT_BATCH: i64 = 256;

/// What computing all ratings again has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RebuildReport {
    /// The games that count.
    pub games: usize,
    /// The ratings: one for each player and category.
    pub ratings: usize,
    /// Ratings that were not there before, or not the same to the last bit.
    pub changed: usize,
    /// Games that had ended and not counted yet.
    pub newly_counted: usize,
}

/// Computes all ratings of a database again, from the games in the order in which they counted. A server may
/// be running; with SQLite its moves wait meanwhile.
///
/// # Errors
/// If the database cannot be read or written. Then nothing has changed.
pub async fn rebuild_ratings(database: &str) -> Result<RebuildReport, StoreError> {
    let store = Store::open(database).await?;
    let report = store.rebuild_ratings().await;
    store.close().await;
    report
}

type Standings = BTreeMap<(String, String), Standing>;

impl Store {
    pub(crate) async fn rebuild_ratings(&self) -> Result<RebuildReport, StoreError> {
        let mut newly_counted = 0;
        loop {
            let counted = self.count_games(COUNT_BATCH).await?.len();
            newly_counted += counted;
            if counted == 0 {
                break;
            }
        }
        let mut transaction = self.database.write().await?;
        lock_order(&mut transaction).await?;
        let mut known = HashMap::new();
        for row in sqlx::query("SELECT * FROM ratings").fetch_all(&mut *transaction).await? {
            let key: (String, String) = (row.try_get("player")?, row.try_get("category")?);
            known.insert(key, Standing::read(&row)?);
        }
        let mut games = Vec::new();
        {
            let mut rows = sqlx::query(
                "SELECT id, category, first, second, winner, ended, counted FROM games \
                 WHERE counted IS NOT NULL ORDER BY counted",
            )
            .fetch(&mut *transaction);
            while let Some(row) = rows.try_next().await? {
                let counted: i64 = row.try_get("counted")?;
                games.push((counted, FinishedGame::read(&row)?));
            }
        }
        let (standings, changes) = compute(&games);
        for table in ["DELETE FROM rating_changes", "DELETE FROM ratings"] {
            sqlx::query(table).execute(&mut *transaction).await?;
        }
        for rows in changes.chunks(MAX_ROWS) {
            write_changes(&mut transaction, rows).await?;
        }
        let mut changed = 0;
        for ((player, category), standing) in &standings {
            let before = known.get(&(player.clone(), category.clone()));
            changed += usize::from(!before.is_some_and(|before| before.is_same(standing)));
            write_standing(&mut transaction, player, category, standing).await?;
        }
        transaction.commit().await?;
        Ok(RebuildReport { games: games.len(), ratings: standings.len(), changed, newly_counted })
    }
}

/// The ratings that games in this order lead to, and what each game did.
fn compute(games: &[(i64, FinishedGame)]) -> (Standings, Vec<ChangeRow>) {
    let mut standings = Standings::new();
    let mut changes = Vec::with_capacity(2 * games.len());
    for (counted, game) in games {
        let keys = game.players.each_ref().map(|player| (player.clone(), game.category.clone()));
        let before =
            keys.each_ref().map(|key| standings.get(key).copied().unwrap_or(Standing::START));
        let after = Standing::after_game(before, game.winner, game.ended);
        for (side, key) in Side::BOTH.into_iter().zip(keys) {
            let at = side.index();
            changes.push(ChangeRow::new(game, *counted, side, before[at], after[at]));
            standings.insert(key, after[at]);
        }
    }
    (standings, changes)
}

impl Standing {
    /// Whether two are the same to the last bit.
    fn is_same(&self, other: &Standing) -> bool {
        let bits = |standing: &Standing| {
            let strength = standing.strength;
            [strength.rating, strength.deviation, strength.volatility].map(f64::to_bits)
        };
        self == other && bits(self) == bits(other)
    }
}
