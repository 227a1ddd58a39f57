//! Findings for programs.

use robots_match::lint::Finding;
use robots_match::{FindingDocument, LeftOutDocument};
use schemars::JsonSchema;
use serde::Serialize;

use super::checked_file::Checked;
use super::fingerprint::fingerprints;
use super::totals::Totals;
use crate::output::Failures;
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
    pub(super) failed: &'c Failures,
    /// The known pages of `--urls`; nothing without it.
    pub(super) urls: Option<UrlsDocument>,
    pub(super) totals: Totals,
}

/// The list of known pages.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Urls")]
pub(super) struct UrlsDocument {
    /// The number of URLs that were read.
    pub(super) read: usize,
    /// The number of lines without a URL.
    pub(super) skipped: usize,
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

pub(super) fn json<'c>(file: &'c Checked<'_>) -> FileDocument<'c> {
    let view = View::new(&file.body);
    let place_of = |at| (view.line_of(at), view.column_of(at));
    let prints = fingerprints(&file.report, &file.body);
    let finding = |(finding, fingerprint): (&'c Finding, String)| {
        FindingDocument::new(finding).with_places(place_of).with_fingerprint(fingerprint)
    };
    FileDocument {
        file: file.name(),
        asked: file.url.is_some().then(|| Text(file.path.as_encoded_bytes()).to_string()),
        findings: file.report.findings.iter().zip(prints).map(finding).collect(),
        left_out: LeftOutDocument::all(&file.report),
    }
}
