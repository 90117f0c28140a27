//! What ends a search: limits, the clock, and stopping it from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What ends a search: the first limit that is reached. Without any it runs until it is stopped or
/// everything is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The time for this move.
    pub time: Option<Duration>,
    /// The player's clock, of which the engine decides how much to use.
    pub clock: Option<Clock>,
    /// The number of nodes; with one thread and a seed this makes the search repeatable.
    pub nodes: Option<u64>,
    /// The depth, in turns.
    pub depth: Option<u32>,
    /// The number of playouts, for the strategies that play them.
    pub playouts: Option<u64>,
}

/// A player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The time that is left.
    pub left: Duration,
    /// The time that every move adds.
    pub increment: Duration,
}

impl Limits {
    /// A time for this move.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }

    /// A number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A depth, in turns.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Whether nothing but a stop ends the search.
    pub fn is_infinite(&self) -> bool {
        *self == Limits::default()
    }

    /// The time that a move may take, if there is a limit of time.
    pub(crate) fn time_budget(&self) -> Option<TimeBudget> {
        // What passes between the end of a search and the moment its answer is read: a tenth of the
        // time within these bounds. A busy machine may not schedule us for some milliseconds.
        const MIN_OVERHEAD: Duration = Duration::from_millis(2);
        const MAX_OVERHEAD: Duration = Duration::from_millis(10);
        // What is kept on a clock for the moments in which a busy machine does not schedule us. With a
        // small increment a long game is played down to it.
        const RESERVE: Duration = Duration::from_millis(60);
        let fixed = self.time.map(|time| {
            let overhead = (time / 10).clamp(MIN_OVERHEAD, MAX_OVERHEAD);
            let hard = time.saturating_sub(overhead).max(time / 4);
            TimeBudget { soft: hard, hard }
        });
        let clocked = self.clock.map(|Clock { left, increment }| {
            let safe = left.saturating_sub(RESERVE).max(left / 8);
            let share = safe / 24 + increment.mul_f64(0.7);
            let hard = (share * 3).min(safe / 3);
            TimeBudget { soft: (share / 2).min(hard), hard }
        });
        match (fixed, clocked) {
            (Some(a), Some(b)) => {
                Some(TimeBudget { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
            }
            (a, b) => a.or(b),
        }
    }
}

/// How much time a move may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// After this no new depth is begun: it would probably not be completed.
    pub(crate) soft: Duration,
    /// After this the search ends.
    pub(crate) hard: Duration,
}

/// A way to stop a search from another thread: clones stop the same one.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A stop that has not been requested yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Stops the search; it answers within milliseconds.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Withdraws the stop, for the next search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether a stop has been requested.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Stops others when it is dropped, also by a panic: nobody waits for those who wait for it.
pub(crate) struct StopOnDrop<'a>(pub(crate) &'a Stop);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Returns the time since some fixed moment. WebAssembly has no clock of its own, so a program that
/// embeds the engine there passes one; see [`Timer::with`].
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

    fn on_clock(left: u64, increment: u64) -> TimeBudget {
        let clock = Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        Limits { clock: Some(clock), ..Limits::default() }.time_budget().unwrap()
    }

    #[test]
    fn a_clock_is_never_used_up() {
        for left in [1, 5, 20, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 100_000] {
                let times = on_clock(left, increment);
                assert!(times.soft <= times.hard);
                assert!(times.hard <= Duration::from_millis(left) / 3, "{left} {increment}");
            }
        }
    }

    #[test]
    fn a_small_increment_does_not_eat_the_reserve() {
        let (increment, lag) = (Duration::from_millis(10), Duration::from_millis(2));
        let mut left = Duration::from_secs(1);
        for _ in 0..500 {
            left -= on_clock(left.as_millis() as u64, 10).hard + lag;
            assert!(left > Duration::from_millis(40), "{left:?}");
            left += increment;
        }
    }

    #[test]
    fn a_time_for_the_move_is_kept() {
        let times = Limits::time(Duration::from_millis(100)).time_budget().unwrap();
        assert_eq!(times.hard, Duration::from_millis(90));
        let long = Limits::time(Duration::from_secs(5)).time_budget().unwrap();
        assert_eq!(long.hard, Duration::from_millis(4_990));
        let short = Limits::time(Duration::from_millis(1)).time_budget().unwrap();
        assert!(short.hard < Duration::from_millis(1));
        assert_eq!(Limits::nodes(5).time_budget(), None);
    }
}
