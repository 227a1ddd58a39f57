//! The gate for tasks.

#![cfg_attr(
    not(feature = "redis"),
    allow(dead_code, unreachable_pub, unused_imports, reason = "a fleet needs a server")
)]

mod clock;
pub(crate) mod fleet;
mod look_ups;
pub(crate) mod permit;
mod shared;
mod source;
mod timer;
mod wait;

use alloc::sync::Arc;
use core::future::poll_fn;
use core::net::IpAddr;
use core::pin::pin;
use core::task::{Context, Poll};
use core::time::Duration;

use robots_match::Crawler;
use tokio::runtime::Handle;
use tokio::time::Instant;
use url::{Host, Url};

use self::fleet::SharedDelays;
use self::permit::HeldPermit;
use self::shared::Shared;
use self::source::CacheSource;
use self::timer::Timer;
use self::wait::Wait;
use crate::cache::decision::Decision;
use crate::cache::tasks::AsyncCache;
use crate::gate::policy::GatePolicy;
use crate::gate::refusal::{Refusal, RefusalReason};
use crate::observe;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::request::AsyncFetch;
use crate::store::Store;

/// The longest look-up of a host. Look-ups need threads of the runtime, and all of them may wait for permits.
const LONGEST_LOOKUP: Duration = Duration::from_secs(5);

/// A [`Gate`](crate::Gate) for tasks: each request awaits its permit. Asks a cache for the rules of origins. Cloning is cheap,
/// and clones share the gate.
///
/// The permits follow the guarantees of [`Gate`](crate::Gate), with the clock of the cache, so rules are never used for longer
/// than the cache would, and `Visit-time` is right, also after the machine has slept or its clock was set. The time in which the
/// machine slept, or by which its clock was set forward, does not count as time in which URLs waited, and delays and pauses go on
/// after it.
///
/// A retrieval of a robots.txt counts as one request to its origin, the last one if redirects lead there again; other origins that
/// it is redirected to do not wait for it. A retrieval that another task caused by asking the cache counts, too, and gates over one cache
/// share the delays: the next request waits for the delay after the last one of any of them.
///
/// # Runtimes
///
/// The gate has no task of its own: the tasks that wait drive it while they are polled, as for the types of `tokio::sync`. So it
/// works with several runtimes, also if one of them ends or is not polled any more: a task that does not come for its permit within
/// 2 seconds loses its place to the others. A thread in `Handle::block_on` of a runtime that is shut down gets a refusal, because
/// the client can send nothing there. If it waits for its turn, the timers of tokio panic. Waiting needs the timers of the runtime,
/// and outside of a runtime starts a thread named `robots-gate`. A future that is dropped leaves nothing. A store on disk and look-ups of hosts use the threads of the runtime for
/// blocking work: if all of them wait for permits with `block_on`, a URL is refused after [`GatePolicy::max_stall`].
///
/// If the policy limits requests to addresses, the gate looks up the hosts of new origins with the resolver of the system, and
/// uses their first addresses. A host that can't be found within 5 seconds has no limit for its address.
///
/// ```
/// use robots_fetch::matching::Crawler;
/// use robots_fetch::{AsyncCache, AsyncGate, CacheOptions, GatePolicy, Head, SiteProfile};
/// use std::time::Duration;
/// # use robots_fetch::{AwaitingHead, NextStep, Retrieval};
/// # use std::time::SystemTime;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // `fetch` is a client for the example: in every robots.txt, line 2 is `Crawl-delay: 0.05` and line 3 `Disallow: /private`.
/// # let fetch = |retrieval: Retrieval| async move {
/// #     let Retrieval { origin, validators, profile, .. } = &retrieval;
/// #     let awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
/// #     let NextStep::Read(mut reading) = awaiting.head(&Head::new(200), SystemTime::now()) else { unreachable!() };
/// #     let _ = reading.push(b"User-agent: *\nCrawl-delay: 0.05\nDisallow: /private\n");
/// #     reading.end(SystemTime::now())
/// # };
/// let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch);
/// let gate = AsyncGate::new(cache, Crawler::new("ExampleBot")?, GatePolicy::default());
///
/// let start = std::time::Instant::now();
/// let permit = gate.permit(&"https://example.com/page".parse()?).await?;
/// // The request for the robots.txt was 50 ms ago.
/// assert!(start.elapsed() >= Duration::from_millis(50));
/// assert_eq!(permit.decision().facts.crawl_delay, Some(Duration::from_millis(50)));
/// // Request the page here. Then pass on the head of the answer.
/// permit.note(Some(&Head::new(200)));
///
/// let refusal = gate.permit(&"https://example.com/private".parse()?).await.unwrap_err();
/// assert_eq!(refusal.to_string(), "https://example.com/private: disallowed by line 3");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct AsyncGate {
    shared: Arc<Shared>,
}

