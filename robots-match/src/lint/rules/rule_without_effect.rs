use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Field, Rule};
use robots_groups::{Alphabet, GroupPolicy, Groups, NameMatch, SelectionBasis, is_name_byte};

use crate::difference::Comparer;
use crate::document::Document;
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::{form, without_stars};
use crate::lint::subject::{File, is_for_robots_txt};
use crate::policy::MatchPolicy;
use crate::profile::Profile;
use crate::rule_set::RuleSet;

lint! {
    code: "rule-without-effect",
    severity: note,
    default: off,
    title: "A rule has no effect",
    check: File(check),
    /// Without this line, each path is still allowed or disallowed as it is now. Often a shorter pattern covers the same paths:
    /// `/search` matches `/search/` as well. This is a proof, not a sample, and the finding names the documents for which it holds. Very
    /// large groups are not examined.
    ///
    /// Remove the rule, or change it if it was meant to have an effect. Keep it if it has an effect for crawlers that matter.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /search
    /// Disallow: /search/
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /search
    /// Allow: /search/about
    /// ```
}

/// The most rules of a group that are examined, and in a reading of a file, the most states of all searches and the most
/// comparisons of rule sets that are compiled for them.
const MOST_RULES: usize = 500;
const MOST_STATES: usize = 100_000;
const MOST_COMPARISONS: usize = 200;

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let profile = &file.facts.profile;
    let policy = &profile.matching;
    let mut comparer = Comparer::new(usize::MAX);
    let found = without_effect(&file.groups, profile, &mut comparer, is_reported);
    if found.is_empty() {
        return;
    }
    let readings = file.by_document.iter().zip(file.rule_indices());
    let proofs: Vec<(Document, Vec<usize>)> = readings
        .map(|((document, other, groups), rules)| {
            let mut lines = match other == profile {
                true => found.clone(),
                false => without_effect(groups, other, &mut comparer, |rule, _, _| has(&found, rule.line())),
            };
            // A line that is not a rule of a group has no effect either.
            lines.extend(found.iter().filter(|line| rules.place(**line).is_none()));
            lines.sort_unstable();
            (*document, lines)
        })
        .collect();
    for group in file.groups.iter() {
        let rules = group.rules();
        for rule in rules.iter().filter(|rule| has(&found, rule.line())) {
            let pattern = form(rule.pattern.bytes(), policy);
            let stem = without_stars(&pattern);
            let cover = rules.iter().find(|other| {
                let is_other = other.line() != rule.line() && other.effect == rule.effect;
                is_other
                    && !other.pattern.is_empty()
                    && stem.starts_with(&form(other.pattern.bytes(), policy))
            });
            let proved = proofs.iter().filter(|(_, lines)| has(lines, rule.line()));
            let readers: Vec<Document> = proved.map(|(document, _)| *document).collect();
            let (message, help) = match drafts.are_all(&readers) {
                true if file.is_needed(rule.line()) => (
                    "this rule has no effect: without it, the verdict about every path is the same",
                    "write `Disallow:` instead, or change it if it was meant to have an effect; a group needs a rule, or it goes on with the next one",
                ),
                true => (
                    "this rule has no effect: without it, the verdict about every path is the same",
                    "remove it, or change it if it was meant to have an effect",
                ),
                false => (
                    "for some crawlers this rule has no effect: without it, their verdict about every path is the same",
                    "keep it, because other crawlers need it; change it if it was meant to have an effect for all",
                ),
            };
            let draft = Draft::new(rule.line(), rule.pattern.span(), message).help(help).readers(readers);
            drafts.add(match cover {
                Some(cover) => draft.other(cover.pattern.span(), "this rule covers it"),
                None => draft,
            });
        }
    }
}

/// Whether sorted lines contain a line.
fn has(lines: &[usize], line: usize) -> bool {
    lines.binary_search(&line).is_ok()
}

