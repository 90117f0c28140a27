//! Where exact values come from: tablebases of solved positions.

use std::any::Any;
use std::fmt;

use crate::Score;

/// A source of exact values for some positions.
///
/// The search asks it at every node but the root, so it should answer at once where it knows nothing.
pub trait Oracle: fmt::Debug + Send + Sync {
    /// The exact value of a position, of whatever game, for the player to move: a proven win or loss,
    /// or [`Score::EVEN`] for a draw. `None` if it is not known. A win or loss of unknown length counts
    /// as the longest that it can be.
    fn score(&self, position: &dyn Any) -> Option<Score>;
}
