//! Games and their lists.

use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::Row;
use stoa_wire::{GameEvent, GameFilter, GameStatus, TimeControl};

use super::rows::Word;
use super::writer::{Commit, Committed};
use super::{GameRow, Snapshot, Store, StoreError};
use crate::bots::is_engine;
use crate::guard::Client;
use crate::ratings::Category;
use crate::time::millis;

/// A statement that selects games, from a table or a subquery, with the names, kinds and ratings of both
/// players, and what the game did to them.
macro_rules! select_games {
    ($from:expr, $rest:expr) => {
        concat!(
            "SELECT g.*, a.name AS first_name, a.kind AS first_kind, b.name AS second_name, \
             b.kind AS second_kind, ra.rating AS first_rating, ra.sure_until AS first_sure, \
             rb.rating AS second_rating, rb.sure_until AS second_sure, \
             ca.rating_before AS first_before, ca.rating_after AS first_after, \
             ca.provisional_before AS first_provisional, ca.provisional_after AS first_provisional_after, \
             cb.rating_before AS second_before, cb.rating_after AS second_after, \
             cb.provisional_before AS second_provisional, \
             cb.provisional_after AS second_provisional_after FROM ",
            $from,
            " g JOIN players a ON a.id = g.first JOIN players b ON b.id = g.second \
             LEFT JOIN ratings ra ON ra.player = g.first AND ra.category = g.category \
             LEFT JOIN ratings rb ON rb.player = g.second AND rb.category = g.category \
             LEFT JOIN rating_changes ca ON ca.game = g.id AND ca.player = g.first \
             LEFT JOIN rating_changes cb ON cb.game = g.id AND cb.player = g.second ",
            $rest
        )
    };
}

pub(super) use select_games;

/// A game to create.
#[derive(Debug, Clone)]
pub(crate) struct NewGame {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) control: TimeControl,
    /// Whether it counts for ratings.
    pub(crate) rated: bool,
    pub(crate) category: Option<Category>,
    pub(crate) players: [String; 2],
    /// The game this is the rematch of.
    pub(crate) previous: Option<String>,
    pub(crate) created: i64,
    /// In games against the engine: the network of the opponent, under a pseudonym.
    pub(crate) network: Option<String>,
    pub(crate) snapshot: Snapshot,
}

/// After so long without a move or anything else, a game against the engine holds no place any more: a person who
/// comes back goes on with it all the same. The engine's programs leave such games alone sooner.
const ENGINE_IDLE_AFTER: Duration = Duration::from_secs(3600);
/// After so long it no longer counts for its network either: people there cannot finish each other's games.
const NETWORK_IDLE_AFTER: Duration = Duration::from_secs(24 * 3600);

/// A game against the engine that is to begin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EngineGame<'a> {
    pub(crate) level: &'a str,
    pub(crate) player: &'a str,
    pub(crate) network: Option<&'a str>,
}

/// How many games against the engine may be played at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EngineLimits {
    pub(crate) of_player: i64,
    /// Nothing where addresses are not limited.
    pub(crate) from_network: Option<i64>,
    pub(crate) of_level: i64,
    pub(crate) all: i64,
}

/// Why the engine begins no other game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EngineBusy {
    #[error("you are playing as many games against the engine as you may ({0}); finish one first")]
    Player(i64),
    #[error("your address is playing as many games against the engine as it may ({0})")]
    Network(i64),
    #[error(
        "this level of the engine is busy with other games; try another level, or again in a while"
    )]
    Level,
    #[error("the engine is busy with other games; try again in a while")]
    Others,
}

/// The name of the lock for counting games against the engine before another begins.
pub(super) const ENGINE_LOCK: &str = "engine";

/// A place in a list of games: after the game with this id that changed at this time. Several games can
/// have changed at the same time, so the time alone is no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) updated: i64,
    pub(crate) id: String,
}

impl Cursor {
    /// Before the first game.
    pub(crate) const START: Cursor = Cursor { updated: i64::MAX, id: String::new() };
}

