//! What was played from positions: numbers for each move, and the queue of games that are not counted yet.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use sqlx::Row;

use super::bulk::{self, Bulk};
use super::challenges::lock_player;
use super::database::WriterConnection;
use super::{Store, StoreError, archive};

/// How many moves of a position are read. No position of any game has this many that are not the same but
/// for a symmetry, and were played.
const MAX_MOVES: i64 = 1000;

/// A result for the side that moved, in the order of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    Won,
    Drawn,
    Lost,
}

/// A move that was played once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Whose moves it counts among.
    pub(crate) scope: String,
    /// The folded key of the position.
    pub(crate) position: i64,
    /// The folded move.
    pub(crate) text: String,
    pub(crate) count: Count,
}

/// A finished game to be counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayedGame {
    /// Its place in the queue.
    pub(crate) ended: i64,
    pub(crate) id: String,
    pub(crate) turns: Vec<Turn>,
    /// The folded keys of the positions by which it is found.
    pub(crate) positions: Vec<i64>,
    /// Whose moves are counted as their own.
    pub(crate) people: Vec<String>,
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

    /// Counts the moves of games, keeps by which positions they are found, and returns how many of these games
    /// were not counted before; the commit decides. The turns of players who have been deleted meanwhile are not
    /// counted as theirs.
    pub(crate) async fn count_turns(&self, games: &[PlayedGame]) -> Result<usize, StoreError> {
        if games.is_empty() {
            return Ok(0);
        }
        // Every node locks rows in the same order, to avoid deadlocks.
        let mut games: Vec<&PlayedGame> = games.iter().collect();
        games.sort_unstable_by_key(|game| (game.ended, &game.id));
        let mut transaction = self.database.write_behind().await?;
        let taken = take(&mut transaction, &games, self.database.kind().rows_in_order()).await?;
        games.retain(|game| taken.contains(&game.id));
        if games.is_empty() {
            transaction.roll_back().await?;
            return Ok(0);
        }
        let people: BTreeSet<&str> =
            games.iter().flat_map(|game| &game.people).map(String::as_str).collect();
        let mut gone = HashSet::new();
        for player in people {
            if !lock_player(&mut transaction, player).await? {
                gone.insert(player);
            }
        }
        add(&mut transaction, &sum(&games, &gone)).await?;
        archive::add_positions(&mut transaction, &games).await?;
        transaction.commit().await?;
        Ok(games.len())
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

/// What identifies a row: whose moves, the position, the move.
type Key<'a> = (&'a str, i64, &'a str);

/// How often a move was won, drawn and lost, and the latest game in which it was played.
type Numbers<'a> = ([i64; 3], &'a str);

/// What games add to the numbers. A move that was played twice in a game counts once.
fn sum<'a>(games: &[&'a PlayedGame], gone: &HashSet<&str>) -> Vec<(Key<'a>, Numbers<'a>)> {
    let mut numbers: BTreeMap<Key<'a>, Numbers<'a>> = BTreeMap::new();
    for game in games {
        let mut seen = HashSet::new();
        for Turn { scope, position, text, count } in &game.turns {
            let key = (scope.as_str(), *position, text.as_str());
            if !gone.contains(key.0) && seen.insert(key) {
                let (counts, latest) = numbers.entry(key).or_default();
                counts[*count as usize] += 1;
                *latest = &game.id;
            }
        }
    }
    numbers.into_iter().collect()
}

static TAKE: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new("DELETE FROM uncounted WHERE (ended, game) IN (VALUES", 2, ") RETURNING game")
});

static ADD: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new(
        "INSERT INTO explored (scope, position, move, won, drawn, lost, game) VALUES",
        7,
        "ON CONFLICT (scope, position, move) DO UPDATE SET won = explored.won + excluded.won, \
         drawn = explored.drawn + excluded.drawn, lost = explored.lost + excluded.lost, \
         game = excluded.game",
    )
});

