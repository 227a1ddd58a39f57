//! How long an entry is fresh, and when to retrieve again.

use core::time::Duration;
use std::time::SystemTime;

use crate::entry::file::TOLERANCE;
use crate::entry::{Entry, State};
use crate::message::freshness::later;

impl Entry {
    /// Returns whether the last answer is fresh at `now`. It never is during an outage or while the site limits requests. A
    /// clock that went back by more than an hour since the last answer makes the entry stale, because its age is unknown.
    #[must_use]
    pub fn is_fresh(&self, now: SystemTime) -> bool {
        !self.is_failing() && !self.is_due(now)
    }

    /// Returns whether it is time to retrieve the robots.txt: [`Self::next_retrieval`] has come, or the clock went back by
    /// more than an hour since the last answer.
    #[must_use]
    pub fn is_due(&self, now: SystemTime) -> bool {
        now >= self.freshness.until() || later(now, TOLERANCE) < self.freshness.received
    }

    /// Returns until when the last answer is or was fresh.
    #[must_use]
    pub fn fresh_until(&self) -> SystemTime {
        if self.is_failing() { self.freshness.received } else { self.freshness.until() }
    }

    /// Returns when to retrieve the robots.txt next: when the answer is stale, or when the server asks for, or after a pause
    /// that doubles with the failed attempts.
    #[must_use]
    pub fn next_retrieval(&self) -> SystemTime {
        self.freshness.until()
    }

    /// Returns whether there is an outage, the site limits requests, or the last failure was a local one.
    const fn is_failing(&self) -> bool {
        matches!(self.state, State::Unreachable { .. } | State::Throttled { .. } | State::Local { .. })
    }

    /// Returns when the last answer was received.
    #[must_use]
    pub const fn received(&self) -> SystemTime {
        self.freshness.received
    }

    /// Returns how long the last answer is fresh from [`Self::received`] on: its lifetime less its age, within the limits of
    /// the policy. During an outage or while the site limits requests, the pause before the next attempt.
    #[must_use]
    pub const fn lifetime(&self) -> Duration {
        self.freshness.lifetime
    }

    /// Returns the value that [`Self::lifetime`] would have without the limits of the policy.
    #[must_use]
    pub const fn asked_lifetime(&self) -> Duration {
        self.freshness.asked
    }

    /// Returns where the lifetime comes from: `max-age`, `no-store` or `no-cache` of `Cache-Control`, `expires`,
    /// `retry-after` (of an answer without a file), or `default` for the default of the policy.
    #[must_use]
    pub const fn lifetime_source(&self) -> &'static str {
        self.freshness.source.name()
    }

    /// Returns whether the last answer has `must-revalidate`: a stale file must not be used without a new request. That
    /// applies to every stale file here, except while the robots.txt is unreachable, for which the documents have their own
    /// rules.
    #[must_use]
    pub const fn must_revalidate(&self) -> bool {
        self.freshness.must_revalidate
    }

    /// Returns how long the answer may be used after its lifetime while it is retrieved again (RFC 5861, section 3), within
    /// [`AccessPolicy::max_stale_age`](crate::AccessPolicy::max_stale_age). Zero after `no-cache`, `no-store` or
    /// `must-revalidate`, during an outage, and while the site limits requests.
    #[must_use]
    pub const fn stale_while_revalidate(&self) -> Duration {
        self.freshness.stale_while_revalidate
    }
}
