//! Long work without the interpreter lock, which Ctrl-C ends.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use stoa_engine::Stop;

/// How often Python is asked whether Ctrl-C was pressed.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Does some work in a thread of its own. Meanwhile other Python threads run; and if Python has an
/// exception for us, such as that of Ctrl-C, the work is told to stop and the exception is raised.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send,
) -> PyResult<T> {
    let stop = Stop::new();
    py.detach(|| {
        thread::scope(|scope| {
            let (finished, is_finished) = channel::<()>();
            let of_worker = stop.clone();
            let worker =
                thread::Builder::new().name("stoa".to_owned()).spawn_scoped(scope, move || {
                    // Dropped at the end, also by a panic; that is what the receiver waits for.
                    let _finished = finished;
                    work(&of_worker)
                });
            let worker = worker.map_err(|error| {
                PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
            })?;
            let mut interrupted = Ok(());
            while is_finished.recv_timeout(SIGNAL_CHECK_INTERVAL) == Err(RecvTimeoutError::Timeout)
            {
                if interrupted.is_ok() {
                    interrupted = Python::attach(|py| py.check_signals());
                    if interrupted.is_err() {
                        stop.stop();
                    }
                }
            }
            let result = worker.join();
            interrupted?;
            result
                .map_err(|_| PyRuntimeError::new_err("an internal error of Stoa; please report it"))
        })
    })
}
