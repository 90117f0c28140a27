//! Ratings computed again from the games.

use std::collections::{BTreeMap, HashMap};

use futures_util::TryStreamExt;
use sqlx::Row;
use stoa_rules::Side;

use super::ratings::{
    ChangeRow, FinishedGame, count_games, lock_order, write_changes, write_standing,
};
use super::{Store, StoreError};
use crate::ratings::Standing;

/// How many games are counted at a time that had not counted yet.
const COUNT_BATCH: i64 = 256;

/// The result of computing all ratings again.
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
            let counted = count_games(self.database.write().await?, COUNT_BATCH).await?.len();
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
        write_changes(&mut transaction, &changes).await?;
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use stoa_rules::playout::Rng;

    use super::*;

    const PLAYERS: u64 = 300;

    /// Stores finished games with random players, results and times, all in one transaction.
    async fn play(store: &Store, games: std::ops::Range<usize>, rng: &mut Rng) {
        let mut transaction = store.database.write().await.expect("a transaction");
        for game in games {
            let first = rng.below(PLAYERS as usize);
            let second = (first + 1 + rng.below(PLAYERS as usize - 1)) % PLAYERS as usize;
            let category = ["impasse live", "impasse correspondence", "columna live"][rng.below(3)];
            let winner = [Some("first"), Some("second"), None][rng.below(3)];
            // Several end at the same time, and a node's clock may be behind.
            let ended = 1_790_000_000_000 + 40_000 * (game as i64) - rng.below(90_000) as i64;
            sqlx::query(
                "INSERT INTO games (id, game, control, first, second, created, version, updated, ply, \
                 position, status, winner, reason, rated, category, ended) \
                 VALUES ($1, 'impasse', '{}', $2, $3, 0, 1, $4, 9, '', 'over', $5, 'resigned', 1, $6, $4)",
            )
            .bind(format!("g{game}"))
            .bind(format!("p{first}"))
            .bind(format!("p{second}"))
            .bind(ended)
            .bind(winner)
            .bind(category)
            .execute(&mut *transaction)
            .await
            .expect("a game");
        }
        transaction.commit().await.expect("games");
    }

    async fn players(store: &Store) {
        let mut transaction = store.database.write().await.expect("a transaction");
        for player in 0..PLAYERS {
            sqlx::query(
                "INSERT INTO players (id, name, kind, epoch, created, seen) \
                 VALUES ($1, $1, 'account', 0, 0, 0)",
            )
            .bind(format!("p{player}"))
            .execute(&mut *transaction)
            .await
            .expect("a player");
        }
        transaction.commit().await.expect("players");
    }

    async fn all_ratings(store: &Store) -> Vec<(String, Vec<u64>)> {
        let rows = sqlx::query("SELECT * FROM ratings ORDER BY player, category")
            .fetch_all(store.database.readers())
            .await
            .expect("ratings");
        let read = |row: &sqlx::any::AnyRow| {
            let name =
                format!("{} {}", row.get::<String, _>("player"), row.get::<String, _>("category"));
            let numbers = ["rating", "deviation", "volatility"];
            (name, numbers.map(|column| row.get::<f64, _>(column).to_bits()).to_vec())
        };
        rows.iter().map(read).collect()
    }

    /// Games are counted by several tasks while others end, and computed again. `STOA_RATED_GAMES=100000` says
    /// how many games, and how long it took is printed.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn counting_at_the_same_time_and_again_gives_the_same() {
        let wanted = std::env::var("STOA_RATED_GAMES").ok().and_then(|text| text.parse().ok());
        let count: usize = wanted.unwrap_or(600);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let other = Store::open(&file).await.expect("the same database");
        let mut rng = Rng::new(7);
        players(&store).await;
        play(&store, 0..count / 2, &mut rng).await;
        let mut counters = tokio::task::JoinSet::new();
        for store in [&store, &other, &store, &other] {
            let store = store.clone();
            counters.spawn(async move {
                let mut counted = 0;
                while store.has_uncounted_games().await.expect("an answer") {
                    counted += store.count_games(37).await.expect("counted").len();
                }
                counted
            });
        }
        play(&store, count / 2..count, &mut rng).await;
        let mut counted = 0;
        while let Some(done) = counters.join_next().await {
            counted += done.expect("a task");
        }
        // Those that came after the last task had ended.
        while store.has_uncounted_games().await.expect("an answer") {
            counted += store.count_games(37).await.expect("counted").len();
        }
        let before = all_ratings(&store).await;
        let began = Instant::now();
        let report = store.rebuild_ratings().await.expect("ratings");
        println!("{count} games computed again in {:?}", began.elapsed());
        assert_eq!(counted, count, "each once");
        assert_eq!((report.games, report.changed, report.newly_counted), (count, 0, 0));
        assert_eq!(all_ratings(&store).await, before);
        other.close().await;
        store.close().await;
    }
}
