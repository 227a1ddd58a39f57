//! Crawlers have given up a key.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "deprecated-key",
    severity: Severity::Warning,
    title: "Crawlers have given up a key",
    page: include_str!("deprecated_key.md"),
    check: Check::Key(check),
};

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts) {
    let KeyFault::Deprecated(key) = problem.fault else { return };
    let name = key.octets().to_ascii_lowercase();
    let help = match &*name {
        b"host" => "redirect to the host that is preferred".into(),
        _ => format!(
            "let crawlers fetch the page, and say `{}` in its header `X-Robots-Tag` or in a `robots` meta element",
            shown(&name)
        ),
    };
    let message = format!("crawlers no longer obey `{}`", shown(key.octets()));
    drafts.add(Draft::new(problem.line, key.span(), message).help(help));
}
