//! Who is told what: connections of this node by what they want to hear about.
//!
//! A message is written once and shared by all who get it. Nobody is waited for: who does not read is
//! cut off when the own small queue is full, and will come back for the whole truth.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{Notify, mpsc};

use crate::audience::Audience;

/// Messages that may wait for one connection.
const QUEUE: usize = 64;
/// The topics are spread over so many locks.
const SHARDS: usize = 32;

/// Something one can be told about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// What happens in a game.
    Game(String),
    /// What concerns a player.
    Player(String),
    /// Which challenges are open.
    Lobby,
}

/// The connections of this node.
#[derive(Debug)]
pub(crate) struct Hub {
    shards: [Mutex<HashMap<Topic, Vec<Arc<Listener>>>>; SHARDS],
    next: AtomicU64,
}

/// One connection's end of the hub.
#[derive(Debug)]
pub(crate) struct Listener {
    number: u64,
    /// Who it is: players are not counted among the viewers of their own games.
    pub(crate) player: Option<String>,
    queue: mpsc::Sender<Utf8Bytes>,
    /// Woken when the connection was too slow and is no longer told anything.
    pub(crate) cut_off: Notify,
}

impl Hub {
    pub(crate) fn new() -> Hub {
        Hub { shards: std::array::from_fn(|_| Mutex::default()), next: AtomicU64::new(0) }
    }

    /// A new connection, and where its messages arrive.
    pub(crate) fn listener(
        &self,
        player: Option<String>,
    ) -> (Arc<Listener>, mpsc::Receiver<Utf8Bytes>) {
        let (queue, messages) = mpsc::channel(QUEUE);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (Arc::new(Listener { number, player, queue, cut_off: Notify::new() }), messages)
    }

    fn shard(&self, topic: &Topic) -> MutexGuard<'_, HashMap<Topic, Vec<Arc<Listener>>>> {
        let mut hasher = DefaultHasher::new();
        topic.hash(&mut hasher);
        let index = usize::try_from(hasher.finish() % SHARDS as u64).unwrap_or(0);
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn join(&self, topic: Topic, listener: &Arc<Listener>) {
        let mut shard = self.shard(&topic);
        let listeners = shard.entry(topic).or_default();
        if listeners.iter().all(|known| known.number != listener.number) {
            listeners.push(Arc::clone(listener));
        }
    }

    pub(crate) fn leave(&self, topic: &Topic, listener: &Listener) {
        let mut shard = self.shard(topic);
        if let Entry::Occupied(mut entry) = shard.entry(topic.clone()) {
            entry.get_mut().retain(|known| known.number != listener.number);
            if entry.get().is_empty() {
                entry.remove();
            }
        }
    }

    /// Tells everyone who listens on this node.
    pub(crate) fn send(&self, topic: &Topic, message: &Utf8Bytes) {
        let mut shard = self.shard(topic);
        if let Some(listeners) = shard.get_mut(topic) {
            listeners.retain(|listener| listener.tell(message.clone()));
        }
    }

    /// How many listen.
    pub(crate) fn count(&self, topic: &Topic) -> usize {
        self.shard(topic).get(topic).map_or(0, Vec::len)
    }

    /// Which of these players listen, and how many others.
    pub(crate) fn audience(&self, topic: &Topic, players: [&str; 2]) -> Audience {
        let mut audience = Audience::default();
        for listener in self.shard(topic).get(topic).into_iter().flatten() {
            let is = |player: &&str| listener.player.as_deref() == Some(*player);
            match players.iter().position(is) {
                Some(seat) => audience.present[seat] = true,
                None => audience.viewers += 1,
            }
        }
        audience
    }

    /// The games that somebody on this node watches.
    pub(crate) fn games(&self) -> Vec<String> {
        let mut games = Vec::new();
        for shard in &self.shards {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            games.extend(shard.keys().filter_map(|topic| match topic {
                Topic::Game(id) => Some(id.clone()),
                _ => None,
            }));
        }
        games
    }
}

impl Listener {
    /// Puts a message into the queue. False if there was no room: then this connection is cut off.
    pub(crate) fn tell(&self, message: Utf8Bytes) -> bool {
        match self.queue.try_send(message) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(_)) => {
                metrics::counter!("stoa_listeners_cut_off_total").increment(1);
                self.cut_off.notify_one();
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_does_not_read_is_cut_off_and_nobody_waits() {
        let hub = Hub::new();
        let topic = Topic::Game("g".to_owned());
        let (slow, _unread) = hub.listener(None);
        let (quick, mut read) = hub.listener(Some("me".to_owned()));
        hub.join(topic.clone(), &slow);
        hub.join(topic.clone(), &quick);
        hub.join(topic.clone(), &quick);
        assert_eq!(hub.count(&topic), 2, "joining twice is joining once");
        let audience = hub.audience(&topic, ["she", "me"]);
        assert_eq!(audience, Audience { viewers: 1, present: [false, true] });
        for n in 0..QUEUE + 1 {
            hub.send(&topic, &Utf8Bytes::from(n.to_string()));
            assert_eq!(read.recv().await.unwrap().as_str(), n.to_string());
        }
        slow.cut_off.notified().await;
        assert_eq!(hub.count(&topic), 1);
        hub.leave(&topic, &quick);
        assert_eq!(hub.count(&topic), 0);
        assert!(hub.games().is_empty());
    }
}
