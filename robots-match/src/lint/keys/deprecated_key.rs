//! Crawlers no longer obey this line.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "deprecated-key",
    severity: Severity::Warning,
    title: "Crawlers no longer obey this line",
    check: Check::Key(check),
};

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::Deprecated(key) = problem.fault else { return };
    let name = key.bytes().to_ascii_lowercase();
    let help = match &*name {
        b"host" => "remove the line, and redirect to the preferred host".into(),
        _ => format!(
            "let crawlers fetch the page, and put `{}` into its `X-Robots-Tag` header or into a `robots` meta element",
            shown(&name)
        ),
    };
    let message = format!("crawlers no longer obey `{}`", shown(key.bytes()));
    drafts.add(Draft::new(problem.line, key.span(), message).help(help));
}
