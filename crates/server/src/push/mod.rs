//! Web Push notifications: it is your turn, you are challenged.
//!
//! They are sent only for games without a clock, and only to players who have no connection to this node.
//! Nothing waits for a push service: notifications are queued, and dropped when the queue is full. The web app
//! shows the current state whenever it is opened.
//!
//! | file | what |
//! |---|---|
//! | `keys.rs` | the key by which push services know us (VAPID) |
//! | `encryption.rs` | encryption for the browser |
//! | `notification.rs` | titles and texts |
//! | `sender.rs` | which addresses are allowed, and the HTTP request |

mod encryption;
mod keys;
mod notification;
mod sender;

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Request, header};
use http_body_util::Full;
use hyper::body::Bytes;
use ring::hkdf::KeyType;
use stoa_wire::{Challenge, ChallengeState, GameEvent, GameSummary, ServerMessage, TimeControl};
use tokio::sync::{Semaphore, mpsc};

use self::sender::{Delivered, PushSender};
use crate::hub::{Hub, Topic};
use crate::monitoring::warn_folded;
use crate::settings::PushPolicy;
use crate::store::{PushRow, Store, StoreError};
use crate::time::Time;

pub(crate) use encryption::Recipient;
pub(crate) use keys::Key;
pub(crate) use notification::PushReason;
pub(crate) use sender::endpoint;

/// How many notifications may be queued.
const MAX_QUEUED: usize = 1024;
/// How many notifications are sent at the same time.
const MAX_CONCURRENT: usize = 16;
/// How many notifications may wait for a retry.
const MAX_RETRYING: usize = 256;
/// The backoff of retries; after the last one a notification is dropped.
const RETRY_BACKOFF: [Duration; 3] =
    [Duration::from_secs(2), Duration::from_secs(15), Duration::from_secs(120)];
/// A notification is dropped if the push service asks for a longer delay.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(600);
/// How long a push service stores a message for a browser that is offline.
const TTL: Duration = Duration::from_secs(24 * 3600);

/// A notification in the queue.
#[derive(Debug, Clone)]
struct QueuedPush {
    player: String,
    reason: PushReason,
    /// The number of moves of the game when it was queued.
    ply: usize,
    /// The only browser to send it to, when it is retried.
    only: Option<PushRow>,
    attempts: usize,
}

/// The queue of notifications.
#[derive(Debug, Clone)]
pub(crate) struct PushQueue {
    queue: mpsc::Sender<QueuedPush>,
}

impl PushQueue {
    /// Queues a notification for a player without a connection, if the message is worth one.
    pub(crate) fn notify(&self, player: &str, message: &ServerMessage) {
        let Some(Notice { reason, ply, .. }) = notice(player, message) else { return };
        let player = player.to_owned();
        self.push(QueuedPush { player, reason, ply, only: None, attempts: 0 });
    }

    fn push(&self, queued: QueuedPush) {
        if self.queue.try_send(queued).is_err() {
            metrics::counter!("stoa_pushes_total", "result" => "dropped").increment(1);
        }
    }
}

/// The notification of a message for a player who is away.
#[derive(Debug)]
pub(crate) struct Notice {
    pub(crate) reason: PushReason,
    /// The version of the game that it is about, and the number of its moves; 0 where it is about no game.
    pub(crate) version: i64,
    pub(crate) ply: usize,
}

/// The notification of a message for a player who is away, if it is worth one.
pub(crate) fn notice(player: &str, message: &ServerMessage) -> Option<Notice> {
    match message {
        ServerMessage::Yours { game, event } => {
            let reason = turn(player, game, event.as_ref())?;
            Some(Notice { reason, version: game.version, ply: game.ply })
        }
        ServerMessage::Challenged { challenge } => {
            Some(Notice { reason: challenged(player, challenge)?, version: 0, ply: 0 })
        }
        _ => None,
    }
}

/// Whether it has become the player's turn in a game without a clock.
fn turn(player: &str, game: &GameSummary, event: Option<&GameEvent>) -> Option<PushReason> {
    let is_new =
        matches!(event, None | Some(GameEvent::Moved { .. } | GameEvent::TakenBack { .. }));
    let side = game.turn?;
    let (mover, opponent) = (&game.players[side.index()], &game.players[side.other().index()]);
    let wanted = is_new && !matches!(game.control, TimeControl::Clock { .. }) && mover.id == player;
    wanted.then(|| PushReason::Turn {
        game: game.id.clone(),
        rules: game.game.clone(),
        opponent: opponent.name.clone(),
    })
}

/// Whether the player has been challenged.
fn challenged(player: &str, challenge: &Challenge) -> Option<PushReason> {
    let is_theirs = challenge.opponent.as_ref().is_some_and(|opponent| opponent.id == player);
    (is_theirs && challenge.state == ChallengeState::Open).then(|| PushReason::Challenged {
        challenge: challenge.id.clone(),
        rules: challenge.game.clone(),
        from: challenge.creator.name.clone(),
    })
}

/// The task that sends queued notifications.
#[derive(Debug, Clone)]
pub(crate) struct PushWorker {
    store: Store,
    hub: Arc<Hub>,
    time: Time,
    key: Arc<Key>,
    sender: PushSender,
    push_queue: PushQueue,
    /// Limits notifications that wait for a retry.
    retries: Arc<Semaphore>,
}

