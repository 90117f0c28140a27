//! What the rules object to, as Python exceptions.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use stoa_arrays::{ActionError, BatchError};
use stoa_rules::{MoveError, Objection, PositionError};

create_exception!(
    stoa,
    StoaError,
    PyValueError,
    "The base of all exceptions of Stoa; a ValueError."
);
create_exception!(stoa, UnknownGame, StoaError, "There is no such game, or not with such options.");
create_exception!(
    stoa,
    ParseError,
    StoaError,
    "Text that cannot be read. The message shows the place and says what was expected there."
);
create_exception!(
    stoa,
    ImpossiblePosition,
    StoaError,
    "A position that the pieces, the board or the counters of the game make impossible.\n\n\
     `flaws` has every reason: dictionaries with `kind`, `facts`, `reason` and `rule`."
);
create_exception!(
    stoa,
    IllegalMove,
    StoaError,
    "A move that is not legal.\n\n\
     `move` is its text, `rule` the clause or ruling that forbids it, such as 'impasse clause 4',\n\
     `reason` what is wrong in words; `kind` and `facts` say the same to programs, and `example` is\n\
     a legal move that resembles it."
);
create_exception!(stoa, GameOver, IllegalMove, "A move in a game that is over.");
create_exception!(
    stoa,
    IllegalAction,
    IllegalMove,
    "An action that cannot be taken. `action` is its number; where it stands for a move, the\n\
     attributes of `IllegalMove` say what is wrong with that."
);
create_exception!(stoa, RecordError, StoaError, "Text that is no record of a game.");
create_exception!(stoa, TablebaseError, StoaError, "A tablebase that is damaged or missing.");
create_exception!(stoa, EngineError, StoaError, "Settings that an engine cannot be made of.");

/// Gives every exception the attributes that its instances may have, so that they can always be
/// asked for.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let none = |class: &Bound<'_, PyType>, names: &[&str]| {
        names.iter().try_for_each(|name| class.setattr(*name, py.None()))
    };
    let moves = py.get_type::<IllegalMove>();
    none(&moves, &["move", "rule", "reason", "kind", "facts", "example"])?;
    let actions = py.get_type::<IllegalAction>();
    none(&actions, &["action"])?;
    let positions = py.get_type::<ImpossiblePosition>();
    none(&positions, &["flaws"])?;
    module.add("StoaError", py.get_type::<StoaError>())?;
    module.add("UnknownGame", py.get_type::<UnknownGame>())?;
    module.add("ParseError", py.get_type::<ParseError>())?;
    module.add("ImpossiblePosition", positions)?;
    module.add("IllegalMove", moves)?;
    module.add("GameOver", py.get_type::<GameOver>())?;
    module.add("IllegalAction", actions)?;
    module.add("RecordError", py.get_type::<RecordError>())?;
    module.add("TablebaseError", py.get_type::<TablebaseError>())?;
    module.add("EngineError", py.get_type::<EngineError>())
}

/// An error of a library that becomes a Python exception.
pub(crate) trait IntoPyErr {
    fn into_py_err(self, py: Python<'_>) -> PyErr;
}

/// What programs may want to know of an objection.
fn facts<'py>(py: Python<'py>, objection: &Objection) -> PyResult<Bound<'py, PyDict>> {
    let facts = PyDict::new(py);
    objection.facts.iter().try_for_each(|(name, value)| facts.set_item(name, value))?;
    Ok(facts)
}

/// Sets the attributes of an exception; should that fail, the failure is what is raised.
fn with_attributes(
    py: Python<'_>,
    error: PyErr,
    set: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>,
) -> PyErr {
    match set(error.value(py).as_any()) {
        Ok(()) => error,
        Err(failure) => failure,
    }
}

