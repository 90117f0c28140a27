//! Players who follow or have blocked others.

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_wire::Player;

use super::challenges::lock_both;
use super::profiles::Seen;
use super::rows::{Word, optional_word, player};
use super::{Store, StoreError};

/// A player's relation to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Relation {
    /// Follows them.
    Follow,
    /// Has blocked them: neither can challenge the other.
    Block,
}

/// The result of following or blocking a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelationChange {
    /// It is so now.
    Done,
    /// One of the players has been deleted.
    Gone,
    /// They have blocked this player, and cannot be followed.
    Blocked,
    /// There are too many already.
    TooMany,
}

/// The people whom a player follows or has blocked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Acquaintances {
    pub(crate) following: Vec<(Player, Seen)>,
    pub(crate) blocked: Vec<Player>,
}

impl Store {
    /// Makes a player follow or block another. A blocked player no longer follows.
    pub(crate) async fn add_relation(
        &self,
        from: &str,
        to: &str,
        relation: Relation,
        now: i64,
        max: i64,
    ) -> Result<RelationChange, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_both(&mut transaction, [from, to]).await? {
            transaction.roll_back().await?;
            return Ok(RelationChange::Gone);
        }
        let row = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM acquaintances WHERE player = $1 AND kind = $3 \
             AND other <> $2) AS n, (SELECT COUNT(*) FROM acquaintances \
             WHERE player = $2 AND other = $1 AND kind = 'block') AS blocked",
        )
        .bind(from)
        .bind(to)
        .bind(Word(relation).to_string())
        .fetch_one(&mut *transaction)
        .await?;
        let is_blocked = row.try_get::<i64, _>("blocked")? > 0;
        let refused = match relation {
            Relation::Follow if is_blocked => Some(RelationChange::Blocked),
            _ if row.try_get::<i64, _>("n")? >= max => Some(RelationChange::TooMany),
            _ => None,
        };
        if let Some(refused) = refused {
            transaction.roll_back().await?;
            return Ok(refused);
        }
        if relation == Relation::Block {
            sqlx::query(
                "DELETE FROM acquaintances WHERE player = $1 AND other = $2 AND kind = 'follow'",
            )
            .bind(to)
            .bind(from)
            .execute(&mut *transaction)
            .await?;
        }
        sqlx::query(
            "INSERT INTO acquaintances (player, other, kind, created) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (player, other) DO UPDATE SET kind = excluded.kind, created = excluded.created",
        )
        .bind(from)
        .bind(to)
        .bind(Word(relation).to_string())
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(RelationChange::Done)
    }

    /// Ends that a player follows, or has blocked, another.
    pub(crate) async fn remove_relation(
        &self,
        from: &str,
        to: &str,
        relation: Relation,
    ) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM acquaintances WHERE player = $1 AND other = $2 AND kind = $3")
            .bind(from)
            .bind(to)
            .bind(Word(relation).to_string())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        self.erasure.request();
        Ok(())
    }

    /// A player's relation to another.
    pub(crate) async fn relation_to(
        &self,
        from: &str,
        to: &str,
    ) -> Result<Option<Relation>, StoreError> {
        let row = sqlx::query("SELECT kind FROM acquaintances WHERE player = $1 AND other = $2")
            .bind(from)
            .bind(to)
            .fetch_optional(self.database.readers())
            .await?;
        row.map_or(Ok(None), |row| optional_word(&row, "kind"))
    }

    /// Whether one of two players has blocked the other.
    pub(crate) async fn is_blocked(&self, one: &str, other: &str) -> Result<bool, StoreError> {
        let row = sqlx::query(
            "SELECT player FROM acquaintances WHERE kind = 'block' \
             AND ((player = $1 AND other = $2) OR (player = $2 AND other = $1)) LIMIT 1",
        )
        .bind(one)
        .bind(other)
        .fetch_optional(self.database.readers())
        .await?;
        Ok(row.is_some())
    }

    /// Everyone whom a player follows or has blocked, by name.
    pub(crate) async fn acquaintances(&self, id: &str) -> Result<Acquaintances, StoreError> {
        let rows = sqlx::query(
            "SELECT p.id, p.name, p.kind, p.seen, p.show_presence, p.here_until, a.kind AS relation \
             FROM acquaintances a JOIN players p ON p.id = a.other \
             WHERE a.player = $1 AND p.deleted IS NULL ORDER BY p.name, p.id",
        )
        .bind(id)
        .fetch_all(self.database.readers())
        .await?;
        let mut found = Acquaintances::default();
        let read = |row: &AnyRow| player(row, ["id", "name", "kind"]);
        for row in &rows {
            match optional_word(row, "relation")? {
                Some(Relation::Follow) => found.following.push((read(row)?, Seen::read(row)?)),
                Some(Relation::Block) => found.blocked.push(read(row)?),
                None => {}
            }
        }
        Ok(found)
    }
}
