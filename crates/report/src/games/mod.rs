//! What a report must know of each game: which of its rules may bite, how long the engine thinks, and
//! which boards belong to a report on everything. One file for each game.

mod colonnade;
mod colossus;
mod columna;
mod impasse;
mod palisade;

use serde::Serialize;
use stoa_engine::{Knowledge, Stop};
use stoa_rules::{Game, GameOptions};

use crate::exact::ExactReport;

/// A rule, or a part of one, that comes into play in some turns and not in others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// A word for programs.
    pub id: &'static str,
    /// When it bites, in a sentence that goes on from "A turn in which …".
    pub bites_when: &'static str,
}

/// What a report must know of a game. Each game implements it in its own file of `games/`.
pub trait Reported: Knowledge {
    /// The rules whose use is counted.
    const RULES: &'static [Rule];

    /// Names the rules that bite in a legal move which leads to `after`, by their places in
    /// [`RULES`](Reported::RULES); a rule may be named several times.
    fn rules(&self, mv: Self::Move, after: &Self, bites: &mut dyn FnMut(usize));

    /// How many positions (playouts, for a tree search) the weakest player looks at for a move.
    fn base_nodes(options: Self::Options) -> u64;

    /// The boards of a report on everything, and how much of the time each gets.
    fn boards() -> Vec<(Self::Options, u32)> {
        vec![(Self::Options::DEFAULT, 10)]
    }

    /// What tells this board or rule set from the game's others, in a word.
    fn board_name(_: Self::Options) -> String {
        Self::INFO.name.to_owned()
    }

    /// What is known for certain, without playing. A board that is not played at all has nothing
    /// else.
    fn exact(_: Self::Options, _: &Exactly<'_>) -> Result<Option<ExactReport>, ExactError> {
        Ok(None)
    }

    /// Whether games are played for the report.
    fn is_played(_: Self::Options) -> bool {
        true
    }
}

/// What the search for certain answers may use.
pub struct Exactly<'a> {
    /// A folder for tables.
    pub folder: &'a std::path::Path,
    /// How many threads.
    pub threads: usize,
    /// What stops it.
    pub stop: &'a Stop,
}

/// Why there is no certain answer.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    /// The table cannot be made or read.
    #[error(transparent)]
    Tablebase(#[from] stoa_solve::file::TablebaseError),
    /// It was stopped.
    #[error("stopped before the table was finished; the same command goes on")]
    Stopped,
}

/// The boards of a report on everything, and how much of the time each gets.
pub fn all_boards() -> Vec<(Game, u32)> {
    fn boards<P: Reported>(_: P::Options) -> Vec<(Game, u32)> {
        P::boards().into_iter().map(|(options, weight)| (P::game(options), weight)).collect()
    }
    let of = |game: Game| stoa_rules::dispatch!(game, |P, options| boards::<P>(options));
    Game::ALL.into_iter().flat_map(of).collect()
}

/// How much of the time a board gets among others.
pub fn weight(game: Game) -> u32 {
    all_boards().into_iter().find(|(board, _)| *board == game).map_or(10, |(_, weight)| weight)
}

/// Whether games are played for the report on a board.
pub fn is_played(game: Game) -> bool {
    stoa_rules::dispatch!(game, |P, options| <P as Reported>::is_played(options))
}

/// The rules of a game whose use is counted.
pub fn rules(game: Game) -> &'static [Rule] {
    fn of<P: Reported>(_: P::Options) -> &'static [Rule] {
        P::RULES
    }
    stoa_rules::dispatch!(game, |P, options| of::<P>(options))
}

/// What tells a board or rule set from the game's others, in a word.
pub fn board_name(game: Game) -> String {
    stoa_rules::dispatch!(game, |P, options| <P as Reported>::board_name(options))
}

/// What is known for certain of a game, if anything is.
pub fn exact(game: Game, how: &Exactly<'_>) -> Result<Option<ExactReport>, ExactError> {
    stoa_rules::dispatch!(game, |P, options| <P as Reported>::exact(options, how))
}
