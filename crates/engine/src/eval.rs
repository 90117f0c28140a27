//! Evaluation: a weighted sum of terms, each an idea that a player would recognise.
//!
//! A game lists its terms once, as calls of [`TermSink::add`]. Summed with their weights they are the
//! evaluation; counted one by one they are what `stoa tune` learns from, and what a review explains
//! mistakes with.

use stoa_rules::Side;

use crate::net::crc32;
use crate::score::MAX_EVALUATION;
use crate::text::excerpt;
use crate::{Knowledge, Score};

/// One term of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Its name in the file of weights: a few words without spaces.
    pub name: &'static str,
    /// The same for people, as something one can have: "doubles close to home".
    pub words: &'static str,
    /// What is counted, and why it matters, in a sentence.
    pub meaning: &'static str,
}

/// An evaluation has at most this many terms.
pub const MAX_TERMS: usize = 96;

/// The largest weight: ten thousand points per unit.
pub(crate) const MAX_WEIGHT: i32 = 1_000_000;

/// Receives the counts of terms.
pub trait TermSink {
    /// Adds what a player has of a term.
    fn add(&mut self, term: usize, side: Side, count: i32);
}

/// The weights of a game's terms, in hundredths of a point per unit counted.
///
/// They are kept as text, a line `name weight` for each term, so that they can be tuned and tried
/// out without building anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    values: [i32; MAX_TERMS],
}

/// A file of weights that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A line is not a name and a number.
    #[error("line {line}: expected a term and its weight, such as 'tempo 12', found '{found}'")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A weight is too large for the sum of all terms to be counted.
    #[error("line {line}: {weight} is too large; weights go from -{MAX_WEIGHT} to {MAX_WEIGHT}")]
    Size {
        /// The number of the line, from 1.
        line: usize,
        /// The weight.
        weight: i32,
    },
    /// The game has no such term.
    #[error("line {line}: there is no term '{name}'; the terms are {}", .known.join(", "))]
    Unknown {
        /// The number of the line, from 1.
        line: usize,
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// A term has two weights.
    #[error("line {line}: '{name}' has a weight already")]
    Twice {
        /// The number of the second line, from 1.
        line: usize,
        /// The term.
        name: &'static str,
    },
    /// A term is missing.
    #[error("the weight of '{0}' is missing")]
    Missing(&'static str),
}

impl Weights {
    /// The game's own weights.
    ///
    /// # Panics
    /// If the file of weights that this crate was built with is invalid, which a test rules out.
    pub fn of<P: Knowledge>(options: P::Options) -> Weights {
        Weights::parse::<P>(P::weights(options)).expect("the weights in the source are valid")
    }

    /// Reads weights: a line for each term, `#` begins a comment.
    pub fn parse<P: Knowledge>(text: &str) -> Result<Weights, WeightsError> {
        let mut values = [None; MAX_TERMS];
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let malformed = || WeightsError::Line { line: number, found: excerpt(line) };
            let (name, weight) = line.split_once(char::is_whitespace).ok_or_else(malformed)?;
            let weight: i32 = weight.trim().parse().map_err(|_| malformed())?;
            if !(-MAX_WEIGHT..=MAX_WEIGHT).contains(&weight) {
                return Err(WeightsError::Size { line: number, weight });
            }
            let term = P::TERMS.iter().position(|term| term.name == name).ok_or_else(|| {
                WeightsError::Unknown {
                    line: number,
                    name: excerpt(name),
                    known: P::TERMS.iter().map(|term| term.name).collect(),
                }
            })?;
            if values[term].replace(weight).is_some() {
                let name = P::TERMS[term].name;
                return Err(WeightsError::Twice { line: number, name });
            }
        }
        let mut weights = Weights { values: [0; MAX_TERMS] };
        for (index, term) in P::TERMS.iter().enumerate() {
            weights.values[index] = values[index].ok_or(WeightsError::Missing(term.name))?;
        }
        Ok(weights)
    }

    /// The weights from numbers, in the order of the terms.
    pub fn from_values(numbers: &[i32]) -> Weights {
        let mut values = [0; MAX_TERMS];
        for (value, &number) in values.iter_mut().zip(numbers) {
            *value = number;
        }
        Weights { values }
    }

    /// The numbers, in the order of the terms.
    pub fn values(&self) -> &[i32; MAX_TERMS] {
        &self.values
    }

    /// The CRC-32 of their text, by which a network knows the weights that it was trained with.
    pub fn checksum<P: Knowledge>(&self) -> u32 {
        crc32(self.text::<P>().as_bytes())
    }

    /// The text of the weights.
    pub fn text<P: Knowledge>(&self) -> String {
        let lines = P::TERMS.iter().zip(self.values);
        lines.map(|(term, weight)| format!("{} {weight}\n", term.name)).collect()
    }
}

