//! Long work without the interpreter lock, which Ctrl-C ends.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
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
    let hears_signals = is_main_thread(py)?;
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
                if hears_signals && interrupted.is_ok() {
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

/// Whether this is Python's main thread, the only one that hears signals. The others must not ask for the
/// interpreter while they wait: it may have ended.
pub(crate) fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    static GET_IDENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static MAIN: AtomicU64 = AtomicU64::new(0);
    // A process that was forked may have another main thread.
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id();
    if PROCESS.load(Ordering::Acquire) != process {
        let main = py.import("threading")?.call_method0("main_thread")?.getattr("ident")?;
        MAIN.store(main.extract()?, Ordering::Relaxed);
        PROCESS.store(process, Ordering::Release);
    }
    let ident: u64 = GET_IDENT.import(py, "_thread", "get_ident")?.call0()?.extract()?;
    Ok(ident == MAIN.load(Ordering::Relaxed))
}
