//! The blocking cache.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use robots_match::{Crawler, Verdict};
use url::Url;

use crate::access::Permission;
use crate::cache::core::{Core, Hit, state_of_memory};
use crate::cache::decision::Decision;
use crate::cache::flight::{Answer, Ask, Lead};
use crate::cache::flight::{Role, Signal, SingleFlight};
use crate::cache::options::CacheOptions;
use crate::cache::queue::Queue;
use crate::cache::site::Wanted;
use crate::entry::Entry;
use crate::map::Key;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::request::Fetch;
use crate::store::Store;

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
            core: Arc::new(Core::new(options)),
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

    /// Retrieves a new entry of an origin, even if the one in memory is fresh. Concurrent callers wait for the retrieval in
    /// progress.
    pub fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.0.retrieve(origin, Wanted::Anew)
    }

    /// Returns the entry of an origin in memory or in the store, due or not.
    #[must_use]
    pub fn peek(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.0.held(origin)
    }

    /// Removes the entry of an origin from memory and from the store.
    pub fn forget(&self, origin: &Origin) {
        self.0.core.sites.remove(&origin.key());
        self.0.core.noting(self.0.core.store.remove(origin));
    }

    /// Returns what a crawler may do at the site of a URL. The rules are compiled once for all URLs of the site.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub fn permission(&self, url: &Url, crawler: &Crawler) -> Result<Permission, UnsupportedUrl> {
        let hit = self.0.core.permission(&Key::from_url(url)?, crawler);
        match self.hit(url, hit)? {
            Some(permission) => Ok(permission),
            None => Ok(self.0.permission(&Origin::from_url(url)?, crawler)),
        }
    }

    /// Returns whether a crawler may access a URL, and why.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub fn check(&self, url: &Url, crawler: &Crawler) -> Result<Verdict, UnsupportedUrl> {
        let hit = self.0.core.check(&Key::from_url(url)?, url, crawler);
        match self.hit(url, hit)? {
            Some(verdict) => Ok(verdict),
            None => Ok(self.0.permission(&Origin::from_url(url)?, crawler).check_url(url)),
        }
    }

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
    pub fn decide(&self, url: &Url, crawler: &Crawler) -> Result<Decision, UnsupportedUrl> {
        let key = Key::from_url(url)?;
        match self.hit(url, self.0.core.decide(&key, url, crawler))? {
            Some(decision) => Ok(decision),
            None => {
                let origin = Origin::from_url(url)?;
                let core = &self.0.core;
                let _ = self.0.permission(&origin, crawler);
                let decided = core.decide_anyway(&key, url, crawler);
                Ok(decided.unwrap_or_else(|| core.decide_by(&self.get(&origin), url, crawler)))
            }
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

    /// Returns the permission of a crawler, after a retrieval if the entry in memory is missing or due.
    fn permission(&self, origin: &Origin, crawler: &Crawler) -> Permission {
        loop {
            let entry = (!self.core.can_answer(origin)).then(|| self.retrieve(origin, Wanted::Current));
            let kept = self.core.compiled(origin, crawler);
            let permission =
                kept.or_else(|| entry.map(|entry| entry.permission(crawler, (self.core.clock)())));
            // The entry may be dropped from memory between the two questions.
            if let Some(permission) = permission {
                return permission;
            }
        }
    }

    fn retrieve(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        loop {
            let leader = match self.flight.join(origin) {
                Role::Follower(flight) => match flight.wait() {
                    Some(entry) => return entry,
                    // The leader failed.
                    None => continue,
                },
                Role::Leader(leader) => leader,
            };
            return leader.finish(self.lead(origin, wanted));
        }
    }

    /// Returns the entry in memory, or if it is missing or due, that of the store.
    fn held(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.held_for(origin, Wanted::Current)
    }

    fn held_for(&self, origin: &Origin, wanted: Wanted) -> Option<Arc<Entry>> {
        let local = self.core.local(origin);
        match &local {
            Some(entry) if self.core.is_enough(entry, wanted) => local,
            _ => self.core.found(origin, local, self.core.store.get(origin)),
        }
    }

    /// Looks into the store, and retrieves if needed, under a claim of the store.
    fn lead(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        let core = &self.core;
        let mut lead = Lead::new(core, origin, wanted);
        let mut ask = Ask::Get;
        loop {
            ask = lead.next(match ask {
                Ask::Get => Answer::Get(self.held_for(origin, wanted)),
                Ask::Claim => Answer::Claim(core.noting(core.store.claim(origin))),
                Ask::Wait(at_most) => {
                    let since = Instant::now();
                    Answer::Wait(core.noting(core.store.wait(origin, at_most)).map(|()| since.elapsed()))
                }
                Ask::Fetch(retrieval) => {
                    let _turn = self.queue.enter();
                    Answer::Fetch(self.fetch.fetch(retrieval))
                }
                Ask::Put(entry) => {
                    core.noting(core.store.put(origin, &entry));
                    Answer::Put(entry)
                }
                Ask::Done(entry) => return entry,
            });
        }
    }
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

state_of_memory!(Cache, Fetch);

/// The signal that threads wait for.
#[derive(Default)]
pub(super) struct ThreadFlight {
    state: Mutex<Progress>,
    ended: Condvar,
}

#[derive(Default)]
enum Progress {
    #[default]
    InFlight,
    Finished(Arc<Entry>),
    Failed,
}

/// The leader's side of a [`ThreadFlight`].
pub(super) struct ThreadSignal(Arc<ThreadFlight>);

impl ThreadFlight {
    /// Blocks until the leader has finished; `None` if it failed.
    pub(super) fn wait(&self) -> Option<Arc<Entry>> {
        let in_flight = |state: &mut Progress| matches!(state, Progress::InFlight);
        let state = self.ended.wait_while(self.state(), in_flight).unwrap_or_else(PoisonError::into_inner);
        match &*state {
            Progress::Finished(entry) => Some(Arc::clone(entry)),
            Progress::InFlight | Progress::Failed => None,
        }
    }

    // Nothing that is done under this lock can panic half way.
    fn state(&self) -> MutexGuard<'_, Progress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Signal for ThreadSignal {
    type Follower = Arc<ThreadFlight>;
    type Runtime = ();

    fn runtime() {}

    fn new() -> (Self, Arc<ThreadFlight>) {
        let flight = Arc::new(ThreadFlight::default());
        (Self(Arc::clone(&flight)), flight)
    }

    fn finish(&self, entry: Arc<Entry>) {
        *self.0.state() = Progress::Finished(entry);
    }
}

impl Drop for ThreadSignal {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if matches!(*state, Progress::InFlight) {
            *state = Progress::Failed;
        }
        drop(state);
        self.0.ended.notify_all();
    }
}
