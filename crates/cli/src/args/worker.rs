//! The options of workers.

use clap::Args;

use super::connection::Connection;

pub(super) const WORKER_HELP: &str = "\
Examples:
  stoa admin workers create 'the machine in the attic'
                                 on the server's machine: prints the token
  STOA_TOKEN=… stoa worker --server https://stoa.example
                                 on any machine
  stoa worker --server http://127.0.0.1:8473 --token-file token --jobs 4

Ctrl-C ends the worker; its jobs are given back. A worker that is killed loses
nothing either: another one starts its jobs again, some seconds later.";

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) connection: Connection,

    /// How many games it reviews at the same time [default: one less than there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
}
