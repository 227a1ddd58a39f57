//! Work that waits for the network, without the lock of the interpreter, and what its threads call in Python.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often the interpreter looks for signals, such as the one of Ctrl-C, while a thread waits.
const SIGNALS: Duration = Duration::from_millis(50);

/// How long the interpreter waits at its end for calls that run. Those of this package are short; a transport may wait for a site.
const END: Duration = Duration::from_secs(2);

/// How often the end of the interpreter looks whether such calls run.
const STEP: Duration = Duration::from_millis(1);

/// The number of calls of Python that threads of this module make. No lock, which another thread could hold at the time of a fork.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Whether the interpreter ends.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// A call that runs.
struct Running;

impl Running {
    fn new() -> Self {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Calls `f` with the interpreter, from a thread that `start` or `wait` started. Returns `None` if the interpreter ends.
///
/// Before CPython 3.14, an interpreter that ends kills each other thread that runs Python code. Where Rust code has called that
/// code, the process crashes. So `ending` waits for these calls.
pub(crate) fn call<T>(f: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let running = Running::new();
    if is_ending() {
        return None;
    }
    let value = Python::try_attach(f);
    drop(running);
    value
}

/// Waits until no thread of this module runs Python code, and lets no thread begin to. `atexit` calls it.
#[pyfunction]
pub(crate) fn ending(py: Python<'_>) {
    IS_ENDING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let end = Instant::now() + END;
        while RUNNING.load(Ordering::SeqCst) > 0 && Instant::now() < end {
            thread::sleep(STEP);
        }
    });
}

/// Returns whether the interpreter ends, so that `call` calls nothing any more.
pub(crate) fn is_ending() -> bool {
    IS_ENDING.load(Ordering::SeqCst)
}

/// Notes that this process is the child of a fork, in which the threads of its parent do not exist.
pub(crate) fn forget_calls() {
    RUNNING.store(0, Ordering::SeqCst);
}

/// Starts a thread. The interpreter does not wait for it when it ends.
pub(crate) fn start(f: impl FnOnce() + Send + 'static) -> PyResult<()> {
    let started = thread::Builder::new().name("robots".to_owned()).spawn(f);
    started.map(|_| ()).map_err(|error| PyRuntimeError::new_err(format!("can't start a thread: {error}")))
}

/// Returns what `f` returns. A signal ends the wait, and leaves `f` to its thread.
pub(crate) fn wait<T: Send + 'static>(py: Python<'_>, f: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let (sender, mut receiver) = sync_channel(1);
    start(move || {
        // Without a receiver, the caller has been interrupted.
        let _ = sender.send(f());
    })?;
    loop {
        let (found, back) = py.detach(move || {
            let found = receiver.recv_timeout(SIGNALS);
            (found, receiver)
        });
        match found {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the thread that asked the site has failed"));
            }
        }
        receiver = back;
    }
}
