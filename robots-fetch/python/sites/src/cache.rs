//! The class `Cache`.

use std::path::PathBuf;
use std::time::SystemTime;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use robots_fetch::client::{AddressPolicy, ClientOptions, ureq};
use robots_fetch::{CacheOptions, SiteProfile, Store};

use crate::disk;
use crate::entry::Entry;
use crate::python::{crawler, decision, names, site, timeout};

/// Cache(user_agent, profile="rfc9309", *, path=None, timeout=30.0, public_only=False)
/// --
///
/// Asks sites for their robots.txt, and keeps the answers.
///
/// Redirects, statuses, outages and lifetimes follow the profile. Threads can share a cache: one of them asks a site, and the
/// others wait for its answer. ``path`` is a file in which answers are kept. Processes of one
/// machine can share the file: one of them asks a site, and the others wait for its answer.
///
/// ``user_agent`` is the ``User-Agent`` header. ``timeout`` is the most time for a site in seconds, with all redirects. With
/// ``public_only``, the client does not connect to loopback, private and other special addresses.
#[pyclass(frozen, module = "robots_exclusion_sites")]
pub(crate) struct Cache {
    cache: robots_fetch::Cache<ureq::Client, Box<dyn Store>>,
    profile: SiteProfile,
}

#[pymethods]
impl Cache {
    #[new]
    #[pyo3(signature = (user_agent, profile="rfc9309", *, path=None, timeout=30.0, public_only=false))]
    fn new(
        user_agent: &str,
        profile: &str,
        path: Option<PathBuf>,
        timeout: f64,
        public_only: bool,
    ) -> PyResult<Self> {
        let profile = crate::python::profile(profile)?;
        let refused = |error: &dyn std::error::Error| PyValueError::new_err(error.to_string());
        let mut options = ClientOptions::new(user_agent).map_err(|error| refused(&error))?;
        options.total_timeout = self::timeout(timeout)?;
        options.connect_timeout = options.connect_timeout.min(options.total_timeout);
        options.read_timeout = options.read_timeout.min(options.total_timeout);
        options.addresses = if public_only { AddressPolicy::Public } else { AddressPolicy::Any };
        let client = ureq::Client::new(&options).map_err(|error| PyOSError::new_err(error.to_string()))?;
        let store: Box<dyn Store> = match path {
            None => Box::new(()),
            Some(path) => Box::new(disk::open(&path, profile)?),
        };
        Ok(Self { cache: robots_fetch::Cache::new(CacheOptions::new(profile).store(store), client), profile })
    }

    /// check(agent, url)
    /// --
    ///
    /// Returns the decision about a URL. Asks its site if necessary, without the lock of the interpreter.
    fn check<'py>(&self, agent: &Bound<'py, PyAny>, url: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = agent.py();
        let crawler = crawler(py, &names(agent)?, &self.profile)?;
        let (url, _) = site(url)?;
        let permission = py.detach(|| self.cache.permission(&url, &crawler));
        let permission = permission.map_err(|error| PyValueError::new_err(error.to_string()))?;
        decision(py, &permission.check_url(&url), &permission, &url)
    }

    /// peek(agent, url)
    /// --
    ///
    /// Returns the decision about a URL like ``check``, or ``None`` if its site would be asked. It does not wait for the network; if the
    /// answer is not in memory, it reads the file at ``path``.
    fn peek<'py>(&self, agent: &Bound<'py, PyAny>, url: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = agent.py();
        let crawler = crawler(py, &names(agent)?, &self.profile)?;
        let (url, origin) = site(url)?;
        let permission = py.detach(|| {
            let entry = self.cache.peek(&origin).filter(|entry| !entry.is_due(SystemTime::now()))?;
            // The entry is in memory now, where its rules are compiled once.
            Some(
                self.cache
                    .permission(&url, &crawler)
                    .unwrap_or_else(|_| entry.permission(&crawler, SystemTime::now())),
            )
        });
        permission.map(|permission| decision(py, &permission.check_url(&url), &permission, &url)).transpose()
    }

    /// entry(url)
    /// --
    ///
    /// Returns the entry of the site of a URL. Asks the site if necessary, without the lock of the interpreter.
    fn entry(&self, py: Python<'_>, url: &str) -> PyResult<Entry> {
        let (_, origin) = site(url)?;
        Ok(Entry::new(py.detach(|| self.cache.get(&origin))))
    }

    /// can_fetch(agent, url)
    /// --
    ///
    /// Returns whether a crawler may access a URL; see ``check``.
    fn can_fetch(&self, agent: &Bound<'_, PyAny>, url: &str) -> PyResult<bool> {
        self.check(agent, url)?.is_truthy()
    }

    fn __repr__(&self) -> &'static str {
        "<Cache>"
    }
}
