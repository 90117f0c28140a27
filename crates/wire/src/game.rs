//! Games: what players do in them, what happens, and how they stand.

use std::ops::RangeInclusive;

use serde::de::value::{Error as WordError, StrDeserializer};
use serde::de::{Error, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use stoa_rules::{Reason, Side};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{Player, RatingChange, display_as_word};

/// The minimum and maximum of days for a move, and for an open challenge.
pub(crate) const MIN_DAYS: u32 = 1;
pub(crate) const MAX_DAYS: u32 = 14;

/// How much time each side has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeControl {
    /// A clock for each side.
    Clock {
        /// Seconds at the start.
        #[cfg_attr(feature = "schema", schema(minimum = 5, maximum = 10800))]
        initial: u32,
        /// Seconds added after each of the side's moves.
        #[cfg_attr(feature = "schema", schema(minimum = 0, maximum = 180))]
        increment: u32,
    },
    /// A number of days for each move.
    Days {
        /// Days for each move.
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 14))]
        days: u32,
    },
    /// No time limit.
    #[default]
    Unlimited,
}

impl TimeControl {
    const INITIAL: RangeInclusive<u32> = 5..=10_800;
    const INCREMENT: RangeInclusive<u32> = 0..=180;
    const DAYS: RangeInclusive<u32> = MIN_DAYS..=MAX_DAYS;

    /// What is wrong with it, if anything is.
    pub fn flaw(self) -> Option<String> {
        let outside = |range: RangeInclusive<u32>, value: u32, what: &str, unit: &str| {
            let (min, max) = (range.start(), range.end());
            let is_outside = !range.contains(&value);
            is_outside.then(|| format!("{what} {min} to {max} {unit}, not {value}"))
        };
        match self {
            TimeControl::Clock { initial, increment } => {
                outside(Self::INITIAL, initial, "a clock starts with", "seconds")
                    .or_else(|| outside(Self::INCREMENT, increment, "a move adds", "seconds"))
            }
            TimeControl::Days { days } => outside(Self::DAYS, days, "a move may take", "days"),
            TimeControl::Unlimited => None,
        }
    }
}

/// What a player does in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// Play a move. Sending it again has no further effect, because `ply` says which move it is.
    Move {
        /// The number of moves played before this one.
        ply: usize,
        /// The move in the game's notation.
        #[serde(rename = "move")]
        #[cfg_attr(feature = "schema", schema(max_length = 200, example = "d2-b4"))]
        text: String,
    },
    /// Resign: the other side wins. Possible at any time before the end.
    Resign,
    /// Abort a game in which not both sides have moved; nobody wins.
    Abort,
    /// Offer a draw, or accept the other side's offer. Only in games that have draws; a side can offer
    /// three between two moves.
    Draw,
    /// Decline the other side's offer of a draw, or withdraw your own.
    DeclineDraw,
    /// Ask to take back your last move, or let the other side take back theirs. A side can ask three times
    /// between two moves, and a game has at most 50 takebacks. Not in rated games.
    Takeback,
    /// Decline the other side's request to take back a move, or withdraw your own.
    DeclineTakeback,
    /// Give the other side more time: 15 seconds on a clock, up to 3 hours; a day in correspondence games, up to
    /// 30 days.
    AddTime,
    /// After the end: offer a rematch with sides swapped, or accept the other side's offer. A side can offer
    /// three, and each counts as a challenge for rate limits.
    Rematch,
    /// Decline the other side's offer of a rematch, or withdraw your own.
    DeclineRematch,
}

