//! An entry of a file of wanted access, as CSV and TOML have it.

use std::sync::OnceLock;

use crate::arguments::NamedCrawler;

/// What some crawlers should be able to access, or not.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// The line of the file, from 1.
    pub(super) line: usize,
    pub(super) crawlers: Vec<String>,
    pub(super) purposes: Vec<String>,
    pub(super) urls: Vec<String>,
    pub(super) patterns: Vec<String>,
    /// `allowed` or `disallowed`.
    pub(super) access: String,
    pub(super) environments: Vec<String>,
    pub(super) reason: Option<String>,
    /// The crawlers that the names and purposes stand for, after they were first asked for.
    pub(super) named: OnceLock<Vec<NamedCrawler>>,
}
