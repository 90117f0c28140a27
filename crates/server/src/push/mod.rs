//! Messages to browsers that are closed (Web Push): it is your move, somebody challenges you.
//!
//! Only games without a clock are worth waking somebody for, and only players who have no connection to
//! this node. Nobody waits for a push service: messages queue up here, and when the queue is full, more are
//! dropped. The page shows the truth whenever it is opened.
//!
//! | file | what |
//! |---|---|
//! | `keys.rs` | by what push services know us |
//! | `encryption.rs` | messages that only the browser can read |
//! | `words.rs` | what they say |
//! | `delivery.rs` | to which addresses they may go, and how |

mod delivery;
mod encryption;
mod keys;
mod words;

use std::sync::Arc;
use std::time::Duration;

use axum::http::{Request, header};
use http_body_util::Full;
use hyper::body::Bytes;
use ring::hkdf::KeyType;
use tokio::sync::{Semaphore, mpsc};

use self::delivery::{Courier, Delivered};
use self::words::Occasion;
use crate::hub::{Hub, Topic};
use crate::play::{Control, Event};
use crate::settings::PushTo;
use crate::store::{PushRow, Store, StoreError};
use crate::time::Time;
use crate::wire::{Challenge, GameCard, Message};

pub(crate) use delivery::endpoint;
pub(crate) use encryption::Recipient;
pub(crate) use keys::Key;
pub(crate) use words::Notice;

/// Messages that may wait to be sent.
const MOST_WAITING: usize = 1024;
/// How many are being sent at once.
const AT_ONCE: usize = 16;
/// How many may wait to be sent again.
const MOST_AGAIN: usize = 256;
/// After how long a message is sent again that was not taken. Then it is given up.
const AGAIN: [Duration; 3] =
    [Duration::from_secs(2), Duration::from_secs(15), Duration::from_secs(120)];
/// Push services that ask for more patience are not asked again.
const LONGEST_WAIT: u64 = 600;
/// How long a push service keeps a message for a browser that is away, in seconds.
const KEPT: u32 = 24 * 3600;

/// A message on its way.
#[derive(Debug, Clone)]
struct Letter {
    player: String,
    occasion: Occasion,
    /// The version of the game that it is about.
    version: Option<i64>,
    /// To one browser only, when it is sent again.
    only: Option<PushRow>,
    attempts: usize,
}

/// Where messages are posted.
#[derive(Debug, Clone)]
pub(crate) struct Letterbox {
    letters: mpsc::Sender<Letter>,
}

impl Letterbox {
    /// What a player who is away should know of a message to them, if anything.
    pub(crate) fn consider(&self, player: &str, message: &Message) {
        let (occasion, version) = match message {
            Message::Yours { game, event } => match turn(player, game, event.as_ref()) {
                Some(occasion) => (occasion, Some(game.version)),
                None => return,
            },
            Message::Challenged { challenge } => match challenged(player, challenge) {
                Some(occasion) => (occasion, None),
                None => return,
            },
            _ => return,
        };
        self.post(Letter { player: player.to_owned(), occasion, version, only: None, attempts: 0 });
    }

    fn post(&self, letter: Letter) {
        if self.letters.try_send(letter).is_err() {
            metrics::counter!("stoa_pushes_total", "result" => "dropped").increment(1);
        }
    }
}

/// It has become the player's turn in a game without a clock.
fn turn(player: &str, game: &GameCard, event: Option<&Event>) -> Option<Occasion> {
    let is_new = matches!(event, None | Some(Event::Moved { .. } | Event::TakenBack { .. }));
    let seat = game.turn?;
    let (mover, opponent) = (&game.players[seat.index()], &game.players[seat.other().index()]);
    let wanted = is_new && !matches!(game.control, Control::Clock { .. }) && mover.id == player;
    wanted.then(|| Occasion::Turn {
        game: game.id.clone(),
        rules: game.game.clone(),
        opponent: opponent.name.clone(),
    })
}

/// The player has been challenged.
fn challenged(player: &str, challenge: &Challenge) -> Option<Occasion> {
    let is_theirs = challenge.opponent.as_ref().is_some_and(|opponent| opponent.id == player);
    (is_theirs && challenge.state == "open").then(|| Occasion::Challenged {
        challenge: challenge.id.clone(),
        rules: challenge.game.clone(),
        from: challenge.creator.name.clone(),
    })
}

/// Sends what is in the letterbox.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    store: Store,
    hub: Arc<Hub>,
    time: Time,
    key: Arc<Key>,
    courier: Courier,
    letterbox: Letterbox,
    again: Arc<Semaphore>,
}

