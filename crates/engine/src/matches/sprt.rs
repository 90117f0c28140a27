//! The sequential probability ratio test: play only as many games as the answer needs.
//!
//! Two hypotheses, "the player is better by `elo0`" and "by `elo1`", are weighed by how likely they
//! make the results so far. The test ends as soon as one is likely enough. As in the tests of chess
//! engines, nothing is assumed about how the results of pairs are distributed.
//!
//! ```
//! use stoa_engine::matches::{Pentanomial, Sprt, Verdict};
//!
//! let sprt: Sprt = "elo0=0,elo1=10".parse()?;
//! assert_eq!(sprt.verdict(&Pentanomial([100, 200, 400, 300, 150])), Verdict::Accept);
//! # Ok::<(), stoa_engine::matches::SprtError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::likelihood::{SHARES, deviance, root};
use super::{Pentanomial, score_of_elo};
use crate::text::excerpt;

/// The unit of the hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Model {
    /// Ordinary Elo, which says how many points are scored.
    Logistic,
    /// Elo divided by the spread of the results, so that a test takes about as many games whatever
    /// the draws and the balance of the openings.
    Normalized,
}

/// A sequential probability ratio test.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sprt {
    /// The null hypothesis: a difference that is not worth having.
    pub elo0: f64,
    /// The alternative hypothesis: the difference that is hoped for.
    pub elo1: f64,
    /// The probability of accepting a player who is better by `elo0` only (type I error).
    pub alpha: f64,
    /// The probability of rejecting a player who is better by `elo1` (type II error).
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    pub model: Model,
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// The player is better by `elo1` rather than by `elo0`.
    Accept,
    /// The player is better by no more than `elo0`, rather than by `elo1`.
    Reject,
    /// More games are needed.
    Continue,
}

/// How much a difference of normalised Elo is in standard deviations of a game's result.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

impl Sprt {
    /// The logarithm of how much more likely `elo1` makes the results than `elo0` does.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        if results.pairs() == 0 {
            return 0.0;
        }
        match self.model {
            Model::Logistic => {
                let [far, near] =
                    [self.elo0, self.elo1].map(|elo| deviance(results, score_of_elo(elo)));
                (far - near) / 2.0
            }
            Model::Normalized => {
                // A pair's share has half the variance of a game's, if games are independent.
                let [first, second] = [self.elo0, self.elo1]
                    .map(|elo| most_likely(results, elo / NORMALIZED * std::f64::consts::SQRT_2));
                let regular = regularised(results);
                (0..5).map(|i| regular[i] * (second[i] / first[i]).ln()).sum()
            }
        }
    }

    /// The test ends when the likelihood ratio is below the first or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The verdict of the test on the results so far.
    pub fn verdict(&self, results: &Pentanomial) -> Verdict {
        let (low, high) = self.bounds();
        match self.llr(results) {
            ratio if ratio >= high => Verdict::Accept,
            ratio if ratio <= low => Verdict::Reject,
            _ => Verdict::Continue,
        }
    }
}

/// The counts, with a little for results that were never seen.
fn regularised(results: &Pentanomial) -> [f64; 5] {
    results.0.map(|count| if count == 0 { 1e-3 } else { count as f64 })
}

