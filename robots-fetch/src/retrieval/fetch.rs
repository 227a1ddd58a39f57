//! Sources of robots.txt files, as caches use them.

use alloc::sync::Arc;
use core::fmt;
#[cfg(feature = "tokio")]
use core::pin::Pin;

use url::Url;

use crate::message::fields::Validators;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Outcome;

/// Returns whether a URL is known to be disallowed.
type Known = Arc<dyn Fn(&Url) -> bool + Send + Sync>;

/// A retrieval that a cache asks a [`Fetch`] or `AsyncFetch` for. Cloning is cheap.
#[derive(Clone)]
#[non_exhaustive]
pub struct Retrieval {
    /// The origin whose robots.txt is retrieved.
    pub origin: Origin,
    /// The validators of the entry that the cache has, for a conditional request.
    pub validators: Validators,
    /// The profile by which the answer is judged.
    pub profile: SiteProfile,
    disallowed: Option<Known>,
}

impl Retrieval {
    /// Creates a retrieval. Nothing is known about disallowed URLs.
    #[must_use]
    pub fn new(origin: Origin, validators: Validators, profile: SiteProfile) -> Self {
        Self { origin, validators, profile, disallowed: None }
    }

    /// Sets what is known about URLs that the robots.txt of their own origin disallows. `f` must not wait for anything.
    #[must_use]
    pub fn knowing(self, f: impl Fn(&Url) -> bool + Send + Sync + 'static) -> Self {
        Self { disallowed: Some(Arc::new(f)), ..self }
    }

    /// Returns whether it is known that the robots.txt of a URL's own origin disallows the URL. A redirect of a robots.txt to
    /// such a URL is not followed ([`Transport::is_disallowed`](crate::Transport::is_disallowed)).
    #[must_use]
    pub fn is_disallowed(&self, url: &Url) -> bool {
        self.disallowed.as_ref().is_some_and(|disallowed| disallowed(url))
    }
}

/// For example `Retrieval { origin: https://example.com, .. }`.
impl fmt::Debug for Retrieval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Retrieval");
        shown.field("origin", &format_args!("{}", self.origin)).field("validators", &self.validators);
        shown.finish_non_exhaustive()
    }
}

/// A source of robots.txt files that may block its thread: a client, or a closure such as
/// `move |retrieval: Retrieval| { … }`.
pub trait Fetch: Send + Sync {
    /// Makes one retrieval, for example by [`retrieve`](crate::retrieve). It has to end. The clients of this crate stop before a
    /// redirect to a URL that is [known to be disallowed](Retrieval::is_disallowed).
    fn fetch(&self, retrieval: Retrieval) -> Outcome;
}

impl<F: Fn(Retrieval) -> Outcome + Send + Sync> Fetch for F {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        self(retrieval)
    }
}

/// Implements [`Fetch`] for clients that have a method `retrieve`.
#[cfg(feature = "ureq")]
macro_rules! fetch {
    ($($client:ty),*) => {$(
        impl Fetch for $client {
            fn fetch(&self, retrieval: Retrieval) -> Outcome {
                let Retrieval { origin, validators, profile, .. } = &retrieval;
                self.retrieve(origin, validators, profile, Some(&|url: &Url| retrieval.is_disallowed(url)))
            }
        }
    )*};
}

#[cfg(feature = "ureq")]
fetch!(crate::client::ureq::Client);
#[cfg(all(feature = "ftp", feature = "ureq"))]
fetch!(crate::client::ByScheme<crate::client::ureq::Client>);

#[cfg(feature = "ftp")]
impl Fetch for crate::client::ftp::Client {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        Self::fetch(self, &retrieval.origin, &retrieval.validators, &retrieval.profile)
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

/// Implements [`AsyncFetch`] for clients that have a method `retrieve`.
#[cfg(all(feature = "reqwest", feature = "tokio"))]
macro_rules! async_fetch {
    ($($client:ty),*) => {$(
        impl AsyncFetch for $client {
            fn fetch<'a>(
                &'a self,
                retrieval: Retrieval,
            ) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
                Box::pin(async move {
                    let Retrieval { origin, validators, profile, .. } = &retrieval;
                    let is_disallowed = |url: &Url| retrieval.is_disallowed(url);
                    self.retrieve(origin, validators, profile, Some(&is_disallowed)).await
                })
            }
        }
    )*};
}

#[cfg(all(feature = "reqwest", feature = "tokio"))]
async_fetch!(crate::client::reqwest::Client);
#[cfg(all(feature = "ftp", feature = "reqwest", feature = "tokio"))]
async_fetch!(crate::client::ByScheme<crate::client::reqwest::Client>);
