//! What is wrong with a move, in a sentence.
//!
//! The best reason is a proof; the next best is something that a player has at the end of one line
//! and not at the end of the other. If neither can be found, the chances have to do.

use stoa_rules::{AnyPosition, Side};

use super::Judgement;
use super::terms::held;
use crate::Engine;

/// The two lines that a reason compares, from the same position.
pub(super) struct Lines<'a> {
    pub(super) before: &'a AnyPosition,
    pub(super) best: &'a Judgement,
    /// The move played and what was expected to follow.
    pub(super) played: &'a Judgement,
}

/// No reason looks further ahead than this many turns: nobody would follow.
const FURTHEST: usize = 6;

/// A difference of fewer points than this is no reason.
const LEAST_POINTS: i32 = 5;

/// Terms that no player would call a reason: both players' turns come in order, and a tower that
/// is left alone is told by the number of towers.
const NO_REASON: [&str; 2] = ["tempo", "last-tower"];

impl Lines<'_> {
    /// Why the move played is worse than the best one.
    pub(super) fn reason(
        &self,
        engine: &Engine,
        missed_win: Option<u32>,
        allowed_loss: Option<u32>,
    ) -> String {
        match (missed_win, allowed_loss) {
            (Some(turns), None) => stopped(format!("Misses {}", self.missed(turns))),
            (None, Some(turns)) => self.allowed(turns),
            (Some(missed), Some(allowed)) => {
                let missed = stopped(format!("Misses {}", self.missed(missed)));
                format!("{missed} {}", self.allowed(allowed))
            }
            (None, None) => self.what_is_given_up(engine).unwrap_or_else(|| self.chances()),
        }
    }

    fn mover(&self) -> Side {
        self.before.side_to_move()
    }

    fn name(&self, side: Side) -> &'static str {
        self.before.game().side_name(side)
    }

    fn missed(&self, turns: u32) -> String {
        let line = shown(&self.best.line, turns as usize);
        match turns {
            0 | 1 => format!("a win on the spot: {line}"),
            _ => format!("a win in {turns} turns: {line}"),
        }
    }

    fn allowed(&self, turns: u32) -> String {
        let other = self.name(self.mover().other());
        let line = shown(self.replies(), turns as usize);
        stopped(match turns {
            0 => format!("Ends the game, and {other} wins"),
            1 => format!("Lets {other} win at once with {line}"),
            _ => format!("Allows a forced loss: {other} wins in {turns} turns with {line}"),
        })
    }

    /// What was expected to follow the move played.
    fn replies(&self) -> &[String] {
        self.played.line.get(1..).unwrap_or(&[])
    }

    /// What the evaluation misses most at the end of the played line: right after the reply if it
    /// is gone by then, or further on.
    fn what_is_given_up(&self, engine: &Engine) -> Option<String> {
        let at_once = self.worst_difference(engine, 2);
        let lengths = [self.best.line.len(), self.played.line.len(), FURTHEST];
        let furthest = lengths.into_iter().min().unwrap_or(0);
        let further_on = self.worst_difference(engine, furthest);
        let (difference, length) = match (at_once, further_on) {
            (Some(soon), Some(late)) if 2 * soon.points >= late.points => (soon, 2),
            (Some(soon), None) => (soon, 2),
            (_, late) => (late?, furthest),
        };
        let replies = self.replies();
        let line = replies[..replies.len().min(length.saturating_sub(1))].join(" ");
        let sentence =
            difference.sentence(self.name(self.mover()), self.name(self.mover().other()));
        Some(if line.is_empty() {
            format!("{sentence}.")
        } else {
            format!("{sentence}, after {line}.")
        })
    }

    /// The group of terms that is worse by most for the mover after so many turns of both lines.
    fn worst_difference(&self, engine: &Engine, turns: usize) -> Option<Difference> {
        let best = Count::all(engine, &self.after(&self.best.line, turns)?, self.mover());
        let played = Count::all(engine, &self.after(&self.played.line, turns)?, self.mover());
        let pairs = best.iter().zip(&played);
        pairs
            .filter_map(|(best, played)| Difference::between(best, played))
            .filter(|difference| difference.points >= LEAST_POINTS)
            .max_by_key(|difference| difference.points)
    }

    /// The position after exactly so many turns of a line, if the game is not over by then.
    fn after(&self, line: &[String], turns: usize) -> Option<AnyPosition> {
        let mut position = self.before.clone();
        for mv in line.get(..turns)? {
            position.play(mv).ok()?;
        }
        position.outcome().is_none().then_some(position)
    }

    fn chances(&self) -> String {
        let percent = |judgement: &Judgement| 100.0 * judgement.score.win_probability();
        let mover = self.name(self.mover());
        let after = match self.replies().first() {
            Some(reply) => format!("After {reply} "),
            None => "Now ".to_owned(),
        };
        format!(
            "{after}{mover} wins {:.0} % of the time, rather than {:.0} %.",
            percent(self.played),
            percent(self.best)
        )
    }
}

