//! What is fair: how much longer moves may take beside a greedy address.
//!
//! The promise is that their p99 stays within twice of what it is without. What it is without is not one number, because
//! other programs use the machine and its disk, too. So it is measured for as long before each habit and after it: what
//! is more than twice the higher of the two is unfair, what is at most twice the lower one is fair, and in between
//! nothing can be told. [`ALLOWANCE`] comes on top.

use std::fmt;
use std::time::Duration;

/// How many times as long moves may take beside a greedy address.
const MAX_FACTOR: u32 = 2;
/// What the p99 of a thousand moves is above twice what it was before although nobody is greedy, at most. Of 46 parts of
/// runs in which people were alone, each compared with those before and after it, on two cores that compilers used as
/// well, one was 1.3 ms above and all others below.
const ALLOWANCE: Duration = Duration::from_millis(2);

/// The p99 of moves beside a habit, and without it before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waits {
    pub(super) before: Duration,
    pub(super) beside: Duration,
    pub(super) after: Duration,
}

/// What the figures say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Ordinary people wait at most twice as long.
    Fair,
    /// The machine was too busy to tell, or the time too short.
    Unclear,
    /// They wait longer.
    Unfair,
}

impl Waits {
    pub(super) fn verdict(self) -> Verdict {
        // Without a move in each part there is nothing to compare.
        if [self.before, self.beside, self.after].contains(&Duration::ZERO) {
            return Verdict::Unclear;
        }
        let is_allowed = |without| self.beside <= MAX_FACTOR * without + ALLOWANCE;
        match [self.before.min(self.after), self.before.max(self.after)].map(is_allowed) {
            [true, _] => Verdict::Fair,
            [false, true] => Verdict::Unclear,
            [false, false] => Verdict::Unfair,
        }
    }
}

/// The verdict on a run: it is fair if nothing in it is not.
pub(super) fn verdict(waits: impl IntoIterator<Item = Waits>) -> Verdict {
    waits.into_iter().map(Waits::verdict).max().unwrap_or(Verdict::Unclear)
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Fair => "fair",
            Verdict::Unclear => "UNCLEAR",
            Verdict::Unfair => "UNFAIR",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits([before, beside, after]: [f64; 3]) -> Waits {
        let [before, beside, after] =
            [before, beside, after].map(|ms| Duration::from_secs_f64(ms / 1000.0));
        Waits { before, beside, after }
    }

    #[test]
    fn twice_as_long_is_fair_and_anything_longer_is_not() {
        assert_eq!(waits([20.0, 42.0, 20.0]).verdict(), Verdict::Fair);
        assert_eq!(waits([20.0, 42.1, 20.0]).verdict(), Verdict::Unfair);
        assert_eq!(waits([0.2, 2.4, 0.2]).verdict(), Verdict::Fair);
        assert_eq!(waits([0.2, 2.5, 0.2]).verdict(), Verdict::Unfair);
    }

    #[test]
    fn a_busy_machine_proves_nothing() {
        assert_eq!(waits([2.0, 30.0, 20.0]).verdict(), Verdict::Unclear);
        assert_eq!(waits([20.0, 30.0, 2.0]).verdict(), Verdict::Unclear);
        assert_eq!(waits([20.0, 60.0, 2.0]).verdict(), Verdict::Unfair, "whatever it does");
        assert_eq!(waits([20.0, 0.0, 20.0]).verdict(), Verdict::Unclear, "nobody moved");
        assert_eq!(verdict([]), Verdict::Unclear);
    }

    /// Parts of runs of `cargo xtask load fairness`, p99 in milliseconds, in the order of [`Habit::ALL`].
    ///
    /// [`Habit::ALL`]: super::super::Habit::ALL
    #[test]
    fn recorded_runs_are_judged() {
        // When each rename had a place of its own before the moves that came later.
        let unfair = [
            [5.2, 5.6, 1.9],
            [1.9, 5.3, 6.4],
            [6.4, 71.7, 9.8],
            [9.8, 12.0, 2.8],
            [2.8, 14.3, 2.0],
            [2.0, 2.2, 1.9],
        ];
        let verdicts = unfair.map(|run| waits(run).verdict());
        use Verdict::{Fair, Unclear, Unfair};
        assert_eq!(verdicts, [Fair, Fair, Unfair, Unclear, Unfair, Fair]);
        assert_eq!(verdict(unfair.map(waits)), Unfair);
    }
}
