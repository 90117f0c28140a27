//! Going through a puzzle again, with nothing taken for granted.

use stoa_engine::Stop;
use stoa_rules::{AnyPosition, Game, MoveError, PositionError, UnknownGame};

use super::judge::proof;
use super::maker::id;
use super::{Certainty, Goal, HARDEST, PROOF_NODES, Puzzle};
use crate::Verdict;

/// What is wrong with a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Complaint {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// There is no such position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The id is not the one of the position.
    #[error("the id should be {0}")]
    Id(String),
    /// Grades go from 1 to 5.
    #[error("there is no grade {0}; grades go from 1 to {HARDEST}")]
    Grade(u8),
    /// A turn must have one right move, and all turns but the last a reply.
    #[error("turn {0} must have one accepted move, and a reply unless it is the last")]
    Shape(usize),
    /// The right move does not do what it should, as far as is proven.
    #[error("{0} is not proven to do it")]
    NotRight(String),
    /// Another move does it too, or is not proven not to.
    #[error("{0} is not proven to be wrong")]
    NotWrong(String),
}

/// Checks that a puzzle can be played and, as far as it says so, that it is proven.
pub fn check(puzzle: &Puzzle, stop: &Stop) -> Result<(), Complaint> {
    let game: Game = puzzle.game.parse()?;
    let mut at = game.position(&puzzle.position)?;
    let right_id = id(&at);
    if puzzle.id != right_id {
        return Err(Complaint::Id(right_id));
    }
    if !(1..=HARDEST).contains(&puzzle.grade) {
        return Err(Complaint::Grade(puzzle.grade));
    }
    if puzzle.turns.is_empty() {
        return Err(Complaint::Shape(1));
    }
    for (number, turn) in (1..).zip(&puzzle.turns) {
        let is_last = number == puzzle.turns.len();
        let ([right], true) = (turn.accepted.as_slice(), turn.reply.is_none() == is_last) else {
            return Err(Complaint::Shape(number));
        };
        check_turn(puzzle, &at, right, stop)?;
        for mv in [Some(right), turn.reply.as_ref()].into_iter().flatten() {
            at.play(mv)?;
        }
    }
    for mv in &puzzle.rest {
        at.play(mv)?;
    }
    Ok(())
}

fn check_turn(
    puzzle: &Puzzle,
    at: &AnyPosition,
    right: &str,
    stop: &Stop,
) -> Result<(), Complaint> {
    let after = |mv: &str| -> Result<_, Complaint> {
        let mut next = at.clone();
        next.play(mv)?;
        Ok(proof(&next, PROOF_NODES, stop))
    };
    // Values after a move are the opponent's.
    let found = after(right)?;
    let is_right = match (puzzle.certainty, puzzle.goal) {
        (Certainty::Others, _) => found.least != Verdict::Win,
        (_, Goal::Win) => found.most == Verdict::Loss,
        (_, Goal::Hold) => found.most <= Verdict::Draw,
    };
    if !is_right {
        return Err(Complaint::NotRight(right.to_owned()));
    }
    for other in at.legal_moves().into_iter().filter(|other| other != right) {
        // What is left to judgement must at least not be refuted.
        let found = after(&other)?;
        let is_wrong = match (puzzle.certainty, puzzle.goal) {
            (Certainty::Move, _) => found.most != Verdict::Loss,
            (_, Goal::Win) => found.least >= Verdict::Draw,
            (_, Goal::Hold) => found.least == Verdict::Win,
        };
        if !is_wrong {
            return Err(Complaint::NotWrong(other));
        }
    }
    Ok(())
}
