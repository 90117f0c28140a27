//! What is read from the database, as types.

use std::fmt;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::StoreError;
use crate::play::{Control, Seat};

/// A player as kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayerRow {
    pub(crate) id: String,
    pub(crate) name: String,
    /// `guest`, `account` or `bot`.
    pub(crate) kind: String,
    pub(crate) login: Option<String>,
    pub(crate) password: Option<PasswordHash>,
    /// Cookies of earlier epochs are no longer good.
    pub(crate) epoch: i64,
    pub(crate) created: i64,
    pub(crate) deleted: Option<i64>,
}

/// What is kept of a password. It is not shown, not even to those who look for mistakes.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PasswordHash(pub(crate) String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// A player who has said who they are.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) player: PlayerRow,
    /// When that was last written down, for the player or the token.
    pub(crate) seen: Option<i64>,
}

/// A token as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TokenRow {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) created: i64,
    pub(crate) used: Option<i64>,
}

/// Where a closed browser can be told something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PushRow {
    pub(crate) endpoint: String,
    pub(crate) p256dh: String,
    pub(crate) auth: String,
    pub(crate) language: String,
}

/// Somebody's wish to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChallengeRow {
    pub(crate) id: String,
    pub(crate) creator: Named,
    pub(crate) opponent: Option<Named>,
    pub(crate) game: String,
    pub(crate) side: String,
    pub(crate) control: Control,
    pub(crate) listed: bool,
    pub(crate) state: String,
    pub(crate) game_id: Option<String>,
    pub(crate) created: i64,
    pub(crate) expires: i64,
}

/// A player as others see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: String,
}

/// A game as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameRow {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) control: Control,
    pub(crate) players: [Named; 2],
    pub(crate) previous: Option<String>,
    pub(crate) created: i64,
    pub(crate) version: i64,
    pub(crate) updated: i64,
    pub(crate) summary: Summary,
}

/// What a list of games says about the state of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) ply: i64,
    pub(crate) position: String,
    /// `playing`, `over` or `aborted`.
    pub(crate) status: String,
    pub(crate) turn: Option<Seat>,
    pub(crate) winner: Option<Seat>,
    pub(crate) reason: Option<String>,
    pub(crate) deadline: Option<i64>,
}

impl Seat {
    /// As it stands in the database.
    pub(super) fn word(self) -> &'static str {
        match self {
            Seat::First => "first",
            Seat::Second => "second",
        }
    }

    fn from_word(word: Option<String>) -> Result<Option<Seat>, StoreError> {
        match word.as_deref() {
            None => Ok(None),
            Some("first") => Ok(Some(Seat::First)),
            Some("second") => Ok(Some(Seat::Second)),
            Some(other) => Err(StoreError::Strange(format!("a side called {other}"))),
        }
    }
}

fn control(row: &AnyRow) -> Result<Control, StoreError> {
    let text: String = row.try_get("control")?;
    serde_json::from_str(&text).map_err(|_| StoreError::Strange(format!("the clock {text}")))
}

fn named(row: &AnyRow, columns: [&str; 3]) -> Result<Named, StoreError> {
    Ok(Named {
        id: row.try_get(columns[0])?,
        name: row.try_get(columns[1])?,
        kind: row.try_get(columns[2])?,
    })
}

impl PlayerRow {
    pub(super) fn read(row: &AnyRow) -> Result<PlayerRow, StoreError> {
        Ok(PlayerRow {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            kind: row.try_get("kind")?,
            login: row.try_get("login")?,
            password: row.try_get::<Option<String>, _>("password")?.map(PasswordHash),
            epoch: row.try_get("epoch")?,
            created: row.try_get("created")?,
            deleted: row.try_get("deleted")?,
        })
    }
}

impl TokenRow {
    pub(super) fn read(row: &AnyRow) -> Result<TokenRow, StoreError> {
        Ok(TokenRow {
            id: row.try_get("id")?,
            label: row.try_get("label")?,
            created: row.try_get("created")?,
            used: row.try_get("used")?,
        })
    }
}

impl PushRow {
    pub(super) fn read(row: &AnyRow) -> Result<PushRow, StoreError> {
        Ok(PushRow {
            endpoint: row.try_get("endpoint")?,
            p256dh: row.try_get("p256dh")?,
            auth: row.try_get("auth")?,
            language: row.try_get("language")?,
        })
    }
}

impl ChallengeRow {
    pub(super) fn read(row: &AnyRow) -> Result<ChallengeRow, StoreError> {
        let opponent: Option<String> = row.try_get("opponent")?;
        let opponent = opponent
            .map(|_| named(row, ["opponent", "opponent_name", "opponent_kind"]))
            .transpose()?;
        Ok(ChallengeRow {
            id: row.try_get("id")?,
            creator: named(row, ["creator", "creator_name", "creator_kind"])?,
            opponent,
            game: row.try_get("game")?,
            side: row.try_get("side")?,
            control: control(row)?,
            listed: row.try_get::<i64, _>("listed")? != 0,
            state: row.try_get("state")?,
            game_id: row.try_get("game_id")?,
            created: row.try_get("created")?,
            expires: row.try_get("expires")?,
        })
    }
}

impl GameRow {
    pub(super) fn read(row: &AnyRow) -> Result<GameRow, StoreError> {
        Ok(GameRow {
            id: row.try_get("id")?,
            game: row.try_get("game")?,
            control: control(row)?,
            players: [
                named(row, ["first", "first_name", "first_kind"])?,
                named(row, ["second", "second_name", "second_kind"])?,
            ],
            previous: row.try_get("previous")?,
            created: row.try_get("created")?,
            version: row.try_get("version")?,
            updated: row.try_get("updated")?,
            summary: Summary {
                ply: row.try_get("ply")?,
                position: row.try_get("position")?,
                status: row.try_get("status")?,
                turn: Seat::from_word(row.try_get("turn")?)?,
                winner: Seat::from_word(row.try_get("winner")?)?,
                reason: row.try_get("reason")?,
                deadline: row.try_get("deadline")?,
            },
        })
    }

    /// The place of a player at this board.
    pub(crate) fn seat_of(&self, player: &str) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.players[seat.index()].id == player)
    }
}
