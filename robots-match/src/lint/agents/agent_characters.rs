//! A crawler name has characters that are not allowed in names.

use alloc::format;
use alloc::string::String;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Agent, AgentFault, stray};
use crate::lint::text::{documents, shown};

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-characters",
    severity: Severity::Warning,
    title: "A crawler name has characters that are not allowed in names",
    page: include_str!("agent_characters.md"),
    check: Check::Agent(check),
};

fn check(agent: &Agent<'_>, drafts: &mut Drafts) {
    let AgentFault::Byte(at) = agent.fault else { return };
    let value = agent.value.bytes();
    let (start, rest) = value.split_at_checked(at).unwrap_or_default();
    let character = rest.utf8_chunks().next().map_or_else(String::new, |chunk| {
        let char = chunk.valid().chars().next();
        char.map_or_else(|| shown(chunk.invalid()), |char| char.escape_debug().collect())
    });
    let message =
        format!("`{}` is not a valid crawler name: `{character}` is not allowed in names", shown(value));
    let help = match start {
        [] => String::from("write only letters, `_` and `-`; crawlers ignore this line"),
        _ => format!(
            "crawlers that accept only letters, `_` and `-` read this as `{}` or ignore it",
            shown(start)
        ),
    };
    let strict = documents(|profile| stray(value, &profile.groups).is_some());
    drafts.add(Draft::new(agent.line, agent.value.span(), message).help(help).readers(strict));
}
