//! The command line of `match`, `ladder` and `openings`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use stoa_engine::matches::Sprt;
use stoa_engine::{Clock, Limits};
use stoa_rules::Game;
use stoa_ugi::matches::Match as MatchRules;
use stoa_ugi::parallel::all_cores;
use stoa_ugi::parse_duration;
use stoa_ugi::players::PlayerSpec;

use super::{GameParser, Json};

pub(super) const MATCH_HELP: &str = "\
A player is written as words with commas between them. The first names it:
  best                  the engine at full strength
  level=5               a level of the engine, by number or name
  skill=500/200         500 nodes a move, overlooking 200 moves of 1000
  alphabeta, mcts, uct  the engine with this strategy
  careful               sees its move, the reply and nothing more: alphabeta with
                        depth=2 and evaluation=terms
  random                any legal move
  ugi:COMMAND ARGS      another program that speaks the protocol; its options
                        follow a space and a semicolon: ugi:./engine -q ;nodes=500
The other words are key=value. Limits of this player's own, which replace those
of the match: time=100ms or time=1.5 (seconds), nodes=N, depth=N, playouts=N.
Settings: threads=N, table=MB (the transposition table, 16 or less for few nodes;
or the trees, 64), tables=on (tablebases), seed=N (a new one in every game if
left out), evaluation=terms (hand-made), evaluation=net (learned) or
evaluation=FILE (a network of your own); if left out, net where the game has
one. weights=FILE (of the terms). Parts of alphabeta, on or off: reductions,
futility, pruning, quiescence. Parts of mcts: exploration=0.3, sharing=600,
priors=10, cut=N, expand=N, solver and policy on or off.

Every opening is played twice with sides swapped. Margins of error are for 95 %
confidence. With --sprt the match ends as soon as it is clear whether A is
stronger by elo1 rather than elo0; --games is then a maximum.

Examples:
  stoa match impasse --a best --b level=8 --games 200
  stoa match columna --a alphabeta,nodes=5000 --b alphabeta,nodes=5000,futility=off
  stoa match impasse --a best,weights=new.txt --b best --games 20000 \\
                     --sprt elo0=0,elo1=10 --time 50ms";

pub(super) const LADDER_HELP: &str = "\
Each level plays the one below. A step is right if the upper level scores 60 to
75 %. With --calibrate, the command searches for levels, from the highest down,
of which each scores about 67 % against the next; the highest stays as it is,
and the printed table belongs in the engine's source. Levels that search a
limited number of positions take the time they need; --time is for the others.

Examples:
  stoa ladder impasse
  stoa ladder impasse --levels 1-5 --games 200 --markdown
  stoa ladder columna --calibrate --time 200ms";

pub(super) const OPENINGS_HELP: &str = "\
Each line is an opening: moves from the start. The same seed gives the same
openings. A file of them can be given to stoa match; it may also have lines
'position TEXT' or 'position TEXT moves MOVES', and comments after #.

Examples:
  stoa openings impasse --count 100 > impasse.txt
  stoa match impasse --a best --b level=9 --openings impasse.txt";

