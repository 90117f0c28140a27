//! The command line of `selfplay`, `samples`, `lessons` and `book`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use stoa_rules::Game;
use stoa_ugi::parse_duration;

use super::GameParser;

pub(super) const SELFPLAY_HELP: &str = "\
Examples:
  stoa selfplay impasse --games 20000 --out impasse-1.games
  stoa selfplay impasse --seconds 90 --out impasse-2.games --seed 2 \\
                --evaluation impasse-1.net

The games are data for training a network; training/README.md explains how.
Ctrl-C keeps the finished games, and the same command continues where it stopped.
With the same seed and options game number N is always the same.";

pub(super) const SAMPLES_HELP: &str = "\
Example:
  stoa samples impasse --out impasse.samples impasse-1.games impasse-2.games

training/train.py learns from samples.";

pub(super) const LESSONS_HELP: &str = "\
Examples:
  stoa lessons palisade:9 --network palisade.net --seconds 600 --out palisade.lessons
  stoa lessons palisade:9       another program judges the positions, over standard input and output

training/policy_rounds.py plays lessons and learns from them.
Ctrl-C keeps the finished games, and the same command continues: no game is played twice.
With the same network, seed and searches game number N is always the same.";

pub(super) const BOOK_HELP: &str = "\
Example:
  stoa book impasse --out impasse.book impasse.games

The games are those of `stoa selfplay` or the parts of `stoa report`. The explorer of the page shows the book of a game as
\"the engine against itself\".";

#[derive(Debug, Args)]
pub(crate) struct Selfplay {
    /// The game's id, such as impasse or columna:points
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// The file of games; games are appended if it exists
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// How many games the file has in the end
    #[arg(long, value_name = "N", default_value_t = 10_000_000, allow_negative_numbers = true,
          hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: u64,
    /// How long to play
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true)]
    pub(crate) seconds: Option<Duration>,
    /// How many positions the engine searches for each move
    #[arg(long, value_name = "N", default_value_t = 1500, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// The maximum number of random turns at the beginning of a game
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) random_turns: u32,
    /// How many of a thousand later moves are random
    #[arg(long, value_name = "N", default_value_t = 40, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) explore: u32,
    /// In how many of a thousand positions a random move is tried on the side, and the position
    /// after it searched
    #[arg(long, value_name = "N", default_value_t = 150, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) aside: u32,
    /// How many games are played at the same time; as many as there are cores if left out
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// How positions are judged: terms (hand-made), net (learned), best (learned where the game
    /// has a network, otherwise hand-made) or the file of a network
    #[arg(long, value_name = "WHICH", default_value = "best")]
    pub(crate) evaluation: String,
}

#[derive(Debug, Args)]
pub(crate) struct Samples {
    /// The game's id, such as impasse or columna:points
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// The file of samples to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Files of self-played games
    #[arg(value_name = "GAMES", required = true)]
    pub(crate) games: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Lessons {
    /// The game's id, such as palisade:9
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// Append samples to this file. Without it, another program judges the positions and gets the
    /// samples, over standard input and output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The policy network that plays: net (the engine's own) or a file
    #[arg(long, value_name = "WHICH", default_value = "net", requires = "out")]
    pub(crate) network: String,
    /// How long new games are begun; those that have begun are played to their end
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true,
          requires = "out")]
    pub(crate) seconds: Option<Duration>,
    /// How many positions a full search judges; its moves are what is learned
    #[arg(long, value_name = "N", default_value_t = 160, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(2..=32_767))]
    pub(crate) full: u32,
    /// How many positions a quick search judges
    #[arg(long, value_name = "N", default_value_t = 32, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(2..=32_767))]
    pub(crate) quick: u32,
    /// How many turns in 1,000 use a full search
    #[arg(long, value_name = "N", default_value_t = 300, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) full_share: u32,
    /// How many of a thousand moves are random
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=900))]
    pub(crate) explore: u32,
    /// How many games each thread plays at a time
    #[arg(long, value_name = "N", default_value_t = 16, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) batch: u16,
    /// How many threads play; as many as there are cores if left out
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Book {
    /// The game's id, such as impasse or columna:points
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// The book to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Leave out positions that fewer games have reached
    #[arg(long, value_name = "N", default_value_t = 2, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_games: u32,
    /// Files of self-played games
    #[arg(value_name = "GAMES", required = true)]
    pub(crate) games: Vec<PathBuf>,
}
