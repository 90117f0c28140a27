//! The command line: every command and option, with its help.

mod admin;
mod analysis;
mod bot;
mod connection;
mod exact;
mod matches;
mod puzzles;
mod report;
mod serve;
mod training;
mod worker;

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use stoa_engine::{Level, Strategy};
use stoa_rules::{AnyPosition, Game, PositionError};
use stoa_ugi::{MAX_HASH, MAX_SEED, MAX_THREADS};

pub(crate) use admin::Admin;
#[cfg(feature = "server")]
pub(crate) use admin::{
    AccountsCommand, AdminCommand, RatingsCommand, ReportsCommand, WorkersCommand,
};
pub(crate) use analysis::{Analyse, Effort, Review, ReviewFormat};
pub(crate) use bot::BotArgs;
#[cfg(feature = "bot")]
pub(crate) use connection::Connection;
pub(crate) use exact::{Certify, Probe, Prove, Solve, Verify};
pub(crate) use matches::{Ladder, Match, Openings};
pub(crate) use puzzles::Puzzles;
pub(crate) use report::{Report, Which as ReportOn};
pub(crate) use serve::Serve;
#[cfg(feature = "server")]
pub(crate) use serve::{DatabasePlace, Instead, LogForm, ServeOptions, TalkWords, address};
pub(crate) use training::{Book, Lessons, Samples, Selfplay};
pub(crate) use worker::WorkerArgs;

/// Play, analyse and solve abstract board games, in the terminal or in a browser.
#[derive(Debug, Parser)]
#[command(name = "stoa", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  stoa serve                     serve the web app, for your browser
  stoa play                      pick a game and play here
  stoa rules impasse             learn a game
  stoa show columna              look at a board
  stoa moves palisade:7          list the legal moves
  stoa apply colonnade '1b<' '1g>'
                                 play moves and print the position
  stoa perft impasse 5           count move sequences

A game is named by its id, such as impasse, palisade:9 or columna:points; 'stoa
games' lists all of them. Errors go to standard error, with exit code 2.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play in the terminal: against the engine, or two people at one keyboard
    #[command(after_help = "\
Examples:
  stoa play                      choose in a menu
  stoa play impasse              against the engine at level 3
  stoa play impasse --level 6 --side second
  stoa play columna --level architect --time 5
  stoa play palisade:9 --opponent human
  stoa play --load game.stoa     continue a saved game against the same opponent
  stoa play --load game.stoa --level 8

Levels: 1 Passer-by, 2 Visitor, 3 Novice, 4 Regular, 5 Student, 6 Mason,
7 Scholar, 8 Master, 9 Sage, 10 Architect.

Without colour (NO_COLOR, or TERM=dumb) the board is drawn with shapes and letters.")]
    Play(Play),
    /// Serve the web app: learn, play and analyse in a browser
    #[command(after_help = serve::SERVE_HELP)]
    Serve(Box<Serve>),
    /// Administer a server: accounts, a notice on all pages, limits
    #[command(after_help = admin::ADMIN_HELP)]
    Admin(Admin),
    /// Play on a server as a bot, with any engine that speaks UGI
    #[command(after_help = bot::BOT_HELP)]
    Bot(BotArgs),
    /// Review games for a server
    #[command(after_help = worker::WORKER_HELP)]
    Worker(WorkerArgs),
    /// List the games, their designers and options
    Games(Json),
    /// Explain the rules of a game, with diagrams
    #[command(
        after_help = "The text is in our own words; rulings on what a designer's sheet leaves open are marked R1, R2, …"
    )]
    Rules(Rules),
    /// Draw a position
    #[command(after_help = "\
Examples:
  stoa show impasse
  stoa show impasse d2-b4 e7-g5  the position after some moves
  stoa show palisade --position '3/1b1/3 w'
  stoa show columna --svg board.svg")]
    Show(Show),
    /// List the legal moves of a position, one per line
    Moves(Moves),
    /// Play moves and print the position after them as the last line
    #[command(after_help = "\
Examples:
  stoa apply impasse d2-b4 e7-g5
  stoa apply columna --position 'x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0' a4@d4")]
    Apply(Apply),
    /// Count the sequences of exactly DEPTH moves
    #[command(after_help = "\
Prints a line 'depth count' for each depth from 1 to DEPTH. With --divide,
prints how many sequences of DEPTH moves begin with each move, then the total.")]
    Perft(Perft),
    /// Play random games and print statistics
    Random(Random),
    /// Read a record, check every move, and show the game
    #[command(after_help = "\
Examples:
  stoa replay game.stoa          the moves and the last position
  stoa replay game.stoa --ply 10 the position after ten moves
  stoa replay game.stoa --check  only say whether the record is sound
  stoa replay game.stoa --canonical > clean.stoa
A file name of - reads standard input.")]
    Replay(Replay),
    /// Serve the engine to other programs over pipes (UGI)
    #[command(after_help = "\
