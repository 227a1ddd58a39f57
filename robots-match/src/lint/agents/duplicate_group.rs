use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::AgentPair;
use crate::lint::text::{documents, shown};
use crate::profile::Profile;

lint! {
    code: "duplicate-group",
    severity: warning,
    title: "Several groups are for the same crawler",
    check: AgentPair(check),
    /// RFC 9309 combines the rules of all groups for a crawler (section 2.2.1). Crawlers that follow older documents
    /// use only the first group. For them, a block that is added at the top of the file, for example by a content
    /// delivery network, replaces all later groups for the same crawler.
    ///
    /// Put the rules for a crawler into one group.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /a
    ///
    /// User-agent: *
    /// Disallow: /b
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /a
    /// Disallow: /b
    /// ```
}

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
