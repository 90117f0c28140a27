//! How many people watch a game, on all nodes together.
//!
//! Each node counts its own and tells the others when the number has changed; what a node has said is
//! forgotten when it has not said so again for a while, because it may be gone.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::hub::Topic;

/// What another node has said is believed for so long.
const BELIEVED: Duration = Duration::from_secs(90);

/// Who watches what.
#[derive(Debug, Default)]
pub(crate) struct Viewers {
    changed: Mutex<HashSet<String>>,
    /// By games.
    elsewhere: Mutex<HashMap<String, Said>>,
}

/// What each node has said, and when.
type Said = HashMap<String, (usize, Instant)>;

impl Viewers {
    /// Somebody has come to listen to a topic, or has left.
    pub(crate) fn changed_in(&self, topic: &Topic) {
        if let Topic::Game(game) = topic {
            self.changed(game);
        }
    }

    /// The viewers of a game are to be counted again.
    pub(crate) fn changed(&self, game: &str) {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).insert(game.to_owned());
    }

    /// The games whose number of viewers may have changed since this was last asked.
    pub(crate) fn take_changed(&self) -> HashSet<String> {
        std::mem::take(&mut *self.changed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Another node has so many viewers of a game.
    pub(crate) fn heard(&self, node: &str, game: &str, viewers: usize) {
        let mut elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = elsewhere.entry(game.to_owned()).or_default();
        if viewers == 0 {
            nodes.remove(node);
        } else {
            nodes.insert(node.to_owned(), (viewers, Instant::now()));
        }
        if nodes.is_empty() {
            elsewhere.remove(game);
        }
    }

    /// How many watch a game on other nodes.
    pub(crate) fn elsewhere(&self, game: &str) -> usize {
        let elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = elsewhere.get(game).into_iter().flat_map(HashMap::values);
        nodes.filter(|(_, at)| at.elapsed() < BELIEVED).map(|(viewers, _)| viewers).sum()
    }

    /// Forgets what is no longer believed.
    pub(crate) fn sweep(&self) {
        let mut elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        elsewhere.retain(|_, nodes| {
            nodes.retain(|_, (_, at)| at.elapsed() < BELIEVED);
            !nodes.is_empty()
        });
    }
}
