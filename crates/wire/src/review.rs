//! Computer reviews of finished games: requests, the workers' jobs, and the results that everyone sees.

use serde::{Deserialize, Serialize};
use stoa_rules::Side;
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::display_as_word;

/// How far the review of a game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// Nobody has asked for it.
    None,
    /// It is waiting for a worker.
    Waiting,
    /// A worker is making it.
    Running,
    /// It is finished.
    Done,
    /// It was given up; `failure` says why. It can be asked for again.
    Failed,
}

display_as_word!(ReviewState);

/// The review of a game, or how far it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct GameReview {
    /// The id of the game.
    pub game: String,
    /// How far it has come.
    pub state: ReviewState,
    /// Whether a worker has been seen in the last minutes, so that asking makes sense.
    pub available: bool,
    /// While it waits: how many reviews come before it.
    #[cfg_attr(feature = "schema", schema(required))]
    pub before: Option<i64>,
    /// While it runs: how many of its positions have been judged.
    #[cfg_attr(feature = "schema", schema(required))]
    pub judged: Option<i64>,
    /// Why it was given up.
    #[cfg_attr(feature = "schema", schema(required))]
    pub failure: Option<String>,
    /// When it was finished.
    #[cfg_attr(feature = "schema", schema(required))]
    pub finished: Option<i64>,
    /// The review, once it is done.
    #[cfg_attr(feature = "schema", schema(required))]
    pub review: Option<Review>,
}

/// What was good and bad in a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct Review {
    /// How many moves the game has.
    pub plies: usize,
    /// The review of each of them.
    pub moves: Vec<ReviewedMove>,
    /// How the players did, the first player first.
    pub players: [ReviewedPlayer; 2],
    /// The moves, counted from zero, with which the favourite changed; if there are none, the move that
    /// cost most, if it was at least a mistake.
    pub turning_points: Vec<usize>,
    /// How probable it was that the first player wins, before the first move and after each.
    pub curve: Vec<f64>,
    /// Whether every move was reviewed.
    pub complete: bool,
}

/// The review of a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ReviewedMove {
    /// Which move of the game it is, counted from zero.
    pub ply: usize,
    /// The player who made it.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
    pub side: Side,
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// How good it was.
    pub class: MoveClass,
    /// The value of the position before the move.
    pub before: ReviewedValue,
    /// The value of the position after it.
    pub after: ReviewedValue,
    /// How much of the probability of winning it has cost.
    pub lost: f64,
    /// The best line, which begins with the move played if that was best.
    pub best: Vec<String>,
    /// How the game was expected to go on after the move played.
    pub expected: Vec<String>,
    /// The number of turns of a proven win that the move gave up.
    #[cfg_attr(feature = "schema", schema(required))]
    pub missed_win: Option<u32>,
    /// The number of turns, after this one, of a proven loss that the move allowed.
    #[cfg_attr(feature = "schema", schema(required))]
    pub allowed_loss: Option<u32>,
    /// What is wrong with the move, if something is.
    pub findings: Vec<Finding>,
    /// The findings in English sentences.
    #[cfg_attr(feature = "schema", schema(required))]
    pub reason: Option<String>,
}

/// How good a move was, by what it has cost of the probability of winning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MoveClass {
    /// There was no other move.
    Forced,
    /// No move is known to be better.
    Best,
    /// Another move is hardly better.
    Good,
    /// It has cost at least one game in twenty.
    Inaccuracy,
    /// It has cost at least one game in ten.
    Mistake,
    /// It has cost at least one game in five.
    Blunder,
}

/// The value of a position from two points of view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ReviewedValue {
    /// For the player who made the move.
    pub mover: ReviewedScore,
    /// For the player who moves first in the game.
    pub first: ReviewedScore,
}

/// What a position is worth to a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ReviewedScore {
    /// 400 are ten to one; none if the result is proven.
    #[cfg_attr(feature = "schema", schema(required))]
    pub points: Option<i32>,
    /// From 0 to 1.
    pub win_probability: f64,
    /// A result that is certain.
    #[cfg_attr(feature = "schema", schema(required))]
    pub proven: Option<ProvenResult>,
    /// After how many turns a proven result comes.
    #[cfg_attr(feature = "schema", schema(required))]
    pub turns: Option<u32>,
}

