//! Rules of a page with their places.

use alloc::boxed::Box;
use core::fmt;

use robots_match::Span;

use crate::problem::Problem;
use crate::rule::Rule;

/// A rule, whom it concerns, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The place.
    pub source: Source,
    /// The crawlers that the rule concerns.
    pub scope: Scope,
    /// The rule.
    pub rule: Rule,
}

impl Record {
    /// Returns whether the rule is in the page, and not in robots.txt.
    pub(crate) const fn is_in_page(&self) -> bool {
        !matches!(self.source, Source::Robots { .. })
    }
}

/// The crawlers that a rule concerns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a rule is for all crawlers or for one")]
pub enum Scope {
    /// All crawlers.
    All,
    /// The crawler of this name, as written.
    Name(Box<str>),
}

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// A response field with rules.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum FieldName { $($(#[$doc])* $name,)* }

        impl FieldName {
            /// All fields.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name of the field.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

fields! {
    /// `Robots-Tag` (draft-illyes-repext-03, section 3.1.1).
    RobotsTag = "Robots-Tag";
    /// `X-Robots-Tag`.
    XRobotsTag = "X-Robots-Tag";
    /// `Content-Usage` (draft-ietf-aipref-attach-05, section 2).
    ContentUsage = "Content-Usage";
    /// `Content-Signal`.
    ContentSignal = "Content-Signal";
    /// `tdm-reservation` (TDMRep).
    TdmReservation = "tdm-reservation";
    /// `tdm-policy` (TDMRep).
    TdmPolicy = "tdm-policy";
}

impl FieldName {
    /// Returns the field of this name, ignoring ASCII case. Costs one comparison for most names.
    #[must_use]
    pub fn find(name: &[u8]) -> Option<Self> {
        // The first letters and the lengths of the names differ from those of nearly all other fields.
        let first = name.first()?.to_ascii_lowercase();
        if !matches!((first, name.len()), (b'r', 10) | (b'x', 12) | (b'c', 13 | 14) | (b't', 10 | 15)) {
            return None;
        }
        Self::ALL.iter().copied().find(|field| field.name().as_bytes().eq_ignore_ascii_case(name))
    }
}

/// Where a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A response field.
    Field {
        /// The field.
        name: FieldName,
        /// The number of the line among those with this name, from 1.
        occurrence: u32,
        /// The bytes of the value of the line.
        span: Span,
    },
    /// A `meta` element.
    Meta {
        /// The line on which the element begins, from 1.
        line: u32,
        /// The bytes of the element, counted from the start of the body.
        span: Span,
        /// The part of the document.
        place: Place,
    },
    /// A record of robots.txt.
    Robots {
        /// The line, from 1.
        line: usize,
        /// The bytes of the line.
        span: Span,
    },
    /// The body as a whole.
    Body,
}

/// A part of an HTML document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the parts in which meta elements are distinguished")]
pub enum Place {
    /// The head.
    Head,
    /// A `noscript` element of the head.
    Noscript,
    /// The body.
    Body,
}

impl fmt::Display for Source {
    /// Writes the place for people: `X-Robots-Tag, line 2`, `meta element, line 12`, `robots.txt line 9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { name, occurrence: 1, .. } => write!(f, "{}", name.name()),
            Self::Field { name, occurrence, .. } => write!(f, "{}, field {occurrence}", name.name()),
            Self::Meta { line, place: Place::Head, .. } => write!(f, "meta element, line {line}"),
            Self::Meta { line, place: Place::Noscript, .. } => {
                write!(f, "meta element in noscript, line {line}")
            }
            Self::Meta { line, place: Place::Body, .. } => write!(f, "meta element in the body, line {line}"),
            Self::Robots { line, .. } => write!(f, "robots.txt line {line}"),
            Self::Body => f.write_str("body"),
        }
    }
}
/// A problem and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageProblem {
    /// The problem.
    pub problem: Problem,
    /// The place.
    pub source: Source,
}
