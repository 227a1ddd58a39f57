//! A user-agent line has a whole User-Agent header.

use alloc::format;
use alloc::string::String;

use robots_groups::Crawler;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Agent, AgentFault};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-is-header",
    severity: Severity::Error,
    title: "A user-agent line has a whole User-Agent header",
    page: include_str!("agent_is_header.md"),
    check: Check::Agent(check),
};

fn check(agent: &Agent<'_>, drafts: &mut Drafts<'_>) {
    if !matches!(agent.fault, AgentFault::Header) {
        return;
    }
    let (value, span) = (agent.value.bytes(), agent.value.span());
    let message =
        format!("`{}` looks like a full User-Agent header, not the name of a crawler", shown(value));
    let mut draft = Draft::new(agent.line, span, message);
    let text = core::str::from_utf8(value).unwrap_or_default();
    draft = match name_in(text) {
        Some(name) => draft
            .help(format!("write only the name of the crawler, most likely `{name}`"))
            .suggest(span, name),
        None => draft
            .help("write the name by which the crawler finds its group; its documentation gives the name"),
    };
    drafts.add(draft);
}

/// The name of the crawler in a header, with all of its letters, digits, `_` and `-`.
fn name_in(header: &str) -> Option<String> {
    let crawler = Crawler::from_user_agent(header)?;
    let name: String = crawler.names().collect();
    // A name ends at the first byte that names usually do not contain: the name of `R6_Feed(...)` is not `R`.
    let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    let mut words = header.split(|char| !is_name(char));
    let whole = words.find(|word| word.starts_with(&name)).unwrap_or(&name);
    Some(String::from(whole))
}
