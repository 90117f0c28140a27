//! Publish and subscribe on this node: connections by the topics they are subscribed to.
//!
//! A message is serialized once and shared by all subscribers. Publishing never waits: a subscriber that
//! does not read is disconnected when its small queue is full, and reads the whole state again when it
//! reconnects.
//!
//! Messages about a game carry its version, and a subscriber gets them in this order: first the whole game,
//! then each update exactly once. Updates that arrive late or twice, as they do when NATS comes back, are
//! dropped; if one is missing, its subscribers need the whole game again.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stoa_wire::{Audience, ServerMessage};
use tokio::sync::{Notify, mpsc};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// How many messages may be queued for one connection.
const MAX_QUEUED: usize = 64;
/// The number of locks that the topics are spread over.
const SHARDS: usize = 32;

/// Something that connections can subscribe to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// A game.
    Game(String),
    /// The messages of a game's viewers.
    Viewers(String),
    /// The challenges and games of a player.
    Player(String),
    /// The open challenges.
    Lobby,
    /// Games being played, as small boards.
    Boards,
}

/// A serialized message, and what it says about the version of its game.
#[derive(Debug, Clone)]
pub(crate) struct Published {
    pub(crate) text: Utf8Bytes,
    pub(crate) version: MessageVersion,
}

/// The version of the game that a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageVersion {
    /// It has nothing to do with versions.
    None,
    /// The whole game at this version.
    Whole(i64),
    /// The event that led to this version.
    Update(i64),
}

impl MessageVersion {
    pub(crate) fn of(message: &ServerMessage) -> MessageVersion {
        match message {
            ServerMessage::Game { game } => MessageVersion::Whole(game.situation.version),
            ServerMessage::Update { situation, .. } => MessageVersion::Update(situation.version),
            _ => MessageVersion::None,
        }
    }
}

/// The subscriptions of this node.
#[derive(Debug)]
pub(crate) struct Hub {
    shards: [Mutex<HashMap<Topic, Vec<Subscription>>>; SHARDS],
    next: AtomicU64,
}

#[derive(Debug)]
struct Subscription {
    subscriber: Arc<Subscriber>,
    state: State,
}

