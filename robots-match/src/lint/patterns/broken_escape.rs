//! A percent sign is not followed by two hex digits.

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Pattern, escapes};

pub(crate) const LINT: Declaration = Declaration {
    code: "broken-escape",
    severity: Severity::Warning,
    title: "A percent sign is not followed by two hex digits",
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let Some((at, _)) = escapes(pattern.bytes()).find(|(_, byte)| byte.is_none()) else { return };
    let at = pattern.rule.pattern.span().start() + at;
    drafts.add(
        Draft::new(
            pattern.rule.line(),
            Span::new(at, at + 1),
            "this percent sign is not followed by two hex digits",
        )
        .help("write `%25` for a literal percent sign"),
    );
}
