//! A colon is missing.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem};

pub(crate) const LINT: Declaration = Declaration {
    code: "missing-colon",
    severity: Severity::Error,
    title: "A colon is missing",
    page: include_str!("missing_colon.md"),
    check: Check::Key(check),
};

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts) {
    match &problem.fault {
        KeyFault::ColonOfUrl { key, at } => {
            let name = key.name();
            let message = format!(
                "the colon of the URL is the first of this line: no reader finds the URL of `{name}`"
            );
            drafts.add(
                Draft::new(problem.line, *at, message).help("write a colon behind the key").fix(*at, ": "),
            );
        }
        KeyFault::NoColon { key, at, strict } => {
            let message = format!("only lenient readers take this for a record of `{}`", key.name());
            drafts.add(
                Draft::new(problem.line, *at, message)
                    .help("write a colon behind the key: others ignore the line as it is")
                    .readers(strict.clone())
                    .fix(*at, ": "),
            );
        }
        _ => {}
    }
}
