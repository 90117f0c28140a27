//! Challenges, and how one becomes a game.

use sqlx::Row;
use stoa_wire::ChallengeState;

use super::database::WriterConnection;
use super::games::{ENGINE_LOCK, EngineBusy, EngineGame, EngineLimits, NewGame, check_engine};
use super::rows::{Word, counts};
use super::{ChallengeRow, Store, StoreError};
use crate::bots::is_engine;
use crate::guard::Client;

/// A statement that selects challenges, from a table or a subquery, with the names, kinds and ratings of both
/// players.
macro_rules! select_challenges {
    ($from:expr, $rest:expr) => {
        concat!(
            "SELECT c.*, a.name AS creator_name, a.kind AS creator_kind, b.name AS opponent_name, \
             b.kind AS opponent_kind, ra.rating AS creator_rating, ra.sure_until AS creator_sure, \
             rb.rating AS opponent_rating, rb.sure_until AS opponent_sure FROM ",
            $from,
            " c JOIN players a ON a.id = c.creator LEFT JOIN players b ON b.id = c.opponent \
             LEFT JOIN ratings ra ON ra.player = c.creator AND ra.category = c.category \
             LEFT JOIN ratings rb ON rb.player = c.opponent AND rb.category = c.category ",
            $rest
        )
    };
}

/// The conditions under which a challenge can be accepted at the moment `$1`.
macro_rules! open_at {
    ($alias:literal) => {
        concat!(
            $alias,
            "state = 'open' AND ",
            $alias,
            "expires > $1 AND (",
            $alias,
            "present_until IS NULL OR ",
            $alias,
            "present_until > $1)"
        )
    };
}

/// Open challenges that fulfil a condition, each with its `place` among those of one customer, of whom each network
/// has its newest challenge before the second newest of any. `$3` is how long the name of the widest network is.
macro_rules! fair_shares {
    ($condition:literal) => {
        concat!(
            "(SELECT s.*, ROW_NUMBER() OVER (PARTITION BY s.customer \
             ORDER BY s.turn, s.created DESC, s.id) AS place FROM (\
             SELECT o.*, COALESCE(substr(o.network, 1, $3), o.creator) AS customer, \
             ROW_NUMBER() OVER (PARTITION BY COALESCE(o.network, o.creator) \
             ORDER BY o.created DESC, o.id) AS turn FROM challenges o WHERE ",
            $condition,
            " AND ",
            open_at!("o."),
            ") s)"
        )
    };
}

/// The length of the part of a pseudonym by which customers are distinguished.
const CUSTOMER_LENGTH: i32 = Client::NAME_LENGTH as i32;

/// The result of creating a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Added {
    /// It can be accepted.
    Done,
    /// Its creator has been deleted.
    NoCreator,
    /// Its opponent has been deleted.
    NoOpponent,
    /// Its creator has this many open ones.
    TooMany(i64),
    /// The network, or all that may be the same customer's, has this many open ones.
    TooManyFromNetwork(i64),
    /// It is for the engine, which has enough to do.
    EngineBusy(EngineBusy),
}

/// How many open challenges there may be, and how many games against the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChallengeLimits {
    pub(crate) of_player: i64,
    /// Nothing where addresses are not limited.
    pub(crate) from_network: Option<i64>,
    pub(crate) engine: EngineLimits,
}

/// The result of accepting a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// The game has begun.
    Done,
    /// Another player was first, or the challenge is no longer open.
    Gone,
    /// The player who accepts has been deleted.
    NoPlayer,
}

/// Locks the row of a player until the end of the transaction, so that nobody deletes them meanwhile; false if
/// another player already has.
pub(super) async fn lock_player(
    connection: &mut WriterConnection,
    id: &str,
) -> Result<bool, StoreError> {
    let locked = sqlx::query(
        "UPDATE players SET seen = seen WHERE id = $1 AND deleted IS NULL AND closed IS NULL",
    )
    .bind(id)
    .execute(connection)
    .await?;
    Ok(locked.rows_affected() > 0)
}

