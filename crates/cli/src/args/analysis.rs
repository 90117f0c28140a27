//! The command line of `analyse` and `review`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use stoa_ugi::parse_duration;

use super::{Look, Where, Which};

pub(super) const ANALYSE_HELP: &str = "\
Examples:
  stoa analyse impasse           the start position, for five seconds
  stoa analyse impasse d2-b4 --lines 3 --time 20
  stoa analyse columna --position 'x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0' --explain
  stoa analyse colonnade --depth 12 --json

Ctrl-C stops and prints the best found so far. A score of 400 points means
winning ten games out of eleven. With --nodes or --depth and --threads 1 the
answer is the same every time.";

pub(super) const REVIEW_HELP: &str = "\
Examples:
  stoa review game.stoa          the moves with values, mistakes and reasons
  stoa review game.stoa --time 2 more thought for every move
  stoa review game.stoa --format svg -o game.svg
                                 a graph of the game
  stoa review game.stoa --annotate reviewed.stoa
                                 the record with the review as comments
  stoa review games.stoa --game 3
                                 a game of a match

A file name of - reads standard input. Ctrl-C ends the review and keeps what it
has; it begins with the last move, because later positions explain earlier ones.";

#[derive(Debug, Args)]
pub(crate) struct Analyse {
    #[command(flatten)]
    pub(crate) at: Where,
    /// Moves to play first
    #[arg(value_name = "MOVE")]
    pub(crate) moves: Vec<String>,
    /// How many lines to show, best first
    #[arg(short, long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=100), allow_negative_numbers = true)]
    pub(crate) lines: u16,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// How many turns to look ahead
    #[arg(short, long, value_name = "N", group = "limit", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) depth: Option<u32>,
    /// Show what the evaluation sees in the position, term by term
    #[arg(short, long)]
    pub(crate) explain: bool,
    /// Print JSON, for programs: a line whenever something new is found, the last one final
    #[arg(long)]
    pub(crate) json: bool,
}

/// How hard to think.
#[derive(Debug, Args)]
pub(crate) struct Effort {
    /// How long to think, such as 2 (seconds) or 100ms [default: 5 seconds to analyse, half a
    /// second for each position of a review]
    #[arg(short, long, value_name = "TIME", group = "limit", value_parser = parse_duration,
          allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// How many positions to search, or playouts to make
    #[arg(short, long, value_name = "N", group = "limit", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// How positions are judged: terms (hand-made), net (learned), best (learned where the game
    /// has a network, otherwise hand-made) or the file of a network
    #[arg(long, value_name = "WHICH", default_value = "best")]
    pub(crate) evaluation: String,
}

#[derive(Debug, Args)]
pub(crate) struct Review {
    /// The record, or - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) effort: Effort,
    /// What to write: text for people, JSON for programs, or a graph as an SVG picture
    #[arg(short, long, value_enum, default_value_t = ReviewFormat::Text)]
    pub(crate) format: ReviewFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Also write the record with the review as signs and comments
    #[arg(short, long, value_name = "OUT.stoa")]
    pub(crate) annotate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ReviewFormat {
    /// The moves with their values, and a summary
    Text,
    /// Everything, for programs
    Json,
    /// A graph of who was winning
    Svg,
}
