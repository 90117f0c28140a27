//! Mail, where the operator has named a mail server: it is your turn, you are challenged, links to confirm an
//! address or to choose a new password.
//!
//! A notice is queued in the database under an id made of what it is about, so it is queued once, whichever node
//! it comes from, and sent once. It waits for some minutes, and is not sent if it is no longer true by then. The
//! node that sends it takes it by a lease: if it dies before it has recorded the mail server's answer, it is
//! sent again, with the same `Message-ID`. Playing never waits for any of this.
//!
//! | file | what |
//! |---|---|
//! | `settings.rs` | the mail server |
//! | `links.rs` | links that are signed |
//! | `texts.rs` | what mail says |
//! | `transport.rs` | messages, and how the mail server gets them |

mod links;
mod settings;
mod texts;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use stoa_wire::{ChallengeState, ServerMessage};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

use self::texts::Text;
use self::transport::{Delivered, Letter, MailTransport};
use crate::hub::{Hub, Topic};
use crate::ids;
use crate::monitoring::warn_folded;
use crate::push::{Notice, PushReason, notice};
use crate::store::{MailAddressRow, MailLinkRow, MailQuota, MailRow, Store, StoreError};
use crate::time::{Time, millis};

pub(crate) use links::{Links, Purpose};
pub use settings::{MailSettings, MailSettingsError};
pub(crate) use transport::proper_address;

/// How many notices may wait to be put into the database.
const MAX_INCOMING: usize = 1024;
/// How often the database is searched for mail that is due, if nothing is known of any.
const SEARCH_INTERVAL: Duration = Duration::from_secs(2);
/// How many mails are sent at the same time.
const MAX_CONCURRENT: i64 = 4;
/// How long a node has for sending a mail, before another may try.
const LEASE: Duration = Duration::from_secs(180);
/// The backoff of retries; after the last one a mail is given up.
const RETRY_BACKOFF: [Duration; 5] = [
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
    Duration::from_secs(2 * 3600),
    Duration::from_secs(6 * 3600),
];
/// How many notices a player gets within a day: of turns, and of challenges, which anyone can cause.
const MAX_TURNS_PER_DAY: i64 = 50;
const MAX_CHALLENGES_PER_DAY: i64 = 20;
/// How long the ids of sent mails are kept.
const SENT_RETENTION: Duration = Duration::from_secs(7 * 24 * 3600);
const PRUNE_INTERVAL: Duration = Duration::from_secs(600);
/// How long links are valid.
const CONFIRM_TTL: Duration = Duration::from_secs(24 * 3600);
const RESET_TTL: Duration = Duration::from_secs(3600);

/// What a mail is about. Names and addresses are looked up when it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Matter {
    Turn {
        game: String,
        /// The number of moves played.
        ply: usize,
    },
    Challenged {
        challenge: String,
    },
    Link {
        link: String,
    },
    /// The password of the account has changed.
    PasswordChanged,
    /// The account no longer has the address that this goes to.
    AddressReplaced {
        address: String,
        language: String,
    },
}

impl Matter {
    /// How many of these a player gets within a day, and how many mails may wait.
    fn quota(&self) -> MailQuota {
        MailQuota::a_day(match self {
            Matter::Challenged { .. } => MAX_CHALLENGES_PER_DAY,
            _ => MAX_TURNS_PER_DAY,
        })
    }
}

/// Something for the queue in the database.
#[derive(Debug)]
struct Incoming {
    player: String,
    id: String,
    matter: Matter,
}

/// Mail of a server that has a mail server.
#[derive(Debug)]
pub(crate) struct Mail {
    store: Store,
    hub: Arc<Hub>,
    time: Time,
    pub(crate) links: Links,
    transport: MailTransport,
    delay: Duration,
    incoming: mpsc::Sender<Incoming>,
    /// There is mail that is due at once.
    is_due: Notify,
}

/// Connects to a mail server and signs in, and sends nothing.
pub(crate) async fn test(settings: &MailSettings) -> Result<(), String> {
    let transport = MailTransport::new(settings).map_err(|error| error.to_string())?;
    transport.test().await
}

