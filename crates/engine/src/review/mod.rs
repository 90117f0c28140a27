//! Reviews of whole games: what every move was worth, what would have been better, and why.
//!
//! ```
//! use stoa_engine::{Engine, Limits, Settings, Stop, review::{Class, review}};
//! use stoa_rules::{Game, Session};
//!
//! let start = Game::Colonnade.position("r/rbr/r/-/rb/-/-/- r")?;
//! let mut session = Session::new(start);
//! session.play("1a>")?;
//! let mut engine = Engine::new(Game::Colonnade, Settings::default())?;
//! let review = review(&mut engine, &session, &Limits::nodes(2_000), &Stop::new(), &mut |_| {});
//! assert!(review.is_complete());
//! println!("{:?}, {:.0} % lost", review.moves[0].class, 100.0 * review.moves[0].lost);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How a move is judged
//!
//! The game is walked backwards, so that what the engine has seen of the later positions helps with
//! the earlier ones. Every position is searched once, with the same limits. If another move looks
//! clearly better than the one played, the position after that move is searched too: then both
//! moves are judged by searches of the same effort that look equally far. The better of the two
//! values is the value of the position before, so that no move ever gains anything, and the
//! difference is what it has lost.
//!
//! A move that the engine would have played too has lost nothing, even if a later search sees more.

mod accuracy;
mod class;
mod finding;
mod judgement;
mod reason;
mod summary;
mod terms;
#[cfg(test)]
mod tests;

use stoa_rules::{AnyPosition, Game, Session, Side};

use crate::{Engine, Limits, Score, Stop, Thought};

pub use class::Class;
pub use finding::{Count, Difference, Finding};
pub use judgement::{Judgement, MAX_LINE, Nonsense, rebuild};
pub use reason::named_terms;
pub use summary::{Counts, Player};
pub use terms::{TermCount, term_counts};

/// The value of a position from two points of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ReviewedValue"))]
pub struct Value {
    /// For the player who made the move.
    pub mover: Score,
    /// For the player who moves first in the game.
    pub first: Score,
}

impl Value {
    fn new(mover: Side, score: Score) -> Value {
        Value { mover: score, first: if mover == Side::First { score } else { -score } }
    }
}

/// What a review says about one move.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ReviewedMove"))]
pub struct Reviewed {
    /// Which move of the game it is, counted from zero.
    pub ply: usize,
    /// The player who made it.
    pub side: Side,
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub played: String,
    /// How good it was.
    pub class: Class,
    /// The value of the position before the move.
    pub before: Value,
    /// The value of the position after it.
    pub after: Value,
    /// How much of the probability of winning it has cost.
    pub lost: f64,
    /// The best line, which begins with the move played if that was best.
    pub best: Vec<String>,
    /// How the game was expected to go on after the move played.
    pub expected: Vec<String>,
    /// The number of turns of a proven win that the move gave up.
    pub missed_win: Option<u32>,
    /// The number of turns, after this one, of a proven loss that the move allowed.
    pub allowed_loss: Option<u32>,
    /// What is wrong with the move, if something is.
    pub findings: Vec<Finding>,
    /// The findings in English sentences.
    pub reason: Option<String>,
}

/// The review of a game.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Review {
    /// How many moves the game has.
    pub plies: usize,
    /// What is said about the moves. If the review was stopped, the first ones are missing.
    pub moves: Vec<Reviewed>,
    /// How the players did, the first player first.
    pub players: [Player; 2],
    /// The moves, counted from zero, with which the favourite changed for good or ill; if there
    /// are none, the move that cost most, if it was at least a mistake.
    pub turning_points: Vec<usize>,
}

impl Review {
    fn new(game: Game, plies: usize, moves: Vec<Reviewed>) -> Review {
        let players = Side::BOTH.map(|side| Player::of(game, side, &moves));
        let turning_points = summary::turning_points(&moves);
        Review { plies, moves, players, turning_points }
    }

    /// Whether every move was reviewed.
    pub fn is_complete(&self) -> bool {
        self.moves.len() == self.plies
    }

    /// How probable it was that the first player wins, from the first position reviewed on: one
    /// more than there are moves, or none at all.
    pub fn curve(&self) -> Vec<f64> {
        let first = self.moves.first().map(|mv| mv.before.first);
        let values = first.into_iter().chain(self.moves.iter().map(|mv| mv.after.first));
        values.map(Score::win_probability).collect()
    }
}

/// A review with what follows from it, as programs read it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Review"))]
pub struct CompleteReview {
    #[cfg_attr(feature = "serde", serde(flatten))]
    review: Review,
    /// How probable it was that the first player wins, from the first position reviewed on.
    curve: Vec<f64>,
    /// Whether every move was reviewed.
    complete: bool,
}

