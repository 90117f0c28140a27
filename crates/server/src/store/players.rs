//! Players and the tokens of their programs.

use sqlx::Row;

use super::{PlayerRow, Store, StoreError};

impl Store {
    /// Keeps a new player. False if somebody signs in by the same name already.
    pub(crate) async fn add_player(&self, player: &PlayerRow) -> Result<bool, StoreError> {
        let added = sqlx::query(
            "INSERT INTO players (id, name, kind, login, password, epoch, created, seen) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING",
        )
        .bind(&player.id)
        .bind(&player.name)
        .bind(&player.kind)
        .bind(player.login.as_deref())
        .bind(player.password.as_deref())
        .bind(player.epoch)
        .bind(player.created)
        .execute(&self.pool)
        .await?;
        Ok(added.rows_affected() > 0)
    }

    /// A player by id, also one that has been deleted.
    pub(crate) async fn player(&self, id: &str) -> Result<Option<PlayerRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM players WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(PlayerRow::read).transpose()
    }

    /// Gives a player another name.
    pub(crate) async fn rename(&self, id: &str, name: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE players SET name = $1 WHERE id = $2 AND deleted IS NULL")
            .bind(name)
            .bind(id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The player to whom a token belongs.
    pub(crate) async fn token_owner(&self, hash: &str) -> Result<Option<PlayerRow>, StoreError> {
        let row = sqlx::query(
            "SELECT p.* FROM tokens t JOIN players p ON p.id = t.player \
             WHERE t.hash = $1 AND p.deleted IS NULL",
        )
        .bind(hash)
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(PlayerRow::read).transpose()
    }

    /// Keeps a token by its hash.
    pub(crate) async fn add_token(
        &self,
        hash: &str,
        id: &str,
        player: &str,
        label: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO tokens (hash, id, player, label, created) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(hash)
        .bind(id)
        .bind(player)
        .bind(label)
        .bind(now)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// How many players there are.
    pub(crate) async fn players(&self) -> Result<i64, StoreError> {
        let row = sqlx::query("SELECT COUNT(*) AS n FROM players WHERE deleted IS NULL")
            .fetch_one(&self.pool)
            .await?;
        Ok(row.try_get("n")?)
    }
}
