//! A line is not UTF-8.

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Lines;

pub(crate) const LINT: Declaration = Declaration {
    code: "not-utf-8",
    severity: Severity::Warning,
    title: "A line is not UTF-8",
    check: Check::Line(check),
};

fn check(lines: &Lines<'_>, drafts: &mut Drafts<'_>) {
    let content = lines.line.content();
    let Err(error) = core::str::from_utf8(content.bytes()) else { return };
    let at = content.span().start() + error.valid_up_to();
    let len = error.error_len().unwrap_or(content.bytes().len() - error.valid_up_to());
    let draft = Draft::new(lines.line.number, Span::new(at, at + len), "the line is not UTF-8").help(
        "save the file as UTF-8 (RFC 9309, section 2.2), or percent-encode all characters other than ASCII",
    );
    // Crawlers ignore comments.
    let is_comment = lines.line.comment().is_some_and(|comment| comment.span().start() <= at);
    drafts.add(if is_comment { draft.severity(Severity::Note) } else { draft });
}
