//! Findings of lints as documents for programs.

use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::verdict::SpanDocument;
use crate::document::Document;
use crate::lint::{Edit, Finding, LintReport};

/// A finding as a document: the fields that the command and a [`Finding`] itself write.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Finding"))]
pub struct FindingDocument<'f> {
    /// The name of the lint.
    code: &'static str,
    /// `error`, `warning` or `note`.
    severity: &'static str,
    message: &'f str,
    help: Option<&'f str>,
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    line: usize,
    /// The number of the character in the line, from 1; null if the file is not at hand.
    column: Option<usize>,
    span: SpanDocument,
    /// The profiles whose crawlers are concerned; empty for all.
    readers: &'f [Document],
    /// Another place that belongs to the finding.
    other: Option<OtherDocument<'f>>,
    /// The correction that `--fix` makes.
    fix: Option<EditDocument>,
    /// The same number for the same mistake in the same text, even if its line moves; null if it was not computed.
    fingerprint: Option<String>,
    /// A correction that changes what is allowed, so `--fix` does not make it.
    suggestion: Option<EditDocument>,
}

/// Another place that belongs to a finding, in a [`FindingDocument`].
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Other"))]
struct OtherDocument<'f> {
    message: &'f str,
    place: PlaceDocument,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Place"))]
struct PlaceDocument {
    /// The number of the line, from 1; null if the file is not at hand.
    line: Option<usize>,
    /// The number of the character in the line, from 1; null if the file is not at hand.
    column: Option<usize>,
    span: SpanDocument,
}

/// A text in place of a part of the file.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Edit"))]
struct EditDocument {
    span: SpanDocument,
    replacement: String,
}

/// How many findings of a lint are not listed.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LeftOut"))]
pub struct LeftOutDocument {
    code: &'static str,
    severity: &'static str,
    count: usize,
}

impl<'f> FindingDocument<'f> {
    /// Creates the document of a finding, without columns.
    #[must_use]
    pub fn new(finding: &'f Finding) -> Self {
        let place = |span| PlaceDocument { line: None, column: None, span };
        let other = finding.other.as_ref();
        Self {
            code: finding.lint.name(),
            severity: finding.severity.name(),
            message: &finding.message,
            help: finding.help.as_deref(),
            line: finding.line,
            column: None,
            span: finding.span.into(),
            readers: &finding.readers,
            other: other.map(|(span, message)| OtherDocument { message, place: place((*span).into()) }),
            fix: finding.fix.as_ref().map(EditDocument::new),
            fingerprint: None,
            suggestion: finding.suggestion.as_ref().map(EditDocument::new),
        }
    }

    /// Adds the fingerprint.
    #[must_use]
    pub fn with_fingerprint(self, fingerprint: String) -> Self {
        Self { fingerprint: Some(fingerprint), ..self }
    }

    /// Adds line and column, both from 1, from a function of the offset of a byte.
    #[must_use]
    pub fn with_places(mut self, place_of: impl Fn(usize) -> (usize, usize)) -> Self {
        self.column = Some(place_of(self.span.start).1);
        if let Some(OtherDocument { place, .. }) = &mut self.other {
            let (line, column) = place_of(place.span.start);
            (place.line, place.column) = (Some(line), Some(column));
        }
        self
    }
}

impl EditDocument {
    fn new(edit: &Edit) -> Self {
        let replacement = String::from_utf8_lossy(&edit.replacement).into_owned();
        Self { span: edit.span.into(), replacement }
    }
}

impl LeftOutDocument {
    /// Creates the documents of the findings that a report only counts.
    #[must_use]
    pub fn all(report: &LintReport) -> Vec<Self> {
        let left_out = report.left_out.iter();
        left_out
            .map(|((lint, severity), &count)| Self { code: lint.name(), severity: severity.name(), count })
            .collect()
    }
}

/// Writes a [`FindingDocument`].
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FindingDocument::new(self).serialize(serializer)
    }
}

/// Writes `findings` and `left_out`, as the command does for each file.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for LintReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("LintReport", 2)?;
        report.serialize_field("findings", &self.findings)?;
        report.serialize_field("left_out", &LeftOutDocument::all(self))?;
        report.end()
    }
}
