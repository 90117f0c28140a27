//! Why an action is refused.

use stoa_wire::ErrorCode;

/// Why an action is refused. Each has a code, which programs can rely on, and a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the game is over")]
    GameOver,
    #[error("the game is not over yet")]
    NotOver,
    #[error("it is the other side's turn")]
    NotYourTurn,
    #[error("your time has run out")]
    TimeUp,
    #[error("{0}")]
    IllegalMove(String),
    #[error("move {given} was sent, but {}", moves_played(*played))]
    WrongPly { given: usize, played: usize },
    #[error("this game has no draws")]
    NoDraws,
    #[error("you have already asked; the other side has not answered yet")]
    AlreadyAsked,
    #[error("you have asked often enough")]
    AskedEnough,
    #[error("there is nothing to decline")]
    NothingAsked,
    #[error("you have not moved yet")]
    NothingToTakeBack,
    #[error("moves cannot be taken back in a rated game")]
    Rated,
    #[error("both sides have moved; resign instead")]
    TooLateToAbort,
    #[error("this game has no time limit")]
    NoClock,
    #[error("the other side already has as much time as it may have")]
    EnoughTime,
    #[error("there is already a rematch")]
    HasRematch,
    #[error("your opponent has left")]
    OpponentGone,
    #[error("one of you has blocked the other")]
    Blocked,
    #[error("it is your own turn; conditional moves answer the other side's")]
    YourTurn,
    #[error("this is for games without clocks")]
    LiveGame,
    #[error("{0}")]
    BadConditional(String),
}

fn moves_played(count: usize) -> String {
    match count {
        0 => "no move has been played".to_owned(),
        1 => "1 move has been played".to_owned(),
        _ => format!("{count} moves have been played"),
    }
}

impl Refusal {
    /// The code for programs.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Refusal::GameOver => ErrorCode::GameOver,
            Refusal::NotOver => ErrorCode::NotOver,
            Refusal::NotYourTurn => ErrorCode::NotYourTurn,
            Refusal::TimeUp => ErrorCode::TimeUp,
            Refusal::IllegalMove(_) => ErrorCode::IllegalMove,
            Refusal::WrongPly { .. } => ErrorCode::WrongPly,
            Refusal::NoDraws => ErrorCode::NoDraws,
            Refusal::AlreadyAsked => ErrorCode::AlreadyAsked,
            Refusal::AskedEnough => ErrorCode::AskedEnough,
            Refusal::NothingAsked => ErrorCode::NothingAsked,
            Refusal::NothingToTakeBack => ErrorCode::NothingToTakeBack,
            Refusal::Rated => ErrorCode::RatedGame,
            Refusal::TooLateToAbort => ErrorCode::TooLateToAbort,
            Refusal::NoClock => ErrorCode::NoClock,
            Refusal::EnoughTime => ErrorCode::EnoughTime,
            Refusal::HasRematch => ErrorCode::HasRematch,
            Refusal::OpponentGone => ErrorCode::Gone,
            Refusal::Blocked => ErrorCode::Blocked,
            Refusal::YourTurn => ErrorCode::YourTurn,
            Refusal::LiveGame => ErrorCode::LiveGame,
            Refusal::BadConditional(_) => ErrorCode::BadConditional,
        }
    }
}
