//! Findings of lints, and corrections.

use robots_match::lint::{Finding as Found, LintContext, LintReport};
use robots_match::{Document, Robots, Span};
use serde::Serialize;
use tsify::Tsify;

use crate::verdict::Range;

/// The findings in a file.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    findings: Vec<Finding>,
    /// The number of further findings that are not listed.
    left_out: usize,
}

/// A mistake, or something to know, at one place of a file.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct Finding {
    /// The name of the lint.
    lint: &'static str,
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// The number of the line, from 1.
    line: usize,
    span: Range,
    message: String,
    /// The advice for the site owner.
    help: Option<String>,
    /// The names of the documents under which the file has this mistake; empty if these are all documents.
    profiles: Vec<&'static str>,
    fix: Option<Fix>,
    /// A correction that may be what the site owner meant. A person has to decide.
    suggestion: Option<Fix>,
}

/// A correction. It may change verdicts: `RobotsTxt.fix` makes only those that do not.
#[derive(Serialize, Tsify)]
pub struct Fix {
    /// The bytes that are replaced.
    span: Range,
    /// The new text.
    replacement: String,
}

/// A file after corrections.
#[derive(Serialize, Tsify)]
pub struct Fixed {
    /// The file. Bytes that are not UTF-8 are replaced.
    text: String,
    /// The number of corrections.
    made: usize,
}

fn report(robots: &Robots, url: Option<&str>) -> LintReport {
    let mut context = LintContext::default();
    context.profile = *robots.profile();
    context.url = url;
    context.lint(robots.body())
}

impl Report {
    pub(crate) fn new(robots: &Robots, url: Option<&str>) -> Self {
        let report = report(robots, url);
        Self {
            findings: report.findings.iter().map(Finding::new).collect(),
            left_out: report.left_out.values().sum(),
        }
    }
}

impl Finding {
    fn new(found: &Found) -> Self {
        let fix = |(span, replacement): (Span, &[u8])| Fix {
            span: span.into(),
            replacement: String::from_utf8_lossy(replacement).into_owned(),
        };
        Self {
            lint: found.lint.name(),
            severity: found.severity.name(),
            line: found.line,
            span: found.span.into(),
            message: found.message.clone(),
            help: found.help.clone(),
            profiles: found.readers.iter().map(|document: &Document| document.name()).collect(),
            fix: found.fix.as_ref().map(|edit| fix((edit.span, &edit.replacement))),
            suggestion: found.suggestion.as_ref().map(|edit| fix((edit.span, &edit.replacement))),
        }
    }
}

impl Fixed {
    pub(crate) fn new(robots: &Robots) -> Self {
        let (body, made) = report(robots, None).fix(robots.body());
        Self { text: String::from_utf8_lossy(&body).into_owned(), made }
    }
}
