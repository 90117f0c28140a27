//! How good a move was.

/// How good a move was, by what it has cost of the probability of winning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MoveClass"))]
pub enum Class {
    /// There was no other move.
    Forced,
    /// No move is known to be better.
    Best,
    /// Another move is hardly better.
    Good,
    /// It has cost at least one game in twenty.
    Inaccuracy,
    /// It has cost at least one game in ten.
    Mistake,
    /// It has cost at least one game in five.
    Blunder,
}

impl Class {
    /// From this loss on, a move is an inaccuracy.
    pub const MIN_ERROR: f64 = 0.05;

    /// The classes with the least loss of each, the worst first.
    const LEAST: [(Class, f64); 3] =
        [(Class::Blunder, 0.2), (Class::Mistake, 0.1), (Class::Inaccuracy, Class::MIN_ERROR)];

    /// The class of a move that was neither forced nor best.
    pub fn of_loss(lost: f64) -> Class {
        let class = Class::LEAST.iter().find(|(_, least)| lost >= *least);
        class.map_or(Class::Good, |(class, _)| *class)
    }

    /// Whether it is an inaccuracy or worse.
    pub fn is_error(self) -> bool {
        self >= Class::Inaccuracy
    }

    /// The sign that records put after such a move.
    pub fn glyph(self) -> &'static str {
        match self {
            Class::Forced | Class::Best | Class::Good => "",
            Class::Inaccuracy => "?!",
            Class::Mistake => "?",
            Class::Blunder => "??",
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Class::Forced => "forced",
            Class::Best => "best",
            Class::Good => "good",
            Class::Inaccuracy => "inaccuracy",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
        }
    }
}
