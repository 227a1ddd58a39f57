//! When an entry can be used, and when it is retrieved again.

use core::time::Duration;
use std::time::SystemTime;

use robots_match::AccessResult;

use crate::cache::moment::Moment;
use crate::entry::Entry;
use crate::entry::file::TOLERANCE;

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
}
