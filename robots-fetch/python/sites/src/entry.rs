//! The class `Entry`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use robots_fetch::{Origin, Permission};
use url::{Position, Url};

use crate::python::{crawler, decision, document, names, profile, robots, seconds, site, time, without_file};

/// The number of crawlers whose permissions are kept.
const KEPT: usize = 64;

/// How long a compiled permission is used. The permission of an entry changes with time, during outages.
const REUSED: Duration = Duration::from_secs(10);

/// The state of a site's robots.txt between retrievals: the last answer, and what it permits.
///
/// Times are seconds since 1970; ``now`` is the time of the system unless it is given. A URL of another site is a ``ValueError``. Two entries are
/// equal if their bytes are.
#[pyclass(frozen, module = "robots_exclusion_sites")]
pub(crate) struct Entry {
    entry: Arc<robots_fetch::Entry>,
    /// Whether no agent is an error, as for the cache that the entry is from.
    lenient_agents: bool,
    /// The permissions that were compiled last, the last one first.
    last: Mutex<Vec<Compiled>>,
    /// The file as `robots_exclusion.Robots`.
    robots: PyOnceLock<Py<PyAny>>,
}

/// The arguments with which pickle makes an entry again.
type Arguments<'py> = (Bound<'py, PyBytes>, &'static str, bool);

struct Compiled {
    names: Vec<String>,
    at: SystemTime,
    permission: Permission,
}

impl Entry {
    pub(crate) const fn new(entry: Arc<robots_fetch::Entry>) -> Self {
        Self { entry, lenient_agents: false, last: Mutex::new(Vec::new()), robots: PyOnceLock::new() }
    }

    /// Makes the entry accept each agent.
    pub(crate) fn with_lenient_agents(mut self, lenient_agents: bool) -> Self {
        self.lenient_agents = lenient_agents;
        self
    }

    /// Returns a URL of the site of the entry.
    fn url(&self, url: &Bound<'_, PyAny>) -> PyResult<Url> {
        let (url, origin) = site(url)?;
        match self.entry.hops().first().and_then(|hop| Origin::from_url(&hop.url).ok()) {
            Some(own) if own != origin => Err(PyValueError::new_err(format!(
                "{url} is not a URL of {own}, whose entry this is; ask for the entry of its own site"
            ))),
            _ => Ok(url),
        }
    }

    pub(crate) const fn inner(&self) -> &Arc<robots_fetch::Entry> {
        &self.entry
    }

    fn permission(&self, agent: &Bound<'_, PyAny>, now: SystemTime) -> PyResult<Permission> {
        let py = agent.py();
        let names = names(agent)?;
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_usable = |last: &&Compiled| {
            last.names == names && now.duration_since(last.at).is_ok_and(|age| age < REUSED)
        };
        if let Some(last) = last().iter().find(is_usable) {
            return Ok(last.permission.clone());
        }
        let crawler = crawler(py, &names, self.entry.profile(), self.lenient_agents)?;
        let permission = py.detach(|| self.entry.permission(&crawler, now));
        let mut last = last();
        last.retain(|last| last.names != names);
        last.insert(0, Compiled { names, at: now, permission: permission.clone() });
        last.truncate(KEPT);
        Ok(permission)
    }
}

#[pymethods]
impl Entry {
    /// Returns the decision about a URL of the site.
    #[pyo3(signature = (agent, url, now=None))]
    fn check<'py>(
        &self,
        agent: &Bound<'py, PyAny>,
        url: &Bound<'_, PyAny>,
        now: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let url = self.url(url)?;
        let permission = self.permission(agent, time(now)?)?;
        decision(agent.py(), &permission.check_url(&url), &permission, &url, || self.entry.body_kind())
    }

    /// Returns whether it is time to ask the site again.
    #[pyo3(signature = (now=None))]
    fn is_due(&self, now: Option<f64>) -> PyResult<bool> {
        Ok(self.entry.is_due(time(now)?))
    }

    /// Returns the bytes of the robots.txt whose rules apply, or ``None`` if everything or nothing may be accessed.
    #[pyo3(signature = (now=None))]
    fn body<'py>(&self, py: Python<'py>, now: Option<f64>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(self.entry.robots(time(now)?).map(|robots| PyBytes::new(py, robots.body())))
    }

    /// Returns the robots.txt whose rules apply as ``robots_exclusion.Robots``, for explanations, records and lints, or ``None`` if
    /// everything or nothing may be accessed.
    #[pyo3(signature = (now=None))]
    pub(crate) fn robots<'py>(
        &self,
        py: Python<'py>,
        now: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(file) = self.entry.robots(time(now)?) else { return Ok(None) };
        let made = self
            .robots
            .get_or_try_init(py, || robots(py, file.body(), self.entry.profile(), self.lenient_agents))?;
        Ok(Some(made.bind(py).clone()))
    }

    /// Returns the ``Crawl-delay`` of a crawler in seconds, or ``None``.
    #[pyo3(signature = (agent, now=None))]
    fn crawl_delay(&self, agent: &Bound<'_, PyAny>, now: Option<f64>) -> PyResult<Option<f64>> {
        match self.robots(agent.py(), now)? {
            Some(robots) => robots.call_method1("crawl_delay", (agent,))?.extract(),
            None => Ok(None),
        }
    }

    /// Returns the values of the ``Sitemap`` lines.
    #[pyo3(signature = (now=None))]
    fn sitemaps(&self, py: Python<'_>, now: Option<f64>) -> PyResult<Vec<String>> {
        match self.robots(py, now)? {
            Some(robots) => robots.getattr("sitemaps")?.extract(),
            None => Ok(Vec::new()),
        }
    }

    /// Returns how the decision about a URL of the site came about, as ``Robots.explain`` does. Without a file, there are no groups.
    #[pyo3(signature = (agent, url, now=None))]
    pub(crate) fn explain<'py>(
        &self,
        agent: &Bound<'py, PyAny>,
        url: &Bound<'_, PyAny>,
        now: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = self.url(url)?;
        match self.robots(agent.py(), now)? {
            Some(robots) => robots.call_method1("explain", (agent, asked.as_str())),
            None => {
                let path = &asked[Position::BeforePath..Position::AfterQuery];
                without_file(&self.check(agent, url, now)?, path)
            }
        }
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

    /// Returns the entry as bytes, for a store of your own.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.entry.encode())
    }

    /// Returns the entry of ``to_bytes``. Raises ``ValueError`` if the bytes are damaged, or of another profile.
    #[staticmethod]
    #[pyo3(signature = (data, profile="rfc9309"))]
    fn from_bytes(data: &[u8], profile: &str) -> PyResult<Self> {
        let decoded = robots_fetch::Entry::decode(data, &self::profile(profile)?);
        decoded
            .map(|entry| Self::new(Arc::new(entry)))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.lenient_agents == other.lenient_agents && self.entry.encode() == other.entry.encode()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.entry.encode().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Arguments<'py>)> {
        let (py, this) = (slf.py(), slf.get());
        let arguments = (this.to_bytes(py), document(this.entry.profile()).name(), this.lenient_agents);
        Ok((slf.get_type().getattr("_from_pickle")?, arguments))
    }

    /// Returns the entry that was pickled.
    #[staticmethod]
    fn _from_pickle(data: &[u8], profile: &str, lenient_agents: bool) -> PyResult<Self> {
        Ok(Self::from_bytes(data, profile)?.with_lenient_agents(lenient_agents))
    }

    fn __repr__(&self) -> String {
        format!("<Entry: {}>", self.cause().unwrap_or_else(|| "a robots.txt".to_owned()))
    }
}
