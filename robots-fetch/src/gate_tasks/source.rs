//! The rules of origins, from a cache.

use alloc::sync::Arc;
use core::pin::Pin;
use std::time::SystemTime;

use robots_match::Crawler;

use crate::cache::tasks::AsyncCache;
use crate::gate::rules::SiteRules;
use crate::origin::{Origin, UnsupportedUrl};
use crate::retrieval::fetch::AsyncFetch;
use crate::store::Store;

/// Rules, and whether a request was sent for them.
type Rules<'s> = Pin<Box<dyn Future<Output = Result<(SiteRules, bool), UnsupportedUrl>> + Send + 's>>;

/// A source of rules. A trait, so that the gate does not depend on the types of a cache.
pub(super) trait Source: Send + Sync {
    /// Returns the rules of an origin, and whether a request was sent for them.
    fn rules<'s>(&'s self, origin: &'s Origin, now: SystemTime) -> Rules<'s>;
}

/// A cache and the crawler that asks.
pub(super) struct CacheSource<F, S> {
    pub(super) cache: Arc<AsyncCache<F, S>>,
    pub(super) crawler: Crawler,
}

impl<F: AsyncFetch + 'static, S: Store + 'static> Source for CacheSource<F, S> {
    fn rules<'s>(&'s self, origin: &'s Origin, now: SystemTime) -> Rules<'s> {
        Box::pin(async move {
            let before = self.cache.peek(origin).await.map(|entry| entry.received());
            let permission = self.cache.permission(origin.robots_url(), &self.crawler).await?;
            // Not `decide`, which would retrieve an entry again that is due at once.
            let Some(known) = self.cache.known(origin, &self.crawler) else {
                return Ok((SiteRules::new(permission, now), true));
            };
            let rules = SiteRules::new(permission, known.next_retrieval).with_facts(&known.facts);
            Ok((rules, Some(known.received) != before))
        })
    }
}
