//! The name before the colon is unknown.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem, MARK, of_joined_files};
use crate::lint::text::{is_near, shown};

pub(crate) const LINT: Declaration = Declaration {
    code: "unknown-key",
    severity: Severity::Warning,
    title: "The name before the colon is unknown",
    page: include_str!("unknown_key.md"),
    check: Check::Key(check),
};

/// The keys that may have been meant.
const MEANT: [&str; 6] = ["user-agent", "allow", "disallow", "sitemap", "crawl-delay", "content-signal"];

fn check(problem: &KeyProblem<'_>, drafts: &mut Drafts<'_>) {
    let KeyFault::Unknown { key, readers, is_for_all } = &problem.fault else { return };
    if key.bytes().starts_with(MARK) {
        drafts.add(of_joined_files(problem.line, key.span()).readers(readers.clone()));
        return;
    }
    let message = if *is_for_all {
        format!("crawlers do not know `{}` and ignore the line", shown(key.bytes()))
    } else {
        format!("some crawlers read `{}`, which they do not know, and ignore the line", shown(key.bytes()))
    };
    let mut draft = Draft::new(problem.line, key.span(), message).readers(readers.clone());
    if let Some(meant) = MEANT.iter().find(|meant| is_near(key.bytes(), meant)) {
        draft = draft.help(format!("did you mean `{meant}`?")).suggest(key.span(), *meant);
    }
    drafts.add(draft);
}
