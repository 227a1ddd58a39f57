//! Delays that the processes of a fleet share.

use core::pin::Pin;

#[cfg(feature = "redis")]
use super::clock::MARGIN;
use crate::gate::fleet::{Ended, NotYet, SharedRequest, Wanted};
#[cfg(feature = "redis")]
use crate::observe;
use crate::origin::Origin;
use crate::store::error::StoreError;
#[cfg(feature = "redis")]
use crate::store::redis::Redis;

/// The delays, pauses and requests at a time of a fleet: the processes whose gates share a server. Whichever process requests an
/// origin, the next request of any of them waits for the delay, and all together keep to
/// [`GatePolicy::origin_requests`](crate::GatePolicy::origin_requests). After status 429 or 503, or no answer, the origin rests for all of
/// them, for as long as `Retry-After` says or longer with each failure in a row of any of them. The server's clock counts, so those of
/// the machines need not agree.
///
/// ```no_run
/// use robots_fetch::{Redis, RedisOptions, SharedDelays, SiteProfile, WithoutServer};
///
/// let redis = Redis::new(RedisOptions::server("rediss://cache.example"), SiteProfile::RFC9309)?;
/// // While the server is away, each of the three processes waits three times as long between requests.
/// let delays = SharedDelays::new(redis, WithoutServer::Alone { processes: 3 });
/// # Ok::<(), robots_fetch::StoreError>(())
/// ```
#[cfg(feature = "redis")]
#[derive(Clone, Debug)]
pub struct SharedDelays {
    redis: Redis,
    without: WithoutServer,
}

/// What a gate does while the server that shares the delays does not answer, or refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum WithoutServer {
    /// Waits until the server answers, at most for [`GatePolicy::max_stall`](crate::GatePolicy::max_stall). The URLs of a site wait
    /// together.
    Wait,
    /// Refuses the URL with [`RefusalReason::NoServer`](crate::RefusalReason::NoServer).
    Refuse,
    /// Goes on alone, with the delays times this number. In the first moments, and with more processes than that, the site may get
    /// requests too early.
    Alone {
        /// The number of processes of the fleet.
        processes: u32,
    },
}

pub(super) type Beginning =
    Pin<Box<dyn Future<Output = Result<Result<SharedRequest, NotYet>, StoreError>> + Send>>;

#[cfg(feature = "redis")]
impl SharedDelays {
    /// Creates shared delays over a store of entries, or a handle that is used for nothing else. Fleets with the same
    /// [`RedisOptions::prefix`](crate::RedisOptions::prefix) share their delays, whatever their profiles.
    #[must_use]
    pub const fn new(redis: Redis, without: WithoutServer) -> Self {
        Self { redis, without }
    }

    pub(super) const fn without(&self) -> WithoutServer {
        self.without
    }

    pub(super) fn begin(&self, origin: Origin, wanted: Wanted) -> Beginning {
        let redis = self.redis.clone();
        let wanted = Wanted { delay: wanted.delay + MARGIN, ..wanted };
        Box::pin(async move { redis.begin(&origin, wanted).await.inspect_err(observe::shared_delays_away) })
    }

    pub(super) fn end(&self, request: SharedRequest, ended: Ended) {
        self.redis.end(request, ended);
    }
}

/// No delays are shared without a server.
#[cfg(not(feature = "redis"))]
#[derive(Clone, Copy, Debug)]
pub(super) enum SharedDelays {}

#[cfg(not(feature = "redis"))]
impl SharedDelays {
    pub(super) const fn without(self) -> WithoutServer {
        match self {}
    }

    pub(super) fn begin(self, _: Origin, _: Wanted) -> Beginning {
        match self {}
    }

    pub(super) fn end(self, _: SharedRequest, _: Ended) {
        match self {}
    }
}
