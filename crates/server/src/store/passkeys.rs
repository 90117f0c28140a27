//! Passkeys, and the challenges that are signed with them.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::Passkey;

use super::challenges::lock_player;
use super::{Store, StoreError};

/// A passkey with what is needed to check a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PasskeyRow {
    pub(crate) player: String,
    pub(crate) public_key: String,
    pub(crate) counter: i64,
    /// When it was last used.
    pub(crate) used: Option<i64>,
}

/// A passkey to be stored.
#[derive(Debug, Clone)]
pub(crate) struct NewPasskeyRow<'a> {
    pub(crate) id: &'a str,
    pub(crate) player: &'a str,
    pub(crate) label: &'a str,
    pub(crate) public_key: &'a str,
    pub(crate) counter: u32,
}

impl Store {
    /// Stores a challenge for a player who adds a passkey. False if the player has been deleted meanwhile.
    pub(crate) async fn add_passkey_challenge(
        &self,
        challenge: &str,
        player: &str,
        expires: i64,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        sqlx::query("DELETE FROM passkey_challenges WHERE expires <= $1")
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO passkey_challenges (challenge, player, expires) VALUES ($1, $2, $3)",
        )
        .bind(challenge)
        .bind(player)
        .bind(expires)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Consumes a challenge. False if there is no such challenge for this player.
    pub(crate) async fn use_passkey_challenge(
        &self,
        challenge: &str,
        player: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let used = sqlx::query(
            "DELETE FROM passkey_challenges WHERE challenge = $1 AND expires > $2 AND player = $3",
        )
        .bind(challenge)
        .bind(now)
        .bind(player)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(used.rows_affected() > 0)
    }

    /// Stores a passkey. False if there is one with this id, the player has too many, or is gone.
    pub(crate) async fn add_passkey(
        &self,
        new: &NewPasskeyRow<'_>,
        max: i64,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, new.player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        let added = sqlx::query(
            "INSERT INTO passkeys (id, player, label, public_key, counter, created) \
             SELECT $1, $2, $3, $4, $5, $6 \
             WHERE (SELECT COUNT(*) FROM passkeys WHERE player = $2) < $7 ON CONFLICT DO NOTHING",
        )
        .bind(new.id)
        .bind(new.player)
        .bind(new.label)
        .bind(new.public_key)
        .bind(i64::from(new.counter))
        .bind(now)
        .bind(max)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(added.rows_affected() > 0)
    }

    /// A player's passkeys, oldest first.
    pub(crate) async fn passkeys(&self, player: &str) -> Result<Vec<Passkey>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, label, created, used FROM passkeys WHERE player = $1 ORDER BY created, id",
        )
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        let read = |row: &AnyRow| {
            Ok(Passkey {
                id: row.try_get("id")?,
                label: row.try_get("label")?,
                created: row.try_get("created")?,
                used: row.try_get("used")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// A passkey by its id.
    pub(crate) async fn passkey(&self, id: &str) -> Result<Option<PasskeyRow>, StoreError> {
        let row =
            sqlx::query("SELECT player, public_key, counter, used FROM passkeys WHERE id = $1")
                .bind(id)
                .fetch_optional(self.database.readers())
                .await?;
        let read = |row: AnyRow| {
            Ok(PasskeyRow {
                player: row.try_get("player")?,
                public_key: row.try_get("public_key")?,
                counter: row.try_get("counter")?,
                used: row.try_get("used")?,
            })
        };
        row.map(read).transpose()
    }

    /// Stores that a passkey has signed a challenge, if its counter is still the one that was checked, and it was not
    /// used since the challenge was issued.
    pub(crate) async fn passkey_used(
        &self,
        id: &str,
        checked: i64,
        counter: u32,
        issued: i64,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let used = sqlx::query(
            "UPDATE passkeys SET counter = $3, used = $4 \
             WHERE id = $1 AND counter = $2 AND COALESCE(used, 0) <= $5",
        )
        .bind(id)
        .bind(checked)
        .bind(i64::from(counter))
        // Later than the challenge in any case, whichever node issued it and whatever its clock says.
        .bind(now.max(issued + 1))
        .bind(issued)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(used.rows_affected() > 0)
    }

    /// Gives a passkey of a player another name. False if there is none.
    pub(crate) async fn rename_passkey(
        &self,
        player: &str,
        id: &str,
        label: &str,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let done = sqlx::query("UPDATE passkeys SET label = $3 WHERE player = $1 AND id = $2")
            .bind(player)
            .bind(id)
            .bind(label)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }

    /// Deletes a passkey of a player. False if there is none.
    pub(crate) async fn delete_passkey(&self, player: &str, id: &str) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let done = sqlx::query("DELETE FROM passkeys WHERE player = $1 AND id = $2")
            .bind(player)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(done.rows_affected() > 0)
    }
}
