//! Who is at a game, on all nodes together: which of its players, and how many others.
//!
//! Each node counts its own and tells the others when something has changed; what a node has said is
//! forgotten when it has not said so again for a while, because it may be gone.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::hub::Topic;

/// What another node has said is believed for so long.
const BELIEVED: Duration = Duration::from_secs(90);

/// Who is at a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Audience {
    /// How many watch who do not play.
    pub(crate) viewers: usize,
    /// Whether each of the players is there.
    pub(crate) present: [bool; 2],
}

impl Audience {
    /// Those here and those there.
    pub(crate) fn and(self, other: Audience) -> Audience {
        let present = [0, 1].map(|seat| self.present[seat] || other.present[seat]);
        Audience { viewers: self.viewers + other.viewers, present }
    }
}

/// What is known about all games.
#[derive(Debug, Default)]
pub(crate) struct Audiences {
    changed: Mutex<HashSet<String>>,
    /// By games.
    elsewhere: Mutex<HashMap<String, Said>>,
}

/// What each node has said, and when.
type Said = HashMap<String, (Audience, Instant)>;

impl Audiences {
    /// Somebody has come to listen to a topic, or has left.
    pub(crate) fn changed_in(&self, topic: &Topic) {
        if let Topic::Game(game) = topic {
            self.changed(game);
        }
    }

    /// The audience of a game is to be counted again.
    pub(crate) fn changed(&self, game: &str) {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).insert(game.to_owned());
    }

    /// The games whose audience may have changed since this was last asked.
    pub(crate) fn take_changed(&self) -> HashSet<String> {
        std::mem::take(&mut *self.changed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Another node has this audience of a game.
    pub(crate) fn heard(&self, node: &str, game: &str, audience: Audience) {
        let mut elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = elsewhere.entry(game.to_owned()).or_default();
        if audience == Audience::default() {
            nodes.remove(node);
        } else {
            nodes.insert(node.to_owned(), (audience, Instant::now()));
        }
        if nodes.is_empty() {
            elsewhere.remove(game);
        }
    }

    /// Who is at a game on other nodes.
    pub(crate) fn elsewhere(&self, game: &str) -> Audience {
        let elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = elsewhere.get(game).into_iter().flat_map(HashMap::values);
        let believed = nodes.filter(|(_, at)| at.elapsed() < BELIEVED);
        believed.fold(Audience::default(), |all, (audience, _)| all.and(*audience))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_added_up_and_the_empty_forgotten() {
        let audiences = Audiences::default();
        let at = |viewers, present| Audience { viewers, present };
        audiences.heard("a", "game", at(2, [true, false]));
        audiences.heard("b", "game", at(1, [false, false]));
        audiences.heard("b", "other", at(0, [false, true]));
        assert_eq!(audiences.elsewhere("game"), at(3, [true, false]));
        assert_eq!(audiences.elsewhere("other"), at(0, [false, true]));
        audiences.heard("a", "game", at(0, [false, false]));
        assert_eq!(audiences.elsewhere("game"), at(1, [false, false]));
        assert_eq!(audiences.elsewhere("nowhere"), Audience::default());
    }
}
