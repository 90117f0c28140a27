//! Somebody who watches a game at one node, while the network between the nodes fails.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::deadline::RecoveryDeadline;
use crate::talk::people::Socket;

/// How long to wait before a socket that was closed is opened again.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// What somebody has seen of a game, who is sent the whole game first and then each event once.
pub(crate) struct Watcher {
    seen: Arc<Mutex<Seen>>,
    is_over: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct Seen {
    /// The version of the last message on this socket.
    version: Option<i64>,
    ply: i64,
    /// What came that must not come.
    flaws: Vec<String>,
}

impl Watcher {
    /// Watches until this is dropped.
    pub(crate) fn new(address: SocketAddr, game: &str) -> Watcher {
        let watcher = Watcher { seen: Arc::default(), is_over: Arc::default() };
        let (seen, is_over) = (Arc::clone(&watcher.seen), Arc::clone(&watcher.is_over));
        let game = game.to_owned();
        thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                lock(&seen).version = None;
                if let Ok(mut socket) = Socket::open(address, "", None) {
                    socket.send(json!({ "t": "watch", "game": game }));
                    while let Some(message) = socket.receive() {
                        lock(&seen).take(&message);
                    }
                }
                thread::sleep(RETRY_INTERVAL);
            }
        });
        watcher
    }

    /// Waits until the game has had this many moves, and checks what came until then.
    pub(crate) fn check(&self, ply: usize, deadline: &RecoveryDeadline) {
        let ply = i64::try_from(ply).expect("a number of moves");
        deadline.wait_until("whoever watches has seen every move", || lock(&self.seen).ply >= ply);
        let seen = lock(&self.seen);
        assert_eq!((seen.ply, seen.flaws.as_slice()), (ply, [].as_slice()));
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl Seen {
    fn take(&mut self, message: &Value) {
        let (state, is_whole) = match message["t"].as_str() {
            Some("game") => (&message["game"], true),
            Some("update") => (&message["situation"], false),
            _ => return,
        };
        let [version, ply] =
            ["version", "ply"].map(|key| state[key].as_i64().expect("a number of the game"));
        let follows = match is_whole {
            true => self.version.is_none_or(|last| version > last),
            false => self.version == Some(version - 1),
        };
        if !follows {
            self.flaws.push(format!("after version {:?}: {message}", self.version));
        }
        (self.version, self.ply) = (Some(version), ply);
    }
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}
