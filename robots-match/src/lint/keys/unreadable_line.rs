//! A line is not valid.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem, of_joined_files};

pub(crate) const LINT: Declaration = Declaration {
    code: "unreadable-line",
    severity: Severity::Warning,
    title: "A line is not valid",
    check: Check::Key(check),
};

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::None { span, has_mark } = problem.fault else { return };
    if has_mark {
        drafts.add(of_joined_files(problem.line, span));
    } else {
        drafts.add(Draft::new(problem.line, span, "not a valid line; crawlers ignore it").help(
            "write a name, a colon and a value, such as `Disallow: /private`, or `#` before a comment",
        ));
    }
}
