//! Several groups are for the same crawler.

use alloc::format;

use robots_groups::Merge;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::AgentPair;
use crate::lint::text::{documents, shown};
use crate::profile::Profile;

pub(crate) const LINT: Declaration = Declaration {
    code: "duplicate-group",
    severity: Severity::Warning,
    title: "Several groups are for the same crawler",
    page: include_str!("duplicate_group.md"),
    check: Check::AgentPair(check),
};

fn check(pair: &AgentPair<'_>, drafts: &mut Drafts) {
    if pair.is_one_group {
        return;
    }
    let merge = |profile: &Profile| match pair.is_general {
        true => profile.groups.general,
        false => profile.groups.named,
    };
    let message = format!("an earlier group is also for `{}`", shown(pair.agent.bytes()));
    drafts.add(
        Draft::new(pair.line, pair.agent.span(), message)
            .help(
                "put the rules into one group; some crawlers combine the groups, others obey only the first",
            )
            .other(pair.first.span(), "the first group")
            .readers(documents(|profile| merge(profile) == Merge::First)),
    );
}
