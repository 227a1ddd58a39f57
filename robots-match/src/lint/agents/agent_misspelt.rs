//! The name of a crawler is misspelt.

use alloc::format;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{Agent, AgentFault};
use crate::lint::text::{is_near, shown};

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-misspelt",
    severity: Severity::Warning,
    title: "The name of a crawler is misspelt",
    page: include_str!("agent_misspelt.md"),
    check: Check::Agent(check),
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

fn check(agent: &Agent<'_>, drafts: &mut Drafts<'_>) {
    if !matches!(agent.fault, AgentFault::None) {
        return;
    }
    let value = agent.value.bytes();
    let is = |name: &str| value.eq_ignore_ascii_case(name.as_bytes());
    if NAMES.iter().any(|name| is(name)) {
        return;
    }
    let meant = match EVERYONE.iter().any(|word| is(word)) {
        true => Some("*"),
        false => {
            let known = MEANT.iter().find(|(word, _)| is(word)).map(|(_, name)| *name);
            // Short names are near to names of other crawlers: `msrbot` is one, too.
            let mut long = NAMES.into_iter().filter(|name| name.len() >= LONG);
            known.or_else(|| long.find(|name| is_near(value, name)))
        }
    };
    if let Some(meant) = meant {
        drafts.add(
            Draft::new(
                agent.line,
                agent.value.span(),
                format!("no known crawler has the name `{}`", shown(value)),
            )
            .help(format!("did you mean `{meant}`?"))
            .suggest(agent.value.span(), meant),
        );
    }
}
