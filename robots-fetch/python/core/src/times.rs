//! Rates of requests, and times of the day.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use robots_match::records::TimeWindow;

use crate::dictionary::dictionary;
use crate::values::hash;

/// Hours of a day in UTC, as ``(hour, minute)``.
#[pyclass(frozen, get_all, from_py_object, eq, hash, module = "robots_exclusion")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct VisitTime {
    /// The first minute.
    start: (u8, u8),
    /// The minute after the last.
    end: (u8, u8),
}

impl VisitTime {
    pub(crate) const fn new(window: TimeWindow) -> Self {
        Self { start: window.from(), end: window.until() }
    }
}

#[pymethods]
impl VisitTime {
    #[new]
    #[pyo3(signature = (start, end))]
    const fn from_parts(start: (u8, u8), end: (u8, u8)) -> Self {
        Self { start, end }
    }

    fn __repr__(&self) -> String {
        let ((a, b), (c, d)) = (self.start, self.end);
        format!("<VisitTime {a:02}:{b:02} to {c:02}:{d:02}>")
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["start", "end"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__(&self) -> ((u8, u8), (u8, u8)) {
        (self.start, self.end)
    }
}

/// A number of requests in a time.
#[pyclass(frozen, get_all, eq, module = "robots_exclusion")]
#[derive(Clone, PartialEq)]
pub(crate) struct RequestRate {
    /// The number of requests.
    pub(crate) requests: u64,
    /// The time in seconds.
    pub(crate) seconds: f64,
    /// The hours in which the rate applies, or ``None`` for the whole day.
    pub(crate) window: Option<VisitTime>,
}

#[pymethods]
impl RequestRate {
    #[new]
    #[pyo3(signature = (requests, seconds, window=None))]
    const fn new(requests: u64, seconds: f64, window: Option<VisitTime>) -> Self {
        Self { requests, seconds, window }
    }

    fn __repr__(&self) -> String {
        format!("<RequestRate {}/{}s>", self.requests, self.seconds)
    }

    fn __hash__(&self) -> u64 {
        hash(&(self.requests, self.seconds.to_bits(), &self.window))
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["requests", "seconds", "window"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__(&self) -> (u64, f64, Option<VisitTime>) {
        (self.requests, self.seconds, self.window.clone())
    }
}