impl From<Review> for CompleteReview {
    fn from(review: Review) -> CompleteReview {
        let (curve, complete) = (review.curve(), review.is_complete());
        CompleteReview { review, curve, complete }
    }
}

/// How far a review has come.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ReviewProgress"))]
pub struct Progress {
    /// How many positions have been judged.
    pub judged: usize,
    /// How many there are.
    pub positions: usize,
    /// What is said about the move that was judged just now; nothing for the last position.
    pub reviewed: Option<Reviewed>,
}

/// Reviews the moves played in a session, the last one first, with the same limits for every
/// position. When it is stopped, what has been reviewed so far is kept.
///
/// Of a session of another game than the engine's nothing is reviewed.
pub fn review(
    engine: &mut Engine,
    session: &Session,
    limits: &Limits,
    stop: &Stop,
    progress: &mut dyn FnMut(Progress),
) -> Review {
    let mut search = |engine: &mut Engine, position: &AnyPosition, limits: &Limits| {
        engine.think(position, limits, stop, &mut |_| {})
    };
    review_with(engine, session, limits, stop, &mut search, progress)
}

/// Searches a position within limits.
pub type Search<'a> = dyn FnMut(&mut Engine, &AnyPosition, &Limits) -> Thought + 'a;

/// The same as [`review`] with searches of the caller, who may wait before one, or search again. When
/// it is stopped, the search under way has to end, too.
pub fn review_with(
    engine: &mut Engine,
    session: &Session,
    limits: &Limits,
    stop: &Stop,
    search: &mut Search<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Review {
    let plies = session.moves().len();
    let mut moves = Vec::with_capacity(plies);
    // A limit of depth, however high, says that the best line is wanted, not the best trap.
    let limits = &Limits { depth: limits.depth.or(Some(u32::MAX)), ..*limits };
    let mut reviewer = Reviewer { engine, limits, stop, search };
    if reviewer.engine.game() == session.start().game() {
        let mut judged = 0;
        reviewer.walk_back(session, &mut |reviewed| {
            moves.extend(reviewed.clone());
            judged += 1;
            progress(Progress { judged, positions: plies + 1, reviewed });
        });
    }
    moves.reverse();
    Review::new(session.start().game(), plies, moves)
}

struct Reviewer<'a, 'b> {
    engine: &'a mut Engine,
    limits: &'a Limits,
    stop: &'a Stop,
    search: &'a mut Search<'b>,
}

impl Reviewer<'_, '_> {
    /// Judges every position, the last one first, and hands on the review of the move after it.
    fn walk_back(&mut self, session: &Session, take: &mut dyn FnMut(Option<Reviewed>)) {
        let mut session = session.clone();
        let Some(mut after) = self.judge(session.position()) else { return };
        take(None);
        loop {
            let Some(played) = session.moves().last().map(|&played| played.to_owned()) else {
                return;
            };
            session.undo();
            let mv = PlayedMove {
                ply: session.moves().len(),
                before: session.position(),
                played: &played,
            };
            let Some(reviewed) = self.review_move(&mv, &after) else { return };
            // This position's value is what the move that led to it is judged by.
            after = Judgement { score: reviewed.before.mover, line: reviewed.best.clone() };
            take(Some(reviewed));
        }
    }

    /// The value of a position. `None` if the search was stopped: it would not be a fair one.
    ///
    /// Where there is no choice the search would not look further, so forced moves are played
    /// first.
    fn judge(&mut self, position: &AnyPosition) -> Option<Judgement> {
        let mut at = position.clone();
        let mut forced = Vec::new();
        while at.count_moves() == 1
            && let Some(only) = at.legal_moves().pop()
            && at.play(&only).is_ok()
        {
            forced.push(only);
        }
        let mut judgement = match end_score(&at) {
            Some(score) => Judgement { score, line: Vec::new() },
            None => {
                let thought = (self.search)(self.engine, &at, self.limits);
                let best = thought.lines.into_iter().next()?;
                Judgement { score: best.score, line: best.moves }
            }
        };
        for _ in &forced {
            judgement.score = a_turn_earlier(judgement.score);
        }
        forced.append(&mut judgement.line);
        (!self.stop.is_stopped()).then_some(Judgement { line: forced, ..judgement })
    }

    /// Reviews a move, given the value of the position after it.
    fn review_move(&mut self, mv: &PlayedMove<'_>, after: &Judgement) -> Option<Reviewed> {
        let played = mv.judgement(after);
        let best = if mv.is_forced() { played.clone() } else { self.best(mv, &played)? };
        Some(mv.reviewed(self.engine, best, &played, after))
    }

    /// The best move and its value, given the value of the move played.
    fn best(&mut self, mv: &PlayedMove<'_>, played: &Judgement) -> Option<Judgement> {
        let found = self.judge(mv.before)?;
        let same_move = found.line.first() == played.line.first();
        if played.score.is_win() && !found.score.is_win() {
            // The search has missed what the game has shown.
            return Some(played.clone());
        }
        if same_move {
            let score = even_out(found.score, played.score);
            return Some(Judgement { score, line: played.line.clone() });
        }
        let advantage = found.score.win_probability() - played.score.win_probability();
        let suspicious = advantage >= Class::MIN_ERROR || played.score.is_loss();
        let checked = if suspicious && !found.score.is_proven() {
            let mut next = mv.before.clone();
            let first = found.line.first()?;
            match next.play(first) {
                Ok(_) => {
                    let Judgement { score, line } = self.judge(&next)?;
                    let line = std::iter::once(first.clone()).chain(line).collect();
                    Judgement { score: a_turn_earlier(score), line }
                }
                Err(_) => found,
            }
        } else {
            found
        };
        // Where the move played is at least as good, it is the best known.
        let is_better = checked.score > played.score;
        Some(if is_better { checked } else { played.clone() })
    }
}

/// A move of a game.
struct PlayedMove<'a> {
    ply: usize,
    before: &'a AnyPosition,
    played: &'a str,
}

