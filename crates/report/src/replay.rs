//! Games of a part, played through again.

use stoa_engine::selfplay::file::{Aside, PlayedGame, PlayedTurn};
use stoa_rules::{Game, Position};

use crate::games::Reported;

/// No score is further from even than this.
const MAX_SCORE: u16 = 30_000;

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A move is not in the list.
    #[error("has no move number {0} in turn {1}; was it played by other rules?")]
    NoSuchMove(u16, usize),
    /// The game goes on, or ended before.
    #[error("does not end where its turns end")]
    End,
    /// Another player has won.
    #[error("was won by another player than it says")]
    Winner,
    /// A score is out of range.
    #[error("has a score that cannot be")]
    Score,
    /// Not every first move has its score.
    #[error("is not a survey of the first moves")]
    Survey,
}

/// Goes through a game turn by turn: the position, the move, the turn as it was recorded, and the
/// position after it. Returns the last position.
pub fn replay<P: Reported>(
    start: P,
    played: &PlayedGame,
    mut each: impl FnMut(&P, P::Move, &PlayedTurn, &P),
) -> Result<P, Fault> {
    let mut position = start;
    for (number, turn) in (1..).zip(&played.turns) {
        let Some(mv) = position.nth_move(turn.mv.into()) else {
            let is_over = position.outcome().is_some();
            return Err(if is_over { Fault::End } else { Fault::NoSuchMove(turn.mv, number) });
        };
        let mut after = position.clone();
        after.play_unchecked(mv);
        each(&position, mv, turn, &after);
        position = after;
    }
    Ok(position)
}

/// Checks a whole game against the rules.
pub fn check(game: Game, played: &PlayedGame) -> Result<(), Fault> {
    stoa_rules::dispatch!(game, |P, options| check_typed(<P as Position>::start(options), played))
}

fn check_typed<P: Reported>(start: P, played: &PlayedGame) -> Result<(), Fault> {
    let mut turn_number = 0;
    let mut missing: Option<&Aside> = None;
    let last = replay(start, played, |position, _, _, _| {
        let of_turn = |aside: &&Aside| usize::from(aside.turn) == turn_number;
        let absent = |aside: &&Aside| usize::from(aside.mv) >= position.count_moves();
        missing = missing.or_else(|| played.asides.iter().filter(of_turn).find(absent));
        turn_number += 1;
    })?;
    missing = missing.or(played.asides.iter().find(|a| usize::from(a.turn) >= played.turns.len()));
    if let Some(aside) = missing {
        return Err(Fault::NoSuchMove(aside.mv, aside.turn.into()));
    }
    match last.outcome() {
        None => Err(Fault::End),
        Some(outcome) if outcome.winner != played.winner => Err(Fault::Winner),
        Some(_) => check_scores(played),
    }
}

/// Whether all scores are in range.
pub(crate) fn check_scores(played: &PlayedGame) -> Result<(), Fault> {
    let scores = played.turns.iter().filter_map(|turn| turn.score);
    let sound = scores
        .chain(played.asides.iter().map(|aside| aside.score))
        .all(|score| score.unsigned_abs() <= MAX_SCORE);
    if sound { Ok(()) } else { Err(Fault::Score) }
}