/// The statuses that a filter lets through. There are always three, so that the statement is always the
/// same: unused places repeat a status.
fn statuses(filter: GameFilter) -> [GameStatus; 3] {
    use GameStatus::{Aborted, Over, Playing};
    match filter {
        GameFilter::Playing => [Playing; 3],
        GameFilter::Ended => [Over, Aborted, Over],
        GameFilter::All => [Playing, Over, Aborted],
    }
}

/// The words of these statuses.
pub(super) fn status_words(filter: GameFilter) -> [String; 3] {
    statuses(filter).map(|status| Word(status).to_string())
}

impl Store {
    /// A game by its id.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        let row = sqlx::query(select_games!("games", "WHERE g.id = $1"))
            .bind(id)
            .fetch_optional(self.database.readers())
            .await?;
        row.as_ref().map(GameRow::read).transpose()
    }

    /// The events of a game after a version, with their times.
    pub(crate) async fn events(
        &self,
        game: &str,
        after: i64,
    ) -> Result<Vec<(i64, GameEvent)>, StoreError> {
        let rows =
            sqlx::query("SELECT at, body FROM events WHERE game = $1 AND seq > $2 ORDER BY seq")
                .bind(game)
                .bind(after)
                .fetch_all(self.database.readers())
                .await?;
        let read = |row: &sqlx::any::AnyRow| {
            let body: String = row.try_get("body")?;
            let event = serde_json::from_str(&body).map_err(|error| {
                StoreError::Corrupt(format!("an event of game {game}: {error}"))
            })?;
            Ok((row.try_get("at")?, event))
        };
        rows.iter().map(read).collect()
    }

    /// Commits the next event of a game, if its version is still the expected one.
    pub(crate) async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        self.writer.commit(commit).await
    }

    /// A player's games after a cursor, those that changed last first.
    pub(crate) async fn games_of(
        &self,
        player: &str,
        filter: GameFilter,
        after: &Cursor,
        limit: i64,
    ) -> Result<Vec<GameRow>, StoreError> {
        let [one, two, three] = status_words(filter);
        let rows = sqlx::query(select_games!(
            "(SELECT * FROM games WHERE first = $1 AND status IN ($2, $3, $4) \
             AND (updated < $5 OR (updated = $5 AND id < $6)) \
             UNION SELECT * FROM games WHERE second = $1 AND status IN ($2, $3, $4) \
             AND (updated < $5 OR (updated = $5 AND id < $6)) \
             ORDER BY updated DESC, id DESC LIMIT $7)",
            "ORDER BY g.updated DESC, g.id DESC"
        ))
        .bind(player)
        .bind(one)
        .bind(two)
        .bind(three)
        .bind(after.updated)
        .bind(&after.id)
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(GameRow::read).collect()
    }

    /// The ids of all games of a player, oldest first.
    pub(crate) async fn all_games_of(&self, player: &str) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, created FROM games WHERE first = $1 UNION \
             SELECT id, created FROM games WHERE second = $1 ORDER BY created, id",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// Games being played, those with the latest moves first.
    pub(crate) async fn games_to_watch(&self, limit: i64) -> Result<Vec<GameRow>, StoreError> {
        let rows = sqlx::query(select_games!(
            "games",
            "WHERE g.status = 'playing' ORDER BY g.updated DESC LIMIT $1"
        ))
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(GameRow::read).collect()
    }

    /// Games whose side to move runs out of time before a moment, with their deadlines.
    pub(crate) async fn overdue(
        &self,
        before: i64,
        limit: i64,
    ) -> Result<Vec<(i64, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT deadline, id FROM games WHERE deadline <= $1 ORDER BY deadline LIMIT $2",
        )
        .bind(before)
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(|row| Ok((row.try_get("deadline")?, row.try_get("id")?))).collect()
    }

    /// The games that have changed since a moment, with their versions.
    pub(crate) async fn changed_since(&self, since: i64) -> Result<Vec<(String, i64)>, StoreError> {
        let rows = sqlx::query("SELECT id, version FROM games WHERE updated >= $1")
            .bind(since)
            .fetch_all(self.database.readers())
            .await?;
        rows.iter().map(|row| Ok((row.try_get("id")?, row.try_get("version")?))).collect()
    }

    /// Corrects the deadline of a game, if its version is still the expected one.
    pub(crate) async fn set_deadline(
        &self,
        game: &str,
        version: i64,
        deadline: Option<i64>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("UPDATE games SET deadline = $1 WHERE id = $2 AND version = $3")
            .bind(deadline)
            .bind(game)
            .bind(version)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }

    /// The version and the revision of a game.
    pub(crate) async fn state(&self, game: &str) -> Result<Option<(i64, i64)>, StoreError> {
        let row = sqlx::query("SELECT version, revision FROM games WHERE id = $1")
            .bind(game)
            .fetch_optional(self.database.readers())
            .await?;
        row.map(|row| Ok((row.try_get("version")?, row.try_get("revision")?))).transpose()
    }

    /// The version of a game: the number of its events.
    pub(crate) async fn version(&self, game: &str) -> Result<Option<i64>, StoreError> {
        let row = sqlx::query("SELECT version FROM games WHERE id = $1")
            .bind(game)
            .fetch_optional(self.database.readers())
            .await?;
        row.map(|row| Ok(row.try_get("version")?)).transpose()
    }

    /// Whether the engine can begin another game with a player now. Only the transaction that begins it knows
    /// for certain.
    pub(crate) async fn check_engine(
        &self,
        game: EngineGame<'_>,
        limits: EngineLimits,
        now: i64,
    ) -> Result<Result<(), EngineBusy>, StoreError> {
        let mut connection = self.database.readers().acquire().await?;
        check_engine(&mut connection, game, &[], limits, now).await
    }

    /// The number of games being played.
    pub(crate) async fn playing(&self) -> Result<i64, StoreError> {
        let row = sqlx::query("SELECT COUNT(*) AS n FROM games WHERE status = 'playing'")
            .fetch_one(self.database.readers())
            .await?;
        Ok(row.try_get("n")?)
    }
}

