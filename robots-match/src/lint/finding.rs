//! A finding of a lint at one place.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use robots_groups::syntax::Span;

use crate::document::Document;
use crate::lint::draft::Draft;
use crate::lint::edit::Edit;
use crate::lint::registry::Lint;

/// A mistake, or something to know, at one place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The lint that found it.
    pub lint: Lint,
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
    /// The correction, if there is one. It may change verdicts: [`LintReport::fix`](crate::lint::LintReport::fix) makes
    /// only those that do not.
    pub fix: Option<Edit>,
}

impl Finding {
    pub(crate) fn new(lint: Lint, draft: Draft) -> Self {
        let Draft { line, span, message, help, other, readers, fix } = draft;
        Self { lint, line, span, message, help, other, readers, fix }
    }
}

/// As `3: error[pattern-without-slash]: no path begins with this`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}[{}]: {}", self.line, self.lint.severity(), self.lint, self.message)
    }
}
