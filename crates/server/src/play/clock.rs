//! Players' clocks. Only the server's time counts.

use stoa_rules::Side;
use stoa_wire::TimeControl;

// In milliseconds, as all times here.
const SECOND: i64 = 1000;
const DAY: i64 = 24 * 3600 * SECOND;
/// The time that a side can give the other at once, on a clock.
const EXTRA_TIME: i64 = 15 * SECOND;
/// The time beyond which a side cannot be given more, on a clock and with days per move.
const MAX_CLOCK: i64 = 3 * 3600 * SECOND;
const MAX_DAYS: i64 = 30 * DAY;

/// How long the first move of a side may take with clocks, in milliseconds; after that the game is aborted.
/// The clocks start once both sides have moved, so that nobody loses time before having found the board.
const FIRST_MOVE_TIMEOUT: i64 = 60 * SECOND;

/// The number of moves after which both sides have moved: clocks run, and the game cannot be aborted.
pub(super) const OPENING_MOVES: usize = 2;

/// The clocks of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    control: TimeControl,
    /// The time left for both sides when the turn began; with days per move, the time for the next move.
    left: [i64; 2],
    turn_began: i64,
}

/// The downtimes of the service, in order. Clocks stand still meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Downtimes(Vec<(i64, i64)>);

impl Downtimes {
    /// Downtimes from their beginnings and ends, sorted.
    pub(crate) fn new(times: Vec<(i64, i64)>) -> Downtimes {
        Downtimes(times)
    }

    /// These and further times in which clocks stand still, both sorted.
    pub(super) fn and(&self, others: &[(i64, i64)]) -> Downtimes {
        let mut times: Vec<(i64, i64)> = self.0.iter().chain(others).copied().collect();
        times.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::with_capacity(times.len());
        for (began, ended) in times {
            match merged.last_mut() {
                Some(last) if began <= last.1 => last.1 = last.1.max(ended),
                _ => merged.push((began, ended)),
            }
        }
        Downtimes(merged)
    }

    /// How much of the time from one moment to another the service was up.
    fn up(&self, from: i64, to: i64) -> i64 {
        let down = |&(began, ended): &(i64, i64)| (ended.min(to) - began.max(from)).max(0);
        (to - from).max(0) - self.0.iter().map(down).sum::<i64>()
    }

    /// The moment at which the service will have been up for a time since `from`.
    fn after(&self, from: i64, up: i64) -> i64 {
        let mut end = from + up;
        for &(began, ended) in &self.0 {
            if ended > from && began < end {
                end += ended - began.max(from);
            }
        }
        end
    }
}

impl Clock {
    pub(super) fn new(control: TimeControl, began: i64) -> Clock {
        let each = match control {
            TimeControl::Clock { initial, .. } => i64::from(initial) * SECOND,
            TimeControl::Days { days } => i64::from(days) * DAY,
            TimeControl::Unlimited => 0,
        };
        Clock { control, left: [each; 2], turn_began: began }
    }

    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    /// Whether the clock of the side to move runs.
    pub(super) fn is_running(&self, ply: usize) -> bool {
        match self.control {
            TimeControl::Clock { .. } => ply >= OPENING_MOVES,
            TimeControl::Days { .. } => true,
            TimeControl::Unlimited => false,
        }
    }

    /// The time left for both sides.
    pub(super) fn left(
        &self,
        running: Option<Side>,
        now: i64,
        downtimes: &Downtimes,
    ) -> Option<[i64; 2]> {
        if self.control == TimeControl::Unlimited {
            return None;
        }
        let mut left = self.left;
        if let Some(side) = running {
            let spent = downtimes.up(self.turn_began, now);
            left[side.index()] = (left[side.index()] - spent).max(0);
        }
        Some(left)
    }

    /// The time left for both sides after `mover` has moved.
    pub(super) fn after_move(
        &self,
        mover: Side,
        ply: usize,
        now: i64,
        downtimes: &Downtimes,
    ) -> Option<[i64; 2]> {
        let running = self.is_running(ply).then_some(mover);
        let mut left = self.left(running, now, downtimes)?;
        match self.control {
            TimeControl::Clock { increment, .. } if self.is_running(ply) => {
                left[mover.index()] += i64::from(increment) * SECOND;
            }
            TimeControl::Days { days } => left[mover.index()] = i64::from(days) * DAY,
            _ => {}
        }
        Some(left)
    }

    /// When the side to move runs out of time.
    pub(super) fn deadline(&self, turn: Side, ply: usize, downtimes: &Downtimes) -> Option<i64> {
        let allowed = match self.control {
            TimeControl::Unlimited => return None,
            TimeControl::Clock { .. } if ply < OPENING_MOVES => FIRST_MOVE_TIMEOUT,
            _ => self.left[turn.index()],
        };
        Some(downtimes.after(self.turn_began, allowed))
    }

    /// Starts a new turn.
    pub(super) fn turn(&mut self, at: i64, left: Option<[i64; 2]>) {
        self.turn_began = at;
        if let Some(left) = left {
            self.left = left;
        }
    }

    /// Gives a side more time.
    pub(super) fn add(&mut self, side: Side, ms: i64) {
        self.left[side.index()] += ms;
    }

    /// How much time a side can give the other at once; nothing without a time limit.
    pub(super) fn gift(&self) -> Option<i64> {
        match self.control {
            TimeControl::Clock { .. } => Some(EXTRA_TIME),
            TimeControl::Days { .. } => Some(DAY),
            TimeControl::Unlimited => None,
        }
    }

    /// Whether a side has the maximum time that it may be given.
    pub(super) fn is_full(&self, side: Side) -> bool {
        let max = match self.control {
            TimeControl::Clock { .. } => MAX_CLOCK,
            _ => MAX_DAYS,
        };
        self.left[side.index()] >= max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_only_while_the_service_is_up() {
        let downtimes = Downtimes::new(vec![(100, 200), (300, 350)]);
        assert_eq!(downtimes.up(0, 100), 100);
        assert_eq!(downtimes.up(0, 150), 100);
        assert_eq!(downtimes.up(150, 320), 100);
        assert_eq!(downtimes.up(0, 400), 250);
        assert_eq!(downtimes.up(200, 300), 100);
        assert_eq!(downtimes.up(400, 300), 0);
        for (from, up) in [(0, 50), (0, 100), (0, 101), (0, 220), (120, 10), (310, 5), (500, 7)] {
            let end = downtimes.after(from, up);
            assert_eq!(downtimes.up(from, end), up, "from {from}");
        }
        assert_eq!(Downtimes::default().after(7, 10), 17);
    }

    #[test]
    fn times_that_overlap_count_once() {
        let downtimes = Downtimes::new(vec![(100, 200), (300, 350)]);
        let both = downtimes.and(&[(50, 120), (340, 500), (600, 700)]);
        assert_eq!(both, Downtimes::new(vec![(50, 200), (300, 500), (600, 700)]));
        assert_eq!(downtimes.and(&[]), downtimes);
        assert_eq!(both.up(0, 1000), 1000 - 150 - 200 - 100);
    }
}
