//! The parts that both caches share.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU32, Ordering};
use std::collections::HashSet;
use std::sync::Mutex;
use std::time::SystemTime;

use robots_match::{AccessResult, Crawler, RuleSet, Verdict};
use url::Url;

use crate::access::Permission;
use crate::cache::decision::Decision;
use crate::cache::facts::CrawlFacts;
use crate::cache::options::CacheOptions;
use crate::cache::queue::RetrievalLimits;
use crate::cache::requests::RecentRequests;
use crate::cache::site::{Applied, Moment, RuleSource, Site, Times, Use, Wanted};
use crate::common::lock;
use crate::entry::Entry;
use crate::failure::{Cause, FailureKind};
use crate::map::{Key, OriginMap};
use crate::observe;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Retrieval;
use crate::store::Store;
use crate::store::error::StoreError;

/// The longest URL that is checked while a part of the map is locked. Together with the size of a rule set that is scanned, this
/// bounds how long others wait.
const LONGEST_UNDER_LOCK: usize = 1024;

/// How many crawlers are known before those that no origin uses any more are forgotten.
const MANY_CRAWLERS: usize = 64;

/// The parts that both caches share.
pub(super) struct Core<S> {
    pub(super) profile: SiteProfile,
    pub(super) store: S,
    /// Whether the store is asked: not if it was opened for another profile, because its entries would answer for other rules, and those
    /// of this cache would replace what others keep there.
    uses_store: bool,
    pub(super) clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub(super) retrievals: RetrievalLimits,
    pub(super) sites: OriginMap<Site>,
    /// The rules of an empty file.
    empty: RuleSet,
    pub(super) no_facts: Arc<CrawlFacts>,
    /// The crawler whose rules decide about redirects.
    crawler: Crawler,
    /// The crawlers that asked, so that origins share them.
    crawlers: Mutex<HashSet<Arc<Crawler>>>,
    /// The number of the next entry that is kept. It begins anew after 2^32 entries.
    numbers: AtomicU32,
    on_store_error: Box<dyn Fn(&StoreError) + Send + Sync>,
    /// The last requests to origins, if gates may be over this cache.
    pub(super) requests: Option<RecentRequests>,
}

/// The answer from memory, and whether a retrieval in the background is due.
pub(super) type Hit<T> = Option<(T, bool)>;

impl<S: Store> Core<S> {
    pub(super) fn new(options: CacheOptions<S>, requests: Option<RecentRequests>) -> Self {
        let CacheOptions { profile, store, clock, limits, retrievals, crawler, on_store_error } = options;
        observe::describe();
        let uses_store = store.profile().is_none_or(|of| *of == profile);
        if !uses_store {
            // Without a path: the store says it for entries of its own.
            let error = StoreError::OtherProfile { path: String::new() };
            observe::store_error(&error);
            on_store_error(&error);
        }
        Self {
            empty: profile.read(Box::default()).rules(&Crawler::unnamed()),
            profile,
            store,
            uses_store,
            clock,
            retrievals,
            sites: OriginMap::new(limits),
            no_facts: Arc::default(),
            crawler,
            crawlers: Mutex::default(),
            numbers: AtomicU32::new(0),
            on_store_error,
            requests,
        }
    }

    /// Returns the store, or one that keeps nothing.
    pub(super) fn store(&self) -> &dyn Store {
        if self.uses_store { &self.store } else { &() }
    }

