//! A user-agent line has a list of names.

use alloc::format;
use alloc::vec::Vec;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Agent, AgentFault};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-list",
    severity: Severity::Error,
    title: "A user-agent line has a list of names",
    page: include_str!("agent_list.md"),
    check: Check::Agent(check),
};

fn check(agent: &Agent<'_>, drafts: &mut Drafts<'_>) {
    if !matches!(agent.fault, AgentFault::List) {
        return;
    }
    let (value, span) = (agent.value.bytes(), agent.value.span());
    let names: Vec<&[u8]> =
        value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).filter(|name| !name.is_empty()).collect();
    let end = if agent.line_end.is_empty() { b"\n" } else { agent.line_end };
    drafts.add(
        Draft::new(
            agent.line,
            span,
            format!("`{}` is a list, but a line can name only one crawler", shown(value)),
        )
        .help("write one user-agent line for each crawler, one below the other")
        .fix(span, names.join(&[end, b"User-agent: "].concat()[..])),
    );
}
