//! Retrieval of robots.txt: what the answer means for crawlers, and how long it is valid.
//!
//! This is the highest of four layers. It covers the mistakes that do most harm: a server error or a timeout taken for
//! "allowed", a redirect that is lost, a limit that is not applied, a file that is cut in the middle of a rule, a cache
//! that never expires. Its core has no socket and no clock. Rules and verdicts come from `robots-match`, which this crate
//! re-exports as [`matching`].
//!
//! * [`Origin`]: which URLs share a robots.txt, and where it is.
//! * [`Cache`] and `AsyncCache`: retrieve a robots.txt when needed, and return what a crawler may do.
//! * `client`: clients, behind the features `ureq` (blocking), `reqwest` (async, on tokio) and `ftp`.
//! * [`Store`]: where a cache keeps entries; [`Memory`], `Moka`, `Disk` and [`Tiered`].
//! * [`Entry`]: what is known of a robots.txt between retrievals. [`Entry::from_outcome`] makes the next entry of the
//!   previous one and an [`Outcome`]; [`Entry::permission`] returns what a crawler may do, and [`Entry::cache_status`]
//!   until when, and when to retrieve again.
//! * [`retrieve`] and [`retrieve_async`]: one retrieval by your own client. [`AwaitingHead`] and [`ReadingBody`] are the
//!   states of a retrieval, for clients that fit neither.
//! * [`SiteProfile`], [`AccessPolicy`]: the documents, as data.
//!
//! ```
//! use robots_fetch::matching::Crawler;
//! use robots_fetch::{Entry, Failure, Head, Origin, SiteProfile, Request, Transport, retrieve};
//! use std::time::SystemTime;
//!
//! /// A client for the example: every site has the same file.
//! struct Client;
//!
//! impl Transport for Client {
//!     type Body = &'static [u8];
//!     fn send(&mut self, _: &Request) -> Result<(Head, Self::Body), Failure> {
//!         let head = Head::new(200).with_field("Cache-Control", "max-age=600");
//!         Ok((head, b"User-agent: *\nDisallow: /private\n"))
//!     }
//!     fn read(&mut self, body: &mut Self::Body, buffer: &mut [u8]) -> Result<usize, Failure> {
//!         std::io::Read::read(body, buffer).map_err(|error| {
//!             Failure::new(robots_fetch::FailureKind::Incomplete, error)
//!         })
//!     }
//! }
//!
//! let url = "https://example.com/private/page".parse()?;
//! let origin = Origin::from_url(&url)?;
//! let outcome = retrieve(&mut Client, &origin, &Default::default(), &SiteProfile::RFC9309);
//! let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309);
//!
//! let now = SystemTime::now();
//! assert!(entry.cache_status(now).fresh);
//! let permission = entry.permission(&Crawler::new("ExampleBot")?, now);
//! assert_eq!(permission.check_url(&url).to_string(), "disallowed by line 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod access;
// The function of `robots batch` is in the folder of that command. It is compiled here, so that the fuzz target and
// the properties of robots-conformance can call it without starting a process; the command uses it from here as well.
#[cfg(feature = "batch")]
#[doc(hidden)]
#[path = "bin/robots/batch/answer.rs"]
pub mod batch;
mod cache;
#[cfg(any(feature = "ftp", feature = "reqwest", feature = "ureq"))]
pub mod client;
mod entry;
mod failure;
mod html;
mod http;
mod message;
mod origin;
mod policy;
mod profile;
mod retrieval;
mod store;

pub use access::{Access, Permission, SiteStatus};
pub use cache::blocking::{Cache, Fetch};
pub use cache::options::CacheOptions;
#[cfg(feature = "tokio")]
pub use cache::tasks::{AsyncCache, AsyncFetch};
pub use entry::Entry;
pub use entry::cache_status::CacheStatus;
#[cfg(feature = "stored")]
pub use entry::codec::error::DecodeError;
pub use entry::file::File;
pub use entry::outage::Outage;
pub use failure::{Cause, Failure, FailureKind};
pub use http::fields::Fields;
pub use http::freshness::{Freshness, FreshnessSource};
pub use http::status::StatusTable;
pub use http::validators::Validators;
pub use origin::{Origin, UnsupportedUrl};
pub use policy::{AccessPolicy, OutageAccess, OutageSchedule};
pub use profile::SiteProfile;
pub use retrieval::blocking::{Transport, retrieve};
pub use retrieval::head::Head;
pub use retrieval::nonblocking::{AsyncTransport, retrieve_async};
pub use retrieval::outcome::{Hop, Outcome, RetrievalResult};
pub use retrieval::request::Request;
pub use retrieval::states::{AwaitingHead, NextStep, ReadingBody};
pub use robots_match as matching;
pub use robots_match::AccessResult;
pub use store::Store;
#[cfg(feature = "redb")]
pub use store::disk::Disk;
pub use store::error::StoreError;
pub use store::limits::StoreLimits;
pub use store::memory::Memory;
#[cfg(feature = "moka")]
pub use store::moka::Moka;
pub use store::tiered::Tiered;

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
