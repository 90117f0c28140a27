//! Pickles. They hold text and the version of their format, so that a pickle of another version is
//! refused and not misunderstood.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};
use stoa_rules::{Outcome as RulesOutcome, Reason, Side};

use crate::batch::RandomGames;
use crate::engine::{Line, Score, Thought};
use crate::errors::{OrRaise, StoaError};
use crate::exact::{Exact, Proof};
use crate::game::{Game, read_game};
use crate::moves::Move;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::record::Record;

/// The version of the format.
const VERSION: u32 = 1;

/// What `__reduce__` returns: how to make the object again.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// An object of a kind as text.
pub(crate) fn reduce<'py>(
    py: Python<'py>,
    kind: &str,
    parts: impl IntoIterator<Item = String>,
) -> PyResult<Reduced<'py>> {
    reduce_objects(py, kind, parts.into_iter().map(|part| PyString::new(py, &part).into_any()))
}

/// An object of a kind as other objects.
pub(crate) fn reduce_objects<'py>(
    py: Python<'py>,
    kind: &str,
    parts: impl IntoIterator<Item = Bound<'py, PyAny>>,
) -> PyResult<Reduced<'py>> {
    static RESTORE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let restore = RESTORE.import(py, "stoa._stoa", "_restore")?.clone();
    let mut args = vec![VERSION.into_bound_py_any(py)?, kind.into_bound_py_any(py)?];
    args.extend(parts);
    Ok((restore, PyTuple::new(py, args)?))
}

/// Makes an object again that was pickled.
#[pyfunction]
#[pyo3(signature = (version, kind, *parts))]
pub(crate) fn _restore<'py>(
    py: Python<'py>,
    version: u32,
    kind: &str,
    parts: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if version != VERSION {
        return Err(StoaError::new_err(format!(
            "this was pickled in version {version} of the format, and this Stoa reads version {VERSION}"
        )));
    }
    let foreign = || StoaError::new_err(format!("this is no pickle of Stoa's: a '{kind}'"));
    if kind == "random games" {
        return RandomGames::from_arrays(&parts).ok_or_else(foreign)?.into_bound_py_any(py);
    }
    let parts: Vec<String> =
        parts.iter().map(|part| part.extract()).collect::<PyResult<_>>().map_err(|_| foreign())?;
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match (kind, parts.as_slice()) {
        ("game", [id]) => Game { inner: read_game(py, id)? }.into_bound_py_any(py),
        ("position", [id, text]) => {
            let inner = read_game(py, id)?.position(text).or_raise(py)?;
            Position { inner }.into_bound_py_any(py)
        }
        ("move", [id, text]) => {
            Move { game: read_game(py, id)?, text: (*text).to_owned() }.into_bound_py_any(py)
        }
        ("record", [text]) => {
            let inner = stoa_rules::Record::parse(text).or_raise(py)?;
            Record { inner }.into_bound_py_any(py)
        }
        ("outcome", [id, winner, reason]) => {
            let reason = Reason::from_word(reason).ok_or_else(|| {
                StoaError::new_err(format!("there is no way to end a game called '{reason}'"))
            })?;
            let winner = match *winner {
                "" => None,
                "0" => Some(Side::First),
                "1" => Some(Side::Second),
                _ => return Err(foreign()),
            };
            let inner = RulesOutcome { winner, reason };
            Outcome { game: read_game(py, id)?, inner }.into_bound_py_any(py)
        }
        ("score", [text]) => Score::from_text(text).ok_or_else(foreign)?.into_bound_py_any(py),
        ("line", [id, text]) => {
            Line::from_text(read_game(py, id)?, text).ok_or_else(foreign)?.into_bound_py_any(py)
        }
        ("thought", [id, parts @ ..]) => {
            let thought = Thought::from_parts(read_game(py, id)?, parts);
            thought.ok_or_else(foreign)?.into_bound_py_any(py)
        }
        ("exact", [text]) => Exact::from_text(text).ok_or_else(foreign)?.into_bound_py_any(py),
        ("proof", [id, parts @ ..]) => {
            let proof = Proof::from_parts(read_game(py, id)?, parts);
            proof.ok_or_else(foreign)?.into_bound_py_any(py)
        }
        _ => Err(foreign()),
    }
}