/// The distribution that makes the results most likely among those whose mean lies `t` of their own
/// standard deviations above one half (Van den Bergh, "Normalized Elo").
fn most_likely(results: &Pentanomial, t: f64) -> [f64; 5] {
    let counts = regularised(results);
    let total: f64 = counts.iter().sum();
    let mut chosen = [0.2; 5];
    for _ in 0..50 {
        let mean: f64 = chosen.iter().zip(SHARES).map(|(p, share)| p * share).sum();
        let variance: f64 =
            chosen.iter().zip(SHARES).map(|(p, share)| p * (share - mean).powi(2)).sum();
        let deviation = variance.sqrt().max(1e-9);
        let gaps = SHARES.map(|share| {
            share - 0.5 - t * deviation * (1.0 + ((mean - share) / deviation).powi(2)) / 2.0
        });
        let (least, most) =
            gaps.iter().fold((f64::MAX, f64::MIN), |(a, b), &gap| (a.min(gap), b.max(gap)));
        if least >= 0.0 || most <= 0.0 {
            break;
        }
        let weighted: Vec<(f64, f64)> = gaps.into_iter().zip(counts.map(|n| n / total)).collect();
        let tilt = root(&weighted, -1.0 / most, -1.0 / least);
        let next: [f64; 5] =
            std::array::from_fn(|i| (weighted[i].1 / (1.0 + tilt * weighted[i].0)).max(1e-12));
        let change = (0..5).map(|i| (next[i] - chosen[i]).abs()).fold(0.0, f64::max);
        chosen = next;
        if change < 1e-10 {
            break;
        }
    }
    chosen
}

/// Text that describes no test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// A word is none that a test has.
    #[error(
        "'{0}' is not part of a test; write elo0=0,elo1=10 with alpha=…, beta=… or model=normalized if you like"
    )]
    Word(String),
    /// A value is no number, or none that makes sense there.
    #[error("{key}={value} does not work; {hint}")]
    Value {
        /// What is set.
        key: String,
        /// To what.
        value: String,
        /// What would be right.
        hint: &'static str,
    },
    /// Both differences are needed.
    #[error("a test needs both elo0 and elo1, such as elo0=0,elo1=10")]
    Incomplete,
}

