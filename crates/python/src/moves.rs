//! Moves.

use std::borrow::Cow;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use stoa_rules::Game as RulesGame;

use crate::game::Game;
use crate::pickle::{Reduced, reduce};

/// A whole turn of a game. `str()` is its canonical text.
///
/// >>> import stoa
/// >>> move = stoa.Game("impasse").start().moves()[0]
/// >>> str(move), move.game.id
/// ('d2-c3', 'impasse')
#[pyclass(frozen, eq, hash, module = "stoa")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) game: RulesGame,
    pub(crate) text: String,
}

#[pymethods]
impl Move {
    /// The game it is a move of.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: self.game }
    }

    /// The canonical text, the same as `str(move)`.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Move {} of {}>", self.text, self.game)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, "move", [self.game.to_string(), self.text.clone()])
    }
}

/// The text of an argument that is a move or a text.
pub(crate) fn move_text<'a>(
    argument: &'a Bound<'_, PyAny>,
    game: RulesGame,
) -> PyResult<Cow<'a, str>> {
    if let Ok(mv) = argument.cast::<Move>() {
        let mv = mv.get();
        if mv.game != game {
            let (text, other) = (&mv.text, mv.game);
            let message = format!("{text} is a move of {other}, but the position is of {game}");
            return Err(PyValueError::new_err(message));
        }
        return Ok(Cow::Owned(mv.text.clone()));
    }
    match argument.cast::<PyString>() {
        Ok(text) => Ok(Cow::Owned(text.to_cow()?.into_owned())),
        Err(_) => {
            let found = argument.get_type().name()?;
            Err(PyTypeError::new_err(format!("expected a Move or its text, found {found}")))
        }
    }
}
