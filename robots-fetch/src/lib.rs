//! Retrieves, caches and applies the robots.txt files of sites (RFC 9309, section 2.3).
//!
//! This is the highest of four layers. It decides what the answer to a robots.txt request means for crawlers, and how long
//! the answer is valid. Its core uses neither sockets nor a clock. Rules and verdicts come from `robots-match`, which this
//! crate re-exports as [`matching`].
//!
//! The [`guide`] has a chapter for each kind of crawler, and for site owners.
//!
//! * [`Cache`] and `AsyncCache` retrieve a robots.txt file when needed, and return whether a crawler may access a URL.
//! * `client` contains clients, with the features `blocking`, `reqwest` (async, on tokio) and `ftp`.
//! * [`Gate`] decides when each URL may be requested: delays, limits and pauses for each site. `AsyncGate` drives it on tokio;
//!   `GateLayer` and `GateMiddleware` put it into clients of tower and reqwest.
//! * [`Store`]s keep entries for a cache: `Disk` and `Redis`.
//! * [`Origin`] determines which URLs share a robots.txt file, and the URL of that file.
//! * [`Entry`] is what is known of a robots.txt file between retrievals. [`Entry::from_outcome`] makes the next entry from
//!   the previous one and an [`Outcome`]. [`Entry::permission`] returns what a crawler may do, [`Entry::fresh_until`]
//!   until when, and [`Entry::next_retrieval`] when to retrieve again.
//! * [`Outcome::retrieve`] and [`Outcome::retrieve_async`] make one retrieval with your own client, a [`Transport`] or an [`AsyncTransport`].
//! * [`SiteProfile`] and [`AccessPolicy`] contain the rules of the documents, as data.
//!
//! # Example
//!
//! One retrieval with your own client, without a cache:
//!
//! ```
//! use robots_fetch::matching::Crawler;
//! use robots_fetch::{Entry, Failure, Head, Origin, Outcome, SiteProfile, Request, Transport};
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
//! let outcome = Outcome::retrieve(&mut Client, &origin, &Default::default(), &SiteProfile::RFC9309);
//! let entry = Entry::from_outcome(None, outcome, &SiteProfile::RFC9309);
//!
//! let now = SystemTime::now();
//! assert!(entry.is_fresh(now));
//! let permission = entry.permission(&Crawler::new("ExampleBot")?, now);
//! assert_eq!(permission.check_url(&url).to_string(), "disallowed by line 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! No feature is on by default. A feature adds items and never changes a result.
//!
//! | feature | adds | Rust, if later than 1.88 |
//! | --- | --- | --- |
//! | `reqwest` | a client for tokio, with the TLS of your reqwest | |
//! | `reqwest-rustls` | the same with rustls and the root certificates of Mozilla; includes `reqwest` and its feature `rustls` | |
//! | `hickory` | look-ups of host names by queries, for the client of `reqwest`; includes `reqwest` | |
//! | `blocking` | a blocking client | |
//! | `ftp` | a client for FTP | |
//! | `tokio` | `AsyncCache` | |
//! | `gate` | `AsyncGate`: permits for requests, with delays; includes `records` and `tokio` | |
//! | `tower` | the gate as a layer of tower; includes `gate` and `http` | |
//! | `reqwest-middleware` | the gate as a middleware of reqwest; includes `gate` and `http` | |
//! | `http` | `Head` from the types of the crate `http` | |
//! | `disk` | a store in a file, over SQLite; includes `stored` | 1.90 |
//! | `redis` | a store on a Redis or Valkey server; includes `stored` | |
//! | `stored` | entries as bytes, for your own store | |
//! | `lint` | findings about mistakes in a file; includes `catalogue` and `records` | |
//! | `catalogue` | known crawlers | |
//! | `records` | records other than rules, with their types, also in a `Decision` | |
//! | `page` | rules of pages (robots-page), joined with those of robots.txt: `Permission::page`, `Decision::page` | |
//! | `testing` | scripted sites and a clock for tests of crawlers | |
//! | `tracing` | events and spans | |
//! | `metrics` | counters, durations and gauges, with units | |
//! | `log` | access logs: who obeys a robots.txt; includes `catalogue` and `records` | |
//! | `sitemap` | sitemaps and indexes of sitemaps | |
//! | `warc` | captures in WARC files | |
//! | `schema` | the JSON schemas of documents; includes `serde` | |
//! | `serde` | decisions, entries and facts as documents, such as JSON; profiles, policies and options from configuration files | |