Examples:
  stoa ugi impasse               then type help, or let a program talk to it
  stoa ugi palisade:9 --level 4 --threads 2

The protocol is UCI for any game; docs/protocol.md describes it.")]
    Ugi(Ugi),
    /// Think about a position: the best lines, and what they are worth
    #[command(after_help = analysis::ANALYSE_HELP)]
    Analyse(Analyse),
    /// Review a game: what each move was worth, what was better, and why
    #[command(after_help = analysis::REVIEW_HELP)]
    Review(Review),
    /// Prove whether a position is won, lost or drawn
    #[command(after_help = exact::PROVE_HELP)]
    Prove(Prove),
    /// Solve a game, or as much of it as can be solved
    #[command(after_help = exact::SOLVE_HELP)]
    Solve(Solve),
    /// Look up a position in a tablebase: how it ends, and what each move is worth
    #[command(after_help = exact::PROBE_HELP)]
    Probe(Probe),
    /// Write a certificate that a position is won: the winner's reply to every move
    #[command(after_help = exact::CERTIFY_HELP)]
    Certify(Certify),
    /// Check a certificate by playing all its lines, with nothing but the rules
    Verify(Verify),
    /// Measure the speed of the rules on this machine
    Bench(Bench),
    /// Tune the weights of a game's evaluation on games of the engine against itself
    #[command(after_help = "\
Examples:
  stoa tune impasse --games 2000 -o impasse.weights
  stoa tune impasse --weights impasse.weights --seed 2 -o impasse.weights
                                 another round, from the weights of the first
  stoa match impasse --a alphabeta,weights=impasse.weights --b alphabeta --games 200 --time 20ms
                                 whether they are better

The weights that the engine is built with are in crates/engine/src/games/.")]
    Tune(Tune),
    /// Play games of the engine against itself, as data for training a network
    #[command(after_help = training::SELFPLAY_HELP)]
    Selfplay(Selfplay),
    /// Turn self-played games into samples for training a network
    #[command(after_help = training::SAMPLES_HELP)]
    Samples(Samples),
    /// Play games of a policy network against itself, as samples for training the next one
    #[command(after_help = training::LESSONS_HELP)]
    Lessons(Lessons),
    /// Make an opening book of self-played games
    #[command(after_help = training::BOOK_HELP)]
    Book(Book),
    /// Play a match between two players: which is stronger, and by how much
    #[command(after_help = matches::MATCH_HELP)]
    Match(Box<Match>),
    /// Measure the gaps between the engine's levels, or calibrate them
    #[command(after_help = matches::LADDER_HELP)]
    Ladder(Ladder),
    /// Print openings for matches: different positions, none of them decided
    #[command(after_help = matches::OPENINGS_HELP)]
    Openings(Openings),
    /// Make puzzles: positions with one right move
    #[command(after_help = puzzles::PUZZLES_HELP)]
    Puzzles(Puzzles),
    /// Report what kind of game it is: fairness, length, drama, depth, openings
    #[command(after_help = report::REPORT_HELP)]
    Report(Report),
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  stoa completions bash > ~/.local/share/bash-completion/completions/stoa
  stoa completions fish > ~/.config/fish/completions/stoa.fish
  stoa completions zsh > ~/.zfunc/_stoa")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// A game and a position of it.
#[derive(Debug, Args)]
pub(crate) struct Where {
    /// The game's id, such as impasse, palisade:9 or columna:points
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// The position, in the game's notation; the start position if left out
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
}

/// Reads the id of a game, and offers the ids for completion.
#[derive(Debug, Clone, Copy)]
struct GameParser;

impl clap::builder::TypedValueParser for GameParser {
    type Value = Game;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Game, clap::Error> {
        let parsed = value.to_string_lossy().parse::<Game>();
        parsed.map_err(|unknown| command.clone().error(ErrorKind::ValueValidation, unknown))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Game::variants().map(|game| PossibleValue::new(game.to_string()))))
    }
}

impl Where {
    /// The position of the text, or the start position.
    pub(crate) fn position(&self) -> Result<AnyPosition, PositionError> {
        match &self.position {
            None => Ok(self.game.start()),
            Some(text) => self.game.position(text.trim()),
        }
    }
}

