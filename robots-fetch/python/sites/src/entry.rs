//! The class `Entry`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use robots_fetch::Permission;

use crate::python::{crawler, decision, names, profile, seconds, site, time};

/// How long a compiled permission is used. The permission of an entry changes with time, during outages.
const REUSED: Duration = Duration::from_secs(10);

/// The state of a site's robots.txt between retrievals: the last answer, and what it permits.
///
/// Times are seconds since 1970; ``now`` is the time of the system unless it is given.
#[pyclass(frozen, module = "robots_exclusion_sites")]
pub(crate) struct Entry {
    entry: Arc<robots_fetch::Entry>,
    /// The permission that was compiled last.
    last: Mutex<Option<Compiled>>,
}

struct Compiled {
    names: Vec<String>,
    at: SystemTime,
    permission: Permission,
}

impl Entry {
    pub(crate) fn new(entry: Arc<robots_fetch::Entry>) -> Self {
        Self { entry, last: Mutex::default() }
    }

    pub(crate) const fn inner(&self) -> &Arc<robots_fetch::Entry> {
        &self.entry
    }

    fn permission(&self, agent: &Bound<'_, PyAny>, now: SystemTime) -> PyResult<Permission> {
        let py = agent.py();
        let names = names(agent)?;
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*last()
            && last.names == names
            && now.duration_since(last.at).is_ok_and(|age| age < REUSED)
        {
            return Ok(last.permission.clone());
        }
        let crawler = crawler(py, &names, self.entry.profile())?;
        let permission = py.detach(|| self.entry.permission(&crawler, now));
        *last() = Some(Compiled { names, at: now, permission: permission.clone() });
        Ok(permission)
    }
}

#[pymethods]
impl Entry {
    /// check(agent, url, now=None)
    /// --
    ///
    /// Returns the decision about a URL of the site.
    #[pyo3(signature = (agent, url, now=None))]
    fn check<'py>(
        &self,
        agent: &Bound<'py, PyAny>,
        url: &str,
        now: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (url, _) = site(url)?;
        let permission = self.permission(agent, time(now)?)?;
        decision(agent.py(), &permission.check_url(&url), &permission, &url)
    }

    /// is_due(now=None)
    /// --
    ///
    /// Returns whether it is time to ask the site again.
    #[pyo3(signature = (now=None))]
    fn is_due(&self, now: Option<f64>) -> PyResult<bool> {
        Ok(self.entry.is_due(time(now)?))
    }

    /// body(now=None)
    /// --
    ///
    /// Returns the bytes of the robots.txt whose rules apply, or ``None`` if everything or nothing may be accessed.
    #[pyo3(signature = (now=None))]
    fn body<'py>(&self, py: Python<'py>, now: Option<f64>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(self.entry.robots(time(now)?).map(|robots| PyBytes::new(py, robots.body())))
    }

    /// The time at which the site should be asked again.
    #[getter]
    fn next_attempt(&self) -> f64 {
        seconds(self.entry.next_retrieval())
    }

    /// The meaning of the last answer: ``success``, ``unavailable``, ``unreachable``, ``throttled`` or ``restricted``.
    #[getter]
    fn result(&self) -> &'static str {
        self.entry.access_result().name()
    }

    /// The status of the last answer, or ``None`` without an answer.
    #[getter]
    fn status(&self) -> Option<u16> {
        self.entry.status()
    }

    /// Why the last answer was not a file, or ``None`` if it was.
    #[getter]
    fn cause(&self) -> Option<String> {
        self.entry.cause().map(ToString::to_string)
    }

    /// The URLs that were requested: all except the last were answered by redirects.
    #[getter]
    fn urls(&self) -> Vec<String> {
        self.entry.hops().iter().map(|hop| hop.url.to_string()).collect()
    }

    /// to_bytes()
    /// --
    ///
    /// Returns the entry as bytes, for a store of your own.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.entry.encode())
    }

    /// from_bytes(data, profile="rfc9309")
    /// --
    ///
    /// Returns the entry of ``to_bytes``. Raises ``ValueError`` if the bytes are damaged, or of another profile.
    #[staticmethod]
    #[pyo3(signature = (data, profile="rfc9309"))]
    fn from_bytes(data: &[u8], profile: &str) -> PyResult<Self> {
        let decoded = robots_fetch::Entry::decode(data, &self::profile(profile)?);
        decoded
            .map(|entry| Self::new(Arc::new(entry)))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<Entry: {}>", self.cause().unwrap_or_else(|| "a robots.txt".to_owned()))
    }
}
