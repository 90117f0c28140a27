//! Challenges and the lobby.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::game::{MAX_DAYS, MIN_DAYS};
use crate::{Player, TimeControl, display_as_word};

/// An invitation to play a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Challenge {
    /// Identifies the challenge.
    pub id: String,
    /// The game with its options, such as `impasse` or `palisade:9`.
    pub game: String,
    /// The creator's side.
    pub side: ChallengeSide,
    /// The time control.
    pub control: TimeControl,
    /// Whether the game will be rated if neither of its players is a guest.
    pub rated: bool,
    /// The player who created it.
    pub creator: Player,
    /// The player it is for; null if anyone who has the link may accept it.
    #[cfg_attr(feature = "schema", schema(required))]
    pub opponent: Option<Player>,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// Whether it can still be accepted.
    pub state: ChallengeState,
    /// The game that began when it was accepted.
    #[cfg_attr(feature = "schema", schema(required))]
    pub game_id: Option<String>,
    /// When it was created.
    pub created: i64,
    /// When it expires at the latest. A live challenge (with clocks, listed or to one player) expires sooner: when
    /// its creator has had no socket and no event stream for a minute.
    pub expires: i64,
}

/// The side that the creator of a challenge wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChallengeSide {
    /// Moves first.
    First,
    /// Moves second.
    Second,
    /// Drawn by lot when the challenge is accepted.
    #[default]
    Random,
}

/// The state of a challenge. Only an open one can be accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChallengeState {
    /// Can be accepted.
    Open,
    /// Has become a game.
    Accepted,
    /// The opponent declined it.
    Declined,
    /// The creator withdrew it.
    Cancelled,
    /// Nobody accepted it in time.
    Expired,
}

display_as_word!(ChallengeSide, ChallengeState);

/// A list of challenges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ChallengeList {
    /// The challenges, newest first.
    pub challenges: Vec<Challenge>,
}

/// A challenge to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewChallenge {
    /// The game with its options.
    #[cfg_attr(feature = "schema", schema(example = "palisade:9"))]
    pub game: String,
    /// Your side; `random` by default.
    #[serde(default)]
    pub side: ChallengeSide,
    /// The time control.
    pub control: TimeControl,
    /// Whether the game is to be rated; true by default. Games of guests, and games without a time limit,
    /// never are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<bool>,
    /// Whether the lobby shows it to everyone; otherwise only people who have the link can find it. False by
    /// default, and ignored if there is an `opponent`.
    #[serde(default)]
    pub listed: bool,
    /// The id of the player it is for; without it anyone may accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// How many days it stays open: 1 to 14. By default 3 if it is listed, 14 otherwise. A live challenge
    /// (with clocks, listed or to one player) has none: it ends two hours after it was created, or when its creator
    /// has had no socket and no event stream for a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 14))]
    pub days: Option<u32>,
}

impl NewChallenge {
    /// An unlisted challenge to anyone, sides drawn by lot.
    pub fn new(game: impl Into<String>, control: TimeControl) -> NewChallenge {
        NewChallenge {
            game: game.into(),
            side: ChallengeSide::Random,
            control,
            rated: None,
            listed: false,
            opponent: None,
            days: None,
        }
    }

    /// What is wrong with the days, if anything is.
    pub fn flaw(&self) -> Option<String> {
        let days = self.days.filter(|days| !(MIN_DAYS..=MAX_DAYS).contains(days))?;
        Some(format!("a challenge stays open for {MIN_DAYS} to {MAX_DAYS} days, not {days}"))
    }
}
