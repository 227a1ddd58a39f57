//! The comparison of two robots.txt for crawlers.

use std::collections::HashMap;

use robots_match::{Change, CompiledRule, Difference, Robots, RuleSet, SelectionBasis, Span, Verdict};

use super::direction::Direction;
use crate::arguments::NamedCrawler;
use crate::names::{Applied, FileGroups};
use crate::subject::Subject;

/// The number of paths that are searched for each crawler and direction: one for each rule that causes a change.
const MOST_PATHS: usize = 20;

/// Two robots.txt, and the differences that were found.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) changes: Vec<Found>,
    /// The crawlers and directions for which the search reached its limit without a path.
    pub(super) undecided: Vec<(usize, Direction)>,
    /// The number of states that were visited.
    pub(super) states: usize,
}

/// A path whose verdict changes for a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The position of the crawler.
    pub(super) crawler: usize,
    pub(super) direction: Direction,
    pub(super) path: String,
    /// Whether it is proved that no shorter path changes in this direction.
    pub(super) is_shortest: bool,
    pub(super) before: Verdict,
    pub(super) after: Verdict,
    pub(super) cause: Cause,
}

/// Why a verdict changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// This line of the new file has a rule that the old one does not have for the crawler.
    Added(usize),
    /// This line of the old file has a rule that the new one does not have for the crawler.
    Removed(usize),
    /// Another group applies: that of the old file, and that of the new one.
    Group(Option<GroupName>, Option<GroupName>),
    /// A site answers without rules.
    Site,
    /// Both have the rules, and read them or their order in different ways.
    Order,
}

/// The name of a group, as it is written, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupName {
    pub(super) name: Vec<u8>,
    pub(super) line: usize,
}

impl From<Applied> for GroupName {
    fn from(applied: Applied) -> Self {
        Self { name: applied.name, line: applied.line }
    }
}

/// The paths that were found for two rule sets.
type Known = HashMap<(RuleSet, RuleSet), Vec<(Direction, Option<Path>)>>;

/// A path, whether it is the shortest, and the verdicts of the rules.
#[derive(Clone, Debug)]
struct Path {
    path: String,
    is_shortest: bool,
}

/// Compares what two robots.txt allow each crawler.
pub(super) fn compare(
    old: &Subject,
    new: &Subject,
    crawlers: &[NamedCrawler],
    max_states: usize,
) -> Compared {
    let bodies = [old, new].map(|subject| Robots::new(subject.body(), *subject.robots.profile()));
    let groups = bodies.each_ref().map(FileGroups::new);
    let mut compared = Compared::default();
    let mut known = Known::new();
    for (index, named) in crawlers.iter().enumerate() {
        let [old_groups, new_groups] = &groups;
        let rules = [old.rules_of(old_groups, &named.crawler), new.rules_of(new_groups, &named.crawler)];
        let [before, after] = &rules;
        let states = &mut compared.states;
        let found = known
            .entry((before.clone(), after.clone()))
            .or_insert_with(|| paths(old, new, named, &rules, max_states, states));
        for (direction, path) in found {
            let Some(Path { path, is_shortest }) = path else {
                compared.undecided.push((index, *direction));
                continue;
            };
            let applied = groups.each_ref().map(|groups| groups.of(&named.crawler));
            compared.changes.push(Found {
                crawler: index,
                direction: *direction,
                path: path.clone(),
                is_shortest: *is_shortest,
                before: old.verdict(before.check(&*path)),
                after: new.verdict(after.check(&*path)),
                cause: cause(old, new, &rules, path, applied),
            });
        }
    }
    compared
}

/// Finds the paths that change: a shortest one for each direction, then one for each other rule that causes a change.
/// `None` is a direction that is undecided.
fn paths(
    old: &Subject,
    new: &Subject,
    named: &NamedCrawler,
    rules: &[RuleSet; 2],
    max_states: usize,
    states: &mut usize,
) -> Vec<(Direction, Option<Path>)> {
    let [before, after] = rules;
    let difference = before.difference(after, max_states);
    *states += difference.states;
    let mut found = Vec::new();
    for direction in Direction::ALL {
        let of = |difference: &Difference| match direction {
            Direction::NewlyDisallowed => difference.newly_disallowed.clone(),
            Direction::NewlyAllowed => difference.newly_allowed.clone(),
        };
        let mut change = of(&difference);
        let mut bodies = [old, new].map(|subject| subject.robots.body().to_vec());
        for round in 0..MOST_PATHS {
            let witness = match change {
                Change::Path(witness) => witness,
                Change::Undecided if round == 0 => {
                    found.push((direction, None));
                    break;
                }
                _ => break,
            };
            let path = witness.path;
            let changes = before.check(&path).is_allowed() != after.check(&path).is_allowed()
                && after.check(&path).is_allowed() == (direction == Direction::NewlyAllowed);
            if changes {
                let is_shortest = round == 0 && witness.is_shortest;
                found.push((direction, Some(Path { path: path.clone(), is_shortest })));
            }
            // Without the rule that causes this change, the search finds the next one.
            let (old_span, new_span) = (witness.before.span(), witness.after.span());
            let is_new = |own: &RuleSet, other: &RuleSet| {
                own.deciding_rule(&path).filter(|rule| !has(other, rule)).map(|rule| rule.span)
            };
            if old.answer.is_some() || new.answer.is_some() {
                break;
            }
            let [old_body, new_body] = &mut bodies;
            let is_disabled = match (is_new(after, before), is_new(before, after)) {
                (Some(_), _) => disable(new_body, new_span),
                (None, Some(_)) => disable(old_body, old_span),
                (None, None) => false,
            };
            if !is_disabled {
                break;
            }
            let [one, other] = &bodies;
            let one = Robots::new(one, *old.robots.profile()).rules(&named.crawler);
            let other = Robots::new(other, *new.robots.profile()).rules(&named.crawler);
            let next = one.difference(&other, max_states);
            *states += next.states;
            change = of(&next);
        }
    }
    found
}

/// Makes a pattern one that matches no path, because no path begins with an `x`.
fn disable(body: &mut [u8], span: Option<Span>) -> bool {
    let Some(pattern) = span.and_then(|span| body.get_mut(span.start()..span.end())) else { return false };
    let is_changed = pattern.first().is_some_and(|&first| first != b'x');
    pattern.fill(b'x');
    is_changed
}

fn has(rules: &RuleSet, rule: &CompiledRule<'_>) -> bool {
    let same = |other: &CompiledRule<'_>| other.effect == rule.effect && other.pattern == rule.pattern;
    rules.compiled_rules().iter().any(same)
}

fn cause(
    old: &Subject,
    new: &Subject,
    rules: &[RuleSet; 2],
    path: &str,
    applied: [Option<Applied>; 2],
) -> Cause {
    if old.answer.is_some() || new.answer.is_some() {
        return Cause::Site;
    }
    let [before, after] = rules;
    let key = |applied: &Option<Applied>| applied.as_ref().map(|applied| applied.name.to_ascii_lowercase());
    let [old, new] = applied;
    let has_other_group =
        before.basis() != after.basis() || before.basis() == SelectionBasis::Named && key(&old) != key(&new);
    if has_other_group {
        return Cause::Group(old.map(GroupName::from), new.map(GroupName::from));
    }
    let missing = |own: &RuleSet, other: &RuleSet| {
        own.deciding_rule(path).filter(|rule| !has(other, rule)).map(|rule| rule.line)
    };
    match (missing(after, before), missing(before, after)) {
        (Some(line), _) => Cause::Added(line),
        (None, Some(line)) => Cause::Removed(line),
        (None, None) => Cause::Order,
    }
}
