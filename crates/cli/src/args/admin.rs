//! The options of `stoa admin`.

use clap::{Args, Subcommand};

use super::serve::{DatabasePlace, ServeOptions};

pub(super) const ADMIN_HELP: &str = "\
Examples:
  stoa admin accounts --data /var/lib/stoa
                                 everyone who can sign in
  stoa admin accounts close Zeno nobody can sign in as Zeno; games stay
  stoa admin banner 'Back at six, after an upgrade'
                                 all pages show this notice within seconds
  stoa admin banner --clear
  stoa admin limits              the server's limits, given the same options
  stoa admin limits rate 5       fewer requests, within seconds; --reset undoes it
  stoa admin ratings rebuild     compute all ratings again, from the games
  stoa admin reports             the open reports of players
  stoa admin reports remove ID   remove the message, and settle the report
  stoa admin workers create attic
                                 a token for `stoa worker` on another machine

The servers may be running: they notice within seconds. The database is found by the
same options, variables and file as with `stoa serve`.";

#[derive(Debug, Args)]
pub(crate) struct Admin {
    #[command(subcommand)]
    pub(crate) command: AdminCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AdminCommand {
    /// List the accounts, show one, close or reopen one
    Accounts {
        #[command(subcommand)]
        command: Option<AccountsCommand>,

        #[command(flatten)]
        place: DatabasePlace,
    },
    /// Show, set or remove the notice on all pages
    Banner {
        /// One line of plain text
        #[arg(conflicts_with = "clear")]
        text: Option<String>,

        /// Remove the notice
        #[arg(long)]
        clear: bool,

        #[command(flatten)]
        place: DatabasePlace,
    },
    /// Show the limits of a server that has these options, or change one while servers run
    Limits {
        /// A limit to change, by the name in brackets
        name: Option<String>,

        /// The new value, for all servers with this database
        #[arg(requires = "name")]
        value: Option<i64>,

        /// Go back to the server's options
        #[arg(long, requires = "name", conflicts_with = "value")]
        reset: bool,

        #[command(flatten)]
        options: Box<ServeOptions>,
    },
    /// List the reports of players, and settle them
    Reports {
        #[command(subcommand)]
        command: Option<ReportsCommand>,

        #[command(flatten)]
        place: DatabasePlace,
    },
    /// List the workers that review games, create or revoke one
    Workers {
        #[command(subcommand)]
        command: Option<WorkersCommand>,

        #[command(flatten)]
        place: DatabasePlace,
    },
    /// Ratings, which are computed from the games
    Ratings {
        #[command(subcommand)]
        command: RatingsCommand,

        #[command(flatten)]
        place: DatabasePlace,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkersCommand {
    /// List the workers, with their ids
    List,
    /// Create a worker and print its token, which is not shown again
    Create {
        /// A label, such as the name of its machine
        label: String,
    },
    /// Revoke the token of a worker; its jobs wait for another
    Revoke {
        /// Its id, as `list` shows it
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum RatingsCommand {
    /// Compute all ratings again, from the games in the order in which they counted
    Rebuild,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReportsCommand {
    /// List the open reports, oldest first
    List,
    /// Remove the message, and settle the report
    Remove {
        /// The id of the report
        id: String,
    },
    /// Settle a report without doing anything about it
    Dismiss {
        /// The id of the report
        id: String,
    },
    /// Remove all messages of a player
    RemoveAll {
        /// The name that the account signs in with, or a player's id
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccountsCommand {
    /// List everyone who can sign in, those seen last first
    List,
    /// Show an account
    Show {
        /// The name that the account signs in with, or a player's id
        name: String,
    },
    /// Close an account: nobody can sign in to it; its games stay
    Close {
        /// The name that the account signs in with, or a player's id
        name: String,
    },
    /// Reopen a closed account
    Reopen {
        /// The name that the account signs in with, or a player's id
        name: String,
    },
}