/// A sentence with its full stop, unless it trails off.
fn stopped(sentence: String) -> String {
    if sentence.ends_with('…') { sentence } else { sentence + "." }
}

/// The first moves of a line.
fn shown(line: &[String], turns: usize) -> String {
    let length = line.len().min(turns.max(1)).min(FURTHEST);
    let more = if length < line.len().min(turns) { " …" } else { "" };
    line[..length].join(" ") + more
}

/// What the players have of terms with the same words, and what it is worth to the mover.
#[derive(Debug, Clone, Copy)]
struct Count {
    words: &'static str,
    own: i32,
    others: i32,
    points: i32,
    /// Whether having it is good (1) or bad (-1); 0 if the position does not tell.
    sign: i32,
}

impl Count {
    /// The counts of a position, in the order of the game's terms.
    fn all(engine: &Engine, position: &AnyPosition, mover: Side) -> Vec<Count> {
        let worth = engine.explain(position);
        let sign_of_mover = if position.side_to_move() == mover { 1 } else { -1 };
        let mut counts: Vec<Count> = Vec::new();
        for held in held(position) {
            if NO_REASON.contains(&held.term.name) {
                continue;
            }
            let own = held.counts[mover.index()];
            let others = held.counts[mover.other().index()];
            let points = worth.iter().find(|(term, _)| term.name == held.term.name);
            let points = points.map_or(0, |(_, score)| sign_of_mover * score.raw());
            let sign = points.signum() * (own - others).signum();
            match counts.iter_mut().find(|count| count.words == held.term.words) {
                None => counts.push(Count { words: held.term.words, own, others, points, sign }),
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

/// Something that is worse at the end of the played line than at the end of the best one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Difference {
    words: &'static str,
    /// Whether it is the mover who has something else.
    is_own: bool,
    is_good: bool,
    /// How much there is, and how much there would be.
    now: i32,
    instead: i32,
    /// How many points it costs.
    points: i32,
}

impl Difference {
    fn between(best: &Count, played: &Count) -> Option<Difference> {
        let sign = if best.sign == 0 { played.sign } else { best.sign };
        // Of what is good the mover has less or the other player more; of what is bad, the reverse.
        let own_loss = sign * (best.own - played.own);
        let others_gain = sign * (played.others - best.others);
        if own_loss.max(others_gain) <= 0 {
            return None;
        }
        let is_own = own_loss >= others_gain;
        let (now, instead) =
            if is_own { (played.own, best.own) } else { (played.others, best.others) };
        Some(Difference {
            words: best.words,
            is_own,
            is_good: sign > 0,
            now,
            instead,
            points: best.points - played.points,
        })
    }

    /// The difference in words, without a full stop.
    fn sentence(&self, mover: &str, other: &str) -> String {
        let Difference { words, now, instead, .. } = *self;
        // "A bridge" is there or not; of "towers" there are more or fewer.
        let is_one = words.starts_with("a ") || words.starts_with("an ");
        let numbers = if is_one { String::new() } else { format!(" ({now}, not {instead})") };
        let more = if is_one { "" } else { "more " };
        match (self.is_own, self.is_good) {
            (true, true) => format!("Gives up {words}{numbers}"),
            (false, true) if is_one => format!("Gives {other} {words}"),
            (false, true) => format!("Leaves {other} more {words}{numbers}"),
            (true, false) => format!("Leaves {mover} with {more}{words}{numbers}"),
            (false, false) => format!("Rids {other} of {words}{numbers}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(words: &'static str, own: i32, others: i32, weight: i32) -> Count {
        let points = weight * (own - others);
        Count { words, own, others, points, sign: points.signum() * (own - others).signum() }
    }

    fn sentence(best: Count, played: Count) -> Option<String> {
        Difference::between(&best, &played).map(|found| found.sentence("Black", "White"))
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
