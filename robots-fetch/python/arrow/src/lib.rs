//! The extension module of `robots_exclusion_arrow`: decisions about whole archives.
//!
//! `bodies` reads bodies from Arrow and other iterables, `columns` makes decisions, `archive` reads WARC files, `pages` reads the
//! rules of their pages, and `logs` judges requests of access logs. The first three use `robots_fetch::warc`, as
//! `robots batch --warc` does, so that the command and this module give the same answers.

mod archive;
mod bodies;
mod columns;
mod logs;
mod pages;

use pyo3::prelude::*;

/// The items that `robots_exclusion_arrow` exports.
#[pymodule]
mod _arrow {
    #[pymodule_export]
    use super::archive::Captures;
    #[pymodule_export]
    use super::columns::decide;
    #[pymodule_export]
    use super::logs::{identify, judge, parse_log};
    #[pymodule_export]
    use super::pages::Pages;
}
