//! A rule is repeated.

use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::Rule;

use crate::document::Document;
use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::form;
use crate::lint::severity::Severity;
use crate::lint::subject::{RulePair, Sameness};

pub(crate) const LINT: Declaration = Declaration {
    code: "duplicate-rule",
    severity: Severity::Note,
    title: "A rule is repeated",
    check: Check::RulePair(check),
};

fn check(pair: &RulePair<'_>, drafts: &mut Drafts<'_>) {
    if pair.sameness != Sameness::All {
        return;
    }
    let (span, first) = (pair.rule.pattern.span(), pair.first.line());
    let readers = readers(pair);
    let is_for_all = drafts.are_all(&readers);
    let message = match is_for_all {
        true => format!("this repeats the rule in line {first}"),
        false => format!("for some crawlers this repeats the rule in line {first}"),
    };
    let mut draft = Draft::new(pair.rule.line(), span, message)
        .other(pair.first.pattern.span(), "here first")
        .readers(readers);
    if !is_for_all {
        draft = draft.help("keep it; other crawlers read these lines otherwise, and need both rules");
    } else if let Some(line) = pair.file.index.removable(span) {
        draft = draft.fix(line, "");
    }
    drafts.add(draft);
}

/// The documents for whose readers the second rule can go.
fn readers(pair: &RulePair<'_>) -> Vec<Document> {
    let file = pair.file;
    let readings = file.by_document.iter().zip(file.rule_indices());
    let repeating = readings.filter(|((_, profile, groups), index)| {
        // A line that is not a rule of a group has no effect either.
        let Some((group, position)) = index.place(pair.rule.line()) else { return true };
        let Some((first_group, first)) = index.place(pair.first.line()) else { return false };
        let rules = groups.get(group).map_or(&[][..], |group| group.rules());
        let (Some(first), Some(rule)) = (rules.get(first), rules.get(position)) else { return false };
        let pattern = |rule: &Rule<'_>| form(rule.pattern.bytes(), &profile.matching).into_owned();
        group == first_group && first.effect == rule.effect && pattern(first) == pattern(rule)
    });
    repeating.map(|((document, ..), _)| *document).collect()
}