/// What a subscriber knows of the topic.
#[derive(Debug, Clone, Copy)]
enum State {
    /// Topics without versions: everything is sent.
    Unversioned,
    /// The whole game has not been sent yet. `missed` is the latest version that was published meanwhile.
    Waiting { missed: i64 },
    /// The version of the last message that was sent.
    At(i64),
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
    /// Notified when the player's credentials may no longer be valid.
    pub(crate) player_changed: Notify,
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
        let (overflowed, player_changed) = (Notify::new(), Notify::new());
        (Arc::new(Subscriber { number, player, queue, overflowed, player_changed }), messages)
    }

    fn shard(&self, topic: &Topic) -> MutexGuard<'_, HashMap<Topic, Vec<Subscription>>> {
        let mut hasher = DefaultHasher::new();
        topic.hash(&mut hasher);
        let index = usize::try_from(hasher.finish() % SHARDS as u64).unwrap_or(0);
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Subscribes to a topic. To a game nothing is sent before [`Hub::send_whole`].
    pub(crate) fn subscribe(&self, topic: Topic, subscriber: &Arc<Subscriber>) {
        let state = match topic {
            Topic::Game(_) => State::Waiting { missed: 0 },
            Topic::Viewers(_) | Topic::Player(_) | Topic::Lobby | Topic::Boards => {
                State::Unversioned
            }
        };
        let mut shard = self.shard(&topic);
        let subscriptions = shard.entry(topic).or_default();
        match subscriptions.iter_mut().find(|known| known.is_of(subscriber)) {
            Some(known) => known.state = state,
            None => {
                let subscriber = Arc::clone(subscriber);
                subscriptions.push(Subscription { subscriber, state });
            }
        }
    }

    /// Sends the whole game to one of its subscribers; updates follow. False if the game has changed since
    /// it was read: then it must be read again.
    pub(crate) fn send_whole(
        &self,
        topic: &Topic,
        subscriber: &Subscriber,
        text: Utf8Bytes,
        version: i64,
    ) -> bool {
        let mut shard = self.shard(topic);
        let subscriptions = shard.get_mut(topic);
        let known = subscriptions.into_iter().flatten().find(|known| known.is_of(subscriber));
        // Unsubscribed because it was too slow: it is about to be disconnected.
        let Some(known) = known else { return true };
        if matches!(known.state, State::Waiting { missed } if missed > version) {
            known.state = State::Waiting { missed: 0 };
            return false;
        }
        known.state = State::At(version);
        known.subscriber.send(text);
        true
    }

    pub(crate) fn unsubscribe(&self, topic: &Topic, subscriber: &Subscriber) {
        let mut shard = self.shard(topic);
        if let Entry::Occupied(mut entry) = shard.entry(topic.clone()) {
            entry.get_mut().retain(|known| !known.is_of(subscriber));
            if entry.get().is_empty() {
                entry.remove();
            }
        }
    }

    /// Sends a message to all subscribers of a topic on this node. False if some of them have missed an
    /// earlier update and need the whole game.
    pub(crate) fn send(&self, topic: &Topic, message: &Published) -> bool {
        let mut shard = self.shard(topic);
        let mut is_complete = true;
        if let Some(subscriptions) = shard.get_mut(topic) {
            subscriptions.retain_mut(|known| {
                let (sends, follows) = known.state.receive(message.version);
                is_complete &= follows;
                !sends || known.subscriber.send(message.text.clone())
            });
        }
        is_complete
    }

    /// Notifies the connections of a player on this node, and nobody else, that the player has changed.
    pub(crate) fn player_changed(&self, player: &str) {
        let topic = Topic::Player(player.to_owned());
        for known in self.shard(&topic).get(&topic).into_iter().flatten() {
            known.subscriber.player_changed.notify_one();
        }
    }

    /// The number of subscribers.
    pub(crate) fn count(&self, topic: &Topic) -> usize {
        self.shard(topic).get(topic).map_or(0, Vec::len)
    }

    /// Which of these players are subscribed, and how many others.
    pub(crate) fn audience(&self, topic: &Topic, players: [&str; 2]) -> Audience {
        let mut audience = Audience::default();
        for known in self.shard(topic).get(topic).into_iter().flatten() {
            let is = |player: &&str| known.subscriber.player.as_deref() == Some(*player);
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

impl Subscription {
    fn is_of(&self, subscriber: &Subscriber) -> bool {
        self.subscriber.number == subscriber.number
    }
}

impl State {
    /// Whether a message is to be sent, and whether nothing is missing before it.
    fn receive(&mut self, version: MessageVersion) -> (bool, bool) {
        match (*self, version) {
            (State::Unversioned, _) | (State::At(_), MessageVersion::None) => (true, true),
            // Other messages for viewers are published again when one joins.
            (State::Waiting { .. }, MessageVersion::None) => (false, true),
            (
                State::Waiting { missed },
                MessageVersion::Whole(new) | MessageVersion::Update(new),
            ) => {
                *self = State::Waiting { missed: missed.max(new) };
                (false, true)
            }
            (State::At(old), MessageVersion::Whole(new)) if new > old => {
                *self = State::At(new);
                (true, true)
            }
            (State::At(old), MessageVersion::Update(new)) if new == old + 1 => {
                *self = State::At(new);
                (true, true)
            }
            (State::At(old), MessageVersion::Update(new)) => (false, new <= old),
            (State::At(_), MessageVersion::Whole(_)) => (false, true),
        }
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
    use futures_util::FutureExt;

    use super::*;

    fn published(text: &str, version: MessageVersion) -> Published {
        Published { text: Utf8Bytes::from(text.to_owned()), version }
    }

    #[tokio::test]
    async fn a_subscriber_that_does_not_read_is_disconnected_and_nobody_waits() {
        let hub = Hub::new();
        let topic = Topic::Player("g".to_owned());
        let (slow, _unread) = hub.subscriber(None);
        let (quick, mut read) = hub.subscriber(Some("me".to_owned()));
        hub.subscribe(topic.clone(), &slow);
        hub.subscribe(topic.clone(), &quick);
        hub.subscribe(topic.clone(), &quick);
        assert_eq!(hub.count(&topic), 2, "subscribing twice is subscribing once");
        let audience = hub.audience(&topic, ["she", "me"]);
        assert_eq!(audience, Audience { viewers: 1, present: [false, true] });
        for n in 0..MAX_QUEUED + 1 {
            hub.send(&topic, &published(&n.to_string(), MessageVersion::None));
            assert_eq!(read.recv().await.unwrap().as_str(), n.to_string());
        }
        slow.overflowed.notified().await;
        assert_eq!(hub.count(&topic), 1);
        hub.unsubscribe(&topic, &quick);
        assert_eq!(hub.count(&topic), 0);
        assert!(hub.games().is_empty());
    }

    #[tokio::test]
    async fn only_connections_of_a_player_are_notified_that_the_player_has_changed() {
        let hub = Hub::new();
        let connected = |player: &str| {
            let (subscriber, _) = hub.subscriber(Some(player.to_owned()));
            hub.subscribe(Topic::Player(player.to_owned()), &subscriber);
            subscriber
        };
        let [phone, laptop, stranger] = ["me", "me", "she"].map(connected);
        hub.subscribe(Topic::Game("g".to_owned()), &stranger);
        hub.player_changed("me");
        let notified = |one: &Arc<Subscriber>| one.player_changed.notified().now_or_never();
        assert_eq!([&phone, &laptop, &stranger].map(notified), [Some(()), Some(()), None]);
        hub.player_changed("nobody");
        assert_eq!([&phone, &laptop, &stranger].map(notified), [None; 3]);
    }

    #[test]
    fn the_whole_game_comes_first_and_each_update_once() {
        use MessageVersion::{None as Unversioned, Update, Whole};
        let hub = Hub::new();
        let topic = Topic::Game("g".to_owned());
        let (watcher, mut read) = hub.subscriber(None);
        let mut received = || -> Vec<String> {
            std::iter::from_fn(|| read.try_recv().ok()).map(|text| text.to_string()).collect()
        };
        hub.subscribe(topic.clone(), &watcher);
        // Before the game has been read.
        assert!(hub.send(&topic, &published("update 3", Update(3))));
        assert!(hub.send(&topic, &published("viewers", Unversioned)));
        assert!(received().is_empty());
        // It was read before update 3, and is read again.
        assert!(!hub.send_whole(&topic, &watcher, "game 2".into(), 2));
        assert!(hub.send_whole(&topic, &watcher, "game 3".into(), 3));
        // Late, twice, and out of order.
        assert!(hub.send(&topic, &published("update 2", Update(2))));
        assert!(hub.send(&topic, &published("update 4", Update(4))));
        assert!(hub.send(&topic, &published("update 4", Update(4))));
        assert!(hub.send(&topic, &published("viewers", Unversioned)));
        assert_eq!(received(), ["game 3", "update 4", "viewers"]);
        assert!(!hub.send(&topic, &published("update 6", Update(6))), "one is missing");
        assert!(hub.send(&topic, &published("game 4", Whole(4))), "it is known");
        assert!(hub.send(&topic, &published("game 6", Whole(6))));
        assert!(hub.send(&topic, &published("update 7", Update(7))));
        assert_eq!(received(), ["game 6", "update 7"]);
        // A client that asks again gets the whole game again, and nothing before it.
        hub.subscribe(topic.clone(), &watcher);
        assert!(hub.send(&topic, &published("update 8", Update(8))));
        assert!(hub.send_whole(&topic, &watcher, "game 8".into(), 8));
        assert_eq!(received(), ["game 8"]);
    }
}
