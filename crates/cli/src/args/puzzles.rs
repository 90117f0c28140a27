//! The command line of `puzzles`.

use std::path::PathBuf;

use clap::Args;
use stoa_rules::Game;

use super::GameParser;

pub(super) const PUZZLES_HELP: &str = "\
Puzzles are looked for in games that the engine plays against itself at low
levels. In each one move alone is right; that it is, and that every other move
is wrong, is proven where 'certainty' is 'proven'. Where it is 'move', the move
is proven to win and the others are clearly worse after a long search; where it
is 'others', every other move is proven to lose.

Examples:
  stoa puzzles colonnade         ten puzzles as JSON
  stoa puzzles impasse --count 40 --out impasse.json
  stoa puzzles palisade:7 --seed 2 --games 500 --out palisade-7.json

Ctrl-C stops and prints what was found. The same seed finds the same puzzles, on
any number of threads.";

/// Which puzzles are to be made.
#[derive(Debug, Args)]
pub(crate) struct Puzzles {
    /// The game's id
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// How many puzzles
    #[arg(short, long, value_name = "N", default_value_t = 10, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) count: u32,
    /// In how many games to look for them at most
    #[arg(long, value_name = "N", default_value_t = 1_000, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    /// What chance depends on
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads work; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// The file to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
