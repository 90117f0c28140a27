//! The command line of `puzzles`.

use std::path::PathBuf;

use clap::Args;
use stoa_rules::Game;

use super::GameParser;

pub(super) const PUZZLES_HELP: &str = "\
The puzzles come from games that the engine plays against itself at low levels.
In each, exactly one move reaches the goal; this is proven. The goal 'win' is to
win the game. In games with too many moves for such a proof it is about a few
turns: 'win-within' wins within a number of turns, and 'hold' is the only
defence against a win within a number of turns.

Examples:
  stoa puzzles colonnade         ten puzzles as JSON
  stoa puzzles impasse --count 40 --out impasse.json
  stoa puzzles palisade:7 --seed 2 --games 500 --out palisade-7.json
  stoa puzzles columna --count 44 --out columna.json

Ctrl-C stops and prints what was found. The same seed finds the same puzzles on
any number of threads.";

/// The arguments of `stoa puzzles`.
#[derive(Debug, Args)]
pub(crate) struct Puzzles {
    /// The game's id
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// How many puzzles
    #[arg(short, long, value_name = "N", default_value_t = 10, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) count: u32,
    /// The maximum number of games to search for puzzles
    #[arg(long, value_name = "N", default_value_t = 1_000, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    /// The seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads to use; as many as there are cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// The file to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
