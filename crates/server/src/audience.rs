//! The audience of a game on all nodes: which of its players are connected to it, and how many others.
//!
//! Each node counts its own subscribers and publishes the count when it has changed. What a node has published
//! expires if it is not repeated, because the node may be gone.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use stoa_wire::Audience;

use crate::hub::Topic;

/// How long the count of another node is valid.
const COUNT_TTL: Duration = Duration::from_secs(90);

/// The audiences of two nodes together.
fn sum(one: Audience, other: Audience) -> Audience {
    let present = [0, 1].map(|side| one.present[side] || other.present[side]);
    Audience { viewers: one.viewers + other.viewers, present }
}

/// The audiences of all games.
#[derive(Debug, Default)]
pub(crate) struct Audiences {
    changed: Mutex<HashSet<String>>,
    /// The audiences on other nodes, by game.
    elsewhere: Mutex<HashMap<String, ByNode>>,
}

/// The last published audience of each node, and when it arrived.
type ByNode = HashMap<String, (Audience, Instant)>;

impl Audiences {
    /// The subscribers of a topic have changed.
    pub(crate) fn mark_topic_changed(&self, topic: &Topic) {
        if let Topic::Game(game) = topic {
            self.mark_changed(game);
        }
    }

    /// The audience of a game must be counted again.
    pub(crate) fn mark_changed(&self, game: &str) {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).insert(game.to_owned());
    }

    /// The games whose audience may have changed since this was last called.
    pub(crate) fn take_changed(&self) -> HashSet<String> {
        std::mem::take(&mut *self.changed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Stores the audience of a game on another node.
    pub(crate) fn set(&self, node: &str, game: &str, audience: Audience) {
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

    /// The audience of a game on all nodes, given the one on this node.
    pub(crate) fn everywhere(&self, game: &str, here: Audience) -> Audience {
        let elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = elsewhere.get(game).into_iter().flat_map(HashMap::values);
        let valid = nodes.filter(|(_, at)| at.elapsed() < COUNT_TTL);
        valid.fold(here, |all, (audience, _)| sum(all, *audience))
    }

    /// Drops what has expired.
    pub(crate) fn sweep(&self) {
        let mut elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        elsewhere.retain(|_, nodes| {
            nodes.retain(|_, (_, at)| at.elapsed() < COUNT_TTL);
            !nodes.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_added_up_and_empty_ones_dropped() {
        let audiences = Audiences::default();
        let at = |viewers, present| Audience { viewers, present };
        let here = at(1, [false, false]);
        audiences.set("a", "game", at(2, [true, false]));
        audiences.set("b", "game", at(1, [false, false]));
        audiences.set("b", "other", at(0, [false, true]));
        assert_eq!(audiences.everywhere("game", here), at(4, [true, false]));
        assert_eq!(audiences.everywhere("other", here), at(1, [false, true]));
        audiences.set("a", "game", at(0, [false, false]));
        assert_eq!(audiences.everywhere("game", here), at(2, [false, false]));
        assert_eq!(audiences.everywhere("nowhere", here), here);
    }
}
