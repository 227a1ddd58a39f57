//! Rules allow and disallow the same paths.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RulePair, Sameness};

pub(crate) const LINT: Declaration = Declaration {
    code: "conflicting-rules",
    severity: Severity::Warning,
    title: "Rules allow and disallow the same paths",
    check: Check::RulePair(check),
};

fn check(pair: &RulePair<'_>, drafts: &mut Drafts<'_>) {
    if pair.sameness == Sameness::Pattern {
        let message = format!("line {} has the same pattern with the opposite effect", pair.first.line());
        drafts.add(
            Draft::new(pair.rule.line(), pair.rule.pattern.span(), message)
                .help("remove one of the two rules; most crawlers obey the Allow, some the rule that comes first")
                .other(pair.first.pattern.span(), "here first"),
        );
    }
}
