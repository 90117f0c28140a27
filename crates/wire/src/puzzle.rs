//! Puzzles that people have solved.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

/// A solved puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SolvedPuzzle {
    /// The id of the puzzle.
    #[cfg_attr(feature = "schema", schema(example = "impasse-e54adb0b"))]
    pub puzzle: String,
    /// Whether at the first attempt and without help.
    pub clean: bool,
    /// When that was first reported.
    pub at: i64,
}

/// Solved puzzles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct SolvedPuzzles {
    /// The puzzles, the first that was solved first.
    pub solved: Vec<SolvedPuzzle>,
}

/// A newly solved puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSolvedPuzzle {
    /// The id of the puzzle.
    #[cfg_attr(feature = "schema", schema(example = "impasse-e54adb0b"))]
    pub puzzle: String,
    /// The moves that solved it, without the replies.
    pub moves: Vec<String>,
    /// Whether at the first attempt and without help.
    pub clean: bool,
}

/// Puzzles that were solved just now, or earlier on a device without an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewSolvedPuzzles {
    /// The puzzles, at most 50.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 50))]
    pub solved: Vec<NewSolvedPuzzle>,
}

/// How many puzzles of a game a player has solved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct PuzzleScore {
    /// The game without its options.
    #[cfg_attr(feature = "schema", schema(example = "impasse"))]
    pub game: String,
    /// How many.
    pub solved: i64,
    /// How many of them at the first attempt and without help.
    pub clean: i64,
    /// How many there are.
    pub of: i64,
}
