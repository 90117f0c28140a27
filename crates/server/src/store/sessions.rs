//! Devices that are signed in to accounts.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::Session;

use super::challenges::lock_player;
use super::database::WriterConnection;
use super::{Authenticated, PlayerRow, Store, StoreError};

/// How many devices of an account are remembered; those not used for longest are signed out.
const MAX_SESSIONS: i64 = 30;

/// The session of a device that signs in.
#[derive(Debug, Clone)]
pub(crate) struct NewSession {
    pub(crate) id: String,
    /// What kind of browser it is.
    pub(crate) device: String,
    /// When somebody signed in for it.
    pub(crate) began: i64,
    pub(crate) now: i64,
    /// The session that this browser has had until now, after its player.
    pub(crate) replaced: Option<(String, String)>,
}

impl NewSession {
    /// Stores it for a player, and ends the one that it replaces: the browser always has one of them.
    pub(super) async fn insert(
        &self,
        connection: &mut WriterConnection,
        player: &str,
    ) -> Result<(), StoreError> {
        if let Some((player, replaced)) = &self.replaced {
            delete(connection, player, replaced).await?;
        }
        sqlx::query(
            "DELETE FROM sessions WHERE player = $1 AND id NOT IN (SELECT id FROM sessions \
             WHERE player = $1 ORDER BY used DESC, id LIMIT $2)",
        )
        .bind(player)
        .bind(MAX_SESSIONS - 1)
        .execute(&mut *connection)
        .await?;
        sqlx::query(
            "INSERT INTO sessions (id, player, device, created, used) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(&self.id)
        .bind(player)
        .bind(&self.device)
        .bind(self.began)
        .bind(self.now)
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// Ends a session of a player. False if there is none.
async fn delete(
    connection: &mut WriterConnection,
    player: &str,
    id: &str,
) -> Result<bool, StoreError> {
    let done = sqlx::query("DELETE FROM sessions WHERE player = $1 AND id = $2")
        .bind(player)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

impl Store {
    /// Stores that a device has signed in. False if the account has been deleted or closed meanwhile.
    pub(crate) async fn add_session(
        &self,
        player: &str,
        session: &NewSession,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        session.insert(&mut transaction, player).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// The player of a session, unless deleted or closed, and when the session was last used.
    pub(crate) async fn session_owner(
        &self,
        session: &str,
        player: &str,
    ) -> Result<Option<Authenticated>, StoreError> {
        let row = sqlx::query(
            "SELECT p.*, s.used AS session_used FROM sessions s JOIN players p ON p.id = s.player \
             WHERE s.id = $1 AND p.id = $2 AND p.deleted IS NULL AND p.closed IS NULL",
        )
        .bind(session)
        .bind(player)
        .fetch_optional(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            let seen = Some(row.try_get("session_used")?);
            Ok(Authenticated { player: PlayerRow::read(row)?, seen })
        };
        row.as_ref().map(read).transpose()
    }

    /// When a session of a player began, if there is one.
    pub(crate) async fn session_beginning(
        &self,
        session: &str,
        player: &str,
    ) -> Result<Option<i64>, StoreError> {
        let row = sqlx::query("SELECT created FROM sessions WHERE id = $1 AND player = $2")
            .bind(session)
            .bind(player)
            .fetch_optional(self.database.readers())
            .await?;
        Ok(row.map(|row| row.try_get("created")).transpose()?)
    }

    /// The devices of a player, those used last first; `current` is the one that asks.
    pub(crate) async fn sessions(
        &self,
        player: &str,
        current: Option<&str>,
    ) -> Result<Vec<Session>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, device, created, used FROM sessions WHERE player = $1 ORDER BY used DESC, id",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            let id: String = row.try_get("id")?;
            Ok(Session {
                current: current == Some(id.as_str()),
                id,
                device: row.try_get("device")?,
                created: row.try_get("created")?,
                used: row.try_get("used")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Ends a session of a player. False if there is none.
    pub(crate) async fn delete_session(&self, player: &str, id: &str) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let is_done = delete(&mut transaction, player, id).await?;
        transaction.commit().await?;
        Ok(is_done)
    }

    /// Ends all sessions of a player but one, and invalidates cookies that name none. False if the epoch
    /// is no longer the expected one.
    pub(crate) async fn end_other_sessions(
        &self,
        player: &str,
        keep: Option<&str>,
        epoch: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let done = sqlx::query(
            "UPDATE players SET epoch = epoch + 1 WHERE id = $1 AND epoch = $2 AND deleted IS NULL",
        )
        .bind(player)
        .bind(epoch)
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() == 0 {
            transaction.roll_back().await?;
            return Ok(false);
        }
        sqlx::query("DELETE FROM sessions WHERE player = $1 AND id <> $2")
            .bind(player)
            .bind(keep.unwrap_or_default())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nobody_signs_in_to_an_account_that_is_deleted_meanwhile() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let player = PlayerRow::for_test("p");
        let session = |id: &str| NewSession {
            id: id.to_owned(),
            device: String::new(),
            began: 1,
            now: 1,
            replaced: None,
        };
        assert!(store.add_account(&player, &session("first")).await.expect("a database"));
        assert!(store.add_session("p", &session("second")).await.expect("a database"));
        store.delete_player("p", 2).await.expect("deleted");
        // The password was checked before.
        assert!(!store.add_session("p", &session("third")).await.expect("a database"));
        assert!(store.sessions("p", None).await.expect("a database").is_empty(), "no trace");
        store.close().await;
    }
}
