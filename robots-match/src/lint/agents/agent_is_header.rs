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

fn check(agent: &Agent<'_>, drafts: &mut Drafts) {
    if !matches!(agent.fault, AgentFault::Header) {
        return;
    }
    let (value, span) = (agent.value.bytes(), agent.value.span());
    let message =
        format!("`{}` looks like a full User-Agent header, not the name of a crawler", shown(value));
    let mut draft = Draft::new(agent.line, span, message);
    let text = core::str::from_utf8(value).unwrap_or_default();
    if let Some(crawler) = Crawler::from_user_agent(text) {
        let name: String = crawler.names().collect();
        draft =
            draft.help(format!("write only the name of the crawler, most likely `{name}`")).fix(span, name);
    }
    drafts.add(draft);
}