impl PushWorker {
    /// The queue and the worker that empties it; nothing where push is disabled.
    pub(crate) fn start(
        store: Store,
        hub: Arc<Hub>,
        time: Time,
        key: Arc<Key>,
        policy: PushPolicy,
    ) -> Option<(PushQueue, impl Future<Output = ()> + Send + use<>)> {
        if policy == PushPolicy::Disabled {
            return None;
        }
        let sender = PushSender::new(policy)
            .inspect_err(|error| tracing::error!(%error, "Web Push is disabled: cannot set up TLS"))
            .ok()?;
        let (queue, queued) = mpsc::channel(MAX_QUEUED);
        let push_queue = PushQueue { queue };
        let retries = Arc::new(Semaphore::new(MAX_RETRYING));
        let worker =
            PushWorker { store, hub, time, key, sender, push_queue: push_queue.clone(), retries };
        Some((push_queue, worker.run(queued)))
    }

    async fn run(self, mut queue: mpsc::Receiver<QueuedPush>) {
        let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
        while let Some(queued) = queue.recv().await {
            let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
            let worker = self.clone();
            tokio::spawn(async move {
                if let Err(error) = worker.send(queued).await {
                    warn_folded!(%error, "cannot send a push notification");
                }
                drop(permit);
            });
        }
    }

    async fn send(&self, queued: QueuedPush) -> Result<(), StoreError> {
        if queued.attempts > 0 && self.is_stale(&queued).await? {
            return Ok(());
        }
        if let PushReason::Turn { game, .. } = &queued.reason
            && !self.store.own_game(game, &queued.player).await?.notices
        {
            return Ok(());
        }
        let browsers = match &queued.only {
            Some(browser) => vec![browser.clone()],
            None => self.store.pushes(&queued.player).await?,
        };
        for browser in browsers {
            let delivered = match self.request(&queued.reason, &browser) {
                Some(request) => self.sender.send(request).await,
                None => Delivered::Gone,
            };
            let result = match delivered {
                Delivered::Accepted => "accepted",
                Delivered::Gone => {
                    let deleted = self.store.delete_push(&queued.player, &browser.endpoint);
                    self.store.in_time(deleted).await?;
                    "gone"
                }
                Delivered::Later { after } => {
                    self.retry(&queued, browser, after);
                    "later"
                }
                Delivered::Refused(status) => {
                    warn_folded!(%status, "a push service refused a notification");
                    "refused"
                }
            };
            metrics::counter!("stoa_pushes_total", "result" => result).increment(1);
        }
        Ok(())
    }

    /// Whether a notification is out of date, or the player is connected by now.
    async fn is_stale(&self, queued: &QueuedPush) -> Result<bool, StoreError> {
        if self.hub.count(&Topic::Player(queued.player.clone())) > 0 {
            return Ok(true);
        }
        match &queued.reason {
            PushReason::Turn { game, .. } => {
                let game = self.store.game(game).await?;
                Ok(!game.is_some_and(|game| game.is_turn_of(&queued.player, queued.ply)))
            }
            PushReason::Challenged { challenge, .. } => {
                let challenge = self.store.challenge(challenge).await?;
                Ok(challenge.is_none_or(|challenge| challenge.state != ChallengeState::Open))
            }
        }
    }

    fn retry(&self, queued: &QueuedPush, browser: PushRow, after: Option<Duration>) {
        let Some(backoff) = RETRY_BACKOFF.get(queued.attempts) else { return };
        let after = after.unwrap_or_default();
        if after > MAX_RETRY_AFTER {
            return;
        }
        let delay = after.max(*backoff);
        let Ok(permit) = Arc::clone(&self.retries).try_acquire_owned() else { return };
        let queued =
            QueuedPush { only: Some(browser), attempts: queued.attempts + 1, ..queued.clone() };
        let push_queue = self.push_queue.clone();
        tokio::spawn(async move {
            tokio::time::sleep(delay).await;
            push_queue.push(queued);
            drop(permit);
        });
    }

    /// The request to the push service; nothing if the subscription's keys or endpoint are invalid.
    fn request(&self, reason: &PushReason, browser: &PushRow) -> Option<Request<Full<Bytes>>> {
        let uri: axum::http::Uri = browser.endpoint.parse().ok()?;
        let recipient = Recipient::new(&browser.p256dh, &browser.auth)?;
        let text = serde_json::to_vec(&reason.notification(&browser.language)).ok()?;
        let body = recipient.encrypt(&text)?;
        // A newer message on the same topic replaces one that the push service has not delivered yet.
        let (PushReason::Turn { game: topic, .. }
        | PushReason::Challenged { challenge: topic, .. }) = reason;
        Request::post(&uri)
            .header(header::AUTHORIZATION, self.key.authorization(&uri, self.time.now())?)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header("ttl", TTL.as_secs())
            .header("urgency", "normal")
            .header("topic", topic)
            .body(Full::new(Bytes::from(body)))
            .ok()
    }
}

/// The number of bytes to derive.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}
