//! A cache for crawlers: what is retrieved, when, and by whom.

mod flight;
mod rules;
#[cfg(feature = "tokio")]
mod tasks;

use alloc::sync::Arc;
use core::fmt;
use std::time::SystemTime;

use robots_match::Crawler;
use url::Url;

use crate::access::Permission;
use crate::cache::flight::{Flights, Seat};
use crate::cache::rules::Rules;
use crate::entry::Entry;
use crate::fields::Validators;
use crate::origin::{Origin, UnsupportedUrl};
use crate::outcome::Outcome;
use crate::profile::Profile;
use crate::store::{Bounds, Memory, Store, StoreError};

#[cfg(feature = "tokio")]
pub use tasks::{AsyncCache, AsyncFetch};

/// What retrieves a robots.txt, on a thread that it may block: a client, or a closure.
///
/// It has to end. Where it panics, whoever asked gets the panic, and whoever waited for it tries in turn.
pub trait Fetch: Send + Sync {
    /// One retrieval, as [`drive`](crate::drive) makes it.
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &Profile) -> Outcome;
}

impl<F> Fetch for F
where
    F: Fn(&Origin, &Validators, &Profile) -> Outcome + Send + Sync,
{
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &Profile) -> Outcome {
        self(origin, validators, profile)
    }
}

#[cfg(feature = "ureq")]
impl Fetch for crate::client::ureq::Client {
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &Profile) -> Outcome {
        Self::fetch(self, origin, validators, profile)
    }
}

#[cfg(all(feature = "ftp", feature = "ureq"))]
impl Fetch for crate::client::ByScheme<crate::client::ureq::Client> {
    fn fetch(&self, origin: &Origin, validators: &Validators, profile: &Profile) -> Outcome {
        Self::fetch(self, origin, validators, profile)
    }
}

#[cfg(feature = "ftp")]
impl Fetch for crate::client::ftp::Client {
    fn fetch(&self, origin: &Origin, _: &Validators, profile: &Profile) -> Outcome {
        Self::fetch(self, origin, profile)
    }
}

/// What a cache is told: the profile, where entries are kept, which clock counts.
///
/// ```
/// use robots_fetch::{Bounds, CacheOptions, Memory, Profile};
/// use std::time::{Duration, SystemTime};
///
/// let tomorrow = || SystemTime::now() + Duration::from_secs(24 * 60 * 60);
/// let store = Memory::new(Bounds { entries: 100, octets: 1 << 20 });
/// let options = CacheOptions::new(Profile::GOOGLE).store(store).clock(tomorrow);
/// ```
pub struct CacheOptions<S = Memory> {
    profile: Profile,
    store: S,
    clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    rules: Bounds,
    told: Box<dyn Fn(&StoreError) + Send + Sync>,
}

impl CacheOptions {
    /// This profile, a store in memory, the clock of the system, at most 10,000 rule sets of 64 MiB together, and silence
    /// about errors of the store.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            store: Memory::default(),
            clock: Box::new(SystemTime::now),
            rules: Bounds::DEFAULT,
            told: Box::new(|_| ()),
        }
    }
}

impl<S> CacheOptions<S> {
    /// The same with another store. One that fails to keep what it is given causes a retrieval for each question: put a
    /// store in memory [in front](crate::Tiered) of one that can.
    #[must_use]
    pub fn store<T: Store>(self, store: T) -> CacheOptions<T> {
        let Self { profile, clock, rules, told, .. } = self;
        CacheOptions { profile, store, clock, rules, told }
    }

    /// The same with another clock. It has to be that by which retrievals tell when they were made.
    #[must_use]
    pub fn clock(self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self { clock: Box::new(clock), ..self }
    }

    /// The same with other bounds to the rule sets that are kept compiled. Each counts 256 octets and those of its file.
    #[must_use]
    pub fn rules(self, bounds: Bounds) -> Self {
        Self { rules: bounds, ..self }
    }

    /// The same, and each error of the store is told. No answer depends on them: what can't be read is retrieved.
    #[must_use]
    pub fn on_store_error(self, told: impl Fn(&StoreError) + Send + Sync + 'static) -> Self {
        Self { told: Box::new(told), ..self }
    }
}

impl<S: fmt::Debug> fmt::Debug for CacheOptions<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CacheOptions");
        shown.field("store", &self.store).field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// What caches of both kinds are made of.
struct Core<S> {
    profile: Profile,
    store: S,
    clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    rules: Rules,
    told: Box<dyn Fn(&StoreError) + Send + Sync>,
}

impl<S: Store> Core<S> {
    fn new(options: CacheOptions<S>) -> Self {
        let CacheOptions { profile, store, clock, rules, told } = options;
        Self { rules: Rules::new(rules, &profile), profile, store, clock, told }
    }

    /// What the store has.
    fn held(&self, origin: &Origin) -> Option<Arc<Entry>> {
        let held = self.store.get(origin).inspect_err(|error| (self.told)(error)).ok().flatten();
        // Whatever the store is, what was made under another profile is of no use here.
        held.filter(|entry| *entry.profile() == self.profile)
    }

