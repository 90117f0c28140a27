//! Games and their lists.

use sqlx::AnyConnection;
use sqlx::Row;
use stoa_wire::{GameEvent, GameFilter, GameStatus, TimeControl};

use super::rows::Word;
use super::writer::{Commit, Committed};
use super::{GameRow, Snapshot, Store, StoreError};

/// A statement that selects games, from a table or a subquery, with the names and kinds of both players.
macro_rules! select_games {
    ($from:literal, $rest:literal) => {
        concat!(
            "SELECT g.*, a.name AS first_name, a.kind AS first_kind, b.name AS second_name, \
             b.kind AS second_kind FROM ",
            $from,
            " g JOIN players a ON a.id = g.first JOIN players b ON b.id = g.second ",
            $rest
        )
    };
}

/// A game to create.
#[derive(Debug, Clone)]
pub(crate) struct NewGame {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) control: TimeControl,
    pub(crate) players: [String; 2],
    /// The game this is the rematch of.
    pub(crate) previous: Option<String>,
    pub(crate) created: i64,
    pub(crate) snapshot: Snapshot,
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

impl Store {
    /// A game by its id.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        let row = sqlx::query(select_games!("games", "WHERE g.id = $1"))
            .bind(id)
            .fetch_optional(&self.pool)
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
                .fetch_all(&self.pool)
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

    /// A player's games that changed before a moment, those that changed last first.
    pub(crate) async fn games_of(
        &self,
        player: &str,
        filter: GameFilter,
        before: i64,
        limit: i64,
    ) -> Result<Vec<GameRow>, StoreError> {
        let [one, two, three] = statuses(filter).map(|status| Word(status).to_string());
        let rows = sqlx::query(select_games!(
            "(SELECT * FROM games WHERE first = $1 AND status IN ($2, $3, $4) AND updated < $5 \
             UNION SELECT * FROM games WHERE second = $1 AND status IN ($2, $3, $4) \
             AND updated < $5 ORDER BY updated DESC LIMIT $6)",
            "ORDER BY g.updated DESC"
        ))
        .bind(player)
        .bind(one)
        .bind(two)
        .bind(three)
        .bind(before)
        .bind(limit)
        .fetch_all(&self.pool)
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
        .fetch_all(&self.pool)
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
        .fetch_all(&self.pool)
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
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok((row.try_get("deadline")?, row.try_get("id")?))).collect()
    }

    /// The games that have changed since a moment, with their versions.
    pub(crate) async fn changed_since(&self, since: i64) -> Result<Vec<(String, i64)>, StoreError> {
        let rows = sqlx::query("SELECT id, version FROM games WHERE updated >= $1")
            .bind(since)
            .fetch_all(&self.pool)
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
        sqlx::query("UPDATE games SET deadline = $1 WHERE id = $2 AND version = $3")
            .bind(deadline)
            .bind(game)
            .bind(version)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The version of a game: the number of its events.
    pub(crate) async fn version(&self, game: &str) -> Result<Option<i64>, StoreError> {
        let row = sqlx::query("SELECT version FROM games WHERE id = $1")
            .bind(game)
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| Ok(row.try_get("version")?)).transpose()
    }

    /// The number of games being played.
    pub(crate) async fn playing(&self) -> Result<i64, StoreError> {
        let row = sqlx::query("SELECT COUNT(*) AS n FROM games WHERE status = 'playing'")
            .fetch_one(&self.pool)
            .await?;
        Ok(row.try_get("n")?)
    }
}

impl NewGame {
    pub(super) async fn insert(&self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let control = serde_json::to_string(&self.control)?;
        sqlx::query(
            "INSERT INTO games (id, game, control, first, second, previous, created, version, \
             updated, ply, position, status, turn, deadline) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $7, 0, $8, 'playing', $9, $10)",
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
        .execute(connection)
        .await?;
        Ok(())
    }
}
