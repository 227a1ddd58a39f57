//! The name before the colon is unknown.

use alloc::format;
use alloc::string::{String, ToString as _};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{KeyFault, KeyProblem};
use crate::lint::text::shown;

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

/// Whether `key` is `meant` except for one byte that is missing, added or different, or two that changed places.
fn is_near(key: &[u8], meant: &str) -> bool {
    let (key, meant) = (String::from_utf8_lossy(key).to_ascii_lowercase(), meant.to_string());
    if key.len().abs_diff(meant.len()) > 1 {
        return false;
    }
    let same = key.bytes().zip(meant.bytes()).take_while(|(a, b)| a == b).count();
    let (a, b) =
        (key.as_bytes().get(same..).unwrap_or_default(), meant.as_bytes().get(same..).unwrap_or_default());
    match (a, b) {
        ([a1, a2, a_rest @ ..], [b1, b2, b_rest @ ..]) if a1 == b2 && a2 == b1 && a_rest == b_rest => true,
        ([_, a_rest @ ..], [_, b_rest @ ..]) if a_rest == b_rest => true,
        ([_, a_rest @ ..], _) if a_rest == b => true,
        (_, [_, b_rest @ ..]) => a == b_rest,
        _ => false,
    }
}
