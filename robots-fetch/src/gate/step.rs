//! The actions of a gate, and its permits.

use alloc::sync::Arc;
use core::net::IpAddr;
use core::time::Duration;
use std::time::SystemTime;

use url::Url;

use super::origin_queue::Before;
use super::refusal::Refusal;
use super::rules::SiteRules;
use crate::origin::Origin;
use crate::text::without_secrets;

/// The next action of a crawler, from [`Gate::next`](crate::Gate::next).
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a crawler has to do each of them")]
#[must_use = "a permit that is dropped keeps its place"]
pub enum GateStep<T> {
    /// Find out the rules of the origin, from a cache or by a request for [`Permit::url`], the URL of its robots.txt. Pass them
    /// to [`Gate::learn`](crate::Gate::learn). Then [`finish`](crate::Gate::finish) the permit if a request was sent, and
    /// [`cancel`](crate::Gate::cancel) it otherwise. If [`Permit::is_retry`], ask the site and no cache.
    Ask(Permit),
    /// Request [`Permit::url`] now, then [`finish`](crate::Gate::finish) the permit. The item is the one of
    /// [`Gate::push`](crate::Gate::push).
    Request(Permit, T),
    /// Do not request a URL: [`Refusal::url`].
    Refused {
        /// The item of the URL.
        item: T,
        /// The URL, and the reason.
        refusal: Refusal,
    },
    /// Nothing can be done before this time, unless something else happens first.
    Wait(SystemTime),
    /// Nothing can be done until a URL is pushed, or a permit comes back.
    Idle,
}

/// A URL that waits in a gate, from [`Gate::push`](crate::Gate::push).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    pub(super) origin: u64,
    pub(super) number: u64,
}

/// A permit for one request, now. It has to come back to its gate when the head of the answer has come: a permit that is dropped
/// counts as a request that lasts for [`GatePolicy::max_request`](crate::GatePolicy::max_request).
#[must_use = "a permit that is dropped keeps its place"]
pub struct Permit {
    pub(super) url: Url,
    pub(super) origin: u64,
    pub(super) number: u64,
    pub(super) started: SystemTime,
    pub(super) address: Option<IpAddr>,
    /// What it changes in its origin, and when the request before was permitted at the address.
    pub(super) before: (Before, Option<SystemTime>),
    /// The rules that allow the request; `None` for a robots.txt.
    pub(super) rules: Option<Arc<SiteRules>>,
    pub(super) delay: Duration,
    pub(super) is_retry: bool,
    /// Since when the URL waited, and the key of its place.
    pub(super) since: SystemTime,
    pub(super) place: u64,
}

impl Permit {
    /// Returns the URL to request.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the rules that allow the request; `None` for a request for the robots.txt.
    #[must_use]
    pub fn rules(&self) -> Option<&SiteRules> {
        self.rules.as_deref()
    }

    /// Returns the delay that the origin had before this request: by its rules and the policy.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        self.delay
    }

    /// Returns whether the robots.txt is asked for again because the site did not answer
    /// ([`GatePolicy::robots_retries`](crate::GatePolicy::robots_retries)).
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        self.is_retry
    }

    /// Returns the site of the URL.
    pub(crate) fn site(&self) -> Origin {
        Origin::from_url(&self.url).expect("a URL with a permit has an origin")
    }

    /// Returns when it was given.
    pub(crate) const fn started(&self) -> SystemTime {
        self.started
    }

    /// Returns a ticket of the origin.
    pub(crate) const fn ticket(&self) -> Ticket {
        Ticket { origin: self.origin, number: self.place }
    }

    /// Returns whether this is a handle of the same permit.
    pub(crate) const fn is(&self, other: &Self) -> bool {
        self.number == other.number
    }

    /// Returns a second handle of this permit. The gate takes back only the first one that comes.
    pub(crate) fn duplicate(&self) -> Self {
        Self { url: self.url.clone(), rules: self.rules.clone(), ..*self }
    }
}

// Without user, password and query.
debug!([] Permit as "Permit", |permit| "url": without_secrets(&permit.url));

/// The body of an answer that is being read, from [`Gate::begin_body`](crate::Gate::begin_body). It counts among those of
/// [`GatePolicy::origin_bodies`](crate::GatePolicy::origin_bodies) until it comes back to its gate.
#[derive(Debug)]
#[must_use = "a body that is dropped keeps its place"]
pub struct OpenBody {
    pub(super) origin: u64,
    pub(super) number: u64,
}
