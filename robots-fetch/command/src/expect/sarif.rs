//! Results as the Static Analysis Results Interchange Format, version 2.1.0.

use serde_json::{Value, json};

use super::formats::Report;
use super::results::Answer;
use crate::sarif::uri;
use crate::sarif::{location, log};

/// The kinds of results: id, level and description.
const RULES: [(&str, &str, &str); 2] = [
    ("access-not-wanted", "error", "A crawler has another access than the wanted one"),
    ("access-unknown", "warning", "Nothing is known about wanted access"),
];

pub(super) fn sarif(report: &Report<'_>) -> Value {
    let mut results = Vec::new();
    for (input, row) in report.rows() {
        let outcome = &row.outcome;
        let index = match &*outcome.result {
            Answer::Kept { .. } => continue,
            Answer::Broken { .. } => 0,
            Answer::Unknown(_) => 1,
        };
        let Some((id, level, _)) = RULES.get(index) else { continue };
        let region = outcome.line().map(|line| json!({ "startLine": line }));
        let mut entry = location(
            &uri(report.wanted.name.as_ref()),
            Some(json!({ "startLine": report.line(outcome).max(1) })),
        );
        if let Value::Object(entry) = &mut entry {
            entry.insert("message".to_owned(), json!({ "text": "the wanted access" }));
        }
        results.push(json!({
            "ruleId": id,
            "ruleIndex": index,
            "level": level,
            "message": { "text": report.message(&row) },
            "locations": [location(&input.uri, region)],
            "relatedLocations": [entry],
        }));
    }
    let rules = RULES.map(|(id, level, text)| {
        json!({ "id": id, "shortDescription": { "text": text }, "defaultConfiguration": { "level": level } })
    });
    log(&rules, results, report.failed)
}
