//! How a server is to run.

use std::path::PathBuf;

use crate::time::Time;

/// How a server is to run. Whatever is not set has a default that serves a club of friends.
#[derive(Debug, Clone)]
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
    /// Requests a second that an address may make on average; nothing means no limit.
    pub rate: Option<u32>,
    /// Where the hour comes from.
    pub time: Time,
    /// Gaps in the service of up to so many milliseconds count as time for the clocks, longer ones do
    /// not. Without it all time counts.
    pub longest_delay: Option<i64>,
    /// Where an engine keeps its tables, and other data; for messages only.
    pub data: Option<PathBuf>,
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
            time: Time::System,
            longest_delay: Some(3000),
            data: None,
        }
    }
}
