//! Web Push subscriptions.

use super::challenges::lock_player;
use super::{PushRow, Store, StoreError};

impl Store {
    /// Stores a subscription of a player. Of more than `max` the oldest are deleted. False if the player has been
    /// deleted meanwhile.
    pub(crate) async fn add_push(
        &self,
        player: &str,
        push: &PushRow,
        now: i64,
        max: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, player).await? {
            transaction.roll_back().await?;
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO pushes (endpoint, player, p256dh, auth, language, created) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (endpoint) DO UPDATE SET player = $2, \
             p256dh = $3, auth = $4, language = $5, created = $6",
        )
        .bind(&push.endpoint)
        .bind(player)
        .bind(&push.p256dh)
        .bind(&push.auth)
        .bind(&push.language)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "DELETE FROM pushes WHERE player = $1 AND endpoint NOT IN (SELECT endpoint FROM pushes \
             WHERE player = $1 ORDER BY created DESC, endpoint LIMIT $2)",
        )
        .bind(player)
        .bind(max)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// The subscriptions of a player.
    pub(crate) async fn pushes(&self, player: &str) -> Result<Vec<PushRow>, StoreError> {
        let rows = sqlx::query("SELECT * FROM pushes WHERE player = $1 ORDER BY created")
            .bind(player)
            .fetch_all(self.database.readers())
            .await?;
        rows.iter().map(PushRow::read).collect()
    }

    /// Deletes a subscription of a player. False if there is none.
    pub(crate) async fn delete_push(
        &self,
        player: &str,
        endpoint: &str,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let done = sqlx::query("DELETE FROM pushes WHERE player = $1 AND endpoint = $2")
            .bind(player)
            .bind(endpoint)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(done.rows_affected() > 0)
    }
}
