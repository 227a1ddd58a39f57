//! What caches of both kinds share.

use alloc::sync::Arc;
use std::time::SystemTime;

use robots_match::Crawler;

use crate::access::Permission;
use crate::cache::options::CacheOptions;
use crate::cache::rule_sets::Rules;
use crate::entry::Entry;
use crate::origin::Origin;
use crate::profile::Profile;
use crate::retrieval::outcome::Outcome;
use crate::store::Store;
use crate::store::error::StoreError;

/// What caches of both kinds are made of.
pub(super) struct Core<S> {
    pub(super) profile: Profile,
    pub(super) store: S,
    pub(super) clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub(super) rules: Rules,
    pub(super) told: Box<dyn Fn(&StoreError) + Send + Sync>,
}

impl<S: Store> Core<S> {
    pub(super) fn new(options: CacheOptions<S>) -> Self {
        let CacheOptions { profile, store, clock, rules, told } = options;
        Self { rules: Rules::new(rules, &profile), profile, store, clock, told }
    }

    /// What the store has.
    pub(super) fn held(&self, origin: &Origin) -> Option<Arc<Entry>> {
        let held = self.store.get(origin).inspect_err(|error| (self.told)(error)).ok().flatten();
        // Whatever the store is, what was made under another profile is of no use here.
        held.filter(|entry| *entry.profile() == self.profile)
    }

    /// Whether it is time to retrieve the robots.txt. During an outage it is not before the pause has passed.
    pub(super) fn is_due(&self, entry: &Entry) -> bool {
        entry.cache_status((self.clock)()).due
    }

    /// The next entry, which is kept from now on.
    pub(super) fn next(&self, origin: &Origin, before: Option<&Entry>, outcome: Outcome) -> Arc<Entry> {
        let entry = Arc::new(Entry::from_outcome(before, outcome, &self.profile));
        if let Err(error) = self.store.put(origin, &entry) {
            (self.told)(&error);
        }
        entry
    }

    pub(super) fn forget(&self, origin: &Origin) {
        if let Err(error) = self.store.remove(origin) {
            (self.told)(&error);
        }
    }

    pub(super) fn permission(&self, origin: &Origin, entry: &Entry, crawler: Crawler<'_>) -> Permission {
        let access = entry.access((self.clock)());
        Permission::sharing(access, self.rules.of(origin, access, crawler))
    }
}

/// Whether what is held and not due will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Current,
    Anew,
}
