//! The rules and facts for one crawler, as a cache keeps them for an origin.

use alloc::sync::Arc;

#[cfg(feature = "records")]
use robots_match::records::CrawlFacts;
use robots_match::{Crawler, RuleSet};

use crate::access::Without;
use crate::map::allocated;

/// The parts of a file that concern one crawler.
///
/// They lie in the slot of the map, so that a hit follows only one pointer from there: to the patterns of the rules.
#[repr(C)]
pub(super) struct Terms {
    /// The crawler, which the origins of a cache share.
    crawler: Arc<Crawler>,
    pub(super) rules: RuleSet,
    /// The records, as soon as a question needed them.
    #[cfg(feature = "records")]
    pub(super) facts: Option<Arc<CrawlFacts>>,
}

/// The rules for a crawler at a site, or why none apply.
#[derive(Clone, Copy)]
pub(super) enum Applied<'s> {
    /// The rules of the file.
    Terms(&'s Terms),
    /// No rules, and why.
    Without(&'s Arc<Without>),
}

impl Terms {
    pub(super) const fn new(rules: RuleSet, crawler: Arc<Crawler>) -> Self {
        Self {
            crawler,
            rules,
            #[cfg(feature = "records")]
            facts: None,
        }
    }

    /// Returns whether the terms are those of a crawler.
    #[inline]
    pub(super) fn are_for(&self, crawler: &Crawler) -> bool {
        *self.crawler == *crawler
    }

    /// Returns about how many bytes the terms take outside of this value.
    pub(super) fn memory(&self) -> usize {
        let facts = 0;
        #[cfg(feature = "records")]
        let facts = facts + self.facts.as_ref().map_or(0, |facts| facts.memory() + 16);
        allocated(self.rules.memory() - size_of::<RuleSet>()) + facts
    }
}
