//! How much time is left. Only the server's clock counts: neither side's computer is asked.

use super::{Control, Seat};

const SECOND: i64 = 1000;
const DAY: i64 = 24 * 3600 * SECOND;

/// How long a first move may take with clocks; after that the game is aborted. The clocks begin to run
/// once both sides have moved, so that nobody loses time before having found the board.
const FIRST_MOVE: i64 = 60 * SECOND;

/// Moves after which a game is properly under way.
pub(super) const UNDER_WAY: usize = 2;

/// The clocks of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    control: Control,
    /// What both sides had when the turn began; with days a move, what each gets for its next move.
    left: [i64; 2],
    turn_began: i64,
}

/// The times at which the service was down, in order. What passed then counts for nobody.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Downtimes(Vec<(i64, i64)>);

impl Downtimes {
    /// Downtimes from their beginnings and ends, sorted by their beginnings.
    pub(crate) fn new(times: Vec<(i64, i64)>) -> Downtimes {
        Downtimes(times)
    }

    /// How much of the time from one moment to another the service was up.
    fn up(&self, from: i64, to: i64) -> i64 {
        let down = |&(began, ended): &(i64, i64)| (ended.min(to) - began.max(from)).max(0);
        (to - from).max(0) - self.0.iter().map(down).sum::<i64>()
    }

    /// The moment at which the service will have been up for so long since `from`.
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
    pub(super) fn new(control: Control, began: i64) -> Clock {
        let each = match control {
            Control::Clock { initial, .. } => i64::from(initial) * SECOND,
            Control::Days { days } => i64::from(days) * DAY,
            Control::Unlimited => 0,
        };
        Clock { control, left: [each; 2], turn_began: began }
    }

    /// Whether time passes for the side to move.
    pub(super) fn is_running(&self, ply: usize) -> bool {
        match self.control {
            Control::Clock { .. } => ply >= UNDER_WAY,
            Control::Days { .. } => true,
            Control::Unlimited => false,
        }
    }

    /// What is left for both sides.
    pub(super) fn left(
        &self,
        running: Option<Seat>,
        now: i64,
        downtimes: &Downtimes,
    ) -> Option<[i64; 2]> {
        if self.control == Control::Unlimited {
            return None;
        }
        let mut left = self.left;
        if let Some(seat) = running {
            let spent = downtimes.up(self.turn_began, now);
            left[seat.index()] = (left[seat.index()] - spent).max(0);
        }
        Some(left)
    }

    /// What is left for both sides after `mover` has moved.
    pub(super) fn after_move(
        &self,
        mover: Seat,
        ply: usize,
        now: i64,
        downtimes: &Downtimes,
    ) -> Option<[i64; 2]> {
        let running = self.is_running(ply).then_some(mover);
        let mut left = self.left(running, now, downtimes)?;
        match self.control {
            Control::Clock { increment, .. } if self.is_running(ply) => {
                left[mover.index()] += i64::from(increment) * SECOND;
            }
            Control::Days { days } => left[mover.index()] = i64::from(days) * DAY,
            _ => {}
        }
        Some(left)
    }

    /// When the side to move runs out of time.
    pub(super) fn deadline(&self, turn: Seat, ply: usize, downtimes: &Downtimes) -> Option<i64> {
        let allowed = match self.control {
            Control::Unlimited => return None,
            Control::Clock { .. } if ply < UNDER_WAY => FIRST_MOVE,
            _ => self.left[turn.index()],
        };
        Some(downtimes.after(self.turn_began, allowed))
    }

    /// A new turn begins.
    pub(super) fn turn(&mut self, at: i64, left: Option<[i64; 2]>) {
        self.turn_began = at;
        if let Some(left) = left {
            self.left = left;
        }
    }

    /// Gives a side more time.
    pub(super) fn add(&mut self, seat: Seat, ms: i64) {
        self.left[seat.index()] += ms;
    }

    /// How much time one gift is, where time is limited at all.
    pub(super) fn gift(&self) -> Option<i64> {
        match self.control {
            Control::Clock { .. } => Some(15 * SECOND),
            Control::Days { .. } => Some(DAY),
            Control::Unlimited => None,
        }
    }

    /// Whether a side has as much time as it may be given.
    pub(super) fn is_full(&self, seat: Seat) -> bool {
        let most = match self.control {
            Control::Clock { .. } => 3 * 3600 * SECOND,
            _ => 30 * DAY,
        };
        self.left[seat.index()] >= most
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
}
