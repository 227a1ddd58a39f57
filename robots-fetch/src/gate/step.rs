//! The actions of a gate.

use std::time::SystemTime;

use url::Url;

use super::refusal::Refusal;

/// The next action of a crawler, from [`Gate::next`](crate::Gate::next).
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a crawler has to do each of them")]
#[must_use = "a permit that is dropped keeps its place"]
pub enum GateStep<T> {
    /// Find out the rules of the origin, from a cache or by a request for [`Permit::url`], the URL of its robots.txt. Pass them
    /// to [`Gate::learn`](crate::Gate::learn). Then [`finish`](crate::Gate::finish) the permit if a request was sent, and
    /// [`cancel`](crate::Gate::cancel) it otherwise.
    Ask(Permit),
    /// Request [`Permit::url`] now, then [`finish`](crate::Gate::finish) the permit. The item is the one of
    /// [`Gate::push`](crate::Gate::push).
    Request(Permit, T),
    /// Do not request this URL.
    Refused {
        /// The URL.
        url: Url,
        /// Its item.
        item: T,
        /// The reason.
        refusal: Refusal,
    },
    /// Nothing can be done before this time, unless something else happens first.
    Wait(SystemTime),
    /// Nothing can be done until a URL is pushed, or a permit comes back.
    Idle,
}

/// A permit for one request, now. It has to come back to its gate: a permit that is dropped counts as a request that never
/// ends.
#[derive(Debug)]
#[must_use = "a permit that is dropped keeps its place"]
pub struct Permit {
    pub(super) url: Url,
    pub(super) site: u64,
    pub(super) number: u64,
    pub(super) started: SystemTime,
    pub(super) address: Option<core::net::IpAddr>,
    /// When the request before was permitted, of the origin and of the address.
    pub(super) before: (Option<SystemTime>, Option<SystemTime>),
}

impl Permit {
    /// Returns the URL to request.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }
}
