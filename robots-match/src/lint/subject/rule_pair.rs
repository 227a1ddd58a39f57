//! Two rules of a group with nearly the same pattern.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use robots_groups::syntax::{Effect, Rule};

use crate::lint::form::form;
use crate::lint::subject::file::File;
use crate::lint::subject::group::GroupView;

/// Two rules of a group whose patterns are equal, or equal except for the case of letters.
pub(crate) struct RulePair<'a> {
    pub(crate) first: Rule<'a>,
    pub(crate) rule: Rule<'a>,
    pub(crate) sameness: Sameness,
    pub(crate) file: &'a File<'a>,
}

/// The parts that two rules have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sameness {
    /// The pattern and the effect.
    All,
    /// The pattern, but not the effect.
    Pattern,
    /// The effect, and the pattern except for the case of letters.
    ExceptCase,
}

/// Calls `found` for each pair of rules of a group.
pub(crate) fn rule_pairs<'a>(view: &GroupView<'a, 'a>, mut found: impl FnMut(&RulePair<'a>)) {
    let (policy, file) = (&view.file.facts.profile.matching, view.file);
    let mut seen: BTreeMap<Vec<u8>, [Option<Rule<'a>>; 2]> = BTreeMap::new();
    let earlier = earlier_rules(view);
    let mut folded: BTreeMap<(Effect, Vec<u8>), Rule<'a>> = BTreeMap::new();
    for &rule in view.group.rules().iter().filter(|rule| !rule.pattern.is_empty()) {
        let pattern = form(rule.pattern.bytes(), policy).into_owned();
        let written = pattern.clone();
        let lower = (rule.effect, pattern.to_ascii_lowercase());
        let [allow, disallow] = seen.entry(pattern).or_default();
        let (same, other) = match rule.effect {
            Effect::Allow => (allow, disallow),
            Effect::Disallow => (disallow, allow),
        };
        if let Some(first) = *same {
            found(&RulePair { first, rule, sameness: Sameness::All, file });
            continue;
        }
        let opposite = match rule.effect {
            Effect::Allow => Effect::Disallow,
            Effect::Disallow => Effect::Allow,
        };
        if let Some(first) = other.or_else(|| earlier.get(&(opposite, written)).copied()) {
            found(&RulePair { first, rule, sameness: Sameness::Pattern, file });
        }
        *same = Some(rule);
        match folded.get(&lower) {
            // Not the same pattern: such a rule was skipped above.
            Some(&first) => found(&RulePair { first, rule, sameness: Sameness::ExceptCase, file }),
            None => {
                folded.insert(lower, rule);
            }
        }
    }
}

/// The most groups before one with the same name with whose rules its own are compared.
const MOST_GROUPS: usize = 20;

/// The rules of earlier groups of the same name, with which crawlers combine a group.
fn earlier_rules<'a>(view: &GroupView<'a, 'a>) -> BTreeMap<(Effect, Vec<u8>), Rule<'a>> {
    let (policy, file) = (&view.file.facts.profile.matching, view.file);
    let agents = view.group.agents();
    // The rules for all crawlers matter most.
    let general = agents.iter().find(|agent| file.facts.profile.groups.is_general(agent.bytes()));
    let is_general = general.is_some();
    let Some(agent) = general.or(agents.first()) else { return BTreeMap::new() };
    let indexes = file.groups_of(agent.bytes(), is_general);
    let count = indexes.iter().take(MOST_GROUPS + 1).take_while(|index| **index < view.index).count();
    // The first groups only, so that no rule is read more than a few times.
    let groups = indexes.iter().take(if count > MOST_GROUPS { 0 } else { count });
    let rules = groups.filter_map(|index| file.groups.get(*index)).flat_map(|group| group.rules().to_vec());
    rules
        .filter(|rule| !rule.pattern.is_empty())
        .map(|rule| ((rule.effect, form(rule.pattern.bytes(), policy).into_owned()), rule))
        .collect()
}