impl Mail {
    /// Mail, and the task that sends it. Links in mail lead to the public URL.
    pub(crate) fn start(
        settings: &MailSettings,
        secret: &[u8],
        public_url: &str,
        store: Store,
        hub: Arc<Hub>,
        time: Time,
    ) -> Result<(Arc<Mail>, impl Future<Output = ()> + Send + use<>), String> {
        let transport = MailTransport::new(settings).map_err(|error| error.to_string())?;
        let (incoming, queue) = mpsc::channel(MAX_INCOMING);
        let mail = Arc::new(Mail {
            store,
            hub,
            time,
            links: Links::new(secret, public_url),
            transport,
            delay: settings.delay,
            incoming,
            is_due: Notify::new(),
        });
        let worker = Arc::clone(&mail);
        Ok((mail, async move {
            tokio::join!(worker.queue(queue), worker.send_all());
        }))
    }

    /// Queues a notice for a player, if the message is worth one. Players who are online get it, too: they may
    /// be gone before their connection notices. Their presence is checked again before it is sent.
    pub(crate) fn notify(&self, player: &str, message: &ServerMessage) {
        let Some(Notice { reason, version, ply }) = notice(player, message) else { return };
        let (id, matter) = match reason {
            PushReason::Turn { game, .. } => {
                (format!("turn {game} {version} {player}"), Matter::Turn { game, ply })
            }
            PushReason::Challenged { challenge, .. } => {
                (format!("challenge {challenge} {player}"), Matter::Challenged { challenge })
            }
        };
        let incoming = Incoming { player: player.to_owned(), id, matter };
        if self.incoming.try_send(incoming).is_err() {
            metrics::counter!("stoa_mails_total", "result" => "dropped").increment(1);
        }
    }

    /// Sends a link that is good once. False if that is too often, or the player is gone.
    pub(crate) async fn send_link(
        &self,
        purpose: Purpose,
        player: &str,
        address: &str,
        language: &str,
    ) -> Result<bool, StoreError> {
        let ttl = match purpose {
            Purpose::Confirm => CONFIRM_TTL,
            Purpose::Reset => RESET_TTL,
        };
        let link = MailLinkRow {
            id: ids::long(),
            player: player.to_owned(),
            purpose: purpose.word().to_owned(),
            address: address.to_owned(),
            language: language.to_owned(),
            expires: self.time.now() + millis(ttl),
        };
        let matter = Matter::Link { link: link.id.clone() };
        let mail = self.at_once(format!("link {}", link.id), player, &matter)?;
        let added = self.store.add_mail_link(&link, &mail).await?;
        self.is_due.notify_one();
        Ok(added)
    }

    /// Notifies the owner of an account that its password was changed, if the account has an address.
    pub(crate) async fn password_changed(&self, player: &str) -> Result<(), StoreError> {
        if self.store.mail_address(player).await?.is_some() {
            let mail = self.at_once(
                format!("password {}", ids::long()),
                player,
                &Matter::PasswordChanged,
            )?;
            self.store.queue_mail(&mail, Matter::PasswordChanged.quota()).await?;
            self.is_due.notify_one();
        }
        Ok(())
    }

    /// Confirms an address, and notifies the one that it replaces. Nothing if the link is not valid.
    pub(crate) async fn confirm(&self, link: &str) -> Result<Option<MailLinkRow>, StoreError> {
        let replaced = |player: &str, MailAddressRow { address, language, .. }| {
            let matter = Matter::AddressReplaced { address, language };
            self.at_once(format!("address {}", ids::long()), player, &matter)
        };
        let confirmed = self.store.confirm_mail_address(link, self.time.now(), replaced).await?;
        self.is_due.notify_one();
        Ok(confirmed)
    }

    /// A mail that is due now.
    fn at_once(&self, id: String, player: &str, matter: &Matter) -> Result<MailRow, StoreError> {
        let now = self.time.now();
        Ok(MailRow {
            id,
            player: player.to_owned(),
            letter: serde_json::to_string(matter)?,
            created: now,
            due: now,
            attempts: 0,
        })
    }