/// Something that happened in a game. `left` is the time left on both clocks after it, and is missing in
/// games without a time limit.
//
// The database stores these as JSON, and games last for ever: whatever was written once must stay
// readable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GameEvent {
    /// A move was played.
    Moved {
        /// The number of moves played before it.
        ply: usize,
        /// The move in the game's notation.
        #[serde(rename = "move")]
        text: String,
        /// Time left on both clocks, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 2, max_items = 2))]
        left: Option<[i64; 2]>,
    },
    /// A side offered a draw.
    DrawOffered {
        /// The side that did it.
        #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
        by: Side,
    },
    /// A side declined a draw, or withdrew its own offer.
    DrawDeclined {
        /// The side that did it.
        #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
        by: Side,
    },
    /// A side asked to take back its last move.
    TakebackOffered {
        /// The side that did it.
        #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
        by: Side,
    },
    /// A side declined to let the other take back a move, or withdrew its own request.
    TakebackDeclined {
        /// The side that did it.
        #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
        by: Side,
    },
    /// Moves were taken back by agreement.
    TakenBack {
        /// The number of moves that remain.
        ply: usize,
        /// Time left on both clocks, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 2, max_items = 2))]
        left: Option<[i64; 2]>,
    },
    /// A side gave the other more time.
    TimeAdded {
        /// The side that did it.
        #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
        by: Side,
        /// How much, in milliseconds.
        ms: i64,
    },
    /// A side offered a rematch.
    RematchOffered {
        /// The side that did it.
        #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
        by: Side,
    },
    /// A side declined a rematch, or withdrew its own offer.
    RematchDeclined {
        /// The side that did it.
        #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
        by: Side,
    },
    /// Both sides agreed to a rematch.
    Rematched {
        /// The id of the new game.
        game: String,
    },
    /// The game ended off the board: `resigned`, `time` or `agreed`.
    Ended {
        /// The winner; null if it is a draw.
        #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
        winner: Option<Side>,
        /// Why it ended.
        #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Reason))]
        reason: Reason,
        /// Time left on both clocks, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 2, max_items = 2))]
        left: Option<[i64; 2]>,
    },
    /// The game was aborted before both sides had moved; nobody won.
    Aborted {
        /// The side that did it; missing if the server did, because a first move did not come in time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false, value_type = Option<crate::schema::Side>))]
        by: Option<Side>,
    },
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct GameResult {
    /// The winner; null if the game is a draw or was aborted.
    #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
    pub winner: Option<Side>,
    /// Why it ended.
    pub reason: EndReason,
}

/// Why a game ended. In JSON it is a single word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The game was played to a result.
    Over(Reason),
    /// The game was aborted and does not count.
    Aborted,
}

impl EndReason {
    const ABORTED: &str = "aborted";

    /// The word that stands for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            EndReason::Over(reason) => reason.word(),
            EndReason::Aborted => EndReason::ABORTED,
        }
    }
}

impl Serialize for EndReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for EndReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EndReason, D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == EndReason::ABORTED {
            return Ok(EndReason::Aborted);
        }
        let word: StrDeserializer<'_, WordError> = word.as_str().into_deserializer();
        Reason::deserialize(word).map(EndReason::Over).map_err(D::Error::custom)
    }
}

/// Whether a game is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// It is being played.
    Playing,
    /// It has a result.
    Over,
    /// It was aborted and does not count.
    Aborted,
}

/// Which games to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum GameFilter {
    /// Games being played.
    #[default]
    Playing,
    /// Games that have ended.
    Ended,
    /// All games.
    All,
}

display_as_word!(EndReason, GameStatus, GameFilter);

/// The offers that wait for an answer, each by the side that made it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Offers {
    /// The side that offers a draw.
    #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
    pub draw: Option<Side>,
    /// The side that asks to take back its last move.
    #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
    pub takeback: Option<Side>,
    /// The side that offers a rematch.
    #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
    pub rematch: Option<Side>,
}

