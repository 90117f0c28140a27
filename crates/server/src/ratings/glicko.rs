//! Glicko-2, as Mark Glickman describes it in "Example of the Glicko-2 system" (2012, revised 2022).
//!
//! Arithmetic is that of `libm`, so that every machine arrives at the same bits.

use libm::{exp, fabs, log, sqrt};

/// From ratings to the scale of the system.
const SCALE: f64 = 173.7178;
/// How much volatility may change from one period to the next: the system's τ.
const TAU: f64 = 0.5;
/// How precisely volatility is computed.
const TOLERANCE: f64 = 0.000_001;
/// Volatility converges in a handful of steps; this ends the loop whatever the numbers are.
const MAX_STEPS: usize = 100;

/// The bounds of everything that is stored, far from what games lead to.
const RATINGS: [f64; 2] = [100.0, 4000.0];
const DEVIATIONS: [f64; 2] = [30.0, 350.0];
const VOLATILITIES: [f64; 2] = [0.01, 0.1];

/// What is known of the strength of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Strength {
    pub(crate) rating: f64,
    pub(crate) deviation: f64,
    pub(crate) volatility: f64,
}

impl Strength {
    /// That of a player of whom nothing is known.
    pub(crate) const START: Strength =
        Strength { rating: 1500.0, deviation: 350.0, volatility: 0.06 };

    /// After a time without games, in rating periods: the rating stays, and is less certain.
    pub(crate) fn after_absence(self, periods: f64) -> Strength {
        let deviation = SCALE * grown(self.deviation / SCALE, self.volatility, periods);
        Strength { deviation: deviation.min(DEVIATIONS[1]), ..self }
    }

    /// How many rating periods without games make the deviation reach a limit; negative if it is above it.
    pub(crate) fn periods_until(self, deviation: f64) -> f64 {
        let [now, then] = [self.deviation, deviation].map(|deviation| deviation / SCALE);
        (then * then - now * now) / (self.volatility * self.volatility)
    }

    /// After games against opponents, each with a score from 0 to 1, at the end of this many rating periods.
    pub(crate) fn after_games(self, games: &[(Strength, f64)], periods: f64) -> Strength {
        let next = self.unbounded_after_games(games, periods);
        Strength {
            rating: next.rating.clamp(RATINGS[0], RATINGS[1]),
            deviation: next.deviation.clamp(DEVIATIONS[0], DEVIATIONS[1]),
            volatility: next.volatility.clamp(VOLATILITIES[0], VOLATILITIES[1]),
        }
    }

    /// Steps 2 to 8 of the description, with its names for the quantities.
    fn unbounded_after_games(self, games: &[(Strength, f64)], periods: f64) -> Strength {
        let mu = (self.rating - 1500.0) / SCALE;
        let phi = self.deviation / SCALE;
        let mut information = 0.0;
        let mut surplus = 0.0;
        for (opponent, score) in games {
            let g = weight(opponent.deviation / SCALE);
            let expected = 1.0 / (1.0 + exp(-g * (mu - (opponent.rating - 1500.0) / SCALE)));
            information += g * g * expected * (1.0 - expected);
            surplus += g * (score - expected);
        }
        let v = 1.0 / information;
        let volatility = new_volatility(phi, self.volatility, v, v * surplus);
        let phi_star = grown(phi, volatility, periods);
        let phi = 1.0 / sqrt(1.0 / (phi_star * phi_star) + information);
        let mu = mu + phi * phi * surplus;
        Strength { rating: SCALE * mu + 1500.0, deviation: SCALE * phi, volatility }
    }
}

/// How much a game against an opponent with this deviation counts: the function g.
fn weight(phi: f64) -> f64 {
    let pi = std::f64::consts::PI;
    1.0 / sqrt(1.0 + 3.0 * phi * phi / (pi * pi))
}

/// A deviation after a number of rating periods: step 6.
fn grown(phi: f64, volatility: f64, periods: f64) -> f64 {
    sqrt(phi * phi + volatility * volatility * periods)
}

