//! A user-agent line has a whole User-Agent header.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use robots_groups::syntax::{Field, Rule};
use robots_groups::{Crawler, Group};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{AgentFault, GroupView};
use crate::lint::text::shown;

pub(crate) const LINT: Declaration = Declaration {
    code: "agent-is-header",
    severity: Severity::Error,
    title: "A user-agent line has a whole User-Agent header",
    page: include_str!("agent_is_header.md"),
    check: Check::Group(check),
};

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let (group, file) = (&view.group, view.file);
    let is_name = |agent: &Field<'_>| {
        matches!(
            AgentFault::of(agent.bytes(), &file.facts.profile.groups),
            AgentFault::None | AgentFault::Byte(_)
        )
    };
    // Whether the rules of a group before or after are the same. Each group is compared once.
    let mut same = BTreeMap::new();
    for agent in group.agents() {
        let value = agent.bytes();
        if !matches!(AgentFault::of(value, &file.facts.profile.groups), AgentFault::Header) {
            continue;
        }
        let message =
            format!("`{}` looks like a full User-Agent header, not the name of a crawler", shown(value));
        let draft = Draft::new(file.index.line_of(agent.span()), agent.span(), message);
        let name = name_in(core::str::from_utf8(value).unwrap_or_default());
        let index = name.as_deref().and_then(|name| file.group_of(name));
        let is_same = index.is_some_and(|index| {
            *same
                .entry(index)
                .or_insert_with(|| file.groups.get(index).is_some_and(|other| has_rules_of(group, &other)))
        });
        drafts.add(match name {
            // The crawler obeys the same rules, whether it reads this line or not.
            Some(name) if is_same => draft
                .help(match group.agents().iter().any(is_name) {
                    true => format!("remove it: another line has the name `{name}`, for the same rules"),
                    // Without the line, the rules would belong to the group before.
                    false => {
                        format!("remove its group: another group has the name `{name}`, and the same rules")
                    }
                })
                .severity(Severity::Note),
            Some(name) => draft
                .help(format!("write only the name of the crawler, most likely `{name}`"))
                .suggest(agent.span(), name),
            None => draft.help(
                "write the name by which the crawler finds its group; its documentation gives the name",
            ),
        });
    }
}

/// Returns whether two groups have the same rules in the same order.
fn has_rules_of(group: &Group<'_, '_>, other: &Group<'_, '_>) -> bool {
    let (rules, others) = (group.rules(), other.rules());
    let is_equal = |(rule, other): (&Rule<'_>, &Rule<'_>)| {
        rule.effect == other.effect && rule.pattern.bytes() == other.pattern.bytes()
    };
    rules.len() == others.len() && rules.iter().zip(others).all(is_equal)
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
