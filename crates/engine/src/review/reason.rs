//! What is wrong with a move.
//!
//! The best reason is a proof; the next best is something that a player has at the end of one line
//! and not at the end of the other. If neither can be found, the chances have to do.

use stoa_rules::{AnyPosition, Game, Side};

use super::Judgement;
use super::finding::{Count, Difference, Finding};
use super::terms::{TermCount, term_counts};
use crate::{Engine, Term};

/// The two lines that a reason compares, from the same position.
pub(super) struct Lines<'a> {
    pub(super) before: &'a AnyPosition,
    pub(super) best: &'a Judgement,
    /// The move played and what was expected to follow.
    pub(super) played: &'a Judgement,
}

/// A reason looks at most this many turns ahead: nobody would follow more.
const MAX_TURNS_SHOWN: usize = 6;

/// A difference of fewer points than this is no reason.
const MIN_POINTS: i32 = 5;

/// The terms that a [`Difference`] of a game may name: of those with the same words, the first.
pub fn named_terms(game: Game) -> Vec<&'static Term> {
    let mut named: Vec<&'static Term> = Vec::new();
    for TermCount { term, is_reason, .. } in term_counts(&game.start()) {
        let is_known = named.iter().any(|other| other.words == term.words);
        if !is_known && is_reason {
            named.push(term);
        }
    }
    named
}

impl Lines<'_> {
    /// Why the move played is worse than the best one.
    pub(super) fn findings(
        &self,
        engine: &Engine,
        missed_win: Option<u32>,
        allowed_loss: Option<u32>,
    ) -> Vec<Finding> {
        let missed = missed_win.map(|turns| Finding::MissedWin {
            turns,
            line: shown(&self.best.line, turns as usize),
        });
        let allowed = allowed_loss.map(|turns| Finding::AllowedLoss {
            turns,
            line: shown(self.replies(), turns as usize),
        });
        let proven: Vec<Finding> = missed.into_iter().chain(allowed).collect();
        if !proven.is_empty() {
            return proven;
        }
        vec![self.what_is_given_up(engine).unwrap_or_else(|| self.chances())]
    }

    fn mover(&self) -> Side {
        self.before.side_to_move()
    }

    /// What was expected to follow the move played.
    fn replies(&self) -> &[String] {
        self.played.line.get(1..).unwrap_or(&[])
    }

    /// What the evaluation misses most at the end of the played line: right after the reply if it
    /// is gone by then, or further on.
    fn what_is_given_up(&self, engine: &Engine) -> Option<Finding> {
        let at_once = self.worst_difference(engine, 2);
        let lengths = [self.best.line.len(), self.played.line.len(), MAX_TURNS_SHOWN];
        let furthest = lengths.into_iter().min().unwrap_or(0);
        let further_on = self.worst_difference(engine, furthest);
        let (worst, length) = match (at_once, further_on) {
            (Some(soon), Some(late)) if 2 * soon.points >= late.points => (soon, 2),
            (Some(soon), None) => (soon, 2),
            (_, late) => (late?, furthest),
        };
        let replies = self.replies();
        let line = replies[..replies.len().min(length.saturating_sub(1))].join(" ");
        Some(Finding::Difference(Difference { count: worst.count, line }))
    }

    /// The group of terms that is worst for the mover after this many turns of both lines.
    fn worst_difference(&self, engine: &Engine, turns: usize) -> Option<Worse> {
        let best = Holding::all(engine, &self.after(&self.best.line, turns)?, self.mover());
        let played = Holding::all(engine, &self.after(&self.played.line, turns)?, self.mover());
        let pairs = best.iter().zip(&played);
        pairs
            .filter_map(|(best, played)| Worse::between(best, played))
            .filter(|worse| worse.points >= MIN_POINTS)
            .max_by_key(|worse| worse.points)
    }

    /// The position after exactly this many turns of a line, if the game is not over by then.
    fn after(&self, line: &[String], turns: usize) -> Option<AnyPosition> {
        let mut position = self.before.clone();
        for mv in line.get(..turns)? {
            position.play(mv).ok()?;
        }
        position.outcome().is_none().then_some(position)
    }

    fn chances(&self) -> Finding {
        Finding::Chances {
            now: self.played.score.win_probability(),
            instead: self.best.score.win_probability(),
            reply: self.replies().first().cloned(),
        }
    }
}

/// The first moves of a line.
fn shown(line: &[String], turns: usize) -> String {
    let length = line.len().min(turns.max(1)).min(MAX_TURNS_SHOWN);
    let more = if length < line.len().min(turns) { " …" } else { "" };
    line[..length].join(" ") + more
}

