//! Files of wanted access: as TOML, and as CSV, as spreadsheets write it.

use alloc::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::table::{self, OpenQuote, separator_of};
use crate::text::Text;
use crate::toml_text;

/// What some crawlers should be able to access, or not.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The line of the file, from 1.
    #[serde(skip)]
    pub(super) line: usize,
    #[serde(default)]
    pub(super) crawlers: Vec<String>,
    #[serde(default)]
    pub(super) purposes: Vec<String>,
    #[serde(default)]
    pub(super) urls: Vec<String>,
    #[serde(default)]
    pub(super) patterns: Vec<String>,
    /// `allowed` or `disallowed`.
    pub(super) access: String,
    #[serde(default)]
    pub(super) environments: Vec<String>,
    pub(super) reason: Option<String>,
}

/// The most entries of a file, and the most crawlers, purposes, URLs and patterns of one.
pub(super) const MOST: usize = 100_000;

const COLUMNS: [&str; 7] = ["crawler", "purpose", "url", "pattern", "access", "environment", "reason"];

/// Reads the entries, one on each line, or returns the line of a mistake and what it is.
pub(super) fn csv_entries(text: &str) -> Result<Vec<Entry>, (usize, String)> {
    let mut reader = table::rows(text.as_bytes(), separator_of(text.as_bytes()), true);
    let failed = |error: &csv::Error| {
        if let Some(open) = OpenQuote::of(error) {
            return (open.0, open.to_string());
        }
        let line = error.position().map_or(1, csv::Position::line);
        (usize::try_from(line).unwrap_or(1), Text(error.to_string().as_bytes()).to_string())
    };
    let names = reader.headers().map_err(|error| failed(&error))?.clone();
    let mut places = Vec::new();
    for name in &names {
        // TOML has lists, whose keys end in `s`.
        let is = |name: &str| COLUMNS.iter().position(|column| column.eq_ignore_ascii_case(name));
        let place = is(name).or_else(|| is(name.strip_suffix(['s', 'S'])?));
        places.push(place.ok_or_else(|| {
            let columns = COLUMNS.join(", ");
            (1, format!("unknown column `{}`; the columns are {columns}", Text(name.as_bytes())))
        })?);
    }
    let mut entries = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| failed(&error))?;
        let line = record.position().map_or(0, |place| usize::try_from(place.line()).unwrap_or(0));
        if record.len() > places.len() {
            return Err((line, "the line has more values than there are columns".to_owned()));
        }
        if record.iter().all(str::is_empty) {
            continue;
        }
        if entries.len() == MOST {
            return Err((
                line,
                format!("the file has more than {MOST} entries; divide it into several files"),
            ));
        }
        let mut values: [Vec<String>; 7] = Default::default();
        for (value, &place) in record.iter().zip(&places) {
            if let Some(values) = values.get_mut(place).filter(|_| !value.is_empty()) {
                values.reserve_exact(1);
                values.push(value.to_owned());
            }
        }
        let [crawlers, purposes, urls, patterns, access, environments, reason] = values;
        let (access, reason) = (access.concat(), reason.into_iter().next());
        entries.push(Entry { line, crawlers, purposes, urls, patterns, access, environments, reason });
    }
    Ok(entries)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    environments: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    expect: Vec<Spanned<Entry>>,
}

/// The environments with their inputs, and the entries.
type Entries = (Vec<(String, Vec<String>)>, Vec<Entry>);

/// Reads the environments and the entries, or returns the line of a mistake and what it is.
pub(super) fn toml_entries(text: &str) -> Result<Entries, (usize, String)> {
    let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let line_of = |at: usize| 1 + ends.partition_point(|&end| end < at);
    let file: File = toml_text::read(text).map_err(|(line, message)| match &*message {
        "invalid type: map, expected a sequence" => {
            (line, "an entry begins with `[[expect]]`, in two brackets".to_owned())
        }
        message => (line, message.replace("expected a sequence", "expected a list in brackets")),
    })?;
    let entries = file.expect.into_iter().map(|entry| {
        let line = line_of(entry.span().start);
        Entry { line, ..entry.into_inner() }
    });
    Ok((file.environments.into_iter().collect(), entries.collect()))
}
