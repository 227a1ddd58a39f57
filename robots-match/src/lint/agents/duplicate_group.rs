//! Several groups are for the same crawler.

use alloc::format;

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
    check: Check::AgentPair(check),
};

fn check(pair: &AgentPair<'_>, drafts: &mut Drafts<'_>) {
    if pair.is_one_group {
        return;
    }
    let first_only = |profile: &Profile| match pair.is_general {
        true => profile.groups.first_general_only,
        false => profile.groups.first_named_only,
    };
    let message = format!("an earlier group is also for `{}`", shown(pair.agent.bytes()));
    drafts.add(
        Draft::new(pair.line, pair.agent.span(), message)
            .help(
                "put the rules into one group; some crawlers combine the groups, others obey only the first",
            )
            .other(pair.first.span(), "the first group")
            .readers(documents(first_only)),
    );
}
