//! Arguments of the commands that give exact answers.

use std::path::PathBuf;

use clap::Args;
use stoa_rules::Game;

use super::GameParser;

pub(crate) const SOLVE_HELP: &str = "\
Tables are kept where the engine and 'stoa probe' look for them: in the folder
that STOA_TABLES names, or else in the user's folder for data.

Examples:
  stoa solve colonnade           every position there is
  stoa solve colonnade --results --out colonnade.results

Ctrl-C stops; the same command goes on with what was finished.";

/// What is to be solved.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// The game's id
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// The file to write, instead of one where the engine looks for it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Colonnade: keep only who wins, not after how many moves
    #[arg(long)]
    pub(crate) results: bool,
    /// How many threads work; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
}
