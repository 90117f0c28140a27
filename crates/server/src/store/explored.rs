//! What was played from positions: numbers for each move, and the queue of games that are not counted yet.

use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::challenges::lock_player;
use super::{Store, StoreError};

/// How many rows one statement adds.
const MAX_ROWS: usize = 50;
/// How many moves of a position are read. No position of any game has this many that are not the same but
/// for a symmetry, and were played.
const MAX_MOVES: i64 = 1000;

/// A result for the side that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Count {
    Won,
    Drawn,
    Lost,
}

/// A move that was played once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn {
    /// Whose moves it counts among.
    pub(crate) scope: String,
    /// The folded key of the position.
    pub(crate) position: i64,
    /// The folded move.
    pub(crate) text: String,
    pub(crate) count: Count,
}

/// The numbers of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExploredRow {
    pub(crate) text: String,
    pub(crate) won: i64,
    pub(crate) drawn: i64,
    pub(crate) lost: i64,
    pub(crate) game: String,
}

impl Store {
    /// Games that are not counted yet, those that ended first first.
    pub(crate) async fn uncounted(&self, limit: i64) -> Result<Vec<(i64, String)>, StoreError> {
        let rows = sqlx::query("SELECT ended, game FROM uncounted ORDER BY ended, game LIMIT $1")
            .bind(limit)
            .fetch_all(self.database.readers())
            .await?;
        rows.iter().map(|row| Ok((row.try_get("ended")?, row.try_get("game")?))).collect()
    }

    /// Counts the moves of a game. False if that was done already; the commit decides. The turns of players
    /// who have been deleted meanwhile are not counted as theirs.
    pub(crate) async fn count_turns(
        &self,
        (ended, game): &(i64, String),
        mut turns: Vec<Turn>,
        mut players: Vec<&str>,
    ) -> Result<bool, StoreError> {
        // Every node locks rows in the same order, to avoid deadlocks; and no row is changed twice.
        turns.sort();
        turns.dedup_by(|a, b| (&a.scope, a.position, &a.text) == (&b.scope, b.position, &b.text));
        players.sort_unstable();
        let mut transaction = self.database.write().await?;
        let taken = sqlx::query("DELETE FROM uncounted WHERE ended = $1 AND game = $2")
            .bind(ended)
            .bind(game)
            .execute(&mut *transaction)
            .await?;
        if taken.rows_affected() == 0 {
            transaction.roll_back().await?;
            return Ok(false);
        }
        for player in players {
            if !lock_player(&mut transaction, player).await? {
                turns.retain(|turn| turn.scope != player);
            }
        }
        for some in turns.chunks(MAX_ROWS) {
            add(&mut transaction, some, game).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// The moves that were played from a position, with their numbers.
    pub(crate) async fn explored(
        &self,
        scope: &str,
        position: i64,
    ) -> Result<Vec<ExploredRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT move, won, drawn, lost, game FROM explored \
             WHERE scope = $1 AND position = $2 LIMIT $3",
        )
        .bind(scope)
        .bind(position)
        .bind(MAX_MOVES)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &sqlx::any::AnyRow| {
            Ok(ExploredRow {
                text: row.try_get("move")?,
                won: row.try_get("won")?,
                drawn: row.try_get("drawn")?,
                lost: row.try_get("lost")?,
                game: row.try_get("game")?,
            })
        };
        rows.iter().map(read).collect()
    }
}

async fn add(connection: &mut AnyConnection, turns: &[Turn], game: &str) -> Result<(), StoreError> {
    let rows: Vec<String> = (0..turns.len())
        .map(|row| {
            let place = |column| 7 * row + column;
            let places: Vec<String> = (1..=7).map(|column| format!("${}", place(column))).collect();
            format!("({})", places.join(", "))
        })
        .collect();
    let statement = format!(
        "INSERT INTO explored (scope, position, move, won, drawn, lost, game) VALUES {} \
         ON CONFLICT (scope, position, move) DO UPDATE SET won = explored.won + excluded.won, \
         drawn = explored.drawn + excluded.drawn, lost = explored.lost + excluded.lost, \
         game = excluded.game",
        rows.join(", ")
    );
    // Made of numbers alone.
    let mut query = sqlx::query(AssertSqlSafe(statement));
    for turn in turns {
        let is = |count| i64::from(turn.count == count);
        query = query
            .bind(&turn.scope)
            .bind(turn.position)
            .bind(&turn.text)
            .bind(is(Count::Won))
            .bind(is(Count::Drawn))
            .bind(is(Count::Lost))
            .bind(game);
    }
    query.execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn turn(scope: &str, text: &str, count: Count) -> Turn {
        Turn { scope: scope.to_owned(), position: 7, text: text.to_owned(), count }
    }

    async fn store(folder: &tempfile::TempDir) -> Store {
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        Store::open(&file).await.expect("a database")
    }

    async fn run(store: &Store, statement: &'static str) {
        let mut transaction = store.database.write().await.expect("a turn");
        sqlx::query(statement).execute(&mut *transaction).await.expect("a statement");
        transaction.commit().await.expect("a commit");
    }

    #[tokio::test]
    async fn a_game_is_counted_once_and_a_move_of_it_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(&folder).await;
        run(&store, "INSERT INTO uncounted (ended, game) VALUES (1, 'one'), (2, 'two')").await;
        let queue = store.uncounted(10).await.expect("a queue");
        assert_eq!(queue, [(1, "one".to_owned()), (2, "two".to_owned())]);
        // The same position twice in a game, and a player who does not exist any more.
        let turns = vec![
            turn("*people", "a1", Count::Won),
            turn("*people", "a1", Count::Won),
            turn("gone", "a1", Count::Won),
        ];
        for is_first in [true, false] {
            let counted = store.count_turns(&queue[0], turns.clone(), vec!["gone"]).await;
            assert_eq!(counted.expect("a database"), is_first);
        }
        let lost = vec![turn("*people", "a1", Count::Lost)];
        assert!(store.count_turns(&queue[1], lost, Vec::new()).await.expect("a database"));
        let rows = store.explored("*people", 7).await.expect("rows");
        let (text, game) = ("a1".to_owned(), "two".to_owned());
        assert_eq!(rows, [ExploredRow { text, won: 1, drawn: 0, lost: 1, game }]);
        assert!(store.explored("gone", 7).await.expect("rows").is_empty());
        assert!(store.uncounted(10).await.expect("a queue").is_empty());
        store.close().await;
    }

    /// A measurement: `cargo test -p stoa-server --all-features --lib million -- --ignored --nocapture`.
    #[tokio::test]
    #[ignore = "writes a million rows"]
    async fn a_million_positions_answer_within_20_ms() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(&folder).await;
        run(
            &store,
            "INSERT INTO explored WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n \
             WHERE i < 999999) SELECT '*people', (i % 100000) * 7919 % 1000003, 'move' || (i / 100000), \
             i % 5, i % 3, i % 4, 'game' FROM n",
        )
        .await;
        let mut times = Vec::new();
        for asked in 0..5000_i64 {
            let position = (asked * 104_729 % 100_000) * 7919 % 1_000_003;
            let began = Instant::now();
            let rows = store.explored("*people", position).await.expect("rows");
            times.push(began.elapsed());
            assert_eq!(rows.len(), 10, "{position}");
        }
        times.sort_unstable();
        let p99 = times[times.len() * 99 / 100];
        println!("p50 {:?}, p99 {p99:?} over a million rows", times[times.len() / 2]);
        assert!(p99 <= Duration::from_millis(20), "{p99:?}");
        store.close().await;
    }
}
