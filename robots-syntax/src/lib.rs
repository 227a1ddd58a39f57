//! Reads the lines of a robots.txt file from any bytes, and checks files against the grammar.
//!
//! This is the lowest of four layers. It returns what each line of a file says, and where the file deviates from the grammar.
//! `robots-groups` forms groups from the lines, and `robots-match` applies the rules of groups to paths.
//!
//! * [`Lines`] reads any bytes and never fails: a line that is not a valid record is [`Record::Unreadable`].
//! * [`Line::deviations`] compares one line with the grammar.
//! * [`Grammar::check`] compares a whole file with the ABNF of [RFC 9309, section 2.2], or with the BNF of 1996.
//! * [`SyntaxPolicy`] has one field for each difference between the documents.
//!
//! ```
//! use robots_syntax::{Deviation, Lines, Record, SyntaxPolicy};
//!
//! let file = b"User-agent: *\nDisalow /tmp\nSitemap: https://example.com/map.xml\n";
//! let policy = SyntaxPolicy::GOOGLE;
//! for line in Lines::new(file, &policy) {
//!     if let Record::Rule(rule) = line.record {
//!         assert_eq!((rule.line(), rule.pattern.bytes()), (2, &b"/tmp"[..]));
//!         assert!(line.deviations(&policy).any(|found| found == Deviation::Misspelt));
//!     }
//! }
//! ```
//!
//! The crate does not use the standard library and does not allocate. With the feature `serde`, policies are read from
//! configuration files, and kinds, deviations and spans are written as documents.
//!
//! [RFC 9309, section 2.2]: https://www.rfc-editor.org/rfc/rfc9309.html#section-2.2

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod body;
#[cfg(feature = "serde")]
mod configuration;
mod deviation;
mod excerpt;
mod grammar;
mod hidden;
#[doc(hidden)]
pub mod html;
mod line;
mod lines;
mod policy;
mod source_code;
mod span;
mod spelling;

pub use body::BodyKind;
pub use deviation::Deviation;
pub use grammar::GrammarError;
pub use line::{Effect, Line, Record, Rule};
pub use lines::Lines;
pub use policy::{ByteOrderMark, Grammar, Spellings, SyntaxPolicy, WhiteSpace};
pub use span::{Field, Span};

// Public because the crates above and the `robots` command need these items, and hidden because users do not.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use configuration::{Limit, LimitNumber, SyntaxChanges};
#[doc(hidden)]
pub use excerpt::Excerpt;
#[doc(hidden)]
pub use hidden::is_hidden;
#[doc(hidden)]
pub use lines::{GroupLine, GroupLineKind, GroupLines};
#[doc(hidden)]
pub use spelling::{Extent, Key, Spelling};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
