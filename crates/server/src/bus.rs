//! The message bus: publishes to the subscribers of this node, and through NATS to all other nodes.
//!
//! NATS carries notifications, never the state: everything is in the database, and a node that was
//! disconnected reads it again.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event as Connection, HeaderMap};
use futures_util::StreamExt;
use stoa_wire::{Audience, ServerMessage};
use tokio::sync::{Notify, mpsc};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::hub::{Hub, MessageVersion, Published, Topic};
use crate::ids;
use crate::mail::Mail;
use crate::monitoring::warn_folded;
use crate::push::PushQueue;
use crate::tasks::RunningTask;

/// How many messages of other nodes may be queued.
const MAX_INCOMING: usize = 4096;
/// How long NATS may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How often NATS is pinged; a connection may be silently dead.
const PING_INTERVAL: Duration = Duration::from_secs(2);
/// How long NATS may take to accept the last messages.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// The header with the id of the node that sent a message.
const NODE: &str = "Stoa-Node";
const PREFIX: &str = "stoa";
/// How many messages to other nodes may be queued.
const MAX_QUEUED: usize = 8192;

/// The message bus of a node.
#[derive(Debug)]
pub(crate) struct Bus {
    hub: Arc<Hub>,
    nats: Option<Nats>,
    /// Whether the process that this one takes over from may still commit.
    has_predecessor: AtomicBool,
    connected: AtomicBool,
    /// For players who have no connection.
    push_queue: OnceLock<PushQueue>,
    mail: OnceLock<Arc<Mail>>,
    /// Games of which subscribers have missed an update.
    gaps: Mutex<HashSet<String>>,
    gap_found: Notify,
}

#[derive(Debug)]
struct Nats {
    client: Client,
    /// The id of this node, by which it recognises its own messages.
    node: String,
    outgoing: mpsc::Sender<(String, Utf8Bytes)>,
}

/// A message from another node.
#[derive(Debug)]
pub(crate) enum NodeMessage {
    /// A message to subscribers, who have received it already.
    Server(Box<ServerMessage>),
    /// The audience of a game on another node.
    Audience { node: String, game: String, audience: Audience },
    /// A player has changed: caches are out of date.
    PlayerChanged { player: String },
    /// The connection to NATS was lost and is back: messages may have been missed.
    Reconnected,
}

impl Bus {
    /// A bus without other nodes.
    pub(crate) fn alone(hub: Arc<Hub>) -> Bus {
        Bus {
            hub,
            nats: None,
            has_predecessor: AtomicBool::new(false),
            connected: AtomicBool::new(true),
            push_queue: OnceLock::new(),
            mail: OnceLock::new(),
            gaps: Mutex::default(),
            gap_found: Notify::new(),
        }
    }

    /// A bus between nodes, the messages of the others, and the tasks that do not end while it is there.
    pub(crate) async fn between_nodes(
        hub: Arc<Hub>,
        address: &str,
    ) -> Result<(Arc<Bus>, mpsc::Receiver<NodeMessage>, [RunningTask; 3]), async_nats::Error> {
        let (incoming, receiver) = mpsc::channel(MAX_INCOMING);
        let on_reconnect = incoming.clone();
        let (state, mut states) = mpsc::channel(16);
        let client = ConnectOptions::new()
            .name("stoa")
            .connection_timeout(CONNECT_TIMEOUT)
            .ping_interval(PING_INTERVAL)
            .event_callback(move |event| {
                let state = state.clone();
                async move {
                    let _ = state.send(event).await;
                }
            })
            .connect(address)
            .await?;
        let subscription = client.subscribe(format!("{PREFIX}.>")).await?;
        let (outgoing, to_send) = mpsc::channel(MAX_QUEUED);
        let node = ids::long();
        let sender = tokio::spawn(send(client.clone(), node.clone(), to_send));
        let nats = Nats { client, node: node.clone(), outgoing };
        let mut bus = Bus::alone(hub);
        bus.nats = Some(nats);
        let bus = Arc::new(bus);
        let listening = Arc::clone(&bus);
        let listener = tokio::spawn(async move { listening.listen(subscription, incoming).await });
        let watching = Arc::clone(&bus);
        let watcher = tokio::spawn(async move {
            while let Some(event) = states.recv().await {
                watching.connection_changed(&event, &on_reconnect).await;
            }
        });
        let tasks =
            [("NATS sender", sender), ("NATS listener", listener), ("NATS watcher", watcher)];
        Ok((bus, receiver, tasks))
    }

