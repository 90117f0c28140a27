//! Players and their accounts.

use sqlx::any::AnyRow;
use sqlx::{Connection, Row};

use super::rows::Word;
use super::{Authenticated, PasswordHash, PlayerRow, Store, StoreError};

impl Store {
    /// Stores a new player. False if the login is taken.
    pub(crate) async fn add_player(&self, player: &PlayerRow) -> Result<bool, StoreError> {
        let _lock = self.write_lock.acquire().await;
        let added = sqlx::query(
            "INSERT INTO players (id, name, kind, login, password, epoch, created, seen) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING",
        )
        .bind(&player.id)
        .bind(&player.name)
        .bind(Word(player.kind).to_string())
        .bind(player.login.as_deref())
        .bind(player.password.as_ref().map(|password| password.0.as_str()))
        .bind(player.epoch)
        .bind(player.created)
        .execute(&self.pool)
        .await?;
        Ok(added.rows_affected() > 0)
    }

    /// A player by id, even if deleted.
    pub(crate) async fn player(&self, id: &str) -> Result<Option<PlayerRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM players WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(PlayerRow::read).transpose()
    }

    /// Changes the name of a player.
    pub(crate) async fn rename(&self, id: &str, name: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE players SET name = $1 WHERE id = $2 AND deleted IS NULL")
            .bind(name)
            .bind(id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// A player who has not been deleted, and when they were last seen.
    pub(crate) async fn authenticated_player(
        &self,
        id: &str,
    ) -> Result<Option<Authenticated>, StoreError> {
        let row = sqlx::query("SELECT * FROM players WHERE id = $1 AND deleted IS NULL")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        let read = |row: &AnyRow| {
            Ok(Authenticated { player: PlayerRow::read(row)?, seen: Some(row.try_get("seen")?) })
        };
        row.as_ref().map(read).transpose()
    }

    /// The player with a login.
    pub(crate) async fn account(&self, login: &str) -> Result<Option<PlayerRow>, StoreError> {
        let row = sqlx::query("SELECT * FROM players WHERE login = $1 AND deleted IS NULL")
            .bind(login)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(PlayerRow::read).transpose()
    }

    /// Gives a player a login and a password. False if the login is taken, or the player has one.
    pub(crate) async fn make_account(
        &self,
        id: &str,
        name: &str,
        login: &str,
        password: &PasswordHash,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE players SET name = $1, login = $2, password = $3, \
             kind = CASE WHEN kind = 'guest' THEN 'account' ELSE kind END \
             WHERE id = $4 AND login IS NULL AND deleted IS NULL",
        )
        .bind(name)
        .bind(login)
        .bind(&password.0)
        .bind(id)
        .execute(&self.pool)
        .await;
        match done {
            Ok(done) => Ok(done.rows_affected() > 0),
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Changes the password and invalidates all cookies. False if the epoch is no longer the expected one.
    pub(crate) async fn set_password(
        &self,
        id: &str,
        epoch: i64,
        password: &PasswordHash,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE players SET password = $1, epoch = epoch + 1 \
             WHERE id = $2 AND epoch = $3 AND deleted IS NULL",
        )
        .bind(&password.0)
        .bind(id)
        .bind(epoch)
        .execute(&self.pool)
        .await?;
        Ok(done.rows_affected() > 0)
    }

    /// Deletes the personal data of a player in one transaction. The row stays, without a name: games refer
    /// to it. Returns the challenges that were closed.
    pub(crate) async fn delete_player(
        &self,
        id: &str,
        now: i64,
    ) -> Result<Vec<String>, StoreError> {
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin_with(self.kind.begin()).await?;
        let open = sqlx::query(
            "SELECT id FROM challenges WHERE (creator = $1 OR opponent = $1) AND state = 'open'",
        )
        .bind(id)
        .fetch_all(&mut *transaction)
        .await?;
        for statement in [
            "UPDATE challenges SET state = 'cancelled' WHERE creator = $1 AND state = 'open'",
            "UPDATE challenges SET state = 'declined' WHERE opponent = $1 AND state = 'open'",
            "DELETE FROM tokens WHERE player = $1",
            "DELETE FROM pushes WHERE player = $1",
        ] {
            sqlx::query(statement).bind(id).execute(&mut *transaction).await?;
        }
        sqlx::query(
            "UPDATE players SET name = '', login = NULL, password = NULL, epoch = epoch + 1, \
             deleted = $2 WHERE id = $1 AND deleted IS NULL",
        )
        .bind(id)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        open.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// Stores when players and tokens were last seen.
    pub(crate) async fn set_seen(
        &self,
        players: &[(String, i64)],
        tokens: &[(String, i64)],
    ) -> Result<(), StoreError> {
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin_with(self.kind.begin()).await?;
        for (statement, seen) in [
            ("UPDATE players SET seen = $1 WHERE id = $2", players),
            ("UPDATE tokens SET used = $1 WHERE hash = $2", tokens),
        ] {
            for (key, at) in seen {
                sqlx::query(statement).bind(at).bind(key).execute(&mut *transaction).await?;
            }
        }
        transaction.commit().await?;
        Ok(())
    }
}
