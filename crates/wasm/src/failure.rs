//! What is said when a question has no answer.

use serde::Serialize;
use stoa_rules::{MoveError, PositionError, RecordError, UnknownGame};

/// Why there is no answer: a kind for programs, a sentence for people, and the details there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// What went wrong.
    pub kind: Kind,
    /// The same in plain English, complete.
    pub message: String,
    /// Every reason why a position is impossible, or why a move is not legal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The rule that forbids a move, such as `impasse clause 4`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// A legal move that resembles the one refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The question itself could not be read: page and module do not fit together.
    Question,
    /// There is no such game.
    UnknownGame,
    /// Text that cannot be read as a position, a move or a record.
    Unreadable,
    /// A position that cannot be.
    Impossible,
    /// A move against the rules.
    Illegal,
    /// A move after the end.
    GameOver,
    /// There is no such level.
    UnknownLevel,
    /// An engine that cannot be made.
    Engine,
}

impl Failure {
    pub(crate) fn new(kind: Kind, message: impl ToString) -> Failure {
        let message = message.to_string();
        Failure { kind, message, reasons: Vec::new(), rule: None, example: None }
    }

    pub(crate) fn question(error: serde_json::Error) -> Failure {
        Failure::new(Kind::Question, format!("the question cannot be read: {error}"))
    }
}

impl From<UnknownGame> for Failure {
    fn from(error: UnknownGame) -> Failure {
        Failure::new(Kind::UnknownGame, error)
    }
}

impl From<PositionError> for Failure {
    fn from(error: PositionError) -> Failure {
        let message = error.to_string();
        match error {
            PositionError::Impossible(reasons) => {
                Failure { reasons, ..Failure::new(Kind::Impossible, message) }
            }
            PositionError::Parse(_) => Failure::new(Kind::Unreadable, message),
            PositionError::OtherSize { .. } => Failure::new(Kind::Impossible, message),
        }
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Failure {
        let message = error.to_string();
        match error {
            MoveError::Parse(_) => Failure::new(Kind::Unreadable, message),
            MoveError::GameOver { .. } => Failure::new(Kind::GameOver, message),
            MoveError::Illegal { reason, rule, example, .. } => Failure {
                reasons: vec![reason],
                rule: Some(rule),
                example: Some(example),
                ..Failure::new(Kind::Illegal, message)
            },
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        let message = error.to_string();
        match error {
            RecordError::Parse(_) | RecordError::Result { .. } => {
                Failure::new(Kind::Unreadable, message)
            }
            // What is wrong and why, with the line it stands on.
            RecordError::Start { error, .. } => Failure { message, ..Failure::from(error) },
            RecordError::Move { error, .. } => Failure { message, ..Failure::from(error) },
        }
    }
}
