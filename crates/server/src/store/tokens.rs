//! API tokens. Only their hashes are stored.

use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::Token;

use super::challenges::lock_player;
use super::rows::read_token;
use super::{Authenticated, PlayerRow, Store, StoreError};

/// The result of adding a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenAdded {
    /// It is valid.
    Done,
    /// The player has too many.
    TooMany,
    /// The player has been deleted meanwhile.
    NoPlayer,
}

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

    /// Stores a token by its hash, unless its player has this many.
    pub(crate) async fn add_token(
        &self,
        hash: &str,
        player: &str,
        Token { id, label, created, .. }: &Token,
        max: i64,
    ) -> Result<TokenAdded, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, player).await? {
            transaction.roll_back().await?;
            return Ok(TokenAdded::NoPlayer);
        }
        let row = sqlx::query("SELECT COUNT(*) AS n FROM tokens WHERE player = $1")
            .bind(player)
            .fetch_one(&mut *transaction)
            .await?;
        if row.try_get::<i64, _>("n")? >= max {
            transaction.roll_back().await?;
            return Ok(TokenAdded::TooMany);
        }
        sqlx::query(
            "INSERT INTO tokens (hash, id, player, label, created) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(hash)
        .bind(id)
        .bind(player)
        .bind(label)
        .bind(created)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(TokenAdded::Done)
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

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::super::PushRow;
    use super::*;

    fn token(number: usize) -> Token {
        Token { id: format!("t{number}"), label: "program".to_owned(), created: 1, used: None }
    }

    async fn opened(folder: &tempfile::TempDir) -> Store {
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        assert!(store.add_player(&PlayerRow::for_test("p")).await.expect("a database"));
        store
    }

    #[tokio::test]
    async fn tokens_made_at_the_same_time_are_limited() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = opened(&folder).await;
        let added = join_all((0..30).map(|number| {
            let store = &store;
            async move { store.add_token(&format!("h{number}"), "p", &token(number), 20).await }
        }));
        let added = added.await.into_iter().map(|added| added.expect("a database"));
        let (done, refused): (Vec<_>, Vec<_>) = added.partition(|one| *one == TokenAdded::Done);
        assert_eq!((done.len(), refused), (20, vec![TokenAdded::TooMany; 10]));
        assert_eq!(store.tokens("p").await.expect("a database").len(), 20);
        store.close().await;
    }

    /// Who they are was cached a moment ago.
    #[tokio::test]
    async fn a_player_who_is_deleted_meanwhile_gets_neither_token_nor_subscription() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = opened(&folder).await;
        let push = PushRow {
            endpoint: "https://push.example/p".to_owned(),
            p256dh: String::new(),
            auth: String::new(),
            language: "en".to_owned(),
        };
        let add = async || {
            let added = store.add_token("h", "p", &token(1), 20).await.expect("a database");
            (added, store.add_push("p", &push, 1, 10).await.expect("a database"))
        };
        assert_eq!(add().await, (TokenAdded::Done, true));
        store.delete_player("p", 2).await.expect("deleted");
        assert_eq!(add().await, (TokenAdded::NoPlayer, false));
        assert!(store.tokens("p").await.expect("a database").is_empty(), "no trace");
        assert!(store.pushes("p").await.expect("a database").is_empty(), "no trace");
        store.close().await;
    }
}
