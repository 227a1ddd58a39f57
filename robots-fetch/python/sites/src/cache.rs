//! The class `Cache`.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use robots_fetch::client::{AddressPolicy, ClientOptions, Proxies, blocking};
use robots_fetch::matching::Crawler;
use robots_fetch::matching::syntax::BodyKind;
use robots_fetch::{
    CacheOptions, Fetch, Origin, Outcome, Permission, Retrieval, SiteProfile, Store, StoreLimits,
};
use url::Url;

use crate::disk;
use crate::entry::Entry;
use crate::python::{
    crawler, decision, names, request_rate, seconds, site, site_decision, timeout, visit_time,
};
use crate::transport::{self, Transport};
use crate::waiting::{call, forget_calls, is_ending, start, wait};

/// The number of forks that led to this process.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Notes that this process is the child of a fork. `os.register_at_fork` calls it.
#[pyfunction]
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    forget_calls();
}

/// Asks sites for their robots.txt, and keeps the answers.
///
/// Redirects, statuses, outages and lifetimes follow the profile. Threads can share a cache: one of them asks a site, and the
/// others wait for its answer. ``path`` is a file in which answers are kept. Processes of one machine can share the file: one of them
/// asks a site, and the others wait for its answer. Ctrl-C ends a wait. In the child process after a fork, a cache begins anew with what
/// is in the file.
///
/// ``user_agent`` is the ``User-Agent`` header. ``timeout`` is the most time for a site in seconds, with all redirects. With
/// ``public_only``, the client does not connect to loopback, private and other special addresses.
///
/// ``proxy`` is the URL of a proxy, or ``"environment"`` for the proxies that environment variables name; without it, none is used.
/// ``certificates`` are authorities that are trusted besides those of Mozilla, in PEM format. ``transport`` is a function that sends a
/// request in place of the client: it gets a URL and a list of header fields, and returns status, header fields and decoded body, or
/// raises ``TimeoutError``, ``ConnectionError`` or an exception of its client. It must not follow redirects. A mistake in it, such as a
/// ``NameError`` or another result, is written as an exception that can't be raised (``sys.unraisablehook``), and the site is unreachable.
///
/// At most ``max_sites`` sites, and ``max_bytes`` bytes, are kept in memory, and at most ``concurrent`` sites are asked at a time. With
/// ``lenient_agents``, no agent is an error: a crawler whose name is not found obeys the groups for ``*``.
#[pyclass(frozen, subclass, weakref, module = "robots_exclusion_sites")]
pub(crate) struct Cache {
    settings: Settings,
    profile: SiteProfile,
    state: Mutex<State>,
    /// The entries that were returned last, which keep what they compiled.
    recent: Mutex<VecDeque<(Arc<robots_fetch::Entry>, Py<Entry>)>>,
}

/// The number of entries that are returned again as the same object.
const RECENT: usize = 16;

struct State {
    /// `None` after `close`.
    cache: Option<Arc<Asking>>,
    /// The number of forks at which the cache was made.
    forks: u64,
}

type Asking = robots_fetch::Cache<Client, Box<dyn Store>>;

/// What a cache is made of, again after a fork.
struct Settings {
    options: ClientOptions,
    path: Option<PathBuf>,
    transport: Option<Arc<Transport>>,
    limits: StoreLimits,
    concurrent: usize,
    lenient_agents: bool,
}

/// The client of a cache: that of the library, or one written in Python.
enum Client {
    Library(Box<blocking::Client>),
    Python(Arc<Transport>),
}

impl Fetch for Client {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        match self {
            Self::Library(client) => Fetch::fetch(&**client, retrieval),
            Self::Python(transport) => transport.retrieve(&retrieval),
        }
    }
}

impl Settings {
    fn open(&self, profile: SiteProfile) -> PyResult<Arc<Asking>> {
        let client = match &self.transport {
            Some(transport) => Client::Python(Arc::clone(transport)),
            None => Client::Library(Box::new(
                blocking::Client::new(&self.options)
                    .map_err(|error| PyOSError::new_err(error.to_string()))?,
            )),
        };
        let store: Box<dyn Store> = match &self.path {
            None => Box::new(()),
            Some(path) => Box::new(disk::open(path, profile)?),
        };
        let mut options = CacheOptions::new(profile).with_store(store);
        options.limits = self.limits;
        options.retrievals.concurrent = self.concurrent;
        Ok(Arc::new(robots_fetch::Cache::new(options, client)))
    }
}

impl Cache {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the cache; a new one in the child process after a fork.
    fn cache(&self) -> PyResult<Arc<Asking>> {
        let mut state = self.state();
        let Some(cache) = &state.cache else { return Err(PyValueError::new_err("the cache is closed")) };
        let forks = FORKS.load(Ordering::Relaxed);
        if state.forks == forks {
            return Ok(Arc::clone(cache));
        }
        let new = self.settings.open(self.profile)?;
        // Threads of the parent process, which do not exist here, may hold locks of the old one for ever.
        std::mem::forget(state.cache.replace(Arc::clone(&new)));
        state.forks = forks;
        Ok(new)
    }