    /// Puts notices into the database, for those who want them by mail.
    async fn queue(&self, mut queue: mpsc::Receiver<Incoming>) {
        while let Some(Incoming { player, id, matter }) = queue.recv().await {
            let queued = async {
                let address = self.store.mail_address(&player).await?;
                if !address.is_some_and(|address| wants(&address, &matter)) {
                    return Ok(false);
                }
                let now = self.time.now();
                let mail = MailRow {
                    id,
                    player,
                    letter: serde_json::to_string(&matter)?,
                    created: now,
                    due: now + millis(self.delay),
                    attempts: 0,
                };
                self.store.queue_mail(&mail, matter.quota()).await
            };
            match self.store.in_time(queued).await {
                Ok(true) if self.delay.is_zero() => self.is_due.notify_one(),
                Ok(_) => {}
                Err(error) => warn_folded!(%error, "cannot queue mail"),
            }
        }
    }

    /// Sends what is due, until the task is aborted.
    async fn send_all(self: &Arc<Mail>) {
        loop {
            let sent = match self.send_some().await {
                Ok(sent) => sent,
                Err(error) => {
                    warn_folded!(%error, "cannot look for mail to be sent");
                    0
                }
            };
            if sent == 0 {
                let _ = tokio::time::timeout(SEARCH_INTERVAL, self.is_due.notified()).await;
            }
        }
    }

