//! Files of wanted access as TOML.

use alloc::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use toml::Spanned;

use super::entry::Entry;
use crate::text::Text;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    environments: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    expect: Vec<Spanned<Table>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    crawlers: Vec<String>,
    #[serde(default)]
    purposes: Vec<String>,
    #[serde(default)]
    urls: Vec<String>,
    #[serde(default)]
    patterns: Vec<String>,
    access: String,
    #[serde(default)]
    environments: Vec<String>,
    reason: Option<String>,
}

/// The environments with their inputs, and the entries.
type Entries = (Vec<(String, Vec<String>)>, Vec<Entry>);

/// Reads the environments and the entries, or returns the line of a mistake and what it is.
pub(super) fn entries(text: &str) -> Result<Entries, (usize, String)> {
    let line_of = |at: usize| 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count();
    let file: File = toml::from_str(text).map_err(|error| {
        let line = line_of(error.span().unwrap_or_default().start);
        (line, Text(error.message().trim().as_bytes()).to_string())
    })?;
    let entries = file.expect.into_iter().map(|table| {
        let line = line_of(table.span().start);
        let Table { crawlers, purposes, urls, patterns, access, environments, reason } = table.into_inner();
        Entry {
            line,
            crawlers,
            purposes,
            urls,
            patterns,
            access,
            environments,
            reason,
            named: OnceLock::new(),
        }
    });
    Ok((file.environments.into_iter().collect(), entries.collect()))
}
