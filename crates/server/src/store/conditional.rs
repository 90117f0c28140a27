//! Conditional moves.
//!
//! They change together with the game's revision, which every commit of an event compares: a node that decides a
//! move without knowing of them has to decide again.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::{ConditionalMoves, DropReason};

use super::database::WriterConnection;
use super::rows::{Word, optional_word};
use super::writer::Committed;
use super::{Store, StoreError};

/// What happens to the conditional moves of a player.
#[derive(Debug, Clone)]
pub(crate) struct ConditionalChange {
    pub(crate) player: String,
    /// What is left; if nothing is and nothing was dropped, they are deleted.
    pub(crate) moves: ConditionalMoves,
}

fn read(row: &AnyRow) -> Result<ConditionalMoves, StoreError> {
    let text: String = row.try_get("lines")?;
    let corrupt = |error| StoreError::Corrupt(format!("conditional moves: {error}"));
    let lines = serde_json::from_str(&text).map_err(corrupt)?;
    Ok(ConditionalMoves { lines, dropped: optional_word(row, "dropped")? })
}

/// Stores what happens to conditional moves.
pub(super) async fn write(
    connection: &mut WriterConnection,
    game: &str,
    change: &ConditionalChange,
) -> Result<(), StoreError> {
    let ConditionalMoves { lines, dropped } = &change.moves;
    if lines.is_empty() && dropped.is_none() {
        sqlx::query("DELETE FROM conditional_moves WHERE game = $1 AND player = $2")
            .bind(game)
            .bind(&change.player)
            .execute(connection)
            .await?;
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO conditional_moves (game, player, lines, dropped) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (game, player) DO UPDATE SET lines = excluded.lines, dropped = excluded.dropped",
    )
    .bind(game)
    .bind(&change.player)
    .bind(serde_json::to_string(lines)?)
    .bind(dropped.map(|reason: DropReason| Word(reason).to_string()))
    .execute(connection)
    .await?;
    Ok(())
}

impl Store {
    /// The conditional moves that wait in a game, and whose they are.
    pub(crate) async fn waiting_conditional(
        &self,
        game: &str,
    ) -> Result<Option<(String, Vec<Vec<String>>)>, StoreError> {
        let row = sqlx::query(
            "SELECT player, lines, dropped FROM conditional_moves WHERE game = $1 AND dropped IS NULL",
        )
        .bind(game)
        .fetch_optional(self.database.readers())
        .await?;
        row.map(|row| Ok((row.try_get("player")?, read(&row)?.lines))).transpose()
    }

    /// The conditional moves of a player in a game.
    pub(crate) async fn conditional_moves(
        &self,
        game: &str,
        player: &str,
    ) -> Result<ConditionalMoves, StoreError> {
        let row = sqlx::query(
            "SELECT lines, dropped FROM conditional_moves WHERE game = $1 AND player = $2",
        )
        .bind(game)
        .bind(player)
        .fetch_optional(self.database.readers())
        .await?;
        row.as_ref().map_or(Ok(ConditionalMoves::default()), read)
    }

    /// The conditional moves of a player in all games, with the ids of the games.
    pub(crate) async fn all_conditional_moves(
        &self,
        player: &str,
    ) -> Result<Vec<(String, Vec<Vec<String>>)>, StoreError> {
        let rows = sqlx::query(
            "SELECT game, lines, dropped FROM conditional_moves WHERE player = $1 ORDER BY game",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(|row| Ok((row.try_get("game")?, read(row)?.lines))).collect()
    }

    /// Stores conditional moves, if the game still has this version and revision.
    pub(crate) async fn set_conditional_moves(
        &self,
        game: &str,
        [version, revision]: [i64; 2],
        change: &ConditionalChange,
    ) -> Result<Committed, StoreError> {
        let mut transaction = self.database.write().await?;
        let updated = sqlx::query(
            "UPDATE games SET revision = revision + 1 WHERE id = $1 AND version = $2 AND revision = $3",
        )
        .bind(game)
        .bind(version)
        .bind(revision)
        .execute(&mut *transaction)
        .await?;
        if updated.rows_affected() == 0 {
            transaction.roll_back().await?;
            return Ok(Committed::Conflict);
        }
        write(&mut transaction, game, change).await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(Committed::Done)
    }
}
