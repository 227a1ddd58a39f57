//! Findings as the Static Analysis Results Interchange Format, version 2.1.0.

use alloc::collections::BTreeSet;

use robots_match::Span;
use robots_match::lint::{Finding, Lint, Severity};
use serde_json::{Value, json};

use super::checked_file::Checked;
use super::fingerprint::fingerprints;
use crate::output::Failures;
use crate::sarif;
use crate::text_view::View;

/// The findings as the Static Analysis Results Interchange Format, version 2.1.0.
pub(super) fn sarif(files: &[Checked<'_>], failed: &Failures) -> Value {
    let level = |severity: Severity| severity.name();
    // Only the rules with findings: viewers show all that are listed.
    let found = files.iter().flat_map(|file| file.report.findings.iter().map(|finding| finding.lint));
    let found: Vec<Lint> = found.collect::<BTreeSet<_>>().into_iter().collect();
    let rules = found.iter().map(|lint| {
        json!({
            "id": lint.name(),
            "shortDescription": { "text": lint.title() },
            "help": { "text": lint.page(), "markdown": lint.page() },
            "defaultConfiguration": { "level": level(lint.severity()) },
        })
    });
    let results = files.iter().flat_map(|file| {
        let view = View::new(&file.body);
        let prints = fingerprints(&file.report, &file.body);
        let results = file.report.findings.iter().zip(&prints);
        results.map(|(finding, print)| result(finding, file, &view, &found, print)).collect::<Vec<_>>()
    });
    sarif::log(&rules.collect::<Vec<_>>(), results.collect(), failed)
}

fn result(
    finding: &Finding,
    file: &Checked<'_>,
    view: &View<'_>,
    rules: &[Lint],
    fingerprint: &str,
) -> Value {
    let uri = file.uri();
    let region = |span: Span| {
        let part = view.part([span]);
        let columns = part.text.get(view.range(part, span)).map_or(0, |text| text.chars().count());
        let column = view.column_of(span.start());
        json!({
            "startLine": part.line,
            "startColumn": column,
            "endColumn": column + columns,
            "byteOffset": span.start(),
            "byteLength": span.len(),
        })
    };
    let location = |span: Span| sarif::location(&uri, Some(region(span)));
    let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    let mut result = json!({
        "ruleId": finding.lint.name(),
        "ruleIndex": rules.iter().position(|lint| *lint == finding.lint),
        "level": finding.severity.name(),
        "message": { "text": format!("{}{help}", finding.message) },
        "locations": [location(finding.span)],
        "partialFingerprints": { "robotsLint/v1": fingerprint },
    });
    let mut insert = |key: &str, value: Value| {
        if let Value::Object(result) = &mut result {
            result.insert(key.to_owned(), value);
        }
    };
    if let Some((span, what)) = &finding.other {
        let mut related = location(*span);
        if let Value::Object(related) = &mut related {
            related.insert("message".to_owned(), json!({ "text": what }));
        }
        insert("relatedLocations", json!([related]));
    }
    if let Some(edit) = &finding.fix {
        // Byte offsets, because a correction may be about bytes that are not text.
        let deleted = json!({ "byteOffset": edit.span.start(), "byteLength": edit.span.len() });
        let inserted = json!({ "text": String::from_utf8_lossy(&edit.replacement) });
        insert(
            "fixes",
            json!([{
                "artifactChanges": [{
                    "artifactLocation": { "uri": uri },
                    "replacements": [{ "deletedRegion": deleted, "insertedContent": inserted }],
                }],
            }]),
        );
    }
    if !finding.readers.is_empty() {
        insert(
            "properties",
            json!({ "readers": finding.readers.iter().map(|document| document.name()).collect::<Vec<_>>() }),
        );
    }
    result
}
