//! Work that waits for the network, without the lock of the interpreter.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often the interpreter looks for signals, such as the one of Ctrl-C, while a thread waits.
const SIGNALS: Duration = Duration::from_millis(50);

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
