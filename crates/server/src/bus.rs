//! Messages to whoever wants them, on this node and through NATS on all others.
//!
//! NATS carries news, never the truth: what was missed is in the database, and who was cut off from the
//! others asks for everything again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event as Connection, HeaderMap};
use axum::extract::ws::Utf8Bytes;
use futures_util::StreamExt;
use tokio::sync::mpsc;

use crate::audience::Audience;
use crate::hub::{Hub, Topic};
use crate::ids;
use crate::push::Letterbox;
use crate::wire::Message;

const NODE: &str = "Stoa-Node";
const PREFIX: &str = "stoa";
/// Messages that may wait to be sent to other nodes.
const MOST_WAITING: usize = 8192;

/// Carries messages.
#[derive(Debug)]
pub(crate) struct Bus {
    hub: Arc<Hub>,
    nats: Option<Nats>,
    connected: AtomicBool,
    /// Where players who are away are written to.
    letterbox: OnceLock<Letterbox>,
}

#[derive(Debug)]
struct Nats {
    client: Client,
    /// This node's name, by which it knows its own messages.
    node: String,
    outgoing: mpsc::Sender<(String, Utf8Bytes)>,
}

/// What comes from other nodes.
#[derive(Debug)]
pub(crate) enum News {
    /// A message.
    Message(Box<Message>),
    /// Who is at a game on another node.
    Audience { node: String, game: String, audience: Audience },
    /// What other nodes remember about a player is no longer so.
    Changed { player: String },
    /// The connection was lost and is back: anything may have been missed.
    Reconnected,
}

impl Bus {
    /// A bus for this node alone.
    pub(crate) fn alone(hub: Arc<Hub>) -> Bus {
        Bus { hub, nats: None, connected: AtomicBool::new(true), letterbox: OnceLock::new() }
    }

    /// A bus between nodes, and the news from the others.
    pub(crate) async fn between_nodes(
        hub: Arc<Hub>,
        address: &str,
    ) -> Result<(Arc<Bus>, mpsc::Receiver<News>), async_nats::Error> {
        let (news, to_read) = mpsc::channel(4096);
        let events = news.clone();
        let (state, mut states) = mpsc::channel(16);
        let client = ConnectOptions::new()
            .name("stoa")
            .connection_timeout(Duration::from_secs(5))
            .event_callback(move |event| {
                let state = state.clone();
                async move {
                    let _ = state.send(event).await;
                }
            })
            .connect(address)
            .await?;
        let subscription = client.subscribe(format!("{PREFIX}.>")).await?;
        let (outgoing, to_send) = mpsc::channel(MOST_WAITING);
        let node = ids::long();
        tokio::spawn(send(client.clone(), node.clone(), to_send));
        let nats = Nats { client, node: node.clone(), outgoing };
        let mut bus = Bus::alone(hub);
        bus.nats = Some(nats);
        let bus = Arc::new(bus);
        let listening = Arc::clone(&bus);
        tokio::spawn(async move { listening.listen(subscription, news).await });
        let watching = Arc::clone(&bus);
        tokio::spawn(async move {
            while let Some(event) = states.recv().await {
                watching.connection(&event, &events).await;
            }
        });
        Ok((bus, to_read))
    }

