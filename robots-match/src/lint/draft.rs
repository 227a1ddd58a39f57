//! Findings while they are made.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Span;

use crate::document::Document;
use crate::lint::code::Lint;
use crate::lint::edit::Edit;
use crate::lint::severity::Severity;

/// A finding without its lint, which the caller of the check knows.
pub(crate) struct Draft {
    pub(crate) line: usize,
    /// The severity, where it is not that of the lint.
    pub(crate) severity: Option<Severity>,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) other: Option<(Span, String)>,
    pub(crate) readers: Vec<Document>,
    pub(crate) fix: Option<Edit>,
    pub(crate) suggestion: Option<Edit>,
    /// Whether the finding is reported only on request, because hardly anybody can do something about it.
    pub(crate) is_idle: bool,
}

impl Draft {
    pub(crate) fn new(line: usize, span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            line,
            severity: None,
            span,
            message,
            help: None,
            other: None,
            readers: Vec::new(),
            fix: None,
            suggestion: None,
            is_idle: false,
        }
    }

    /// Makes the finding one that is reported only on request.
    pub(crate) const fn idle(mut self) -> Self {
        self.is_idle = true;
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn other(mut self, span: Span, what: impl Into<String>) -> Self {
        self.other = Some((span, what.into()));
        self
    }

    pub(crate) const fn severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
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

    /// Sets a correction that may not be what the site owner meant.
    pub(crate) fn suggest(mut self, span: Span, replacement: impl Into<Vec<u8>>) -> Self {
        self.suggestion = Some(Edit { span, replacement: replacement.into() });
        self
    }
}

/// The wishes of the caller, for all lints.
pub(crate) struct Settings<'s> {
    pub(crate) parsers: &'s [Document],
    /// Whether findings are kept that concern only parsers that do not matter.
    pub(crate) all: bool,
    /// The lines about which only one lint reports.
    pub(crate) claims: BTreeMap<usize, Lint>,
    /// Whether only findings with a correction are kept.
    pub(crate) only_fixes: bool,
    /// The most findings of one lint that are kept.
    pub(crate) max: usize,
}

/// The lines in which one lint is left out.
pub(crate) enum IgnoredLines {
    All,
    /// In order.
    Some(Vec<usize>),
}

impl IgnoredLines {
    fn has(&self, line: usize) -> bool {
        match self {
            Self::All => true,
            Self::Some(lines) => lines.binary_search(&line).is_ok(),
        }
    }
}

/// Whether a lint is about the bytes of a file or line, whatever was meant by them.
const fn is_about_bytes(lint: Lint) -> bool {
    matches!(
        lint,
        Lint::ByteOrderMark | Lint::TooLarge | Lint::LineTooLong | Lint::NoLineEnd | Lint::IgnoreComment
    )
}

/// The findings of one lint in a file, and how many were left out.
pub(crate) struct Drafts<'s> {
    lint: Lint,
    ignored: IgnoredLines,
    settings: Rc<Settings<'s>>,
    list: Vec<(Severity, Draft)>,
    /// Findings that are notes because no parser that matters is concerned. They give way to others.
    notes: Vec<Draft>,
    /// By severity, from the least.
    left_out: [usize; Severity::ALL.len()],
}

impl<'s> Drafts<'s> {
    pub(crate) const fn new(lint: Lint, ignored: IgnoredLines, settings: Rc<Settings<'s>>) -> Self {
        Self {
            lint,
            ignored,
            settings,
            list: Vec::new(),
            notes: Vec::new(),
            left_out: [0; Severity::ALL.len()],
        }
    }

    /// Whether the lint is left out in the whole file, so that it need not look for anything.
    pub(crate) fn is_left_out(&self) -> bool {
        matches!(self.ignored, IgnoredLines::All)
            || self.settings.only_fixes && !self.lint.declaration().corrects
    }

    /// Whether all parsers that matter are among `readers`.
    pub(crate) fn are_all(&self, readers: &[Document]) -> bool {
        self.settings.parsers.iter().all(|parser| readers.contains(parser))
    }

    pub(crate) fn add(&mut self, draft: Draft) {
        let Settings { parsers, all, claims, only_fixes, max } = &*self.settings;
        debug_assert!(draft.fix.is_none() || self.lint.declaration().corrects, "{:?}", self.lint);
        if draft.is_idle && !all {
            return;
        }
        if self.ignored.has(draft.line) || *only_fixes && draft.fix.is_none() {
            return;
        }
        if claims.get(&draft.line).is_some_and(|lint| *lint != self.lint && !is_about_bytes(self.lint)) {
            return;
        }
        let matters = draft.readers.is_empty() || draft.readers.iter().any(|reader| parsers.contains(reader));
        if !matters && !all {
            return;
        }
        let severity = match matters {
            true => draft.severity.unwrap_or(self.lint.severity()),
            false => Severity::Note,
        };
        if matters && self.list.len() < *max {
            self.list.push((severity, draft));
        } else if !matters && self.notes.len() < *max {
            self.notes.push(draft);
        } else {
            self.leave_out(severity, 1);
        }
    }

    /// Returns the findings, each with its severity, and how many were left out.
    pub(crate) fn finish(mut self) -> (Vec<(Severity, Draft)>, impl Iterator<Item = (Severity, usize)>) {
        let place = self.settings.max - self.list.len();
        if let Some(more) = self.notes.len().checked_sub(place).filter(|more| *more > 0) {
            self.leave_out(Severity::Note, more);
            self.notes.truncate(place);
        }
        self.list.extend(self.notes.into_iter().map(|draft| (Severity::Note, draft)));
        let left_out = Severity::ALL.into_iter().zip(self.left_out).filter(|(_, count)| *count > 0);
        (self.list, left_out)
    }

    fn leave_out(&mut self, severity: Severity, count: usize) {
        for (of, sum) in Severity::ALL.into_iter().zip(&mut self.left_out) {
            *sum += if of == severity { count } else { 0 };
        }
    }
}
