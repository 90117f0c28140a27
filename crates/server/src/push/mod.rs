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
//! | `outbox.rs` | which notification is sent next: nobody waits for the push service of somebody else |
//! | `sender.rs` | which addresses are allowed, and the HTTP request |

mod encryption;
mod keys;
mod notification;
mod outbox;
mod sender;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{Request, header};
use http_body_util::Full;
use hyper::body::Bytes;
use ring::hkdf::KeyType;
use stoa_wire::{Challenge, ChallengeState, GameEvent, GameSummary, ServerMessage, TimeControl};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use self::outbox::{Delivery, Outbox};
use self::sender::{Delivered, PushSender, service};
use crate::hub::{Hub, Topic};
use crate::monitoring::warn_folded;
use crate::settings::PushPolicy;
use crate::store::{PushRow, Store, StoreError};
use crate::time::Time;

pub(crate) use encryption::Recipient;
pub(crate) use keys::Key;
pub(crate) use notification::PushReason;
pub(crate) use sender::endpoint;

/// How many notifications may be queued until it is known to which browsers they go.
const MAX_QUEUED: usize = 1024;
/// For how many of them that is read at the same time.
const MAX_LOOKUPS: usize = 16;
/// The backoff of retries; after the last one a notification is dropped.
const RETRY_BACKOFF: [Duration; 3] =
    [Duration::from_secs(2), Duration::from_secs(15), Duration::from_secs(120)];
/// A notification is dropped if the push service asks for a longer delay.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(600);
/// How often notifications are looked for that are to be sent again.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// What has waited for so long may be out of date.
const STALE_AFTER: Duration = Duration::from_secs(10);
/// How long a push service stores a message for a browser that is offline.
const TTL: Duration = Duration::from_secs(24 * 3600);

/// A notification in the queue.
#[derive(Debug, Clone)]
struct QueuedPush {
    player: String,
    reason: PushReason,
    /// The number of moves of the game when it was queued.
    ply: usize,
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
        if self.queue.try_send(QueuedPush { player: player.to_owned(), reason, ply }).is_err() {
            count("dropped");
        }
    }
}

