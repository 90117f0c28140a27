//! Correspondence games: conditional moves, notes, vacations.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// Replies that the server will play for you. Each line begins with a move of the other side, whose turn it is,
/// then your reply, then their next move, and so on; it ends with a reply of yours. Where two lines share the
/// moves up to one of the other side, they share the reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewConditionalMoves {
    /// At most 20 lines of at most 20 moves each.
    #[cfg_attr(feature = "schema", schema(example = json!([["d2-b4", "g7-e5"]])))]
    pub lines: Vec<Vec<String>>,
}

/// Your conditional moves in a game. Nobody else sees them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ConditionalMoves {
    /// The lines that are left, without the moves already played; none if there are no conditional moves.
    pub lines: Vec<Vec<String>>,
    /// Why your last conditional moves were dropped; null if they were not, or if you have deleted them since.
    #[cfg_attr(feature = "schema", schema(required))]
    pub dropped: Option<DropReason>,
}

/// Why conditional moves were dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// The other side has played a move for which there is no reply.
    OtherMove,
    /// The other side has offered a draw, which a reply would have declined.
    DrawOffered,
    /// A move was taken back.
    TakenBack,
    /// The game has ended.
    GameOver,
}

/// What you keep to yourself about a game of yours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OwnGame {
    /// Your note, at most 2000 characters: plain text, which nobody else sees.
    #[cfg_attr(feature = "schema", schema(max_length = 2000))]
    pub note: String,
    /// Whether you are notified by Web Push when it is your turn.
    pub notices: bool,
}

impl Default for OwnGame {
    fn default() -> OwnGame {
        OwnGame { note: String::new(), notices: true }
    }
}

/// Your vacation, during which your clocks stand still in correspondence games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Vacation {
    /// When it ends; null if you are not on vacation.
    #[cfg_attr(feature = "schema", schema(required))]
    pub until: Option<i64>,
    /// How many days of vacation you have left, of those within 365 days.
    pub days_left: i64,
}

/// A vacation to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewVacation {
    /// How many days it lasts, unless you end it before.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 21))]
    pub days: i64,
}
