//! API tokens. Only their hashes are stored.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::Token;

use super::rows::read_token;
use super::{Authenticated, PlayerRow, Store, StoreError};

impl Store {
    /// The player to whom a token belongs, and when it was last used.
    pub(crate) async fn token_owner(
        &self,
        hash: &str,
    ) -> Result<Option<Authenticated>, StoreError> {
        let row = sqlx::query(
            "SELECT p.*, t.used AS used FROM tokens t JOIN players p ON p.id = t.player \
             WHERE t.hash = $1 AND p.deleted IS NULL AND p.closed IS NULL",
        )
        .bind(hash)
        .fetch_optional(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok(Authenticated { player: PlayerRow::read(row)?, seen: row.try_get("used")? })
        };
        row.as_ref().map(read).transpose()
    }

    /// Stores a token by its hash.
    pub(crate) async fn add_token(
        &self,
        hash: &str,
        id: &str,
        player: &str,
        label: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query(
            "INSERT INTO tokens (hash, id, player, label, created) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(hash)
        .bind(id)
        .bind(player)
        .bind(label)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }

    /// A player's tokens, oldest first.
    pub(crate) async fn tokens(&self, player: &str) -> Result<Vec<Token>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, label, created, used FROM tokens WHERE player = $1 ORDER BY created, id",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(read_token).collect()
    }

    /// Deletes a token of a player. False if there is no such token.
    pub(crate) async fn delete_token(&self, player: &str, id: &str) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let done = sqlx::query("DELETE FROM tokens WHERE player = $1 AND id = $2")
            .bind(player)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(done.rows_affected() > 0)
    }
}
