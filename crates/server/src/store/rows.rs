//! Rows of the database as types.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as WordError, StrDeserializer};
use serde::ser::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;
use stoa_rules::{Game, Side};
use stoa_wire::{
    Challenge, ChallengeSide, ChallengeState, EndReason, GameResult, GameStatus, GameSummary,
    Player, PlayerKind, Rating, RatingChange, Situation, TimeControl, Token,
};

use super::StoreError;
use crate::ratings::{Category, rating_at, shown};

/// A player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlayerRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: PlayerKind,
    pub(crate) login: Option<String>,
    pub(crate) password: Option<PasswordHash>,
    /// Cookies of earlier epochs are no longer valid.
    pub(crate) epoch: i64,
    pub(crate) created: i64,
    pub(crate) deleted: Option<i64>,
    /// Since when an administrator has closed it: nobody can sign in.
    pub(crate) closed: Option<i64>,
}

/// The hash of a password. It is not printed, not even for debugging.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PasswordHash(pub(crate) String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// A player who was found by a credential.
#[derive(Debug, Clone)]
pub(crate) struct Authenticated {
    pub(crate) player: PlayerRow,
    /// The last recorded use of the credential.
    pub(crate) seen: Option<i64>,
}

/// A browser's Web Push subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PushRow {
    pub(crate) endpoint: String,
    pub(crate) p256dh: String,
    pub(crate) auth: String,
    pub(crate) language: String,
}

/// A challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChallengeRow {
    pub(crate) id: String,
    pub(crate) creator: Player,
    pub(crate) opponent: Option<Player>,
    pub(crate) game: String,
    pub(crate) side: ChallengeSide,
    pub(crate) control: TimeControl,
    /// Whether the game is to count for ratings.
    pub(crate) rated: bool,
    /// What it is rated as, when it is stored; rows that were read have none.
    pub(crate) category: Option<Category>,
    pub(crate) listed: bool,
    pub(crate) state: ChallengeState,
    pub(crate) game_id: Option<String>,
    pub(crate) created: i64,
    pub(crate) expires: i64,
    /// Until when its creator counts as present: a live challenge ends with that.
    pub(crate) present_until: Option<i64>,
    /// The network it came from, under a pseudonym, while it is open.
    pub(crate) network: Option<String>,
}

/// A game without its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameRow {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) control: TimeControl,
    pub(crate) players: [Player; 2],
    pub(crate) rated: bool,
    /// What it did to the ratings of its players, once it has counted.
    pub(crate) rating_changes: Option<[RatingChange; 2]>,
    pub(crate) previous: Option<String>,
    pub(crate) created: i64,
    pub(crate) version: i64,
    /// Changes with what is kept beside the events, such as conditional moves.
    pub(crate) revision: i64,
    pub(crate) updated: i64,
    /// In games against the engine: the network of the opponent, under a pseudonym, until the end.
    pub(crate) network: Option<String>,
    pub(crate) snapshot: Snapshot,
}

/// What a game's events add up to, as far as lists of games show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) ply: usize,
    pub(crate) position: String,
    pub(crate) status: GameStatus,
    pub(crate) turn: Option<Side>,
    pub(crate) result: Option<GameResult>,
    pub(crate) deadline: Option<i64>,
}

impl From<&Situation> for Snapshot {
    fn from(situation: &Situation) -> Snapshot {
        Snapshot {
            ply: situation.ply,
            position: situation.position.clone(),
            status: situation.status(),
            turn: situation.turn,
            result: situation.result,
            deadline: situation.deadline,
        }
    }
}

/// The word that stands for an enum's value in the database, the same as in JSON.
pub(super) struct Word<T>(pub(super) T);

impl<T: Serialize> fmt::Display for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}

/// Reads an enum from the word that stands for it.
fn parse_word<T: DeserializeOwned>(column: &str, word: &str) -> Result<T, StoreError> {
    let deserializer: StrDeserializer<'_, WordError> = word.into_deserializer();
    let corrupt = |error| StoreError::Corrupt(format!("column {column}: {error}"));
    T::deserialize(deserializer).map_err(corrupt)
}

pub(super) fn word<T: DeserializeOwned>(row: &AnyRow, column: &str) -> Result<T, StoreError> {
    parse_word(column, &row.try_get::<String, _>(column)?)
}

pub(super) fn optional_word<T: DeserializeOwned>(
    row: &AnyRow,
    column: &str,
) -> Result<Option<T>, StoreError> {
    let text: Option<String> = row.try_get(column)?;
    text.map(|text| parse_word(column, &text)).transpose()
}

fn control(row: &AnyRow) -> Result<TimeControl, StoreError> {
    let text: String = row.try_get("control")?;
    let corrupt = |error| StoreError::Corrupt(format!("the time control {text}: {error}"));
    serde_json::from_str(&text).map_err(corrupt)
}

