//! The command line of `report`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use stoa_report::plan::Share;
use stoa_rules::Game;
use stoa_ugi::parse_duration;

pub(super) const REPORT_HELP: &str = "\
Examples:
  stoa report palisade:9 --out reports
                                 play 20 rounds of games, and write the pages
  stoa report all --time 8m --play-only --out reports
                                 play all boards of the usual report for 8 minutes
  stoa report palisade:5 palisade:7 --rounds 100 --out reports
                                 two sizes, and how they compare
  stoa report impasse --rounds 200 --share 2/4 --play-only --out reports
                                 the second of four machines
  stoa report all --write-only --out reports
                                 the pages of all games that have been played

The games are kept in OUT/parts. Ctrl-C keeps the finished ones, and the same command
continues where it stopped. Put parts from other machines beside them. With the same
seed game number N is always the same, on any number of threads. docs/reports/README.md
says what the figures mean.";

#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The ids of the games, such as impasse or palisade:9; all for the usual report
    #[arg(value_name = "GAME", required = true, value_parser = which)]
    pub(crate) games: Vec<Which>,
    /// The folder for the pages; games are kept in its folder parts
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// How many rounds of 30 games the parts have in the end; 20 if no time is given either
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) rounds: Option<u64>,
    /// How long to play, all games together, such as 8m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Which of several machines this is, such as 2/4: each plays its share of the games
    #[arg(long, value_name = "K/N", default_value_t)]
    pub(crate) share: Share,
    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// How many games are played at the same time; as many as there are cores if left out
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
    /// The program that the pages name as their source; this one with its version if left out
    #[arg(long, value_name = "TEXT", default_value = concat!("stoa ", env!("CARGO_PKG_VERSION")))]
    pub(crate) code: String,
    /// Only play: write no pages
    #[arg(long, conflicts_with = "write_only")]
    pub(crate) play_only: bool,
    /// Only write the pages, from the games that are there
    #[arg(long, conflicts_with_all = ["rounds", "time", "share", "seed"])]
    pub(crate) write_only: bool,
}

/// What to report on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which {
    /// All boards of the usual report.
    All,
    /// One game.
    One(Game),
}

fn which(text: &str) -> Result<Which, String> {
    match text {
        "all" => Ok(Which::All),
        id => id.parse().map(Which::One).map_err(|unknown| unknown.to_string()),
    }
}
