//! An HTTP client and an FTP client as one.

#[cfg(feature = "reqwest")]
use core::future::pending;
use core::ops::ControlFlow;
#[cfg(all(feature = "reqwest", feature = "tokio"))]
use core::pin::Pin;
#[cfg(feature = "reqwest")]
use std::panic::resume_unwind;
use std::time::SystemTime;

#[cfg(feature = "reqwest")]
use tokio::task::spawn_blocking;

use super::ftp;
use crate::entry::Entry;
use crate::message::fields::Validators;
use crate::observe;
use crate::origin::Origin;
use crate::profile::SiteProfile;
use crate::retrieval::drive::step;
#[cfg(feature = "reqwest")]
use crate::retrieval::drive::step_async;
use crate::retrieval::outcome::Outcome;
#[cfg(all(feature = "reqwest", feature = "tokio"))]
use crate::retrieval::request::AsyncFetch;
#[cfg(feature = "ureq")]
use crate::retrieval::request::Fetch;
use crate::retrieval::request::Retrieval;
use crate::retrieval::states::AwaitingHead;

/// An HTTP client and an FTP client as one: each request of a retrieval goes to the client of its scheme. With the HTTP
/// client only, FTP origins and redirects to FTP fail with
/// [`UnsupportedScheme`](crate::FailureKind::UnsupportedScheme).
///
/// Each client has its own [`ClientOptions`](super::ClientOptions). Both
/// [`total_timeout`](super::ClientOptions::total_timeout)s start with the retrieval.
#[cfg_attr(
    feature = "ureq",
    doc = r#"
```no_run
use robots_fetch::client::{ByScheme, ClientOptions, ftp, ureq};
use robots_fetch::{Cache, CacheOptions, Origin, SiteProfile};

let options = ClientOptions::new("ExampleBot/1.0 (+https://example.com/bot)")?;
let client = ByScheme::new(ureq::Client::new(&options)?, ftp::Client::new(&options)?);
let entry = client.refresh(&Origin::parse("ftp://ftp.example.com")?, None, &SiteProfile::default());
// For crawlers, with a cache:
let cache = Cache::new(CacheOptions::new(SiteProfile::default()), client);
let entry = cache.get(&Origin::parse("https://example.com")?);
# Ok::<(), Box<dyn std::error::Error>>(())
```
"#
)]
#[derive(Clone, Debug)]
pub struct ByScheme<H> {
    http: H,
    ftp: ftp::Client,
}

impl<H> ByScheme<H> {
    /// Combines both clients.
    #[must_use]
    pub const fn new(http: H, ftp: ftp::Client) -> Self {
        Self { http, ftp }
    }
}

/// The blocking client.
#[cfg(feature = "ureq")]
impl ByScheme<super::ureq::Client> {
    /// Retrieves the robots.txt of an origin. The validators are those of [`Entry::validators`].
    #[must_use]
    pub fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        self.retrieve(origin, validators, profile, None)
    }

    /// Retrieves for a cache, or without one. FTP servers send no redirects.
    fn retrieve(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        retrieval: Option<&Retrieval>,
    ) -> Outcome {
        let (mut http, mut ftp) = (self.http.begin(retrieval), self.ftp.begin_beside(self.http.options()));
        observe::retrieval(origin, || {
            let mut awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
            loop {
                let stepped = match awaiting.request().url.scheme() {
                    "ftp" => step(&mut ftp, awaiting),
                    _ => step(&mut http, awaiting),
                };
                match stepped {
                    ControlFlow::Continue(next) => awaiting = next,
                    ControlFlow::Break(outcome) => return outcome,
                }
            }
        })
    }

    /// Retrieves, and makes the next entry from the previous one; see [`Self::fetch`] and [`Entry::from_outcome`].
    #[must_use]
    pub fn refresh(&self, origin: &Origin, before: Option<&Entry>, profile: &SiteProfile) -> Entry {
        let validators = before.map(Entry::validators).unwrap_or_default();
        Entry::from_outcome(before, self.fetch(origin, &validators, profile), profile)
    }
}

#[cfg(feature = "ureq")]
impl Fetch for ByScheme<super::ureq::Client> {
    fn fetch(&self, retrieval: Retrieval) -> Outcome {
        self.retrieve(&retrieval.origin, &retrieval.validators, &retrieval.profile, Some(&retrieval))
    }
}

#[cfg(all(feature = "reqwest", feature = "tokio"))]
impl AsyncFetch for ByScheme<super::reqwest::Client> {
    fn fetch<'a>(&'a self, retrieval: Retrieval) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>> {
        Box::pin(async move {
            let Retrieval { origin, validators, profile, .. } = &retrieval;
            self.retrieve(origin, validators, profile, Some(&retrieval)).await
        })
    }

    fn user_agent(&self) -> Option<&str> {
        self.http.options().user_agent()
    }
}

/// The async client. FTP runs on a tokio thread for blocking work, and runs there to its end, within its timeout, even if the
/// future is dropped.
#[cfg(feature = "reqwest")]
impl ByScheme<super::reqwest::Client> {
    /// Retrieves the robots.txt of an origin, within a tokio runtime. The validators are those of [`Entry::validators`].
    pub async fn fetch(&self, origin: &Origin, validators: &Validators, profile: &SiteProfile) -> Outcome {
        self.retrieve(origin, validators, profile, None).await
    }

    /// Retrieves for a cache, or without one. FTP servers send no redirects.
    async fn retrieve(
        &self,
        origin: &Origin,
        validators: &Validators,
        profile: &SiteProfile,
        retrieval: Option<&Retrieval>,
    ) -> Outcome {
        let (mut http, ftp) = (self.http.begin(retrieval), self.ftp.begin_beside(self.http.options()));
        let retrieve = async {
            let mut awaiting = AwaitingHead::new(origin, validators, profile, SystemTime::now());
            loop {
                let stepped = if awaiting.request().url.scheme() == "ftp" {
                    let mut ftp = ftp.clone();
                    match spawn_blocking(move || step(&mut ftp, awaiting)).await {
                        Ok(stepped) => stepped,
                        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
                        // The runtime is being shut down, and this task with it.
                        Err(_) => pending().await,
                    }
                } else {
                    step_async(&mut http, awaiting).await
                };
                match stepped {
                    ControlFlow::Continue(next) => awaiting = next,
                    ControlFlow::Break(outcome) => return outcome,
                }
            }
        };
        observe::retrieval_async(origin, retrieve).await
    }

    /// Retrieves, and makes the next entry from the previous one; see [`Self::fetch`] and [`Entry::from_outcome`].
    pub async fn refresh(&self, origin: &Origin, before: Option<&Entry>, profile: &SiteProfile) -> Entry {
        let validators = before.map(Entry::validators).unwrap_or_default();
        Entry::from_outcome(before, self.fetch(origin, &validators, profile).await, profile)
    }
}