/// A player without a rating.
pub(super) fn player(row: &AnyRow, [id, name, kind]: [&str; 3]) -> Result<Player, StoreError> {
    let (id, name) = (row.try_get(id)?, row.try_get(name)?);
    Ok(Player { id, name, kind: word(row, kind)?, rating: None })
}

/// The rating of a player at a moment, if they have one.
fn rating(row: &AnyRow, [value, sure]: [&str; 2], at: i64) -> Result<Option<Rating>, StoreError> {
    let Some(value) = row.try_get::<Option<f64>, _>(value)? else { return Ok(None) };
    Ok(Some(rating_at(value, row.try_get(sure)?, at)))
}

/// What a game did to the rating of a player, if it has counted, and the rating before it.
fn rating_change(
    row: &AnyRow,
    [before, after, provisional, provisional_after]: [&str; 4],
) -> Result<Option<(Rating, RatingChange)>, StoreError> {
    let Some(before) = row.try_get::<Option<f64>, _>(before)? else { return Ok(None) };
    let is = |column| row.try_get::<i64, _>(column).map(|flag| flag != 0);
    let before = Rating { value: shown(before), provisional: is(provisional)? };
    let change = RatingChange {
        before: before.value,
        after: shown(row.try_get(after)?),
        provisional: is(provisional_after)?,
    };
    Ok(Some((before, change)))
}

impl PlayerRow {
    /// A guest.
    #[cfg(test)]
    pub(crate) fn for_test(id: &str) -> PlayerRow {
        PlayerRow {
            id: id.to_owned(),
            name: "Zeno".to_owned(),
            kind: PlayerKind::Guest,
            login: None,
            password: None,
            epoch: 0,
            created: 0,
            deleted: None,
            closed: None,
        }
    }

    pub(super) fn read(row: &AnyRow) -> Result<PlayerRow, StoreError> {
        Ok(PlayerRow {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            kind: word(row, "kind")?,
            login: row.try_get("login")?,
            password: row.try_get::<Option<String>, _>("password")?.map(PasswordHash),
            epoch: row.try_get("epoch")?,
            created: row.try_get("created")?,
            deleted: row.try_get("deleted")?,
            closed: row.try_get("closed")?,
        })
    }
}

impl From<PlayerRow> for Player {
    fn from(row: PlayerRow) -> Player {
        Player { id: row.id, name: row.name, kind: row.kind, rating: None }
    }
}

/// Rows with a network and the number `n` of something in it.
pub(super) fn counts(rows: &[AnyRow]) -> Result<Vec<(String, i64)>, StoreError> {
    rows.iter().map(|row| Ok((row.try_get("network")?, row.try_get("n")?))).collect()
}

/// A token as its owner sees it.
pub(super) fn read_token(row: &AnyRow) -> Result<Token, StoreError> {
    Ok(Token {
        id: row.try_get("id")?,
        label: row.try_get("label")?,
        created: row.try_get("created")?,
        used: row.try_get("used")?,
    })
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
        let mut opponent = opponent
            .map(|_| player(row, ["opponent", "opponent_name", "opponent_kind"]))
            .transpose()?;
        let created = row.try_get("created")?;
        if let Some(opponent) = &mut opponent {
            opponent.rating = rating(row, ["opponent_rating", "opponent_sure"], created)?;
        }
        let mut creator = player(row, ["creator", "creator_name", "creator_kind"])?;
        creator.rating = rating(row, ["creator_rating", "creator_sure"], created)?;
        Ok(ChallengeRow {
            id: row.try_get("id")?,
            creator,
            opponent,
            game: row.try_get("game")?,
            side: word(row, "side")?,
            control: control(row)?,
            rated: row.try_get::<i64, _>("rated")? != 0,
            category: None,
            listed: row.try_get::<i64, _>("listed")? != 0,
            state: word(row, "state")?,
            game_id: row.try_get("game_id")?,
            created,
            expires: row.try_get("expires")?,
            present_until: row.try_get("present_until")?,
            network: row.try_get("network")?,
        })
    }

    /// A challenge to anyone.
    #[cfg(test)]
    pub(crate) fn for_test(id: &str, creator: Player, control: TimeControl) -> ChallengeRow {
        ChallengeRow {
            id: id.to_owned(),
            creator,
            opponent: None,
            game: "impasse".to_owned(),
            side: ChallengeSide::First,
            control,
            rated: false,
            category: None,
            listed: false,
            state: ChallengeState::Open,
            game_id: None,
            created: 0,
            expires: i64::MAX,
            present_until: None,
            network: None,
        }
    }

    /// The challenge at a moment. That it has expired is not in the row.
    pub(crate) fn at(self, now: i64) -> Challenge {
        let end = self.present_until.map_or(self.expires, |until| until.min(self.expires));
        let has_expired = self.state == ChallengeState::Open && end <= now;
        Challenge {
            id: self.id,
            game: self.game,
            side: self.side,
            control: self.control,
            rated: self.rated,
            creator: self.creator,
            opponent: self.opponent,
            listed: self.listed,
            state: if has_expired { ChallengeState::Expired } else { self.state },
            game_id: self.game_id,
            created: self.created,
            expires: self.expires,
        }
    }
}

