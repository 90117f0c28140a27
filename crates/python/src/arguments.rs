//! Numbers that Python passes, checked before they are used: an error says what was expected and
//! what came, however large that is.

use std::ops::RangeInclusive;

use pyo3::exceptions::{PyIndexError, PyOverflowError, PyValueError};
use pyo3::prelude::*;

use crate::errors::EngineError;

/// The integer that an argument is, or `None` if it is too large for any use. What is no integer raises
/// a TypeError.
#[inline]
pub(crate) fn integer(argument: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    match argument.extract::<i64>() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(argument.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A number as an error shows it. Python refuses to write some that are very long.
pub(crate) fn shown(argument: &Bound<'_, PyAny>) -> String {
    const MAX_SHOWN: usize = 30;
    match argument.str().map(|text| text.to_string_lossy().into_owned()) {
        Ok(text) if text.len() <= MAX_SHOWN => text,
        _ => "one so large".to_owned(),
    }
}

/// An integer within a range; else the words for an error.
fn within(
    argument: &Bound<'_, PyAny>,
    name: &str,
    range: RangeInclusive<u64>,
) -> PyResult<Result<u64, String>> {
    let number = match argument.extract::<u64>() {
        Ok(number) => Some(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(argument.py()) => None,
        Err(error) => return Err(error),
    };
    Ok(number.filter(|number| range.contains(number)).ok_or_else(|| {
        let (min, max) = range.into_inner();
        format!("{name} must be from {min} to {max}, not {}", shown(argument))
    }))
}

/// An integer within a range; else a ValueError.
pub(crate) fn number(
    argument: &Bound<'_, PyAny>,
    name: &str,
    range: RangeInclusive<u64>,
) -> PyResult<u64> {
    within(argument, name, range)?.map_err(PyValueError::new_err)
}

/// The same, where None says that there is none.
fn perhaps(
    argument: &Bound<'_, PyAny>,
    name: &str,
    range: RangeInclusive<u64>,
) -> PyResult<Option<u64>> {
    if argument.is_none() { Ok(None) } else { number(argument, name, range).map(Some) }
}

/// What random choices begin with.
pub(crate) fn seed(argument: &Bound<'_, PyAny>) -> PyResult<u64> {
    number(argument, "seed", 0..=u64::MAX)
}

/// A limit of nodes.
pub(crate) fn nodes(argument: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    perhaps(argument, "nodes", 0..=u64::MAX)
}

/// A limit of playouts.
pub(crate) fn playouts(argument: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    perhaps(argument, "playouts", 0..=u64::MAX)
}

/// A limit of depth.
pub(crate) fn depth_limit(argument: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    let depth = perhaps(argument, "depth", 0..=u32::MAX.into())?;
    Ok(depth.map(|depth| depth as u32))
}

/// A number of moves ahead.
pub(crate) fn depth(argument: &Bound<'_, PyAny>) -> PyResult<u32> {
    number(argument, "depth", 0..=u32::MAX.into()).map(|depth| depth as u32)
}

/// A setting of an engine, from 1 to a maximum; else an `EngineError`.
pub(crate) fn setting(argument: &Bound<'_, PyAny>, name: &str, max: usize) -> PyResult<usize> {
    let number = within(argument, name, 1..=max as u64)?;
    number.map(|number| number as usize).map_err(EngineError::new_err)
}

/// A place in a list of things; a negative one is counted from the end, as Python does. Where there is
/// no such place, an IndexError that begins with `no` and the number, and ends with `there_are`.
pub(crate) fn place(
    argument: &Bound<'_, PyAny>,
    count: usize,
    no: &str,
    there_are: &str,
) -> PyResult<usize> {
    let place = integer(argument)?.and_then(|place| {
        let from_end = if place < 0 { count as i64 } else { 0 };
        usize::try_from(place + from_end).ok().filter(|&place| place < count)
    });
    place.ok_or_else(|| {
        PyIndexError::new_err(format!("there is no {no} {}; {there_are}", shown(argument)))
    })
}