fn set_illegal(py: Python<'_>, value: &Bound<'_, PyAny>, error: &MoveError) -> PyResult<()> {
    match error {
        MoveError::Parse(_) => Ok(()),
        MoveError::Illegal { text, objection, example } => {
            value.setattr("move", text)?;
            value.setattr("rule", &objection.rule)?;
            value.setattr("reason", &objection.reason)?;
            value.setattr("kind", &objection.kind)?;
            value.setattr("facts", facts(py, objection)?)?;
            value.setattr("example", example)
        }
        MoveError::GameOver { text, .. } => value.setattr("move", text),
    }
}

impl IntoPyErr for MoveError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        let message = self.to_string();
        let error = match self {
            MoveError::Parse(_) => ParseError::new_err(message),
            MoveError::Illegal { .. } => IllegalMove::new_err(message),
            MoveError::GameOver { .. } => GameOver::new_err(message),
        };
        with_attributes(py, error, |value| set_illegal(py, value, &self))
    }
}

impl IntoPyErr for PositionError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        let message = self.to_string();
        match self {
            PositionError::Parse(_) | PositionError::OtherOption { .. } => {
                ParseError::new_err(message)
            }
            PositionError::Impossible(objections) => {
                let error = ImpossiblePosition::new_err(message);
                with_attributes(py, error, |value| {
                    let flaws: Vec<Bound<'_, PyDict>> = objections
                        .iter()
                        .map(|objection| {
                            let flaw = PyDict::new(py);
                            flaw.set_item("kind", &objection.kind)?;
                            flaw.set_item("facts", facts(py, objection)?)?;
                            flaw.set_item("reason", &objection.reason)?;
                            flaw.set_item("rule", &objection.rule)?;
                            Ok(flaw)
                        })
                        .collect::<PyResult<_>>()?;
                    value.setattr("flaws", flaws)
                })
            }
        }
    }
}

impl IntoPyErr for ActionError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        let message = self.to_string();
        match self {
            ActionError::Move(error) => error.into_py_err(py),
            ActionError::NoAction { .. } => StoaError::new_err(message),
            ActionError::OutOfRange { action, .. } => illegal_action(py, message, action, None),
            ActionError::NoMove { action, .. } | ActionError::GameOver { action, .. } => {
                illegal_action(py, message, action as i64, None)
            }
            ActionError::Illegal { action, error } => {
                illegal_action(py, message, action as i64, Some(&error))
            }
        }
    }
}

fn illegal_action(
    py: Python<'_>,
    message: String,
    action: i64,
    of_move: Option<&MoveError>,
) -> PyErr {
    with_attributes(py, IllegalAction::new_err(message), |value| {
        value.setattr("action", action)?;
        of_move.map_or(Ok(()), |error| set_illegal(py, value, error))
    })
}

impl IntoPyErr for BatchError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        let message = self.to_string();
        match self {
            BatchError::Action { error: ActionError::NoAction { .. }, .. } => {
                StoaError::new_err(message)
            }
            BatchError::Action { error, .. } => {
                let of_one = error.into_py_err(py);
                let error = IllegalAction::new_err(message);
                with_attributes(py, error, |value| {
                    for name in ["action", "move", "rule", "reason", "kind", "facts", "example"] {
                        value.setattr(name, of_one.value(py).getattr(name)?)?;
                    }
                    Ok(())
                })
            }
            BatchError::OtherGame { .. } => StoaError::new_err(message),
            BatchError::NoGame { .. } => pyo3::exceptions::PyIndexError::new_err(message),
        }
    }
}

impl IntoPyErr for stoa_rules::RecordError {
    fn into_py_err(self, _: Python<'_>) -> PyErr {
        RecordError::new_err(self.to_string())
    }
}

impl IntoPyErr for stoa_rules::UnknownGame {
    fn into_py_err(self, _: Python<'_>) -> PyErr {
        UnknownGame::new_err(self.to_string())
    }
}

/// Results whose error becomes a Python exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: IntoPyErr> OrRaise<T> for Result<T, E> {
    #[inline]
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| error.into_py_err(py))
    }
}
