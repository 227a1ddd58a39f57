//! The groups of a robots.txt, and which of them apply to a crawler.
//!
//! The second of four layers: lines come from `robots-syntax`, which this crate re-exports as [`syntax`]; what the
//! rules of a group mean for a path is for `robots-match`.
//!
//! * [`Groups`] are formed of lines; rules that stand in none are kept apart.
//! * [`ProductToken`] is a checked name, taken from a `User-Agent` header on request.
//! * [`Crawler`] is who asks: one token, several in order of preference, with or without obedience to `*`.
//! * [`Selection`] is the answer: the groups taken and why, their rules as if of one group.
//!
//! ```
//! use robots_groups::{Groups, Policy, ProductToken, syntax};
//!
//! let file = b"User-agent: ExampleBot\nDisallow: /foo\nDisallow: /bar\n\nUser-agent: ExampleBot\nDisallow: /baz\n";
//! let groups = Groups::collect(syntax::lines(file, &syntax::Policy::RFC9309), &Policy::RFC9309);
//! let selection = groups.select(&ProductToken::new("ExampleBot")?);
//! let lines: Vec<usize> = selection.rules().map(|rule| rule.line()).collect();
//! assert_eq!(lines, [2, 3, 6]);
//! # Ok::<(), robots_groups::InvalidToken>(())
//! ```
//!
//! The crate needs `alloc` and no standard library.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod applicable;
mod groups;
mod policy;
mod selection;
mod token;

pub use applicable::{Applicable, Step};
pub use groups::{Group, Groups};
pub use policy::{Boundary, Merge, Name, Policy, Wildcard};
pub use robots_syntax as syntax;
pub use selection::{Basis, Selection};
pub use token::{Alphabet, Crawler, InvalidToken, ProductToken};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
