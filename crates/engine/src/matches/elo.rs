//! What the results of a match say: the score and the difference in Elo, with error bars.
//!
//! Games come in pairs with the same opening and sides swapped, so that an opening that favours a
//! side favours neither player. The two games of a pair are not independent; the pairs are, and so they are
//! what is counted.
//!
//! ```
//! use stoa_engine::matches::{Estimate, Pentanomial};
//!
//! let estimate = Estimate::of(&Pentanomial([10, 40, 100, 60, 20]));
//! assert_eq!(format!("{:.2} %", 100.0 * estimate.score.value), "54.35 %");
//! assert_eq!(format!("{:+.1}", estimate.elo.value), "+30.3");
//! assert!(estimate.elo.low > 7.0 && estimate.elo.high < 54.0);
//! ```

use super::likelihood::{SHARES, deviance, normal_below};

/// How many pairs of games brought 0, ½, 1, 1½ and 2 points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds a pair by its half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The same pairs as the opponent sees them.
    #[must_use]
    pub fn reversed(&self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// The share of all points, one half if there are none.
    pub fn score(&self) -> f64 {
        if self.pairs() == 0 {
            return 0.5;
        }
        let points: f64 =
            self.0.iter().zip(SHARES).map(|(count, share)| *count as f64 * share).sum();
        points / self.pairs() as f64
    }
}

/// A figure and the bounds between which it lies with a probability of 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounded {
    /// What is most likely.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Bounded {
    /// Half the distance between the bounds; infinite if one of them is.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    fn map(self, of: impl Fn(f64) -> f64) -> Bounded {
        Bounded { value: of(self.value), low: of(self.low), high: of(self.high) }
    }
}

/// Infinite figures, which JSON does not have, become `null`.
#[cfg(feature = "serde")]
impl serde::Serialize for Bounded {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let finite = |figure: f64| figure.is_finite().then_some(figure);
        let mut fields = serializer.serialize_struct("Bounded", 3)?;
        fields.serialize_field("value", &finite(self.value))?;
        fields.serialize_field("low", &finite(self.low))?;
        fields.serialize_field("high", &finite(self.high))?;
        fields.end()
    }
}

/// What a match says about the strength of a player compared with their opponent.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    /// The share of the points, 0 to 1.
    pub score: Bounded,
    /// The difference in Elo; infinite for a player who has won or lost everything.
    pub elo: Bounded,
    /// The likelihood of superiority: how probable it is that the player is the stronger one.
    pub superiority: f64,
}

/// A squared normal variable is below this with a probability of 95 %.
pub(super) const CHI_SQUARED_95: f64 = 3.841_459;

