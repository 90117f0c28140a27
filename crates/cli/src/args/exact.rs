//! Arguments of the commands that give exact answers.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use stoa_rules::Game;
use stoa_ugi::parse_duration;

use super::{GameParser, Where};

pub(crate) const SOLVE_HELP: &str = "\
Tablebases are kept where the engine and 'stoa probe' look for them: in the
folder that STOA_TABLES names, or else in the user's data folder.

Examples:
  stoa solve colonnade           every position there is
  stoa solve colonnade --results --out colonnade.results
  stoa solve impasse             endgames of up to six stacks, in some minutes
  stoa solve impasse --stacks 5  in seconds
  stoa solve palisade:5          who wins after every first move
  stoa solve palisade:7 --memory 4096 --time 3600
                                 an hour's work on a board that takes far more

Ctrl-C stops; the same command continues where it stopped.";

/// The arguments of `stoa solve`.
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
    /// How many threads to use; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Palisade: how long to work, such as 3600 (seconds); until it is done if left out
    #[arg(short, long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Palisade: the size of the proof table, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=MAX_MEMORY))]
    pub(crate) memory: Option<u32>,
}

/// The largest proof table, in MiB.
const MAX_MEMORY: i64 = 1 << 20;

pub(crate) const PROVE_HELP: &str = "\
The first line is 'win', 'loss' or 'draw', for the player to move, or 'unknown'
if the time, the nodes or a Ctrl-C ended the search. Then a line follows that
goes to the end of the game: the winner plays as in the proof, and the loser
resists as long as possible.

Examples:
  stoa prove impasse --position '1w6/8/8/4W3/8/8/8/6b1 w'
  stoa prove palisade:5          the empty board
  stoa prove colonnade --moves '1b< 1g>' --time 60 --memory 1024
  stoa prove colonnade --position 'r/r/-/-/b/b/-/- r' --json

With --nodes instead of --time the answer is the same every time.";

/// The arguments of `stoa prove`.
#[derive(Debug, Args)]
pub(crate) struct Prove {
    #[command(flatten)]
    pub(crate) at: Where,
    /// Moves to play first, in one text
    #[arg(
        short,
        long,
        value_name = "MOVES",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) moves: String,
    /// How long it may take, such as 60 (seconds) or 100ms [default: 10 seconds without --nodes]
    #[arg(short, long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// How many positions may be searched
    #[arg(short, long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// The size of the proof table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=MAX_MEMORY))]
    pub(crate) memory: u32,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) const PROBE_HELP: &str = "\
The first words are 'win N' or 'loss N': how the position ends for the player to
move, and after how many moves of both, if the winner hurries and the loser
delays. Then every legal move follows with its value, the best first. A position
that is not in the tablebase is 'unknown'.

Examples:
  stoa solve colonnade           make the tablebase first
  stoa probe colonnade
  stoa probe colonnade 2c\\> 1b\\<  the position after some moves
  stoa probe colonnade --position '-/b/rb/br/-/rbrb/br/- r'";

/// The arguments of `stoa probe`.
#[derive(Debug, Args)]
pub(crate) struct Probe {
    #[command(flatten)]
    pub(crate) position: Where,
    /// Moves to play first
    #[arg(allow_hyphen_values = true)]
    pub(crate) moves: Vec<String>,
    /// The tablebase, instead of the one in the folder
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) const CERTIFY_HELP: &str = "\
A certificate holds the winner's reply to every move of the loser, as text that
'stoa verify' plays through with nothing but the rules.

Examples:
  stoa solve colonnade           the tablebase that has the replies
  stoa certify colonnade --out colonnade.certificate
  stoa verify colonnade.certificate";

/// The arguments of `stoa certify`.
#[derive(Debug, Args)]
pub(crate) struct Certify {
    #[command(flatten)]
    pub(crate) position: Where,
    /// The file to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The tablebase, instead of the one in the folder
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
}

/// The arguments of `stoa verify`.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The certificate; - reads standard input
    pub(crate) file: PathBuf,
}
