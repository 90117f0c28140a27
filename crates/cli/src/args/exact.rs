//! Arguments of the commands that give exact answers.

use std::path::PathBuf;

use clap::Args;
use stoa_rules::Game;

use super::{GameParser, Where};

pub(crate) const SOLVE_HELP: &str = "\
Tables are kept where the engine and 'stoa probe' look for them: in the folder
that STOA_TABLES names, or else in the user's folder for data.

Examples:
  stoa solve colonnade           every position there is
  stoa solve colonnade --results --out colonnade.results
  stoa solve impasse             endgames of up to six stacks, in some minutes
  stoa solve impasse --stacks 5  in seconds

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
    /// Impasse: up to how many stacks, 2 to 6; 6 if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    pub(crate) stacks: Option<u8>,
    /// How many threads work; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
}

pub(crate) const PROBE_HELP: &str = "\
The first words are 'win N' or 'loss N': how the position ends for the player to
move, and after how many moves of both, if the winner hastens and the loser
delays. Then every legal move follows with its value, the best first. A position
that is not in the table is 'unknown'.

Examples:
  stoa solve colonnade           make the table first
  stoa probe colonnade
  stoa probe colonnade 2c\\> 1b\\<  the position after some moves
  stoa probe colonnade --position '-/b/rb/br/-/rbrb/br/- r'";

/// Which position is to be looked up.
#[derive(Debug, Args)]
pub(crate) struct Probe {
    #[command(flatten)]
    pub(crate) position: Where,
    /// Moves to play first
    #[arg(allow_hyphen_values = true)]
    pub(crate) moves: Vec<String>,
    /// The table, instead of the one in the folder of tables
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) const CERTIFY_HELP: &str = "\
A certificate is the winner's reply to everything the loser can do, as a text
that 'stoa verify' plays through with nothing but the rules.

Examples:
  stoa solve colonnade           the table that knows the replies
  stoa certify colonnade --out colonnade.certificate
  stoa verify colonnade.certificate";

/// Which position is to be certified.
#[derive(Debug, Args)]
pub(crate) struct Certify {
    #[command(flatten)]
    pub(crate) position: Where,
    /// The file to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The table, instead of the one in the folder of tables
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
}

/// Which certificate is to be checked.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The certificate; - reads standard input
    pub(crate) file: PathBuf,
}
