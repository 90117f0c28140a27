//! What can be wrong with a move: as data, and in English.

/// Something that is wrong with a move. [`sentence`](Finding::sentence) says it in English; for other
/// languages, use the fields.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "kind", rename_all = "kebab-case")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Finding {
    /// A proven win was there.
    MissedWin {
        /// The number of turns.
        turns: u32,
        /// How it begins.
        line: String,
    },
    /// The other player can now win for certain, or has won.
    AllowedLoss {
        /// The number of turns.
        turns: u32,
        /// How it begins.
        line: String,
    },
    /// Something that is worse at the end of the played line than at the end of the best one.
    Difference(Difference),
    /// Nothing more specific than the chances of the player who moved.
    Chances {
        /// The probability of winning.
        now: f64,
        /// What it would have been.
        instead: f64,
        /// The answer that was expected.
        reply: Option<String>,
    },
}

/// Something of which a player has more or less than with the best move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "FindingCount"))]
pub struct Count {
    /// The name of the term; of terms with the same words, that of the first.
    pub term: &'static str,
    /// The words for it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub words: &'static str,
    /// Whether the count is that of the player who moved, rather than of the opponent.
    pub own: bool,
    /// Whether it is good to have.
    pub good: bool,
    /// How much there is.
    pub now: i32,
    /// How much there would be.
    pub instead: i32,
}

/// A [`Count`] and the moves after which it is so.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "FindingDifference"))]
pub struct Difference {
    /// What is different.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub count: Count,
    /// The moves that were expected to follow; empty if it is so at once.
    pub line: String,
}

impl Finding {
    /// The finding in English, with its full stop. `mover` and `other` are the players' names.
    pub fn sentence(&self, mover: &str, other: &str) -> String {
        match self {
            Finding::MissedWin { turns: 0 | 1, line } => {
                stopped(format!("Misses a win on the spot: {line}"))
            }
            Finding::MissedWin { turns, line } => {
                stopped(format!("Misses a win in {turns} turns: {line}"))
            }
            Finding::AllowedLoss { turns: 0, .. } => format!("Ends the game, and {other} wins."),
            Finding::AllowedLoss { turns: 1, line } => {
                stopped(format!("Lets {other} win at once with {line}"))
            }
            Finding::AllowedLoss { turns, line } => {
                stopped(format!("Allows a forced loss: {other} wins in {turns} turns with {line}"))
            }
            Finding::Difference(Difference { count, line }) if line.is_empty() => {
                format!("{}.", count.sentence(mover, other))
            }
            Finding::Difference(Difference { count, line }) => {
                format!("{}, after {line}.", count.sentence(mover, other))
            }
            Finding::Chances { now, instead, reply } => {
                let after = match reply {
                    Some(reply) => format!("After {reply} "),
                    None => "Now ".to_owned(),
                };
                let [now, instead] = [now, instead].map(|chance| 100.0 * chance);
                format!("{after}{mover} wins {now:.0} % of the time, rather than {instead:.0} %.")
            }
        }
    }
}

/// A sentence with its full stop, unless it trails off.
fn stopped(sentence: String) -> String {
    if sentence.ends_with('…') { sentence } else { sentence + "." }
}

impl Count {
    /// The difference in words, without a full stop.
    fn sentence(&self, mover: &str, other: &str) -> String {
        let Count { words, now, instead, .. } = *self;
        // "A bridge" is there or not; of "towers" there are more or fewer.
        let is_one = words.starts_with("a ") || words.starts_with("an ");
        let numbers = if is_one { String::new() } else { format!(" ({now}, not {instead})") };
        let more = if is_one { "" } else { "more " };
        match (self.own, self.good) {
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

    #[test]
    fn findings_become_sentences() {
        let said = |finding: Finding| finding.sentence("Black", "White");
        let line = || "a b".to_owned();
        assert_eq!(
            said(Finding::MissedWin { turns: 1, line: line() }),
            "Misses a win on the spot: a b."
        );
        assert_eq!(
            said(Finding::AllowedLoss { turns: 9, line: "a …".to_owned() }),
            "Allows a forced loss: White wins in 9 turns with a …"
        );
        let count = Count { term: "t", words: "towers", own: true, good: true, now: 2, instead: 3 };
        assert_eq!(
            said(Finding::Difference(Difference { count, line: line() })),
            "Gives up towers (2, not 3), after a b."
        );
        assert_eq!(
            said(Finding::Chances { now: 0.25, instead: 0.5, reply: None }),
            "Now Black wins 25 % of the time, rather than 50 %."
        );
    }
}
