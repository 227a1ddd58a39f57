//! A pattern does not begin with a slash.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Pattern;
use crate::lint::text::shown;
use crate::lint::url::{host, scheme};

pub(crate) const LINT: Declaration = Declaration {
    code: "pattern-without-slash",
    severity: Severity::Error,
    title: "A pattern does not begin with a slash",
    page: include_str!("pattern_without_slash.md"),
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (rule, bytes) = (&pattern.rule, pattern.bytes());
    if matches!(bytes.first(), Some(b'/' | b'*' | b'$')) || scheme(bytes).is_some() {
        return;
    }
    let span = rule.pattern.span();
    let draft = |message| Draft::new(rule.line(), span, message);
    if let Some(key) = pattern.key() {
        let message = format!("this rule contains a `{}` line, so it matches nothing", key.name());
        drafts.add(draft(message).help(format!("put `{}` on a line of its own", shown(bytes))));
    } else if let Some(host) = host(bytes) {
        let path = bytes.get(host.len()..).unwrap_or_default();
        let path = if path.is_empty() { b"/" } else { path };
        let message = format!("no path begins with `{}`, which is the name of a host", shown(host));
        drafts.add(
            draft(message)
                .help(
                    "write only the path; the rules of a robots.txt are about the host that serves the file",
                )
                .suggest(span, path),
        );
    } else {
        drafts.add(
            draft(format!("no path begins with `{}`", shown(bytes)))
                .help("put a slash before it, or `*` if it may be anywhere in the path")
                .suggest(span, [b"/", bytes].concat()),
        );
    }
}
