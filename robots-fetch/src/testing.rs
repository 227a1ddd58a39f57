//! Sites and a clock for tests of crawlers, without a network (feature `testing`).
//!
//! ```
//! use robots_fetch::matching::Crawler;
//! use robots_fetch::testing::{Clock, Sites};
//! use robots_fetch::{Cache, CacheOptions, Head, SiteProfile};
//! use std::time::Duration;
//!
//! let clock = Clock::new();
//! let sites = Sites::new(&clock);
//! sites.answers("https://example.com/robots.txt", [
//!     (Head::new(200).with_field("Cache-Control", "max-age=60"), "User-agent: *\nDisallow: /private\n"),
//!     (Head::new(404), ""),
//! ]);
//! let cache = Cache::new(CacheOptions::new(SiteProfile::RFC9309).with_clock(clock.reader()), sites.clone());
//! let (bot, url) = (Crawler::new("ExampleBot")?, "https://example.com/private".parse()?);
//! assert!(!cache.check(&url, &bot)?.is_allowed());
//! clock.advance(Duration::from_secs(2 * 24 * 60 * 60));
//! assert!(cache.check(&url, &bot)?.is_allowed());
//! sites.assert_order(&["https://example.com/robots.txt", "https://example.com/robots.txt"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::collections::VecDeque;
use alloc::sync::Arc;
#[cfg(feature = "tokio")]
use core::pin::Pin;
use core::time::Duration;
use std::collections::HashMap;
use std::io::Read as _;
use std::sync::Mutex;
use std::time::SystemTime;

use url::Url;

use crate::common::lock;
use crate::failure::{Failure, FailureKind};
use crate::message::head::Head;
use crate::origin::Origin;
use crate::retrieval::drive::Transport;
use crate::retrieval::outcome::Outcome;
#[cfg(feature = "tokio")]
use crate::retrieval::request::AsyncFetch;
use crate::retrieval::request::{Fetch, Request, Retrieval};

/// A clock for tests. Clones are the same clock.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Source>);

#[derive(Debug)]
enum Source {
    Set(Mutex<SystemTime>),
    #[cfg(feature = "tokio")]
    Runtime(SystemTime, tokio::time::Instant),
}

/// 2024-01-01, so that results do not depend on the day.
const START: Duration = Duration::from_secs(1_704_067_200);

impl Clock {
    /// Creates a clock that stands until [`Self::advance`], at the beginning of 2024.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(Source::Set(Mutex::new(SystemTime::UNIX_EPOCH + START))))
    }

    /// Creates a clock that runs with the timers of tokio, from the beginning of 2024. On a runtime whose time is paused
    /// (`tokio::time::pause`), a gate with this clock runs through a day in milliseconds.
    #[cfg(feature = "tokio")]
    #[must_use]
    pub fn of_runtime() -> Self {
        Self(Arc::new(Source::Runtime(SystemTime::UNIX_EPOCH + START, tokio::time::Instant::now())))
    }

    /// Returns the time.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        match &*self.0 {
            Source::Set(time) => *lock(time),
            #[cfg(feature = "tokio")]
            Source::Runtime(start, since) => *start + since.elapsed(),
        }
    }

    /// Sets the clock forward.
    ///
    /// # Panics
    ///
    /// The clock is that of a runtime, which `tokio::time::advance` sets.
    pub fn advance(&self, by: Duration) {
        match &*self.0 {
            Source::Set(time) => *lock(time) += by,
            #[cfg(feature = "tokio")]
            Source::Runtime(..) => panic!("the clock is that of the runtime; use `tokio::time::advance`"),
        }
    }

    /// Returns the clock for [`CacheOptions::with_clock`](crate::CacheOptions::with_clock).
    pub fn reader(&self) -> impl Fn() -> SystemTime + Send + Sync + 'static {
        let clock = self.clone();
        move || clock.now()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

/// Sites that answer as a test says, and note the requests. Clones are the same sites. It is a client for caches; pages are requested
/// by [`Self::request`].
#[derive(Clone)]
pub struct Sites {
    clock: Clock,
    state: Arc<Mutex<Script>>,
}

type Answer = Result<(Head, Vec<u8>), Failure>;

#[derive(Default)]
struct Script {
    answers: HashMap<Url, VecDeque<Answer>>,
    requests: Vec<(SystemTime, Url)>,
}