/// The games of one player against the engine that are being played, and challenges that it has not answered yet.
const OWN_ENGINE_GAMES: &str = "SELECT COUNT(*) AS n FROM (\
    SELECT id FROM games WHERE first = $2 AND status = 'playing' AND second LIKE 'stoa-%' \
    UNION ALL SELECT id FROM games WHERE second = $2 AND status = 'playing' AND first LIKE 'stoa-%' \
    UNION ALL SELECT id FROM challenges WHERE creator = $2 AND state = 'open' AND expires > $1 \
    AND (present_until IS NULL OR present_until > $1) AND opponent LIKE 'stoa-%') own";

/// The same of everyone, without games in which nothing has happened since `$3`: how many there are, and how many in
/// which something has happened since `$2`, of all levels and of the level `$4`. Those from networks between `$5` and
/// `$6` have rows of their own.
const ALL_ENGINE_GAMES: &str = "SELECT network, COUNT(*) AS n, \
    SUM(CASE WHEN active > $2 THEN 1 ELSE 0 END) AS busy, \
    SUM(CASE WHEN active > $2 AND level = $4 THEN 1 ELSE 0 END) AS of_level FROM (\
    SELECT active, level, CASE WHEN network BETWEEN $5 AND $6 THEN network END AS network FROM (\
    SELECT CASE WHEN first LIKE 'stoa-%' THEN first ELSE second END AS level, network, updated AS active \
    FROM games WHERE status = 'playing' AND updated > $3 \
    AND (first LIKE 'stoa-%' OR second LIKE 'stoa-%') \
    UNION ALL SELECT opponent AS level, network, $1 AS active FROM challenges \
    WHERE state = 'open' AND listed = 0 AND expires > $1 \
    AND (present_until IS NULL OR present_until > $1) AND opponent LIKE 'stoa-%') places) seen \
    GROUP BY network";

