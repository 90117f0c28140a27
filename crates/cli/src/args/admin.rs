//! The options of `stoa admin`.

use clap::{Args, Subcommand};

use super::serve::{DatabasePlace, ServeOptions};

pub(super) const ADMIN_HELP: &str = "\
Examples:
  stoa admin accounts --data /var/lib/stoa
                                 everybody who can sign in
  stoa admin accounts close Zeno nobody can sign in as Zeno; games stay
  stoa admin banner 'Back at six, after an upgrade'
                                 all pages show this line within seconds
  stoa admin banner --clear
  stoa admin limits              what the server allows, with the same options
  stoa admin limits rate 5       fewer requests, within seconds; --reset undoes it
  stoa admin ratings rebuild     all ratings again, from the games
  stoa admin reports             what players have reported
  stoa admin reports remove ID   remove what was said; the report is settled
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
    /// Show the line that all pages have, set it, or remove it
    Banner {
        /// One line of plain text
        #[arg(conflicts_with = "clear")]
        text: Option<String>,

        /// Remove the line
        #[arg(long)]
        clear: bool,

        #[command(flatten)]
        place: DatabasePlace,
    },
    /// Show the limits of a server that has these options, or change one while servers run
    Limits {
        /// A limit to change, by the name in brackets
        name: Option<String>,

        /// What it is from now on, on all servers with this database
        #[arg(requires = "name")]
        value: Option<i64>,

        /// Go back to what the server's options say
        #[arg(long, requires = "name", conflicts_with = "value")]
        reset: bool,

        #[command(flatten)]
        options: Box<ServeOptions>,
    },
    /// List what players have reported, and settle it
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
        /// What it is called, such as the name of its machine
        label: String,
    },
    /// Revoke the token of a worker; what it is doing waits for another
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
    /// List the reports that nobody has settled, oldest first
    List,
    /// Remove what was said, and settle the report
    Remove {
        /// The id of the report
        id: String,
    },
    /// Settle a report without doing anything about it
    Dismiss {
        /// The id of the report
        id: String,
    },
    /// Remove everything that a player has said in games
    RemoveAll {
        /// The name that the account signs in with, or a player's id
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AccountsCommand {
    /// List everybody who can sign in, those seen last first
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