    /// Calls `see` with what applies to a crawler, if the entry in memory can be used now and the rules were compiled.
    #[inline]
    pub(super) fn hit<T>(
        &self,
        key: &Key<'_>,
        crawler: &Crawler,
        now: SystemTime,
        see: impl FnOnce(&Site, Applied<'_>) -> T,
    ) -> Hit<T> {
        let found = self.sites.find(key, |site| {
            let moment = Moment::from(now);
            let use_now = site.use_at(moment);
            if use_now == Use::No {
                return None;
            }
            let applied = site.applied(now, crawler)?;
            let is_stale = observe::QUESTIONS && !site.times.is_current(moment);
            Some((see(site, applied), use_now == Use::YesAndRefresh, is_stale))
        });
        let (answer, due, is_stale) = found.flatten()?;
        observe_answer(*key, is_stale);
        Some((answer, due))
    }

    /// Checks a URL by the entry in memory: one look at the clock, one lock, and no allocation.
    #[inline]
    pub(super) fn check(&self, key: &Key<'_>, url: &Url, crawler: &Crawler) -> Hit<Verdict> {
        let is_short = url.as_str().len() <= LONGEST_UNDER_LOCK;
        let (checked, due) = self.hit(key, crawler, (self.clock)(), |_, applied| match applied {
            Applied::Terms(terms) if is_short && terms.rules.len() <= RuleSet::MAX_SCANNED => {
                Ok(terms.rules.check_url(url))
            }
            _ => Err(self.permission_of(applied)),
        })?;
        Some((checked.unwrap_or_else(|permission| permission.check_url(url)), due))
    }

    /// Returns the permission of a crawler by the entry in memory.
    pub(super) fn permission(&self, key: &Key<'_>, crawler: &Crawler) -> Hit<Permission> {
        self.hit(key, crawler, (self.clock)(), |_, applied| self.permission_of(applied))
    }

    /// Returns the permission of a crawler to whom this applies.
    pub(super) fn permission_of(&self, applied: Applied<'_>) -> Permission {
        match applied {
            Applied::Terms(terms) => Permission::with_rules(terms.rules.clone(), None),
            Applied::Without(without) => {
                Permission::with_rules(self.empty.clone(), Some(Arc::clone(without)))
            }
        }
    }

    /// Returns the entry in memory, if it can be used now.
    pub(super) fn usable(&self, origin: &Origin) -> Hit<Arc<Entry>> {
        let (now, key) = (Moment::from((self.clock)()), origin.key());
        let found = self.sites.find(&key, |site| {
            let use_now = site.use_at(now);
            let is_stale = !site.times.is_current(now);
            (use_now != Use::No).then(|| (site.held().clone(), use_now == Use::YesAndRefresh, is_stale))
        });
        let Some((held, due, is_stale)) = found.flatten() else {
            observe::miss(origin);
            return None;
        };
        observe_answer(key, is_stale);
        // Unpacked without the lock.
        Some((held.entry(&self.profile), due))
    }

    /// Returns whether the entry in memory can answer a question now.
    pub(super) fn can_answer(&self, origin: &Origin) -> bool {
        let (now, key) = (Moment::from((self.clock)()), origin.key());
        let is_stale =
            self.sites.find(&key, |site| site.is_usable(now).then(|| !site.times.is_current(now))).flatten();
        match is_stale {
            Some(is_stale) => observe_answer(key, is_stale),
            None => observe::miss(origin),
        }
        is_stale.is_some()
    }

    /// Returns the permission of a crawler by the entry in memory, due or not, and compiles the rules if needed; `None` if memory
    /// has no entry.
    pub(super) fn compiled(&self, origin: &Origin, crawler: &Crawler) -> Option<Permission> {
        let (now, key) = ((self.clock)(), origin.key());
        let found = self.sites.find(&key, |site| match site.applied(now, crawler) {
            Some(applied) => Ok(self.permission_of(applied)),
            None => Err((site.source(now), site.number)),
        });
        let (source, number) = match found? {
            Ok(permission) => return Some(permission),
            Err(found) => found,
        };
        // Without the lock: at worst, two threads compile the same.
        let terms = source?.compile(self.shared(crawler), &self.profile);
        let permission = self.permission_of(Applied::Terms(&terms));
        self.sites.change(&key, |site| {
            if site.number == number {
                site.keep(terms, crawler);
            }
            ((), site.memory())
        });
        Some(permission)
    }

    /// Returns the crawler as all origins share it.
    fn shared(&self, crawler: &Crawler) -> Arc<Crawler> {
        // Nothing that can panic leaves the set half changed.
        let mut crawlers = lock(&self.crawlers);
        if let Some(known) = crawlers.get(crawler) {
            return Arc::clone(known);
        }
        if crawlers.len() >= MANY_CRAWLERS {
            crawlers.retain(|known| Arc::strong_count(known) > 1);
        }
        let crawler = Arc::new(crawler.clone());
        crawlers.insert(Arc::clone(&crawler));
        crawler
    }

    /// Returns the entry in memory, due or not: that of the cache, or else that which the store has in memory.
    pub(super) fn local(&self, origin: &Origin) -> Option<Arc<Entry>> {
        let held = self.sites.find(&origin.key(), |site| site.held().clone());
        match held {
            Some(held) => Some(held.entry(&self.profile)),
            None => self.of_profile(self.store().local(origin)),
        }
    }

    /// Returns the later one of the entry in memory and the one that a look-up in the store found. Keeps one of the store in
    /// memory.
    pub(super) fn found(
        &self,
        origin: &Origin,
        local: Option<Arc<Entry>>,
        found: Result<Option<Arc<Entry>>, StoreError>,
    ) -> Option<Arc<Entry>> {
        let found = self.of_profile(self.noting(found).flatten());
        match (local, found) {
            (Some(local), Some(found)) if !found.is_later_than(&local) => Some(local),
            (_, Some(found)) => {
                self.keep(origin, &found);
                Some(found)
            }
            (local, None) => local,
        }
    }

    /// A store may hold entries of another profile, which say something else.
    fn of_profile(&self, entry: Option<Arc<Entry>>) -> Option<Arc<Entry>> {
        entry.filter(|entry| *entry.profile() == self.profile)
    }

    /// Reports the error of a store.
    pub(super) fn noting<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        let report = |error: &StoreError| {
            observe::store_error(error);
            (self.on_store_error)(error);
        };
        result.inspect_err(report).ok()
    }

