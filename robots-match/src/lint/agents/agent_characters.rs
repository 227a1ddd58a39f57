//! A crawler name has characters that some parsers do not read.

use alloc::format;
use alloc::string::String;

use robots_groups::Crawler;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::known_names::is_known;
use crate::lint::severity::Severity;
use crate::lint::subject::{Agent, AgentFault, stray};
use crate::lint::text::{documents, shown};

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-characters",
    severity: Severity::Warning,
    title: "A crawler name has characters that some parsers do not read",
    check: Check::Agent(check),
};

fn check(agent: &Agent<'_>, drafts: &mut Drafts<'_>) {
    let AgentFault::Byte(at) = agent.fault else { return };
    let value = agent.value.bytes();
    // The name is right, and the owner of the site can't change it.
    if is_known(value) {
        return;
    }
    let (start, rest) = value.split_at_checked(at).unwrap_or_default();
    let character = rest.utf8_chunks().next().map_or_else(String::new, |chunk| {
        let char = chunk.valid().chars().next();
        char.map_or_else(|| shown(chunk.invalid()), |char| char.escape_debug().collect())
    });
    let is_name = core::str::from_utf8(value).is_ok_and(|name| Crawler::new(name).is_ok());
    let message = if is_name {
        match start {
            [] => format!("parsers that read only letters, `_` and `-` ignore the name `{}`", shown(value)),
            _ => format!(
                "parsers that read only letters, `_` and `-` read `{}` as `{}`",
                shown(value),
                shown(start)
            ),
        }
    } else {
        format!("`{}` is not a crawler name: `{character}` is not allowed in names", shown(value))
    };
    let help = match start {
        _ if is_name => String::from("keep the line if the documentation of the crawler gives this name"),
        [] => String::from("write the name of the crawler; crawlers ignore this line"),
        _ => format!("write the name of the crawler; some crawlers read this as `{}`", shown(start)),
    };
    let strict = documents(|profile| stray(value, &profile.groups).is_some());
    let draft = Draft::new(agent.line, agent.value.span(), message).help(help).readers(strict);
    // A name that its crawler looks for is right, whatever others read.
    drafts.add(if is_name { draft.severity(Severity::Note) } else { draft });
}
