//! The options of workers.

use clap::Args;

use super::bot::server;

pub(super) const WORKER_HELP: &str = "\
Examples:
  stoa admin workers create 'the machine in the attic'
                                 on the server's machine: prints the token
  STOA_TOKEN=… stoa worker --server https://stoa.example
                                 on any machine
  stoa worker --server http://127.0.0.1:8473 --token-file token --jobs 4

Ctrl-C ends the worker; what it was doing is given back. A worker that is killed
loses nothing either: another one begins again, some seconds later.";

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// The server
    #[arg(long, value_name = "URL", env = "STOA_SERVER", value_parser = server)]
    pub(crate) server: String,

    /// The worker's token
    #[arg(long, value_name = "TOKEN", env = "STOA_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,

    /// A file with the worker's token
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    pub(crate) token_file: Option<std::path::PathBuf>,

    /// How many games it reviews at the same time [default: one less than there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
}
