//! What is known for certain of a position.

use std::cmp::Ordering;
use std::fmt;

/// How a position ends with best play, for the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Verdict {
    /// The player to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The player to move wins.
    Win,
}

impl Verdict {
    /// The verdict of the other player.
    #[must_use]
    pub const fn reversed(self) -> Verdict {
        match self {
            Verdict::Loss => Verdict::Win,
            Verdict::Draw => Verdict::Draw,
            Verdict::Win => Verdict::Loss,
        }
    }

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Loss => "loss",
            Verdict::Draw => "draw",
            Verdict::Win => "win",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// What is known for certain of a position, for the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exact {
    /// How it ends.
    pub verdict: Verdict,
    /// After how many moves of both, if the winner hastens and the loser delays; nothing if that
    /// is not known.
    pub plies: Option<u32>,
}

impl Exact {
    /// What a move is worth that leads to a position of this value, for the player who makes it.
    #[must_use]
    pub fn before(self) -> Exact {
        Exact { verdict: self.verdict.reversed(), plies: self.plies.map(|plies| plies + 1) }
    }

    /// Which is better for the player to move: a win, and a quick one; a late loss. An end at an
    /// unknown time is taken to be far.
    pub fn compare(&self, other: &Exact) -> Ordering {
        let plies = |value: &Exact| value.plies.unwrap_or(u32::MAX);
        let later = plies(self).cmp(&plies(other));
        self.verdict.cmp(&other.verdict).then(match self.verdict {
            Verdict::Win => later.reverse(),
            Verdict::Loss | Verdict::Draw => later,
        })
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies {
            Some(plies) => write!(f, "{} {plies}", self.verdict),
            None => self.verdict.fmt(f),
        }
    }
}
