//! The state of one origin in a cache.

use alloc::sync::Arc;
use std::time::SystemTime;

#[cfg(feature = "records")]
use robots_match::records::CrawlFacts;
use robots_match::{AccessResult, Crawler, Robots, RuleSet};

use crate::access::{Access, Without};
use crate::cache::decision::Answered;
use crate::cache::moment::Moment;
use crate::cache::packed::Held;
use crate::cache::terms::{Applied, Terms};
use crate::cache::times::{Stale, Times, Use, has_lifetime};
use crate::entry::Entry;
use crate::message::freshness::later;
use crate::profile::SiteProfile;

/// An entry with all that was computed from it. They are replaced and dropped together.
///
/// A hit reads only the first two fields, which share two lines of the processor's caches with the key.
#[repr(C)]
pub(super) struct Site {
    pub(super) times: Times,
    /// The terms of the crawler that asked first, which most caches have only. If there are any, rules apply.
    first: Option<Terms>,
    stale: Stale,
    held: Held,
    without: Option<Arc<Without>>,
    #[expect(clippy::box_collection, reason = "most origins have none, and each slot has room for it")]
    more: Option<Box<Vec<Terms>>>,
    /// The number of the entry: terms that were compiled from another one are not kept.
    pub(super) number: u32,
    result: AccessResult,
    /// Whether the access changes while the entry is current: rules first, then [`Self::without`].
    shifts: bool,
}

// With the key, a slot of the map has three lines of 64 bytes.
const _: () = assert!(size_of::<Site>() <= 152 || !cfg!(target_pointer_width = "64"));

/// The source of the rules for a crawler, to be compiled without a lock.
pub(super) enum Source {
    Packed(Held),
    Robots(Arc<Robots>),
}

impl Source {
    pub(super) fn compile(&self, crawler: Arc<Crawler>, profile: &SiteProfile) -> Terms {
        let rules = match self {
            Self::Packed(held) => {
                RuleSet::parse(&held.body().unwrap_or_default(), &crawler, &profile.reading())
            }
            Self::Robots(robots) => robots.rules(&crawler),
        };
        Terms::new(rules, crawler)
    }

    #[cfg(feature = "records")]
    pub(super) fn facts(&self, crawler: &Crawler, profile: &SiteProfile) -> CrawlFacts {
        match self {
            Self::Packed(held) => {
                CrawlFacts::new(&profile.read(held.body().unwrap_or_default().into_boxed_slice()), crawler)
            }
            Self::Robots(robots) => CrawlFacts::new(robots, crawler),
        }
    }
}

impl Site {
    pub(super) fn new(entry: &Arc<Entry>, number: u32, has_background: bool) -> Self {
        let freshness = &entry.freshness;
        let access = &entry.profile().access;
        // A file may be given up while the entry is in use.
        let is_limited =
            entry.access_result() == AccessResult::Throttled && access.keep_while_throttled.is_some();
        let shifts = entry.previous_file().is_some() || (is_limited && entry.good_file().is_some());
        let keep = access.keep_after_unavailable.max(access.keep_while_throttled).unwrap_or_default();
        // If the access shifts, the file was given up by then.
        let late = if shifts { later(freshness.received, keep) } else { freshness.received };
        Self {
            times: Times::new(entry, has_background),
            stale: Stale::new(entry, has_background),
            number,
            held: Held::new(entry),
            result: entry.access_result(),
            shifts,
            without: Without::from_access(entry.access(late)),
            first: None,
            more: None,
        }
    }

    /// Returns whether the entry can be used. Reports only once a second that a retrieval in the background is due.
    #[inline]
    pub(super) fn use_at(&mut self, now: Moment) -> Use {
        if self.times.is_early(now) { Use::Yes } else { self.stale.use_at(&mut self.times, now) }
    }

    /// Returns whether the entry can be used.
    pub(super) fn is_usable(&self, now: Moment) -> bool {
        let mut times = self.times;
        self.stale.use_at(&mut times, now) != Use::No
    }

    pub(super) const fn held(&self) -> &Held {
        &self.held
    }

    /// Returns why no rules apply at `now`; `None` if rules apply.
    #[inline]
    pub(super) fn without_at(&self, now: SystemTime) -> Option<&Arc<Without>> {
        if self.shifts
            && let Held::Whole(entry) = &self.held
            && matches!(entry.access(now), Access::Rules(_))
        {
            return None;
        }
        self.without.as_ref()
    }

    /// Returns the terms of all crawlers that asked.
    fn all_terms(&self) -> impl Iterator<Item = &Terms> {
        self.first.iter().chain(self.more.as_deref().into_iter().flatten())
    }

    /// Returns the terms for a crawler. Rules may not apply now.
    fn terms(&self, crawler: &Crawler) -> Option<&Terms> {
        self.all_terms().find(|terms| terms.are_for(crawler))
    }

    /// Returns what applies to a crawler; `None` if the rules were not compiled for it yet.
    #[inline]
    pub(super) fn applied(&self, now: SystemTime, crawler: &Crawler) -> Option<Applied<'_>> {
        match &self.first {
            Some(first) if first.are_for(crawler) => Some(Applied::Terms(first)),
            _ => match self.without_at(now) {
                Some(without) => Some(Applied::Without(without)),
                None => self.terms(crawler).map(Applied::Terms),
            },
        }
    }

    /// Returns the source of the rules that apply.
    pub(super) fn source(&self, now: SystemTime) -> Option<Source> {
        match &self.held {
            Held::Packed(_) => Some(Source::Packed(self.held.clone())),
            Held::Whole(entry) => match entry.access(now) {
                Access::Rules(robots) => Some(Source::Robots(Arc::clone(robots))),
                _ => None,
            },
        }
    }

    /// Keeps the terms for a crawler, if there are none yet.
    pub(super) fn keep(&mut self, terms: Terms, crawler: &Crawler) {
        if self.terms(crawler).is_none() {
            match &mut self.first {
                first @ None if !self.shifts => *first = Some(terms),
                _ => self.more.get_or_insert_default().push(terms),
            }
        }
    }

    /// Keeps the facts for a crawler, if there are none yet. Returns those that are kept.
    #[cfg(feature = "records")]
    pub(super) fn keep_facts(
        &mut self,
        facts: &Arc<CrawlFacts>,
        crawler: &Crawler,
    ) -> Option<Arc<CrawlFacts>> {
        let mut all = self.first.iter_mut().chain(self.more.as_deref_mut().into_iter().flatten());
        let terms = all.find(|terms| terms.are_for(crawler))?;
        Some(Arc::clone(terms.facts.get_or_insert_with(|| Arc::clone(facts))))
    }

    /// Returns about how many bytes the site takes outside of this value.
    pub(super) fn memory(&self) -> usize {
        let more = self.more.as_deref().map_or(0, |more| 40 + more.capacity() * size_of::<Terms>());
        let terms: usize = self.all_terms().map(Terms::memory).sum();
        let without = self.without.as_ref().map_or(0, |_| size_of::<Without>() + 32);
        self.held.memory() + more + terms + without
    }

    /// Returns the facts of the last answer at `now`, as the methods of [`Entry`] do.
    pub(super) fn answered(&self, now: Moment) -> Answered {
        let has_lifetime = has_lifetime(self.result);
        let (received, next) = (self.times.received(), self.times.until());
        Answered {
            result: self.result,
            received,
            is_fresh: has_lifetime && self.times.is_current(now),
            fresh_until: if has_lifetime { next } else { received },
            next_retrieval: next,
        }
    }
}