/// Takes games out of the queue; returns those that were in it.
async fn take(
    connection: &mut WriterConnection,
    games: &[&PlayedGame],
    at_once: usize,
) -> Result<HashSet<String>, StoreError> {
    let mut taken = HashSet::new();
    for (text, some) in TAKE.split(games, at_once) {
        let mut query = sqlx::query(text);
        for game in some {
            query = query.bind(game.ended).bind(&game.id);
        }
        for row in query.fetch_all(&mut *connection).await? {
            taken.insert(row.try_get("game")?);
        }
    }
    Ok(taken)
}

/// Adds to the numbers, in the order of the rows.
async fn add(
    connection: &mut WriterConnection,
    rows: &[(Key<'_>, Numbers<'_>)],
) -> Result<(), StoreError> {
    for (text, some) in ADD.split(rows, bulk::MAX_ROWS) {
        let mut query = sqlx::query(text);
        for ((scope, position, text), ([won, drawn, lost], game)) in some {
            query = query
                .bind((*scope).to_owned())
                .bind(*position)
                .bind((*text).to_owned())
                .bind(*won)
                .bind(*drawn)
                .bind(*lost)
                .bind((*game).to_owned());
        }
        query.execute(&mut *connection).await?;
    }
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
        let game = |place: usize, turns: Vec<Turn>, positions: Vec<i64>| {
            let (ended, id) = queue[place].clone();
            PlayedGame { ended, id, turns, positions, people: vec!["gone".to_owned()] }
        };
        let one = game(0, turns, vec![7, 8, 7]);
        let counted = store.count_turns(std::slice::from_ref(&one)).await;
        assert_eq!(counted.expect("a database"), 1);
        // Another node has counted the first game meanwhile.
        let lost = vec![turn("*people", "a1", Count::Lost), turn("*people", "b2", Count::Lost)];
        let both = [game(1, lost, vec![7]), one];
        for uncounted in [1, 0] {
            assert_eq!(store.count_turns(&both).await.expect("a database"), uncounted);
        }
        let rows = store.explored("*people", 7).await.expect("rows");
        let row = |text: &str, won, lost| {
            let (text, game) = (text.to_owned(), "two".to_owned());
            ExploredRow { text, won, drawn: 0, lost, game }
        };
        assert_eq!(rows, [row("a1", 1, 1), row("b2", 0, 1)]);
        assert!(store.explored("gone", 7).await.expect("rows").is_empty());
        assert!(store.uncounted(10).await.expect("a queue").is_empty());
        let found = sqlx::query("SELECT position, game FROM archive_positions ORDER BY 1, 2")
            .fetch_all(store.database.readers())
            .await
            .expect("rows");
        let found: Vec<(i64, String)> = found.iter().map(|row| (row.get(0), row.get(1))).collect();
        assert_eq!(found, [(7, "one".to_owned()), (7, "two".to_owned()), (8, "one".to_owned())]);
        store.close().await;
    }

    /// Games that are counted together add up to what they add up to one by one.
    #[tokio::test]
    async fn games_that_are_counted_together_add_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(&folder).await;
        run(
            &store,
            "INSERT INTO uncounted WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n \
             WHERE i < 99) SELECT i, 'game' || i FROM n",
        )
        .await;
        let games: Vec<PlayedGame> = (0..100_i64)
            .map(|n| PlayedGame {
                ended: n,
                id: format!("game{n}"),
                turns: (0..40)
                    .map(|ply| Turn {
                        position: ply,
                        ..turn("*people", &format!("m{}", n % (ply + 1)), Count::Won)
                    })
                    .collect(),
                positions: vec![n, n + 1],
                people: Vec::new(),
            })
            .collect();
        assert_eq!(store.count_turns(&games).await.expect("a database"), 100);
        for ply in 0..40 {
            let rows = store.explored("*people", ply).await.expect("rows");
            assert_eq!(rows.iter().map(|row| row.won).sum::<i64>(), 100, "{rows:?}");
            assert_eq!(rows.len(), usize::try_from(ply + 1).expect("a number"));
        }
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