impl Sites {
    /// Creates sites that answer with status 404.
    #[must_use]
    pub fn new(clock: &Clock) -> Self {
        Self { clock: clock.clone(), state: Arc::default() }
    }

    /// Sets the answers to requests for a URL, in order. The last one is repeated.
    ///
    /// # Panics
    ///
    /// The text is not a URL.
    pub fn answers<B: AsRef<[u8]>>(&self, url: &str, answers: impl IntoIterator<Item = (Head, B)>) {
        let answers = answers.into_iter().map(|(head, body)| Ok((head, body.as_ref().to_vec())));
        lock(&self.state).answers.insert(parsed(url), answers.collect());
    }

    /// Lets requests for a URL fail.
    ///
    /// # Panics
    ///
    /// The text is not a URL.
    pub fn fails(&self, url: &str, kind: FailureKind) {
        let failure = Failure::new(kind, "as the test says");
        lock(&self.state).answers.insert(parsed(url), VecDeque::from([Err(failure)]));
    }

    /// Answers a request for a page, and notes it.
    ///
    /// # Errors
    ///
    /// The test says so.
    pub fn request(&self, url: &Url) -> Result<(Head, Vec<u8>), Failure> {
        let mut state = lock(&self.state);
        state.requests.push((self.clock.now(), url.clone()));
        match state.answers.get_mut(url) {
            Some(answers) if answers.len() > 1 => answers.pop_front().unwrap_or_else(|| Ok(missing())),
            Some(answers) => answers.front().cloned().unwrap_or_else(|| Ok(missing())),
            None => Ok(missing()),
        }
    }

    /// Returns the requests until now, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<(SystemTime, Url)> {
        lock(&self.state).requests.clone()
    }

    /// Compares the URLs of all requests, in order.
    ///
    /// # Panics
    ///
    /// They differ.
    #[track_caller]
    pub fn assert_order(&self, urls: &[&str]) {
        let requests = self.requests();
        let found: Vec<_> = requests.iter().map(|(_, url)| url.as_str()).collect();
        assert_eq!(found, urls, "the requests to the sites");
    }

    /// Checks that requests to the same site are at least `gap` apart.
    ///
    /// # Panics
    ///
    /// Two requests are closer. The message names them.
    #[track_caller]
    pub fn assert_gaps(&self, gap: Duration) {
        let mut last: HashMap<Origin, (SystemTime, Url)> = HashMap::new();
        for (time, url) in self.requests() {
            let Ok(origin) = Origin::from_url(&url) else { continue };
            if let Some((before, first)) = last.insert(origin, (time, url.clone())) {
                let found = time.duration_since(before).unwrap_or_default();
                assert!(found >= gap, "{url} was requested {found:?} after {first}, and not {gap:?}");
            }
        }
    }
}

// The number of requests.
debug!([] Sites as "Sites", |sites| "requests": lock(&sites.state).requests.len());

impl Fetch for Sites {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        let Retrieval { origin, validators, profile, .. } = &retrieval;
        Outcome::retrieve(&mut Connection { sites: self, retrieval: &retrieval }, origin, validators, profile)
    }
}

#[cfg(feature = "tokio")]
impl AsyncFetch for Sites {
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        Box::pin(core::future::ready(Fetch::fetch(self, retrieval)))
    }
}

/// A retrieval from the sites.
struct Connection<'s> {
    sites: &'s Sites,
    retrieval: &'s Retrieval,
}

impl Transport for Connection<'_> {
    type Body = std::io::Cursor<Vec<u8>>;

    fn send(&mut self, request: &Request) -> Result<(Head, Self::Body), Failure> {
        let (head, body) = self.sites.request(&request.url)?;
        Ok((head, std::io::Cursor::new(body)))
    }

    fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        body.read(buffer).map_err(|error| Failure::new(FailureKind::Incomplete, error))
    }

    fn retrieval(&self) -> Option<&Retrieval> {
        Some(self.retrieval)
    }

    fn now(&self) -> SystemTime {
        self.sites.clock.now()
    }
}

fn missing() -> (Head, Vec<u8>) {
    (Head::new(404), Vec::new())
}

#[track_caller]
fn parsed(url: &str) -> Url {
    url.parse().unwrap_or_else(|error| panic!("`{url}` is not a URL: {error}"))
}
