//! NumPy arrays in and out, checked before anything is done with them.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList, PyTuple};
use stoa_arrays::Shape;
use stoa_rules::Game;

/// The numbers of actions as Python knows them, made once: lists of actions are asked for all the
/// time.
static ACTIONS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();

/// A list of actions.
pub(crate) fn action_list<'py>(py: Python<'py>, actions: &[usize]) -> PyResult<Bound<'py, PyList>> {
    let known = ACTIONS.get_or_try_init(py, || {
        let count = Game::variants().map(|game| Shape::of(game).actions).max().unwrap_or(0);
        let numbers = (0..count).map(|number| Ok(number.into_pyobject(py)?.unbind()));
        numbers.collect::<PyResult<Vec<_>>>()
    })?;
    PyList::new(py, actions.iter().map(|&action| known[action].bind(py)))
}

/// A kind of number that arrays have.
pub(crate) trait Number: Element {
    /// What NumPy calls it.
    const NAME: &'static str;
}

impl Number for f32 {
    const NAME: &'static str = "float32";
}

impl Number for i8 {
    const NAME: &'static str = "int8";
}

impl Number for i32 {
    const NAME: &'static str = "int32";
}

impl Number for i64 {
    const NAME: &'static str = "int64";
}

impl Number for bool {
    const NAME: &'static str = "bool";
}

/// An array to write into: `out` if there is one, else a new one.
pub(crate) fn array_for<'py, T: Number>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let Some(out) = out else {
        // NumPy reports that memory is short as an exception.
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("zeros", (PyTuple::new(py, shape)?, T::NAME))?;
        return Ok(array.cast_into::<PyArrayDyn<T>>()?);
    };
    let Ok(array) = out.cast::<PyArrayDyn<T>>() else {
        let found = match out.getattr("dtype") {
            Ok(dtype) => format!("an array of {dtype}"),
            Err(_) => out.get_type().name()?.to_string(),
        };
        let message = format!("out must be an array of {}, not {found}", T::NAME);
        return Err(PyTypeError::new_err(message));
    };
    if array.shape() != shape {
        let message = format!(
            "out must have the shape {}, not {}",
            tuple_text(shape),
            tuple_text(array.shape())
        );
        return Err(PyValueError::new_err(message));
    }
    let flags = out.getattr("flags")?;
    for (flag, word) in
        [("c_contiguous", "C-contiguous"), ("aligned", "aligned"), ("writeable", "writeable")]
    {
        if !flags.getattr(flag)?.extract::<bool>()? {
            return Err(PyValueError::new_err(format!("out must be {word}")));
        }
    }
    Ok(array.clone())
}

/// The array for writing, while nobody else here writes into it.
pub(crate) fn for_writing<'py, T: Number>(
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|_| {
        PyValueError::new_err(
            "another thread is writing into this array, or it cannot be written to",
        )
    })
}

/// The actions for the games of a batch: one integer for each.
pub(crate) fn actions_of(argument: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<i64>> {
    let numpy = argument.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (argument,))?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape != [count] {
        return Err(PyValueError::new_err(format!(
            "actions must have the shape {}, one for each game, not {}",
            tuple_text(&[count]),
            tuple_text(&shape)
        )));
    }
    if !matches!(kind.as_str(), "i" | "u") && count > 0 {
        return Err(PyTypeError::new_err(format!("actions must be integers, not {dtype}")));
    }
    // A copy of our own, which nobody changes meanwhile.
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast::<PyArrayDyn<i64>>()?;
    Ok(array.try_readonly()?.as_array().iter().copied().collect())
}

/// A shape as Python writes it.
fn tuple_text(shape: &[usize]) -> String {
    let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
    match parts.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", parts.join(", ")),
    }
}