impl GameRow {
    /// Whether it is still a player's turn after this many moves; offers since then change nothing.
    pub(crate) fn is_turn_of(&self, player: &str, ply: usize) -> bool {
        let mover = self.snapshot.turn.map(|side| &self.players[side.index()]);
        self.snapshot.ply == ply && mover.is_some_and(|mover| mover.id == player)
    }

    pub(super) fn read(row: &AnyRow) -> Result<GameRow, StoreError> {
        let id: String = row.try_get("id")?;
        let ply: i64 = row.try_get("ply")?;
        let corrupt = |_| StoreError::Corrupt(format!("game {id} has {ply} moves"));
        let reason: Option<EndReason> = optional_word(row, "reason")?;
        let winner = optional_word(row, "winner")?;
        let snapshot = Snapshot {
            ply: usize::try_from(ply).map_err(corrupt)?,
            position: row.try_get("position")?,
            status: word(row, "status")?,
            turn: optional_word(row, "turn")?,
            result: reason.map(|reason| GameResult { winner, reason }),
            deadline: row.try_get("deadline")?,
        };
        let updated = row.try_get("updated")?;
        let mut players = [
            player(row, ["first", "first_name", "first_kind"])?,
            player(row, ["second", "second_name", "second_kind"])?,
        ];
        let changes = [
            ["first_before", "first_after", "first_provisional", "first_provisional_after"],
            ["second_before", "second_after", "second_provisional", "second_provisional_after"],
        ];
        let [first, second] = changes.map(|columns| rating_change(row, columns));
        let rating_changes = match (first?, second?) {
            (Some(first), Some(second)) => {
                players[0].rating = Some(first.0);
                players[1].rating = Some(second.0);
                Some([first.1, second.1])
            }
            _ => {
                players[0].rating = rating(row, ["first_rating", "first_sure"], updated)?;
                players[1].rating = rating(row, ["second_rating", "second_sure"], updated)?;
                None
            }
        };
        Ok(GameRow {
            id,
            game: row.try_get("game")?,
            control: control(row)?,
            players,
            rated: row.try_get::<i64, _>("rated")? != 0,
            rating_changes,
            previous: row.try_get("previous")?,
            created: row.try_get("created")?,
            version: row.try_get("version")?,
            revision: row.try_get("revision")?,
            updated,
            network: row.try_get("network")?,
            snapshot,
        })
    }

    /// The rules that the game is played by.
    pub(crate) fn rules(&self) -> Result<Game, StoreError> {
        let corrupt = |_| StoreError::Corrupt(format!("game {}: no game {}", self.id, self.game));
        self.game.parse().map_err(corrupt)
    }

    /// The side that a player has in this game.
    pub(crate) fn side_of(&self, player: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.players[side.index()].id == player)
    }
}

impl From<GameRow> for GameSummary {
    fn from(row: GameRow) -> GameSummary {
        let Snapshot { ply, position, turn, result, deadline, status: _ } = row.snapshot;
        GameSummary {
            id: row.id,
            game: row.game,
            control: row.control,
            players: row.players,
            rated: row.rated,
            rating_changes: row.rating_changes,
            created: row.created,
            updated: row.updated,
            version: row.version,
            ply,
            position,
            turn,
            deadline,
            result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enums_are_the_words_that_databases_hold() {
        assert_eq!(Word(PlayerKind::Guest).to_string(), "guest");
        assert_eq!(Word(ChallengeState::Cancelled).to_string(), "cancelled");
        assert_eq!(Word(Side::Second).to_string(), "second");
        assert_eq!(Word(EndReason::Over(stoa_rules::Reason::NoMove)).to_string(), "no-move");
        assert_eq!(parse_word::<GameStatus>("status", "over").expect("a word"), GameStatus::Over);
        let error = parse_word::<PlayerKind>("kind", "robot").expect_err("no such kind");
        assert_eq!(
            error.to_string(),
            "the database holds data that this program does not understand: column kind: unknown \
             variant `robot`, expected one of `guest`, `account`, `bot`"
        );
        assert!(parse_word::<EndReason>("reason", "boredom").is_err());
        assert!(parse_word::<Side>("turn", "third").is_err());
    }
}