    fn crawler(&self, agent: &Bound<'_, PyAny>) -> PyResult<Crawler> {
        crawler(agent.py(), &names(agent)?, &self.profile, self.settings.lenient_agents)
    }

    /// Calls `f` with the cache: at once if the answer of the site is known, and otherwise in a thread, so that signals end the wait.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        origin: &Origin,
        f: impl FnOnce(&Asking) -> T + Send + 'static,
    ) -> PyResult<T> {
        let cache = self.cache()?;
        if py.detach(|| is_known(&cache, origin)) {
            return Ok(py.detach(|| f(&cache)));
        }
        wait(py, move || f(&cache))
    }

    fn permission(&self, agent: &Bound<'_, PyAny>, url: &Url, origin: &Origin) -> PyResult<Permission> {
        let crawler = self.crawler(agent)?;
        let asked = url.clone();
        let permission = self.ask(agent.py(), origin, move |cache| cache.permission(&asked, &crawler))?;
        permission.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns what the body of the last answer of a site is, if there is one.
    fn kind(&self, origin: &Origin) -> Option<BodyKind> {
        self.cache().ok()?.peek(origin)?.body_kind()
    }
}

/// Returns whether the answer of a site is known, and it is not time to ask it again.
fn is_known(cache: &Asking, origin: &Origin) -> bool {
    cache.peek(origin).is_some_and(|entry| !entry.is_due(SystemTime::now()))
}

