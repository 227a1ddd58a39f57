//! The state of one origin in a cache.

use alloc::sync::Arc;
use std::time::SystemTime;

use robots_match::{AccessResult, Crawler, Robots, RuleSet};

use crate::access::{Access, Terms, Without};
use crate::cache::decision::Answered;
use crate::cache::moment::Moment;
use crate::cache::packed::Held;
use crate::cache::times::{Stale, Times, Use, has_lifetime};
use crate::entry::Entry;
use crate::http::freshness::later;
use crate::profile::SiteProfile;

/// An entry with all that was computed from it. They are replaced and dropped together.
///
/// A hit reads only the first two fields, which share a line of the processor's caches with the key.
#[repr(C)]
pub(super) struct Site {
    pub(super) times: Times,
    /// The terms of the crawler that asked first, which most caches have only. If there are any, rules apply.
    first: Option<Arc<Terms>>,
    stale: Stale,
    held: Held,
    without: Option<Arc<Without>>,
    #[expect(clippy::box_collection, reason = "most origins have none, and each slot has room for it")]
    more: Option<Box<Vec<Arc<Terms>>>>,
    /// The number of the entry: terms that were compiled from another one are not kept.
    pub(super) number: u32,
    result: AccessResult,
    /// Whether the access changes while the entry is current: rules first, then [`Self::without`].
    shifts: bool,
}

// With the key, a slot of the map has two lines of 64 bytes.
const _: () = assert!(size_of::<Site>() <= 88 || !cfg!(target_pointer_width = "64"));

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
        Terms::new(rules, Some(crawler))
    }

    #[cfg(feature = "records")]
    pub(super) fn facts(
        &self,
        crawler: &Crawler,
        profile: &SiteProfile,
    ) -> robots_match::records::CrawlFacts {
        use robots_match::records::CrawlFacts;

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
        let shifts = entry.previous_file().is_some();
        let keep = entry.profile().access.keep_after_unavailable.unwrap_or_default();
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

    /// Returns the terms for a crawler. Rules may not apply now.
    pub(super) fn terms(&self, crawler: &Crawler) -> Option<&Arc<Terms>> {
        let all = self.first.iter().chain(self.more.as_deref().into_iter().flatten());
        all.into_iter().find(|terms| terms.are_for(crawler))
    }

    /// Returns the terms for a crawler, and why no rules apply, if none apply: then the terms are `empty`.
    #[inline]
    pub(super) fn terms_at<'s>(
        &'s self,
        now: SystemTime,
        crawler: &Crawler,
        empty: &'s Arc<Terms>,
    ) -> Option<(&'s Arc<Terms>, Option<&'s Arc<Without>>)> {
        match &self.first {
            Some(first) if first.are_for(crawler) => Some((first, None)),
            _ => match self.without_at(now) {
                Some(without) => Some((empty, Some(without))),
                None => Some((self.terms(crawler)?, None)),
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

    /// Keeps the terms for a crawler.
    pub(super) fn keep(&mut self, terms: Arc<Terms>) {
        match &mut self.first {
            first @ None if !self.shifts => *first = Some(terms),
            _ => self.more.get_or_insert_default().push(terms),
        }
    }

    /// Returns about how many bytes the site takes outside of this value.
    pub(super) fn memory(&self) -> usize {
        let more = self.more.as_deref().map_or(0, |more| 40 + more.capacity() * size_of::<Arc<Terms>>());
        let terms = self.first.iter().chain(self.more.as_deref().into_iter().flatten());
        let terms: usize = terms.map(|terms| terms.memory()).sum();
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