#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[macro_use]
mod common;

mod access;
mod backoff;
mod cache;
#[cfg(any(feature = "blocking", feature = "ftp", feature = "reqwest"))]
pub mod client;
#[cfg(feature = "serde")]
mod configuration;
mod entry;
mod failure;
mod gate;
#[cfg(feature = "gate")]
mod gate_tasks;
#[cfg(any(doc, doctest))]
pub mod guide;
#[cfg(feature = "log")]
pub mod log;
mod map;
mod message;
#[cfg(any(feature = "reqwest-middleware", feature = "tower"))]
mod middleware;
mod observe;
mod origin;
#[cfg(any(feature = "sitemap", feature = "warc"))]
mod parts;
mod policy;
mod profile;
mod retrieval;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(feature = "sitemap")]
pub mod sitemap;
mod store;
mod table;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
#[cfg(feature = "warc")]
pub mod warc;

pub use access::{Access, Permission};
pub use cache::blocking::Cache;
pub use cache::decision::Decision;
pub use cache::options::CacheOptions;
pub use cache::queue::RetrievalLimits;
#[cfg(feature = "tokio")]
pub use cache::tasks::AsyncCache;
pub use entry::file::File;
#[cfg(feature = "stored")]
pub use entry::stored::DecodeError;
pub use entry::{Entry, Outage};
pub use failure::{Cause, Failure, FailureKind};
pub use gate::Gate;
pub use gate::policy::GatePolicy;
pub use gate::refusal::{Awaited, Refusal, RefusalReason};
pub use gate::rules::SiteRules;
pub use gate::step::{GateStep, OpenBody, Permit, Ticket};
#[cfg(all(feature = "gate", feature = "redis"))]
pub use gate_tasks::fleet::{SharedDelays, WithoutServer};
#[cfg(feature = "gate")]
pub use gate_tasks::{
    AsyncGate,
    permit::{HeldBodyPermit, HeldPermit},
};
pub use message::fields::{Fields, Validators};
pub use message::head::Head;
#[cfg(any(feature = "reqwest-middleware", feature = "tower"))]
pub use middleware::body::HeldBody;
#[cfg(feature = "reqwest-middleware")]
pub use middleware::reqwest::GateMiddleware;
#[cfg(feature = "tower")]
pub use middleware::tower::{GateLayer, GateService};
pub use origin::{Origin, UnsupportedUrl};
pub use policy::{AccessPolicy, OutageAccess};
pub use profile::SiteProfile;
pub use retrieval::drive::{AsyncTransport, Transport};
pub use retrieval::outcome::{Hop, Outcome, RetrievalResult};
#[cfg(feature = "tokio")]
pub use retrieval::request::AsyncFetch;
pub use retrieval::request::{Fetch, Request, Retrieval};
// Public because tests and robots-conformance drive retrievals step by step, and hidden because users do not.
pub use map::StoreLimits;
#[doc(hidden)]
pub use retrieval::states::{AwaitingHead, NextStep, ReadingBody};
pub use robots_match as matching;
#[doc(no_inline)]
pub use robots_match::AccessResult;
#[cfg(feature = "page")]
pub use robots_page as page;
#[cfg(feature = "disk")]
pub use store::disk::Disk;
pub use store::error::StoreError;
#[doc(hidden)]
pub use store::memory::Memory;
#[cfg(feature = "redis")]
pub use store::redis::{Redis, server::RedisOptions};
pub use store::{AsyncStore, Claim, Store};
pub use table::Table;

/// Compiles and runs the examples of the README.
#[cfg(all(doctest, feature = "reqwest", feature = "tokio"))]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
