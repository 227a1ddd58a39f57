//! A key is misspelt.

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
    title: "A key is misspelt",
    page: include_str!("misspelt_key.md"),
    check: Check::Key(check),
};

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts) {
    let KeyFault::Misspelt { written, key, strict } = &problem.fault else { return };
    let message = format!("only lenient readers take `{}` for `{}`", shown(written.octets()), key.name());
    drafts.add(
        Draft::new(problem.line, written.span(), message)
            .help(format!("write `{}`: others ignore the line as it is", capital(*key)))
            .readers(strict.clone())
            .fix(written.span(), capital(*key)),
    );
}

/// A key as people write it.
const fn capital(key: Key) -> &'static str {
    match key {
        Key::UserAgent => "User-agent",
        Key::Allow => "Allow",
        Key::Disallow => "Disallow",
        _ => "Sitemap",
    }
}
