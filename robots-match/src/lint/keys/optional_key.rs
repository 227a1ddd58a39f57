//! Only some crawlers obey this line.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "optional-key",
    severity: Severity::Note,
    title: "Only some crawlers obey this line",
    check: Check::Key(check),
};

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    if let KeyFault::Optional(key) = problem.fault {
        let message = format!("only some crawlers obey `{}`", shown(key.bytes()));
        drafts.add(
            Draft::new(problem.line, key.span(), message)
                .help("do not rely on it; it is not in RFC 9309, and large crawlers ignore it"),
        );
    }
}
