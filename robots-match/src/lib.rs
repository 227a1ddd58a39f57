//! Decides whether a crawler may access a URL, and returns the line of the robots.txt file that decides.
//!
//! This is the third of four layers. Groups come from `robots-groups`, which this crate re-exports as [`groups`];
//! `robots-fetch` decides what the answers of a site mean.
//!
//! * [`Robots`] is a file, and the profile by which it is read; [`Robots::check_file`] answers one question about a file.
//! * [`RuleSet`] has the rules for one crawler, compiled for many URLs.
//! * [`Verdict`] is the answer, with the deciding rule, its line and its place in the file.
//! * [`explain`] shows the groups and rules that led to a verdict, and the rules that almost matched.
//! * [`Document`] names the four documents, and [`Profile`] contains their differences as data.
//! * [`Builder`] writes a robots.txt file that conforms to the grammar.
//!
//! ```
//! use robots_match::{Crawler, Document, Robots};
//!
//! let robots = Robots::new("User-agent: foobot\nAllow: /page\nDisallow: /*.htm\n", Document::Rfc9309);
//! let rules = robots.rules(&Crawler::new("foobot")?);
//! let verdict = rules.check("https://example.com/page.htm");
//! assert!(!verdict.is_allowed());
//! assert_eq!(verdict.line(), Some(3));
//! assert_eq!(verdict.span().unwrap().of(robots.body()), b"/*.htm");
//! # Ok::<(), robots_match::InvalidName>(())
//! ```
//!
//! # Features
//!
//! The crate needs `alloc`, but not the standard library. A feature adds items and never changes a verdict.
//!
//! | feature | adds |
//! | --- | --- |
//! | `catalogue` | known crawlers: their names in files, operators and purposes |
//! | `url` | checks of parsed URLs (`url::Url`); names of hosts, by `idna` |
//! | `lint` | findings about mistakes in a file, with corrections; includes `catalogue` and `records` |
//! | `records` | records other than rules, such as `Crawl-delay`, with their types; names of hosts, by `idna` |
//! | `serde` | verdicts as documents, such as JSON |
//! | `usage` | the dictionaries of `Content-Usage` records; includes `records` |

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(feature = "records")]
mod access;
#[cfg(all(feature = "catalogue", feature = "records"))]
mod access_choice;
mod address;
#[doc(hidden)]
pub mod calendar;
#[cfg(feature = "catalogue")]
mod catalogue;
#[cfg(feature = "serde")]
mod configuration;
mod difference;
mod document;
pub mod explain;
mod history;
#[cfg(any(feature = "records", feature = "url"))]
mod host_text;
mod known_names;
#[cfg(any(feature = "lint", feature = "url"))]
mod last_label;
#[cfg(feature = "lint")]
pub mod lint;
#[cfg(any(feature = "catalogue", feature = "url"))]
mod misspelt;
mod named;
mod pattern;
mod policy;
mod profile;
#[cfg(feature = "records")]
pub mod records;
mod robots;
mod rule_set;
#[cfg(feature = "serde")]
mod serialize;
mod shared_rules;
mod steps;
#[cfg(feature = "usage")]
#[doc(hidden)]
pub mod structured_field;
#[cfg(feature = "url")]
mod target;
mod url_text;
mod verdict;
mod write;

#[cfg(feature = "records")]
pub use access::{AccessPlan, AccessPlanError, AccessWish, WantedAccess};
#[cfg(all(feature = "catalogue", feature = "records"))]
#[doc(hidden)]
pub use access_choice::{AccessChoice, ChosenAccess};
#[doc(hidden)]
pub use address::AddressScope;
#[cfg(feature = "catalogue")]
pub use catalogue::{Catalogue, Identity, InvalidCatalogue, KnownCrawler, Purpose, Trigger};
pub use difference::{
    CausedChange, CausedChanges, Change, ChangeCause, Comparer, Difference, Extent, Witness,
};
pub use document::{Document, UnknownDocument};
pub use history::{EqualTimes, History};
#[cfg(any(feature = "records", feature = "url"))]
#[doc(hidden)]
pub use host_text::{InvalidLabel, host_of, invalid_label, unicode_host};
pub use known_names::KNOWN_NAMES;
#[doc(hidden)]
pub use named::named_crawlers;
pub use policy::{Form, MatchPolicy, Precedence, ReservedBytes};
pub use profile::Profile;
pub use robots::Robots;
pub use robots_groups as groups;
pub use robots_groups::syntax;
#[doc(no_inline)]
pub use robots_groups::syntax::{Effect, Span};
#[doc(no_inline)]
pub use robots_groups::{Crawler, HeaderKind, InvalidName, KnownNames, SelectionBasis, UserAgent};
#[doc(hidden)]
pub use rule_set::CompiledRule;
pub use rule_set::RuleSet;
// Hidden because the values that they are made of can be written themselves.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serialize::explanation::ExplanationDocument;
#[cfg(all(feature = "lint", feature = "serde"))]
#[doc(hidden)]
pub use serialize::findings::{FindingDocument, LeftOutDocument};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serialize::verdict::{AnswerDocument, RuleDocument, SpanDocument, VerdictDocument};
pub use shared_rules::SharedRules;
#[cfg(feature = "url")]
pub use target::{InvalidTarget, Target};
#[cfg(feature = "url")]
#[doc(hidden)]
pub use target::{TextForm, site_without_scheme};
#[doc(hidden)]
pub use url_text::{path_in, path_of};
pub use verdict::{AccessResult, DecidingRule, Reason, Verdict};
pub use write::{BuildError, BuildWarning, Builder, GroupBuilder};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
