//! A name holds characters that no product token holds.

use alloc::format;
use alloc::string::String;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Agent, AgentFault, stray};
use crate::lint::text::{profiles, shown};

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-characters",
    severity: Severity::Warning,
    title: "A name holds characters that no product token holds",
    page: include_str!("agent_characters.md"),
    check: Check::Agent(check),
};

fn check(agent: &Agent<'_>, drafts: &mut Drafts) {
    let AgentFault::Byte(at) = agent.fault else { return };
    let value = agent.value.octets();
    let (start, rest) = value.split_at_checked(at).unwrap_or_default();
    let character = rest.utf8_chunks().next().map_or_else(String::new, |chunk| {
        let char = chunk.valid().chars().next();
        char.map_or_else(|| shown(chunk.invalid()), |char| char.escape_debug().collect())
    });
    let message = format!("`{}` is no product token: `{character}` may not stand in one", shown(value));
    let help = match start {
        [] => String::from("readers find that the line names nobody"),
        _ => format!("some readers take the line for `{}`, others find that it names nobody", shown(start)),
    };
    let strict = profiles(|profile| stray(value, &profile.groups).is_some());
    drafts.add(Draft::new(agent.line, agent.value.span(), message).help(help).readers(strict));
}
