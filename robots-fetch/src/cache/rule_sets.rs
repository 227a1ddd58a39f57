//! Compiled rule sets.

use alloc::sync::Arc;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use robots_match::{Crawler, Robots, RuleSet};

use crate::access::Access;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::store::limits::StoreLimits;
use crate::store::lru::Lru;

/// The compiled rule sets, by origin and crawler. Equal rule sets of many hosts are shared: most sites allow everything, and
/// many have the default file of their software.
pub(super) struct RuleSets {
    /// The rules of an empty file.
    none: Arc<RuleSet>,
    bounds: StoreLimits,
    held: Mutex<Held>,
}

struct Held {
    compiled: Lru<(Origin, Crawler), Compiled>,
    /// All rule sets in use.
    known: HashSet<Arc<RuleSet>>,
    /// The bytes that left `compiled` since the unused rule sets were last removed from `known`.
    left: usize,
}

struct Compiled {
    robots: Arc<Robots>,
    rules: Arc<RuleSet>,
}

impl RuleSets {
    pub(super) fn new(bounds: StoreLimits, profile: &SiteProfile) -> Self {
        let none = Arc::new(profile.read(Box::default()).rules(&Crawler::unnamed()));
        let held = Held { compiled: Lru::new(bounds), known: HashSet::new(), left: 0 };
        Self { none, bounds, held: Mutex::new(held) }
    }

    /// Returns the rules of `access`, an entry's of `origin`, for a crawler. Compiles them if needed.
    pub(super) fn get(&self, origin: &Origin, access: Access<'_>, crawler: &Crawler) -> Arc<RuleSet> {
        let Access::Rules(robots) = access else { return Arc::clone(&self.none) };
        let key = (origin.clone(), crawler.clone());
        if let Some(held) = self.held().compiled.get(&key) {
            // A store may return another copy of the same file each time.
            if Arc::ptr_eq(&held.robots, robots) || held.robots == *robots {
                return Arc::clone(&held.rules);
            }
        }
        // Without the lock: at worst, two threads compile the same.
        let rules = robots.rules(crawler);
        let bytes = 256 + robots.body().len() + 24 * rules.len();
        let mut held = self.held();
        let rules = held.one(rules);
        let before = held.compiled.size().1;
        let compiled = Compiled { robots: Arc::clone(robots), rules: Arc::clone(&rules) };
        held.compiled.put(key, compiled, bytes);
        held.left += (before + bytes).saturating_sub(held.compiled.size().1);
        if held.left > self.bounds.bytes / 4 {
            held.left = 0;
            held.known.retain(|rules| Arc::strong_count(rules) > 1);
        }
        rules
    }

    // Nothing that can panic leaves the state half changed.
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn counts(&self) -> (usize, usize) {
        let held = self.held();
        (held.compiled.size().0, held.known.len())
    }
}

impl Held {
    /// Returns the known rule set that is equal, or this one, which becomes known.
    fn one(&mut self, rules: RuleSet) -> Arc<RuleSet> {
        if let Some(known) = self.known.get(&rules) {
            return Arc::clone(known);
        }
        let rules = Arc::new(rules);
        self.known.insert(Arc::clone(&rules));
        rules
    }
}
