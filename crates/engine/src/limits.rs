//! How long to think, and being told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What ends a search. The first limit that is reached counts; without any it goes on until it is
/// stopped or everything is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Exactly so much time for this move.
    pub time: Option<Duration>,
    /// The player's clock, from which the engine takes what it thinks right.
    pub clock: Option<Clock>,
    /// So many positions; with one thread and a seed this makes the search repeatable.
    pub nodes: Option<u64>,
    /// So many turns ahead.
    pub depth: Option<u32>,
    /// So many playouts, for the strategies that play them.
    pub playouts: Option<u64>,
}

/// A player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// What is left of it.
    pub left: Duration,
    /// What every move adds to it.
    pub increment: Duration,
}

impl Limits {
    /// So much time for this move.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// So many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So many turns ahead.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether nothing but a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == Limits::default()
    }

    /// The times this leaves for a move, if any limit is one of time.
    pub(crate) fn times(&self) -> Option<Times> {
        // What passes between the last look at the clock and the answer.
        const MARGIN: Duration = Duration::from_millis(2);
        // What is kept on a clock for the moments in which a busy machine has no time for us. With a
        // small increment a long game is played down to it.
        const RESERVE: Duration = Duration::from_millis(60);
        let fixed = self.time.map(|time| {
            let most = time.saturating_sub(MARGIN).max(time / 4);
            Times { enough: most, most }
        });
        let clocked = self.clock.map(|Clock { left, increment }| {
            let safe = left.saturating_sub(RESERVE).max(left / 8);
            let share = safe / 24 + increment.mul_f64(0.7);
            let most = (share * 3).min(safe / 3);
            Times { enough: (share / 2).min(most), most }
        });
        match (fixed, clocked) {
            (Some(a), Some(b)) => {
                Some(Times { enough: a.enough.min(b.enough), most: a.most.min(b.most) })
            }
            (a, b) => a.or(b),
        }
    }
}

/// How much time a move may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    /// After this much nothing new is begun that is not likely to be finished.
    pub(crate) enough: Duration,
    /// After this much the search ends.
    pub(crate) most: Duration,
}

/// A way to stop a search from another thread: clones stop the same one.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Nothing is stopped yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Stops the search; it answers within milliseconds.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes the stop back, for the next search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it has been stopped.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tells how much time has passed since some moment in the past. WebAssembly has no clock of its
/// own, so whoever embeds the engine there brings one; see [`Timer::with`].
pub type Now = fn() -> Duration;

/// Measures the time that a search takes.
#[derive(Debug, Clone, Copy)]
pub struct Timer {
    now: Now,
    begun: Duration,
}

impl Timer {
    /// Starts to measure with the system's clock. In WebAssembly there is none, and no time passes.
    pub fn start() -> Timer {
        Timer::with(system_now)
    }

    /// Starts to measure with another clock.
    pub fn with(now: Now) -> Timer {
        Timer { now, begun: now() }
    }

    /// The time that has passed.
    pub fn elapsed(&self) -> Duration {
        (self.now)().saturating_sub(self.begun)
    }
}

/// The system's clock.
pub fn system_now() -> Duration {
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static FIRST: OnceLock<Instant> = OnceLock::new();
        FIRST.get_or_init(Instant::now).elapsed()
    }
    #[cfg(target_arch = "wasm32")]
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_clock(left: u64, increment: u64) -> Times {
        let clock = Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        Limits { clock: Some(clock), ..Limits::default() }.times().unwrap()
    }

    #[test]
    fn a_clock_is_never_used_up() {
        for left in [1, 5, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 100_000] {
                let times = on_clock(left, increment);
                assert!(times.enough <= times.most);
                assert!(times.most <= Duration::from_millis(left) / 3, "{left} {increment}");
            }
        }
    }

    #[test]
    fn a_small_increment_does_not_eat_the_reserve() {
        let (increment, lag) = (Duration::from_millis(10), Duration::from_millis(2));
        let mut left = Duration::from_secs(1);
        for _ in 0..500 {
            left -= on_clock(left.as_millis() as u64, 10).most + lag;
            assert!(left > Duration::from_millis(40), "{left:?}");
            left += increment;
        }
    }

    #[test]
    fn a_time_for_the_move_is_kept() {
        let times = Limits::time(Duration::from_millis(100)).times().unwrap();
        assert_eq!(times.most, Duration::from_millis(98));
        let short = Limits::time(Duration::from_millis(1)).times().unwrap();
        assert!(short.most < Duration::from_millis(1));
        assert_eq!(Limits::nodes(5).times(), None);
    }
}
