//! Puzzles: positions in which one move alone does what has to be done.
//!
//! [`Maker`] looks for them in games that the engine plays against itself at low levels, where
//! chances are missed. Everything that a puzzle says is proven. In narrow games the
//! [proof search](crate::proof) settles who wins after each move. Games that can go on for long
//! without progress are too wide for that; there a search of every move and reply settles who wins
//! within a few turns, and the puzzle names their number: see [`Goal`]. [`check()`] goes through all
//! of it again.
//!
//! ```no_run
//! use stoa_engine::Stop;
//! use stoa_rules::Game;
//! use stoa_solve::puzzles::{Collection, Maker};
//!
//! let maker = Maker::new(Game::Colonnade, 1);
//! let mut collection = Collection::new(Game::Colonnade, 10);
//! for number in 0..100 {
//!     collection.add_all(maker.from_game(number, &Stop::new()));
//! }
//! assert!(collection.finish().len() <= 10);
//! ```

mod check;
mod collection;
mod forced;
mod grade;
mod judge;
mod maker;
#[cfg(test)]
mod tests;
mod urgent;

pub use check::{Complaint, check};
pub use collection::{Collection, are_alike};
pub use maker::Maker;

use stoa_rules::Game;
pub use stoa_rules::Theme;

/// A position with one right move, and how it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Puzzle {
    /// Tells it from all others; it depends on the position alone.
    pub id: String,
    /// The game with its options.
    pub game: String,
    /// The position.
    pub position: String,
    /// What the right move does.
    pub goal: Goal,
    /// How hard it is, 1 to [`MAX_GRADE`].
    pub grade: u8,
    /// What kind of move it is, where that is certain.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub theme: Option<Theme>,
    /// How many turns it takes from the position to the end of the game, both players' counted, if
    /// the winner plays as in the proof and the loser holds out; nothing where the goal says it or
    /// the proof does not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub plies: Option<u32>,
    /// The solver's turns.
    pub turns: Vec<Turn>,
    /// How the game may go on after the last of them, to be shown on request.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<String>>", optional))]
    pub rest: Vec<String>,
}

/// The highest grade.
pub const MAX_GRADE: u8 = 5;

/// One turn of the solver.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PuzzleTurn"))]
pub struct Turn {
    /// The moves that are right: one, and nothing else does it. Several may end the game in the
    /// last turn.
    pub accepted: Vec<String>,
    /// What the opponent does then: what holds out longest. Nothing after the last turn.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub reply: Option<String>,
}

/// What the right move does. It is proven that it does, and that no other move does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PuzzleGoal"))]
pub enum Goal {
    /// It wins.
    Win,
    /// It wins within this many turns of the solver, whatever the opponent does. Other moves may win
    /// later.
    WinWithin(u32),
    /// It keeps the opponent from winning within this many turns of theirs, and for another turn at
    /// least.
    Hold(u32),
}

impl Goal {
    /// How many turns of both players one must look ahead, where the goal says it.
    pub fn plies(self) -> Option<u32> {
        match self {
            Goal::Win => None,
            Goal::WinWithin(turns) => Some((2 * turns).saturating_sub(1)),
            Goal::Hold(turns) => Some(2 * turns),
        }
    }
}

/// Whether the proof search seldom comes to an end in a game, so that puzzles are about a few turns.
/// This is so where play can go on without progress until a stall rule ends it: there are always
/// moves that change little, and whatever follows them has to be looked at.
fn is_wide(game: Game) -> bool {
    game.start().view().stall.is_some()
}

/// How many positions the proof search may look at for one move: what takes longer is not proven,
/// neither when puzzles are made nor when they are checked.
pub const PROOF_NODES: u64 = 40_000;

/// The table of the proof search, in bytes; it holds more than [`PROOF_NODES`].
const PROOF_MEMORY: usize = 8 << 20;
