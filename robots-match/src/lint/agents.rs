//! What concerns `user-agent` lines.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::{Field, Lines, Record, Span};
use robots_groups::{Boundary, ProductToken};

use crate::lint::{Code, Facts, Finding, Found, Reading, profiles, shown};
use crate::profile::Profile;

pub(super) fn check(reading: &Reading<'_>, facts: &Facts<'_>, found: &mut Found) {
    let Record::UserAgent(agent) = reading.line.record else { return };
    let (value, number) = (agent.bytes(), reading.line.number);
    let named = shown(value);
    if value.is_empty() {
        found.add(
            Finding::new(Code::AgentEmpty, number, agent.span(), "the line names no crawler")
                .help("write the product token of a crawler, or `*` for every one"),
        );
        return;
    }
    if value.contains(&b',') {
        let names: Vec<&[u8]> = value
            .split(|&octet| octet == b',')
            .map(<[u8]>::trim_ascii)
            .filter(|name| !name.is_empty())
            .collect();
        found.add(
            Finding::new(
                Code::AgentList,
                number,
                agent.span(),
                format!("`{named}` is a list, and a line names one crawler"),
            )
            .help("write a user-agent line for each, one below the other")
            .fix(agent.span(), names.join(&b"\nUser-agent: "[..])),
        );
        return;
    }
    let policy = &facts.profile.groups;
    let stray = |alphabet: robots_groups::Alphabet| value.iter().position(|&octet| !alphabet.contains(octet));
    let first = |policy: &robots_groups::Policy| stray(policy.alphabet).filter(|_| !policy.is_general(value));
    // Where the profile of the facts reads a name, others may not.
    let of_others = || Profile::NAMED.iter().find_map(|(_, profile)| first(&profile.groups));
    let Some(at) = first(policy).or_else(of_others) else { return };
    let text = core::str::from_utf8(value).unwrap_or_default();
    if value.contains(&b'(') || value.contains(&b'/') {
        let mut finding = Finding::new(
            Code::AgentIsHeader,
            number,
            agent.span(),
            format!("`{named}` is what a crawler sends, and not the token by which it finds its group"),
        );
        if let Some(token) = ProductToken::of_user_agent(text, policy) {
            finding = finding
                .help(format!("write the product token alone, most likely `{token}`"))
                .fix(agent.span(), token.as_str());
        }
        found.add(finding);
        return;
    }
    let octet =
        value.get(at..).and_then(|rest| rest.utf8_chunks().next()).map_or_else(String::new, |chunk| {
            let char = chunk.valid().chars().next();
            char.map_or_else(|| shown(chunk.invalid()), |char| char.escape_debug().collect())
        });
    let message = format!("`{named}` is no product token: `{octet}` may not stand in one");
    let help = match value.get(..at) {
        Some(start) if !start.is_empty() => {
            format!("some readers take the line for `{}`, others find that it names nobody", shown(start))
        }
        _ => String::from("readers find that the line names nobody"),
    };
    let readers = profiles(|profile| first(&profile.groups).is_some());
    found.add(Finding::new(Code::AgentCharacters, number, agent.span(), message).help(help).readers(readers));
}

/// What stands between the lines of a group.
pub(super) fn check_runs(body: &[u8], facts: &Facts<'_>, found: &mut Found) {
    let mut agent: Option<Field<'_>> = None;
    let mut blank: Option<(usize, Span)> = None;
    let mut other: Option<Field<'_>> = None;
    // Whether the group has rules, and whether its blank lines are told.
    let (mut has_rules, mut is_told) = (false, false);
    let split = |found: &mut Found, (number, span): (usize, Span), group: Field<'_>| {
        found.add(
            Finding::new(Code::SplitAgents, number, span, "to some readers this blank line ends the group")
                .help("remove it: to them what follows is for nobody, or not for the crawlers named above it")
                .other(group.span(), "the group")
                .readers(profiles(|profile| profile.groups.boundary == Boundary::BlankLine)),
        );
    };
    for line in Lines::new(body, &facts.profile.syntax) {
        match line.record {
            Record::UserAgent(name) => {
                if let Some(before) = agent.filter(|_| !has_rules) {
                    if let Some(key) = other {
                        found.add(
                            Finding::new(
                                Code::AccidentalGroup,
                                line.number,
                                name.span(),
                                format!("`{}` and `{}` form one group", shown(before.bytes()), shown(name.bytes())),
                            )
                            .help("write a rule for the first (`Disallow:` allows everything), or the lines side by side if one group is meant")
                            .other(key.span(), "this record does not end a group"),
                        );
                    } else if let Some(blank) = blank.filter(|_| !is_told) {
                        split(found, blank, before);
                        is_told = true;
                    }
                } else {
                    is_told = false;
                }
                (agent, blank, other, has_rules) = (Some(name), None, None, false);
            }
            Record::Rule(_) => {
                if let (Some(agent), Some(blank), false) = (agent, blank, is_told) {
                    split(found, blank, agent);
                    is_told = true;
                }
                has_rules = true;
            }
            Record::Other { key, .. } => other = other.or(Some(key)),
            Record::Blank if agent.is_some() => blank = blank.or(Some((line.number, line.content().span()))),
            _ => {}
        }
    }
}
