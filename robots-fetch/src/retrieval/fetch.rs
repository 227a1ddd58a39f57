//! Sources of robots.txt files, as caches use them.

#[cfg(feature = "tokio")]
use core::pin::Pin;

use crate::retrieval::outcome::Outcome;
use crate::retrieval::request::Retrieval;

/// A source of robots.txt files that may block its thread: a client, or a closure such as
/// `move |retrieval: Retrieval| { … }`.
pub trait Fetch: Send + Sync {
    /// Makes one retrieval, for example by [`retrieve`](crate::retrieve). It has to end. The clients of this crate stop before a
    /// redirect to a URL that is [disallowed](Retrieval::is_disallowed).
    fn fetch(&self, retrieval: Retrieval) -> Outcome;
}

impl<F: Fn(Retrieval) -> Outcome + Send + Sync> Fetch for F {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        self(retrieval)
    }
}

/// An async source of robots.txt files: a client, or a closure that returns a future, such as
/// `move |retrieval: Retrieval| { let client = client.clone(); async move { … } }`.
///
/// The trait is dyn-compatible: `Box<dyn AsyncFetch>` is a client that is chosen at run time.
///
/// ```
/// use robots_fetch::{AsyncCache, AsyncFetch, CacheOptions, Retrieval, SiteProfile};
/// use std::sync::Arc;
///
/// fn cache(client: Arc<dyn AsyncFetch>) -> AsyncCache<impl AsyncFetch> {
///     let fetch = move |retrieval: Retrieval| {
///         let client = Arc::clone(&client);
///         async move { client.fetch(retrieval).await }
///     };
///     AsyncCache::new(CacheOptions::new(SiteProfile::RFC9309), fetch)
/// }
/// ```
#[cfg(feature = "tokio")]
pub trait AsyncFetch: Send + Sync {
    /// Makes one retrieval, for example by [`retrieve_async`](crate::retrieve_async). It has to end. See [`Fetch::fetch`].
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

    /// Returns the `User-Agent` of its requests, if it is known, so that a gate can compare it with the name of its crawler and with
    /// the requests of pages. By default `None`.
    fn user_agent(&self) -> Option<&str> {
        None
    }
}

#[cfg(feature = "tokio")]
impl<F, T> AsyncFetch for F
where
    F: Fn(Retrieval) -> T + Send + Sync,
    T: Future<Output = Outcome> + Send + 'static,
{
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        Box::pin(self(retrieval))
    }
}