/// Evaluates positions: with a game's weighted terms, or with something else in tests.
pub trait Evaluator<P>: Sync {
    /// What it keeps from one position to the next, for each thread that asks.
    type State: Send;

    /// A state to begin with.
    fn state(&self) -> Self::State;

    /// The value of a position that is not over, in points for the player to move.
    fn evaluate(&self, position: &P, state: &mut Self::State) -> i32;
}

impl<P: Knowledge> Evaluator<P> for Weights {
    type State = ();

    fn state(&self) {}

    #[inline]
    fn evaluate(&self, position: &P, (): &mut ()) -> i32 {
        struct Sum<'a>(&'a [i32; MAX_TERMS], i32);
        impl TermSink for Sum<'_> {
            #[inline]
            fn add(&mut self, term: usize, side: Side, count: i32) {
                let worth = self.0[term] * count;
                self.1 += if side == Side::First { worth } else { -worth };
            }
        }
        let mut sum = Sum(&self.values, 0);
        position.terms(&mut sum);
        let points = sum.1 / 100;
        let own = if position.side_to_move() == Side::First { points } else { -points };
        own.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// The counts of a position's terms, the first player's less the second's.
pub fn counts<P: Knowledge>(position: &P) -> Vec<i32> {
    struct Counts(Vec<i32>);
    impl TermSink for Counts {
        fn add(&mut self, term: usize, side: Side, count: i32) {
            self.0[term] += if side == Side::First { count } else { -count };
        }
    }
    let mut counts = Counts(vec![0; P::TERMS.len()]);
    position.terms(&mut counts);
    counts.0
}

/// The evaluation of a position term by term, for the player to move. Terms of which both players
/// have as much are left out.
pub fn explain<P: Knowledge>(position: &P, weights: &Weights) -> Vec<(&'static Term, Score)> {
    let sign = if position.side_to_move() == Side::First { 1 } else { -1 };
    let counts = counts(position);
    let parts = P::TERMS.iter().zip(counts).zip(weights.values);
    parts
        .filter(|((_, count), _)| *count != 0)
        .map(|((term, count), weight)| (term, Score::points(sign * count * weight / 100)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_rules::palisade::Position as Palisade;

    fn refused(text: &str) -> String {
        Weights::parse::<Palisade>(text).expect_err("no weights").to_string()
    }

    #[test]
    fn invalid_weights_are_refused() {
        let known: Vec<&str> = Palisade::TERMS.iter().map(|term| term.name).collect();
        assert_eq!(
            refused("# a comment\ntempo\n"),
            "line 2: expected a term and its weight, such as 'tempo 12', found 'tempo'"
        );
        assert_eq!(
            refused("tempo -2147483648"),
            "line 1: -2147483648 is too large; weights go from -1000000 to 1000000"
        );
        assert_eq!(
            refused("temper 3"),
            format!("line 1: there is no term 'temper'; the terms are {}", known.join(", "))
        );
        assert_eq!(refused("tempo 3\n\ntempo 4"), "line 3: 'tempo' has a weight already");
        assert_eq!(refused("tempo 3"), format!("the weight of '{}' is missing", known[1]));
    }

    #[test]
    fn weights_go_both_ways() {
        let weights = Weights::from_values(&(1..=Palisade::TERMS.len() as i32).collect::<Vec<_>>());
        assert_eq!(Weights::parse::<Palisade>(&weights.text::<Palisade>()), Ok(weights));
    }
}