/// Reads `elo0=0,elo1=10`, and in any order `alpha=0.05`, `beta=0.05`, `model=normalized`.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let (mut elo0, mut elo1) = (None, None);
        let mut sprt =
            Sprt { elo0: 0.0, elo1: 0.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        for word in text.split(',') {
            let short = || excerpt(word);
            let Some((key, value)) = word.split_once('=').map(|(k, v)| (k.trim(), v.trim())) else {
                return Err(SprtError::Word(short()));
            };
            let wrong =
                |hint| SprtError::Value { key: key.to_owned(), value: excerpt(value), hint };
            let number = |low: f64, high: f64, hint| {
                value
                    .parse()
                    .ok()
                    .filter(|n: &f64| *n > low && *n < high)
                    .ok_or_else(|| wrong(hint))
            };
            const ELO: &str = "write a number of Elo between -1000 and 1000";
            const RISK: &str = "write a probability above 0 and below 0.5, such as 0.05";
            match key {
                "elo0" => elo0 = Some(number(-1000.0, 1000.0, ELO)?),
                "elo1" => elo1 = Some(number(-1000.0, 1000.0, ELO)?),
                "alpha" => sprt.alpha = number(0.0, 0.5, RISK)?,
                "beta" => sprt.beta = number(0.0, 0.5, RISK)?,
                "model" if value == "logistic" => sprt.model = Model::Logistic,
                "model" if value == "normalized" => sprt.model = Model::Normalized,
                "model" => return Err(wrong("the models are logistic and normalized")),
                _ => return Err(SprtError::Word(short())),
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else { return Err(SprtError::Incomplete) };
        if elo0 >= elo1 {
            let (key, value) = ("elo1".to_owned(), elo1.to_string());
            return Err(SprtError::Value { key, value, hint: "it must be more than elo0" });
        }
        Ok(Sprt { elo0, elo1, ..sprt })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "elo0={},elo1={},alpha={},beta={}", self.elo0, self.elo1, self.alpha, self.beta)?;
        match self.model {
            Model::Logistic => Ok(()),
            Model::Normalized => f.write_str(",model=normalized"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(test: &str, counts: [u64; 5]) -> f64 {
        test.parse::<Sprt>().unwrap().llr(&Pentanomial(counts))
    }

    fn close(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() <= error, "{found}, not {expected}");
    }

    /// Figures published with tests of chess engines (fastchess).
    #[test]
    fn known_answers_of_others() {
        close(llr("elo0=0.5,elo1=2.5", [223, 9_863, 21_279, 10_037, 246]), -3.07, 0.01);
        close(llr("elo0=0,elo1=2", [871, 26_175, 55_983, 26_678, 821]), -4.98, 0.01);
        let normalized = "elo0=0,elo1=2,model=normalized";
        close(llr(normalized, [365, 16_618, 36_229, 16_974, 390]), 2.25, 0.01);
        let normalized = "elo0=-1.75,elo1=0.25,model=normalized";
        close(llr(normalized, [127, 4_883, 10_712, 5_150, 104]), 3.01, 0.01);
        close(llr("elo0=0,elo1=5,model=normalized", [0, 0, 0, 0, 5_550]), 111.82, 0.03);
    }

    /// Figures of a second program, written for this test.
    #[test]
    fn known_answers_of_our_own() {
        for (test, counts, expected) in [
            ("elo0=0,elo1=10", [10, 20, 30, 25, 15], 0.482_286),
            ("elo0=-5,elo1=5", [10, 20, 30, 25, 15], 0.594_863),
            ("elo0=0,elo1=10,model=normalized", [10, 20, 30, 25, 15], 0.424_353),
            ("elo0=0,elo1=10", [100, 200, 400, 300, 150], 7.340_449),
            ("elo0=-5,elo1=5,model=normalized", [100, 200, 400, 300, 150], 7.095_819),
        ] {
            close(llr(test, counts), expected, 1e-5);
        }
    }

    /// Wald's own test, of a coin.
    #[test]
    fn pairs_won_and_lost_are_a_coin() {
        let [s0, s1] = [0.0, 20.0].map(score_of_elo);
        let expected = 7.0 * (s1 / s0).ln() + 3.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        close(llr("elo0=0,elo1=20", [3, 0, 0, 0, 7]), expected, 1e-7);
    }

    #[test]
    fn the_verdict_comes_at_the_bounds() {
        let sprt: Sprt = "elo0=0,elo1=10".parse().unwrap();
        let (low, high) = sprt.bounds();
        close(low, -2.944_439, 1e-6);
        close(high, 2.944_439, 1e-6);
        let even = |pairs| Pentanomial([0, pairs, 2 * pairs, pairs, 0]);
        assert_eq!(sprt.verdict(&Pentanomial::default()), Verdict::Continue);
        assert_eq!(sprt.verdict(&even(100)), Verdict::Continue);
        assert_eq!(sprt.verdict(&even(1_000)), Verdict::Reject);
        assert_eq!(sprt.verdict(&Pentanomial([0, 0, 0, 0, 300])), Verdict::Accept);
        let strict: Sprt = "alpha=0.01,beta=0.1,elo1=10,elo0=0".parse().unwrap();
        close(strict.bounds().0, (0.1f64 / 0.99).ln(), 1e-12);
        close(strict.bounds().1, (0.9f64 / 0.01).ln(), 1e-12);
    }

    #[test]
    fn invalid_tests_are_refused() {
        let refused = |text: &str| text.parse::<Sprt>().unwrap_err().to_string();
        assert_eq!(refused("elo0=0"), "a test needs both elo0 and elo1, such as elo0=0,elo1=10");
        assert_eq!(refused("elo0=5,elo1=5"), "elo1=5 does not work; it must be more than elo0");
        assert!(refused("elo0=0,elo1=ten").starts_with("elo1=ten does not work; write a number"));
        assert!(refused("elo0=0,elo1=NaN").starts_with("elo1=NaN does not work"));
        assert!(refused("elo0=0,elo1=1,alpha=0.5").starts_with("alpha=0.5 does not work"));
        assert!(refused("").starts_with("'' is not part of a test"));
        assert!(refused("elo=3").starts_with("'elo=3' is not part of a test"));
        let text = "elo0=-1.5,elo1=3,alpha=0.05,beta=0.1,model=normalized";
        assert_eq!(text.parse::<Sprt>().unwrap().to_string(), text);
    }
}