    /// From now on players without a connection get push notifications.
    pub(crate) fn set_push_queue(&self, push_queue: PushQueue) {
        let _ = self.push_queue.set(push_queue);
    }

    /// From now on players without a connection get mail, if they want it.
    pub(crate) fn set_mail(&self, mail: Arc<Mail>) {
        let _ = self.mail.set(mail);
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Whether NATS is connected, if it is used.
    pub(crate) fn is_connected(&self) -> bool {
        self.connected.load(Ordering::Relaxed)
    }

    /// Whether others may be changing the same database: other nodes, or the process before this one.
    pub(crate) fn has_others(&self) -> bool {
        self.nats.is_some() || self.has_predecessor.load(Ordering::Relaxed)
    }

    /// Sets whether the process that this one takes over from may still commit.
    pub(crate) fn set_predecessor(&self, is_there: bool) {
        self.has_predecessor.store(is_there, Ordering::Relaxed);
    }

    /// Publishes a message to the subscribers of a topic on all nodes.
    pub(crate) fn publish(&self, topic: Topic, message: &ServerMessage) {
        self.publish_to([topic], message);
    }

    /// Publishes a message to the subscribers of several topics, serialized once.
    pub(crate) fn publish_to(
        &self,
        topics: impl IntoIterator<Item = Topic>,
        message: &ServerMessage,
    ) {
        let Some(text) = to_json(message) else { return };
        for topic in topics {
            self.publish_text(topic, message, text.clone());
        }
    }

    fn publish_text(&self, topic: Topic, message: &ServerMessage, text: Utf8Bytes) {
        self.send_here(&topic, text.clone(), MessageVersion::of(message));
        if let Topic::Player(player) = &topic {
            if let Some(push_queue) = self.push_queue.get().filter(|_| self.hub.count(&topic) == 0)
            {
                push_queue.notify(player, message);
            }
            if let Some(mail) = self.mail.get() {
                mail.notify(player, message);
            }
        }
        if let Some(nats) = self.reachable_nats() {
            let subject = match topic {
                Topic::Game(id) => format!("{PREFIX}.game.{id}"),
                Topic::Viewers(id) => format!("{PREFIX}.viewers.{id}"),
                Topic::Player(id) => format!("{PREFIX}.player.{id}"),
                Topic::Lobby => format!("{PREFIX}.lobby"),
                // Every node knows the games of all nodes, and notifies its own viewers.
                Topic::Boards => return,
            };
            if nats.outgoing.try_send((subject, text)).is_err() {
                metrics::counter!("stoa_nats_dropped_total").increment(1);
            }
        }
    }

    /// Publishes a message to the subscribers of a topic on this node.
    pub(crate) fn publish_here(&self, topic: &Topic, message: &ServerMessage) {
        if let Some(text) = to_json(message) {
            self.send_here(topic, text, MessageVersion::of(message));
        }
    }

    fn send_here(&self, topic: &Topic, text: Utf8Bytes, version: MessageVersion) {
        if !self.hub.send(topic, &Published { text, version })
            && let Topic::Game(game) = topic
        {
            self.mark_gap(game);
        }
    }

    /// Subscribers of a game may have missed an update.
    pub(crate) fn mark_gap(&self, game: &str) {
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner).insert(game.to_owned());
        self.gap_found.notify_one();
    }

    /// Waits until subscribers of games have missed an update, and returns the games.
    pub(crate) async fn gaps(&self) -> HashSet<String> {
        loop {
            let gaps =
                std::mem::take(&mut *self.gaps.lock().unwrap_or_else(PoisonError::into_inner));
            if !gaps.is_empty() {
                return gaps;
            }
            self.gap_found.notified().await;
        }
    }

    /// NATS, if it can be reached. Otherwise messages are dropped rather than sent late: other nodes read
    /// the database again when it is back.
    fn reachable_nats(&self) -> Option<&Nats> {
        let nats = self.nats.as_ref()?;
        if !self.is_connected() {
            metrics::counter!("stoa_nats_dropped_total").increment(1);
            return None;
        }
        Some(nats)
    }

