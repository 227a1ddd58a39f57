//! The rules of origins, from a cache.

use alloc::sync::Arc;
use core::pin::Pin;
use std::time::SystemTime;

use robots_match::Crawler;
use url::Url;

use crate::cache::decision::Decision;
use crate::cache::requests::RecentRequests;
use crate::cache::tasks::AsyncCache;
use crate::gate::rules::SiteRules;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::request::AsyncFetch;
use crate::store::Store;

type Answer<'s, T> = Pin<Box<dyn Future<Output = T> + Send + 's>>;

/// Rules, and whether a request was sent for them.
pub(super) type Rules = (SiteRules, bool);

/// A source of rules. A trait, so that the gate does not depend on the types of a cache.
pub(super) trait Source: Send + Sync {
    /// Returns the rules of an origin; from the site itself if this is a retry.
    fn rules<'s>(&'s self, origin: &'s Origin, is_retry: bool) -> Answer<'s, Rules>;

    /// Returns all that the crawler needs to know about a URL.
    fn decide<'s>(&'s self, url: &'s Url) -> Answer<'s, Result<Decision, UnsupportedUrl>>;

    /// Returns the crawler, and the `User-Agent` of the requests for robots.txt files, if it is known.
    fn names(&self) -> (&Crawler, Option<&str>);

    fn now(&self) -> SystemTime;

    fn requests(&self) -> &RecentRequests;
}

/// A cache and the crawler that asks.
pub(super) struct CacheSource<F, S> {
    pub(super) cache: Arc<AsyncCache<F, S>>,
    pub(super) crawler: Crawler,
}

impl<F: AsyncFetch + 'static, S: Store + 'static> Source for CacheSource<F, S> {
    fn rules<'s>(&'s self, origin: &'s Origin, is_retry: bool) -> Answer<'s, Rules> {
        Box::pin(async move {
            // An entry that another process retrieved is no request of this one.
            let before = self.cache.requests().last(origin);
            let (permission, decision) = self.cache.terms(origin, &self.crawler, is_retry).await;
            let was_sent = self.cache.requests().last(origin) != before;
            (SiteRules::new(permission, decision.next_retrieval).with_decision(decision), was_sent)
        })
    }

    fn decide<'s>(&'s self, url: &'s Url) -> Answer<'s, Result<Decision, UnsupportedUrl>> {
        Box::pin(self.cache.decide(url, &self.crawler))
    }

    fn names(&self) -> (&Crawler, Option<&str>) {
        (&self.crawler, self.cache.user_agent())
    }

    fn now(&self) -> SystemTime {
        self.cache.now()
    }

    fn requests(&self) -> &RecentRequests {
        self.cache.requests()
    }
}