/// Which game of a file of several.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// Which game of the file, counted from 1, if it has several
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) game: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Json {
    /// Print JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// How to draw.
#[derive(Debug, Args)]
pub(crate) struct Look {
    /// Draw with ASCII characters only, without colours
    #[arg(long)]
    pub(crate) plain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// The game's id; without it, a menu opens
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Option<Game>,
    /// Begin from this position
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true, requires = "game")]
    pub(crate) position: Option<String>,
    /// Continue the game in this file
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["game", "position"])]
    pub(crate) load: Option<PathBuf>,
    /// The opponent; the engine if left out
    #[arg(short, long, value_enum)]
    pub(crate) opponent: Option<Opponent>,
    /// How strong the engine is, 1 to 10 or a name; 3 if left out
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true)]
    pub(crate) level: Option<Level>,
    /// The side you play; the first if left out, in a loaded game the side to move
    #[arg(short, long, value_enum)]
    pub(crate) side: Option<SideChoice>,
    /// The maximum time for the engine's move, in seconds
    #[arg(short, long, value_name = "S", default_value_t = 1.0, value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) time: f64,
    /// The seed of the random numbers; a new one each time if left out
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Draw with ASCII characters only, without colours
    #[arg(long)]
    pub(crate) plain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Opponent {
    /// Stoa's own engine
    Engine,
    /// A second person at this keyboard
    Human,
    /// Random legal moves
    Random,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SideChoice {
    /// The player who moves first
    First,
    /// The player who answers
    Second,
    /// Either, at random
    Random,
}

#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// The game's id
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    #[command(flatten)]
    pub(crate) look: Look,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) at: Where,
    /// Moves to play first
    #[arg(value_name = "MOVE")]
    pub(crate) moves: Vec<String>,
    #[command(flatten)]
    pub(crate) look: Look,
    /// Write an SVG picture to a file instead (- for standard output)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plain", "json"])]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) at: Where,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Apply {
    #[command(flatten)]
    pub(crate) at: Where,
    /// The moves to play, in order
    #[arg(value_name = "MOVE")]
    pub(crate) moves: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) at: Where,
    /// How many moves deep
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100), allow_negative_numbers = true)]
    pub(crate) depth: u32,
    /// For the last depth, count by first move
    #[arg(short, long)]
    pub(crate) divide: bool,
    /// How many threads to use; all cores if left out
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Random {
    #[command(flatten)]
    pub(crate) at: Where,
    /// How many games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub(crate) games: u64,
    /// The seed: the same seed gives the same games
    #[arg(short, long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The record, or - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) which: Which,
    /// Show the position after this many moves instead of the last one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) ply: Option<usize>,
    /// Only check the record, or all records of the file
    #[arg(long, conflicts_with_all = ["ply", "json", "canonical"])]
    pub(crate) check: bool,
    /// Print the record in canonical form
    #[arg(long, conflicts_with_all = ["ply", "json"])]
    pub(crate) canonical: bool,
    #[command(flatten)]
    pub(crate) look: Look,
    #[command(flatten)]
    pub(crate) json: Json,
}

/// The first settings of the engine; `setoption` can change them.
#[derive(Debug, Args)]
pub(crate) struct Ugi {
    /// The game's id
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// The level of strength, 1 to 10; full strength if left out
    #[arg(short, long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) level: Option<Level>,
    /// How many threads search
    #[arg(short, long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(i64).range(1..=MAX_THREADS), allow_negative_numbers = true)]
    pub(crate) threads: i64,
    /// The memory of the search in MiB: its transposition table or its trees
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(i64).range(1..=MAX_HASH), allow_negative_numbers = true)]
    pub(crate) hash: i64,
    /// The seed of the random numbers
    #[arg(short, long, value_name = "S", default_value_t = 0,
          value_parser = clap::value_parser!(i64).range(0..=MAX_SEED), allow_negative_numbers = true)]
    pub(crate) seed: i64,
    /// alphabeta, mcts, uct or random; the one that is best for the game if left out
    #[arg(long, value_name = "NAME")]
    pub(crate) strategy: Option<Strategy>,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Only this game
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Option<Game>,
    /// Seconds to spend on each figure
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    #[command(flatten)]
    pub(crate) json: Json,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if (0.01..=600.0).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("between 0.01 and 600 seconds".to_owned())
    }
}

#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// The game's id, such as impasse, palisade:9 or columna:points
    #[arg(value_parser = GameParser, hide_possible_values = true)]
    pub(crate) game: Game,
    /// How many games are played
    #[arg(long, value_name = "N", default_value_t = 2000, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) games: u64,
    /// How many positions the engine searches for each move
    #[arg(long, value_name = "N", default_value_t = 2000, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// The maximum number of random turns at the beginning of a game
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) random_turns: u32,
    /// How many of a thousand moves are random; about ten in each game are enough
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) explore: u32,
    /// How many games are played at the same time; as many as there are cores if left out
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: Option<u16>,
    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// How strongly the old weights hold: they count as much as this many positions
    #[arg(long, value_name = "N", default_value_t = 200.0, allow_negative_numbers = true,
          value_parser = inertia)]
    pub(crate) inertia: f64,
    /// The weights to begin with; the engine's own if left out
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// Where to write the weights; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Reads how many positions the old weights count as.
fn inertia(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(worth) if (0.0..=1e9).contains(&worth) => Ok(worth),
        _ => Err("write a number from 0 to a thousand million".to_owned()),
    }
}
