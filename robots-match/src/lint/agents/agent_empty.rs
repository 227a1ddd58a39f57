use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Agent, AgentFault};

lint! {
    code: "agent-empty",
    severity: error,
    title: "A user-agent line names no crawler",
    check: Agent(check),
    /// A user-agent line without a name is for no crawler. It does not mean all crawlers: that is `User-agent: *`.
    /// Crawlers ignore the rules below it.
    ///
    /// Write the name of a crawler, or `*` for all crawlers.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent:
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(agent: &Agent<'_>, drafts: &mut Drafts<'_>) {
    if matches!(agent.fault, AgentFault::Empty) {
        drafts.add(
            Draft::new(agent.line, agent.value.span(), "the line names no crawler")
                .help("write the name of a crawler, or `*` for all crawlers"),
        );
    }
}
