//! The class `Retrieval`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use robots_exclusion_fields::fields;
use robots_fetch::{AwaitingHead, Failure, FailureKind, Head, NextStep, Outcome, SiteProfile};

use crate::entry::Entry;
use crate::python::{profile, site};

/// One retrieval of a site's robots.txt with a client of your own.
///
/// Send a request for ``url`` with the fields ``headers``, and pass on what comes: ``answer`` or ``failure``. Repeat until
/// ``url`` is ``None``, which is at most as often as the profile follows redirects. The client must not follow redirects
/// itself. Then ``entry`` is what is known of the site. ``previous`` is the entry of the retrieval before.
#[pyclass(frozen, module = "robots_exclusion_sites")]
pub(crate) struct Retrieval {
    profile: SiteProfile,
    previous: Option<Arc<robots_fetch::Entry>>,
    state: Mutex<State>,
}

enum State {
    Awaiting(Box<AwaitingHead>),
    Done(Arc<robots_fetch::Entry>),
    /// While a step is made.
    Between,
}

impl Retrieval {
    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn awaiting<T>(&self, f: impl FnOnce(&AwaitingHead) -> T) -> Option<T> {
        self.with(|state| match state {
            State::Awaiting(awaiting) => Some(f(awaiting)),
            _ => None,
        })
    }

    fn step(&self, f: impl FnOnce(AwaitingHead, SystemTime) -> NextStep) -> PyResult<()> {
        self.with(|state| match std::mem::replace(state, State::Between) {
            State::Awaiting(awaiting) => {
                *state = match f(*awaiting, SystemTime::now()) {
                    NextStep::Send(awaiting) => State::Awaiting(Box::new(awaiting)),
                    NextStep::Done(outcome) => self.done(outcome),
                    NextStep::Read(reading) => self.done(reading.end(SystemTime::now())),
                };
                Ok(())
            }
            other => {
                *state = other;
                Err(PyRuntimeError::new_err("the retrieval has ended: no request waits for an answer"))
            }
        })
    }

    fn done(&self, outcome: Outcome) -> State {
        let entry = robots_fetch::Entry::from_outcome(self.previous.as_deref(), outcome, &self.profile);
        State::Done(Arc::new(entry))
    }
}

#[pymethods]
impl Retrieval {
    #[new]
    #[pyo3(signature = (url, profile="rfc9309", previous=None))]
    fn new(url: &Bound<'_, PyAny>, profile: &str, previous: Option<&Entry>) -> PyResult<Self> {
        let profile = self::profile(profile)?;
        let (_, origin) = site(url)?;
        // An entry of another profile says something else.
        let previous = previous.map(Entry::inner).filter(|entry| *entry.profile() == profile).cloned();
        let validators = previous.as_deref().map(robots_fetch::Entry::validators).unwrap_or_default();
        let awaiting = AwaitingHead::new(&origin, &validators, &profile, SystemTime::now());
        Ok(Self { profile, previous, state: Mutex::new(State::Awaiting(Box::new(awaiting))) })
    }

    /// The URL to request, or ``None`` at the end.
    #[getter]
    fn url(&self) -> Option<String> {
        self.awaiting(|awaiting| awaiting.request().url.to_string())
    }

    /// The URL to request, if it is that of a redirect which the profile does not follow to disallowed URLs; otherwise ``None``.
    ///
    /// If you know that its site disallows it, call ``disallowed``. Otherwise, send the request.
    #[getter]
    fn url_to_check(&self) -> Option<String> {
        self.awaiting(|awaiting| awaiting.url_to_check().map(ToString::to_string)).flatten()
    }

    /// Ends the retrieval, because ``url_to_check`` is disallowed.
    fn disallowed(&self) -> PyResult<()> {
        self.step(|awaiting, now| NextStep::Done(awaiting.disallowed(now)))
    }

    /// The header fields that make the request conditional.
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        let fields = |awaiting: &AwaitingHead| {
            let fields = awaiting.request().fields();
            fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        self.awaiting(fields).unwrap_or_default()
    }

    /// The most bytes that are read of a body. The rest has no effect.
    #[getter]
    fn max_size(&self) -> usize {
        self.profile.max_size() + 1
    }

    /// Continues with an answer: its status, its header fields, and its decoded body.
    ///
    /// ``headers`` is what the client has: a mapping such as ``response.headers`` of requests, httpx, aiohttp and urllib, or pairs of name
    /// and value, which are ``str`` or ``bytes``.
    ///
    /// If the body ended early or could not be decoded, ``failure`` is the kind, such as ``incomplete`` or ``decoding``, and ``body``
    /// the part before it. The failure has no effect if no body is read, as for a status of 404, or if the part is long enough.
    #[pyo3(signature = (status, headers, body, failure=None, text=""))]
    fn answer(
        &self,
        py: Python<'_>,
        status: u16,
        headers: &Bound<'_, PyAny>,
        body: &Bound<'_, PyAny>,
        failure: Option<&str>,
        text: &str,
    ) -> PyResult<()> {
        let failure = failure.map(|kind| self::failure(kind, text)).transpose()?;
        let Ok(body) = body.extract::<PyBackedBytes>() else {
            let given = body.get_type().name()?;
            return Err(PyTypeError::new_err(format!("body: expected bytes, got {given}")));
        };
        let mut head = Head::new(status);
        for (name, value) in fields(headers)? {
            head.add_field(&name, &value);
        }
        py.detach(|| {
            self.step(|awaiting, now| match awaiting.head(&head, now) {
                NextStep::Read(mut reading) => {
                    // Bytes beyond the limit have no effect.
                    let _ = reading.push(&body);
                    NextStep::Done(match failure {
                        Some(failure) => reading.failure(failure, now),
                        None => reading.end(now),
                    })
                }
                other => other,
            })
        })
    }

    /// Ends the retrieval without an answer. ``kind`` is ``timeout``, ``dns``, ``connect``, ``tls``, ``reset``, ``incomplete`` or
    /// another name of a kind; ``text`` has details.
    #[pyo3(signature = (kind, text=""))]
    fn failure(&self, kind: &str, text: &str) -> PyResult<()> {
        let failure = failure(kind, text)?;
        self.step(|awaiting, now| NextStep::Done(awaiting.failure(failure, now)))
    }

    /// The entry of the site, or ``None`` before the end.
    #[getter]
    fn entry(&self) -> Option<Entry> {
        self.with(|state| match state {
            State::Done(entry) => Some(Entry::new(Arc::clone(entry))),
            _ => None,
        })
    }
}

/// Returns the failure of this kind.
fn failure(kind: &str, text: &str) -> PyResult<Failure> {
    let Some(found) = FailureKind::from_name(kind) else {
        let names: Vec<_> = FailureKind::ALL.iter().map(|kind| kind.name()).collect();
        return Err(PyValueError::new_err(format!(
            "{kind:?} is not a kind of failure: expected {}",
            names.join(", ")
        )));
    };
    Ok(Failure::new(found, text))
}
