//! Decisions of both caches, with the facts that they contain.

#[cfg(feature = "records")]
use alloc::sync::Arc;
use std::time::SystemTime;

use robots_match::Crawler;
#[cfg(feature = "records")]
use robots_match::records::CrawlFacts;
use url::Url;

use crate::access::Permission;
use crate::cache::decision::{Answered, Decision};
use crate::cache::moment::Moment;
use crate::cache::shared::{Core, Hit};
use crate::cache::site::Site;
#[cfg(feature = "records")]
use crate::cache::site::Source;
use crate::cache::terms::Applied;
use crate::entry::Entry;
use crate::map::key::Key;
use crate::store::Store;

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
        #[cfg(feature = "records")]
        let facts = match entry.robots(now) {
            Some(robots) => Arc::new(CrawlFacts::new(robots, crawler)),
            None => Arc::clone(&self.no_facts),
        };
        let decision = Decision::new(
            permission.check_url(url),
            Answered {
                result: entry.access_result(),
                received: entry.received(),
                is_fresh: entry.is_fresh(now),
                fresh_until: entry.fresh_until(),
                next_retrieval: entry.next_retrieval(),
            },
            #[cfg(feature = "records")]
            facts,
        );
        #[cfg(feature = "records")]
        let decision = decision.with_usage(url, &permission);
        decision
    }

    /// Returns the parts of a decision that a site in memory has.
    #[cfg_attr(not(feature = "records"), expect(clippy::unused_self, reason = "only records need it"))]
    fn found_in(&self, site: &Site, applied: Applied<'_>, now: SystemTime) -> Found {
        Found {
            permission: self.permission_of(applied),
            answered: site.answered(Moment::from(now)),
            #[cfg(feature = "records")]
            facts: match applied {
                Applied::Without(_) => FoundFacts::Known(Arc::clone(&self.no_facts)),
                Applied::Terms(terms) => match &terms.facts {
                    Some(facts) => FoundFacts::Known(Arc::clone(facts)),
                    None => FoundFacts::Unread(site.source(now), site.number),
                },
            },
        }
    }

    #[cfg_attr(not(feature = "records"), expect(unused_variables, reason = "only records need them"))]
    fn decision(&self, key: &Key<'_>, url: &Url, crawler: &Crawler, found: Found) -> Decision {
        let decision = Decision::new(
            found.permission.check_url(url),
            found.answered,
            #[cfg(feature = "records")]
            self.facts(key, crawler, found.facts),
        );
        #[cfg(feature = "records")]
        let decision = decision.with_usage(url, &found.permission);
        decision
    }

    /// Returns the facts. Those that were not read yet are read, and kept if the entry is still in memory.
    #[cfg(feature = "records")]
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
    answered: Answered,
    #[cfg(feature = "records")]
    facts: FoundFacts,
}

/// The facts of a site in memory.
#[cfg(feature = "records")]
enum FoundFacts {
    Known(Arc<CrawlFacts>),
    /// The file, whose records were not read yet, and the number of the entry.
    Unread(Option<Source>, u32),
}
