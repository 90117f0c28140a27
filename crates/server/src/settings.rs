//! How a server is to run.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::store::without_password;
use crate::time::Time;

/// How a server is to run. Whatever is not set has a default that serves a club of friends.
#[derive(Clone)]
pub struct Settings {
    /// The database: a file for SQLite, or `postgres://…`.
    pub database: String,
    /// The NATS server that connects several nodes, if there are several.
    pub nats: Option<String>,
    /// What cookies are signed with, at least 32 bytes. All nodes must have the same.
    pub secret: Vec<u8>,
    /// Where people reach the server, such as `https://stoa.example`. With `https` cookies are sent
    /// over safe connections only. Without it the server takes what browsers say they have called.
    pub public_url: Option<String>,
    /// Whether the addresses of clients are taken from `X-Forwarded-For`: only behind a proxy.
    pub behind_proxy: bool,
    /// Requests a second that an address may make on average; nothing means no limit, except for
    /// guessing passwords.
    pub rate: Option<u32>,
    /// How long a client may take for the head of a request, for its body, and to take some of an
    /// answer. A connection that waits for its next request is closed after the same time.
    pub patience: Duration,
    /// Where messages for closed browsers may be sent.
    pub push: PushTo,
    /// Where the hour comes from.
    pub time: Time,
    /// Gaps in the service of up to so many milliseconds count as time for the clocks, longer ones do
    /// not. Without it all time counts.
    pub longest_delay: Option<i64>,
    /// Where an engine keeps its tables, and other data; for messages only.
    pub data: Option<PathBuf>,
}

/// Where messages for closed browsers (Web Push) may be sent. Browsers name the address, so anyone can
/// name one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushTo {
    /// No such messages are sent.
    Nowhere,
    /// To addresses of the public internet, over `https`.
    PublicAddresses,
    /// To any address, also without encryption: for tests.
    AnyAddress,
}

/// Without what is secret.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("database", &without_password(&self.database))
            .field("nats", &self.nats.as_deref().map(without_password))
            .field("public_url", &self.public_url)
            .field("behind_proxy", &self.behind_proxy)
            .field("rate", &self.rate)
            .field("patience", &self.patience)
            .field("push", &self.push)
            .field("longest_delay", &self.longest_delay)
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// The usual settings with this database and this secret.
    pub fn new(database: impl Into<String>, secret: Vec<u8>) -> Settings {
        Settings {
            database: database.into(),
            nats: None,
            secret,
            public_url: None,
            behind_proxy: false,
            rate: Some(20),
            patience: Duration::from_secs(30),
            push: PushTo::PublicAddresses,
            time: Time::System,
            longest_delay: Some(3000),
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
        let shown = format!("{settings:?}");
        assert!(shown.contains("postgres://…@host/db"), "{shown}");
        assert!(!shown.contains("hidden") && !shown.contains("104, 105"), "{shown}");
    }
}
