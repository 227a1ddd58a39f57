//! Files of wanted access as CSV, as spreadsheets write it.

use std::sync::OnceLock;

use csv::ReaderBuilder;

use super::entry::Entry;
use crate::table::separator_of;
use crate::text::Text;

const COLUMNS: [&str; 7] = ["crawler", "purpose", "url", "pattern", "access", "environment", "reason"];

/// Reads the entries, one on each line, or returns the line of a mistake and what it is.
pub(super) fn entries(text: &str) -> Result<Vec<Entry>, (usize, String)> {
    let mut reader = ReaderBuilder::new()
        .delimiter(separator_of(text.as_bytes()))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let failed = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        (usize::try_from(line).unwrap_or(1), Text(error.to_string().as_bytes()).to_string())
    };
    let names = reader.headers().map_err(|error| failed(&error))?.clone();
    let mut places = Vec::new();
    for name in &names {
        let place = COLUMNS.iter().position(|column| column.eq_ignore_ascii_case(name));
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
        let mut values: [Vec<String>; 7] = Default::default();
        for (value, &place) in record.iter().zip(&places) {
            if let Some(values) = values.get_mut(place).filter(|_| !value.is_empty()) {
                values.push(value.to_owned());
            }
        }
        let [crawlers, purposes, urls, patterns, access, environments, reason] = values;
        let (access, reason) = (access.concat(), reason.into_iter().next());
        entries.push(Entry {
            line,
            crawlers,
            purposes,
            urls,
            patterns,
            access,
            environments,
            reason,
            named: OnceLock::new(),
        });
    }
    Ok(entries)
}
