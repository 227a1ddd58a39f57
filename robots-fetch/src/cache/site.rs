//! The state of one origin in a cache.

use alloc::sync::Arc;
use core::time::Duration;
use std::time::SystemTime;

use robots_match::{AccessResult, Crawler, Robots, RuleSet};

use crate::access::{Access, Without};
use crate::cache::facts::CrawlFacts;
use crate::entry::file::TOLERANCE;
use crate::entry::{Entry, codec};
use crate::map::allocated;
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
    pub(super) result: AccessResult,
    /// Whether the access changes while the entry is current: rules first, then [`Self::without`].
    shifts: bool,
}

// With the key, a slot of the map has three lines of 64 bytes.
const _: () = assert!(size_of::<Site>() <= 152 || !cfg!(target_pointer_width = "64"));

/// An entry of a cache. Usual ones are one block of bytes, which a hit does not read.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Packed(Arc<[u8]>),
    /// An entry that is large or unusual.
    Whole(Arc<Entry>),
}

impl Held {
    fn new(entry: &Arc<Entry>) -> Self {
        match codec::block(entry) {
            Some(block) => Self::Packed(block.into()),
            None => Self::Whole(Arc::clone(entry)),
        }
    }

    /// Returns the entry. `profile` is that under which it was made.
    pub(super) fn entry(&self, profile: &SiteProfile) -> Arc<Entry> {
        match self {
            Self::Packed(block) => Arc::new(codec::from_block(block, profile)),
            Self::Whole(entry) => Arc::clone(entry),
        }
    }

    /// Returns about how many bytes the entry takes outside of this value.
    fn memory(&self) -> usize {
        match self {
            Self::Packed(block) => block.len() + 16,
            Self::Whole(entry) => entry.memory(),
        }
    }
}

/// The source of the rules for a crawler, to be compiled without a lock.
pub(super) enum RuleSource {
    Packed(Arc<[u8]>),
    Robots(Arc<Robots>),
}

impl RuleSource {
    pub(super) fn compile(&self, crawler: Arc<Crawler>, profile: &SiteProfile) -> Terms {
        let rules = match self {
            Self::Packed(block) => RuleSet::parse(&codec::body_of_block(block), &crawler, &profile.reading()),
            Self::Robots(robots) => robots.rules(&crawler),
        };
        Terms::new(rules, crawler)
    }

