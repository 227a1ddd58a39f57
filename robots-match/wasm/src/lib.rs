//! `robots-match` as a WebAssembly module, for the page in the browser and for the npm package.
//!
//! The module decides nothing: every answer comes from `robots-match`. Classes and functions have the names of that crate.
//! Spans count bytes of the file from 0; lines count from 1.

mod catalogue;
mod changes;
mod explanation;
mod file;
mod lints;
mod page;
mod rules;
mod verdict;
mod written;

pub use catalogue::{document_of, documents, known_crawlers, suggest};
pub use file::RobotsTxt;
pub use rules::Rules;
