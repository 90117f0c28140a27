//! Wins that can be forced within a few turns: every move and every reply is looked at.
//!
//! The proof search asks who wins in the end, which is out of reach in wide games. Whether a win can
//! be forced within two or three turns is not: almost every move is refuted by the first reply that
//! is tried. Both answers, that it can and that it cannot, are proofs.

use stoa_engine::Stop;
use stoa_rules::{Position, Side};

/// The search ended before its question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut;

/// This many moves that did well are tried first, the most recent of them first.
const RECENT_MOVES: usize = 6;

/// The search looks whether it has to stop as often as this many positions.
const POSITIONS_BETWEEN: u64 = 64;

/// How many answers are remembered.
const CACHE_SIZE: usize = 1 << 16;

/// A search for the wins of one player, the attacker.
pub(super) struct Forcing<'a, P: Position> {
    attacker: Side,
    /// Answers, each at a place given by the key of its position; new ones replace old ones.
    answers: Vec<Option<Answer<P>>>,
    /// The moves that did well, by how many turns the attacker had left and who moved.
    good: Vec<[Vec<P::Move>; 2]>,
    /// Lists of moves to be used again.
    lists: Vec<Vec<P::Move>>,
    left: u64,
    stop: &'a Stop,
}

/// Whether the attacker wins from a position within some turns. Positions are compared as a whole,
/// so that no answer is taken for another's.
struct Answer<P> {
    position: P,
    turns: u32,
    wins: bool,
}

/// Whose move is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mover {
    Attacker,
    Defender,
}

impl<'a, P: Position> Forcing<'a, P> {
    /// A search for the wins of a player. It has to be [allowed](Forcing::allow) to look at
    /// positions.
    pub(super) fn new(attacker: Side, stop: &'a Stop) -> Forcing<'a, P> {
        let mut answers = Vec::new();
        answers.resize_with(CACHE_SIZE, || None);
        Forcing { attacker, answers, good: Vec::new(), lists: Vec::new(), left: 0, stop }
    }

    /// Lets the next questions together take this many positions in which the attacker's moves are
    /// gone through. What was found before is not forgotten.
    pub(super) fn allow(&mut self, positions: u64) -> &mut Self {
        self.left = positions;
        self
    }

    /// How many positions it may still look at.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Whether the attacker wins within this many turns of theirs, whatever is answered. It may be either
    /// player's turn, and the game may be over.
    pub(super) fn wins(&mut self, position: &P, turns: u32) -> Result<bool, Cut> {
        match position.outcome() {
            Some(outcome) => Ok(outcome.winner == Some(self.attacker)),
            None if turns == 0 => Ok(false),
            None if position.side_to_move() == self.attacker => {
                self.has_winning_move(position, turns)
            }
            None => Ok(!self.has_defence(position, turns)?),
        }
    }

    /// The moves of the attacker that win within this many turns, this one included; all of them, or
    /// the first `most`.
    pub(super) fn winning_moves(
        &mut self,
        position: &P,
        turns: u32,
        most: usize,
    ) -> Result<Vec<P::Move>, Cut> {
        let mut winning = Vec::new();
        for mv in position.legal_moves() {
            if winning.len() >= most {
                break;
            }
            if self.wins(&after(position, mv), turns.saturating_sub(1))? {
                winning.push(mv);
            }
        }
        Ok(winning)
    }

    fn has_winning_move(&mut self, position: &P, turns: u32) -> Result<bool, Cut> {
        if self.wins_at_once(position)? {
            return Ok(true);
        }
        if turns == 1 {
            return Ok(false);
        }
        if let Some(wins) = self.recall(position, turns) {
            return Ok(wins);
        }
        let wins = self
            .find(position, turns, Mover::Attacker, |search, next| search.wins(next, turns - 1))?;
        self.remember(position, turns, wins);
        Ok(wins)
    }

    fn has_defence(&mut self, position: &P, turns: u32) -> Result<bool, Cut> {
        if let Some(wins) = self.recall(position, turns) {
            return Ok(!wins);
        }
        let defends = self.find(position, turns, Mover::Defender, |search, next| {
            Ok(!search.wins(next, turns)?)
        })?;
        self.remember(position, turns, !defends);
        Ok(defends)
    }

    fn wins_at_once(&mut self, position: &P) -> Result<bool, Cut> {
        let is_time_to_look = self.left.is_multiple_of(POSITIONS_BETWEEN);
        if self.left == 0 || is_time_to_look && self.stop.is_stopped() {
            return Err(Cut);
        }
        self.left -= 1;
        let attacker = self.attacker;
        self.find(position, 0, Mover::Attacker, |_, next| {
            Ok(next.outcome().is_some_and(|outcome| outcome.winner == Some(attacker)))
        })
    }

    /// Whether a move leads to a position that is as it should be. Such moves are tried first the
    /// next time.
    fn find(
        &mut self,
        position: &P,
        turns: u32,
        mover: Mover,
        mut is_right: impl FnMut(&mut Self, &P) -> Result<bool, Cut>,
    ) -> Result<bool, Cut> {
        let moves = self.moves(position, turns, mover);
        let mut found = None;
        for &mv in &moves {
            if is_right(self, &after(position, mv))? {
                found = Some(mv);
                break;
            }
        }
        self.lists.push(moves);
        if let Some(mv) = found {
            let good = self.good(turns, mover);
            good.retain(|&other| other != mv);
            good.insert(0, mv);
            good.truncate(RECENT_MOVES);
        }
        Ok(found.is_some())
    }

    /// The moves of a position, those first that did well.
    fn moves(&mut self, position: &P, turns: u32, mover: Mover) -> Vec<P::Move> {
        let mut moves = self.lists.pop().unwrap_or_default();
        moves.clear();
        position.generate(&mut moves);
        let mut first = 0;
        for good in self.good(turns, mover) {
            if let Some(at) = moves[first..].iter().position(|mv| mv == good) {
                moves.swap(first, first + at);
                first += 1;
            }
        }
        moves
    }

    fn good(&mut self, turns: u32, mover: Mover) -> &mut Vec<P::Move> {
        let turns = turns as usize;
        if self.good.len() <= turns {
            self.good.resize_with(turns + 1, Default::default);
        }
        &mut self.good[turns][mover as usize]
    }

    fn recall(&self, position: &P, turns: u32) -> Option<bool> {
        let known = self.answers[place(position)].as_ref()?;
        // A win stays one with more turns, and what is none stays none with fewer.
        let applies = if known.wins { known.turns <= turns } else { known.turns >= turns };
        (applies && known.position == *position).then_some(known.wins)
    }

    fn remember(&mut self, position: &P, turns: u32, wins: bool) {
        self.answers[place(position)] = Some(Answer { position: position.clone(), turns, wins });
    }
}

fn place<P: Position>(position: &P) -> usize {
    position.key() as usize % CACHE_SIZE
}

/// The position after a move that is known to be legal.
pub(super) fn after<P: Position>(position: &P, mv: P::Move) -> P {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