/// How a game stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Situation {
    /// The number of events the game has had; each update is one more.
    pub version: i64,
    /// The number of moves played.
    pub ply: usize,
    /// The position after them.
    pub position: String,
    /// The side to move; null after the end.
    #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
    pub turn: Option<Side>,
    /// Time left on both clocks at `now`, in milliseconds; null in games without a time limit.
    #[cfg_attr(feature = "schema", schema(required, min_items = 2, max_items = 2))]
    pub left: Option<[i64; 2]>,
    /// The side whose clock is running.
    #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
    pub running: Option<Side>,
    /// When the side to move runs out of time.
    #[cfg_attr(feature = "schema", schema(required))]
    pub deadline: Option<i64>,
    /// The offers that wait for an answer.
    pub offers: Offers,
    /// Null while the game is being played.
    #[cfg_attr(feature = "schema", schema(required))]
    pub result: Option<GameResult>,
    /// The id of the rematch, once there is one.
    #[cfg_attr(feature = "schema", schema(required))]
    pub next: Option<String>,
    /// The server's time at which this was true.
    pub now: i64,
}

impl Situation {
    /// Whether the game is being played.
    pub fn status(&self) -> GameStatus {
        match self.result {
            None => GameStatus::Playing,
            Some(GameResult { reason: EndReason::Aborted, .. }) => GameStatus::Aborted,
            Some(_) => GameStatus::Over,
        }
    }
}

/// Who is connected to a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Audience {
    /// The number of connections that watch the game without playing in it.
    pub viewers: usize,
    /// Whether each player is connected to the game. Bots need not be, to play.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub present: [bool; 2],
}

/// A whole game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct GameView {
    /// Identifies the game.
    pub id: String,
    /// The game with its options, such as `impasse` or `palisade:9`.
    pub game: String,
    /// The time control.
    pub control: TimeControl,
    /// The players, first and second.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub players: [Player; 2],
    /// Whether it counts for the ratings of both players, unless it ends before both have moved.
    pub rated: bool,
    /// What it did to the ratings of both players, once it has counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 2, max_items = 2))]
    pub rating_changes: Option<[RatingChange; 2]>,
    /// When it began.
    pub created: i64,
    /// The id of the game that this is the rematch of.
    #[cfg_attr(feature = "schema", schema(required))]
    pub previous: Option<String>,
    /// The moves played, in the game's notation.
    pub moves: Vec<String>,
    /// How it stands.
    #[serde(flatten)]
    pub situation: Situation,
    /// Until when each player is on vacation, in correspondence games; null if they are not. Their clocks stand
    /// still.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required, min_items = 2, max_items = 2))]
    pub vacations: [Option<i64>; 2],
    /// Who is connected to it.
    #[serde(flatten)]
    pub audience: Audience,
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct GameSummary {
    /// Identifies the game.
    pub id: String,
    /// The game with its options, such as `impasse` or `palisade:9`.
    pub game: String,
    /// The time control.
    pub control: TimeControl,
    /// The players, first and second.
    #[cfg_attr(feature = "schema", schema(min_items = 2, max_items = 2))]
    pub players: [Player; 2],
    /// Whether it counts for the ratings of both players, unless it ends before both have moved.
    pub rated: bool,
    /// What it did to the ratings of both players, once it has counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 2, max_items = 2))]
    pub rating_changes: Option<[RatingChange; 2]>,
    /// When it began.
    pub created: i64,
    /// When it last changed.
    pub updated: i64,
    /// The number of events the game has had.
    pub version: i64,
    /// The number of moves played.
    pub ply: usize,
    /// The position after them.
    pub position: String,
    /// The side to move; null after the end.
    #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
    pub turn: Option<Side>,
    /// When the side to move runs out of time.
    #[cfg_attr(feature = "schema", schema(required))]
    pub deadline: Option<i64>,
    /// Null while the game is being played.
    #[cfg_attr(feature = "schema", schema(required))]
    pub result: Option<GameResult>,
}

/// A list of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct GameList {
    /// The games, those that changed last first.
    pub games: Vec<GameSummary>,
    /// The `cursor` of the next page; null if this is the last.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required))]
    pub next: Option<String>,
}

impl GameView {
    /// The side that a player has in this game.
    pub fn side_of(&self, player: &str) -> Option<Side> {
        side_of(&self.players, player)
    }
}

