//! Ctrl-C: what was done so far is not lost.

use std::sync::{Arc, Mutex, PoisonError};

use stoa_engine::Stop;

/// Whether somebody has pressed Ctrl-C.
#[derive(Clone, Default)]
pub(super) struct Interrupt(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    raised: bool,
    stops: Vec<Stop>,
}

impl Interrupt {
    /// Watches for Ctrl-C; the second one ends the program. Where signals cannot be watched, the
    /// first does, as usual.
    #[cfg(unix)]
    pub(super) fn watch() -> Interrupt {
        use signal_hook::consts::{SIGINT, SIGTERM};
        let interrupt = Interrupt::default();
        if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) {
            let raised = interrupt.clone();
            std::thread::spawn(move || {
                let mut signals = signals.forever();
                signals.next();
                raised.raise();
                if let Some(signal) = signals.next() {
                    std::process::exit(128 + signal);
                }
            });
        }
        interrupt
    }

    /// Ctrl-C ends the program as usual.
    #[cfg(not(unix))]
    pub(super) fn watch() -> Interrupt {
        Interrupt::default()
    }

    /// A stop that Ctrl-C raises.
    pub(super) fn stop(&self) -> Stop {
        let stop = Stop::new();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.raised {
            stop.stop();
        }
        state.stops.push(stop.clone());
        stop
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn is_raised(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).raised
    }

    fn raise(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.raised = true;
        state.stops.iter().for_each(Stop::stop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_stops_what_runs_and_what_comes() {
        let interrupt = Interrupt::default();
        let before = interrupt.stop();
        assert!(!before.is_stopped() && !interrupt.is_raised());
        interrupt.raise();
        assert!(before.is_stopped() && interrupt.is_raised());
        assert!(interrupt.stop().is_stopped());
    }
}
