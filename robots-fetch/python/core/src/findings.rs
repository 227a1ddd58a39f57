//! Mistakes in a file, and differences between files.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use robots_match::lint;

use crate::dictionary::dictionary;
use crate::values::{Decision, pair};

/// A mistake in a file, or something to know about it.
#[pyclass(frozen, get_all, eq, hash, module = "robots_exclusion")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Finding {
    /// The name of the lint, such as ``accidental-group``.
    lint: String,
    /// ``error``, ``warning`` or ``note``.
    severity: String,
    /// The number of the line, from 1.
    line: usize,
    /// The first byte, and the byte after the last.
    span: (usize, usize),
    /// The problem.
    message: String,
    /// The advice for the site owner.
    help: Option<String>,
    /// The documents under which this is a mistake; empty if it is one under all of them.
    profiles: Vec<String>,
    /// The finding as a line: line, severity, lint and message.
    text: String,
}

impl Finding {
    pub(crate) fn new(finding: &lint::Finding) -> Self {
        Self {
            lint: finding.lint.name().to_owned(),
            severity: finding.lint.severity().name().to_owned(),
            line: finding.line,
            span: pair(finding.span),
            message: finding.message.clone(),
            help: finding.help.clone(),
            profiles: finding.readers.iter().map(|document| document.name().to_owned()).collect(),
            text: finding.to_string(),
        }
    }
}

#[pymethods]
impl Finding {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the members of the class")]
    #[pyo3(signature = (lint, severity, line, span, message, help, profiles, text))]
    const fn from_parts(
        lint: String,
        severity: String,
        line: usize,
        span: (usize, usize),
        message: String,
        help: Option<String>,
        profiles: Vec<String>,
        text: String,
    ) -> Self {
        Self { lint, severity, line, span, message, help, profiles, text }
    }

    fn __str__(&self) -> String {
        self.text.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.text)
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["lint", "severity", "line", "span", "message", "help", "profiles", "text"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (
            self.lint.clone(),
            self.severity.clone(),
            self.line,
            self.span,
            self.message.clone(),
            self.help.clone(),
            self.profiles.clone(),
            self.text.clone(),
        )
            .into_pyobject(py)
    }
}

/// A path that two files treat differently.
#[pyclass(frozen, get_all, from_py_object, eq, hash, module = "robots_exclusion")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Change {
    /// Path and query.
    path: String,
    /// The decision of the file before.
    before: Decision,
    /// The decision of the file after.
    after: Decision,
}

#[pymethods]
impl Change {
    #[new]
    #[pyo3(signature = (path, before, after))]
    pub(crate) const fn new(path: String, before: Decision, after: Decision) -> Self {
        Self { path, before, after }
    }

    fn __repr__(&self) -> String {
        format!("<Change of {}: {} -> {}>", self.path, self.before.text, self.after.text)
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["path", "before", "after"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__(&self) -> (String, Decision, Decision) {
        (self.path.clone(), self.before.clone(), self.after.clone())
    }
}

/// Which paths two files treat differently. A difference is false if it is proved that there is none.
#[pyclass(frozen, get_all, eq, hash, module = "robots_exclusion")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Difference {
    /// A shortest path that was disallowed and is allowed now, or ``None``.
    pub(crate) newly_allowed: Option<Change>,
    /// A shortest path that was allowed and is disallowed now, or ``None``.
    pub(crate) newly_disallowed: Option<Change>,
    /// Whether both searches ended with a path or a proof. The files are rarely so large that they do not.
    pub(crate) decided: bool,
}

#[pymethods]
impl Difference {
    #[new]
    #[pyo3(signature = (newly_allowed, newly_disallowed, decided))]
    const fn new(newly_allowed: Option<Change>, newly_disallowed: Option<Change>, decided: bool) -> Self {
        Self { newly_allowed, newly_disallowed, decided }
    }

    const fn __bool__(&self) -> bool {
        self.newly_allowed.is_some() || self.newly_disallowed.is_some() || !self.decided
    }

    fn __repr__(&self) -> String {
        let shown = |change: &Option<Change>| change.as_ref().map_or("None".to_owned(), Change::__repr__);
        let (allowed, disallowed) = (shown(&self.newly_allowed), shown(&self.newly_disallowed));
        format!("<Difference: newly_allowed={allowed}, newly_disallowed={disallowed}>")
    }

    /// Returns the members as a dictionary for JSON.
    fn as_dict<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(this, &["newly_allowed", "newly_disallowed", "decided"])
    }

    /// Returns the arguments with which pickle and copy make the object again.
    fn __getnewargs__(&self) -> (Option<Change>, Option<Change>, bool) {
        (self.newly_allowed.clone(), self.newly_disallowed.clone(), self.decided)
    }
}
