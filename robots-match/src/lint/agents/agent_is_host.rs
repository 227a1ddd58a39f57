use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Agent, AgentFault};
use crate::lint::text::shown;

lint! {
    code: "agent-is-host",
    severity: error,
    title: "A user-agent line has a host or a URL",
    check: Agent(check),
    /// A user-agent line has the name of a crawler. A host or URL is not one, so no crawler obeys the group. Often the host of the site itself
    /// is written, as if the group were about the site, or the page of a crawler that its `User-Agent` header has.
    ///
    /// This concerns all crawlers. Write the name of a crawler, or `*` for all crawlers.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: www.example.com
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: archive.org_bot
    /// Disallow: /private
    /// ```
}

fn check(agent: &Agent<'_>, drafts: &mut Drafts<'_>) {
    if !matches!(agent.fault, AgentFault::Host) {
        return;
    }
    let message =
        format!("`{}` is a host or URL, and no crawler has it as its name", shown(agent.value.bytes()));
    drafts.add(
        Draft::new(agent.line, agent.value.span(), message)
            .help("write the name of a crawler, or `*` for all crawlers"),
    );
}
