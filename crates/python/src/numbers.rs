//! NumPy arrays in and out, checked before anything is done with them.
//!
//! Nothing here calls code written in Python or lets NumPy give the interpreter lock away, as imports,
//! `numpy.zeros` and `astype` do: when the interpreter ends, CPython before 3.14 ends a thread that waits
//! for the lock, and a thread that is within Rust code would take the whole process with it.

use numpy::ndarray::ArrayD;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList};
use stoa_arrays::Shape;
use stoa_rules::Game;

use crate::arguments::integer;
use crate::engine::check_memory;

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

/// Uses arrays once, which imports NumPy and what belongs to it.
pub(crate) fn prepare(py: Python<'_>) -> PyResult<()> {
    let array = array_for::<i64>(py, None, &[1])?;
    drop(for_writing(&array)?);
    actions_of(array.as_any(), 1)?;
    action_list(py, &[]).map(drop)
}

/// A kind of number that arrays have.
pub(crate) trait Number: Element + Copy + Default {
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
        let count = shape.iter().product();
        check_memory(count * size_of::<T>())?;
        let zeros = ArrayD::from_shape_vec(shape, vec![T::default(); count]);
        let zeros = zeros.map_err(|error| PyValueError::new_err(error.to_string()))?;
        return Ok(PyArrayDyn::from_owned_array(py, zeros));
    };
    let Ok(array) = out.cast::<PyArrayDyn<T>>() else {
        let found = match out.getattr("dtype") {
            Ok(dtype) => format!("an array of {}", dtype.str()?),
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

/// The actions for the games of a batch: one integer for each, in a copy that nobody changes meanwhile.
pub(crate) fn actions_of(argument: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<i64>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let array = ASARRAY.import(argument.py(), "numpy", "asarray")?.call1((argument,))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape != [count] {
        return Err(PyValueError::new_err(format!(
            "actions must have the shape {}, one for each game, not {}",
            tuple_text(&[count]),
            tuple_text(&shape)
        )));
    }
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u") {
        let message = format!("actions must be integers, not {}", dtype.str()?);
        return Err(PyTypeError::new_err(message));
    }
    let known = copied::<i64>(&array)?.map_or_else(|| copied::<i32>(&array), |it| Ok(Some(it)))?;
    if let Some(actions) = known {
        return Ok(actions);
    }
    // Another width or order of bytes.
    array.call_method0("tolist")?.try_iter()?.map(|action| narrowed(&action?)).collect()
}

/// The numbers of an array of a kind; `None` if it is of another kind.
fn copied<T: Element + Copy + Into<i64>>(array: &Bound<'_, PyAny>) -> PyResult<Option<Vec<i64>>> {
    let Ok(array) = array.cast::<PyArrayDyn<T>>() else { return Ok(None) };
    let numbers = array.try_readonly().map_err(|_| {
        PyValueError::new_err("another thread is writing into the array of actions")
    })?;
    Ok(Some(numbers.as_array().iter().map(|&number| number.into()).collect()))
}

/// An integer, or the largest in place of one that is larger still: neither is an action.
fn narrowed(number: &Bound<'_, PyAny>) -> PyResult<i64> {
    Ok(integer(number)?.unwrap_or(i64::MAX))
}

/// A shape as Python writes it.
fn tuple_text(shape: &[usize]) -> String {
    let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
    match parts.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", parts.join(", ")),
    }
}
