use robots_groups::syntax::Record;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{AllLines, GroupView};

lint! {
    code: "group-without-rules",
    severity: note,
    default: off,
    title: "A group has no rules",
    check: Group(check),
    /// The crawlers of a group without rules may fetch everything, because a group for a crawler replaces the group
    /// for `*`. This may be intended, but it is easily overlooked.
    ///
    /// A group with a rule whose key is misspelt, such as `Disalow: /private`, has the finding `misspelt-key` instead.
    ///
    /// Add `Disallow:` to show that everything is allowed.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /private
    ///
    /// User-agent: ExampleBot
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    ///
    /// User-agent: ExampleBot
    /// Disallow:
    /// ```
}

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
