//! The gate for tasks.

mod clock;
mod driver;
pub(crate) mod shared;
mod source;

use alloc::sync::Arc;
use core::fmt;
use core::net::IpAddr;

use robots_match::Crawler;
use tokio::sync::oneshot;
use url::{Host, Url};

use self::shared::{HeldPermit, Shared};
use self::source::CacheSource;
use crate::cache::tasks::AsyncCache;
use crate::gate::policy::GatePolicy;
use crate::gate::refusal::Refusal;
use crate::observe;
use crate::origin::Origin;
use crate::retrieval::fetch::AsyncFetch;
use crate::store::Store;

/// A [`Gate`](crate::Gate) for tasks: each request awaits its permit. Asks a cache for the rules of origins. Cloning is cheap,
/// and clones share the gate.
///
/// The permits follow the guarantees of [`Gate`](crate::Gate), with the clock of tokio. A retrieval of a robots.txt counts as
/// one request to its origin, however many redirects it follows; other origins that it is redirected to do not wait for it.
///
/// The first call of [`Self::permit`] starts a task on the current runtime, which needs timers. It ends when the gate and all
/// permits are dropped. If the runtime shuts down, the next call starts another one.
///
/// If the policy limits requests to addresses, the gate looks up the hosts of new origins with the resolver of the system, and
/// uses their first addresses. A host that can't be found has no limit for its address.
///
/// ```
/// use robots_fetch::matching::Crawler;
/// use robots_fetch::{AsyncCache, AsyncGate, CacheOptions, GatePolicy, Head, Refusal, SiteProfile};
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
/// // Request the page here. Then pass on the head of the answer, and drop the permit when the body is read.
/// permit.note(Some(&Head::new(200)));
/// drop(permit);
///
/// let refusal = gate.permit(&"https://example.com/private".parse()?).await.unwrap_err();
/// assert_eq!(refusal.to_string(), "disallowed by line 3");
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
        let source = CacheSource { cache: cache.into(), crawler };
        Self { shared: Arc::new(Shared::new(Box::new(source), policy)) }
    }

    /// Waits until a URL may be requested. Request it at once; the request lasts until the permit is dropped.
    ///
    /// A future that is dropped gives up its place.
    ///
    /// # Errors
    ///
    /// The URL may not be requested, or not now; see [`Refusal`].
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with timers.
    pub async fn permit(&self, url: &Url) -> Result<HeldPermit, Refusal> {
        let start = self.shared.clock.elapsed();
        let result = self.wait(url).await;
        match &result {
            Ok(_) => observe::permit(url, self.shared.clock.elapsed().saturating_sub(start)),
            Err(refusal) => observe::refusal(url, refusal),
        }
        result
    }

    async fn wait(&self, url: &Url) -> Result<HeldPermit, Refusal> {
        let place = self.address(url).await;
        let (reply, answer) = oneshot::channel();
        self.shared.push(url.clone(), place, reply)?;
        driver::start(&self.shared);
        match answer.await {
            Ok(result) => result.map(HeldPermit::begin),
            // The driver ended with its runtime.
            Err(_) => core::future::pending().await,
        }
    }

    /// Returns the address of a URL's host, if it matters.
    async fn address(&self, url: &Url) -> Option<(Origin, IpAddr)> {
        if !self.shared.limits_addresses {
            return None;
        }
        let origin = Origin::from_url(url).ok()?;
        let known = self.shared.state().gate.address(&origin);
        let address = match (url.host()?, known) {
            (_, Some(known)) => known,
            (Host::Ipv4(address), None) => address.into(),
            (Host::Ipv6(address), None) => address.into(),
            (Host::Domain(name), None) => {
                let port = url.port_or_known_default().unwrap_or_default();
                tokio::net::lookup_host((name, port)).await.ok()?.next()?.ip()
            }
        };
        Some((origin, address))
    }
}

impl fmt::Debug for AsyncGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncGate").finish_non_exhaustive()
    }
}
