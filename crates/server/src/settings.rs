//! The settings of a server.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::mail::MailSettings;
use crate::store::without_password;
use crate::time::Time;

/// The settings of a server. The defaults suit a club of friends.
#[derive(Clone)]
pub struct Settings {
    /// The database: a file for SQLite, or `postgres://…`.
    pub database: String,
    /// The NATS server that connects several nodes, if there are several.
    pub nats: Option<String>,
    /// The key that signs cookies, at least 32 bytes. All nodes must have the same.
    pub secret: Vec<u8>,
    /// The file that the secret was read from, if it was one; for [`check`](crate::check()) only.
    pub secret_file: Option<PathBuf>,
    /// The public URL, such as `https://stoa.example`. With `https`, cookies are marked `Secure`. Without
    /// a public URL the server trusts the `Host` that browsers send.
    pub public_url: Option<String>,
    /// Whether to take the addresses of clients from `X-Forwarded-For`: only behind a proxy.
    pub behind_proxy: bool,
    /// The rate limit: requests a second that an address may make on average. `None` means no limits,
    /// except on checking passwords.
    pub rate: Option<u32>,
    /// How long a client may take to send the head of a request, to send its body, and to read any part
    /// of a response. An idle connection is closed after the same time.
    pub client_timeout: Duration,
    /// Where Web Push messages may be sent.
    pub push: PushPolicy,
    /// How mail is sent; without it none is. Links in mail lead to the public URL, which must be set then.
    pub mail: Option<MailSettings>,
    /// Who may write free text in games.
    pub talk: TalkPolicy,
    /// How many games the engine's levels play at the same time, on all nodes together. Beyond that
    /// challenges to them are refused.
    pub max_engine_games: u32,
    /// How long a worker searches each position of a game that it reviews, if the game is not too long.
    pub review_time: Duration,
    /// The source of the current time.
    pub time: Time,
    /// A longer gap between heartbeats is a downtime, during which players' clocks stand still. `None`
    /// means that clocks never do.
    pub max_heartbeat_gap: Option<Duration>,
    /// Whether another process serves the same database and is about to stop, as during an upgrade. Then
    /// the service was not down, and what the other process still commits is looked for.
    pub takes_over: bool,
    /// Where an engine keeps its tablebases, and other data; for messages only.
    pub data: Option<PathBuf>,
}

/// Where Web Push messages may be sent. Browsers choose the endpoint, so anyone can name any address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushPolicy {
    /// Nothing is sent.
    Disabled,
    /// To addresses of the public internet, over `https`.
    PublicAddresses,
    /// To any address, even without TLS: for tests.
    AnyAddress,
}

/// Who may write free text in games. Ready-made phrases are always allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TalkPolicy {
    /// Phrases only.
    #[default]
    Phrases,
    /// Free text between the two players of a game.
    Players,
    /// Free text between the players, and among viewers.
    Everybody,
}

/// Without secrets.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("database", &without_password(&self.database))
            .field("nats", &self.nats.as_deref().map(without_password))
            .field("public_url", &self.public_url)
            .field("behind_proxy", &self.behind_proxy)
            .field("rate", &self.rate)
            .field("client_timeout", &self.client_timeout)
            .field("push", &self.push)
            .field("mail", &self.mail)
            .field("talk", &self.talk)
            .field("max_heartbeat_gap", &self.max_heartbeat_gap)
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// Whether people reach the server by https.
    pub(crate) fn is_https(&self) -> bool {
        self.public_url.as_deref().is_some_and(|url| url.starts_with("https:"))
    }

    /// The default settings with this database and this secret.
    pub fn new(database: impl Into<String>, secret: Vec<u8>) -> Settings {
        Settings {
            database: database.into(),
            nats: None,
            secret,
            secret_file: None,
            public_url: None,
            behind_proxy: false,
            rate: Some(20),
            client_timeout: Duration::from_secs(30),
            push: PushPolicy::PublicAddresses,
            mail: None,
            talk: TalkPolicy::default(),
            max_engine_games: 200,
            review_time: Duration::from_millis(300),
            time: Time::System,
            max_heartbeat_gap: Some(Duration::from_secs(3)),
            takes_over: false,
            data: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let mut settings = Settings::new("postgres://me:hidden@host/db", b"hidden".to_vec());
        settings.nats = Some("nats://me:hidden@host".to_owned());
        let mail = MailSettings::new("smtps://me:hidden@host", "stoa@club.example");
        settings.mail = Some(mail.expect("a mail server"));
        let shown = format!("{settings:?}");
        assert!(shown.contains("postgres://…@host/db"), "{shown}");
        assert!(!shown.contains("hidden") && !shown.contains("104, 105"), "{shown}");
    }
}