impl Post {
    /// A letterbox and who empties it; nothing where nothing is to be sent.
    pub(crate) fn open(
        store: Store,
        hub: Arc<Hub>,
        time: Time,
        key: Arc<Key>,
        to: PushTo,
    ) -> Option<(Letterbox, impl Future<Output = ()> + Send + use<>)> {
        if to == PushTo::Nowhere {
            return None;
        }
        let courier = Courier::new(to)
            .inspect_err(|error| tracing::error!(%error, "no messages to closed browsers"))
            .ok()?;
        let (letters, waiting) = mpsc::channel(MOST_WAITING);
        let letterbox = Letterbox { letters };
        let again = Arc::new(Semaphore::new(MOST_AGAIN));
        let post = Post { store, hub, time, key, courier, letterbox: letterbox.clone(), again };
        Some((letterbox, post.run(waiting)))
    }

    async fn run(self, mut letters: mpsc::Receiver<Letter>) {
        let room = Arc::new(Semaphore::new(AT_ONCE));
        while let Some(letter) = letters.recv().await {
            let Ok(room) = Arc::clone(&room).acquire_owned().await else { return };
            let post = self.clone();
            tokio::spawn(async move {
                if let Err(error) = post.send(letter).await {
                    tracing::warn!(%error, "a message to a closed browser was not sent");
                }
                drop(room);
            });
        }
    }

    async fn send(&self, letter: Letter) -> Result<(), StoreError> {
        if letter.attempts > 0 && self.is_old(&letter).await? {
            return Ok(());
        }
        let browsers = match &letter.only {
            Some(browser) => vec![browser.clone()],
            None => self.store.pushes(&letter.player).await?,
        };
        for browser in browsers {
            let delivered = match self.written(&letter.occasion, &browser) {
                Some(request) => self.courier.deliver(request).await,
                None => Delivered::Gone,
            };
            let result = match delivered {
                Delivered::Taken => "taken",
                Delivered::Gone => {
                    self.store.delete_push(&letter.player, &browser.endpoint).await?;
                    "gone"
                }
                Delivered::Later { after } => {
                    self.send_again(&letter, browser, after);
                    "later"
                }
                Delivered::Refused(status) => {
                    tracing::warn!(%status, "a push service refuses a message");
                    "refused"
                }
            };
            metrics::counter!("stoa_pushes_total", "result" => result).increment(1);
        }
        Ok(())
    }

    /// Whether what the letter says is no longer so, or is known by now.
    async fn is_old(&self, letter: &Letter) -> Result<bool, StoreError> {
        if self.hub.count(&Topic::Player(letter.player.clone())) > 0 {
            return Ok(true);
        }
        match &letter.occasion {
            Occasion::Turn { game, .. } => Ok(self.store.version(game).await? != letter.version),
            Occasion::Challenged { challenge, .. } => {
                let challenge = self.store.challenge(challenge).await?;
                Ok(challenge.is_none_or(|challenge| challenge.state != "open"))
            }
        }
    }

    fn send_again(&self, letter: &Letter, browser: PushRow, after: Option<u64>) {
        let Some(usual) = AGAIN.get(letter.attempts) else { return };
        if after.is_some_and(|after| after > LONGEST_WAIT) {
            return;
        }
        let wait = usual.max(&Duration::from_secs(after.unwrap_or(0))).to_owned();
        let Ok(room) = Arc::clone(&self.again).try_acquire_owned() else { return };
        let letter =
            Letter { only: Some(browser), attempts: letter.attempts + 1, ..letter.clone() };
        let letterbox = self.letterbox.clone();
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            letterbox.post(letter);
            drop(room);
        });
    }

    /// The request to the push service; nothing if the browser's keys or address are no good.
    fn written(&self, occasion: &Occasion, browser: &PushRow) -> Option<Request<Full<Bytes>>> {
        let uri: axum::http::Uri = browser.endpoint.parse().ok()?;
        let recipient = Recipient::new(&browser.p256dh, &browser.auth)?;
        let text = serde_json::to_vec(&occasion.in_words(&browser.language)).ok()?;
        let body = recipient.encrypt(&text)?;
        // A newer message about the same thing takes the place of one that is still waiting.
        let (Occasion::Turn { game: topic, .. } | Occasion::Challenged { challenge: topic, .. }) =
            occasion;
        Request::post(&uri)
            .header(header::AUTHORIZATION, self.key.authorization(&uri, self.time.now())?)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header("ttl", KEPT)
            .header("urgency", "normal")
            .header("topic", topic)
            .body(Full::new(Bytes::from(body)))
            .ok()
    }
}

/// How many bytes are to be derived.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}
