//! The comparison of two robots.txt for crawlers.

use std::collections::HashSet;

use robots_match::{Change, Comparer, Difference, Effect, Robots, RuleSet, SelectionBasis, Verdict};

use super::direction::Direction;
use crate::arguments::NamedCrawler;
use crate::names::{Applied, FileGroups};
use crate::subject::{RulesByProfile, Subject};

/// The number of paths that are searched for each crawler and direction: one for each rule that causes a change.
const MOST_PATHS: usize = 20;

/// Two robots.txt, and the differences that were found.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    pub(crate) changes: Vec<Found>,
    /// The crawlers and directions for which the search reached its limit without a path.
    pub(crate) undecided: Vec<(usize, Direction)>,
    /// The number of states that were visited.
    pub(crate) states: usize,
}

/// A path whose verdict changes for a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The position of the crawler.
    pub(crate) crawler: usize,
    pub(crate) direction: Direction,
    pub(crate) path: String,
    /// Whether it is proved that no shorter path changes in this direction.
    pub(crate) is_shortest: bool,
    pub(crate) before: Verdict,
    pub(crate) after: Verdict,
    pub(crate) cause: Cause,
}

/// Why a verdict changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cause {
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GroupName {
    pub(crate) name: Vec<u8>,
    pub(crate) line: usize,
}

impl From<Applied> for GroupName {
    fn from(applied: Applied) -> Self {
        Self { name: applied.name, line: applied.line }
    }
}

/// The rules of both sides for some crawlers.
struct Pair<'p> {
    subjects: [&'p Subject; 2],
    shared: &'p [RulesByProfile<'p>; 2],
    sets: [usize; 2],
    rules: [RuleSet; 2],
}

/// A path whose verdict changes, and the cause if the groups that apply are not.
struct Path {
    path: String,
    /// Whether it is proved that no shorter path changes in this direction.
    is_shortest: bool,
    before: Verdict,
    after: Verdict,
    cause: Cause,
}

/// Compares what two robots.txt allow each crawler. Crawlers that share their rules on both sides are compared once.
pub(crate) fn compare(
    old: &Subject,
    new: &Subject,
    crawlers: &[NamedCrawler],
    max_states: usize,
) -> Compared {
    let subjects = [old, new];
    let bodies = subjects.map(|subject| Robots::new(subject.body(), *subject.robots.profile()));
    let groups = bodies.each_ref().map(FileGroups::new);
    let index = groups.each_ref().map(FileGroups::index);
    let shared = subjects.map(|subject| subject.rules_for(crawlers.iter().map(|named| &named.crawler)));
    let pairs = pairs(&shared, crawlers.len());
    let mut compared = Compared::default();
    let bytes = bodies.iter().map(|robots| robots.body().len()).sum();
    let mut comparer = Comparer::new(Comparer::work_for(bytes));
    for (sets, members) in pairs {
        let [one, other] = &shared;
        let [before, after] = sets;
        if old.answer == new.answer && one.has_same_rules(before, other, after, &mut comparer) {
            continue;
        }
        let rules = one.compile(before, &mut comparer).zip(other.compile(after, &mut comparer));
        let found = match rules {
            Some((before, after)) => {
                let pair = Pair { subjects, shared: &shared, sets, rules: [before, after] };
                paths(&pair, max_states, &mut comparer, &mut compared.states)
            }
            None => Direction::ALL.map(|direction| (direction, None)).into(),
        };
        for (direction, path) in &found {
            for &crawler in &members {
                let Some(path) = path else {
                    compared.undecided.push((crawler, *direction));
                    continue;
                };
                let Some(named) = crawlers.get(crawler) else { continue };
                let [old_groups, new_groups] = &groups;
                let [old_index, new_index] = &index;
                let applied = [
                    old_groups.applied(old_index, &named.crawler),
                    new_groups.applied(new_index, &named.crawler),
                ];
                compared.changes.push(Found {
                    crawler,
                    direction: *direction,
                    path: path.path.clone(),
                    is_shortest: path.is_shortest,
                    before: path.before,
                    after: path.after,
                    cause: of_group(&path.cause, &shared, sets, applied),
                });
            }
        }
    }
    compared.changes.sort_by_key(|found| found.crawler);
    compared.undecided.sort_by_key(|(crawler, _)| *crawler);
    compared
}