    /// Returns whether an entry is good enough; during an outage, until the pause has ended.
    pub(super) fn is_enough(&self, entry: &Entry, wanted: Wanted) -> bool {
        if wanted.is_anew() {
            return false;
        }
        let (times, now) = (Times::new(entry, true), Moment::from((self.clock)()));
        if wanted == Wanted::Early { times.is_early(now) } else { times.is_current(now) }
    }

    /// Returns the entry if it is good enough.
    pub(super) fn enough(&self, entry: &Option<Arc<Entry>>, wanted: Wanted) -> Option<Arc<Entry>> {
        entry.clone().filter(|entry| self.is_enough(entry, wanted))
    }

    /// Keeps an entry in memory.
    pub(super) fn keep(&self, origin: &Origin, entry: &Arc<Entry>) {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let site = Site::new(entry, number, self.retrievals.background > 0);
        let memory = site.memory();
        self.sites.insert(&origin.key(), site, memory);
    }

    /// Makes the next entry, and keeps it in memory. Returns the entry, and whether it has to be stored: not if a retrieval
    /// before the end of the lifetime failed, which leaves the entry as it was. The next one then comes after the pause. A local
    /// failure is not stored either: other users of a store may have other limits, and another network.
    pub(super) fn next(
        &self,
        origin: &Origin,
        before: Option<&Arc<Entry>>,
        outcome: Outcome,
        wanted: Wanted,
    ) -> (Arc<Entry>, bool) {
        let entry = Arc::new(Entry::from_outcome(before.map(|before| &**before), outcome, &self.profile));
        let failed = matches!(entry.access_result(), AccessResult::Unreachable | AccessResult::Throttled);
        if let Some(before) = before
            && wanted == Wanted::Early
            && failed
            && self.is_enough(before, Wanted::Current)
        {
            let again = entry.next_retrieval();
            self.sites.find(&origin.key(), |site| site.times.delay(again));
            return (Arc::clone(before), false);
        }
        // It is one of the caller: others may have a runtime.
        if matches!(entry.cause(), Some(Cause::Failure(failure)) if failure.kind() == FailureKind::NoRuntime)
        {
            return (entry, false);
        }
        self.keep(origin, &entry);
        let is_stored = !entry.is_local_failure();
        (entry, is_stored)
    }

    /// Returns whether the robots.txt of a URL's origin disallows it for the crawler of the options, if an entry in memory that is current
    /// says so. A site without rules to apply disallows nothing here, because its robots.txt may come back at any time.
    pub(super) fn is_disallowed(&self, url: &Url) -> Option<bool> {
        let origin = Origin::from_url(url).ok()?;
        let now = Moment::from((self.clock)());
        self.sites.find(&origin.key(), |site| site.times.is_current(now)).filter(|is_current| *is_current)?;
        let permission = self.compiled(&origin, &self.crawler)?;
        Some(permission.rules().is_some() && !permission.check_url(url).is_allowed())
    }
}