impl AsyncGate {
    /// Creates a gate for one crawler. The cache can be an [`AsyncCache`] or an `Arc` of one.
    #[must_use]
    pub fn new<F, S>(cache: impl Into<Arc<AsyncCache<F, S>>>, crawler: Crawler, policy: GatePolicy) -> Self
    where
        F: AsyncFetch + 'static,
        S: Store + 'static,
    {
        let name = crawler.names().next().unwrap_or_default().to_owned();
        let source = CacheSource { cache: cache.into(), crawler };
        Self { shared: Arc::new(Shared::new(Box::new(source), name, policy)) }
    }

    /// Creates a gate for one crawler whose delays are shared by the processes of a fleet.
    #[cfg(feature = "redis")]
    #[must_use]
    pub fn in_fleet<F, S>(
        cache: impl Into<Arc<AsyncCache<F, S>>>,
        crawler: Crawler,
        policy: GatePolicy,
        delays: SharedDelays,
    ) -> Self
    where
        F: AsyncFetch + 'static,
        S: Store + 'static,
    {
        let mut gate = Self::new(cache, crawler, policy);
        if let Some(shared) = Arc::get_mut(&mut gate.shared) {
            shared.delays = Some(delays);
        }
        gate
    }

    /// Waits until a URL may be requested. Request it at once, and pass on the head of the answer by [`HeldPermit::note`].
    ///
    /// A task that holds a permit and awaits another one for the same site waits for itself: until the first request counts as over,
    /// after [`GatePolicy::max_request`] (30 seconds by default). Note the answer of the first one before. The gate can't refuse such a
    /// wait earlier: in a `join!` of two requests, too, one task has a permit and awaits another, and the answer comes.
    ///
    /// The wait has an end: see [`GatePolicy::max_stall`] and [`GatePolicy::max_wait`]. A future that is dropped gives up its place.
    ///
    /// # Errors
    ///
    /// The URL may not be requested, or not now; see [`RefusalReason`](crate::RefusalReason). A runtime without timers is an error,
    /// too.
    pub async fn permit(&self, url: &Url) -> Result<HeldPermit, Refusal> {
        let start = Instant::now();
        let address = self.address(url).await;
        let result = Wait::new(Arc::clone(&self.shared), url.clone(), address).await;
        if observe::GATES {
            self.shared.observe();
        }
        match &result {
            Ok(_) => observe::permit(url, start.elapsed()),
            Err(refusal) => observe::refusal(url, refusal),
        }
        result
    }

