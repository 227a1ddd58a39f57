//! Retrievals with a client that is written in Python.

use std::time::SystemTime;

use pyo3::exceptions::{
    PyConnectionError, PyConnectionResetError, PyOSError, PyTimeoutError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use robots_exclusion_fields::fields;
use robots_fetch::{AwaitingHead, Failure, FailureKind, Head, NextStep, Outcome, Retrieval};

use crate::waiting;

/// A function that sends one request: it gets a URL and header fields, and returns status, header fields and decoded body.
pub(crate) struct Transport(Py<PyAny>);

struct Answer {
    head: Head,
    body: Vec<u8>,
}

impl Transport {
    pub(crate) const fn new(function: Py<PyAny>) -> Self {
        Self(function)
    }

    /// Makes a retrieval, with all redirects.
    pub(crate) fn retrieve(&self, retrieval: &Retrieval) -> Outcome {
        let Retrieval { origin, validators, profile, .. } = retrieval;
        let mut awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
        loop {
            if awaiting.url_to_check().is_some_and(|url| retrieval.is_disallowed(url) == Some(true)) {
                return awaiting.disallowed(SystemTime::now());
            }
            let answer = match self.ask(&awaiting) {
                Ok(answer) => answer,
                Err(failure) => return awaiting.failure(failure, SystemTime::now()),
            };
            match awaiting.head(&answer.head, SystemTime::now()) {
                NextStep::Send(next) => awaiting = next,
                NextStep::Done(outcome) => return outcome,
                NextStep::Read(mut reading) => {
                    // Bytes beyond the limit have no effect.
                    let _ = reading.push(&answer.body);
                    return reading.end(SystemTime::now());
                }
            }
        }
    }

    fn ask(&self, awaiting: &AwaitingHead) -> Result<Answer, Failure> {
        let call = |py: Python<'_>| -> PyResult<Answer> {
            let request = awaiting.request();
            let headers = PyList::new(py, request.fields())?;
            let answer = self.0.bind(py).call1((request.url.as_str(), headers))?;
            let (status, headers, body): (u16, Bound<'_, PyAny>, Vec<u8>) =
                answer.extract().map_err(|_| wrong(&answer))?;
            let mut head = Head::new(status);
            for (name, value) in fields(&headers)? {
                head.add_field(&name, &value);
            }
            Ok(Answer { head, body })
        };
        let call = |py: Python<'_>| {
            call(py).map_err(|error| {
                let failure = failure(py, &error);
                if is_mistake(py, &error) {
                    error.write_unraisable(py, Some(self.0.bind(py)));
                }
                failure
            })
        };
        match waiting::call(call) {
            Some(answer) => answer,
            None => Err(Failure::new(FailureKind::Other, "the interpreter is ending")),
        }
    }
}

/// Checks that a transport of a `Cache` is a function that it can call.
pub(crate) fn check(function: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = function.py();
    if !function.is_callable() {
        let found = function.get_type().name()?;
        return Err(PyValueError::new_err(format!("transport: expected a function, got {found}")));
    }
    let is_coroutine = py.import("inspect")?.getattr("iscoroutinefunction")?;
    if is_coroutine.call1((function,))?.is_truthy()? {
        return Err(PyValueError::new_err("transport: a coroutine function needs an AsyncCache"));
    }
    Ok(())
}

/// Returns the error of a transport that returns something else than an answer.
fn wrong(answer: &Bound<'_, PyAny>) -> PyErr {
    let type_of =
        |value: &Bound<'_, PyAny>| value.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    let found = match answer.cast::<PyTuple>() {
        Ok(parts) => format!("({})", parts.iter().map(|part| type_of(&part)).collect::<Vec<_>>().join(", ")),
        Err(_) => type_of(answer),
    };
    PyTypeError::new_err(format!(
        "transport: expected (status, headers, body), an int, fields and bytes; got {found}"
    ))
}

/// Returns whether an exception is a mistake in the program: it is one of Python itself, and not about the network. Clients have
/// exceptions of their own.
fn is_mistake(py: Python<'_>, error: &PyErr) -> bool {
    let is_builtin = error.get_type(py).module().is_ok_and(|module| module == "builtins");
    is_builtin && !error.is_instance_of::<PyOSError>(py)
}

/// Returns the failure that an exception stands for.
fn failure(py: Python<'_>, error: &PyErr) -> Failure {
    let kind = if error.is_instance_of::<PyTimeoutError>(py) {
        FailureKind::Timeout
    } else if error.is_instance_of::<PyConnectionResetError>(py) {
        FailureKind::Reset
    } else if error.is_instance_of::<PyConnectionError>(py) {
        FailureKind::Connect
    } else {
        let name = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
        // Clients have exceptions of their own.
        if name.contains("Timeout") {
            FailureKind::Timeout
        } else if name.contains("Connect") {
            FailureKind::Connect
        } else {
            FailureKind::Other
        }
    };
    Failure::new(kind, error.to_string())
}
