//! How long a server may take to serve again after a fault.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::talk::Server;
use crate::talk::people::Person;

/// How long the server may take to serve again.
const RECOVERY_TIME: Duration = Duration::from_secs(5);
/// How long it may take until what follows from a game that has ended is there as well; people need not wait
/// for that.
const COUNTING_TIME: Duration = Duration::from_secs(20);
/// How long a round is on a machine that has nothing else to do.
const ROUND: Duration = Duration::from_millis(20);
/// How long to wait between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// When a server must serve again, from the end of a fault on. It is not measured by the clock on the wall, which does
/// not know how busy the machine is, but in rounds of a thread that sleeps and asks the same server for something
/// that needs no database: where the server gets no processor, neither does that.
pub(crate) struct RecoveryDeadline {
    most: u128,
    rounds: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl RecoveryDeadline {
    /// Until the server serves, from now on.
    pub(crate) fn with(server: &Server) -> RecoveryDeadline {
        RecoveryDeadline::new(server, RECOVERY_TIME)
    }

    /// Until a game that has ended is counted, from now on.
    pub(crate) fn with_counting(server: &Server) -> RecoveryDeadline {
        RecoveryDeadline::new(server, COUNTING_TIME)
    }

    fn new(server: &Server, time: Duration) -> RecoveryDeadline {
        let most = time.as_millis() / ROUND.as_millis();
        let (rounds, is_over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (counted, stopped) = (Arc::clone(&rounds), Arc::clone(&is_over));
        let address: SocketAddr = server.address;
        thread::spawn(move || {
            let stranger = Person::stranger(address);
            while !stopped.load(Ordering::Relaxed) {
                thread::sleep(ROUND);
                // It may have been stopped meanwhile.
                let _ = stranger.try_get("/healthz");
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        RecoveryDeadline { most, rounds, is_over }
    }

    /// Waits until an attempt succeeds.
    pub(crate) fn wait_until(&self, what: &str, mut attempt: impl FnMut() -> bool) {
        while !attempt() {
            self.check(what);
            thread::sleep(RETRY_INTERVAL);
        }
    }

    /// That the time is not over yet.
    pub(crate) fn check(&self, what: &str) {
        let rounds = self.rounds.load(Ordering::Relaxed);
        assert!((rounds as u128) < self.most, "after {rounds} rounds not yet: {what}");
    }
}

impl Drop for RecoveryDeadline {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
