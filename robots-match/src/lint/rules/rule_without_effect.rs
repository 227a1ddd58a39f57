//! A rule has no effect.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use robots_groups::SelectionBasis;
use robots_groups::syntax::{Effect, Field};

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::form;
use crate::lint::severity::Severity;
use crate::lint::subject::File;
use crate::rule_set::RuleSet;

pub(crate) const LINT: Declaration = Declaration {
    code: "rule-without-effect",
    severity: Severity::Note,
    title: "A rule has no effect",
    page: include_str!("rule_without_effect.md"),
    check: Check::File(check),
};

/// The most rules of a group that are examined, and the most states of all searches in a file.
const MOST_RULES: usize = 500;
const MOST_STATES: usize = 100_000;

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.matching;
    let mut names: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for agent in file.groups.iter().flat_map(|group| group.agents()) {
        *names.entry(agent.bytes().to_ascii_lowercase()).or_default() += 1;
    }
    let is_only = |agent: &Field<'_>| names.get(&agent.bytes().to_ascii_lowercase()) == Some(&1);
    let mut states = 0;
    for group in file.groups.iter() {
        let rules = group.rules();
        // Where several groups apply together, a rule may have an effect in another group. Where nothing is disallowed, no
        // rule has an effect, and another lint reports it.
        let examined = rules.len() <= MOST_RULES
            && group.agents().iter().all(is_only)
            && rules.iter().any(|rule| rule.effect == Effect::Disallow && !rule.pattern.is_empty());
        if !examined {
            continue;
        }
        // One of two rules that differ only in stars at the end has an effect. Duplicates have a lint of their own.
        let mut seen = BTreeSet::new();
        let set = RuleSet::from_rules(rules.iter().copied(), SelectionBasis::Named, policy);
        let mut without_effect = BTreeSet::new();
        for (rule, change) in set.removals(MOST_STATES - states) {
            states += change.states.min(MOST_STATES - states);
            if change.is_nothing() {
                without_effect.insert(rule.line);
            }
            if states == MOST_STATES {
                return;
            }
        }
        for rule in rules {
            let pattern = form(rule.pattern.bytes(), policy);
            // Patterns that match no path, and rules about robots.txt itself, have lints of their own.
            let may_match = match pattern.first() {
                Some(b'*') => policy.wildcards,
                first => first == Some(&b'/'),
            };
            if !may_match || pattern.starts_with(b"/robots.txt") {
                continue;
            }
            let is_whole_repeated = rules
                .iter()
                .any(|other| other.line() != rule.line() && form(other.pattern.bytes(), policy) == pattern);
            let mut stem = pattern.into_owned();
            stem.truncate(stem.len() - stem.iter().rev().take_while(|&&byte| byte == b'*').count());
            let is_first = seen.insert((rule.effect, stem.clone()));
            let has_twin = || {
                rules.iter().any(|other| {
                    other.line() > rule.line() && other.effect == rule.effect && {
                        let other = form(other.pattern.bytes(), policy);
                        other.strip_suffix(b"*").unwrap_or(&other) == stem
                    }
                })
            };
            if !without_effect.contains(&rule.line()) || is_whole_repeated || is_first && has_twin() {
                continue;
            }
            let cover = rules.iter().find(|other| {
                let is_other = other.line() != rule.line() && other.effect == rule.effect;
                is_other
                    && !other.pattern.is_empty()
                    && stem.starts_with(&form(other.pattern.bytes(), policy))
            });
            let draft = Draft::new(
                rule.line(),
                rule.pattern.span(),
                "this rule has no effect: without it, the verdict about every path is the same",
            )
            .help("remove it, or change it if it was meant to have an effect");
            drafts.add(match cover {
                Some(cover) => draft.other(cover.pattern.span(), "this rule covers it"),
                None => draft,
            });
        }
    }
}