    pub(super) fn facts(&self, crawler: &Crawler, profile: &SiteProfile) -> CrawlFacts {
        match self {
            Self::Packed(block) => {
                CrawlFacts::new(&profile.read(codec::body_of_block(block).into_boxed_slice()), crawler)
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
    pub(super) fn source(&self, now: SystemTime) -> Option<RuleSource> {
        match &self.held {
            Held::Packed(block) => Some(RuleSource::Packed(Arc::clone(block))),
            Held::Whole(entry) => match entry.access(now) {
                Access::Rules(robots) => Some(RuleSource::Robots(Arc::clone(robots))),
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
}

/// The parts of a file that concern one crawler.
///
/// They lie in the slot of the map, so that a hit follows only one pointer from there: to the patterns of the rules.
#[repr(C)]
pub(super) struct Terms {
    /// The crawler, which the origins of a cache share.
    crawler: Arc<Crawler>,
    pub(super) rules: RuleSet,
    /// The records, as soon as a question needed them.
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
        Self { crawler, rules, facts: None }
    }

    /// Returns whether the terms are those of a crawler.
    #[inline]
    pub(super) fn are_for(&self, crawler: &Crawler) -> bool {
        *self.crawler == *crawler
    }

    /// Returns about how many bytes the terms take outside of this value.
    pub(super) fn memory(&self) -> usize {
        let facts = self.facts.as_ref().map_or(0, |facts| facts.memory() + 16);
        allocated(self.rules.memory() - size_of::<RuleSet>()) + facts
    }
}

/// After this part of the lifetime, an origin in use is retrieved again, in percent.
const AHEAD: u32 = 80;

/// How long after a retrieval in the background was started another one may be.
const BETWEEN: Duration = Duration::from_secs(1);

/// When an entry is current, and when it is retrieved again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// Before this time the age of the answer is unknown, because the clock went back.
    from: Moment,
    /// From then on, a retrieval in the background is due.
    ahead: Moment,
    /// Until then, the entry is current.
    until: Moment,
}

/// Until when an entry may be used while it is retrieved again in the background.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stale(Moment);

/// Whether an entry can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is due.
    No,
    Yes,
    /// It can, and a retrieval in the background is due.
    YesAndRefresh,
}

impl Times {
    /// Without a background, no retrieval in the background is ever due.
    pub(super) fn new(entry: &Entry, has_background: bool) -> Self {
        let freshness = &entry.freshness;
        let received = Moment::from(freshness.received);
        // A pause is not a lifetime: the next attempt is not made before its end, and nothing is used after it.
        let is_ahead = has_background && has_lifetime(entry.access_result());
        Self {
            from: received.earlier(TOLERANCE),
            ahead: if is_ahead { received.later(freshness.lifetime / 100 * AHEAD) } else { Moment::NEVER },
            until: received.later(freshness.lifetime),
        }
    }

    /// Returns whether the entry is current.
    pub(super) fn is_current(&self, now: Moment) -> bool {
        now >= self.from && now < self.until
    }

    /// Returns whether the entry is current, and no retrieval in the background is due.
    #[inline]
    pub(super) fn is_early(&self, now: Moment) -> bool {
        self.is_current(now) && now < self.ahead
    }

    /// Returns when the answer was received.
    pub(super) fn received(&self) -> SystemTime {
        self.from.later(TOLERANCE).into()
    }

    /// Returns until when the entry is current.
    pub(super) fn until(&self) -> SystemTime {
        self.until.into()
    }

    /// Delays the next retrieval in the background.
    pub(super) fn delay(&mut self, until: SystemTime) {
        self.ahead = Moment::from(until);
    }
}

impl Stale {
    pub(super) fn new(entry: &Entry, has_background: bool) -> Self {
        let freshness = &entry.freshness;
        let until = Moment::from(freshness.received).later(freshness.lifetime);
        let is_used = has_background && has_lifetime(entry.access_result());
        Self(if is_used { until.later(freshness.stale_while_revalidate) } else { until })
    }

    /// Returns whether an entry can be used. Reports only once a second that a retrieval in the background is due.
    pub(super) fn use_at(self, times: &mut Times, now: Moment) -> Use {
        if now < times.from || now >= self.0 {
            Use::No
        } else if now >= times.ahead {
            times.ahead = now.later(BETWEEN);
            Use::YesAndRefresh
        } else {
            Use::Yes
        }
    }
}

/// Returns whether an answer with this result has a lifetime; the others have a pause before the next attempt.
pub(super) const fn has_lifetime(result: AccessResult) -> bool {
    !matches!(result, AccessResult::Unreachable | AccessResult::Throttled)
}

/// Which entry is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A current one.
    Current,
    /// A current one that is not to be retrieved in the background.
    Early,
    /// A new one.
    Anew,
    /// A new one, because the site did not answer a moment ago.
    Retry,
}

impl Wanted {
    /// Returns whether an entry has to be retrieved, whatever there is.
    pub(super) const fn is_anew(self) -> bool {
        matches!(self, Self::Anew | Self::Retry)
    }
}

/// A time in nanoseconds since 1970. Times more than 292 years before or after 1970 are moved to these bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(i64);

impl Moment {
    /// A time that never comes.
    pub(super) const NEVER: Self = Self(i64::MAX);

    pub(super) fn later(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(nanos(duration)))
    }

    pub(super) fn earlier(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(nanos(duration)))
    }
}

impl From<SystemTime> for Moment {
    #[inline]
    fn from(time: SystemTime) -> Self {
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Self(nanos(since)),
            Err(error) => Self(nanos(error.duration()).saturating_neg()),
        }
    }
}

impl From<Moment> for SystemTime {
    fn from(moment: Moment) -> Self {
        let distance = Duration::from_nanos(moment.0.unsigned_abs());
        let start = Self::UNIX_EPOCH;
        let time = if moment.0 < 0 { start.checked_sub(distance) } else { start.checked_add(distance) };
        time.unwrap_or(start)
    }
}

#[inline]
fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_ordered_as_times_are() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::new(seconds, 5);
        let before = SystemTime::UNIX_EPOCH - Duration::from_secs(5);
        assert!(Moment::from(before) < Moment::from(SystemTime::UNIX_EPOCH));
        assert!(Moment::from(at(1)) < Moment::from(at(1) + Duration::from_nanos(1)));
        assert_eq!(Moment::from(at(1)).later(Duration::from_secs(2)), Moment::from(at(3)));
        assert_eq!(Moment::from(at(3)).earlier(Duration::from_secs(2)), Moment::from(at(1)));
        assert_eq!(Moment::from(at(1)).later(Duration::MAX), Moment::NEVER);
        assert_eq!(Moment::from(at(300 * 366 * 86_400)), Moment::NEVER);
        for time in [at(0), at(1_800_000_000), before] {
            assert_eq!(SystemTime::from(Moment::from(time)), time);
        }
    }
}