impl<S: Store + 'static> Core<S> {
    /// Returns the retrieval after the entry `before`.
    pub(super) fn retrieval(self: &Arc<Self>, origin: &Origin, before: Option<&Entry>) -> Retrieval {
        let validators = before.map(Entry::validators).unwrap_or_default();
        let core = Arc::clone(self);
        let mut retrieval = Retrieval::new(origin.clone(), validators, self.profile);
        retrieval.crawler = self.crawler.clone();
        if self.requests.is_some() {
            // A gate waits for the delay after it.
            let (core, origin) = (Arc::clone(self), origin.clone());
            let note =
                move || core.requests.iter().for_each(|requests| requests.note(&origin, (core.clock)()));
            retrieval = retrieval.noting(note);
        }
        retrieval.knowing(move |url| core.is_disallowed(url))
    }
}

#[inline]
fn observe_answer(key: Key<'_>, is_stale: bool) {
    if is_stale {
        observe::stale(key);
    } else {
        observe::hit(key);
    }
}

impl<S: Store> Core<S> {
    /// Decides about a URL by the entry in memory.
    pub(super) fn decide(&self, key: &Key<'_>, url: &Url, crawler: &Crawler) -> Hit<Decision> {
        let now = (self.clock)();
        let (found, due) = self.hit(key, crawler, now, |site, applied| self.found_in(site, applied, now))?;
        Some((self.decision(key, url, crawler, found), due))
    }

    /// As [`Self::decide`], but also by an entry that is due, because it was just retrieved.
    pub(super) fn decide_anyway(&self, key: &Key<'_>, url: &Url, crawler: &Crawler) -> Option<Decision> {
        let now = (self.clock)();
        let found = self.sites.find(key, |site| Some(self.found_in(site, site.applied(now, crawler)?, now)));
        found.flatten().map(|found| self.decision(key, url, crawler, found))
    }

    /// Decides about a URL by an entry that memory does not keep.
    pub(super) fn decide_by(&self, entry: &Entry, url: &Url, crawler: &Crawler) -> Decision {
        let now = (self.clock)();
        let permission = entry.permission(crawler, now);
        let facts = match entry.robots(now) {
            Some(robots) => Arc::new(CrawlFacts::new(robots, crawler)),
            None => Arc::clone(&self.no_facts),
        };
        Decision::new(url, &permission, entry.access_result(), Times::new(entry, false), now, facts)
    }

    /// Returns the parts of a decision that a site in memory has.
    fn found_in(&self, site: &Site, applied: Applied<'_>, now: SystemTime) -> Found {
        Found {
            permission: self.permission_of(applied),
            result: site.result,
            times: site.times,
            now,
            facts: match applied {
                Applied::Without(_) => FoundFacts::Known(Arc::clone(&self.no_facts)),
                Applied::Terms(terms) => match &terms.facts {
                    Some(facts) => FoundFacts::Known(Arc::clone(facts)),
                    None => FoundFacts::Unread(site.source(now), site.number),
                },
            },
        }
    }

    fn decision(&self, key: &Key<'_>, url: &Url, crawler: &Crawler, found: Found) -> Decision {
        let facts = self.facts(key, crawler, found.facts);
        Decision::new(url, &found.permission, found.result, found.times, found.now, facts)
    }

    /// Returns the facts. Those that were not read yet are read, and kept if the entry is still in memory.
    fn facts(&self, key: &Key<'_>, crawler: &Crawler, found: FoundFacts) -> Arc<CrawlFacts> {
        let (source, number) = match found {
            FoundFacts::Known(facts) => return facts,
            FoundFacts::Unread(None, _) => return Arc::clone(&self.no_facts),
            FoundFacts::Unread(Some(source), number) => (source, number),
        };
        // Without the lock: at worst, two threads read the same.
        let facts = Arc::new(source.facts(crawler, &self.profile));
        let kept = self.sites.change(key, |site| {
            let kept = if site.number == number { site.keep_facts(&facts, crawler) } else { None };
            (kept, site.memory())
        });
        kept.flatten().unwrap_or(facts)
    }
}

/// The parts of a decision that a site in memory has.
struct Found {
    permission: Permission,
    result: AccessResult,
    times: Times,
    now: SystemTime,
    facts: FoundFacts,
}

