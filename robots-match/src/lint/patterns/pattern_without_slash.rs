//! A pattern does not begin with a slash.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Pattern;
use crate::lint::text::shown;
use crate::lint::url::scheme;

pub(crate) const LINT: Declaration = Declaration {
    code: "pattern-without-slash",
    severity: Severity::Error,
    title: "A pattern does not begin with a slash",
    page: include_str!("pattern_without_slash.md"),
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts) {
    let (rule, bytes) = (&pattern.rule, pattern.bytes());
    if matches!(bytes.first(), Some(b'/' | b'*' | b'$')) || scheme(bytes).is_some() {
        return;
    }
    let message = format!("no path begins with `{}`", shown(bytes));
    drafts.add(
        Draft::new(rule.line(), rule.pattern.span(), message)
            .help("put a slash before it, or `*` if it may be anywhere in the path")
            .fix(rule.pattern.span(), [b"/", bytes].concat()),
    );
}
