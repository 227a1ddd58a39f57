//! A group has no rules.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::GroupView;

pub(crate) const LINT: Declaration = Declaration {
    code: "group-without-rules",
    severity: Severity::Note,
    title: "A group has no rules",
    page: include_str!("group_without_rules.md"),
    check: Check::Group(check),
};

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    if !view.group.rules().is_empty() {
        return;
    }
    if let Some(agent) = view.group.agents().first() {
        let line = view.file.index.line_of(agent.span());
        drafts.add(
            Draft::new(line, agent.span(), "the group has no rules, so its crawlers may fetch everything")
                .help("add `Disallow:` below to show that this is intended"),
        );
    }
}
