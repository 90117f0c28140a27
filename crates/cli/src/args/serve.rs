//! The options of the server.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use stoa_ugi::parse_duration;

pub(super) const SERVE_HELP: &str = "\
Examples:
  stoa serve                     then open the address that it prints
  stoa serve --listen 9000       on another port
  stoa serve --listen 0.0.0.0:8473
                                 for other machines, too
  stoa serve --database postgres://stoa@db/stoa --nats nats://bus:4222
                                 as one of several equal nodes
  stoa serve --check             check the options, and start nothing
  stoa serve backup club.db      copy the database while it is in use
  stoa serve check-backup club.db
                                 whether a copy can be used
  stoa serve restore club.db     replace the database by a copy

Every option can be set in three places: on the command line, as an environment
variable, or in the file that --config names, one `option = value` per line (TOML,
such as listen = \"0.0.0.0:8473\"). The command line comes first, then the
environment, then the file.

Browsers keep the app for use offline only if it comes from this machine or
over https.";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Serve {
    #[command(subcommand)]
    pub(crate) instead: Option<Instead>,

    #[command(flatten)]
    pub(crate) options: ServeOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Instead {
    /// Copy the SQLite database to a new file while servers may be using it
    Backup {
        /// The file to write; it must not exist yet
        file: PathBuf,

        #[command(flatten)]
        place: DatabasePlace,
    },
    /// Check whether a copy of a database can be used: replays every game
    CheckBackup {
        /// The copy
        file: PathBuf,
    },
    /// Replace the SQLite database by a copy; the server must not be running
    Restore {
        /// The copy, which is checked first
        file: PathBuf,

        #[command(flatten)]
        place: DatabasePlace,
    },
}

/// Where a server's database is.
#[derive(Debug, Args)]
pub(crate) struct DatabasePlace {
    /// The folder with the server's data; under systemd /var/lib/stoa
    #[arg(long, value_name = "FOLDER", env = "STOA_DATA", global = true)]
    pub(crate) data: Option<PathBuf>,

    /// The database, if it is not the one in the folder
    #[arg(long, value_name = "FILE", env = "STOA_DATABASE", hide_env_values = true, global = true)]
    pub(crate) database: Option<String>,

    /// The file with the server's options
    #[arg(long, value_name = "FILE", env = "STOA_CONFIG", global = true)]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ServeOptions {
    /// The address and port to listen on; a port alone is for this machine only [default: 127.0.0.1:8473]
    #[arg(short, long, value_name = "ADDRESS", env = "STOA_LISTEN", value_parser = address)]
    pub(crate) listen: Option<SocketAddr>,

    /// The folder for the database and the secret [default: the user's data folder]
    #[arg(long, value_name = "FOLDER", env = "STOA_DATA")]
    pub(crate) data: Option<PathBuf>,

    /// The database: a file (SQLite), or postgres://… [default: stoa.db in the data folder]
    #[arg(long, value_name = "ADDRESS", env = "STOA_DATABASE", hide_env_values = true)]
    pub(crate) database: Option<String>,

    /// The NATS server that connects several nodes
    #[arg(long, value_name = "ADDRESS", env = "STOA_NATS", hide_env_values = true)]
    pub(crate) nats: Option<String>,

    /// A file with the key that signs cookies, 32 bytes or more, the same on all nodes
    /// [default: generated once, in the data folder; or the variable STOA_SECRET]
    #[arg(long, value_name = "FILE", env = "STOA_SECRET_FILE")]
    pub(crate) secret_file: Option<PathBuf>,

    /// The address at which people reach the server, beginning with https:// or http://
    #[arg(long, value_name = "URL", env = "STOA_PUBLIC_URL")]
    pub(crate) public_url: Option<String>,

    /// Take clients' addresses from X-Forwarded-For: only behind a proxy that sets it
    #[arg(long, env = "STOA_BEHIND_PROXY", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) behind_proxy: Option<bool>,

    /// The rate limit: requests a second from one address, on average; 0 means none [default: 20]
    #[arg(long, value_name = "N", env = "STOA_RATE")]
    pub(crate) rate: Option<u32>,

    /// Whether the engine's ten levels can be challenged on this server [default: true]
    #[arg(long, value_name = "BOOL", env = "STOA_ENGINE")]
    pub(crate) engine: Option<bool>,

    /// What people may write in games besides ready-made phrases: nothing (phrases), free text between the two
    /// players (players), and also among viewers (everybody) [default: phrases]
    #[arg(long, value_name = "WHO", env = "STOA_TALK")]
    pub(crate) talk: Option<TalkWords>,

    /// Whether this server makes the computer reviews that people ask for, when the machine is
    /// idle; `stoa worker` makes them on other machines [default: true]
    #[arg(long, value_name = "BOOL", env = "STOA_REVIEWS")]
    pub(crate) reviews: Option<bool>,

    /// How long a review searches each position [default: 300ms]
    #[arg(long, value_name = "TIME", env = "STOA_REVIEW_TIME", value_parser = parse_duration)]
    pub(crate) review_time: Option<Duration>,

    /// The mail server, as smtps://USER:PASSWORD@HOST (TLS) or smtp://USER:PASSWORD@HOST (STARTTLS; on this
    /// machine without); without it no mail is sent. Others see the command line: prefer STOA_MAIL_URL
    #[arg(long, value_name = "URL", env = "STOA_MAIL_URL", hide_env_values = true)]
    pub(crate) mail_url: Option<String>,

    /// The sender of mail, such as "Stoa <stoa@example.org>"
    #[arg(long, value_name = "ADDRESS", env = "STOA_MAIL_FROM")]
    pub(crate) mail_from: Option<String>,

    /// The format of logs: text or json [default: text]
    #[arg(long, value_name = "FORM", env = "STOA_LOG_FORM")]
    pub(crate) log_form: Option<LogForm>,

    /// The level of logs: error, warn, info, debug or trace [default: info]
    #[arg(long, value_name = "LEVEL", env = "STOA_LOG")]
    pub(crate) log: Option<String>,

    /// Check this set-up and start nothing; exit with code 1 if the server could not work
    #[arg(long)]
    pub(crate) check: bool,

    /// Read options from a file; the command line and the environment come first
    #[arg(long, value_name = "FILE", env = "STOA_CONFIG")]
    pub(crate) config: Option<PathBuf>,
}

/// Who may write free text in games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TalkWords {
    /// Nobody: ready-made phrases only
    Phrases,
    /// The two players of a game
    Players,
    /// The players, and viewers among themselves
    Everybody,
}

/// The format of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogForm {
    /// Lines for people
    Text,
    /// One JSON object per line, for programs
    Json,
}

/// Reads an address as people write it.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let local = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let address = local.as_deref().unwrap_or(text).parse();
    address.map_err(|_| "write an address such as 127.0.0.1:8473, or a port such as 8473".into())
}
