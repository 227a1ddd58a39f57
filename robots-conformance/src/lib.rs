//! Conformance tables for the documents of the Robots Exclusion Protocol, and their runner.
//!
//! [`Suite::load`] reads statements and tables, [`run()`] runs the rows, and [`Report`] writes the results. The README
//! explains the folder, the terms and the format of rows.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "nothing here is for a target without a standard library"
)]

pub mod agree;
pub mod case;
mod columns;
mod documents;
pub mod escape;
pub mod exchange;
pub mod generate;
mod knob;
pub mod model;
pub mod properties;
pub mod release;
mod report;
mod row;
mod run;
mod suite;
pub mod testing;
mod trace;

pub use documents::coverage::{coverage, coverage_summary};
pub use documents::dialects::{Disagreement, dialects, disagreements};
pub use knob::{KNOBS, Knob, PAGE_KNOBS, Value, page_turned, turned};
pub use report::Report;
pub use robots_fetch::SiteProfile;
pub use row::{Difference, Files, Head, RowContext};
pub use run::{Filter, Outcome, Unnoticed, run, unnoticed, unnoticed_entries};
pub use suite::Suite;
pub use suite::names::{
    DOCUMENTS, PAGE_PROFILES, PROFILES, READING_PROFILES, all_profiles, page_policy_named, profile_named,
};
pub use suite::problem::{Exception, Problem};
pub use suite::quotes::Quotes;
pub use suite::statement::{Quote, Reading, Source, Statement, Text};
pub use suite::table::{Row, Table};
pub use trace::trace;

/// Compiles and runs the examples of the pages at the root of the repository.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../PERFORMANCE.md")]
#[doc = include_str!("../../SECURITY.md")]
#[derive(Debug)]
pub struct Pages;