/// Whether the engine can begin another game, besides those that `begun` in the same transaction. Games in which
/// nothing happens count only for their players, who can finish them.
pub(super) async fn check_engine(
    connection: &mut AnyConnection,
    game: EngineGame<'_>,
    begun: &[EngineGame<'_>],
    limits: EngineLimits,
    now: i64,
) -> Result<Result<(), EngineBusy>, StoreError> {
    let new = |is_counted: &dyn Fn(&EngineGame<'_>) -> bool| {
        begun.iter().filter(|other| is_counted(other)).map(|_| 1).sum::<i64>()
    };
    let own = sqlx::query(OWN_ENGINE_GAMES).bind(now).bind(game.player);
    let own: i64 = own.fetch_one(&mut *connection).await?.try_get("n")?;
    if own + new(&|other| other.player == game.player) >= limits.of_player {
        return Ok(Err(EngineBusy::Player(limits.of_player)));
    }
    let [from, to] = game.network.map(Client::customer_pseudonyms).unwrap_or_default();
    let rows = sqlx::query(ALL_ENGINE_GAMES)
        .bind(now)
        .bind(now - millis(ENGINE_IDLE_AFTER))
        .bind(now - millis(NETWORK_IDLE_AFTER))
        .bind(game.level)
        .bind(from)
        .bind(to)
        .fetch_all(&mut *connection)
        .await?;
    if let (Some(network), Some(max)) = (game.network, limits.from_network) {
        let mut near = Vec::new();
        for row in &rows {
            if let Some(network) = row.try_get("network")? {
                near.push((network, row.try_get("n")?));
            }
        }
        near.extend(begun.iter().filter_map(|other| Some((other.network?.to_owned(), 1))));
        if let Some(max) = Client::reached_limit(network, max, &near) {
            return Ok(Err(EngineBusy::Network(max)));
        }
    }
    let sum = |column| rows.iter().map(|row| row.try_get::<i64, _>(column)).sum::<Result<i64, _>>();
    if sum("busy")? + new(&|_| true) >= limits.all {
        return Ok(Err(EngineBusy::Others));
    }
    if sum("of_level")? + new(&|other| other.level == game.level) >= limits.of_level {
        return Ok(Err(EngineBusy::Level));
    }
    Ok(Ok(()))
}

impl NewGame {
    /// Who plays against which level, in a game against the engine.
    pub(crate) fn engine_game(&self) -> Option<EngineGame<'_>> {
        let [first, second] = self.players.each_ref().map(String::as_str);
        let (level, player) = match (is_engine(first), is_engine(second)) {
            (true, false) => (first, second),
            (false, true) => (second, first),
            _ => return None,
        };
        Some(EngineGame { level, player, network: self.network.as_deref() })
    }

    pub(super) async fn insert(&self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let control = serde_json::to_string(&self.control)?;
        sqlx::query(
            "INSERT INTO games (id, game, control, first, second, previous, created, version, \
             updated, ply, position, status, turn, deadline, network, rated, category) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $7, 0, $8, 'playing', $9, $10, $11, $12, $13)",
        )
        .bind(&self.id)
        .bind(&self.game)
        .bind(control)
        .bind(&self.players[0])
        .bind(&self.players[1])
        .bind(self.previous.as_deref())
        .bind(self.created)
        .bind(&self.snapshot.position)
        .bind(self.snapshot.turn.map(|side| Word(side).to_string()))
        .bind(self.snapshot.deadline)
        .bind(self.network.as_deref())
        .bind(i64::from(self.rated))
        .bind(self.category.map(|category| category.to_string()))
        .execute(connection)
        .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other transactions that write wait meanwhile, and untimed games that people have left never end.
    #[tokio::test]
    async fn games_that_were_left_are_not_read_to_count_the_engines() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let plan = async |statement: &str| {
            let explained = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
            let rows = sqlx::query(explained).fetch_all(store.database.readers()).await;
            let rows = rows.expect("a plan");
            let details =
                rows.iter().map(|row| row.try_get::<String, _>("detail").expect("a line"));
            details.filter(|line| line.contains(" games ")).collect::<Vec<_>>()
        };
        assert_eq!(
            plan(OWN_ENGINE_GAMES).await,
            [
                "SEARCH games USING INDEX games_first (first=? AND status=?)",
                "SEARCH games USING INDEX games_second (second=? AND status=?)",
            ]
        );
        assert_eq!(
            plan(ALL_ENGINE_GAMES).await,
            ["SEARCH games USING INDEX games_playing (status=? AND updated>?)"]
        );
        store.close().await;
    }
}