    /// Sends some mails that are due; how many there were.
    async fn send_some(self: &Arc<Mail>) -> Result<usize, StoreError> {
        let due = self.store.due_mails(self.time.now(), MAX_CONCURRENT);
        let due = self.store.in_time(due).await?;
        let mut sending = JoinSet::new();
        let found = due.len();
        for row in due {
            let leased = self.store.lease_mail(&row, self.time.now() + millis(LEASE));
            match self.store.in_time(leased).await {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    warn_folded!(%error, "cannot lease a mail");
                    // Mails being sent are waited for.
                    break;
                }
            }
            let mail = Arc::clone(self);
            sending.spawn(async move { mail.send(row).await });
        }
        while let Some(done) = sending.join_next().await {
            if let Ok(Err(error)) = done {
                warn_folded!(%error, "cannot note that mail was sent");
            }
        }
        Ok(found)
    }

    /// Sends a mail, and records the result.
    async fn send(&self, row: MailRow) -> Result<(), StoreError> {
        let result = match self.attempt(&row).await? {
            None => {
                metrics::counter!("stoa_mails_total", "result" => "stale").increment(1);
                return self.store.in_time(self.store.drop_mail(&row.id)).await;
            }
            Some(Delivered::Accepted) => "accepted",
            Some(Delivered::Refused(why)) => {
                warn_folded!(why, "the mail server refused a mail permanently");
                "refused"
            }
            Some(Delivered::Later(why)) => {
                warn_folded!(why, "the mail server did not take a mail");
                let backoff = usize::try_from(row.attempts).ok().and_then(|n| RETRY_BACKOFF.get(n));
                if let Some(backoff) = backoff {
                    metrics::counter!("stoa_mails_total", "result" => "later").increment(1);
                    let due = self.time.now() + millis(*backoff);
                    return self.store.in_time(self.store.retry_mail(&row.id, due)).await;
                }
                "given_up"
            }
        };
        metrics::counter!("stoa_mails_total", "result" => result).increment(1);
        self.store.in_time(self.store.finish_mail(&row.id, self.time.now())).await
    }

    /// Gives a mail to the mail server; nothing if it is out of date, or not wanted any more.
    async fn attempt(&self, row: &MailRow) -> Result<Option<Delivered>, StoreError> {
        match self.store.in_time(self.letter(row)).await? {
            Some(letter) => Ok(Some(self.transport.send(letter).await)),
            None => Ok(None),
        }
    }

    /// What a mail says and to whom; nothing if it is out of date, or not wanted any more.
    async fn letter(&self, row: &MailRow) -> Result<Option<Letter>, StoreError> {
        let Ok(matter) = serde_json::from_str::<Matter>(&row.letter) else { return Ok(None) };
        let Some(player) = self.store.authenticated_player(&row.player).await? else {
            return Ok(None);
        };
        let name = player.player.name;
        let address = self.store.mail_address(&row.player).await?;
        let message_id = format!("{}@{}", &ids::hash(&row.id)[..32], self.links.host());
        if let Matter::Link { link } = &matter {
            let Some(link) = self.store.mail_link(link).await? else { return Ok(None) };
            let purpose = match link.purpose.as_str() {
                "confirm" => Purpose::Confirm,
                _ => Purpose::Reset,
            };
            if link.expires <= self.time.now() {
                return Ok(None);
            }
            let page = self.links.single_use(purpose, &link.id);
            let text = match purpose {
                Purpose::Confirm => Text::Confirm { name: &name, link: page },
                Purpose::Reset => Text::Reset { name: &name, link: page },
            };
            let (subject, text) = text.written(&link.language, None);
            let to = link.address;
            return Ok(Some(Letter { message_id, to, subject, text, unsubscribe: None }));
        }
        if let Matter::AddressReplaced { address, language } = &matter {
            let (subject, text) = Text::AddressReplaced { name: &name }.written(language, None);
            let to = address.clone();
            return Ok(Some(Letter { message_id, to, subject, text, unsubscribe: None }));
        }
        let Some(address) = address.filter(|address| wants(address, &matter)) else {
            return Ok(None);
        };
        if matter == Matter::PasswordChanged {
            let text =
                Text::PasswordChanged { name: &name, link: self.links.page("mail/forgotten") };
            let (subject, text) = text.written(&address.language, None);
            let to = address.address;
            return Ok(Some(Letter { message_id, to, subject, text, unsubscribe: None }));
        }
        // Players who are online by now, on whichever node, see it in the page.
        let here_until = self.store.here_until(&row.player).await?;
        if self.hub.count(&Topic::Player(row.player.clone())) > 0
            || here_until.is_some_and(|until| until > self.time.now())
        {
            return Ok(None);
        }
        let Some((subject, text, unsubscribe)) = self.notice_text(row, &matter, &address).await?
        else {
            return Ok(None);
        };
        let to = address.address;
        Ok(Some(Letter { message_id, to, subject, text, unsubscribe: Some(unsubscribe) }))
    }

    /// The subject and the text of a notice, and where one request ends such mail; nothing if it is no longer
    /// true.
    async fn notice_text(
        &self,
        row: &MailRow,
        matter: &Matter,
        address: &MailAddressRow,
    ) -> Result<Option<(String, String, String)>, StoreError> {
        let (page, request) = self.links.unsubscribe(&row.player, &address.address);
        let (subject, text) = match matter {
            Matter::Turn { game, ply } => {
                let Some(found) = self.store.game(game).await? else { return Ok(None) };
                if !found.is_turn_of(&row.player, *ply)
                    || !self.store.own_game(game, &row.player).await?.notices
                {
                    return Ok(None);
                }
                let opponent = found.players.iter().find(|player| player.id != row.player);
                let opponent = opponent.map_or("", |player| player.name.as_str());
                let link = self.links.page(&format!("game/{game}"));
                let text = Text::Turn { rules: &found.game, opponent, link };
                text.written(&address.language, Some(&page))
            }
            Matter::Challenged { challenge } => {
                let found = self.store.challenge(challenge).await?;
                let Some(found) = found.filter(|found| found.state == ChallengeState::Open) else {
                    return Ok(None);
                };
                let link = self.links.page(&format!("challenge/{challenge}"));
                let text = Text::Challenged { rules: &found.game, from: &found.creator.name, link };
                text.written(&address.language, Some(&page))
            }
            // These are not notices.
            Matter::Link { .. } | Matter::PasswordChanged | Matter::AddressReplaced { .. } => {
                return Ok(None);
            }
        };
        Ok(Some((subject, text, request)))
    }
}

/// Forgets mails sent long ago and links that have expired, until the task is aborted. Servers that no longer
/// send mail do it, too.
pub(crate) async fn prune(store: &Store, time: &Time) {
    loop {
        let now = time.now();
        let pruned = store.prune_mails(now - millis(SENT_RETENTION), now);
        if let Err(error) = store.in_time(pruned).await {
            warn_folded!(%error, "cannot forget old mail");
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

/// Whether a player wants such mail.
fn wants(address: &MailAddressRow, matter: &Matter) -> bool {
    match matter {
        Matter::Turn { .. } => address.turns,
        Matter::Challenged { .. } => address.challenges,
        Matter::Link { .. } | Matter::PasswordChanged | Matter::AddressReplaced { .. } => true,
    }
}