    /// Returns all that the crawler needs to know about a URL, without waiting for a permit; see
    /// [`AsyncCache::decide`]. If the robots.txt has to be retrieved, that counts for the delay of the site.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    pub async fn decide(&self, url: &Url) -> Result<Decision, UnsupportedUrl> {
        self.shared.source.decide(url).await
    }

    /// Compares the three names of a crawler: the `User-Agent` of its requests for pages, the one of its client for robots.txt
    /// files, and the crawler of this gate, whose rules apply. [`GateLayer`](crate::GateLayer) and
    /// [`GateMiddleware`](crate::GateMiddleware) do it for each request with a `User-Agent`; other programs call it when they start.
    ///
    /// ```
    /// # #[cfg(feature = "reqwest-rustls")] {
    /// use robots_fetch::client::{ClientOptions, reqwest::Client};
    /// use robots_fetch::matching::Crawler;
    /// use robots_fetch::{AsyncCache, AsyncGate, CacheOptions, GatePolicy, SiteProfile};
    ///
    /// let client = Client::new(&ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?)?;
    /// let cache = AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), client);
    /// let gate = AsyncGate::new(cache, Crawler::new("ExampleBot")?, GatePolicy::default());
    /// assert!(gate.check_user_agent("ExampleBot/1.0 (+https://example.com/bot)").is_ok());
    /// assert_eq!(
    ///     gate.check_user_agent("OtherBot/1.0").unwrap_err().to_string(),
    ///     "the crawler of the gate is `ExampleBot`, but pages are requested as `OtherBot/1.0`; use one name"
    /// );
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The crawler has names, the client has a known `User-Agent`, and one of the two `User-Agent`s contains none of the names.
    pub fn check_user_agent(&self, user_agent: &str) -> Result<(), Refusal> {
        self.misnamed(user_agent).map_or(Ok(()), |reason| Err(Refusal::without_url(reason)))
    }

    /// Returns why the names of the crawler disagree, if all three are known and do.
    pub(crate) fn misnamed(&self, user_agent: &str) -> Option<RefusalReason> {
        let (crawler, of_client) = self.shared.source.names();
        let (name, of_client) = (crawler.names().next()?, of_client?);
        let agents = [(user_agent, false), (of_client, true)];
        let (other, for_robots) = agents.into_iter().find(|(agent, _)| !crawler.is_named_in(agent))?;
        Some(RefusalReason::OtherName { crawler: name.to_owned(), user_agent: other.to_owned(), for_robots })
    }

    /// Returns the number of URLs that wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shared.with(|state| state.gate.waiting())
    }

    /// Returns the number of URLs that wait at sites whose robots.txt is unreachable.
    ///
    /// # Complexity
    ///
    /// Linear in the number of sites.
    #[must_use]
    pub fn parked(&self) -> usize {
        self.shared.with(|state| state.gate.parked())
    }

    /// Returns the number of sites that the gate knows.
    #[must_use]
    pub fn origins(&self) -> usize {
        self.shared.with(|state| state.gate.origins())
    }

    /// Returns about how many bytes the gate takes; see [`Gate::bytes`](crate::Gate::bytes).
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shared.with(|state| state.gate.bytes())
    }

    /// Returns how many permits were dropped without [`HeldPermit::note`].
    #[must_use]
    pub fn unnoted(&self) -> u64 {
        self.shared.with(|state| state.unnoted)
    }

    /// Returns the address of a URL's host, if it matters.
    async fn address(&self, url: &Url) -> Option<(Origin, IpAddr)> {
        if !self.shared.limits_addresses {
            return None;
        }
        let origin = Origin::from_url(url).ok()?;
        let known = self.shared.with(|state| state.gate.address(&origin));
        let address = match (url.host()?, known) {
            (_, Some(known)) => known,
            (Host::Ipv4(address), None) => address.into(),
            (Host::Ipv6(address), None) => address.into(),
            (Host::Domain(name), None) => {
                // Looking up names needs a runtime.
                Handle::try_current().ok()?;
                let port = url.port_or_known_default().unwrap_or_default();
                let known = || self.shared.with(|state| state.gate.address(&origin));
                in_time(self.shared.look_ups.look_up(name, port, known)).await?
            }
        };
        Some((origin, address))
    }
}

/// Returns the result of a look-up, if it comes in time.
async fn in_time(found: impl Future<Output = Option<IpAddr>>) -> Option<IpAddr> {
    let until = Instant::now() + LONGEST_LOOKUP;
    let (mut found, mut timer) = (pin!(found), Timer::default());
    poll_fn(|context: &mut Context<'_>| {
        if let Poll::Ready(found) = found.as_mut().poll(context) {
            return Poll::Ready(found);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Poll::Ready(None);
        }
        // The wait for the permit says that the runtime has no timers.
        timer.arm(left, context).unwrap_or(Poll::Ready(())).map(|()| None)
    })
    .await
}

// The number of URLs that wait, and of sites.
debug!([] AsyncGate as "AsyncGate", |gate|
    "waiting": gate.shared.with(|state| state.gate.waiting()), "origins": gate.shared.with(|state| state.gate.origins()));
