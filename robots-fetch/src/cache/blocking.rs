//! The blocking cache.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::OnceLock;
use std::thread;
use std::time::Instant;

use robots_match::{Crawler, Verdict};
use url::Url;

use crate::access::Permission;
use crate::cache::core::{Core, Hit, questions};
use crate::cache::decision::Decision;
use crate::cache::flight::{Role, Signal, SingleFlight, Waits, leads};
use crate::cache::options::CacheOptions;
use crate::cache::queue::{Queue, Turn};
use crate::cache::site::Wanted;
use crate::entry::Entry;
use crate::map::Key;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::request::Fetch;
use crate::store::{Claim, Store};

/// A blocking cache: retrieves a robots.txt if there is none or it is due ([`Entry::is_due`](crate::Entry::is_due)),
/// one at a time for each origin, and keeps the rules compiled. `AsyncCache` is its async twin, behind the feature `tokio`.
///
/// While the robots.txt is unreachable, the entry that says so is kept like any other until the next attempt, and
/// [`Entry::access`] returns the rules of an earlier file if the profile's schedule allows that.
///
/// # Retrievals in the background
///
/// After four fifths of the lifetime, the next question about the origin starts a retrieval on a thread of its own, and is
/// answered at once; so is each question until the retrieval ends. If it fails, nothing changes until the lifetime ends. An
/// answer whose lifetime has ended is used in the same way for as long as
/// [`stale_while_revalidate`](crate::AccessPolicy::stale_while_revalidate) says. [`RetrievalLimits`](crate::RetrievalLimits)
/// bound the threads. When the cache is dropped, those that retrieve end with their retrieval, and no other begins.
///
/// # Memory
///
/// An origin and its entry, compiled rules and facts live and die together, within the
/// [limits](CacheOptions::limits). An origin that was not asked about for a long time goes first.
///
/// # Complexity
///
/// A question that memory answers ([`Self::check`], [`Self::permission`], [`Self::decide`]) takes one lock of a sixty-fourth
/// of the map and one look at the clock, and allocates nothing.
///
/// ```
/// use robots_fetch::matching::Crawler;
/// use robots_fetch::{Outcome, Cache, CacheOptions, Failure, Head, Request, Retrieval, SiteProfile, Transport};
///
/// // In place of an HTTP client: no site has a robots.txt.
/// struct NoFiles;
///
/// impl Transport for NoFiles {
///     type Body = ();
///
///     fn send(&mut self, _: &Request) -> Result<(Head, ()), Failure> {
///         Ok((Head::new(404), ()))
///     }
///
///     fn read(&mut self, _: &mut (), _: &mut [u8]) -> Result<usize, Failure> {
///         Ok(0)
///     }
/// }
///
/// let cache = Cache::new(CacheOptions::new(SiteProfile::RFC9309), |retrieval: Retrieval| {
///     let Retrieval { origin, validators, profile, .. } = &retrieval;
///     Outcome::retrieve(&mut NoFiles, origin, validators, profile)
/// });
/// let bot = Crawler::new("ExampleBot")?;
/// let url = "https://example.com/page".parse()?;
/// assert!(cache.check(&url, &bot)?.is_allowed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cache<F, S = ()>(pub(super) Arc<CacheThreads<F, S>>);

/// Clones are the same cache.
impl<F, S> Clone for Cache<F, S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Calls a method of the store.
macro_rules! stored {
    ($cache:expr, $method:ident($($argument:expr),*)) => {
        $cache.core.store().$method($($argument),*)
    };
}

/// The parts of a cache that its threads share.
pub(super) struct CacheThreads<F, S> {
    pub(super) core: Arc<Core<S>>,
    fetch: F,
    pub(super) flight: SingleFlight<ThreadSignal>,
    queue: Queue,
    /// The retrievals in the background.
    pub(super) background: AtomicUsize,
    is_closed: AtomicBool,
}

