//! Questions about exact values: what best play leads to, where that is known for certain.
//!
//! Colonnade is solved: a small table is worked out on the first question, and a search above it
//! answers any position. Of the other games nothing is known here; the engine's proven results are
//! all there is.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use stoa_engine::{Now, Stop};
use stoa_rules::{AnyPosition, colonnade};
use stoa_solve::colonnade::Perfect;
use stoa_solve::{Exact, Verdict};

use crate::Failure;
use crate::question::{Ask, questions};
use crate::rules::read;

questions! {
    /// A question about exact values.
    Solver, "ExactQuestions" {
        /// What every legal move is worth. The answer is nothing if it is not known, or if it was
        /// stopped; reports are what is known so far.
        Exact(AskExact),
    }
}

/// What every legal move is worth.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskExact {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
}

impl Ask for AskExact {
    type Memory = Solver;
    type Answer = Option<Known>;
    type Report = Known;

    fn answer(
        self,
        solver: &mut Solver,
        report: &mut dyn FnMut(&Known),
    ) -> Result<Option<Known>, Failure> {
        let position = read(&self.game, Some(&self.position))?;
        Ok(solver.moves(&position, report))
    }
}

/// The value of a move for the player who makes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Worth {
    /// The move in text.
    #[serde(rename = "move")]
    text: String,
    /// What best play leads to.
    verdict: Verdict,
    /// After how many plies the game ends, this move included, if that is known.
    plies: Option<u32>,
}

/// What is known of a position: the values of its moves, the best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Known {
    /// How many moves there are.
    legal: usize,
    moves: Vec<Worth>,
}

/// How many answers are kept, those to the latest questions.
const MAX_ANSWERS: usize = 256;

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
        self.answers.truncate(MAX_ANSWERS - 1);
        self.answers.push_front((of_colonnade, known.clone()));
        Some(known)
    }
}

impl From<&(String, Exact)> for Worth {
    fn from((text, exact): &(String, Exact)) -> Worth {
        Worth { text: text.clone(), verdict: exact.verdict, plies: exact.plies }
    }
}
