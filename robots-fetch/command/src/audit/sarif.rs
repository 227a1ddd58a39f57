//! Findings of an audit as the Static Analysis Results Interchange Format, version 2.1.0.

use serde_json::{Value, json};

use super::formats::name;
use super::listed::Listed;
use super::outcome::{Outcome, Row, Status, UNCHECKED};
use crate::arguments::NamedCrawler;
use crate::extent::Extent;
use crate::text::Text;

/// The kinds of findings: id, level and description.
const RULES: [(&str, &str, &str); 7] = [
    ("submitted-url-disallowed", "error", "A URL of a sitemap is disallowed"),
    ("url-disallowed", "warning", "A URL is disallowed"),
    ("crawler-shut-out", "warning", "A crawler may access nothing"),
    ("sitemap-unreadable", "warning", "A sitemap, or a part of it, could not be read"),
    ("input-unreadable", "error", "A robots.txt could not be read"),
    ("doubtful-file", "warning", "Crawlers may read other rules in a file than its owner means"),
    ("not-checked", "note", "A part of a list of URLs or of a sitemap, or an input, was not checked"),
];

/// The results so far.
#[derive(Debug, Default)]
pub(super) struct Log {
    results: Vec<Value>,
}

impl Log {
    pub(super) fn add(&mut self, outcome: &Outcome, crawlers: &[NamedCrawler]) {
        let mut add = |id: &str, message: String, row: Option<&Row>| {
            let line = row.and_then(|row| row.verdict.line());
            self.push(id, &outcome.uri, &message, line, &outcome.flags(row));
        };
        for doubt in outcome.doubts() {
            add("doubtful-file", format!("{}: {doubt}", outcome.name), None);
        }
        if outcome.status == Status::Failed {
            let note = outcome.note.as_deref().unwrap_or_default();
            add("input-unreadable", format!("{}: {note}", outcome.name), None);
        }
        for row in outcome.rows.iter().filter(|row| is_finding(row)) {
            let (crawler, decides) = (name(crawlers, row.crawler), &row.decides);
            match (&row.url, row.submitted) {
                (None, _) => {
                    add("crawler-shut-out", format!("{crawler} may access nothing: {decides}"), Some(row));
                }
                (Some(url), true) => add(
                    "submitted-url-disallowed",
                    format!("the URL {} of a sitemap is disallowed for {crawler}: {decides}", Text(url)),
                    Some(row),
                ),
                (Some(url), false) => {
                    add(
                        "url-disallowed",
                        format!("{} is disallowed for {crawler}: {decides}", Text(url)),
                        Some(row),
                    );
                }
            }
        }
        if outcome.is_unchecked {
            add("not-checked", format!("{}: {UNCHECKED}", outcome.name), None);
        }
        for problem in &outcome.problems {
            add("sitemap-unreadable", problem.clone(), None);
        }
        for what in &outcome.not_checked {
            add("not-checked", what.clone(), None);
        }
    }

    /// Adds the parts of the list that could not be read, or were not checked.
    pub(super) fn add_list(&mut self, list: &Listed) {
        for problem in list.problems() {
            self.push("sitemap-unreadable", &list.uri, problem, None, &[]);
        }
        for (what, count) in list.left_out() {
            self.push("not-checked", &list.uri, &format!("{}: {what}: {count}", list.name), None, &[]);
        }
    }

    fn push(&mut self, id: &str, uri: &str, message: &str, line: Option<usize>, flags: &[&str]) {
        let rule = RULES.iter().position(|(other, ..)| *other == id);
        let level = rule.and_then(|rule| RULES.get(rule)).map(|(_, level, _)| *level);
        let mut location = json!({ "artifactLocation": { "uri": uri } });
        if let (Some(line), Value::Object(location)) = (line, &mut location) {
            location.insert("region".to_owned(), json!({ "startLine": line }));
        }
        self.results.push(json!({
            "ruleId": id,
            "ruleIndex": rule,
            "level": level,
            "message": { "text": message },
            "locations": [{ "physicalLocation": location }],
            "properties": { "flags": flags },
        }));
    }

    pub(super) fn finish(self) -> Value {
        let rules = RULES.map(|(id, level, text)| {
            json!({
                "id": id,
                "shortDescription": { "text": text },
                "defaultConfiguration": { "level": level },
            })
        });
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {
                    "driver": { "name": "robots", "version": env!("CARGO_PKG_VERSION"), "rules": rules },
                },
                "results": self.results,
            }],
        })
    }
}

/// Returns whether a site owner may have to change something.
pub(super) fn is_finding(row: &Row) -> bool {
    match row.extent {
        Some(extent) => extent == Extent::Nothing,
        None => !row.verdict.is_allowed(),
    }
}
