//! What others see of a player.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_rules::Side;
use stoa_wire::{GameFilter, Player};

use super::games::select_games;
use super::rows::{optional_word, player};
use super::{Cursor, GameRow, PlayerRow, Store, StoreError};

/// What is shown of a player besides what belongs to a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// When they were last here, to the hour.
    pub(crate) seen: i64,
    /// Whether others may see that.
    pub(crate) show_presence: bool,
    /// With several nodes: until when they count as being here.
    pub(crate) here_until: Option<i64>,
}

/// The result of a game, for one of its players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResultRow {
    pub(crate) game: String,
    pub(crate) opponent: Player,
    /// Whether the player won; nothing if it was a draw.
    pub(crate) won: Option<bool>,
    updated: i64,
}

impl ResultRow {
    #[cfg(test)]
    pub(crate) fn for_test(game: &str, opponent: Player, won: Option<bool>) -> ResultRow {
        ResultRow { game: game.to_owned(), opponent, won, updated: 0 }
    }
}

impl Seen {
    pub(super) fn read(row: &AnyRow) -> Result<Seen, StoreError> {
        Ok(Seen {
            seen: row.try_get("seen")?,
            show_presence: row.try_get::<i64, _>("show_presence")? != 0,
            here_until: row.try_get("here_until")?,
        })
    }
}

impl Store {
    /// The player with this id or, if there is none, who signs in with this name; not if they have been
    /// deleted.
    pub(crate) async fn profile(
        &self,
        id: &str,
        login: &str,
    ) -> Result<Option<(PlayerRow, Seen)>, StoreError> {
        let rows =
            sqlx::query("SELECT * FROM players WHERE (id = $1 OR login = $2) AND deleted IS NULL")
                .bind(id)
                .bind(login)
                .fetch_all(self.database.readers())
                .await?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            found.push((PlayerRow::read(row)?, Seen::read(row)?));
        }
        found.sort_by_key(|(player, _)| player.id != id);
        Ok(found.into_iter().next())
    }

    /// Sets whether others see when a player was last here.
    pub(crate) async fn set_show_presence(&self, id: &str, show: bool) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("UPDATE players SET show_presence = $1 WHERE id = $2 AND deleted IS NULL")
            .bind(i64::from(show))
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await
    }

    /// Whether others see when a player was last here.
    pub(crate) async fn shows_presence(&self, id: &str) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT show_presence FROM players WHERE id = $1")
            .bind(id)
            .fetch_optional(self.database.readers())
            .await?;
        row.map_or(Ok(true), |row| Ok(row.try_get::<i64, _>("show_presence")? != 0))
    }

    /// Players whose presence other nodes need to know: those who have followers, and those who get mail while
    /// they are away. At most `limit`, in the order of their ids.
    pub(crate) async fn awaited(&self, limit: i64) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query(
            "SELECT other AS id FROM acquaintances WHERE kind = 'follow' \
             UNION SELECT player AS id FROM mail_addresses ORDER BY id LIMIT $1",
        )
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// Until when a player counts as online, as some node has stored it.
    pub(crate) async fn here_until(&self, id: &str) -> Result<Option<i64>, StoreError> {
        let row = sqlx::query("SELECT here_until FROM players WHERE id = $1")
            .bind(id)
            .fetch_optional(self.database.readers())
            .await?;
        row.map_or(Ok(None), |row| Ok(row.try_get("here_until")?))
    }

    /// Stores until when players count as being here. Their ids must be in order: every node locks rows in
    /// the same order, to avoid deadlocks.
    pub(crate) async fn set_here(&self, players: &[String], until: i64) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        for id in players {
            sqlx::query("UPDATE players SET here_until = $1 WHERE id = $2 AND deleted IS NULL")
                .bind(until)
                .bind(id)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await
    }

    /// The results of the latest finished games of a player, at most `limit`.
    pub(crate) async fn results_of(
        &self,
        id: &str,
        limit: i64,
    ) -> Result<Vec<ResultRow>, StoreError> {
        let as_first = sqlx::query(
            "SELECT g.game, g.winner, g.updated, g.second AS opponent, p.name, p.kind \
             FROM games g JOIN players p ON p.id = g.second \
             WHERE g.first = $1 AND g.status = 'over' ORDER BY g.updated DESC LIMIT $2",
        )
        .bind(id)
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        let as_second = sqlx::query(
            "SELECT g.game, g.winner, g.updated, g.first AS opponent, p.name, p.kind \
             FROM games g JOIN players p ON p.id = g.first \
             WHERE g.second = $1 AND g.status = 'over' ORDER BY g.updated DESC LIMIT $2",
        )
        .bind(id)
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        let read = |(side, row): (Side, &AnyRow)| {
            let winner: Option<Side> = optional_word(row, "winner")?;
            Ok(ResultRow {
                game: row.try_get("game")?,
                opponent: player(row, ["opponent", "name", "kind"])?,
                won: winner.map(|winner| winner == side),
                updated: row.try_get("updated")?,
            })
        };
        let first = as_first.iter().map(|row| (Side::First, row));
        let second = as_second.iter().map(|row| (Side::Second, row));
        let mut results: Vec<ResultRow> =
            first.chain(second).map(read).collect::<Result<_, StoreError>>()?;
        results.sort_by_key(|result| -result.updated);
        results.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(results)
    }

    /// The games of two players against each other after a cursor, those that changed last first.
    pub(crate) async fn games_between(
        &self,
        [player, opponent]: [&str; 2],
        filter: GameFilter,
        after: &Cursor,
        limit: i64,
    ) -> Result<Vec<GameRow>, StoreError> {
        let [one, two, three] = super::games::status_words(filter);
        let rows = sqlx::query(select_games!(
            "(SELECT * FROM games WHERE first = $1 AND second = $8 AND status IN ($2, $3, $4) \
             AND (updated < $5 OR (updated = $5 AND id < $6)) \
             UNION SELECT * FROM games WHERE second = $1 AND first = $8 AND status IN ($2, $3, $4) \
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
        .bind(opponent)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(GameRow::read).collect()
    }
}