/// Returns the lines, sorted, of those rules for which `is_examined`, given the rules of their group, and that have no effect. Without
/// all of them the verdicts are the same, too.
fn without_effect(
    groups: &Groups<'_>,
    profile: &Profile,
    comparer: &mut Comparer,
    mut is_examined: impl FnMut(&Rule<'_>, &[Rule<'_>], &MatchPolicy) -> bool,
) -> Vec<usize> {
    let policy = &profile.matching;
    let mut names: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for agent in groups.iter().flat_map(|group| group.agents()) {
        *names.entry(name(agent, &profile.groups)).or_default() += 1;
    }
    let is_only = |agent: &Field<'_>| names.get(&name(agent, &profile.groups)) == Some(&1);
    let (mut states, mut comparisons, mut all) = (0, 0, Vec::new());
    for group in groups.iter() {
        let rules = group.rules();
        let disallows = |rule: &Rule<'_>| {
            rule.effect == Effect::Disallow && !rule.pattern.is_empty() && !is_for_robots_txt(rule, policy)
        };
        // Where several groups apply together, a rule may have an effect in another group. Where nothing is disallowed, no
        // rule has an effect, and another lint reports it.
        let is_group_examined =
            rules.len() <= MOST_RULES && group.agents().iter().all(is_only) && rules.iter().any(disallows);
        let examined: Vec<usize> = match is_group_examined {
            true => rules.iter().filter(|rule| is_examined(rule, rules, policy)).map(Rule::line).collect(),
            false => continue,
        };
        if examined.is_empty() {
            continue;
        }
        let set = |left_out: &[usize]| {
            let kept = rules.iter().filter(|rule| !has(left_out, rule.line()));
            RuleSet::from_rules(kept.copied(), SelectionBasis::Named, policy)
        };
        let whole = set(&[]);
        let mut found = Vec::new();
        for (rule, change) in comparer.removals(&whole, MOST_STATES - states) {
            states += change.states.min(MOST_STATES - states);
            if change.is_nothing() && has(&examined, rule.line) {
                found.push(rule.line);
            }
            if states == MOST_STATES {
                return all;
            }
        }
        let mut is_same = |left_out: &[usize]| {
            comparisons += 1;
            if comparisons > MOST_COMPARISONS {
                return false;
            }
            let change = comparer.difference(&whole, &set(left_out), MOST_STATES - states);
            states += change.states.min(MOST_STATES - states);
            change.is_nothing()
        };
        // Each of two rules can make the other one superfluous.
        if found.len() > 1 && !is_same(&found) {
            let mut together = Vec::new();
            for line in found {
                together.push(line);
                if !is_same(&together) {
                    together.pop();
                }
            }
            found = together;
        }
        all.extend(found);
    }
    all
}

/// Whether no other lint reports a rule that has no effect.
fn is_reported(rule: &Rule<'_>, rules: &[Rule<'_>], policy: &MatchPolicy) -> bool {
    let pattern = form(rule.pattern.bytes(), policy);
    // Patterns that match no path, and rules about robots.txt itself, have lints of their own.
    let may_match = match pattern.first() {
        Some(b'*') => policy.wildcards,
        first => first == Some(&b'/'),
    };
    if !may_match || pattern.starts_with(b"/robots.txt") {
        return false;
    }
    // Duplicates have a lint of their own, and the first of several rules that differ only in stars at the end has an effect.
    let stem = without_stars(&pattern);
    let (mut is_first, mut has_twin) = (true, false);
    for other in rules.iter().filter(|other| other.line() != rule.line()) {
        let form = form(other.pattern.bytes(), policy);
        // Beside `Disallow: /grid/*`, `Allow: /grid/` is shadowed and not superfluous: it is about a page that should be open.
        let is_shadowed = rule.effect == Effect::Allow && other.effect != rule.effect;
        if form == pattern || is_shadowed && stem == &*pattern && without_stars(&form) == stem {
            return false;
        }
        if other.effect == rule.effect && without_stars(&form) == stem {
            let is_before = other.line() < rule.line();
            (is_first, has_twin) = (is_first && !is_before, has_twin || !is_before);
        }
    }
    !(is_first && has_twin)
}

/// The shortest name of a crawler that a value names, in lower case: values with different ones never name the same crawler.
fn name(agent: &Field<'_>, policy: &GroupPolicy) -> Vec<u8> {
    let value = agent.bytes();
    if policy.is_general(value) {
        return b"*".to_vec();
    }
    let is_part = |byte: u8| match policy.name_match {
        NameMatch::Whole => true,
        NameMatch::LeadingLetters => Alphabet::Letters.contains(byte),
        _ => is_name_byte(byte),
    };
    value.iter().take_while(|byte| is_part(**byte)).map(u8::to_ascii_lowercase).collect()
}
