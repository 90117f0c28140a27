//! Challenges, and how one becomes a game.

use sqlx::{Connection, Row};
use stoa_wire::ChallengeState;

use super::games::NewGame;
use super::rows::Word;
use super::{ChallengeRow, Store, StoreError};

/// A statement that selects challenges with the names and kinds of both players.
macro_rules! select_challenges {
    ($rest:literal) => {
        concat!(
            "SELECT c.*, a.name AS creator_name, a.kind AS creator_kind, b.name AS opponent_name, \
             b.kind AS opponent_kind FROM challenges c JOIN players a ON a.id = c.creator \
             LEFT JOIN players b ON b.id = c.opponent ",
            $rest
        )
    };
}

/// What came of accepting a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// The game has begun.
    Done,
    /// Somebody else was first, or the challenge is no longer open.
    Gone,
}

impl Store {
    /// Stores a new challenge.
    pub(crate) async fn add_challenge(&self, challenge: &ChallengeRow) -> Result<(), StoreError> {
        let control = serde_json::to_string(&challenge.control)?;
        let _lock = self.write_lock.acquire().await;
        sqlx::query(
            "INSERT INTO challenges (id, creator, opponent, game, side, control, listed, state, \
             created, expires) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(&challenge.id)
        .bind(&challenge.creator.id)
        .bind(challenge.opponent.as_ref().map(|player| player.id.as_str()))
        .bind(&challenge.game)
        .bind(Word(challenge.side).to_string())
        .bind(control)
        .bind(i64::from(challenge.listed))
        .bind(Word(challenge.state).to_string())
        .bind(challenge.created)
        .bind(challenge.expires)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// A challenge by its id.
    pub(crate) async fn challenge(&self, id: &str) -> Result<Option<ChallengeRow>, StoreError> {
        let row = sqlx::query(select_challenges!("WHERE c.id = $1"))
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(ChallengeRow::read).transpose()
    }

    /// The listed open challenges, newest first.
    pub(crate) async fn lobby(
        &self,
        now: i64,
        limit: i64,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        let rows = sqlx::query(select_challenges!(
            "WHERE c.state = 'open' AND c.listed = 1 AND c.expires > $1 \
             ORDER BY c.created DESC LIMIT $2"
        ))
        .bind(now)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(ChallengeRow::read).collect()
    }

    /// The open challenges that a player created or was sent, newest first.
    pub(crate) async fn challenges_of(
        &self,
        player: &str,
        now: i64,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        let rows = sqlx::query(select_challenges!(
            "WHERE (c.creator = $1 OR c.opponent = $1) AND c.state = 'open' AND c.expires > $2 \
             ORDER BY c.created DESC LIMIT 100"
        ))
        .bind(player)
        .bind(now)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(ChallengeRow::read).collect()
    }

    /// Turns an open challenge into a game.
    pub(crate) async fn accept(
        &self,
        challenge: &str,
        now: i64,
        game: &NewGame,
    ) -> Result<Accepted, StoreError> {
        let _lock = self.write_lock.acquire().await;
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin_with(self.kind.begin()).await?;
        let taken = sqlx::query(
            "UPDATE challenges SET state = 'accepted', game_id = $1 \
             WHERE id = $2 AND state = 'open' AND expires > $3",
        )
        .bind(&game.id)
        .bind(challenge)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        if taken.rows_affected() == 0 {
            return Ok(Accepted::Gone);
        }
        game.insert(&mut transaction).await?;
        transaction.commit().await?;
        Ok(Accepted::Done)
    }

    /// Closes a challenge without a game; false if it was no longer open.
    pub(crate) async fn close_challenge(
        &self,
        id: &str,
        state: ChallengeState,
    ) -> Result<bool, StoreError> {
        let closed =
            sqlx::query("UPDATE challenges SET state = $1 WHERE id = $2 AND state = 'open'")
                .bind(Word(state).to_string())
                .bind(id)
                .execute(&self.pool)
                .await?;
        Ok(closed.rows_affected() > 0)
    }

    /// The number of open challenges of a player.
    pub(crate) async fn open_challenges(&self, player: &str, now: i64) -> Result<i64, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS n FROM challenges \
             WHERE creator = $1 AND state = 'open' AND expires > $2",
        )
        .bind(player)
        .bind(now)
        .fetch_one(&self.pool)
        .await?;
        Ok(row.try_get("n")?)
    }
}
