//! Rows of an audit as text, CSV and JSON lines.

use serde_json::{Value, json};

use super::listed::Listed;
use super::outcome::{Outcome, Row, Status, UNCHECKED};
use crate::arguments::NamedCrawler;
use crate::failure::Result;
use crate::output::Style;
use crate::table;
use crate::text::{Text, escaped_json};

/// Returns the name of a crawler, safe to show.
pub(super) fn name(crawlers: &[NamedCrawler], index: usize) -> String {
    crawlers.get(index).map(|named| Text(named.name.as_bytes()).to_string()).unwrap_or_default()
}

/// Returns `all`, `parts`, `nothing` or `undecided` for a site, and `allowed` or `disallowed` for a URL.
pub(super) fn access(row: &Row) -> &'static str {
    match (row.extent, row.verdict.is_allowed()) {
        (Some(extent), _) => extent.name(),
        (None, true) => "allowed",
        (None, false) => "disallowed",
    }
}

pub(super) fn human(outcome: &Outcome, crawlers: &[NamedCrawler]) -> String {
    let mut text = String::new();
    let site = &outcome.name;
    if outcome.status == Status::Failed {
        let note = outcome.note.as_deref().unwrap_or_default();
        text.push_str(&format!("{:<10}  {site}  {note}\n", Style::Error.paint("failed")));
    }
    for row in &outcome.rows {
        let crawler = name(crawlers, row.crawler);
        let url = row.url.as_deref().map(|url| format!("{}  ", Text(url))).unwrap_or_default();
        let what = if row.submitted { "submitted URL: " } else { "" };
        let word = access(row);
        let word = match word {
            "nothing" | "disallowed" => Style::Disallowed.paint(word).to_string(),
            "all" | "allowed" => Style::Allowed.paint(word).to_string(),
            _ => word.to_owned(),
        };
        let padding = " ".repeat(10_usize.saturating_sub(access(row).len()));
        let decides = Style::Faint.paint(&row.decides);
        let flags = match outcome.flags(Some(row)) {
            flags if flags.is_empty() => String::new(),
            flags => format!("  [{}]", flags.join(", ")),
        };
        text.push_str(&format!("{word}{padding}  {site}  {crawler}  {what}{url}{decides}{flags}\n"));
    }
    if outcome.is_unchecked {
        text.push_str(&format!("{:<10}  {site}  {UNCHECKED}\n", Style::Note.paint("unchecked")));
    }
    for problem in &outcome.problems {
        text.push_str(&format!("{:<10}  {site}  {problem}\n", Style::Note.paint("problem")));
    }
    for what in &outcome.not_checked {
        text.push_str(&format!("{:<10}  {site}  {what}\n", Style::Note.paint("left out")));
    }
    text
}

/// Returns the first line of the CSV.
pub(super) fn csv_head() -> Result<String> {
    let head = ["input", "status", "kind", "crawler", "url", "access", "line", "reason", "flags"];
    table::csv(&[head.map(str::to_owned).to_vec()])
}

pub(super) fn csv(outcome: &Outcome, crawlers: &[NamedCrawler]) -> Result<String> {
    let cells = |kind: &str, row: Option<&Row>, reason: &str| {
        vec![
            outcome.name.clone(),
            outcome.status.name().to_owned(),
            kind.to_owned(),
            row.map(|row| name(crawlers, row.crawler)).unwrap_or_default(),
            row.and_then(|row| row.url.as_deref()).map(|url| Text(url).to_string()).unwrap_or_default(),
            row.map(access).unwrap_or_default().to_owned(),
            row.and_then(|row| row.verdict.line()).map(|line| line.to_string()).unwrap_or_default(),
            reason.to_owned(),
            outcome.flags(row).join(","),
        ]
    };
    let mut rows: Vec<Vec<String>> =
        outcome.rows.iter().map(|row| cells(kind(row), Some(row), &row.decides)).collect();
    if outcome.status == Status::Failed {
        rows.push(cells("failed", None, outcome.note.as_deref().unwrap_or_default()));
    }
    if outcome.is_unchecked {
        rows.push(cells("unchecked", None, UNCHECKED));
    }
    rows.extend(outcome.problems.iter().map(|problem| cells("problem", None, problem)));
    rows.extend(outcome.not_checked.iter().map(|what| cells("left-out", None, what)));
    table::csv(&rows)
}

const fn kind(row: &Row) -> &'static str {
    match (&row.url, row.submitted) {
        (None, _) => "site",
        (Some(_), false) => "url",
        (Some(_), true) => "submitted",
    }
}

pub(super) fn json_lines(outcome: &Outcome, crawlers: &[NamedCrawler]) -> String {
    let object = |kind: &str, row: Option<&Row>, reason: &str| -> Value {
        json!({
            "version": 1,
            "kind": kind,
            "input": outcome.name,
            "robots": outcome.uri,
            "status": outcome.status.name(),
            "crawler": row.and_then(|row| crawlers.get(row.crawler)).map(|named| &named.name),
            "url": row.and_then(|row| row.url.as_deref()).map(String::from_utf8_lossy),
            "access": row.map(access),
            "line": row.and_then(|row| row.verdict.line()),
            "reason": reason,
            "flags": outcome.flags(row),
        })
    };
    let mut values: Vec<Value> =
        outcome.rows.iter().map(|row| object(kind(row), Some(row), &row.decides)).collect();
    if outcome.status == Status::Failed {
        values.push(object("failed", None, outcome.note.as_deref().unwrap_or_default()));
    }
    if outcome.is_unchecked {
        values.push(object("unchecked", None, UNCHECKED));
    }
    values.extend(outcome.problems.iter().map(|problem| object("problem", None, problem)));
    values.extend(outcome.not_checked.iter().map(|what| object("left-out", None, what)));
    values.iter().map(|value| escaped_json(&format!("{value}\n"))).collect()
}

/// Returns lines about what of the list could not be read.
pub(super) fn list_human(list: &Listed) -> String {
    let line = |problem: &String| format!("{:<10}  {}  {problem}\n", Style::Note.paint("problem"), list.name);
    list.problems().iter().map(line).collect()
}

/// Returns rows about what of the list could not be read, or was not checked.
pub(super) fn list_csv(list: &Listed) -> Result<String> {
    let empty = String::new;
    let row = |kind: &str, reason: String| {
        vec![list.name.clone(), empty(), kind.to_owned(), empty(), empty(), empty(), empty(), reason, empty()]
    };
    let problems = list.problems().iter().map(|problem| row("problem", problem.clone()));
    let left_out = list.left_out().map(|(what, count)| row("list", format!("{what}: {count}")));
    table::csv(&problems.chain(left_out).collect::<Vec<_>>())
}

/// Returns objects about what of the list could not be read, or was not checked.
pub(super) fn list_json_lines(list: &Listed) -> String {
    let object = |kind: &str, reason: String| {
        json!({
            "version": 1,
            "kind": kind,
            "input": list.name,
            "robots": list.uri,
            "status": null,
            "crawler": null,
            "url": null,
            "access": null,
            "line": null,
            "reason": reason,
            "flags": [],
        })
    };
    let problems = list.problems().iter().map(|problem| object("problem", problem.clone()));
    let left_out = list.left_out().map(|(what, count)| {
        let mut object = object("list", format!("{what}: {count}"));
        if let Value::Object(object) = &mut object {
            object.insert("count".to_owned(), json!(count));
        }
        object
    });
    problems.chain(left_out).map(|object| escaped_json(&format!("{object}\n"))).collect()
}