/// Step 5: the volatility at which a function is zero, found by the Illinois algorithm.
fn new_volatility(phi: f64, sigma: f64, v: f64, delta: f64) -> f64 {
    let a = log(sigma * sigma);
    let f = |x: f64| {
        let e = exp(x);
        let sum = phi * phi + v + e;
        e * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (TAU * TAU)
    };
    let mut low = a;
    let mut high = if delta * delta > phi * phi + v {
        log(delta * delta - phi * phi - v)
    } else {
        let found = (1..MAX_STEPS).map(|k| a - k as f64 * TAU).find(|x| f(*x) >= 0.0);
        found.unwrap_or(a)
    };
    let (mut f_low, mut f_high) = (f(low), f(high));
    for _ in 0..MAX_STEPS {
        if fabs(high - low) <= TOLERANCE {
            break;
        }
        let middle = low + (low - high) * f_low / (f_high - f_low);
        let f_middle = f(middle);
        if f_middle * f_high <= 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low /= 2.0;
        }
        (high, f_high) = (middle, f_middle);
    }
    exp(low / 2.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn strength(rating: f64, deviation: f64) -> Strength {
        Strength { rating, deviation, volatility: 0.06 }
    }

    /// The example that Glickman prints, to the digits that he prints.
    #[test]
    fn the_published_example() {
        let player = strength(1500.0, 200.0);
        let games = [
            (strength(1400.0, 30.0), 1.0),
            (strength(1550.0, 100.0), 0.0),
            (strength(1700.0, 300.0), 0.0),
        ];
        // The table of step 3: g and E, and with them v and Δ of steps 3 and 4.
        let phi = |games: &(Strength, f64)| games.0.deviation / SCALE;
        let printed = |value: f64, digits: usize| format!("{value:.digits$}");
        assert_eq!(printed(player.deviation / SCALE, 4), "1.1513");
        let g: Vec<String> = games.iter().map(|game| printed(weight(phi(game)), 4)).collect();
        assert_eq!(g, ["0.9955", "0.9531", "0.7242"]);
        let after = player.after_games(&games, 1.0);
        // He prints 0.05999, without rounding it.
        assert_eq!(printed(after.volatility, 8), "0.05999598");
        assert_eq!(printed(after.deviation / SCALE, 4), "0.8722");
        assert_eq!(printed(after.deviation, 2), "151.52");
        // He goes on with the four digits that he has printed, and so comes to 1464.06.
        let mu = printed((after.rating - 1500.0) / SCALE, 4);
        assert_eq!(mu, "-0.2069");
        let mu: f64 = mu.parse().unwrap();
        assert_eq!(printed(SCALE * mu + 1500.0, 2), "1464.06");
        assert_eq!(printed(after.rating, 2), "1464.05");
    }

    #[test]
    fn absence_makes_uncertain_up_to_a_limit() {
        let known = strength(1600.0, 60.0);
        assert!((known.after_absence(0.0).deviation - 60.0).abs() < 1e-9);
        let year = known.after_absence(78.2);
        assert!((109.0..111.0).contains(&year.deviation), "{year:?}");
        assert_eq!(year.rating, 1600.0);
        assert_eq!(known.after_absence(1e9).deviation, 350.0);
        let periods = known.periods_until(110.0);
        assert!((known.after_absence(periods).deviation - 110.0).abs() < 1e-9);
        assert!(Strength::START.periods_until(110.0) < 0.0);
    }

    fn any_strength() -> impl Strategy<Value = Strength> {
        let [ratings, deviations, volatilities] = [RATINGS, DEVIATIONS, VOLATILITIES];
        (ratings[0]..=ratings[1], deviations[0]..=deviations[1], volatilities[0]..=volatilities[1])
            .prop_map(|(rating, deviation, volatility)| Strength { rating, deviation, volatility })
    }

    proptest! {
        /// Whatever is played, everything stays within its bounds, winners do not lose by it, and a draw
        /// moves the players towards each other.
        #[test]
        fn games_move_ratings_the_right_way(
            player in any_strength(), opponent in any_strength(), periods in 0.0..1000.0_f64
        ) {
            for score in [0.0, 0.5, 1.0] {
                let after = player.after_games(&[(opponent, score)], periods);
                prop_assert!((RATINGS[0]..=RATINGS[1]).contains(&after.rating));
                prop_assert!((DEVIATIONS[0]..=DEVIATIONS[1]).contains(&after.deviation));
                prop_assert!((VOLATILITIES[0]..=VOLATILITIES[1]).contains(&after.volatility));
                let gain = after.rating - player.rating;
                let due = match score {
                    0.0 => -1.0,
                    0.5 => opponent.rating - player.rating,
                    _ => 1.0,
                };
                prop_assert!(gain * due >= -1e-6, "{gain} for {score}");
            }
        }
    }
}