/// Returns the rule sets of both sides that go together, each with its crawlers.
pub(crate) fn pairs(shared: &[RulesByProfile<'_>; 2], crawlers: usize) -> Vec<([usize; 2], Vec<usize>)> {
    let sets = |crawler: usize| shared.each_ref().map(|shared| shared.set_of(crawler));
    let mut order: Vec<usize> = (0..crawlers).collect();
    order.sort_by_key(|&crawler| sets(crawler));
    let same = order.chunk_by(|&one, &other| sets(one) == sets(other));
    same.filter_map(|members| Some((sets(*members.first()?), members.to_vec()))).collect()
}

/// Finds the paths that change: a shortest one for each direction, then one for each other rule that causes a change.
/// `None` is a direction that is undecided.
fn paths(
    pair: &Pair<'_>,
    max_states: usize,
    comparer: &mut Comparer,
    states: &mut usize,
) -> Vec<(Direction, Option<Path>)> {
    let [before, after] = &pair.rules;
    let [old, new] = pair.subjects;
    let difference = comparer.difference(before, after, max_states);
    *states += difference.states;
    if difference.is_nothing() {
        return Vec::new();
    }
    let texts = pair.rules.each_ref().map(texts);
    let mut found = Vec::new();
    for direction in Direction::ALL {
        let of = |difference: &Difference| match direction {
            Direction::NewlyDisallowed => difference.newly_disallowed.clone(),
            Direction::NewlyAllowed => difference.newly_allowed.clone(),
        };
        let mut change = of(&difference);
        let mut without: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
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
            let missing = missing(pair, &texts, &path);
            let [was, is] = [before, after].map(|rules| rules.check(&*path));
            if was.is_allowed() != is.is_allowed()
                && is.is_allowed() == (direction == Direction::NewlyAllowed)
            {
                let cause = match missing {
                    _ if old.answer.is_some() || new.answer.is_some() => Cause::Site,
                    [_, Some(line)] => Cause::Added(line),
                    [Some(line), None] => Cause::Removed(line),
                    [None, None] => Cause::Order,
                };
                let is_shortest = round == 0 && witness.is_shortest;
                let [before, after] = [old.verdict(was), new.verdict(is)];
                let path = Path { path, is_shortest, before, after, cause };
                found.push((direction, Some(path)));
            }
            // Without the rule that causes this change, the search finds the next one.
            if old.answer.is_some() || new.answer.is_some() {
                break;
            }
            let lines = [witness.before, witness.after].map(|verdict| verdict.line());
            let [without_old, without_new] = &mut without;
            let (lines_without, line) = match (missing, lines) {
                ([_, Some(_)], [_, Some(line)]) => (without_new, line),
                ([Some(_), None], [Some(line), _]) => (without_old, line),
                _ => break,
            };
            if lines_without.contains(&line) {
                break;
            }
            lines_without.push(line);
            let [one, other] = pair.shared;
            let [one_set, other_set] = pair.sets;
            let [without_old, without_new] = &without;
            let one = one.compile_without(one_set, without_old, comparer);
            let rules = one.zip(other.compile_without(other_set, without_new, comparer));
            let Some((one, other)) = rules else { break };
            let next = comparer.difference(&one, &other, max_states);
            *states += next.states;
            change = of(&next);
        }
    }
    found
}

/// The rules of a rule set as text: the effect, and the canonical pattern.
type Texts = HashSet<(Effect, Vec<u8>)>;

fn texts(rules: &RuleSet) -> Texts {
    rules.compiled_rules().iter().map(|rule| (rule.effect, rule.pattern.to_vec())).collect()
}

/// Returns the lines of the rules that decide about a path before and after, if the other side does not have these rules.
fn missing(pair: &Pair<'_>, texts: &[Texts; 2], path: &str) -> [Option<usize>; 2] {
    let [before, after] = &pair.rules;
    let [old, new] = texts;
    let line = |own: &RuleSet, other: &Texts| {
        let rule = own.deciding_rule(path)?;
        (!other.contains(&(rule.effect, rule.pattern.to_vec()))).then_some(rule.line)
    };
    [line(before, new), line(after, old)]
}

/// Returns the cause of a change: other groups, or `cause`.
fn of_group(
    cause: &Cause,
    shared: &[RulesByProfile<'_>; 2],
    sets: [usize; 2],
    applied: [Option<Applied>; 2],
) -> Cause {
    if *cause == Cause::Site {
        return Cause::Site;
    }
    let ([old_shared, new_shared], [old_set, new_set]) = (shared, sets);
    let (before, after) = (old_shared.basis(old_set), new_shared.basis(new_set));
    let key = |applied: &Option<Applied>| applied.as_ref().map(|applied| applied.name.to_ascii_lowercase());
    let [old, new] = applied;
    if before != after || before == SelectionBasis::Named && key(&old) != key(&new) {
        return Cause::Group(old.map(GroupName::from), new.map(GroupName::from));
    }
    cause.clone()
}