/// How fast games are played.
#[derive(Debug, Args)]
pub(crate) struct Pace {
    /// The time for a move, such as 100ms or 1.5 (seconds); 100ms if left out
    #[arg(short, long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "clock")]
    pub(crate) time: Option<Duration>,
    /// A clock for each player: seconds for the game, and seconds added by each move
    #[arg(long, value_name = "S+S", value_parser = clock)]
    pub(crate) clock: Option<Clock>,
    /// How far a player may overrun its time without losing the game
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "1s")]
    pub(crate) margin: Duration,
    /// How many games are played at the same time; as many as there are cores if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) concurrency: Option<u16>,
    /// The seed of openings and players
    #[arg(short, long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl Pace {
    /// A match of this many pairs of games at this pace.
    pub(crate) fn match_between<'a>(
        &self,
        game: Game,
        players: [&'a PlayerSpec; 2],
        pairs: u64,
    ) -> MatchRules<'a> {
        MatchRules {
            game,
            players,
            limits: self.limits(),
            margin: self.margin,
            concurrency: self.concurrency.map_or_else(all_cores, usize::from),
            pairs,
            seed: self.seed,
            max_plies: None,
        }
    }

    /// The limits for a player that has none of its own.
    fn limits(&self) -> Limits {
        match (self.time, self.clock) {
            (_, Some(clock)) => Limits { clock: Some(clock), ..Limits::default() },
            (time, None) => Limits::time(time.unwrap_or(Duration::from_millis(100))),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Match {
    /// The game's id
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// The player whose score is reported
    #[arg(short, long, value_name = "PLAYER", default_value = "best")]
    pub(crate) a: PlayerSpec,
    /// The opponent
    #[arg(short, long, value_name = "PLAYER")]
    pub(crate) b: PlayerSpec,
    /// How many games; an odd number is rounded up
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000), allow_negative_numbers = true)]
    pub(crate) games: u64,
    #[command(flatten)]
    pub(crate) pace: Pace,
    /// Take the openings from this file (- for standard input) instead of making some
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// Score a game as a draw if it is not over after this many moves, the opening's included
    #[arg(long, value_name = "N", alias = "most-moves",
          value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub(crate) max_moves: Option<u32>,
    /// End the match when a sequential test is decided, such as elo0=0,elo1=10
    #[arg(long, value_name = "TEST")]
    pub(crate) sprt: Option<Sprt>,
    /// Write all games to this file, or one file each into this folder
    #[arg(long, value_name = "PATH")]
    pub(crate) records: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Ladder {
    /// The game's id
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// The first and the last level
    #[arg(long, value_name = "N-N", default_value = "1-10", value_parser = levels)]
    pub(crate) levels: Levels,
    /// How many games for each step (400 if left out), or for each try of --calibrate (160)
    #[arg(short = 'n', long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(2..=1_000_000), allow_negative_numbers = true)]
    pub(crate) games: Option<u64>,
    #[command(flatten)]
    pub(crate) pace: Pace,
    /// Print a table in Markdown
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// Search for levels that are the right step apart
    #[arg(long, conflicts_with_all = ["markdown", "json"])]
    pub(crate) calibrate: bool,
    /// With --calibrate, the score of each level against the one below, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 67,
          value_parser = clap::value_parser!(u8).range(55..=90), requires = "calibrate")]
    pub(crate) step: u8,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// The first and the last level.
pub(crate) type Levels = (stoa_engine::Level, stoa_engine::Level);

#[derive(Debug, Args)]
pub(crate) struct Openings {
    /// The game's id
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// How many
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000), allow_negative_numbers = true)]
    pub(crate) count: u64,
    /// The seed: the same seed gives the same openings
    #[arg(short, long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Print positions instead of moves
    #[arg(long)]
    pub(crate) positions: bool,
}

/// Reads `60+0.5` or `60`.
fn clock(text: &str) -> Result<Clock, String> {
    let (left, increment) = match text.split_once('+') {
        None => (text, None),
        Some((left, increment)) => (left, Some(increment)),
    };
    let zero = |text: &str| text.trim().parse::<f64>().is_ok_and(|seconds| seconds == 0.0);
    let read = |text| parse_duration(text).map_err(|_| "write a clock such as 60+0.5".to_owned());
    let increment = match increment.filter(|text| !zero(text)) {
        None => Duration::ZERO,
        Some(increment) => read(increment)?,
    };
    Ok(Clock { left: read(left)?, increment })
}

/// Reads `1-10`.
fn levels(text: &str) -> Result<Levels, String> {
    let (low, high) =
        text.split_once('-').ok_or_else(|| "write two levels such as 1-10".to_owned())?;
    let read = |text: &str| text.parse::<stoa_engine::Level>().map_err(|error| error.to_string());
    match (read(low)?, read(high)?) {
        (low, high) if low < high => Ok((low, high)),
        _ => Err("the first level must be lower than the second".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_have_increments() {
        let read = |text| clock(text).map(|c| (c.left.as_millis(), c.increment.as_millis()));
        assert_eq!(read("60+0.5"), Ok((60_000, 500)));
        assert_eq!(read("1"), Ok((1_000, 0)));
        assert_eq!(read("1+0"), Ok((1_000, 0)));
        for bad in ["", "+", "60+", "+1", "60+x", "0+1", "60+-1"] {
            assert!(clock(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ranges_of_levels() {
        let numbers = |text| levels(text).map(|(a, b)| (a.number(), b.number()));
        assert_eq!(numbers("1-10"), Ok((1, 10)));
        assert_eq!(numbers("novice-sage"), Ok((3, 9)));
        for bad in ["", "1", "3-3", "5-2", "0-3", "1-11", "1-2-3"] {
            assert!(levels(bad).is_err(), "{bad}");
        }
    }
}
