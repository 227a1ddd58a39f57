//! A pattern is a whole URL.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Pattern;
use crate::lint::text::shown;
use crate::lint::url::scheme;
use crate::url_text::path_of;

pub(crate) const LINT: Declaration = Declaration {
    code: "pattern-is-url",
    severity: Severity::Error,
    title: "A pattern is a whole URL",
    page: include_str!("pattern_is_url.md"),
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (rule, bytes) = (&pattern.rule, pattern.bytes());
    if scheme(bytes).is_none() {
        return;
    }
    let path = path_of(bytes, &pattern.facts.profile.matching).into_owned();
    let message =
        format!("`{}` is a URL, but patterns are compared with paths, so it matches nothing", shown(bytes));
    drafts.add(
        Draft::new(rule.line(), rule.pattern.span(), message)
            .help(format!("write only the path: `{}`", shown(&path)))
            .suggest(rule.pattern.span(), path),
    );
}
