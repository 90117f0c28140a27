//! The players of a match: this engine, another program, or a script in a test.

use stoa_rules::AnyPosition;

use crate::{Clock, Limits, Score};

/// A player: chooses moves.
///
/// A player lives for many games and plays both sides, one game after the other. [`choose`] must
/// return on its own: a player that waits for another process gives up with [`PlayerError::Silent`]
/// when the answer is long overdue.
///
/// [`choose`]: Player::choose
pub trait Player: Send {
    /// Its name in tables and records.
    fn name(&self) -> String;

    /// Begins another game and forgets the last one. Random choices in this game depend on `seed`,
    /// unless the player has a seed of its own.
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

/// The limits of the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Thinking {
    /// The mover's own limits: a time for the move, what is left on their clock, nodes, depth. Those
    /// that are set hold together; without any the player decides.
    pub limits: Limits,
    /// The opponent's clock, in games with clocks.
    pub opponent: Option<Clock>,
}

/// A move, and the player's opinion of the position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// The move, in the game's notation.
    pub text: String,
    /// The score of the position from the player's own point of view.
    pub score: Option<Score>,
    /// The depth of the player's search.
    pub depth: Option<u32>,
    /// How many nodes the player searched.
    pub nodes: Option<u64>,
}

/// Why a player cannot go on. It loses the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// Its process ended, or its code panicked.
    #[error("it crashed: {0}")]
    Crashed(String),
    /// It has not answered for far too long.
    #[error("it did not answer: {0}")]
    Silent(String),
    /// It cannot be started: its command or its options are wrong.
    #[error("{0}")]
    Unusable(String),
    /// Its answer makes no sense.
    #[error("it answered nonsense: {0}")]
    Nonsense(String),
}
