//! Vacations: a player's clocks stand still in correspondence games, for a number of days a year.
//!
//! Every day that has begun counts as a whole one, so it does not pay to switch back and forth. Nobody can
//! begin a vacation while they are to move in a game with little time left: it is for people who go away, not
//! for people who are about to lose on time.

use std::time::Duration;

use crate::store::Interval;
use crate::time::millis;

const DAY: i64 = millis(Duration::from_secs(24 * 3600));
const YEAR: i64 = 365 * DAY;

/// How many days of vacation a player has in any 365 days.
pub(crate) const MAX_VACATION_DAYS: i64 = 21;
/// How much time must be left in every game in which the player is to move.
pub(crate) const MIN_TIME_LEFT: i64 = millis(Duration::from_secs(6 * 3600));

/// How far back vacations count.
pub(crate) fn counts_since(now: i64) -> i64 {
    now - YEAR
}

/// How many days a vacation takes, begun ones included.
fn days((began, ends): Interval) -> i64 {
    (ends - began + DAY - 1).div_euclid(DAY)
}

/// How many days are left, after vacations that count.
pub(crate) fn days_left(vacations: &[Interval]) -> i64 {
    (MAX_VACATION_DAYS - vacations.iter().map(|one| days(*one)).sum::<i64>()).max(0)
}

/// The vacation that a player is on, if they are.
pub(crate) fn current(vacations: &[Interval], now: i64) -> Option<Interval> {
    vacations.iter().copied().find(|(began, ends)| *began <= now && now < *ends)
}

/// Whether a vacation from now on would meet another: even one that begins a moment later, by the clock of another
/// node or in a request that was answered first.
pub(crate) fn is_taken(vacations: &[Interval], now: i64) -> bool {
    vacations.iter().any(|(_, ends)| now < *ends)
}

/// A vacation of this many days from now on.
pub(crate) fn from_now(days: i64, now: i64) -> Interval {
    (now, now + days * DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_has_begun_counts() {
        assert_eq!(days((0, 1)), 1);
        assert_eq!(days((0, DAY)), 1);
        assert_eq!(days((0, DAY + 1)), 2);
        assert_eq!(days_left(&[]), MAX_VACATION_DAYS);
        assert_eq!(days_left(&[(0, 1), (5, 5 + 3 * DAY)]), MAX_VACATION_DAYS - 4);
        assert_eq!(days_left(&[(0, 40 * DAY)]), 0);
    }

    #[test]
    fn a_vacation_lasts_until_its_end() {
        let vacation = from_now(2, 10);
        assert_eq!(current(&[vacation], 9), None);
        assert!(is_taken(&[vacation], 9) && !is_taken(&[vacation], 10 + 2 * DAY));
        assert_eq!(current(&[vacation], 10), Some(vacation));
        assert_eq!(current(&[vacation], 10 + 2 * DAY - 1), Some(vacation));
        assert_eq!(current(&[vacation], 10 + 2 * DAY), None);
    }
}
