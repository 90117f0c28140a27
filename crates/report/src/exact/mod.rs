//! What is known for certain of a game: by a table of all its positions, or by proof.

pub(crate) mod colonnade;
pub(crate) mod palisade;

use serde::Serialize;
use stoa_rules::Side;

/// What is known for certain of a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExactReport {
    /// How it is known, in a sentence.
    pub known_by: String,
    /// Who wins if both play as well as can be; nothing for a draw.
    pub winner: Option<Side>,
    /// After how many turns, if that is known.
    pub plies: Option<u32>,
    /// What each first move is worth, those that differ by more than a symmetry.
    pub first_moves: Vec<ExactMove>,
    /// All positions by the number of pieces on the board.
    pub layers: Vec<Layer>,
    /// How many of all positions are this many turns from the end, from none on.
    pub lengths: Vec<u64>,
    /// The positions that can be reached in this many turns, from none on.
    pub turns: Vec<ExactTurn>,
    /// A game of best play as a record.
    pub record: Option<String>,
}

/// What a first move is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExactMove {
    /// One of the moves.
    #[serde(rename = "move")]
    pub mv: String,
    /// How many moves are the same but for a symmetry.
    pub alike: usize,
    /// Who wins after it.
    pub winner: Option<Side>,
    /// After how many turns of the whole game, if that is known.
    pub plies: Option<u32>,
}

/// All positions with some number of pieces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Layer {
    /// How many pieces.
    pub pieces: usize,
    /// How many positions.
    pub positions: u64,
    /// How many of them the player to move wins.
    pub won: u64,
    /// How many turns the longest takes.
    pub longest: usize,
}

/// All positions that can be reached in some number of turns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExactTurn {
    /// How many positions in which the game goes on.
    pub positions: u64,
    /// The share of them that the player to move wins.
    pub won: f64,
    /// How many legal moves they have on average.
    pub legal: f64,
    /// How many moves keep the win in those that are won, on average.
    pub winning: f64,
    /// The share of the won ones in which a single move keeps the win.
    pub single: f64,
}
