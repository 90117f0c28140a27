//! Who plays in a match: our engine, somebody else's, or a script in a test.

use stoa_rules::AnyPosition;

use crate::{Clock, Limits, Score};

/// Somebody who chooses moves.
///
/// A player lives for many games and plays both sides, one game after the other. It must come back
/// by itself: one that waits for somebody else (another process) gives up with
/// [`PlayerError::Silent`] when the answer is long overdue.
pub trait Player: Send {
    /// What it is called in tables and records.
    fn name(&self) -> String;

    /// Another game begins: what is known of the last one is forgotten. Chance in this game depends
    /// on `seed`, unless the player has a seed of its own.
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError>;

    /// Chooses a move in `position`, which `moves` have led to from `start` and which is not over.
    fn choose(
        &mut self,
        start: &AnyPosition,
        moves: &[String],
        position: &AnyPosition,
        thinking: &Thinking,
    ) -> Result<Choice, PlayerError>;
}

/// What the player to move may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Thinking {
    /// The mover's own limits: a time for the move, what is left on their clock, nodes, depth. Those
    /// that are set hold together; without any the player decides.
    pub limits: Limits,
    /// The opponent's clock, in games with clocks.
    pub opponent: Option<Clock>,
}

/// A move, and what its player thought.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// The move, in the game's notation.
    pub text: String,
    /// What the player thinks of the position, from their own point of view.
    pub score: Option<Score>,
    /// How many turns ahead they looked.
    pub depth: Option<u32>,
    /// How many positions they looked at.
    pub nodes: Option<u64>,
}

/// Why a player cannot go on. It loses the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// It is gone: its process ended, or its code panicked.
    #[error("it crashed: {0}")]
    Crashed(String),
    /// It has not answered for far too long.
    #[error("it did not answer: {0}")]
    Silent(String),
    /// It cannot be played with at all: its command or its options are wrong.
    #[error("{0}")]
    Unusable(String),
    /// What it said makes no sense.
    #[error("it answered nonsense: {0}")]
    Nonsense(String),
}