/// A result that is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProvenResult {
    /// The player wins.
    Win,
    /// The other player wins.
    Loss,
}

/// Something that is wrong with a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Finding {
    /// A proven win was there.
    MissedWin {
        /// The number of turns.
        turns: u32,
        /// How it begins.
        line: String,
    },
    /// The other player can now win for certain, or has won.
    AllowedLoss {
        /// The number of turns.
        turns: u32,
        /// How it begins.
        line: String,
    },
    /// Something of which a player has more or less than with the best move.
    Difference {
        /// The name of what the evaluation counts.
        term: String,
        /// Whether the count is that of the player who moved, rather than of the opponent.
        own: bool,
        /// Whether it is good to have.
        good: bool,
        /// How much there is.
        now: i32,
        /// How much there would be.
        instead: i32,
        /// The moves that were expected to follow; empty if it is so at once.
        line: String,
    },
    /// Nothing more specific than the chances of the player who moved.
    Chances {
        /// The probability of winning.
        now: f64,
        /// What it would have been.
        instead: f64,
        /// The answer that was expected.
        #[cfg_attr(feature = "schema", schema(required))]
        reply: Option<String>,
    },
}

/// How a player did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ReviewedPlayer {
    /// The player.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::Side))]
    pub side: Side,
    /// How much of the probability of winning a move has cost on average, forced moves left out.
    #[cfg_attr(feature = "schema", schema(required))]
    pub average_loss: Option<f64>,
    /// From 0 to 100: the average loss on a scale that the engine's levels set.
    #[cfg_attr(feature = "schema", schema(required))]
    pub accuracy: Option<f64>,
    /// How many moves of each class.
    pub counts: ClassCounts,
    /// How many proven wins were missed.
    pub missed_wins: usize,
    /// How many moves made a loss certain.
    pub allowed_losses: usize,
}

/// How many moves of each class a player made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ClassCounts {
    /// Moves without a choice.
    pub forced: usize,
    /// Best moves.
    pub best: usize,
    /// Good moves.
    pub good: usize,
    /// Inaccuracies.
    pub inaccuracy: usize,
    /// Mistakes.
    pub mistake: usize,
    /// Blunders.
    pub blunder: usize,
}

/// What a worker is to do, if there is anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ReviewOrder {
    /// The job; null if no review is waiting.
    #[cfg_attr(feature = "schema", schema(required))]
    pub job: Option<ReviewJob>,
}

/// A game to review, which a worker has leased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ReviewJob {
    /// The id of the lease, by which the job is renewed, finished or given back.
    pub lease: String,
    /// How long the lease lasts unless it is renewed, in milliseconds.
    pub expires_in: u64,
    /// The game with its options, such as `palisade:9`.
    pub game: String,
    /// The moves, from the start of the game.
    pub moves: Vec<String>,
    /// How long to search each position, in milliseconds.
    pub time: u64,
}

/// The progress of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ReviewProgress {
    /// How many positions have been judged.
    pub judged: u32,
}

/// Why a worker cannot make a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ReviewFailure {
    /// What went wrong, in a sentence of at most 200 characters.
    #[cfg_attr(feature = "schema", schema(max_length = 200))]
    pub reason: String,
}

/// A worker's result: everything that a review is made from. The server checks it against the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ReviewResult {
    /// Every position of the game, from the start to the end: one more than there are moves.
    pub positions: Vec<JudgedPosition>,
}

/// A worker's result for a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
#[serde(deny_unknown_fields)]
pub struct JudgedPosition {
    /// Its value for the side to move: points, of which 400 are ten to one, from -15000 to 15000; or
    /// 30000 less the number of turns for a proven win, and the same with a minus for a loss.
    pub score: i16,
    /// Best play of both sides, at most 12 moves; empty only if the game is over.
    pub line: Vec<String>,
}
