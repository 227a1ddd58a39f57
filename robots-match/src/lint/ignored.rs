//! Comments in a file that switch lints off.

use alloc::vec::Vec;

use robots_groups::syntax::{Field, Lines, Record};

use crate::lint::code::Lint;
use crate::lint::context::LintContext;
use crate::lint::draft::IgnoredLines;
use crate::lint::subject::UnknownWord;

/// The beginning of a comment that is for the lints.
const MARK: &str = "robots-lint:";

/// The lints that are left out: by the caller, by comments for the file, and by comments for a line.
#[derive(Default)]
pub(crate) struct Ignored<'a> {
    everywhere: Vec<Lint>,
    /// Each lint and line, in the order of the file.
    by_line: Vec<(Lint, usize)>,
    /// Comments for the lints that are not understood.
    pub(crate) unknown: Vec<UnknownWord<'a>>,
}

impl<'a> Ignored<'a> {
    /// Reads the comments of a file.
    pub(crate) fn new(body: &'a [u8], context: &LintContext<'_>) -> Self {
        let mut ignored = Self { everywhere: context.ignored.to_vec(), ..Self::default() };
        if !context.all {
            ignored.everywhere.extend(Lint::ALL.iter().filter(|lint| !lint.is_on_by_default()));
        }
        // Most files have no such comment.
        if context.ignores_comments || memchr::memmem::find(body, MARK.as_bytes()).is_none() {
            return ignored;
        }
        let mut of_next = Vec::new();
        for line in Lines::new(body, &context.profile.syntax) {
            let has_record = !matches!(line.record, Record::Blank | Record::Comment);
            let mut lints = if has_record { core::mem::take(&mut of_next) } else { Vec::new() };
            if let Some(Directive { is_for_file, lints: more, unknown }) = line.comment().and_then(directive)
            {
                ignored.unknown.extend(unknown.map(|word| UnknownWord { line: line.number, word }));
                match (is_for_file, has_record) {
                    (true, _) => ignored.everywhere.extend(more),
                    (false, true) => lints.extend(more),
                    (false, false) => of_next.extend(more),
                }
            }
            ignored.by_line.extend(lints.into_iter().map(|lint| (lint, line.number)));
        }
        ignored
    }

    pub(crate) fn lines(&self, lint: Lint) -> IgnoredLines {
        match self.everywhere.contains(&lint) {
            true => IgnoredLines::All,
            false => {
                let of_lint = self.by_line.iter().filter(|(of, _)| *of == lint);
                IgnoredLines::Some(of_lint.map(|(_, line)| *line).collect())
            }
        }
    }
}

/// A comment for the lints.
struct Directive<'a> {
    is_for_file: bool,
    lints: Vec<Lint>,
    /// The first word that is not understood; empty if a word is missing.
    unknown: Option<Field<'a>>,
}

/// Reads a comment, with or without its number sign.
fn directive(comment: Field<'_>) -> Option<Directive<'_>> {
    let start = memchr::memmem::find(comment.bytes(), MARK.as_bytes())?;
    let is_first = comment.bytes().iter().take(start).all(|byte| matches!(byte, b'#' | b' ' | b'\t'));
    if !is_first {
        return None;
    }
    let mut at = start + MARK.len();
    let words =
        comment.bytes().get(at..).unwrap_or_default().split(|byte| matches!(byte, b' ' | b'\t' | b','));
    let mut words = words.filter_map(|word| {
        let field = Field::new(word, comment.span().start() + at);
        at += word.len() + 1;
        (!word.is_empty()).then_some(field)
    });
    let end = Field::new(b"", comment.span().end());
    let mut unknown = None;
    let is_for_file = match words.next() {
        Some(word) if word.bytes() == b"ignore" => false,
        Some(word) if word.bytes() == b"ignore-file" => true,
        other => {
            unknown = Some(other.unwrap_or(end));
            false
        }
    };
    let mut lints = Vec::new();
    for word in words {
        match core::str::from_utf8(word.bytes()).ok().and_then(Lint::from_name) {
            Some(lint) => lints.push(lint),
            None => unknown = unknown.or(Some(word)),
        }
    }
    if lints.is_empty() {
        unknown = unknown.or(Some(end));
    }
    Some(Directive { is_for_file, lints, unknown })
}