impl Estimate {
    /// The estimate from some pairs, for the player whose points they count.
    pub fn of(results: &Pentanomial) -> Estimate {
        let value = results.score();
        let bound = |end: f64| {
            let (mut inside, mut outside) = (value, end);
            for _ in 0..60 {
                let middle = f64::midpoint(inside, outside);
                if deviance(results, middle) <= CHI_SQUARED_95 {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            if inside == value { value } else { outside }
        };
        let score = match results.pairs() {
            0 => Bounded { value, low: 0.0, high: 1.0 },
            _ => Bounded { value, low: bound(0.0), high: bound(1.0) },
        };
        let surprise = deviance(results, 0.5).max(0.0).sqrt();
        let superiority = normal_below(if value < 0.5 { -surprise } else { surprise });
        Estimate { score, elo: score.map(elo_of_score), superiority }
    }
}

/// The difference in Elo that makes a player score a share of the points.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Not minus zero for an even score.
        0.0 - 400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The share of the points that a player scores with this advantage in Elo.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() <= error, "{found}, not {expected}");
    }

    #[test]
    fn elo_and_score_go_both_ways() {
        close(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
        close(elo_of_score(0.64), 99.95, 0.01);
        for elo in [-800.0, -3.5, 0.0, 120.0] {
            close(elo_of_score(score_of_elo(elo)), elo, 1e-6);
        }
    }

    /// With many pairs the bounds are those of the normal distribution: 1.96 standard errors.
    #[test]
    fn many_pairs_have_normal_errors() {
        let results = Pentanomial([400, 2_500, 5_000, 2_700, 450]);
        let estimate = Estimate::of(&results);
        let n = results.pairs() as f64;
        let mean = results.score();
        let variance: f64 =
            results.0.iter().zip(SHARES).map(|(&k, x)| k as f64 * (x - mean).powi(2)).sum::<f64>()
                / n;
        let error = 1.959_964 * (variance / n).sqrt();
        close(estimate.score.high - mean, error, error * 0.01);
        close(mean - estimate.score.low, error, error * 0.01);
        close(estimate.superiority, normal_below((mean - 0.5) / (variance / n).sqrt()), 1e-4);
        close(estimate.elo.error(), error * 1_600.0 / std::f64::consts::LN_10, 0.05);
    }

    /// Pairs won and lost only: the bounds of the likelihood ratio, which are known for the
    /// binomial distribution. For 7 of 10 they are 0.3944 and 0.9134.
    #[test]
    fn few_pairs_have_lopsided_errors() {
        let estimate = Estimate::of(&Pentanomial([3, 0, 0, 0, 7]));
        let deviance = |p: f64| 2.0 * (3.0 * (0.3 / (1.0 - p)).ln() + 7.0 * (0.7 / p).ln());
        for bound in [estimate.score.low, estimate.score.high] {
            close(deviance(bound), CHI_SQUARED_95, 1e-6);
        }
        assert!(estimate.score.low < 0.4 && estimate.score.high > 0.9);
    }

    #[test]
    fn all_or_nothing_is_no_accident_of_arithmetic() {
        let all = Estimate::of(&Pentanomial([0, 0, 0, 0, 20]));
        assert_eq!(all.score.value, 1.0);
        assert_eq!(all.score.high, 1.0);
        close(all.score.low, (-CHI_SQUARED_95 / 40.0).exp(), 1e-9);
        assert_eq!(all.elo.value, f64::INFINITY);
        assert!(all.elo.low > 380.0 && all.elo.low.is_finite());
        assert!(all.superiority > 0.999);
        let nothing = Estimate::of(&Pentanomial([20, 0, 0, 0, 0]));
        close(nothing.elo.high, -all.elo.low, 1e-6);
        close(nothing.superiority, 1.0 - all.superiority, 1e-9);
        assert_eq!(nothing.elo.value, f64::NEG_INFINITY);
    }

    #[test]
    fn nothing_played_says_nothing() {
        let estimate = Estimate::of(&Pentanomial::default());
        assert_eq!(estimate.score, Bounded { value: 0.5, low: 0.0, high: 1.0 });
        assert_eq!(estimate.elo.value, 0.0);
        close(estimate.superiority, 0.5, 1e-6);
    }

    #[test]
    fn no_results_make_no_numbers_out_of_nothing() {
        for code in 0..3usize.pow(5) {
            let counts = std::array::from_fn(|i| [0, 1, 50][code / 3usize.pow(i as u32) % 3]);
            let results = Pentanomial(counts);
            let estimate = Estimate::of(&results);
            for bounded in [estimate.score, estimate.elo] {
                assert!(
                    bounded.low <= bounded.value && bounded.value <= bounded.high,
                    "{counts:?}"
                );
                assert!(!bounded.error().is_nan() || bounded.error().is_infinite(), "{counts:?}");
            }
            assert!((0.0..=1.0).contains(&estimate.superiority), "{counts:?}");
            let other = Estimate::of(&results.reversed());
            close(other.score.low, 1.0 - estimate.score.high, 1e-7);
            close(other.superiority, 1.0 - estimate.superiority, 1e-7);
        }
    }
}
