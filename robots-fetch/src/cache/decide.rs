//! Decisions of both caches, with the facts that they contain.

use alloc::sync::Arc;
use std::time::SystemTime;

use robots_match::Crawler;
#[cfg(feature = "records")]
use robots_match::records::CrawlFacts;
use url::Url;

use crate::access::{Permission, Terms};
use crate::cache::decision::{Answered, Decision};
use crate::cache::moment::Moment;
use crate::cache::shared::{Core, Hit};
use crate::cache::site::Site;
use crate::entry::Entry;
use crate::map::key::Key;
use crate::store::Store;

impl<S: Store> Core<S> {
    /// Decides about a URL by the entry in memory.
    pub(super) fn decide(&self, key: &Key<'_>, url: &Url, crawler: &Crawler) -> Hit<Decision> {
        let now = (self.clock)();
        let (found, due) = self.hit(key, crawler, now, |site, terms, without| {
            let permission = Permission::sharing(Arc::clone(terms), without.cloned());
            (permission, Facts::of(site, terms, now))
        })?;
        Some((self.decision(key, url, crawler, found), due))
    }

    /// As [`Self::decide`], but also by an entry that is due, because it was just retrieved.
    pub(super) fn decide_anyway(&self, key: &Key<'_>, url: &Url, crawler: &Crawler) -> Option<Decision> {
        let now = (self.clock)();
        let found = self.sites.find(key, |site| {
            let (terms, without) = site.terms_at(now, crawler, &self.empty)?;
            let permission = Permission::sharing(Arc::clone(terms), without.cloned());
            Some((permission, Facts::of(site, terms, now)))
        });
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

    #[cfg_attr(not(feature = "records"), expect(unused_variables, reason = "only records need them"))]
    fn decision(
        &self,
        key: &Key<'_>,
        url: &Url,
        crawler: &Crawler,
        (permission, facts): (Permission, Facts),
    ) -> Decision {
        let answered = facts.answered;
        #[cfg(feature = "records")]
        let facts = match (permission.terms(), facts.unread) {
            (None, _) => Arc::clone(&self.no_facts),
            (Some(terms), source) => {
                let mut is_new = false;
                let known = terms.facts.get_or_init(|| {
                    is_new = true;
                    let source = source.expect("without facts there is a source");
                    Arc::new(source.facts(crawler, &self.profile))
                });
                if is_new {
                    self.sites.change(key, |site| ((), site.memory()));
                }
                Arc::clone(known)
            }
        };
        let decision = Decision::new(
            permission.check_url(url),
            answered,
            #[cfg(feature = "records")]
            facts,
        );
        #[cfg(feature = "records")]
        let decision = decision.with_usage(url, &permission);
        decision
    }
}

/// The facts of an entry that a decision contains.
struct Facts {
    answered: Answered,
    /// The file, if its records were not read yet.
    #[cfg(feature = "records")]
    unread: Option<crate::cache::site::Source>,
}

impl Facts {
    #[cfg_attr(not(feature = "records"), expect(unused_variables, reason = "only records need them"))]
    fn of(site: &Site, terms: &Terms, now: SystemTime) -> Self {
        Self {
            answered: site.answered(Moment::from(now)),
            #[cfg(feature = "records")]
            unread: if terms.facts.get().is_none() { site.source(now) } else { None },
        }
    }
}
