//! Findings for programs.

use robots_match::Span;
use robots_match::lint::Edit;
use serde_json::{Value, json};

use super::checked_file::Checked;
use super::fingerprint::fingerprints;
use crate::json::span as span_json;
use crate::text::Text;
use crate::text_view::View;

pub(super) fn json(file: &Checked<'_>) -> Value {
    let view = View::new(&file.body);
    let place = |span: Span| {
        json!({
            "line": view.line_of(span.start()),
            "column": view.column_of(span.start()),
            "span": span_json(span),
        })
    };
    let edit = |edit: &Edit| json!({ "span": span_json(edit.span), "replacement": String::from_utf8_lossy(&edit.replacement) });
    let prints = fingerprints(&file.report, &file.body);
    let findings = file.report.findings.iter().zip(prints).map(|(finding, fingerprint)| {
        json!({
            "code": finding.lint.name(),
            "severity": finding.severity.name(),
            "message": finding.message,
            "help": finding.help,
            "line": finding.line,
            "column": view.column_of(finding.span.start()),
            "span": span_json(finding.span),
            "readers": finding.readers.iter().map(|document| document.name()).collect::<Vec<_>>(),
            "other": finding.other.as_ref().map(|(span, what)| json!({ "message": what, "place": place(*span) })),
            "fix": finding.fix.as_ref().map(edit),
            "fingerprint": fingerprint,
            "suggestion": finding.suggestion.as_ref().map(edit),
        })
    });
    let left_out =
        file.report.left_out.iter().map(|((lint, severity), count)| json!({ "code": lint.name(), "severity": severity.name(), "count": count }));
    json!({
        "file": file.name(),
        "asked": file.url.is_some().then(|| Text(file.path.as_encoded_bytes()).to_string()),
        "findings": findings.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
    })
}
