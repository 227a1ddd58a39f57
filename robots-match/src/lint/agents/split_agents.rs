//! A blank line stands within a group.

use robots_groups::Boundary;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Between, Gap};
use crate::lint::text::profiles;

pub(crate) const LINT: Declaration = Declaration {
    code: "split-agents",
    severity: Severity::Warning,
    title: "A blank line stands within a group",
    page: include_str!("split_agents.md"),
    check: Check::Gap(check),
};

fn check(gap: &Gap<'_>, drafts: &mut Drafts) {
    if let Between::Blank { line, span } = gap.between {
        drafts.add(
            Draft::new(line, span, "to some readers this blank line ends the group")
                .help("remove it: to them what follows is for nobody, or not for the crawlers named above it")
                .other(gap.agent.span(), "the group")
                .readers(profiles(|profile| profile.groups.boundary == Boundary::BlankLine)),
        );
    }
}
