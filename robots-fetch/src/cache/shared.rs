//! The parts that both caches share.

use alloc::sync::Arc;
use std::time::SystemTime;

use robots_match::Crawler;
use url::Url;

use crate::access::Permission;
use crate::cache::options::CacheOptions;
use crate::cache::rule_sets::RuleSets;
use crate::entry::Entry;
use crate::origin::Origin;
use crate::profile::SiteProfile;
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

    /// Returns the entry in the store, fresh or not.
    pub(super) fn held(&self, origin: &Origin) -> Option<Arc<Entry>> {
        let held = self.store.get(origin).inspect_err(|error| (self.on_store_error)(error)).ok().flatten();
        // A store may hold entries of another profile, which say something else.
        held.filter(|entry| *entry.profile() == self.profile)
    }

    /// Returns whether it is time to retrieve the robots.txt; during an outage, only after the pause.
    pub(super) fn is_due(&self, entry: &Entry) -> bool {
        entry.is_due((self.clock)())
    }

    /// Makes the next entry, and stores it.
    pub(super) fn next(&self, origin: &Origin, before: Option<&Entry>, outcome: Outcome) -> Arc<Entry> {
        let entry = Arc::new(Entry::from_outcome(before, outcome, &self.profile));
        if let Err(error) = self.store.put(origin, &entry) {
            (self.on_store_error)(&error);
        }
        entry
    }

    pub(super) fn forget(&self, origin: &Origin) {
        if let Err(error) = self.store.remove(origin) {
            (self.on_store_error)(&error);
        }
    }

    /// Returns whether the cache knows that the robots.txt of a URL's origin disallows it for the crawler of the options: by
    /// an entry that is not due. A site without rules to apply disallows nothing here, because its robots.txt may come back
    /// at any time.
    pub(super) fn is_disallowed(&self, url: &Url) -> bool {
        let Ok(origin) = Origin::from_url(url) else { return false };
        let Some(entry) = self.held(&origin).filter(|entry| !self.is_due(entry)) else { return false };
        let permission = self.permission(&origin, &entry, &self.crawler);
        permission.rules().is_some() && !permission.check_url(url).is_allowed()
    }

    pub(super) fn permission(&self, origin: &Origin, entry: &Entry, crawler: &Crawler) -> Permission {
        let access = entry.access((self.clock)());
        Permission::sharing(access, self.rule_sets.get(origin, access, crawler))
    }
}

/// Whether a fresh entry of the store is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Current,
    Anew,
}
