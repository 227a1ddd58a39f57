//! A finding of a lint at one place.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::syntax::Span;

use crate::document::Document;
use crate::lint::code::Lint;
use crate::lint::draft::Draft;
use crate::lint::edit::Edit;
use crate::lint::severity::Severity;

/// A mistake, or something to know, at one place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The lint that found it.
    pub lint: Lint,
    /// How much it matters: as the lint says, or less if it concerns only parsers that do not matter to the caller.
    pub severity: Severity,
    /// The number of its line, from 1.
    pub line: usize,
    /// The bytes it is about.
    pub span: Span,
    /// The problem in one line of text, in which bytes of the file are escaped.
    pub message: String,
    /// The advice for the site owner.
    pub help: Option<String>,
    /// A second place that matters, and what is there.
    pub other: Option<(Span, String)>,
    /// The documents under which the file has this mistake; empty if these are all documents.
    pub readers: Vec<Document>,
    /// The correction, if only one is possible. It may change verdicts: [`LintReport::fix`](crate::lint::LintReport::fix)
    /// makes only those that do not.
    pub fix: Option<Edit>,
    /// A correction that may be what the site owner meant. A person has to decide.
    pub suggestion: Option<Edit>,
}

impl Finding {
    pub(crate) fn new(lint: Lint, severity: Severity, draft: Draft) -> Self {
        let Draft { line, severity: _, span, message, help, other, readers, fix, suggestion, is_idle: _ } =
            draft;
        Self { lint, severity, line, span, message, help, other, readers, fix, suggestion }
    }
}

/// As `3: error[pattern-without-slash]: no path begins with this`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}[{}]: {}", self.line, self.severity, self.lint, self.message)
    }
}