/// Counts a notification by what became of it.
fn count(result: &'static str) {
    metrics::counter!("stoa_pushes_total", "result" => result).increment(1);
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
        let worker = PushWorker { store, hub, time, key, sender };
        Some((PushQueue { queue }, worker.run(queued)))
    }

    async fn run(self, mut queue: mpsc::Receiver<QueuedPush>) {
        let mut outbox = Outbox::default();
        let (mut lookups, mut sends) = (JoinSet::new(), JoinSet::new());
        // To which player and which service a task sends.
        let mut sending = HashMap::new();
        loop {
            while let Some(delivery) = outbox.next(Instant::now()) {
                let names = (delivery.player.clone(), delivery.service.clone());
                let worker = self.clone();
                let task = sends.spawn(async move { worker.deliver(delivery).await });
                sending.insert(task.id(), names);
            }
            tokio::select! {
                Some(queued) = queue.recv(), if lookups.len() < MAX_LOOKUPS => {
                    let worker = self.clone();
                    lookups.spawn(async move { worker.deliveries(queued).await });
                }
                Some(found) = lookups.join_next() => match found {
                    Ok(Ok(found)) => found.into_iter().for_each(|one| add(&mut outbox, one)),
                    Ok(Err(error)) => warn_folded!(%error, "cannot send a push notification"),
                    Err(error) => tracing::error!(%error, "a push notification has failed"),
                },
                Some(sent) = sends.join_next_with_id() => {
                    let id = sent.as_ref().map_or_else(|error| error.id(), |(id, _)| *id);
                    let delivered = sent
                        .inspect_err(|error| tracing::error!(%error, "a push notification has failed"))
                        .map(|(_, delivered)| delivered);
                    let is_answered = !matches!(delivered, Ok((_, Delivered::Silent)));
                    if let Some((player, service)) = sending.remove(&id) {
                        outbox.finished(&player, &service, is_answered);
                    }
                    if let Some(retry) = delivered.ok().and_then(retry) {
                        add(&mut outbox, retry);
                    }
                }
                () = tokio::time::sleep(RETRY_INTERVAL), if !outbox.is_empty() => {}
                else => return,
            }
        }
    }

    /// The notification for each browser of the player.
    async fn deliveries(&self, queued: QueuedPush) -> Result<Vec<Delivery>, StoreError> {
        let QueuedPush { player, reason, ply } = queued;
        if let PushReason::Turn { game, .. } = &reason
            && !self.store.own_game(game, &player).await?.notices
        {
            return Ok(Vec::new());
        }
        let delivery = |browser: PushRow| Delivery {
            player: player.clone(),
            service: service(&browser.endpoint),
            browser,
            reason: reason.clone(),
            ply,
            attempts: 0,
            due: Instant::now(),
        };
        Ok(self.store.pushes(&player).await?.into_iter().map(delivery).collect())
    }

    async fn deliver(&self, delivery: Delivery) -> (Delivery, Delivered) {
        let delivered = self.try_to_deliver(&delivery).await.unwrap_or_else(|error| {
            warn_folded!(%error, "cannot send a push notification");
            Delivered::OutOfDate
        });
        (delivery, delivered)
    }

    async fn try_to_deliver(&self, delivery: &Delivery) -> Result<Delivered, StoreError> {
        let may_be_stale = delivery.attempts > 0 || delivery.due.elapsed() > STALE_AFTER;
        if may_be_stale && self.is_stale(delivery).await? {
            return Ok(Delivered::OutOfDate);
        }
        let Delivery { player, browser, reason, .. } = delivery;
        let delivered = match self.request(reason, browser) {
            Some(request) => self.sender.send(request).await,
            None => Delivered::Gone,
        };
        match &delivered {
            Delivered::Accepted => count("accepted"),
            Delivered::Gone => {
                count("gone");
                self.store.in_time(self.store.delete_push(player, &browser.endpoint)).await?;
            }
            Delivered::Later { .. } | Delivered::Silent => count("later"),
            Delivered::Refused(status) => {
                count("refused");
                warn_folded!(%status, "a push service refused a notification");
            }
            Delivered::OutOfDate => {}
        }
        Ok(delivered)
    }

    /// Whether a notification is out of date, or the player is connected by now.
    async fn is_stale(&self, delivery: &Delivery) -> Result<bool, StoreError> {
        if self.hub.count(&Topic::Player(delivery.player.clone())) > 0 {
            return Ok(true);
        }
        match &delivery.reason {
            PushReason::Turn { game, .. } => {
                let game = self.store.game(game).await?;
                Ok(!game.is_some_and(|game| game.is_turn_of(&delivery.player, delivery.ply)))
            }
            PushReason::Challenged { challenge, .. } => {
                let challenge = self.store.challenge(challenge).await?;
                Ok(challenge.is_none_or(|challenge| challenge.state != ChallengeState::Open))
            }
        }
    }

    /// The request to the push service; nothing if the subscription's keys or endpoint are invalid.
    fn request(&self, reason: &PushReason, browser: &PushRow) -> Option<Request<Full<Bytes>>> {
        let uri: axum::http::Uri = browser.endpoint.parse().ok()?;
        let recipient = Recipient::new(&browser.p256dh, &browser.auth)?;
        let text = serde_json::to_vec(&reason.notification(&browser.language)).ok()?;
        let body = recipient.encrypt(&text)?;
        Request::post(&uri)
            .header(header::AUTHORIZATION, self.key.authorization(&uri, self.time.now())?)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header("ttl", TTL.as_secs())
            .header("urgency", "normal")
            // A newer message on the same topic replaces one that the push service has not delivered yet.
            .header("topic", reason.topic())
            .body(Full::new(Bytes::from(body)))
            .ok()
    }
}

fn add(outbox: &mut Outbox, delivery: Delivery) {
    if !outbox.add(delivery) {
        count("dropped");
    }
}

/// The notification to be sent again, if the push service may accept it later.
fn retry((delivery, delivered): (Delivery, Delivered)) -> Option<Delivery> {
    let after = match delivered {
        Delivered::Later { after } => after.unwrap_or_default(),
        Delivered::Silent => Duration::ZERO,
        Delivered::Accepted | Delivered::Gone | Delivered::Refused(_) | Delivered::OutOfDate => {
            return None;
        }
    };
    let backoff = RETRY_BACKOFF.get(delivery.attempts)?;
    let due = Instant::now() + after.max(*backoff);
    let attempts = delivery.attempts + 1;
    (after <= MAX_RETRY_AFTER).then_some(Delivery { attempts, due, ..delivery })
}

/// The number of bytes to derive.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}
