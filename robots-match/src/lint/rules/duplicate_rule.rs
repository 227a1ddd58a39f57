//! A rule is repeated.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{RulePair, Sameness};

pub(crate) const LINT: Declaration = Declaration {
    code: "duplicate-rule",
    severity: Severity::Note,
    title: "A rule is repeated",
    page: include_str!("duplicate_rule.md"),
    check: Check::RulePair(check),
};

fn check(pair: &RulePair<'_>, drafts: &mut Drafts<'_>) {
    if pair.sameness != Sameness::All {
        return;
    }
    let span = pair.rule.pattern.span();
    let mut draft =
        Draft::new(pair.rule.line(), span, format!("this repeats the rule in line {}", pair.first.line()))
            .other(pair.first.pattern.span(), "here first");
    if let Some(line) = pair.index.removable(span) {
        draft = draft.fix(line, "");
    }
    drafts.add(draft);
}
