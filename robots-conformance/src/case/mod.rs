//! The kinds of rows. Each kind is a struct of its keys, and code that compares a row with the implementation.

mod access;
mod gate;
mod grammar;
mod lint;
mod location;
mod page;
mod reading;
mod records;
mod scope;
mod selection;
mod token;
pub(crate) mod verdict;

use std::collections::BTreeMap;

use crate::exchange::{Exchange, Timeline};
use crate::row::{Answered, Description, Difference, Files, Head, Kind, RowContext, Written};

pub use gate::Gate;
pub use grammar::Grammar;
pub use lint::Lint;
pub use location::Location;
pub use page::Page;
pub use reading::Reading;
pub use records::Records;
pub use scope::Scope;
pub use selection::Selection;
pub use token::Token;
pub use verdict::{Answer, Verdict};

/// Declares all kinds: the name of the array of tables, the struct of [`row!`](crate::row::row) that implements [`Kind`], and the keys
/// that belong to the question.
macro_rules! kinds {
    ($($key:ident: $variant:ident($type:ty) asks $($ask:ident)*;)*) => {
        /// A row, by kind.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[expect(clippy::large_enum_variant, reason = "a suite has only a few thousand rows")]
        pub enum Case {
            $(#[doc = concat!("`[[", stringify!($key), "]]`")] $variant($type),)*
        }

        impl Case {
            /// Returns the name of the kind.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => stringify!($key),)* }
            }

            /// Checks the row without running it.
            ///
            /// # Errors
            ///
            /// Returns a message that says what is wrong.
            pub(crate) fn validate(&self, files: &Files) -> Result<(), String> {
                match self { $(Self::$variant(case) => case.validate(files),)* }
            }

            /// Runs the row and returns how the implementation differs from it; nothing if the row holds.
            #[must_use]
            pub fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
                match self { $(Self::$variant(case) => case.check(context),)* }
            }

            /// Returns the answers of the implementation, whatever the row expects.
            pub(crate) fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
                match self { $(Self::$variant(case) => case.answers(context),)* }
            }

            /// Returns the input and the expected results in words, for reports.
            pub(crate) fn describe(&self) -> Description {
                let keys = match self { $(Self::$variant(case) => serde_json::to_value(case),)* };
                Description::new(&keys.expect("rows are written as they are read"), Self::asks(self.kind()))
            }

            /// Returns the keys that belong to the question of a kind, beside its files. All others are the answer.
            pub(crate) fn asks(kind: &str) -> &'static [&'static str] {
                match kind { $(stringify!($key) => &[$(stringify!($ask)),*],)* _ => &[] }
            }
        }

        /// The sections of a table file, as written.
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Sections {
            #[serde(default)]
            pub(crate) robots: BTreeMap<String, toml::Spanned<String>>,
            #[serde(default)]
            pub(crate) escaped: BTreeMap<String, toml::Spanned<String>>,
            #[serde(default)]
            pub(crate) generated: BTreeMap<String, toml::Spanned<Vec<(String, usize)>>>,
            $(#[serde(default)] $key: Vec<toml::Spanned<$type>>,)*
        }

        impl Sections {
            /// Returns all rows, each with its range of bytes in the file and the keys that all rows have.
            pub(crate) fn rows(self) -> Vec<(core::ops::Range<usize>, Head, Case)> {
                let mut rows = Vec::new();
                $(for spanned in self.$key {
                    let span = spanned.span();
                    let case = spanned.into_inner();
                    rows.push((span, case.head(), Case::$variant(case)));
                })*
                rows.sort_by_key(|(span, ..)| span.start);
                rows
            }
        }
    };
}

kinds! {
    verdict: Verdict(Verdict) asks agent agents together ignores_wildcard path url;
    reading: Reading(Reading) asks;
    grammar: Grammar(Grammar) asks;
    selection: Selection(Selection) asks agent agents together ignores_wildcard;
    token: Token(Token) asks token header;
    location: Location(Location) asks url;
    scope: Scope(Scope) asks robots_url url;
    records: Records(Records) asks;
    lint: Lint(Lint) asks url content_type missing paths;
    page: Page(Page) asks fields html not_modified rendered field_limit html_limit path agent agents ignores_wildcard now category;
    gate: Gate(Gate) asks agent urls statuses;
    exchange: Exchange(Exchange) asks origin disallowed agent answers site;
    timeline: Timeline(Timeline) asks origin disallowed agent;
}
