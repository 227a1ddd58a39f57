//! A number sign cuts off a pattern.

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Pattern;

pub(crate) const LINT: Declaration = Declaration {
    code: "hash-in-pattern",
    severity: Severity::Warning,
    title: "A number sign cuts off a pattern",
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let end = pattern.rule.pattern.span().end();
    let Some(comment) = pattern.lines.line.comment().filter(|comment| comment.span().start() == end) else {
        return;
    };
    let span = Span::new(end, comment.span().end());
    drafts.add(
        Draft::new(pattern.rule.line(), span, "the number sign begins a comment here")
            .help("write `%23` if it is part of the path, or put a space before the comment"),
    );
}
