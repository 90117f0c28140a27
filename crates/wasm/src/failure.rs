//! What is said when a question has no answer.

use std::collections::BTreeMap;

use serde::Serialize;
use stoa_rules::{MoveError, Objection, ParseError, PositionError, RecordError, UnknownGame};

/// Why there is no answer: a kind and facts for programs, a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Failure {
    /// What went wrong.
    pub kind: Kind,
    /// The same in plain English, complete.
    pub message: String,
    /// What it is about, by name; which names there are depends on the kind. What is wrong within a
    /// record comes with its `line`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "ts", ts(as = "Option<BTreeMap<String, String>>", optional))]
    pub facts: BTreeMap<&'static str, String>,
    /// Every reason why a position is impossible, or why a move is not legal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<Objection>>", optional))]
    pub objections: Vec<Objection>,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "FailureKind"))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The question itself could not be read: page and module do not fit together.
    Question,
    /// There is no such game.
    UnknownGame,
    /// Text that cannot be read as a position, a move or a record: what was `expected`, and an
    /// `excerpt` with a `caret` under the place.
    Unreadable,
    /// A position that cannot be.
    Impossible,
    /// A position on a board that has `found` ranks and not the `wanted` ones.
    OtherSize,
    /// A `move` against the rules, and an `example` of a legal one that resembles it.
    Illegal,
    /// A `move` after the end.
    GameOver,
    /// A record of a game with another result than what is `said` in it: `found` is true.
    OtherResult,
    /// An end that the game cannot have.
    NoSuchEnd,
    /// There is no such level.
    UnknownLevel,
    /// An engine that cannot be made.
    Engine,
    /// A fault of this crate: an answer that cannot be written.
    Bug,
}

impl Failure {
    pub(crate) fn new(kind: Kind, message: impl ToString) -> Failure {
        let message = message.to_string();
        Failure { kind, message, facts: BTreeMap::new(), objections: Vec::new() }
    }

    pub(crate) fn question(error: serde_json::Error) -> Failure {
        Failure::new(Kind::Question, format!("the question cannot be read: {error}"))
    }

    fn with(mut self, fact: &'static str, value: impl ToString) -> Failure {
        self.facts.insert(fact, value.to_string());
        self
    }

    fn against(mut self, objections: Vec<Objection>) -> Failure {
        self.objections = objections;
        self
    }

    /// The same within a record.
    fn on_line(self, line: usize, message: String) -> Failure {
        Failure { message, ..self.with("line", line) }
    }
}

impl From<UnknownGame> for Failure {
    fn from(error: UnknownGame) -> Failure {
        Failure::new(Kind::UnknownGame, error)
    }
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Failure {
        let (excerpt, caret) = error.excerpt();
        Failure::new(Kind::Unreadable, &error)
            .with("expected", error.expected())
            .with("excerpt", excerpt)
            .with("caret", caret)
    }
}

impl From<PositionError> for Failure {
    fn from(error: PositionError) -> Failure {
        let message = error.to_string();
        match error {
            PositionError::Parse(error) => Failure::from(error),
            PositionError::Impossible(objections) => {
                Failure::new(Kind::Impossible, message).against(objections)
            }
            PositionError::OtherOption { wanted, found, .. } => {
                Failure::new(Kind::OtherSize, message).with("wanted", wanted).with("found", found)
            }
        }
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Failure {
        let message = error.to_string();
        match error {
            MoveError::Parse(error) => Failure::from(error),
            MoveError::GameOver { text, .. } => {
                Failure::new(Kind::GameOver, message).with("move", text)
            }
            MoveError::Illegal { text, objection, example } => Failure::new(Kind::Illegal, message)
                .with("move", text)
                .with("example", example)
                .against(vec![*objection]),
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        let message = error.to_string();
        match error {
            RecordError::Parse(error) => {
                let line = error.line();
                Failure::from(error).on_line(line, message)
            }
            RecordError::Start { line, error } => Failure::from(error).on_line(line, message),
            RecordError::Move { line, error } => Failure::from(error).on_line(line, message),
            RecordError::Result { line, said, found } => Failure::new(Kind::OtherResult, "")
                .with("said", said)
                .with("found", found)
                .on_line(line, message),
        }
    }
}
