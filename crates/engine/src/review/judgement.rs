//! What a review is made from, so that one can be made elsewhere and checked here.
//!
//! A review takes long because positions are searched; all else follows from what the searches found. The worker
//! that has searched hands over a judgement of every position, and [`rebuild`] makes the same review of them,
//! unless they cannot be true.

use stoa_rules::{AnyPosition, MoveError, Session};

use super::{PlayedMove, Review, end_score};
use crate::score::{MAX_EVALUATION, PROVEN, WIN};
use crate::{Engine, Score};

/// The longest line of a judgement that is handed over. Reasons look less far ahead.
pub const MAX_LINE: usize = 12;

/// What a position is worth for the player to move, and the line that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The value.
    pub score: Score,
    /// Best play of both sides; empty if the game is over.
    pub line: Vec<String>,
}

/// Why judgements are not those of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Nonsense {
    /// There is one too few or too many.
    #[error("{found} positions are judged, and the game has {expected}")]
    Number {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The engine is one for another game.
    #[error("this is another game")]
    OtherGame,
    /// No search finds this score.
    #[error("position {ply}: there is no score {raw}")]
    Score {
        /// Which position, counted from zero.
        ply: usize,
        /// The score as a bare number.
        raw: i32,
    },
    /// The game is over there, and the rules say what that is worth.
    #[error("position {ply}: the game is over, and its value is {expected}, not {found}")]
    End {
        /// Which position, counted from zero.
        ply: usize,
        /// What the rules say.
        expected: Score,
        /// What the judgement says.
        found: Score,
    },
    /// The game is not over there, and no move is named.
    #[error("position {ply}: there is no line")]
    NoLine {
        /// Which position, counted from zero.
        ply: usize,
    },
    /// The line is longer than any that is handed over.
    #[error("position {ply}: the line has {length} moves; {MAX_LINE} are allowed")]
    LongLine {
        /// Which position, counted from zero.
        ply: usize,
        /// How long it is.
        length: usize,
    },
    /// A move of the line is not legal.
    #[error("position {ply}: {why}")]
    Illegal {
        /// Which position, counted from zero.
        ply: usize,
        /// Which rule it breaks.
        why: MoveError,
    },
    /// Another move is said to be better than the one played, and is not worth more.
    #[error("position {ply}: {better} is no better than the move played")]
    NotBetter {
        /// Which position, counted from zero.
        ply: usize,
        /// The move.
        better: String,
    },
}

impl Review {
    /// The judgement of every position, with lines that are cut; nothing if the review is not complete.
    pub fn judgements(&self) -> Option<Vec<Judgement>> {
        let last = self.moves.last().filter(|_| self.is_complete())?;
        let cut = |line: &[String]| line[..line.len().min(MAX_LINE)].to_vec();
        let of_moves = self.moves.iter().map(|mv| (mv.before.mover, &mv.best));
        let all = of_moves.chain([(-last.after.mover, &last.expected)]);
        Some(all.map(|(score, line)| Judgement { score, line: cut(line) }).collect())
    }
}

/// Makes a review of judgements that come from elsewhere, one of every position of the game. The engine
/// only explains; nothing is searched.
///
/// # Errors
/// If the judgements cannot be those of this game: see [`Nonsense`].
pub fn rebuild(
    engine: &Engine,
    session: &Session,
    judgements: &[Judgement],
) -> Result<Review, Nonsense> {
    if engine.game() != session.start().game() {
        return Err(Nonsense::OtherGame);
    }
    let played = session.moves();
    if judgements.len() != played.len() + 1 {
        return Err(Nonsense::Number { expected: played.len() + 1, found: judgements.len() });
    }
    let mut position = session.start().clone();
    let mut checked: Vec<(AnyPosition, Judgement)> = Vec::with_capacity(judgements.len());
    for (ply, judgement) in judgements.iter().enumerate() {
        let judgement = check(ply, &position, judgement)?;
        let next = played.get(ply).map(|text| {
            let mut next = position.clone();
            next.play(text).map(|_| next).map_err(|why| Nonsense::Illegal { ply, why })
        });
        checked.push((position.clone(), judgement));
        match next {
            Some(next) => position = next?,
            None => break,
        }
    }
    let mut moves = Vec::with_capacity(played.len());
    for (ply, (pair, played)) in checked.windows(2).zip(&played).enumerate() {
        let [(before, best), (_, after)] = pair else { continue };
        let mv = PlayedMove { ply, before, played };
        let own = mv.judgement(after);
        if best.line.first() != own.line.first() && best.score <= own.score {
            let better = best.line.first().cloned().unwrap_or_default();
            return Err(Nonsense::NotBetter { ply, better });
        }
        moves.push(mv.reviewed(engine, best.clone(), &own, after));
    }
    Ok(Review::new(engine.game(), played.len(), moves))
}

/// A judgement that can be true, with its moves as the rules write them.
fn check(ply: usize, position: &AnyPosition, judgement: &Judgement) -> Result<Judgement, Nonsense> {
    let Judgement { score, line } = judgement;
    let size = score.raw().abs();
    if !(0..=MAX_EVALUATION).contains(&size) && !(PROVEN..=WIN).contains(&size) {
        return Err(Nonsense::Score { ply, raw: score.raw() });
    }
    if line.len() > MAX_LINE {
        return Err(Nonsense::LongLine { ply, length: line.len() });
    }
    match end_score(position) {
        Some(expected) if expected != *score => {
            return Err(Nonsense::End { ply, expected, found: *score });
        }
        None if line.is_empty() => return Err(Nonsense::NoLine { ply }),
        _ => {}
    }
    let mut at = position.clone();
    let mut texts = Vec::with_capacity(line.len());
    for text in line {
        texts.push(at.play(text).map_err(|why| Nonsense::Illegal { ply, why })?);
    }
    Ok(Judgement { score: *score, line: texts })
}
