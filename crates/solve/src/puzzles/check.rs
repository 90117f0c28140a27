//! Going through a puzzle again, with nothing taken for granted.

use stoa_engine::{Knowledge, KnowledgeVisitor, Stop, visit};
use stoa_rules::{AnyPosition, Game, MoveError, PositionError, UnknownGame};

use super::forced::{Cut, Forcing, after};
use super::judge::proof;
use super::maker::id;
use super::urgent::THOROUGH;
use super::{Goal, MAX_GRADE, PROOF_NODES, Puzzle, Turn};
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
    #[error("there is no grade {0}; grades go from 1 to {MAX_GRADE}")]
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
    /// The turn could do without the moves it asks for.
    #[error("at turn {0} there is a quicker win")]
    Quicker(usize),
    /// The search was stopped, or would take too long.
    #[error("it takes too long to prove")]
    Unsettled,
}

impl From<Cut> for Complaint {
    fn from(_: Cut) -> Complaint {
        Complaint::Unsettled
    }
}

/// Checks that a puzzle can be played and that what it says is proven.
pub fn check(puzzle: &Puzzle, stop: &Stop) -> Result<(), Complaint> {
    let game: Game = puzzle.game.parse()?;
    let position = game.position(&puzzle.position)?;
    let right_id = id(&position);
    if puzzle.id != right_id {
        return Err(Complaint::Id(right_id));
    }
    if !(1..=MAX_GRADE).contains(&puzzle.grade) {
        return Err(Complaint::Grade(puzzle.grade));
    }
    let asked = check_shape(puzzle)?;
    let mut at = position.clone();
    for (turn, right) in &asked {
        if puzzle.goal == Goal::Win {
            check_proof(&at, right, stop)?;
        }
        for mv in std::iter::once(*right).chain(&turn.reply) {
            at.play(mv)?;
        }
    }
    for mv in &puzzle.rest {
        at.play(mv)?;
    }
    if puzzle.goal == Goal::Win {
        return Ok(());
    }
    visit(game, Urgency { position: &position, goal: puzzle.goal, turns: &puzzle.turns, stop })
}

/// The turns, each with its right move.
fn check_shape(puzzle: &Puzzle) -> Result<Vec<(&Turn, &String)>, Complaint> {
    let most = match puzzle.goal {
        Goal::Win => usize::MAX,
        Goal::WinWithin(turns) => turns as usize,
        Goal::Hold(_) => 1,
    };
    let mut asked = Vec::new();
    for (number, turn) in (1..).zip(&puzzle.turns) {
        let is_last = number == puzzle.turns.len();
        let may_be_several = number > 1 && number == most;
        match turn.accepted.as_slice() {
            [right, others @ ..]
                if (others.is_empty() || may_be_several)
                    && turn.reply.is_none() == is_last
                    && number <= most =>
            {
                asked.push((turn, right));
            }
            _ => return Err(Complaint::Shape(number)),
        }
    }
    if asked.is_empty() { Err(Complaint::Shape(1)) } else { Ok(asked) }
}

/// Asks the proof search whether the move wins and no other does.
fn check_proof(at: &AnyPosition, right: &str, stop: &Stop) -> Result<(), Complaint> {
    let after = |mv: &str| -> Result<_, Complaint> {
        let mut next = at.clone();
        next.play(mv)?;
        Ok(proof(&next, PROOF_NODES, stop))
    };
    // Values after a move are the opponent's.
    if after(right)?.most != Verdict::Loss {
        return Err(Complaint::NotRight(right.to_owned()));
    }
    for other in at.legal_moves().into_iter().filter(|other| other != right) {
        if after(&other)?.least == Verdict::Loss {
            return Err(Complaint::NotWrong(other));
        }
    }
    Ok(())
}

/// What is said about a few turns.
struct Urgency<'a> {
    position: &'a AnyPosition,
    goal: Goal,
    turns: &'a [Turn],
    stop: &'a Stop,
}

impl KnowledgeVisitor for Urgency<'_> {
    type Output = Result<(), Complaint>;

    fn visit<P: Knowledge>(self, _: P::Options) -> Result<(), Complaint> {
        let Some(position) = self.position.downcast::<P>() else { return Ok(()) };
        match self.goal {
            Goal::Win => Ok(()),
            Goal::WinWithin(turns) => self.check_wins(position, turns),
            Goal::Hold(turns) => self.check_hold(position, turns),
        }
    }
}

impl Urgency<'_> {
    /// In each turn the accepted moves win within the turns that are left, no other does, and no
    /// win is quicker: so the reply was one that holds out longest.
    fn check_wins<P: Knowledge>(&self, position: &P, turns: u32) -> Result<(), Complaint> {
        let mut search = Forcing::<P>::new(position.side_to_move(), self.stop);
        let mut at = position.clone();
        for (number, (turn, left)) in (1..).zip(self.turns.iter().zip((1..=turns).rev())) {
            search.allow(THOROUGH);
            if search.wins(&at, left - 1)? {
                return Err(Complaint::Quicker(number));
            }
            let mut winning: Vec<String> = Vec::new();
            for mv in search.winning_moves(&at, left, usize::MAX)? {
                winning.push(at.move_text(mv));
            }
            if let Some(wrong) = turn.accepted.iter().find(|mv| !winning.contains(mv)) {
                return Err(Complaint::NotRight(wrong.clone()));
            }
            if let Some(missing) = winning.into_iter().find(|mv| !turn.accepted.contains(mv)) {
                return Err(Complaint::NotWrong(missing));
            }
            for text in turn.accepted.iter().take(1).chain(&turn.reply) {
                if let Ok(mv) = at.parse_move(text) {
                    at.play_unchecked(mv);
                }
            }
        }
        Ok(())
    }

    /// The accepted move holds for a turn longer, and every other one loses.
    fn check_hold<P: Knowledge>(&self, position: &P, turns: u32) -> Result<(), Complaint> {
        let mut search = Forcing::<P>::new(position.side_to_move().other(), self.stop);
        search.allow(THOROUGH);
        let accepted = self.turns.iter().flat_map(|turn| &turn.accepted).next();
        for mv in position.legal_moves() {
            let text = position.move_text(mv);
            let next = after(position, mv);
            let is_accepted = accepted == Some(&text);
            if is_accepted && search.wins(&next, turns + 1)? {
                return Err(Complaint::NotRight(text));
            }
            if !is_accepted && !search.wins(&next, turns)? {
                return Err(Complaint::NotWrong(text));
            }
        }
        Ok(())
    }
}
