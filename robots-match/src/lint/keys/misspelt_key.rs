//! The name before the colon is misspelt.

use alloc::format;

use robots_groups::syntax::Key;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "misspelt-key",
    severity: Severity::Error,
    title: "The name before the colon is misspelt",
    check: Check::Key(check),
};

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::Misspelt { written, key, strict } = &problem.fault else { return };
    let message = format!("only lenient crawlers read `{}` as `{}`", shown(written.bytes()), key.name());
    drafts.add(
        Draft::new(problem.line, written.span(), message)
            .help(format!("write `{}`; other crawlers ignore the line", capital(*key)))
            .readers(strict.clone())
            .fix(written.span(), capital(*key)),
    );
}

/// A key as it is usually written.
const fn capital(key: Key) -> &'static str {
    match key {
        Key::UserAgent => "User-agent",
        Key::Allow => "Allow",
        Key::Disallow => "Disallow",
        _ => "Sitemap",
    }
}
