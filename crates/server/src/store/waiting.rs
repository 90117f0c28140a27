//! People who wait to be paired, and how two of them get a game.
//!
//! Every node has the places of its own connections, and the database those of all. Transactions begin by locking the
//! row of `pairing`: nodes take turns. Moves wait meanwhile, so a transaction only does what was decided before, a
//! bounded number of changes; who plays whom is decided without one. A place is given to one game at most, because
//! the transaction that begins the game finds it free or not.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use stoa_wire::PlayerKind;

use super::database::WriterConnection;
use super::games::NewGame;
use super::rows::word;
use super::{Store, StoreError};
use crate::time::millis;

/// How many places a round looks at; the others are next when these are paired.
const MAX_CONSIDERED: i64 = 4000;
/// Two whose last game changed within this time have just met.
const MET_WITHIN: Duration = Duration::from_secs(300);

/// A player's place in the queue: what they want to play.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seek {
    pub(crate) player: String,
    pub(crate) kind: PlayerKind,
    /// Identifies the connection that has the place.
    pub(crate) ticket: String,
    pub(crate) node: String,
    pub(crate) game: String,
    /// The time control as JSON.
    pub(crate) control: String,
    pub(crate) rating: Option<f64>,
    pub(crate) since: i64,
    /// The game that has begun, until the connection has been notified.
    pub(crate) paired: Option<String>,
}

/// Everybody who waits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Queue {
    /// Those who have waited longest first.
    pub(crate) places: Vec<Seek>,
    /// Which of them have blocked each other.
    pub(crate) blocked: HashSet<(String, String)>,
    /// Which of them have played against each other a moment ago.
    pub(crate) met: HashSet<(String, String)>,
}

/// Two places that get a game.
#[derive(Debug)]
pub(crate) struct Match {
    /// The tickets.
    pub(crate) tickets: [String; 2],
    pub(crate) game: NewGame,
}

/// What has changed about the places of a node.
#[derive(Debug, Default)]
pub(crate) struct PlaceChanges<'a> {
    pub(crate) node: &'a str,
    /// Places that are not in the database yet.
    pub(crate) new: &'a [Seek],
    /// Tickets of places that are to be deleted.
    pub(crate) left: &'a [String],
    pub(crate) now: i64,
    /// Until when the places of this node are kept if it does not renew them.
    pub(crate) expires: i64,
    /// Whether to renew the places of this node now, and to delete those of nodes that have not.
    pub(crate) renews: bool,
}

impl Seek {
    fn read(row: &AnyRow) -> Result<Seek, StoreError> {
        Ok(Seek {
            player: row.try_get("player")?,
            kind: word(row, "kind")?,
            ticket: row.try_get("ticket")?,
            node: row.try_get("node")?,
            game: row.try_get("game")?,
            control: row.try_get("control")?,
            rating: row.try_get("rating")?,
            since: row.try_get("since")?,
            paired: row.try_get("paired")?,
        })
    }
}

impl Store {
    /// Everyone who waits.
    pub(crate) async fn waiting(&self, now: i64) -> Result<Queue, StoreError> {
        let mut connection = self.database.readers().acquire().await?;
        queue(&mut connection, now).await
    }

    /// The places of a node, whether they are paired or not.
    pub(crate) async fn places_of(&self, node: &str) -> Result<Vec<Seek>, StoreError> {
        let rows = sqlx::query(
            "SELECT w.*, p.kind FROM waiting w JOIN players p ON p.id = w.player WHERE w.node = $1",
        );
        let rows = rows.bind(node).fetch_all(self.database.readers()).await?;
        rows.iter().map(Seek::read).collect()
    }

