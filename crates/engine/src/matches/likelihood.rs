//! How likely the results of pairs of games are, if the true score is a given one.
//!
//! Nothing is assumed about the distribution of the five results of a pair but its mean. Among all distributions
//! with that mean, the one that makes the results most likely is found; how much less likely it makes them than
//! the results' own frequencies do, shows how well the mean fits. This is Owen's empirical likelihood, and the
//! generalised likelihood of sequential tests of engines.

use super::Pentanomial;

/// The shares of the points of a pair: none, a quarter, half, three quarters, all.
pub(crate) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Minus twice the logarithm of how much less likely the results are if the mean share is `mean`,
/// compared with the mean that fits best. It is 0 for that mean and grows on both sides of it; for
/// many pairs it is a squared normal variable.
pub(crate) fn deviance(results: &Pentanomial, mean: f64) -> f64 {
    let mean = mean.clamp(1e-9, 1.0 - 1e-9);
    let observed: Vec<(f64, f64)> = (SHARES.iter().zip(results.0))
        .filter(|(_, count)| *count > 0)
        .map(|(share, count)| (share - mean, count as f64))
        .collect();
    // The best distribution gives each result its frequency divided by 1 + tilt · (share − mean).
    // Where the results allow no such distribution with this mean, the tilt is the most there can
    // be, and what is missing is the probability of an extreme result that was not seen.
    let tilt = root(&observed, -1.0 / (1.0 - mean), 1.0 / mean);
    2.0 * observed.iter().map(|(gap, count)| count * (1.0 + tilt * gap).ln()).sum::<f64>()
}

/// The zero of Σ weight · gap / (1 + x · gap) between two bounds, where it falls; the nearer bound
/// if it has none there.
pub(crate) fn root(weighted: &[(f64, f64)], low: f64, high: f64) -> f64 {
    let slope = |x: f64| weighted.iter().map(|(gap, weight)| weight * gap / (1.0 + x * gap)).sum();
    let (mut low, mut high) = (low, high);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let slope: f64 = slope(middle);
        if middle <= low || middle >= high {
            break;
        }
        if slope > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The probability that a standard normal variable is below `x`, to seven digits.
pub(crate) fn normal_below(x: f64) -> f64 {
    if x == 0.0 {
        return 0.5;
    }
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let factors = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = 0.5 * factors.iter().fold(0.0, |sum, factor| (sum + factor) * t) * (-z * z).exp();
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_pairs_won_and_lost_it_is_the_binomial_likelihood() {
        let results = Pentanomial([30, 0, 0, 0, 70]);
        for mean in [0.01f64, 0.4, 0.5, 0.7, 0.9, 0.99] {
            let expected = 2.0 * (30.0 * (0.3 / (1.0 - mean)).ln() + 70.0 * (0.7 / mean).ln());
            let found = deviance(&results, mean);
            assert!((found - expected).abs() < 1e-6, "{mean}: {found} {expected}");
        }
    }

    #[test]
    fn results_never_seen_are_possible() {
        // All ten pairs won: at best, whatever is not won is lost.
        let found = deviance(&Pentanomial([0, 0, 0, 0, 10]), 0.8);
        assert!((found - 20.0 * (1.0 / 0.8f64).ln()).abs() < 1e-6, "{found}");
        // All ten pairs even: at best, the rest is won.
        let found = deviance(&Pentanomial([0, 0, 10, 0, 0]), 0.6);
        assert!((found - 20.0 * (0.5 / 0.4f64).ln()).abs() < 1e-6, "{found}");
    }

    #[test]
    fn the_normal_distribution() {
        for (x, below) in [(0.0, 0.5), (1.0, 0.841_344_7), (1.959_964, 0.975), (-3.0, 0.001_349_9)]
        {
            assert!((normal_below(x) - below).abs() < 3e-7, "{x}");
        }
        assert_eq!(normal_below(-60.0), 0.0);
    }
}
