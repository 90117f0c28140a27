//! Where exact values come from, if someone knows them: tables of solved positions.

use std::any::Any;
use std::fmt;

use crate::Score;

/// Knows the value of some positions for certain.
///
/// The engine asks about every position it comes to, so an oracle should answer at once where it
/// knows nothing.
pub trait Oracle: fmt::Debug + Send + Sync {
    /// The proven value of a position of some game, or of a draw, for the player to move; nothing
    /// if it is not known. A win or loss whose length is not known is given the longest it can take.
    fn score(&self, position: &dyn Any) -> Option<Score>;
}
