//! The parts that both caches share.

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::Crawler;
use url::Url;

use crate::access::Permission;
use crate::cache::options::CacheOptions;
use crate::cache::rule_sets::RuleSets;
use crate::entry::Entry;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::fetch::Retrieval;
use crate::retrieval::outcome::Outcome;
use crate::store::Store;
use crate::store::error::StoreError;

/// The parts that both caches share.
pub(super) struct Core<S> {
    pub(super) profile: SiteProfile,
    pub(super) store: S,
    pub(super) clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub(super) rule_sets: RuleSets,
    crawler: Crawler,
    pub(super) on_store_error: Box<dyn Fn(&StoreError) + Send + Sync>,
}

impl<S: Store> Core<S> {
    pub(super) fn new(options: CacheOptions<S>) -> Self {
        let CacheOptions { profile, store, clock, rule_sets, crawler, on_store_error } = options;
        Self { rule_sets: RuleSets::new(rule_sets, &profile), profile, store, clock, crawler, on_store_error }
    }

    /// Returns the entry that the store has in memory, fresh or not.
    pub(super) fn local(&self, origin: &Origin) -> Option<Arc<Entry>> {
        self.of_profile(self.store.local(origin))
    }

    /// Returns the entry in the store, fresh or not. Does not leave the thread for one that is in memory and not due.
    pub(super) fn held(&self, origin: &Origin) -> Option<Arc<Entry>> {
        let local = self.local(origin);
        match &local {
            Some(entry) if !self.is_due(entry) => local,
            _ => self.found(local, self.store.get(origin)),
        }
    }

    /// Returns the entry that a look-up found, or if it failed the one in memory.
    pub(super) fn found(
        &self,
        local: Option<Arc<Entry>>,
        found: Result<Option<Arc<Entry>>, StoreError>,
    ) -> Option<Arc<Entry>> {
        self.noting(found).map_or(local, |found| self.of_profile(found))
    }

    /// A store may hold entries of another profile, which say something else.
    fn of_profile(&self, entry: Option<Arc<Entry>>) -> Option<Arc<Entry>> {
        entry.filter(|entry| *entry.profile() == self.profile)
    }

    /// Reports the error of a store.
    pub(super) fn noting<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result.inspect_err(|error| (self.on_store_error)(error)).ok()
    }

    /// Returns whether it is time to retrieve the robots.txt; during an outage, only after the pause.
    pub(super) fn is_due(&self, entry: &Entry) -> bool {
        entry.is_due((self.clock)())
    }

    /// Makes the next entry, and stores it.
    pub(super) fn next(&self, origin: &Origin, before: Option<&Entry>, outcome: Outcome) -> Arc<Entry> {
        let entry = Arc::new(Entry::from_outcome(before, outcome, &self.profile));
        self.noting(self.store.put(origin, &entry));
        entry
    }

    pub(super) fn forget(&self, origin: &Origin) {
        self.noting(self.store.remove(origin));
    }

    /// Returns whether the cache knows that the robots.txt of a URL's origin disallows it for the crawler of the options: by
    /// an entry in memory that is not due. A site without rules to apply disallows nothing here, because its robots.txt may come back
    /// at any time.
    pub(super) fn is_disallowed(&self, url: &Url) -> bool {
        let Ok(origin) = Origin::from_url(url) else { return false };
        let Some(entry) = self.local(&origin).filter(|entry| !self.is_due(entry)) else { return false };
        let permission = self.permission(&origin, &entry, &self.crawler);
        permission.rules().is_some() && !permission.check_url(url).is_allowed()
    }

    pub(super) fn permission(&self, origin: &Origin, entry: &Entry, crawler: &Crawler) -> Permission {
        let access = entry.access((self.clock)());
        Permission::sharing(access, self.rule_sets.get(origin, access, crawler))
    }
}

impl<S: Store + 'static> Core<S> {
    /// Returns the retrieval after the entry `before`.
    pub(super) fn retrieval(self: &Arc<Self>, origin: &Origin, before: Option<&Entry>) -> Retrieval {
        let validators = before.map(Entry::validators).unwrap_or_default();
        let core = Arc::clone(self);
        Retrieval::new(origin.clone(), validators, self.profile).knowing(move |url| core.is_disallowed(url))
    }
}

/// How long a cache waits for the claim of another process before it asks the store again, and how often.
pub(super) const WAIT: Duration = Duration::from_secs(40);
pub(super) const MOST_WAITS: usize = 3;

/// Whether a fresh entry of the store is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Current,
    Anew,
}