impl<F: Fetch + 'static, S: Store + 'static> Cache<F, S> {
    /// Creates a cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        let queue = Queue::new(&options.retrievals);
        Self(Arc::new(CacheThreads {
            core: Arc::new(Core::new(options, None)),
            fetch,
            flight: SingleFlight::default(),
            queue,
            background: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
        }))
    }

    /// Returns the entry of an origin: the one in memory, or a new one if there is none or it is due. Concurrent callers wait for
    /// the retrieval in progress.
    ///
    /// `fetch` must not call this for the same origin: it would wait for itself.
    #[must_use]
    pub fn get(&self, origin: &Origin) -> Arc<Entry> {
        match self.0.core.usable(origin) {
            Some((entry, due)) => {
                if due {
                    self.0.refresh_in_background(origin.clone());
                }
                entry
            }
            None => self.0.retrieve(origin, Wanted::Current),
        }
    }

    /// Returns the answer from memory, and starts a retrieval in the background if one is due.
    #[inline]
    fn hit<T>(&self, url: &Url, hit: Hit<T>) -> Result<Option<T>, UnsupportedUrl> {
        match hit {
            Some((answer, true)) => {
                self.0.refresh_in_background(Origin::from_url(url)?);
                Ok(Some(answer))
            }
            Some((answer, false)) => Ok(Some(answer)),
            None => Ok(None),
        }
    }
}

impl<F: Fetch + 'static, S: Store + 'static> CacheThreads<F, S> {
    /// Retrieves an origin on another thread, unless too many are retrieved so. The next question after a second tries again.
    fn refresh_in_background(self: &Arc<Self>, origin: Origin) {
        let may_more = |count| (count < self.core.retrievals.background).then_some(count + 1);
        if self.is_closed.load(Ordering::Relaxed)
            || self.background.fetch_update(Ordering::Relaxed, Ordering::Relaxed, may_more).is_err()
        {
            return;
        }
        let place = Background(Arc::clone(self));
        let retrieve = move || {
            let Background(inner) = &place;
            if !inner.is_closed.load(Ordering::Relaxed) {
                inner.retrieve(&origin, Wanted::Early);
            }
        };
        // A system that can't start a thread now may be able to a second later.
        drop(thread::Builder::new().name("robots-refresh".to_owned()).spawn(retrieve));
    }

    fn retrieve(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        loop {
            let leader = match self.flight.join(origin) {
                Role::Follower(flight) => match flight.wait() {
                    Some(entry) => return Arc::clone(entry),
                    // The leader failed.
                    None => continue,
                },
                Role::Leader(leader) => leader,
            };
            return leader.finish(self.lead(origin, wanted));
        }
    }

    fn turn(&self, _: &Origin, _: Wanted) -> Turn<'_> {
        self.queue.enter()
    }

    leads!(stored, [], []);
}

/// A place among the retrievals in the background.
struct Background<F, S>(Arc<CacheThreads<F, S>>);

impl<F, S> Drop for Background<F, S> {
    fn drop(&mut self) {
        self.0.background.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<F, S> Drop for Cache<F, S> {
    fn drop(&mut self) {
        self.0.is_closed.store(true, Ordering::Relaxed);
    }
}

questions! {
    Cache, Fetch, stored, [], [],
    /// Returns all that a crawler needs to know about a URL.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    ///
    /// ```
    /// # use robots_fetch::matching::Crawler;
    /// # use robots_fetch::{AwaitingHead, Cache, CacheOptions, Head, NextStep, Retrieval, SiteProfile};
    /// # use std::time::{Duration, SystemTime};
    /// # let client = |retrieval: Retrieval| {
    /// #     let Retrieval { origin, validators, profile, .. } = &retrieval;
    /// #     let awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
    /// #     let NextStep::Read(mut body) = awaiting.head(&Head::new(200), SystemTime::now()) else { unreachable!() };
    /// #     body.push(b"User-agent: *\nDisallow: /private\nCrawl-delay: 2\n");
    /// #     body.end(SystemTime::now())
    /// # };
    /// let cache = Cache::new(CacheOptions::new(SiteProfile::RFC9309), client);
    /// let decision = cache.decide(&"https://example.com/private".parse()?, &Crawler::new("ExampleBot")?)?;
    /// assert_eq!(decision.verdict.line(), Some(2));
    /// assert_eq!(decision.ask_again, Some(decision.received + Duration::from_secs(24 * 60 * 60)));
    /// # #[cfg(feature = "records")]
    /// assert_eq!(decision.facts.crawl_delay, Some(Duration::from_secs(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
}

/// The signal that threads wait for: the entry, or `None` if the leader failed.
pub(super) struct ThreadSignal(Arc<OnceLock<Option<Arc<Entry>>>>);

impl Signal for ThreadSignal {
    type Follower = Arc<OnceLock<Option<Arc<Entry>>>>;
    type Runtime = ();

    fn runtime() {}

    fn new() -> (Self, Self::Follower) {
        let flight = Arc::default();
        (Self(Arc::clone(&flight)), flight)
    }

    fn finish(&self, entry: Option<Arc<Entry>>) {
        // It is set only once.
        let _ = self.0.set(entry);
    }
}
