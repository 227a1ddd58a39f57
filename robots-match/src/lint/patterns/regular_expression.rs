//! A pattern is a regular expression.

use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Pattern, expression};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "regular-expression",
    severity: Severity::Warning,
    title: "A pattern is a regular expression",
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (bytes, start) = (pattern.bytes(), pattern.rule.pattern.span().start());
    let Some(place) = expression(bytes) else { return };
    let message = format!("`{}` is a regular expression, which patterns are not", shown(place.of(bytes)));
    drafts.add(
        Draft::new(pattern.rule.line(), Span::new(start + place.start(), start + place.end()), message)
            .help("crawlers match these characters literally; only `*` and a `$` at the end are special"),
    );
}
