//! A pattern ends with a star.

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Pattern;

pub(crate) const LINT: Declaration = Declaration {
    code: "trailing-star",
    severity: Severity::Note,
    title: "A pattern ends with a star",
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (bytes, end) = (pattern.bytes(), pattern.rule.pattern.span().end());
    let stars = bytes.iter().rev().take_while(|&&byte| byte == b'*').count();
    if stars > 0 && stars < bytes.len() {
        let span = Span::new(end - stars, end);
        drafts.add(
            Draft::new(
                pattern.rule.line(),
                span,
                "the star at the end has no effect except on the length of the pattern",
            )
            .help("remove it; a pattern matches all paths that begin with it")
            .fix(span, ""),
        );
    }
}