impl GameSummary {
    /// The side that a player has in this game.
    pub fn side_of(&self, player: &str) -> Option<Side> {
        side_of(&self.players, player)
    }
}

fn side_of(players: &[Player; 2], player: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| players[side.index()].id == player)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases hold these texts for ever.
    #[test]
    fn events_are_written_as_they_always_were() {
        let moved = GameEvent::Moved { ply: 3, text: "d2-b4".to_owned(), left: Some([1, 2]) };
        let by = Side::First;
        for (event, text) in [
            (moved, r#"{"kind":"moved","ply":3,"move":"d2-b4","left":[1,2]}"#),
            (GameEvent::DrawOffered { by }, r#"{"kind":"draw_offered","by":"first"}"#),
            (GameEvent::DrawDeclined { by }, r#"{"kind":"draw_declined","by":"first"}"#),
            (
                GameEvent::TakebackOffered { by: Side::Second },
                r#"{"kind":"takeback_offered","by":"second"}"#,
            ),
            (GameEvent::TakebackDeclined { by }, r#"{"kind":"takeback_declined","by":"first"}"#),
            (GameEvent::TakenBack { ply: 2, left: None }, r#"{"kind":"taken_back","ply":2}"#),
            (
                GameEvent::TimeAdded { by, ms: 15000 },
                r#"{"kind":"time_added","by":"first","ms":15000}"#,
            ),
            (GameEvent::RematchOffered { by }, r#"{"kind":"rematch_offered","by":"first"}"#),
            (GameEvent::RematchDeclined { by }, r#"{"kind":"rematch_declined","by":"first"}"#),
            (GameEvent::Rematched { game: "g".to_owned() }, r#"{"kind":"rematched","game":"g"}"#),
            (
                GameEvent::Ended { winner: Some(by), reason: Reason::Time, left: None },
                r#"{"kind":"ended","winner":"first","reason":"time"}"#,
            ),
            (GameEvent::Aborted { by: None }, r#"{"kind":"aborted"}"#),
        ] {
            assert_eq!(serde_json::to_string(&event).unwrap(), text);
            assert_eq!(serde_json::from_str::<GameEvent>(text).unwrap(), event);
        }
    }

    #[test]
    fn unknown_words_are_errors_that_name_them() {
        let text = r#"{"kind":"ended","winner":null,"reason":"boredom"}"#;
        let error = serde_json::from_str::<GameEvent>(text).unwrap_err();
        assert!(error.to_string().contains("boredom"), "{error}");
        let error = serde_json::from_str::<GameResult>(r#"{"winner":null,"reason":"boredom"}"#);
        assert!(error.unwrap_err().to_string().contains("boredom"));
    }

    #[test]
    fn a_reason_is_one_word() {
        for (reason, word) in Reason::WORDS {
            let reason = EndReason::Over(reason);
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{word}\""));
            assert_eq!(serde_json::from_str::<EndReason>(&format!("\"{word}\"")).unwrap(), reason);
        }
        assert_eq!(serde_json::from_str::<EndReason>("\"aborted\"").unwrap(), EndReason::Aborted);
        assert_eq!(EndReason::Aborted.to_string(), "aborted");
    }

    #[test]
    fn time_controls_have_bounds() {
        let flaw = |initial, increment| TimeControl::Clock { initial, increment }.flaw();
        assert_eq!(flaw(5, 0).or(flaw(10_800, 180)), None);
        let too_short = "a clock starts with 5 to 10800 seconds, not 4";
        assert_eq!(flaw(4, 0).as_deref(), Some(too_short));
        assert_eq!(flaw(60, 181).as_deref(), Some("a move adds 0 to 180 seconds, not 181"));
        let too_long = TimeControl::Days { days: 15 }.flaw();
        assert_eq!(too_long.as_deref(), Some("a move may take 1 to 14 days, not 15"));
        assert_eq!(TimeControl::Unlimited.flaw(), None);
    }
}
