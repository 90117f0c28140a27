//! The options of bots.

use std::time::Duration;

use clap::Args;
use stoa_engine::Level;
use stoa_rules::Game;
use stoa_ugi::parse_duration;

use super::connection::Connection;

pub(super) const BOT_HELP: &str = "\
Examples:
  stoa bot --server https://stoa.example --level 6
                                 Stoa's engine, at a level
  stoa bot --server http://127.0.0.1:8473 --engine './mine --game {game}'
                                 another engine that speaks UGI, for every game
  stoa bot --server http://127.0.0.1:8473 --engine ./mine --games impasse

A token identifies the bot; put it into the variable STOA_TOKEN or a file, so
that it does not show in the list of processes. docs/bots.md explains how to get
one, and how to write a bot of your own. Ctrl-C ends the bot; started again, it
continues its games.";

#[derive(Debug, Args)]
pub(crate) struct BotArgs {
    #[command(flatten)]
    pub(crate) connection: Connection,

    /// A program that speaks UGI; {game} in it stands for the game, such as palisade:9
    #[arg(long, value_name = "COMMAND", required_unless_present = "level")]
    pub(crate) engine: Option<String>,

    /// Stoa's engine, at a level from 1 to 10
    #[arg(long, value_name = "LEVEL", conflicts_with = "engine")]
    pub(crate) level: Option<Level>,

    /// The games it plays, separated by commas; a name without options stands for all variants
    /// [default: everything]
    #[arg(long, value_name = "GAMES", value_delimiter = ',', value_parser = game_name)]
    pub(crate) games: Vec<String>,

    /// How many games it plays at the same time; further challenges are declined
    #[arg(long, value_name = "N", alias = "most-games", default_value_t = 4)]
    pub(crate) max_games: usize,

    /// The maximum time for a move
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub(crate) time: Duration,

    /// How many searches run at the same time [default: one less than there are cores]
    #[arg(long, value_name = "N")]
    pub(crate) searches: Option<usize>,
}

/// The name of a game, which may be without its options.
fn game_name(text: &str) -> Result<String, String> {
    text.parse::<Game>().map(|_| text.to_owned()).map_err(|error| error.to_string())
}
