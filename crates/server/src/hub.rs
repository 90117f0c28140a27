//! Publish and subscribe on this node: connections by the topics they are subscribed to.
//!
//! A message is serialized once and shared by all subscribers. Publishing never waits: a subscriber that
//! does not read is disconnected when its small queue is full, and reads the whole state again when it
//! reconnects.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use stoa_wire::Audience;
use tokio::sync::{Notify, mpsc};

/// How many messages may be queued for one connection.
const MAX_QUEUED: usize = 64;
/// The number of locks that the topics are spread over.
const SHARDS: usize = 32;

/// Something that connections can subscribe to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// A game.
    Game(String),
    /// The challenges and games of a player.
    Player(String),
    /// The open challenges.
    Lobby,
}

/// The subscriptions of this node.
#[derive(Debug)]
pub(crate) struct Hub {
    shards: [Mutex<HashMap<Topic, Vec<Arc<Subscriber>>>>; SHARDS],
    next: AtomicU64,
}

/// A connection that can subscribe to topics.
#[derive(Debug)]
pub(crate) struct Subscriber {
    number: u64,
    /// The player, if there is one: players are not counted among the viewers of their own games.
    pub(crate) player: Option<String>,
    queue: mpsc::Sender<Utf8Bytes>,
    /// Notified when the connection was too slow and has been unsubscribed.
    pub(crate) overflowed: Notify,
}

impl Hub {
    pub(crate) fn new() -> Hub {
        Hub { shards: std::array::from_fn(|_| Mutex::default()), next: AtomicU64::new(0) }
    }

    /// A new connection, and the queue of its messages.
    pub(crate) fn subscriber(
        &self,
        player: Option<String>,
    ) -> (Arc<Subscriber>, mpsc::Receiver<Utf8Bytes>) {
        let (queue, messages) = mpsc::channel(MAX_QUEUED);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (Arc::new(Subscriber { number, player, queue, overflowed: Notify::new() }), messages)
    }

    fn shard(&self, topic: &Topic) -> MutexGuard<'_, HashMap<Topic, Vec<Arc<Subscriber>>>> {
        let mut hasher = DefaultHasher::new();
        topic.hash(&mut hasher);
        let index = usize::try_from(hasher.finish() % SHARDS as u64).unwrap_or(0);
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn subscribe(&self, topic: Topic, subscriber: &Arc<Subscriber>) {
        let mut shard = self.shard(&topic);
        let subscribers = shard.entry(topic).or_default();
        if subscribers.iter().all(|known| known.number != subscriber.number) {
            subscribers.push(Arc::clone(subscriber));
        }
    }

    pub(crate) fn unsubscribe(&self, topic: &Topic, subscriber: &Subscriber) {
        let mut shard = self.shard(topic);
        if let Entry::Occupied(mut entry) = shard.entry(topic.clone()) {
            entry.get_mut().retain(|known| known.number != subscriber.number);
            if entry.get().is_empty() {
                entry.remove();
            }
        }
    }

    /// Sends a message to all subscribers of a topic on this node.
    pub(crate) fn send(&self, topic: &Topic, message: &Utf8Bytes) {
        let mut shard = self.shard(topic);
        if let Some(subscribers) = shard.get_mut(topic) {
            subscribers.retain(|subscriber| subscriber.send(message.clone()));
        }
    }

    /// The number of subscribers.
    pub(crate) fn count(&self, topic: &Topic) -> usize {
        self.shard(topic).get(topic).map_or(0, Vec::len)
    }

    /// Which of these players are subscribed, and how many others.
    pub(crate) fn audience(&self, topic: &Topic, players: [&str; 2]) -> Audience {
        let mut audience = Audience::default();
        for subscriber in self.shard(topic).get(topic).into_iter().flatten() {
            let is = |player: &&str| subscriber.player.as_deref() == Some(*player);
            match players.iter().position(is) {
                Some(side) => audience.present[side] = true,
                None => audience.viewers += 1,
            }
        }
        audience
    }

    /// The games that have subscribers on this node.
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

impl Subscriber {
    /// Queues a message. False if the queue is full: then this connection must be closed.
    pub(crate) fn send(&self, message: Utf8Bytes) -> bool {
        match self.queue.try_send(message) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(_)) => {
                metrics::counter!("stoa_slow_subscribers_total").increment(1);
                self.overflowed.notify_one();
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_subscriber_that_does_not_read_is_disconnected_and_nobody_waits() {
        let hub = Hub::new();
        let topic = Topic::Game("g".to_owned());
        let (slow, _unread) = hub.subscriber(None);
        let (quick, mut read) = hub.subscriber(Some("me".to_owned()));
        hub.subscribe(topic.clone(), &slow);
        hub.subscribe(topic.clone(), &quick);
        hub.subscribe(topic.clone(), &quick);
        assert_eq!(hub.count(&topic), 2, "subscribing twice is subscribing once");
        let audience = hub.audience(&topic, ["she", "me"]);
        assert_eq!(audience, Audience { viewers: 1, present: [false, true] });
        for n in 0..MAX_QUEUED + 1 {
            hub.send(&topic, &Utf8Bytes::from(n.to_string()));
            assert_eq!(read.recv().await.unwrap().as_str(), n.to_string());
        }
        slow.overflowed.notified().await;
        assert_eq!(hub.count(&topic), 1);
        hub.unsubscribe(&topic, &quick);
        assert_eq!(hub.count(&topic), 0);
        assert!(hub.games().is_empty());
    }
}
