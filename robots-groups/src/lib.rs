//! Forms the groups of a robots.txt file, and selects those that apply to a crawler.
//!
//! This is the second of four layers. Lines come from `robots-syntax`, which this crate re-exports as [`syntax`];
//! `robots-match` applies the rules of a group to paths.
//!
//! * [`Groups`] are formed from lines; rules outside of groups are kept separately.
//! * [`Crawler`] has one name or several, and may be taken from a `User-Agent` header.
//! * [`Selection`] is the result: the groups that apply and why, with their rules combined into one group.
//!
//! ```
//! use robots_groups::{Crawler, GroupPolicy, Groups};
//!
//! let file = b"User-agent: ExampleBot\nDisallow: /foo\nDisallow: /bar\n\nUser-agent: ExampleBot\nDisallow: /baz\n";
//! let groups = Groups::parse(file, &Default::default(), &GroupPolicy::RFC9309);
//! let selection = groups.select(&Crawler::new("ExampleBot")?);
//! let lines: Vec<usize> = selection.rules().map(|rule| rule.line()).collect();
//! assert_eq!(lines, [2, 3, 6]);
//! # Ok::<(), robots_groups::InvalidName>(())
//! ```
//!
//! The crate needs `alloc`, but not the standard library. With the feature `serde`, policies are read from configuration files.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod alphabet;
#[cfg(feature = "serde")]
mod configuration;
mod crawler;
mod groups;
mod header_words;
mod known_names;
mod policy;
mod selection;
mod selector;
mod user_agent;

pub use alphabet::Alphabet;
#[doc(hidden)]
pub use alphabet::is_name_byte;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use configuration::GroupChanges;
pub use crawler::{Crawler, InvalidName};
pub use groups::{Group, Groups};
pub use known_names::KnownNames;
pub use policy::{GroupPolicy, NameMatch};
pub use robots_syntax as syntax;
pub use selection::{NameIndex, Selection, SelectionBasis};
#[doc(hidden)]
pub use selector::{RuleSelector, Selected};
pub use user_agent::{HeaderKind, UserAgent};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