    /// Stores and deletes places of a node.
    pub(crate) async fn change_places(&self, changes: &PlaceChanges<'_>) -> Result<(), StoreError> {
        let PlaceChanges { node, new, left, now, expires, renews } = *changes;
        let mut transaction = self.database.write().await?;
        take_turn(&mut transaction, now).await?;
        for ticket in left {
            let gone = sqlx::query("DELETE FROM waiting WHERE ticket = $1").bind(ticket);
            gone.execute(&mut *transaction).await?;
        }
        for place in new {
            // An attempt that failed may have stored it all the same, and another node may even have paired it.
            sqlx::query(
                "INSERT INTO waiting (player, ticket, node, game, control, rating, since, expires) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (player) DO UPDATE SET \
                 ticket = excluded.ticket, node = excluded.node, game = excluded.game, \
                 control = excluded.control, rating = excluded.rating, since = excluded.since, \
                 expires = excluded.expires, paired = NULL WHERE waiting.ticket <> excluded.ticket",
            )
            .bind(&place.player)
            .bind(&place.ticket)
            .bind(&place.node)
            .bind(&place.game)
            .bind(&place.control)
            .bind(place.rating)
            .bind(place.since)
            .bind(expires)
            .execute(&mut *transaction)
            .await?;
        }
        if renews {
            let renewed = sqlx::query("UPDATE waiting SET expires = $1 WHERE node = $2");
            renewed.bind(expires).bind(node).execute(&mut *transaction).await?;
            let expired = sqlx::query("DELETE FROM waiting WHERE expires <= $1").bind(now);
            expired.execute(&mut *transaction).await?;
            // Some may have become bots since they took their places.
            let bots = sqlx::query(
                "DELETE FROM waiting WHERE paired IS NULL \
                 AND player IN (SELECT id FROM players WHERE kind = 'bot')",
            );
            bots.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Begins the games of those who still wait, and returns their ids.
    pub(crate) async fn begin_matches(
        &self,
        matches: Vec<Match>,
        now: i64,
    ) -> Result<Vec<String>, StoreError> {
        let mut transaction = self.database.write().await?;
        take_turn(&mut transaction, now).await?;
        // Every node locks rows in the same order, to avoid deadlocks.
        let mut players: Vec<&String> = matches.iter().flat_map(|one| &one.game.players).collect();
        players.sort_unstable();
        let mut gone = Vec::new();
        for player in players {
            if !lock_person(&mut transaction, player).await? {
                let place = sqlx::query("DELETE FROM waiting WHERE player = $1").bind(player);
                place.execute(&mut *transaction).await?;
                gone.push(player.clone());
            }
        }
        let mut games = Vec::new();
        for Match { tickets: [one, other], game } in matches {
            if game.players.iter().any(|player| gone.contains(player)) {
                continue;
            }
            // Somebody may have left, or been paired by another node, since this was decided.
            let claimed = sqlx::query(
                "UPDATE waiting SET paired = $1 \
                 WHERE ticket IN ($2, $3) AND paired IS NULL AND expires > $4",
            );
            let claimed = claimed.bind(&game.id).bind(&one).bind(&other).bind(now);
            if claimed.execute(&mut *transaction).await?.rows_affected() < 2 {
                let released = sqlx::query("UPDATE waiting SET paired = NULL WHERE paired = $1");
                released.bind(&game.id).execute(&mut *transaction).await?;
                continue;
            }
            self.database.answered(game.insert(&mut transaction)).await?;
            games.push(game.id);
        }
        transaction.commit().await?;
        Ok(games)
    }
}

/// Waits until no other node changes who waits, until the end of the transaction.
async fn take_turn(connection: &mut WriterConnection, now: i64) -> Result<(), StoreError> {
    let turn = sqlx::query("UPDATE pairing SET at = $1 WHERE id = 1").bind(now);
    turn.execute(connection).await?;
    Ok(())
}

/// Locks the row of a player until the end of the transaction, so that nobody deletes them or makes them a bot
/// meanwhile; false if that has already happened.
async fn lock_person(connection: &mut WriterConnection, id: &str) -> Result<bool, StoreError> {
    let locked = sqlx::query(
        "UPDATE players SET seen = seen \
         WHERE id = $1 AND deleted IS NULL AND closed IS NULL AND kind <> 'bot'",
    )
    .bind(id)
    .execute(connection)
    .await?;
    Ok(locked.rows_affected() > 0)
}

/// Those whose places last at this moment.
async fn queue(connection: &mut AnyConnection, now: i64) -> Result<Queue, StoreError> {
    let rows = sqlx::query(
        "SELECT w.*, p.kind FROM waiting w JOIN players p ON p.id = w.player \
         WHERE w.expires > $1 AND p.kind <> 'bot' ORDER BY w.since, w.ticket LIMIT $2",
    )
    .bind(now)
    .bind(MAX_CONSIDERED)
    .fetch_all(&mut *connection)
    .await?;
    let places = rows.iter().map(Seek::read).collect::<Result<_, _>>()?;
    let rows = sqlx::query(
        "SELECT a.player, a.other FROM acquaintances a \
         JOIN waiting one ON one.player = a.player JOIN waiting other ON other.player = a.other \
         WHERE a.kind = 'block'",
    )
    .fetch_all(&mut *connection)
    .await?;
    let blocked = pairs(&rows)?;
    let rows = sqlx::query(
        "SELECT g.first AS player, g.second AS other FROM waiting one \
         JOIN games g ON g.first = one.player JOIN waiting other ON other.player = g.second \
         WHERE g.status IN ('playing', 'over', 'aborted') AND g.updated > $1",
    )
    .bind(now - millis(MET_WITHIN))
    .fetch_all(connection)
    .await?;
    Ok(Queue { places, blocked, met: pairs(&rows)? })
}

fn pairs(rows: &[AnyRow]) -> Result<HashSet<(String, String)>, StoreError> {
    rows.iter().map(|row| Ok((row.try_get("player")?, row.try_get("other")?))).collect()
}
