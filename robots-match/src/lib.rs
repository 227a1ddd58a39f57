//! May a crawler access this path, and which line of the robots.txt says so?
//!
//! The third of four layers: groups come from `robots-groups`, which this crate re-exports as [`groups`]; what an
//! HTTP answer means is for `robots-fetch`.
//!
//! * [`Robots`] is the front door: a body and a [`Profile`] in, verdicts for many crawlers out.
//! * [`RuleSet`] is compiled for one crawler, owned, and checked by `&self`.
//! * [`Answer`] is what a file says about one path, without a rule set.
//! * [`Verdict`] tells whether, and by which rule, line and span.
//! * [`explain`] tells all that led to a verdict, and what nearly did.
//! * [`Profile`] names the documents and lets one knob be turned.
//! * [`Builder`] writes a robots.txt that conforms to the grammar.
//!
//! ```
//! use robots_match::{ProductToken, Profile, Robots};
//!
//! let robots = Robots::new(&b"User-agent: foobot\nAllow: /page\nDisallow: /*.htm\n"[..], Profile::RFC9309);
//! let rules = robots.rules(&ProductToken::new("foobot")?);
//! let verdict = rules.check_text(b"https://example.com/page.htm");
//! assert!(!verdict.is_allowed());
//! assert_eq!(verdict.ruling().unwrap().span.of(robots.body()), b"/*.htm");
//! # Ok::<(), robots_match::InvalidToken>(())
//! ```
//!
//! The crate needs `alloc` and no standard library. Features add, and never change an answer: `url` a check for
//! `url::Url`; `lint` what in a file is most likely not as it was meant; `records` the other records with their types;
//! `usage` what `Content-Usage` records say.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod answer;
mod build;
mod canon;
mod drafts;
pub mod explain;
mod few;
mod floating;
mod index;
mod keyed;
#[cfg(feature = "lint")]
pub mod lint;
mod pattern;
mod patterns;
mod policy;
mod profile;
#[cfg(feature = "records")]
pub mod records;
mod robots;
mod rules;
mod url_text;
mod verdict;

pub use answer::Answer;
pub use build::{Agent, BuildError, Builder, GroupBuilder};
pub use policy::{Authority, EmptyPattern, Form, IndexPage, Policy, Precedence, Query, RobotsTxt, Specials};
pub use profile::Profile;
pub use robots::Robots;
pub use robots_groups as groups;
pub use robots_groups::syntax::{self, Effect, Span};
pub use robots_groups::{Basis, Crawler, InvalidToken, ProductToken};
pub use rules::{RuleSet, Ruling};
pub use url_text::path_of;
pub use verdict::{Reason, Verdict};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
