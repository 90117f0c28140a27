//! Questions about exact values: what best play leads to, where that is known for certain.
//!
//! Colonnade is solved: a small table is worked out on the first question, and a search above it
//! answers any position. Of the other games nothing is known here; the engine's proven results are
//! all there is.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stoa_engine::{Now, Stop};
use stoa_rules::{AnyPosition, colonnade};
use stoa_solve::Exact;
use stoa_solve::colonnade::Perfect;

use crate::Failure;
use crate::rules::read;

/// A question about exact values.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// What every legal move is worth. The answer is nothing if it is not known, or if it was
    /// stopped; reports are what is known so far.
    Exact {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: String,
    },
}

/// The value of a move for the player who makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// The move in text.
    #[serde(rename = "move")]
    text: String,
    /// `win`, `loss` or `draw`.
    verdict: &'static str,
    /// After how many plies the game ends, this move included, if that is known.
    plies: Option<u32>,
}

/// What is known of a position: the values of its moves, the best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Known {
    /// How many moves there are.
    legal: usize,
    moves: Vec<Worth>,
}

/// Answers are kept for so many positions, the latest ones.
const KEPT: usize = 256;

/// What is needed to answer, made with the first question.
pub struct Solver {
    now: Now,
    stop: Stop,
    colonnade: Option<Perfect>,
    answers: VecDeque<(colonnade::Position, Known)>,
}

impl Solver {
    /// Nothing is worked out yet. It hears of a stop through `now`.
    pub fn new(now: Now, stop: Stop) -> Solver {
        Solver { now, stop, colonnade: None, answers: VecDeque::new() }
    }

    fn moves(&mut self, position: &AnyPosition, tell: &mut dyn FnMut(&Known)) -> Option<Known> {
        let of_colonnade = *position.downcast::<colonnade::Position>()?;
        if let Some((_, known)) = self.answers.iter().find(|(other, _)| *other == of_colonnade) {
            return Some(known.clone());
        }
        let perfect = match &mut self.colonnade {
            Some(perfect) => perfect,
            none => none.insert(Perfect::with_clock(self.now, &self.stop)?),
        };
        let texts = position.legal_moves();
        let mut found: Vec<(String, Exact)> = Vec::new();
        let mut known = Known { legal: texts.len(), moves: Vec::new() };
        for text in texts {
            tell(&known);
            let mut after = position.clone();
            // A move from the list of legal ones is legal.
            let _ = after.play(&text);
            let value = perfect.value(after.downcast()?, &self.stop)?.before();
            let place = found.partition_point(|(_, other)| other.compare(&value).is_ge());
            found.insert(place, (text, value));
            known.moves = found.iter().map(Worth::from).collect();
        }
        self.answers.truncate(KEPT - 1);
        self.answers.push_front((of_colonnade, known.clone()));
        Some(known)
    }
}

impl From<&(String, Exact)> for Worth {
    fn from((text, exact): &(String, Exact)) -> Worth {
        Worth { text: text.clone(), verdict: exact.verdict.word(), plies: exact.plies }
    }
}

impl Question {
    /// The answer, in JSON.
    pub fn answer(
        self,
        solver: &mut Solver,
        report: &mut dyn FnMut(String),
    ) -> Result<Value, Failure> {
        let Question::Exact { game, position } = self;
        let position = read(&game, Some(&position))?;
        let known = solver.moves(&position, &mut |known| report(json!(known).to_string()));
        Ok(json!(known))
    }
}
