//! A blank line splits a group.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Gap;
use crate::lint::text::documents;

pub(crate) const LINT: Declaration = Declaration {
    code: "split-agents",
    severity: Severity::Warning,
    title: "A blank line splits a group",
    check: Check::Gap(check),
};

fn check(gap: &Gap<'_>, drafts: &mut Drafts<'_>) {
    drafts.add(
        Draft::new(gap.line, gap.span, "some crawlers end the group at this blank line")
            .help("remove the blank line; for these crawlers the lines after it are not in the group")
            .other(gap.agent.span(), "the group")
            .readers(documents(|profile| profile.groups.blank_line_ends_group)),
    );
}
