//! The documents of the Robots Exclusion Protocol as tables, held against the composed stack.
//!
//! [`Suite::load`] reads statements and tables, [`run`] runs the rows, and [`Report`] tells what was found. What the
//! folder holds and how a row is written is in its README.

#![allow(
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    reason = "nothing here is for a target without a standard library"
)]

pub mod advice;
pub mod agree;
pub mod batching;
pub mod case;
pub mod compare;
mod coverage;
mod dialects;
pub mod escape;
mod exception;
pub mod exchange;
pub mod fetching;
pub mod generate;
mod html;
mod knob;
pub mod model;
pub mod oracle;
mod problem;
pub mod properties;
mod report;
mod run;
mod statement;
mod suite;
mod table;
mod trace;
mod witness;

pub use coverage::coverage;
pub use dialects::{Disagreement, dialects, disagreements, matrix};
pub use exception::Exception;
pub use knob::{KNOBS, Knob, Value, turned};
pub use problem::Problem;
pub use report::Report;
pub use robots_fetch::Profile;
pub use run::{Filter, Outcome, run};
pub use statement::{Reading, Statement};
pub use suite::{DOCUMENTS, Suite};
pub use table::{Row, Table};
pub use trace::trace;
pub use witness::{Unnoticed, unnoticed};

/// The examples of the README of the workspace are tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[derive(Debug)]
pub struct Readme;
