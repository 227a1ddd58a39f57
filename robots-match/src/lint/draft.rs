//! Findings while they are made.

use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Span;

use crate::document::Document;
use crate::lint::edit::Edit;

/// A finding without its lint, which the caller of the check knows.
pub(crate) struct Draft {
    pub(crate) line: usize,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) other: Option<(Span, String)>,
    pub(crate) readers: Vec<Document>,
    pub(crate) fix: Option<Edit>,
}

impl Draft {
    pub(crate) fn new(line: usize, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { line, span, message, help: None, other: None, readers: Vec::new(), fix: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn other(mut self, span: Span, what: impl Into<String>) -> Self {
        self.other = Some((span, what.into()));
        self
    }

    /// Sets the documents that the finding concerns; the list stays empty if these are all documents.
    pub(crate) fn readers(mut self, readers: Vec<Document>) -> Self {
        if readers.len() < Document::ALL.len() {
            self.readers = readers;
        }
        self
    }

    pub(crate) fn fix(mut self, span: Span, replacement: impl Into<Vec<u8>>) -> Self {
        self.fix = Some(Edit { span, replacement: replacement.into() });
        self
    }
}

/// The findings of one lint in a file, and how many were left out.
#[derive(Default)]
pub(crate) struct Drafts {
    pub(crate) list: Vec<Draft>,
    pub(crate) left_out: usize,
}

impl Drafts {
    /// The most that are kept.
    pub(crate) const MAX: usize = 100;

    pub(crate) fn add(&mut self, draft: Draft) {
        if self.list.len() < Self::MAX {
            self.list.push(draft);
        } else {
            self.left_out += 1;
        }
    }
}