    /// Sends the audience of a game on this node to the other nodes.
    pub(crate) fn publish_audience(&self, game: &str, audience: Audience) {
        if let (Some(nats), Ok(text)) = (self.reachable_nats(), serde_json::to_string(&audience)) {
            let subject = format!("{PREFIX}.audience.{game}");
            let _ = nats.outgoing.try_send((subject, text.into()));
        }
    }

    /// Tells the other nodes to drop what their caches hold about a player.
    pub(crate) fn publish_invalidation(&self, player: &str) {
        if let Some(nats) = self.reachable_nats() {
            let subject = format!("{PREFIX}.changed.{player}");
            let _ = nats.outgoing.try_send((subject, Utf8Bytes::default()));
        }
    }

    async fn listen(
        &self,
        mut messages: async_nats::Subscriber,
        incoming: mpsc::Sender<NodeMessage>,
    ) {
        let own = self.nats.as_ref().map(|nats| nats.node.clone()).unwrap_or_default();
        while let Some(message) = messages.next().await {
            let from = message.headers.as_ref().and_then(|headers| headers.get(NODE));
            let from = from.map_or(String::new(), |from| from.as_str().to_owned());
            if from == own {
                continue;
            }
            let mut subject = message.subject.split('.').skip(1);
            let topic = match (subject.next(), subject.next()) {
                (Some("audience"), Some(game)) => {
                    if let Ok(audience) = serde_json::from_slice(&message.payload) {
                        let game = game.to_owned();
                        let _ = incoming
                            .send(NodeMessage::Audience { node: from, game, audience })
                            .await;
                    }
                    continue;
                }
                (Some("changed"), Some(player)) => {
                    let _ = incoming
                        .send(NodeMessage::PlayerChanged { player: player.to_owned() })
                        .await;
                    continue;
                }
                (Some("game"), Some(id)) => Topic::Game(id.to_owned()),
                (Some("viewers"), Some(id)) => Topic::Viewers(id.to_owned()),
                (Some("player"), Some(id)) => Topic::Player(id.to_owned()),
                (Some("lobby"), None) => Topic::Lobby,
                _ => continue,
            };
            let Ok(text) = Utf8Bytes::try_from(message.payload) else { continue };
            let mut version = MessageVersion::None;
            if matches!(topic, Topic::Game(_))
                && let Ok(message) = serde_json::from_str::<ServerMessage>(&text)
            {
                version = MessageVersion::of(&message);
                let _ = incoming.send(NodeMessage::Server(Box::new(message))).await;
            }
            self.send_here(&topic, text, version);
        }
    }

    async fn connection_changed(&self, event: &Connection, incoming: &mpsc::Sender<NodeMessage>) {
        match event {
            Connection::Connected => {
                let was = self.connected.swap(true, Ordering::Relaxed);
                if !was {
                    tracing::info!("NATS is connected again");
                    let _ = incoming.send(NodeMessage::Reconnected).await;
                }
            }
            Connection::Disconnected => {
                self.connected.store(false, Ordering::Relaxed);
                tracing::error!(
                    "NATS is disconnected: moves on other nodes arrive late until it is back"
                );
            }
            Connection::SlowConsumer(_) => {
                tracing::warn!("NATS has dropped messages because this node was slow");
                let _ = incoming.send(NodeMessage::Reconnected).await;
            }
            other => tracing::debug!(event = %other, "NATS"),
        }
        metrics::gauge!("stoa_nats_connected").set(f64::from(u8::from(self.is_connected())));
    }

    /// Flushes messages to other nodes.
    pub(crate) async fn close(&self) {
        if let Some(nats) = &self.nats {
            let _ = tokio::time::timeout(FLUSH_TIMEOUT, nats.client.flush()).await;
        }
    }
}

async fn send(client: Client, node: String, mut messages: mpsc::Receiver<(String, Utf8Bytes)>) {
    let mut headers = HeaderMap::new();
    headers.insert(NODE, node.as_str());
    while let Some((subject, text)) = messages.recv().await {
        let sent = client.publish_with_headers(subject, headers.clone(), text.into());
        if let Err(error) = sent.await {
            warn_folded!(%error, "cannot send a message to other nodes");
        }
    }
}

fn to_json(message: &ServerMessage) -> Option<Utf8Bytes> {
    match serde_json::to_string(message) {
        Ok(text) => Some(text.into()),
        Err(error) => {
            tracing::error!(%error, "cannot serialize a message");
            None
        }
    }
}