    /// From now on players who are away are written to.
    pub(crate) fn set_letterbox(&self, letterbox: Letterbox) {
        let _ = self.letterbox.set(letterbox);
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Whether other nodes, if there are any, hear this one.
    pub(crate) fn is_connected(&self) -> bool {
        self.connected.load(Ordering::Relaxed)
    }

    /// Whether there may be other nodes.
    pub(crate) fn has_others(&self) -> bool {
        self.nats.is_some()
    }

    /// Tells everyone on every node.
    pub(crate) fn publish(&self, topic: Topic, message: &Message) {
        let Some(text) = written(message) else { return };
        self.hub.send(&topic, &text);
        if let (Topic::Player(player), Some(letterbox)) = (&topic, self.letterbox.get())
            && self.hub.count(&topic) == 0
        {
            letterbox.consider(player, message);
        }
        if let Some(nats) = &self.nats {
            let subject = match topic {
                Topic::Game(id) => format!("{PREFIX}.game.{id}"),
                Topic::Player(id) => format!("{PREFIX}.player.{id}"),
                Topic::Lobby => format!("{PREFIX}.lobby"),
            };
            // While NATS is away messages are dropped: others will ask for everything when it is back.
            if nats.outgoing.try_send((subject, text)).is_err() {
                metrics::counter!("stoa_nats_dropped_total").increment(1);
            }
        }
    }

    /// Tells everyone on this node.
    pub(crate) fn publish_here(&self, topic: &Topic, message: &Message) {
        if let Some(text) = written(message) {
            self.hub.send(topic, &text);
        }
    }

    /// Tells the other nodes who is at a game here.
    pub(crate) fn publish_audience(&self, game: &str, audience: Audience) {
        if let (Some(nats), Ok(text)) = (&self.nats, serde_json::to_string(&audience)) {
            let subject = format!("{PREFIX}.audience.{game}");
            let _ = nats.outgoing.try_send((subject, text.into()));
        }
    }

    /// Tells the other nodes that a player has changed.
    pub(crate) fn publish_changed(&self, player: &str) {
        if let Some(nats) = &self.nats {
            let subject = format!("{PREFIX}.changed.{player}");
            let _ = nats.outgoing.try_send((subject, Utf8Bytes::default()));
        }
    }

    async fn listen(&self, mut messages: async_nats::Subscriber, news: mpsc::Sender<News>) {
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
                        let _ = news.send(News::Audience { node: from, game, audience }).await;
                    }
                    continue;
                }
                (Some("changed"), Some(player)) => {
                    let _ = news.send(News::Changed { player: player.to_owned() }).await;
                    continue;
                }
                (Some("game"), Some(id)) => Topic::Game(id.to_owned()),
                (Some("player"), Some(id)) => Topic::Player(id.to_owned()),
                (Some("lobby"), None) => Topic::Lobby,
                _ => continue,
            };
            let Ok(text) = Utf8Bytes::try_from(message.payload) else { continue };
            if matches!(topic, Topic::Game(_))
                && let Ok(message) = serde_json::from_str(&text)
            {
                let _ = news.send(News::Message(Box::new(message))).await;
            }
            self.hub.send(&topic, &text);
        }
    }

    async fn connection(&self, event: &Connection, news: &mpsc::Sender<News>) {
        match event {
            Connection::Connected => {
                let was = self.connected.swap(true, Ordering::Relaxed);
                if !was {
                    tracing::info!("NATS is back");
                    let _ = news.send(News::Reconnected).await;
                }
            }
            Connection::Disconnected => {
                self.connected.store(false, Ordering::Relaxed);
                tracing::error!("NATS is away: other nodes' moves come late until it is back");
            }
            Connection::SlowConsumer(_) => {
                tracing::warn!("NATS has dropped messages because this node was slow");
                let _ = news.send(News::Reconnected).await;
            }
            other => tracing::debug!(event = %other, "NATS"),
        }
        metrics::gauge!("stoa_nats_connected").set(f64::from(u8::from(self.is_connected())));
    }

    /// Sends what is waiting.
    pub(crate) async fn close(&self) {
        if let Some(nats) = &self.nats {
            let _ = tokio::time::timeout(Duration::from_secs(2), nats.client.flush()).await;
        }
    }
}

async fn send(client: Client, node: String, mut messages: mpsc::Receiver<(String, Utf8Bytes)>) {
    let mut headers = HeaderMap::new();
    headers.insert(NODE, node.as_str());
    while let Some((subject, text)) = messages.recv().await {
        let sent = client.publish_with_headers(subject, headers.clone(), text.into());
        if let Err(error) = sent.await {
            tracing::warn!(%error, "a message to other nodes was not sent");
        }
    }
}

fn written(message: &Message) -> Option<Utf8Bytes> {
    match serde_json::to_string(message) {
        Ok(text) => Some(text.into()),
        Err(error) => {
            tracing::error!(%error, "a message cannot be written");
            None
        }
    }
}