/// What the players have of terms with the same words, and what it is worth to the mover.
#[derive(Debug, Clone, Copy)]
struct Holding {
    /// The name of the first of the terms.
    term: &'static str,
    words: &'static str,
    own: i32,
    others: i32,
    points: i32,
    /// Whether having it is good (1) or bad (-1); 0 if the position does not tell.
    sign: i32,
}

impl Holding {
    /// The counts of a position, in the order of the game's terms.
    fn all(engine: &Engine, position: &AnyPosition, mover: Side) -> Vec<Holding> {
        let worth = engine.explain(position);
        let sign_of_mover = if position.side_to_move() == mover { 1 } else { -1 };
        let mut counts: Vec<Holding> = Vec::new();
        for counted in term_counts(position) {
            if !counted.is_reason {
                continue;
            }
            let own = counted.counts[mover.index()];
            let others = counted.counts[mover.other().index()];
            let points = worth.iter().find(|(term, _)| term.name == counted.term.name);
            let points = points.map_or(0, |(_, score)| sign_of_mover * score.raw());
            let sign = points.signum() * (own - others).signum();
            match counts.iter_mut().find(|count| count.words == counted.term.words) {
                None => {
                    let (term, words) = (counted.term.name, counted.term.words);
                    counts.push(Holding { term, words, own, others, points, sign });
                }
                Some(count) => {
                    count.own += own;
                    count.others += others;
                    count.points += points;
                    count.sign = if count.sign == 0 { sign } else { count.sign };
                }
            }
        }
        counts
    }
}

/// A difference, and how many points it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Worse {
    count: Count,
    points: i32,
}

impl Worse {
    fn between(best: &Holding, played: &Holding) -> Option<Worse> {
        let sign = if best.sign == 0 { played.sign } else { best.sign };
        // Of what is good the mover has less or the other player more; of what is bad, the reverse.
        let own_loss = sign * (best.own - played.own);
        let others_gain = sign * (played.others - best.others);
        if own_loss.max(others_gain) <= 0 {
            return None;
        }
        let own = own_loss >= others_gain;
        let (now, instead) =
            if own { (played.own, best.own) } else { (played.others, best.others) };
        let (term, words, good) = (best.term, best.words, sign > 0);
        Some(Worse {
            count: Count { term, words, own, good, now, instead },
            points: best.points - played.points,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(words: &'static str, own: i32, others: i32, weight: i32) -> Holding {
        let points = weight * (own - others);
        let sign = points.signum() * (own - others).signum();
        Holding { term: "", words, own, others, points, sign }
    }

    fn sentence(best: Holding, played: Holding) -> Option<String> {
        Worse::between(&best, &played).map(|found| {
            let difference = Difference { count: found.count, line: String::new() };
            let sentence = Finding::Difference(difference).sentence("Black", "White");
            sentence.trim_end_matches('.').to_owned()
        })
    }

    #[test]
    fn differences_become_sentences() {
        let towers = |own, others| count("towers", own, others, 120);
        assert_eq!(sentence(towers(3, 1), towers(2, 1)).unwrap(), "Gives up towers (2, not 3)");
        assert_eq!(
            sentence(towers(3, 1), towers(3, 2)).unwrap(),
            "Leaves White more towers (2, not 1)"
        );
        assert_eq!(sentence(towers(2, 1), towers(3, 1)), None, "nothing is wrong with a gain");
        let stuck = |own, others| count("singles at home", own, others, -90);
        assert_eq!(
            sentence(stuck(2, 1), stuck(3, 1)).unwrap(),
            "Leaves Black with more singles at home (3, not 2)"
        );
        assert_eq!(
            sentence(stuck(1, 2), stuck(1, 0)).unwrap(),
            "Rids White of singles at home (0, not 2)"
        );
        let bridge = |own, others| count("a bridge across the board", own, others, 40);
        assert_eq!(
            sentence(bridge(1, 0), bridge(0, 0)).unwrap(),
            "Gives up a bridge across the board"
        );
        assert_eq!(
            sentence(bridge(0, 0), bridge(0, 1)).unwrap(),
            "Gives White a bridge across the board"
        );
    }

    #[test]
    fn a_line_is_shown_as_far_as_it_counts() {
        let line: Vec<String> = "a b c d e f g h".split(' ').map(str::to_owned).collect();
        assert_eq!(shown(&line, 3), "a b c");
        assert_eq!(shown(&line, 8), "a b c d e f …");
        assert_eq!(shown(&line[..2], 9), "a b");
        assert_eq!(shown(&[], 9), "");
    }
}
