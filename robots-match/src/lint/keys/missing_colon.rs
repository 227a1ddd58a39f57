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
    check: Check::Key(check),
};

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    match &problem.fault {
        KeyFault::ColonOfUrl { key, at } => {
            let name = key.name();
            let message = format!(
                "missing colon after `{name}`, so the colon of the URL is taken for it and no crawler finds the URL"
            );
            drafts.add(
                Draft::new(problem.line, *at, message)
                    .help(format!("add a colon after `{name}`"))
                    .fix(*at, ": "),
            );
        }
        KeyFault::NoColon { key, at, strict } => {
            let message = format!("only lenient crawlers read this line as `{}`", key.name());
            drafts.add(
                Draft::new(problem.line, *at, message)
                    .help(format!("add a colon after `{}`; other crawlers ignore the line", key.name()))
                    .readers(strict.clone())
                    .fix(*at, ": "),
            );
        }
        _ => {}
    }
}
