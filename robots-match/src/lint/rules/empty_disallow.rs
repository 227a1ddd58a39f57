//! An empty Disallow is beside other rules.

use robots_groups::syntax::{Effect, Rule};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{GroupView, is_for_robots_txt};

pub(crate) const LINT: Declaration = Declaration {
    code: "empty-disallow",
    severity: Severity::Warning,
    title: "An empty Disallow is beside other rules",
    check: Check::Group(check),
};

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let disallows = || view.group.rules().iter().filter(|rule| rule.effect == Effect::Disallow);
    let policy = &view.file.facts.profile.matching;
    // A rule for robots.txt disallows nothing, and may be removed.
    let is_other = |rule: &&Rule<'_>| !rule.pattern.is_empty() && !is_for_robots_txt(rule, policy);
    let Some(other) = disallows().find(is_other) else { return };
    let Some(empty) = disallows().find(|rule| rule.pattern.is_empty()) else { return };
    // Other lints advise to remove the other rules.
    if !view.file.is_needed(empty.line()) {
        drafts.add(
            Draft::new(
                empty.line(),
                empty.pattern.span(),
                "this empty Disallow does not allow what other lines of its group disallow",
            )
            .help("remove it; crawlers ignore it, and some parsers take it for a rule that allows everything")
            .other(other.pattern.span(), "this is still disallowed"),
        );
    }
}
