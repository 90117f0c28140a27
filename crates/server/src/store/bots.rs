//! Bots: programs that others can challenge.

use super::{PlayerRow, Store, StoreError};

impl Store {
    /// Makes a player a bot. False if they are playing a game.
    pub(crate) async fn make_bot(&self, id: &str) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let made = sqlx::query(
            "UPDATE players SET kind = 'bot' WHERE id = $1 AND deleted IS NULL AND NOT EXISTS \
             (SELECT 1 FROM games WHERE (first = $1 OR second = $1) AND status = 'playing')",
        )
        .bind(id)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(made.rows_affected() > 0)
    }

    /// Stores that these bots are online.
    pub(crate) async fn bots_seen(&self, ids: &[String], now: i64) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        for id in ids {
            sqlx::query("UPDATE players SET seen = $1 WHERE id = $2 AND seen < $1")
                .bind(now)
                .bind(id)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// The bots that were seen after a moment, oldest first.
    pub(crate) async fn bots(&self, after: i64) -> Result<Vec<PlayerRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM players WHERE kind = 'bot' AND seen > $1 AND deleted IS NULL \
             ORDER BY created, LENGTH(id), id LIMIT 200",
        )
        .bind(after)
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(PlayerRow::read).collect()
    }

    /// Stores the token of the engine's player, and deletes those that were derived from other secrets.
    pub(crate) async fn set_engine_token(
        &self,
        hash: &str,
        player: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM tokens WHERE player = $1 AND hash <> $2")
            .bind(player)
            .bind(hash)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO tokens (hash, id, player, label, created) VALUES ($1, $2, $2, $3, $4) \
             ON CONFLICT DO NOTHING",
        )
        .bind(hash)
        .bind(player)
        .bind("the server's own engine")
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}
