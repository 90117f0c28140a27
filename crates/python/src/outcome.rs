//! How a game ended.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stoa_rules::{Game as RulesGame, Side, result_text};

use crate::arguments::{integer, shown};
use crate::pickle::{Reduced, reduce};

/// How a game ended.
///
/// >>> import stoa
/// >>> outcome = stoa.Game("impasse").position("8/8/8/8/8/8/8/6b1 b").outcome()
/// >>> str(outcome)
/// 'white wins (no-checkers)'
/// >>> outcome.winner, outcome.winner_name, outcome.reason, outcome.returns
/// (0, 'White', 'no-checkers', (1.0, -1.0))
#[pyclass(frozen, eq, hash, module = "stoa")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    pub(crate) game: RulesGame,
    pub(crate) inner: stoa_rules::Outcome,
}

#[pymethods]
impl Outcome {
    /// The winner: 0 for the first player, 1 for the second, None for a draw.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.inner.winner.map(Side::index)
    }

    /// The winner's name, such as 'White'; None for a draw.
    #[getter]
    fn winner_name(&self) -> Option<&'static str> {
        self.inner.winner.map(|side| self.game.side_name(side))
    }

    /// What ended the game, in a word such as 'no-checkers'.
    #[getter]
    fn reason(&self) -> &'static str {
        self.inner.reason.word()
    }

    /// What the game was worth for each player: 1 for a win, -1 for a loss, 0 for a draw.
    #[getter]
    fn returns(&self) -> (f64, f64) {
        match self.inner.winner {
            None => (0.0, 0.0),
            Some(Side::First) => (1.0, -1.0),
            Some(Side::Second) => (-1.0, 1.0),
        }
    }

    fn __str__(&self) -> String {
        result_text(self.game, Some(self.inner))
    }

    fn __repr__(&self) -> String {
        format!("<Outcome: {}>", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let winner = self.winner().map_or_else(String::new, |winner| winner.to_string());
        reduce(py, "outcome", [self.game.to_string(), winner, self.reason().to_owned()])
    }
}

/// The side of a player's number; None means none.
pub(crate) fn player(argument: &Bound<'_, PyAny>) -> PyResult<Option<Side>> {
    if argument.is_none() {
        return Ok(None);
    }
    let number = integer(argument)?.and_then(|number| usize::try_from(number).ok());
    number.and_then(|number| Side::BOTH.get(number)).copied().map(Some).ok_or_else(|| {
        PyValueError::new_err(format!(
            "there is no player {}; 0 is the player who moves first, 1 the other",
            shown(argument)
        ))
    })
}
