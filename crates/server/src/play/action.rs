//! What a player can want, and why it may be refused.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a player wants to do in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Action {
    /// Play a move. `ply` is how many moves have been played before it, so that a move that is sent
    /// twice counts once.
    Move {
        ply: usize,
        #[serde(rename = "move")]
        #[schema(max_length = 200, example = "d2-b4")]
        text: String,
    },
    /// Give the game up: the other side wins.
    Resign,
    /// Leave a game in which not both sides have moved; nobody wins.
    Abort,
    /// Ask for a draw, or accept one that the other side has asked for. Only in games that have draws.
    Draw,
    /// Decline the other side's offer of a draw, or take the own one back.
    DeclineDraw,
    /// Ask to take the last own move back, or allow it to the other side.
    Takeback,
    /// Do not allow it, or take the own wish back.
    DeclineTakeback,
    /// Give the other side more time: 15 seconds on a clock, a day where moves have days.
    AddTime,
    /// After the end: ask to play again with sides swapped, or accept.
    Rematch,
    /// Decline to play again, or take the own wish back.
    DeclineRematch,
}

/// Why something is not done. Each has a code, which programs can rely on, and a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the game is over")]
    GameOver,
    #[error("the game is still going on")]
    NotOver,
    #[error("it is the other side's turn")]
    NotYourTurn,
    #[error("your time has run out")]
    TimeUp,
    #[error("{0}")]
    IllegalMove(String),
    #[error("move {given} was sent, but {played} moves have been played")]
    WrongPly { given: usize, played: usize },
    #[error("this game has no draws")]
    NoDraws,
    #[error("you have already asked; the other side has not answered yet")]
    AlreadyAsked,
    #[error("there is nothing to decline")]
    NothingAsked,
    #[error("you have not moved yet")]
    NothingToTakeBack,
    #[error("both sides have moved; resign instead")]
    TooLateToAbort,
    #[error("time is not limited in this game")]
    NoClock,
    #[error("the other side has as much time as it may have")]
    EnoughTime,
    #[error("there is a rematch already")]
    HasRematch,
}

impl Refusal {
    /// The word for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Refusal::GameOver => "game_over",
            Refusal::NotOver => "not_over",
            Refusal::NotYourTurn => "not_your_turn",
            Refusal::TimeUp => "time_up",
            Refusal::IllegalMove(_) => "illegal_move",
            Refusal::WrongPly { .. } => "wrong_ply",
            Refusal::NoDraws => "no_draws",
            Refusal::AlreadyAsked => "already_asked",
            Refusal::NothingAsked => "nothing_asked",
            Refusal::NothingToTakeBack => "nothing_to_take_back",
            Refusal::TooLateToAbort => "too_late_to_abort",
            Refusal::NoClock => "no_clock",
            Refusal::EnoughTime => "enough_time",
            Refusal::HasRematch => "has_rematch",
        }
    }
}
