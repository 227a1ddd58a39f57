//! The name of a crawler is misspelt.

use alloc::format;

use robots_groups::syntax::Field;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{AgentFault, GroupView};
use crate::lint::text::{is_near, shown};

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-misspelt",
    severity: Severity::Warning,
    title: "The name of a crawler is misspelt",
    page: include_str!("agent_misspelt.md"),
    check: Check::Group(check),
};

/// Words that people write for all crawlers.
const EVERYONE: [&str; 5] = ["all", "any", "every", "everyone", "everybody"];

/// Words that people write for a crawler, each with its name.
const MEANT: [(&str, &str); 13] = [
    ("google", "Googlebot"),
    ("googlebots", "Googlebot"),
    ("google-bot", "Googlebot"),
    ("bing", "bingbot"),
    ("bing-bot", "bingbot"),
    ("baidu", "Baiduspider"),
    ("baidubot", "Baiduspider"),
    ("yahoo", "Slurp"),
    ("duckduckgo", "DuckDuckBot"),
    ("msn", "msnbot"),
    ("apple", "Applebot"),
    ("amazon", "Amazonbot"),
    ("gpt-bot", "GPTBot"),
];

/// Names of crawlers.
const NAMES: [&str; 16] = [
    "Googlebot",
    "Googlebot-Image",
    "Googlebot-News",
    "Googlebot-Video",
    "Google-Extended",
    "Mediapartners-Google",
    "bingbot",
    "msnbot",
    "Baiduspider",
    "DuckDuckBot",
    "Applebot-Extended",
    "Amazonbot",
    "AhrefsBot",
    "SemrushBot",
    "ClaudeBot",
    "PerplexityBot",
];

/// The length of a name, in bytes, from which on a mistake is seen.
const LONG: usize = 8;

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    for agent in view.group.agents() {
        if let Some(meant) = meant(agent, view) {
            let line = view.file.index.line_of(agent.span());
            let draft = Draft::new(
                line,
                agent.span(),
                format!("no known crawler has the name `{}`", shown(agent.bytes())),
            );
            // The crawler obeys the group as it is.
            let is_same_group = view.file.group_of(meant) == Some(view.index);
            drafts.add(match is_same_group {
                true => draft.help(format!("remove it: the group names `{meant}`")).severity(Severity::Note),
                false => draft.help(format!("did you mean `{meant}`?")).suggest(agent.span(), meant),
            });
        }
    }
}

/// Returns the name of the crawler that someone most likely meant who wrote another name.
fn meant(agent: &Field<'_>, view: &GroupView<'_, '_>) -> Option<&'static str> {
    let value = agent.bytes();
    if !matches!(AgentFault::of(value, &view.file.facts.profile.groups), AgentFault::None) {
        return None;
    }
    let is = |name: &str| value.eq_ignore_ascii_case(name.as_bytes());
    if NAMES.iter().any(|name| is(name)) {
        return None;
    }
    if EVERYONE.iter().any(|word| is(word)) {
        return Some("*");
    }
    let known = MEANT.iter().find(|(word, _)| is(word)).map(|(_, name)| *name);
    // Short names are near to names of other crawlers: `msrbot` is one, too.
    let mut long = NAMES.into_iter().filter(|name| name.len() >= LONG);
    known.or_else(|| long.find(|name| is_near(value, name)))
}
