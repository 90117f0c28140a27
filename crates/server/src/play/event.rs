//! What can happen in a game. These are stored, so a change here needs a thought for old games.

use serde::{Deserialize, Serialize};
use stoa_rules::Side;
use utoipa::ToSchema;

/// One of the two places at the board. `first` moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Seat {
    First,
    Second,
}

impl Seat {
    pub(crate) const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    pub(crate) fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    pub(crate) fn index(self) -> usize {
        self.side().index()
    }

    pub(crate) fn side(self) -> Side {
        match self {
            Seat::First => Side::First,
            Seat::Second => Side::Second,
        }
    }
}

impl From<Side> for Seat {
    fn from(side: Side) -> Seat {
        match side {
            Side::First => Seat::First,
            Side::Second => Seat::Second,
        }
    }
}

/// Something that happened. Times are milliseconds; `left` is what both sides' clocks show after it,
/// `first` before `second`, and is missing in games without clocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Event {
    /// A move was played; `ply` moves had been played before it.
    Moved {
        ply: usize,
        #[serde(rename = "move")]
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<[i64; 2]>,
    },
    /// `by` asks for a draw.
    DrawOffered { by: Seat },
    /// `by` does not want the draw that was offered, or takes the own offer back.
    DrawDeclined { by: Seat },
    /// `by` asks to take the last own move back.
    TakebackOffered { by: Seat },
    /// `by` does not allow it, or takes the own wish back.
    TakebackDeclined { by: Seat },
    /// Moves were taken back by agreement: `ply` of them are left.
    TakenBack {
        ply: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<[i64; 2]>,
    },
    /// `by` gave the other side more time.
    TimeAdded { by: Seat, ms: i64 },
    /// `by` would like to play again, with sides swapped.
    RematchOffered { by: Seat },
    /// `by` would not, or no longer.
    RematchDeclined { by: Seat },
    /// Both would: this is the new game.
    Rematched { game: String },
    /// The game ended other than on the board: `resigned`, `time` or `agreed`.
    Ended {
        winner: Option<Seat>,
        reason: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<[i64; 2]>,
    },
    /// The game was given up before both sides had moved; nobody won. Without `by` the server did it,
    /// because a first move did not come in time.
    Aborted {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Seat>,
    },
}
