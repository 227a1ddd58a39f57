//! A group has no rules.

use robots_groups::syntax::Record;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{AllLines, GroupView};

pub(crate) const LINT: Declaration = Declaration {
    code: "group-without-rules",
    severity: Severity::Note,
    title: "A group has no rules",
    check: Check::Group(check),
};

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    if !view.group.rules().is_empty() || has_misspelt_rule(view) {
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

/// Whether the group has a line that only other parsers read as a rule. Other lints report it.
fn has_misspelt_rule(view: &GroupView<'_, '_>) -> bool {
    let file = view.file;
    let start = view.group.agents().first().map_or(0, |agent| agent.span().end());
    let next = file.groups.get(view.index + 1);
    let next = next.and_then(|next| next.agents().first().map(|agent| agent.span().start()));
    // The line of the next group is cut before its value, which matters for no rule.
    let lines = file.body.get(start..next.unwrap_or(file.body.len())).unwrap_or_default();
    let is_rule = |record: &Record<'_>| matches!(record, Record::Rule(_));
    AllLines::new(lines, file.facts)
        .any(|lines| !is_rule(&lines.line.record) && lines.each().any(|(.., line)| is_rule(&line.record)))
}