/// The facts of a site in memory.
enum FoundFacts {
    Known(Arc<CrawlFacts>),
    /// The file, whose records were not read yet, and the number of the entry.
    Unread(Option<RuleSource>, u32),
}

/// Defines the methods of a cache that are the same for blocking and async callers. `$await` is `.await`, or nothing, and `$stored` calls
/// a method of the store.
macro_rules! questions {
    ($cache:ident, $fetch:ident, $stored:ident, [$($kind:ident)?], [$($await:tt)*], $(#[$decide:meta])*) => {
        impl<F: $fetch + 'static, S: Store + 'static> $cache<F, S> {
            /// Retrieves a new entry of an origin, even if the one in memory is fresh. Concurrent callers wait for the retrieval in
            /// progress.
            pub $($kind)? fn refresh(&self, origin: &Origin) -> Arc<Entry> {
                self.0.retrieve(origin, Wanted::Anew)$($await)*
            }

            /// Returns the entry of an origin in memory or in the store, due or not.
            pub $($kind)? fn peek(&self, origin: &Origin) -> Option<Arc<Entry>> {
                self.0.held(origin, Wanted::Current)$($await)*
            }

            /// Removes the entry of an origin from memory and from the store.
            pub $($kind)? fn forget(&self, origin: &Origin) {
                self.0.core.sites.remove(&origin.key());
                let removed = $stored!(self.0, remove(origin));
                self.0.core.noting(removed);
            }

            /// Returns what a crawler may do at the site of a URL. The rules are compiled once for all URLs of the site.
            ///
            /// # Errors
            ///
            /// The URL has no [`Origin`].
            pub $($kind)? fn permission(&self, url: &Url, crawler: &Crawler) -> Result<Permission, UnsupportedUrl> {
                let hit = self.0.core.permission(&Key::from_url(url)?, crawler);
                match self.hit(url, hit)$($await)*? {
                    Some(permission) => Ok(permission),
                    None => Ok(self.0.permission(&Origin::from_url(url)?, crawler)$($await)*),
                }
            }

            /// Returns whether a crawler may access a URL, and why.
            ///
            /// # Errors
            ///
            /// The URL has no [`Origin`].
            pub $($kind)? fn check(&self, url: &Url, crawler: &Crawler) -> Result<Verdict, UnsupportedUrl> {
                let hit = self.0.core.check(&Key::from_url(url)?, url, crawler);
                match self.hit(url, hit)$($await)*? {
                    Some(verdict) => Ok(verdict),
                    None => Ok(self.0.permission(&Origin::from_url(url)?, crawler)$($await)*.check_url(url)),
                }
            }

            $(#[$decide])*
            pub $($kind)? fn decide(&self, url: &Url, crawler: &Crawler) -> Result<Decision, UnsupportedUrl> {
                let core = &self.0.core;
                let hit = core.decide(&Key::from_url(url)?, url, crawler);
                if let Some(decision) = self.hit(url, hit)$($await)*? {
                    return Ok(decision);
                }
                let origin = Origin::from_url(url)?;
                let _ = self.0.permission(&origin, crawler)$($await)*;
                match core.decide_anyway(&origin.key(), url, crawler) {
                    Some(decision) => Ok(decision),
                    None => Ok(core.decide_by(&*self.get(&origin)$($await)*, url, crawler)),
                }
            }

            /// Returns the store.
            #[must_use]
            pub fn store(&self) -> &S {
                &self.0.core.store
            }

            /// Returns the number of origins in memory.
            #[must_use]
            pub fn len(&self) -> usize {
                self.0.core.sites.len()
            }

            /// Returns whether no origin is in memory.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Returns the bytes in memory: those of the origins with their entries, compiled rules and facts.
            #[must_use]
            pub fn bytes(&self) -> usize {
                self.0.core.sites.bytes()
            }

            /// Returns how many origins were dropped from memory so far because a [limit](CacheOptions::limits) was reached.
            #[must_use]
            pub fn dropped(&self) -> u64 {
                self.0.core.sites.dropped()
            }
        }

        debug!([F, S: core::fmt::Debug] $cache<F, S> as stringify!($cache), |cache| "store": cache.0.core.store);
    };
}

pub(super) use questions;
