//! Requests for a robots.txt, and what a cache says about a retrieval.

use alloc::sync::Arc;
#[cfg(feature = "tokio")]
use core::pin::Pin;

use robots_match::Crawler;
use url::Url;

use crate::message::fields::Validators;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::outcome::Outcome;
use crate::text::without_secrets;

/// A request for a robots.txt: an HTTP GET, or an anonymous FTP RETR.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The URL, without userinfo and fragment.
    pub url: Url,
    /// The validators that make the request conditional.
    pub validators: Validators,
    /// The URLs of the requests before, which were answered by redirects.
    pub(crate) before: Vec<Url>,
}

// The URL is shown without query.
debug!([] Request as "Request", |request| "url": without_secrets(&request.url), "validators": request.validators);

impl Request {
    /// Creates a request without validators, which the URLs `before` led to.
    #[cfg(feature = "blocking")]
    pub(crate) fn new(mut url: Url, before: Vec<Url>) -> Self {
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_fragment(None);
        Self { url, validators: Validators::default(), before }
    }

    /// Returns the header fields that make the request conditional, names in lower case. All other fields are up to the
    /// client.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let etag = self.validators.etag.as_deref().map(|tag| ("if-none-match", tag));
        let date = self.validators.last_modified.as_deref().map(|date| ("if-modified-since", date));
        etag.into_iter().chain(date)
    }
}

/// Returns whether a URL is disallowed, if that is known.
type Known = Arc<dyn Fn(&Url) -> Option<bool> + Send + Sync>;

/// A retrieval that a cache asks a `Fetch` or `AsyncFetch` for. Cloning is cheap.
#[derive(Clone)]
#[non_exhaustive]
pub struct Retrieval {
    /// The origin whose robots.txt is retrieved.
    pub origin: Origin,
    /// The validators of the entry that the cache has, for a conditional request.
    pub validators: Validators,
    /// The profile by which the answer is judged.
    pub profile: SiteProfile,
    /// The crawler whose rules decide about redirects, under a profile with
    /// [`redirect_to_disallowed`](crate::AccessPolicy::redirect_to_disallowed).
    pub crawler: Crawler,
    disallowed: Option<Known>,
    on_request: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl Retrieval {
    /// Creates a retrieval for a crawler that no line names. Nothing is known about disallowed URLs.
    #[must_use]
    pub fn new(origin: Origin, validators: Validators, profile: SiteProfile) -> Self {
        Self { origin, validators, profile, crawler: Crawler::unnamed(), disallowed: None, on_request: None }
    }

    /// Sets what is known about URLs that the robots.txt of their own origin disallows. `f` must not wait for anything, and returns
    /// `None` if nothing is known about the URL.
    #[must_use]
    pub fn knowing(self, f: impl Fn(&Url) -> Option<bool> + Send + Sync + 'static) -> Self {
        Self { disallowed: Some(Arc::new(f)), ..self }
    }

    /// Calls `f` after each request to the origin, when the head of its answer has come, or it has failed.
    #[cfg_attr(not(feature = "tokio"), allow(dead_code, reason = "a blocking cache has no gates"))]
    pub(crate) fn noting(self, f: impl Fn() + Send + Sync + 'static) -> Self {
        Self { on_request: Some(Arc::new(f)), ..self }
    }

    /// Notes a request, if it is one to the origin.
    pub(crate) fn note(&self, request: &Request) {
        if let Some(on_request) = &self.on_request
            && Origin::from_url(&request.url).is_ok_and(|origin| origin == self.origin)
        {
            on_request();
        }
    }

    /// Returns whether the robots.txt of a URL's own origin disallows the URL, if that is known. A redirect of a robots.txt to such a URL
    /// is not followed; see [`Transport::retrieval`](crate::Transport::retrieval).
    #[must_use]
    pub fn is_disallowed(&self, url: &Url) -> Option<bool> {
        self.disallowed.as_ref().and_then(|disallowed| disallowed(url))
    }
}

// For example `Retrieval { origin: https://example.com, .. }`.
debug!([] Retrieval as "Retrieval", |retrieval| "origin": retrieval.origin, "validators": retrieval.validators);

/// A source of robots.txt files that may block its thread: a client, or a closure such as
/// `move |retrieval: Retrieval| { … }`.
pub trait Fetch: Send + Sync {
    /// Makes one retrieval, for example by [`Outcome::retrieve`](crate::Outcome::retrieve). It has to end. The clients of this crate stop before a
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
    /// Makes one retrieval, for example by [`Outcome::retrieve_async`](crate::Outcome::retrieve_async). It has to end. See [`Fetch::fetch`].
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