impl PlayedMove<'_> {
    /// Whether there was no other move.
    fn is_forced(&self) -> bool {
        self.before.count_moves() == 1
    }

    /// What the move is worth to the player who made it, given the value of the position after it.
    fn judgement(&self, after: &Judgement) -> Judgement {
        let rest = after.line.iter().map(String::as_str);
        let line = std::iter::once(self.played).chain(rest).map(str::to_owned).collect();
        Judgement { score: a_turn_earlier(after.score), line }
    }

    /// What is said about the move, given the best one, itself, and the position after it.
    fn reviewed(
        &self,
        engine: &Engine,
        best: Judgement,
        played: &Judgement,
        after: &Judgement,
    ) -> Reviewed {
        let forced = self.is_forced();
        let is_best = best.line.first() == played.line.first();
        let lost = if is_best {
            0.0
        } else {
            (best.score.win_probability() - played.score.win_probability()).max(0.0)
        };
        let missed_win = (best.score.is_win() && !played.score.is_win() && !is_best)
            .then(|| best.score.turns().unwrap_or(0));
        let allowed_loss = (played.score.is_loss() && !best.score.is_loss() && !is_best)
            .then(|| after.score.turns().unwrap_or(0));
        let class = match (forced, is_best) {
            (true, _) => Class::Forced,
            (false, true) => Class::Best,
            (false, false) => Class::of_loss(lost),
        };
        let side = self.before.side_to_move();
        let wants_reason = class.is_error() || missed_win.is_some() || allowed_loss.is_some();
        let lines = reason::Lines { before: self.before, best: &best, played };
        let findings = if wants_reason {
            lines.findings(engine, missed_win, allowed_loss)
        } else {
            Vec::new()
        };
        let [mover, other] = [side, side.other()].map(|side| self.before.game().side_name(side));
        let sentences: Vec<String> =
            findings.iter().map(|finding| finding.sentence(mover, other)).collect();
        let reason = wants_reason.then(|| sentences.join(" "));
        Reviewed {
            ply: self.ply,
            side,
            played: self.played.to_owned(),
            class,
            before: Value::new(side, best.score),
            after: Value::new(side, -after.score),
            lost,
            best: best.line,
            expected: after.line.clone(),
            missed_win,
            allowed_loss,
            findings,
            reason,
        }
    }
}

/// The value of a move that was searched twice, from the position before it and from the one after
/// it. What a search sees depends on whose turn ends it, and the average evens that out; a proof
/// from before the move stands.
fn even_out(before: Score, after: Score) -> Score {
    if before.is_proven() || after.is_proven() {
        return before;
    }
    Score::from_probability((before.win_probability() + after.win_probability()) / 2.0)
}

/// The value of a finished game for the player who would be to move.
fn end_score(position: &AnyPosition) -> Option<Score> {
    let outcome = position.outcome()?;
    Some(match outcome.winner {
        None => Score::EVEN,
        Some(winner) if winner == position.side_to_move() => Score::win_in(0),
        Some(_) => Score::loss_in(0),
    })
}

/// What a position is worth for the player who is about to lead to it, given its value for the
/// other player, who is to move in it: a proven result is a turn further away.
fn a_turn_earlier(score: Score) -> Score {
    match score.turns() {
        None => -score,
        Some(turns) if score.is_win() => Score::loss_in(turns + 1),
        Some(turns) => Score::win_in(turns + 1),
    }
}
