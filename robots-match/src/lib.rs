//! Whether a crawler may access a URL, and which line of the robots.txt file decides.
//!
//! This is the third of four layers. Groups come from `robots-groups`, which this crate re-exports as [`groups`];
//! `robots-fetch` decides what the answers of a site mean.
//!
//! * [`Robots`] is a file and how it is read.
//! * [`RuleSet`] has the rules for one crawler, compiled for many URLs.
//! * [`Verdict`] is the answer, with the deciding rule, its line and its place in the file.
//! * [`explain`] shows everything that led to a verdict, and what nearly did.
//! * [`Document`] names the four documents, and [`Profile`] has their differences as data.
//! * [`Builder`] writes a robots.txt file that conforms to the grammar.
//!
//! ```
//! use robots_match::{Crawler, Document, Robots};
//!
//! let robots = Robots::new("User-agent: foobot\nAllow: /page\nDisallow: /*.htm\n", Document::Rfc9309);
//! let rules = robots.rules(&Crawler::new("foobot")?);
//! let verdict = rules.check_text("https://example.com/page.htm");
//! assert!(!verdict.is_allowed());
//! assert_eq!(verdict.line(), Some(3));
//! assert_eq!(verdict.span().unwrap().of(robots.body()), b"/*.htm");
//! # Ok::<(), robots_match::InvalidName>(())
//! ```
//!
//! # Features
//!
//! The crate needs `alloc`, and not the standard library, except for the feature `usage`. A feature adds items and never
//! changes an answer.
//!
//! | feature | adds |
//! | --- | --- |
//! | `url` | checks of parsed URLs (`url::Url`) |
//! | `lint` | findings about a file and their corrections |
//! | `records` | the other records, with their types |
//! | `usage` | what `Content-Usage` records say; needs the standard library |

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod difference;
mod document;
pub mod explain;
#[cfg(feature = "lint")]
pub mod lint;
mod pattern;
mod policy;
mod profile;
#[cfg(feature = "records")]
pub mod records;
mod robots;
mod rule_set;
mod url_text;
mod verdict;
mod write;

pub use difference::{Change, Difference, Removals, Witness};
pub use document::{Document, UnknownDocument};
pub use policy::{Form, MatchPolicy, Precedence};
pub use profile::Profile;
pub use robots::Robots;
pub use robots_groups as groups;
pub use robots_groups::syntax::{self, Effect, Span};
pub use robots_groups::{Crawler, InvalidName, SelectionBasis};
pub use rule_set::{CompiledRule, RuleSet};
#[doc(hidden)]
pub use url_text::path_of;
pub use verdict::{AccessResult, DecidingRule, Reason, SiteAnswer, Verdict};
pub use write::{BuildError, Builder, GroupBuilder};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
