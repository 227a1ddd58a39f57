//! The lines and the grammar of robots.txt, for any octets.
//!
//! This is the lowest of four layers. It answers two questions: what does each line of a file say, and where does the
//! file depart from the grammar of its document. Which groups the lines form is for `robots-groups`, what their rules
//! mean for a path for `robots-match`.
//!
//! * [`lines`] reads any octets and never fails: a line that is no record is a line that says so.
//! * [`Line::deviations`] tells how a line departs from the grammar, for those who ask.
//! * [`conforms`] holds a whole file against the ABNF of [RFC 9309, section 2.2], or the BNF of 1996.
//! * [`Policy`] says on what the documents differ, one field for each thing.
//!
//! ```
//! use robots_syntax::{Deviation, Policy, Record, lines};
//!
//! let file = b"User-agent: *\nDisalow /tmp\nSitemap: https://example.com/map.xml\n";
//! let policy = Policy::GOOGLE;
//! for line in lines(file, &policy) {
//!     if let Record::Rule(rule) = line.record {
//!         assert_eq!((rule.line(), rule.pattern.octets()), (2, &b"/tmp"[..]));
//!         assert!(line.deviations(&policy).contains(Deviation::Misspelt));
//!     }
//! }
//! ```
//!
//! The crate needs no standard library and allocates nothing.
//!
//! [RFC 9309, section 2.2]: https://www.rfc-editor.org/rfc/rfc9309.html#section-2.2

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod deviation;
mod excerpt;
mod grammar;
mod line;
mod lines;
mod policy;
mod span;

pub use deviation::{Deviation, Deviations};
pub use excerpt::Excerpt;
pub use grammar::{Departure, Grammar, conforms};
pub use line::{Effect, Line, Record, Rule};
pub use lines::{GroupLine, GroupLineKind, GroupLines, LONGEST, Lines, lines};
pub use policy::{ByteOrderMark, Extent, Key, Nul, Policy, Separator, Spelling, WhiteSpace};
pub use span::{Field, Span};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