    /// Whether it is time to retrieve the robots.txt. During an outage it is not before the pause has passed.
    fn is_due(&self, entry: &Entry) -> bool {
        entry.standing((self.clock)()).due
    }

    /// The next entry, which is kept from now on.
    fn next(&self, origin: &Origin, before: Option<&Entry>, outcome: Outcome) -> Arc<Entry> {
        let entry = Arc::new(Entry::after(before, outcome, &self.profile));
        if let Err(error) = self.store.put(origin, &entry) {
            (self.told)(&error);
        }
        entry
    }

    fn forget(&self, origin: &Origin) {
        if let Err(error) = self.store.remove(origin) {
            (self.told)(&error);
        }
    }

    fn permission(&self, origin: &Origin, entry: &Entry, crawler: Crawler<'_>) -> Permission {
        let access = entry.access((self.clock)());
        Permission::sharing(access, self.rules.of(origin, access, crawler))
    }
}

/// Whether what is held and not due will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Current,
    Anew,
}

/// A cache for threads: it retrieves a robots.txt when there is none or it is due, one at a time for each origin, and keeps
/// what crawlers ask of it compiled.
///
/// When that is, the profile says: [`Standing::due`](crate::Standing). While the robots.txt is unreachable, the entry that
/// says so is held like any other until the next attempt, and [`Entry::access`] serves an earlier file where the schedule of
/// the profile lets it.
///
/// ```
/// use robots_fetch::matching::ProductToken;
/// use robots_fetch::{Awaiting, Cache, CacheOptions, Head, Profile, Step};
/// use std::time::SystemTime;
///
/// // A client for the example: no site has a robots.txt.
/// let cache = Cache::new(CacheOptions::new(Profile::RFC9309), |origin: &_, validators: &_, profile: &_| {
///     let (_, awaiting) = Awaiting::begin(origin, validators, profile, SystemTime::now());
///     let Step::Done(outcome) = awaiting.head(&Head::new(404), SystemTime::now()) else { unreachable!() };
///     outcome
/// });
/// let bot = ProductToken::new("ExampleBot")?;
/// let url = "https://example.com/page".parse()?;
/// let permission = cache.permission(&url, &bot)?;
/// assert!(permission.check_url(&url).is_allowed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cache<F, S = Memory> {
    core: Core<S>,
    fetch: F,
    flights: Flights,
}

impl<F: Fetch, S: Store> Cache<F, S> {
    /// A cache that retrieves by `fetch`.
    #[must_use]
    pub fn new(options: CacheOptions<S>, fetch: F) -> Self {
        Self { core: Core::new(options), fetch, flights: Flights::default() }
    }

    /// The entry of an origin: the one that is held, or a new one if there is none or it is due. Who asks while it is being
    /// retrieved waits for that.
    ///
    /// `fetch` must not ask for the same origin: it would wait for itself.
    #[must_use]
    pub fn get(&self, origin: &Origin) -> Arc<Entry> {
        let held = self.core.held(origin).filter(|entry| !self.core.is_due(entry));
        held.unwrap_or_else(|| self.retrieve(origin, Wanted::Current))
    }

    /// A new entry of an origin, whatever is held. Who asks while it is being retrieved waits for that.
    pub fn refresh(&self, origin: &Origin) -> Arc<Entry> {
        self.retrieve(origin, Wanted::Anew)
    }

    /// The entry that is held of an origin, due or not.
    #[must_use]
    pub fn peek(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.core.held(origin)
    }

    /// Forgets the entry of an origin.
    pub fn forget(&self, origin: &Origin) {
        self.core.forget(origin);
    }

    /// What a crawler may do at the site of a URL, with rules that are compiled once for all URLs of the site.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub fn permission<'t>(
        &self,
        url: &Url,
        crawler: impl Into<Crawler<'t>>,
    ) -> Result<Permission, UnsupportedUrl> {
        let origin = Origin::of(url)?;
        Ok(self.core.permission(&origin, &self.get(&origin), crawler.into()))
    }

    /// The store.
    #[must_use]
    pub const fn store(&self) -> &S {
        &self.core.store
    }

    fn retrieve(&self, origin: &Origin, wanted: Wanted) -> Arc<Entry> {
        loop {
            let flight = match self.flights.board(origin) {
                Seat::Passenger(flight) => match flight.wait() {
                    Some(entry) => return entry,
                    None => continue,
                },
                Seat::Pilot(flight) => flight,
            };
            // Another flight may have landed since the store was asked.
            let before = self.core.held(origin);
            if let Some(held) = &before
                && wanted == Wanted::Current
                && !self.core.is_due(held)
            {
                return flight.land(Arc::clone(held));
            }
            let validators = before.as_deref().map(Entry::validators).unwrap_or_default();
            let outcome = self.fetch.fetch(origin, &validators, &self.core.profile);
            return flight.land(self.core.next(origin, before.as_deref(), outcome));
        }
    }
}

impl<F, S: fmt::Debug> fmt::Debug for Cache<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("store", &self.core.store).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
