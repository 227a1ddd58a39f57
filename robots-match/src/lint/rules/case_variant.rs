//! Two patterns differ only in letter case.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RulePair, Sameness};

pub(crate) const LINT: Declaration = Declaration {
    code: "case-variant",
    severity: Severity::Note,
    title: "Two patterns differ only in letter case",
    check: Check::RulePair(check),
};

fn check(pair: &RulePair<'_>, drafts: &mut Drafts<'_>) {
    if pair.sameness == Sameness::ExceptCase {
        let message = format!("same as line {} except for letter case", pair.first.line());
        drafts.add(
            Draft::new(pair.rule.line(), pair.rule.pattern.span(), message)
                .help("paths are case-sensitive; keep both rules only if both paths exist")
                .other(pair.first.pattern.span(), "here first"),
        );
    }
}