#[pymethods]
impl Cache {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "all except two have a default")]
    #[pyo3(signature = (
        user_agent, profile="rfc9309", *, path=None, timeout=30.0, public_only=false, proxy=None, certificates=None,
        transport=None, max_sites=10_000, max_bytes=67_108_864, concurrent=256, lenient_agents=false
    ))]
    fn new(
        user_agent: &str,
        profile: &str,
        path: Option<PathBuf>,
        timeout: f64,
        public_only: bool,
        proxy: Option<&str>,
        certificates: Option<Vec<u8>>,
        transport: Option<Bound<'_, PyAny>>,
        max_sites: usize,
        max_bytes: usize,
        concurrent: usize,
        lenient_agents: bool,
    ) -> PyResult<Self> {
        let profile = crate::python::profile(profile)?;
        let refused = |error: &dyn std::error::Error| PyValueError::new_err(error.to_string());
        let mut options = ClientOptions::new(user_agent).map_err(|error| refused(&error))?;
        options.total_timeout = self::timeout(timeout)?;
        options.connect_timeout = options.connect_timeout.min(options.total_timeout);
        options.read_timeout = options.read_timeout.min(options.total_timeout);
        options.addresses = if public_only { AddressPolicy::Public } else { AddressPolicy::Any };
        options.certificates = certificates.unwrap_or_default();
        options.proxies = match proxy {
            None => Proxies::default(),
            Some("environment") => Proxies::from_env(),
            Some(url) => Proxies::parse(url).map_err(|error| refused(&error))?,
        };
        if let Some(function) = &transport {
            transport::check(function)?;
        }
        let mut limits = StoreLimits::DEFAULT;
        (limits.entries, limits.bytes) = (max_sites, max_bytes);
        let settings = Settings {
            options,
            path,
            transport: transport.map(|function| Arc::new(Transport::new(function.unbind()))),
            limits,
            concurrent,
            lenient_agents,
        };
        let cache = Some(settings.open(profile)?);
        let state = Mutex::new(State { cache, forks: FORKS.load(Ordering::Relaxed) });
        let recent = Mutex::default();
        Ok(Self { settings, profile, state, recent })
    }

    /// Returns the decision about a URL. Asks its site if necessary, without the lock of the interpreter.
    fn check<'py>(&self, agent: &Bound<'py, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (url, origin) = site(url)?;
        let permission = self.permission(agent, &url, &origin)?;
        decision(agent.py(), &permission.check_url(&url), &permission, &url, || self.kind(&origin))
    }

    /// Returns the decision about a URL like ``check``, or ``None`` if its site would be asked. It does not wait for the network; if the
    /// answer is not in memory, it reads the file at ``path``.
    fn peek<'py>(
        &self,
        agent: &Bound<'py, PyAny>,
        url: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = agent.py();
        let crawler = self.crawler(agent)?;
        let (url, origin) = site(url)?;
        let cache = self.cache()?;
        let permission = py.detach(|| {
            let entry = cache.peek(&origin).filter(|entry| !entry.is_due(SystemTime::now()))?;
            // The entry is in memory now, where its rules are compiled once.
            Some(
                cache
                    .permission(&url, &crawler)
                    .unwrap_or_else(|_| entry.permission(&crawler, SystemTime::now())),
            )
        });
        let decided = permission.map(|permission| {
            decision(py, &permission.check_url(&url), &permission, &url, || self.kind(&origin))
        });
        decided.transpose()
    }

    /// Returns all that a crawler needs to know about a URL, as a ``SiteDecision``: the decision, delays and hours, sitemaps, and when
    /// to ask again. Asks its site if necessary. What the file says is read once for each crawler.
    fn decide<'py>(&self, agent: &Bound<'py, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = agent.py();
        let (url, origin) = site(url)?;
        let crawler = self.crawler(agent)?;
        let asked = url.clone();
        let found = self.ask(py, &origin, move |cache| {
            let decided = cache.decide(&asked, &crawler)?;
            cache.permission(&asked, &crawler).map(|permission| (decided, permission))
        })?;
        let (decided, permission) = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let facts = &decided.facts;
        let rate = facts.request_rates.first().map(|rate| request_rate(py, rate)).transpose()?;
        let hours = facts.visit_times.iter().map(|window| visit_time(py, window));
        let arguments = (
            decision(py, &decided.verdict, &permission, &url, || self.kind(&origin))?,
            facts.crawl_delay.as_ref().map(Duration::as_secs_f64),
            rate,
            hours.collect::<PyResult<Vec<_>>>()?,
            facts.sitemaps.iter().map(Url::to_string).collect::<Vec<_>>(),
            decided.result.name(),
            decided.ask_again.map(seconds),
            seconds(decided.received),
            decided.is_fresh,
            seconds(decided.fresh_until),
            seconds(decided.next_retrieval),
        );
        site_decision(py)?.call1(arguments)
    }

    /// Returns the ``Crawl-delay`` of a crawler at the site of a URL in seconds, or ``None``. Asks the site if necessary.
    fn crawl_delay(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        let (url, origin) = site(url)?;
        let crawler = self.crawler(agent)?;
        let found = self.ask(agent.py(), &origin, move |cache| {
            cache.decide(&url, &crawler).map(|decided| decided.facts.crawl_delay)
        })?;
        let delay = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(delay.map(|delay| delay.as_secs_f64()))
    }

    /// Returns the sitemaps of the site of a URL that are absolute URLs. Asks the site if necessary.
    fn sitemaps(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let (url, origin) = site(url)?;
        let found = self.ask(py, &origin, move |cache| cache.decide(&url, &Crawler::unnamed()))?;
        let decided = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(decided.facts.sitemaps.iter().map(Url::to_string).collect())
    }

    /// Returns how the decision about a URL came about, as ``Robots.explain`` does. Asks its site if necessary.
    fn explain<'py>(&self, agent: &Bound<'py, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.entry(agent.py(), url)?.get().explain(agent, url, None)
    }

    /// Returns the robots.txt of the site of a URL, or ``None`` if everything or nothing may be accessed. Asks the site if necessary.
    fn robots<'py>(&self, py: Python<'py>, url: &Bound<'_, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.entry(py, url)?.get().robots(py, None)
    }

    /// Returns the entry of the site of a URL. Asks the site if necessary, without the lock of the interpreter.
    fn entry(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Py<Entry>> {
        let (_, origin) = site(url)?;
        let asked = origin.clone();
        let entry = self.ask(py, &origin, move |cache| cache.get(&asked))?;
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |(known, _): &&(Arc<robots_fetch::Entry>, _)| *known == entry;
        if let Some((_, object)) = recent().iter().find(is_it) {
            return Ok(object.clone_ref(py));
        }
        let object = Entry::new(Arc::clone(&entry)).with_lenient_agents(self.settings.lenient_agents);
        let object = Py::new(py, object)?;
        let mut recent = recent();
        recent.push_front((entry, object.clone_ref(py)));
        let oldest = if recent.len() > RECENT { recent.pop_back() } else { None };
        drop(recent);
        // This can call the interpreter.
        drop(oldest);
        Ok(object)
    }

    /// Calls a function with the entry of the site of a URL, from a thread for which the interpreter does not wait when it ends.
    fn _ask(&self, url: &Bound<'_, PyAny>, then: Py<PyAny>) -> PyResult<()> {
        let (_, origin) = site(url)?;
        let cache = self.cache()?;
        if is_ending() {
            return Err(PyRuntimeError::new_err("the interpreter ends: no more sites are asked"));
        }
        let lenient_agents = self.settings.lenient_agents;
        start(move || {
            let entry = Entry::new(cache.get(&origin)).with_lenient_agents(lenient_agents);
            drop(cache);
            // Without an interpreter, no one waits.
            call(|py| {
                if let Err(error) = then.call1(py, (entry,)) {
                    error.write_unraisable(py, None);
                }
                drop(then);
            });
        })
    }

    /// Returns whether a crawler may access a URL; see ``check``.
    fn can_fetch(&self, agent: &Bound<'_, PyAny>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.check(agent, url)?.is_truthy()
    }

    /// Closes the file at ``path`` and the connections, when the last question is answered. After this, questions raise ``ValueError``.
    fn close(&self, py: Python<'_>) {
        let cache = self.state().cache.take();
        py.detach(|| drop(cache));
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.close(py);
    }

    fn __repr__(&self) -> &'static str {
        "<Cache>"
    }
}
