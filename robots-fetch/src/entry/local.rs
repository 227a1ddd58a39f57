//! Local failures: those of the crawler, its network or its options, which say nothing about the site.

use crate::entry::before::Before;
use crate::entry::outage::Outage;
use crate::entry::{Entry, State};
use crate::profile::SiteProfile;

impl Entry {
    /// Returns whether the last attempt ended with a failure that is [not the site's](crate::Failure::is_local): the user's own
    /// limits, a failing proxy, or no network at all.
    ///
    /// Until the next attempt, crawlers use the last good file, unless an outage before had closed the site, and access nothing
    /// without one. The pause before the next attempt is [`AccessPolicy::first_retry`](crate::AccessPolicy::first_retry) and does not grow. Caches do not store such
    /// an entry, because other users of a store may have other limits.
    #[must_use]
    pub const fn is_local_failure(&self) -> bool {
        matches!(self.state, State::Local { .. })
    }

    /// Returns the outage, or the one before a local failure.
    pub(super) const fn outage_before(&self) -> Option<Outage> {
        match &self.state {
            State::Local { before, .. } => before.outage,
            _ => self.outage(),
        }
    }

    /// Returns what outlasts a local failure.
    pub(super) fn before(&self, profile: &SiteProfile) -> Before {
        let good = self.good_file().filter(|file| file.storable);
        let file = good.or_else(|| self.previous_file());
        Before {
            file: file.map(|file| file.clone().read_by(profile)),
            is_previous: good.is_none() && file.is_some(),
            outage: self.outage_before(),
            throttled: self.throttled_attempts(),
        }
    }
}
