//! What an HTTP answer to a robots.txt request means, and how long it holds.
//!
//! The highest of four layers, and the place of the faults that harm most: a server error or a timeout read as "allowed", a
//! redirect lost, a limit not applied, a file cut in the middle of a rule, a cache that never ends. Its core has no socket
//! and no clock; rules and verdicts come from `robots-match`, which this crate re-exports as [`matching`].
//!
//! * [`Origin`]: which URLs share a robots.txt, and where it is.
//! * [`Awaiting`], [`Reading`]: one retrieval, as a chain of states that any client moves; [`drive`] does it for clients
//!   that block.
//! * [`Entry`]: what is known between retrievals. [`Entry::after`] makes the next entry of the one before and of an
//!   [`Outcome`].
//! * [`Entry::access`], [`Entry::permission`]: what crawlers may do; [`Entry::standing`]: until when, and when to ask again.
//! * [`Profile`], [`Policy`]: the documents, as data.
//! * `client`: clients, behind the features `ureq` (blocking), `reqwest` (of tokio) and `ftp`.
//!
//! ```
//! use robots_fetch::matching::ProductToken;
//! use robots_fetch::{Entry, Failure, Head, Origin, Profile, Request, Response, Transport, drive};
//! use std::time::SystemTime;
//!
//! /// A client for the example: every site has the same file.
//! struct Client;
//! struct Answer(&'static [u8]);
//!
//! impl Transport for Client {
//!     type Response = Answer;
//!     fn send(&mut self, _: &Request) -> Result<Answer, Failure> {
//!         Ok(Answer(b"User-agent: *\nDisallow: /private\n"))
//!     }
//! }
//!
//! impl Response for Answer {
//!     fn head(&self) -> Head {
//!         Head::new(200).with_field("Cache-Control", "max-age=600")
//!     }
//!     fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
//!         std::io::Read::read(&mut self.0, buffer).map_err(|error| {
//!             Failure::new(robots_fetch::FailureKind::Incomplete, error)
//!         })
//!     }
//! }
//!
//! let url = "https://example.com/private/page".parse()?;
//! let origin = Origin::of(&url)?;
//! let outcome = drive(&mut Client, &origin, &Default::default(), &Profile::RFC9309);
//! let entry = Entry::after(None, outcome, &Profile::RFC9309);
//!
//! let now = SystemTime::now();
//! assert!(entry.standing(now).fresh);
//! let permission = entry.permission(&ProductToken::new("ExampleBot")?, now);
//! assert_eq!(permission.check_url(&url).to_string(), "disallowed by line 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod access;
// The function behind `robots batch` lies in the folder of that command. It is compiled here, so that the fuzz target and
// the properties of robots-conformance can call it without starting a process; the command uses it from here as well.
#[cfg(feature = "batch")]
#[doc(hidden)]
#[path = "bin/robots/batch/answer.rs"]
pub mod batch;
mod cache;
mod cause;
mod class;
#[cfg(any(feature = "ftp", feature = "reqwest", feature = "ureq"))]
pub mod client;
mod drive;
mod entry;
mod exchange;
mod facts;
mod fields;
mod freshness;
mod html;
mod machine;
mod origin;
mod outcome;
mod policy;
mod profile;
mod store;
#[cfg(feature = "stored")]
mod stored;

pub use access::{Access, Decision, Permission, Site};
#[cfg(feature = "tokio")]
pub use cache::{AsyncCache, AsyncFetch};
pub use cache::{Cache, CacheOptions, Fetch};
pub use cause::{Cause, Failure, FailureKind};
pub use class::{Class, StatusTable};
pub use drive::{Response, Transport, drive};
pub use entry::Entry;
pub use exchange::{Head, Request};
pub use facts::{File, Outage, Standing};
pub use fields::{Fields, Validators};
pub use freshness::{Basis, Freshness};
pub use html::looks_like_html;
pub use machine::{Awaiting, Reading, Step};
pub use origin::{Origin, UnsupportedUrl, applies};
pub use outcome::{Answer, Hop, Outcome};
pub use policy::{
    ErrorPage, Html, Lifetime, Meanwhile, Policy, Redirects, Requests, Retry, Schedule, Unavailable,
};
pub use profile::Profile;
pub use robots_match as matching;
#[cfg(feature = "redb")]
pub use store::Disk;
#[cfg(feature = "moka")]
pub use store::Moka;
pub use store::{Bounds, Memory, Store, StoreError, Tiered};
#[cfg(feature = "stored")]
pub use stored::Unreadable;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
