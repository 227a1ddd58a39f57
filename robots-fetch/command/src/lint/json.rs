//! Findings for programs.

use robots_match::lint::{Edit, Finding};
use robots_match::{Document, Span, SpanDocument};
use schemars::JsonSchema;
use serde::Serialize;

use super::checked_file::Checked;
use super::fingerprint::fingerprints;
use super::totals::Totals;
use crate::json::Failed;
use crate::text::Text;
use crate::text_view::View;

/// The output of `robots lint --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'c> {
    pub(super) version: u8,
    /// The name of a document, or `auto`: each finding has the documents whose crawlers it is about.
    pub(super) profile: &'static str,
    pub(super) files: Vec<FileDocument<'c>>,
    /// The inputs that could not be read.
    pub(super) failed: Vec<Failed>,
    pub(super) totals: Totals,
}

/// A file and its findings.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "File")]
pub(super) struct FileDocument<'c> {
    file: String,
    /// The URL by which the site was named.
    asked: Option<String>,
    findings: Vec<FindingDocument<'c>>,
    /// The findings that are only counted, because there are many of them.
    left_out: Vec<LeftOutDocument>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Finding")]
struct FindingDocument<'c> {
    /// The name of the lint.
    code: &'static str,
    /// `error`, `warning` or `note`.
    severity: &'static str,
    message: &'c str,
    help: Option<&'c str>,
    #[schemars(range(min = 1))]
    line: usize,
    /// The number of the character in the line, from 1.
    column: usize,
    span: SpanDocument,
    /// The profiles whose crawlers are concerned; empty for all.
    readers: Vec<Document>,
    /// Another place that belongs to the finding.
    other: Option<OtherDocument<'c>>,
    /// The correction that `--fix` makes.
    fix: Option<EditDocument>,
    /// The same number for the same mistake in the same text, even if its line moves.
    fingerprint: String,
    /// A correction that changes what is allowed, so `--fix` does not make it.
    suggestion: Option<EditDocument>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Other")]
struct OtherDocument<'c> {
    message: &'c str,
    place: PlaceDocument,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Place")]
struct PlaceDocument {
    line: usize,
    column: usize,
    span: SpanDocument,
}

/// A text in place of a part of the file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Edit")]
struct EditDocument {
    span: SpanDocument,
    replacement: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LeftOut")]
struct LeftOutDocument {
    code: &'static str,
    severity: &'static str,
    count: usize,
}

pub(super) fn json<'c>(file: &'c Checked<'_>) -> FileDocument<'c> {
    let view = View::new(&file.body);
    let place = |span: Span| PlaceDocument {
        line: view.line_of(span.start()),
        column: view.column_of(span.start()),
        span: span.into(),
    };
    let edit = |edit: &Edit| EditDocument {
        span: edit.span.into(),
        replacement: String::from_utf8_lossy(&edit.replacement).into_owned(),
    };
    let prints = fingerprints(&file.report, &file.body);
    let finding = |(finding, fingerprint): (&'c Finding, String)| FindingDocument {
        code: finding.lint.name(),
        severity: finding.severity.name(),
        message: &finding.message,
        help: finding.help.as_deref(),
        line: finding.line,
        column: view.column_of(finding.span.start()),
        span: finding.span.into(),
        readers: finding.readers.to_vec(),
        other: finding
            .other
            .as_ref()
            .map(|(span, what)| OtherDocument { message: what, place: place(*span) }),
        fix: finding.fix.as_ref().map(edit),
        fingerprint,
        suggestion: finding.suggestion.as_ref().map(edit),
    };
    let left_out = file.report.left_out.iter().map(|((lint, severity), count)| LeftOutDocument {
        code: lint.name(),
        severity: severity.name(),
        count: *count,
    });
    FileDocument {
        file: file.name(),
        asked: file.url.is_some().then(|| Text(file.path.as_encoded_bytes()).to_string()),
        findings: file.report.findings.iter().zip(prints).map(finding).collect(),
        left_out: left_out.collect(),
    }
}
