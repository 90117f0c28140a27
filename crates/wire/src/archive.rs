//! Games to watch, finished games, and what was played in them.

use serde::{Deserialize, Serialize};
use stoa_rules::Side;
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::{GameResult, GameSummary, display_as_word};

/// A game being played, with the number of its viewers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LiveGame {
    /// The game.
    #[serde(flatten)]
    pub game: GameSummary,
    /// The number of connections that watch it without playing in it.
    pub viewers: usize,
}

/// Games being played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct LiveGames {
    /// The games, the most watched first, then those with the latest moves.
    pub games: Vec<LiveGame>,
}

/// The state of a game that is shown as a small board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct BoardUpdate {
    /// The id of the game.
    pub game: String,
    /// The number of events the game has had.
    pub version: i64,
    /// The number of moves played.
    pub ply: usize,
    /// The position after them.
    pub position: String,
    /// The side to move; null after the end.
    #[cfg_attr(feature = "schema", schema(required, value_type = Option<crate::schema::Side>))]
    pub turn: Option<Side>,
    /// Null while the game is being played.
    #[cfg_attr(feature = "schema", schema(required))]
    pub result: Option<GameResult>,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ArchivedGame {
    /// The game.
    #[serde(flatten)]
    pub game: GameSummary,
    /// When it ended. Unlike `updated`, this never changes.
    pub ended: i64,
}

/// A page of finished games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ArchivePage {
    /// The games, those that ended last first.
    pub games: Vec<ArchivedGame>,
    /// The `cursor` of the next page; null if this is the last. A page can have few games or none although there
    /// are more: a search looks through a limited number of games at a time.
    #[cfg_attr(feature = "schema", schema(required))]
    pub next: Option<String>,
}

/// Which results to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ResultFilter {
    /// The first side has won.
    First,
    /// The second side has won.
    Second,
    /// Nobody has won.
    Draw,
    /// The player that is searched for has won.
    Won,
    /// The player that is searched for has lost.
    Lost,
}

/// Whose moves the explorer counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExplorerScope {
    /// Those of all people.
    #[default]
    People,
    /// Those of all bots.
    Bots,
    /// Your own.
    Me,
}

display_as_word!(ResultFilter, ExplorerScope);

/// What was played from a position in the finished games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Explored {
    /// The moves, the most frequent first. Moves that differ only by a symmetry of the position are one.
    pub moves: Vec<ExploredMove>,
}

/// A move that was played from a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ExploredMove {
    /// The move in the game's notation, as it is played in the position that was asked about.
    #[serde(rename = "move")]
    pub text: String,
    /// In how many games the side that played it won.
    pub won: i64,
    /// In how many games nobody won.
    pub drawn: i64,
    /// In how many games the side that played it lost.
    pub lost: i64,
    /// The id of the latest game in which it was played.
    pub game: String,
}