/// Locks two players, on every node in the same order, to avoid deadlocks. False if one of them is gone.
pub(super) async fn lock_both(
    connection: &mut WriterConnection,
    mut players: [&str; 2],
) -> Result<bool, StoreError> {
    players.sort_unstable();
    for player in players {
        if !lock_player(connection, player).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Store {
    /// Stores a new challenge, if neither of its players has been deleted meanwhile, and nobody has too many.
    pub(crate) async fn add_challenge(
        &self,
        challenge: &ChallengeRow,
        limits: &ChallengeLimits,
    ) -> Result<Added, StoreError> {
        let control = serde_json::to_string(&challenge.control)?;
        let creator = challenge.creator.id.as_str();
        let opponent = challenge.opponent.as_ref().map(|player| player.id.as_str());
        let mut transaction = self.database.write().await?;
        // Every node locks rows in the same order, to avoid deadlocks.
        let mut players: Vec<&str> = opponent.into_iter().chain([creator]).collect();
        players.sort_unstable();
        for player in players {
            if !lock_player(&mut transaction, player).await? {
                transaction.roll_back().await?;
                let is_creator = player == creator;
                return Ok(if is_creator { Added::NoCreator } else { Added::NoOpponent });
            }
        }
        if let Some(refused) = self.refusal(&mut transaction, challenge, limits).await? {
            transaction.roll_back().await?;
            return Ok(refused);
        }
        sqlx::query(
            "INSERT INTO challenges (id, creator, opponent, game, side, control, listed, state, \
             created, expires, present_until, network, rated, category) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        )
        .bind(&challenge.id)
        .bind(creator)
        .bind(opponent)
        .bind(&challenge.game)
        .bind(Word(challenge.side).to_string())
        .bind(control)
        .bind(i64::from(challenge.listed))
        .bind(Word(challenge.state).to_string())
        .bind(challenge.created)
        .bind(challenge.expires)
        .bind(challenge.present_until)
        .bind(challenge.network.as_deref())
        .bind(i64::from(challenge.rated))
        .bind(challenge.category.map(|category| category.to_string()))
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Added::Done)
    }

    /// A challenge by its id.
    pub(crate) async fn challenge(&self, id: &str) -> Result<Option<ChallengeRow>, StoreError> {
        let row = sqlx::query(select_challenges!("challenges", "WHERE c.id = $1"))
            .bind(id)
            .fetch_optional(self.database.readers())
            .await?;
        row.as_ref().map(ChallengeRow::read).transpose()
    }

    /// The listed open challenges, newest first. If there are too many, everyone who may be one customer of a provider
    /// gets a fair share: the newest challenge of each comes before the second newest of any.
    pub(crate) async fn lobby(
        &self,
        now: i64,
        limit: i64,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        let rows = sqlx::query(select_challenges!(
            fair_shares!("o.listed = 1"),
            "ORDER BY c.place, c.created DESC, c.id LIMIT $2"
        ))
        .bind(now)
        .bind(limit)
        .bind(CUSTOMER_LENGTH)
        .fetch_all(self.database.readers())
        .await?;
        newest_first(rows.iter().map(ChallengeRow::read).collect())
    }

    /// The open challenges that a player created or was sent, newest first; at most `limit` of both. Of those that
    /// were sent, everyone gets a fair share, as in the lobby.
    pub(crate) async fn challenges_of(
        &self,
        player: &str,
        now: i64,
        limit: i64,
    ) -> Result<Vec<ChallengeRow>, StoreError> {
        let created = sqlx::query(select_challenges!(
            "challenges",
            concat!(
                "WHERE c.creator = $2 AND ",
                open_at!("c."),
                " ORDER BY c.created DESC LIMIT $3"
            )
        ))
        .bind(now)
        .bind(player)
        .bind(limit)
        .fetch_all(self.database.readers())
        .await?;
        let sent = sqlx::query(select_challenges!(
            fair_shares!("o.opponent = $4"),
            "ORDER BY c.place, c.created DESC, c.id LIMIT $2"
        ))
        .bind(now)
        .bind(limit)
        .bind(CUSTOMER_LENGTH)
        .bind(player)
        .fetch_all(self.database.readers())
        .await?;
        newest_first(created.iter().chain(&sent).map(ChallengeRow::read).collect())
    }

    /// Turns an open challenge into a game, if the player who accepts it has not been deleted meanwhile.
    pub(crate) async fn accept(
        &self,
        challenge: &str,
        by: &str,
        now: i64,
        game: &NewGame,
    ) -> Result<Accepted, StoreError> {
        let mut transaction = self.database.write().await?;
        if !lock_player(&mut transaction, by).await? {
            transaction.roll_back().await?;
            return Ok(Accepted::NoPlayer);
        }
        let taken = sqlx::query(concat!(
            "UPDATE challenges SET state = 'accepted', game_id = $2, network = NULL \
             WHERE id = $3 AND ",
            open_at!("")
        ))
        .bind(now)
        .bind(&game.id)
        .bind(challenge)
        .execute(&mut *transaction)
        .await?;
        if taken.rows_affected() == 0 {
            transaction.roll_back().await?;
            return Ok(Accepted::Gone);
        }
        self.database.answered(game.insert(&mut transaction)).await?;
        transaction.commit().await?;
        Ok(Accepted::Done)
    }

    /// Closes a challenge without a game; false if it was no longer open.
    pub(crate) async fn close_challenge(
        &self,
        id: &str,
        state: ChallengeState,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let closed = sqlx::query(concat!(
            "UPDATE challenges SET state = $2, network = NULL WHERE id = $3 AND ",
            open_at!("")
        ))
        .bind(now)
        .bind(Word(state).to_string())
        .bind(id)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(closed.rows_affected() > 0)
    }

    /// Why there can be no such challenge besides the existing ones, if there cannot. Later counts wait for the
    /// end of the transaction: for a player by their row, which is locked, and for a network and the engine by
    /// advisory locks, always in this order.
    async fn refusal(
        &self,
        connection: &mut WriterConnection,
        challenge: &ChallengeRow,
        limits: &ChallengeLimits,
    ) -> Result<Option<Added>, StoreError> {
        let (creator, now) = (challenge.creator.id.as_str(), challenge.created);
        let own = sqlx::query(concat!(
            "SELECT COUNT(*) AS n FROM challenges WHERE creator = $2 AND ",
            open_at!("")
        ));
        let own = own.bind(now).bind(creator).fetch_one(&mut *connection).await?;
        if own.try_get::<i64, _>("n")? >= limits.of_player {
            return Ok(Some(Added::TooMany(limits.of_player)));
        }
        if let (Some(network), Some(max)) = (challenge.network.as_deref(), limits.from_network) {
            let [from, to] = Client::customer_pseudonyms(network);
            self.database.advisory_lock(connection, &from).await?;
            // Only open challenges have a network. If the statement said so, SQLite would read all of these.
            let near = sqlx::query(
                "SELECT network, COUNT(*) AS n FROM challenges WHERE network BETWEEN $2 AND $3 \
                 AND expires > $1 AND (present_until IS NULL OR present_until > $1) GROUP BY network",
            );
            let near = near.bind(now).bind(from).bind(to).fetch_all(&mut *connection).await?;
            if let Some(max) = Client::reached_limit(network, max, &counts(&near)?) {
                return Ok(Some(Added::TooManyFromNetwork(max)));
            }
        }
        if let Some(level) = challenge.opponent.as_ref().filter(|opponent| is_engine(&opponent.id))
        {
            self.database.advisory_lock(connection, ENGINE_LOCK).await?;
            let network = challenge.network.as_deref();
            let game = EngineGame { level: &level.id, player: creator, network };
            let checked = check_engine(connection, game, &[], limits.engine, now);
            let checked = self.database.answered(checked).await?;
            return Ok(checked.err().map(Added::EngineBusy));
        }
        Ok(None)
    }

    /// The open challenges that end with the presence of their creators: ids and creators.
    pub(crate) async fn live_challenges(&self) -> Result<Vec<(String, String)>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, creator FROM challenges \
             WHERE state = 'open' AND present_until IS NOT NULL ORDER BY id",
        )
        .fetch_all(self.database.readers())
        .await?;
        rows.iter().map(|row| Ok((row.try_get("id")?, row.try_get("creator")?))).collect()
    }

    /// Stores until when the creators of live challenges count as present, and ends the live challenges of
    /// those who no longer do; returns the ids of these.
    pub(crate) async fn renew_live_challenges(
        &self,
        present: &[String],
        present_until: i64,
        now: i64,
    ) -> Result<Vec<String>, StoreError> {
        let mut transaction = self.database.write().await?;
        for id in present {
            sqlx::query(
                "UPDATE challenges SET present_until = $1 WHERE id = $2 AND state = 'open'",
            )
            .bind(present_until)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        }
        let ended = sqlx::query(
            "UPDATE challenges SET state = 'expired', network = NULL \
             WHERE state = 'open' AND present_until <= $1 RETURNING id",
        )
        .bind(now)
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        ended.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// Forgets challenges that could be accepted until a time at the latest, at most so many; returns how many there
    /// were.
    pub(crate) async fn prune_challenges(
        &self,
        until: i64,
        most: i64,
    ) -> Result<usize, StoreError> {
        let rows = sqlx::query("SELECT id FROM challenges WHERE expires < $1 ORDER BY id LIMIT $2")
            .bind(until)
            .bind(most)
            .fetch_all(self.database.readers())
            .await?;
        if rows.is_empty() {
            return Ok(0);
        }
        let mut transaction = self.database.write_behind().await?;
        for row in &rows {
            sqlx::query("DELETE FROM challenges WHERE id = $1")
                .bind(row.try_get::<String, _>("id")?)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(rows.len())
    }
}

fn newest_first(
    rows: Result<Vec<ChallengeRow>, StoreError>,
) -> Result<Vec<ChallengeRow>, StoreError> {
    let mut rows = rows?;
    rows.sort_by(|a, b| (b.created, &a.id).cmp(&(a.created, &b.id)));
    Ok(rows)
}
