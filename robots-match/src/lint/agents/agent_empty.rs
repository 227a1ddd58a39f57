//! A user-agent line names no crawler.

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Agent, AgentFault};

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-empty",
    severity: Severity::Error,
    title: "A user-agent line names no crawler",
    check: Check::Agent(check),
};

fn check(agent: &Agent<'_>, drafts: &mut Drafts<'_>) {
    if matches!(agent.fault, AgentFault::Empty) {
        drafts.add(
            Draft::new(agent.line, agent.value.span(), "the line names no crawler")
                .help("write the name of a crawler, or `*` for all crawlers"),
        );
    }
}
