//! Two patterns differ in case alone.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RulePair, Sameness};

pub(crate) const LINT: Declaration = Declaration {
    code: "case-variant",
    severity: Severity::Note,
    title: "Two patterns differ in case alone",
    page: include_str!("case_variant.md"),
    check: Check::RulePair(check),
};

fn check(pair: &RulePair<'_>, drafts: &mut Drafts) {
    if pair.sameness == Sameness::ExceptCase {
        let message = format!("line {} differs from this in upper and lower case alone", pair.first.line());
        drafts.add(
            Draft::new(pair.rule.line(), pair.rule.pattern.span(), message)
                .help("case counts in paths: keep both only if both exist")
                .other(pair.first.pattern.span(), "here first"),
        );
    }
}
