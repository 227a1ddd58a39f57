//! The comparison of two robots.txt for crawlers.

use robots_match::{ChangeCause, Comparer, Robots, SelectionBasis, Verdict};

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
        let is_of_site = old.answer.is_some() || new.answer.is_some();
        // An answer of a site without rules is one change.
        let most = if is_of_site { 1 } else { MOST_PATHS };
        let found = one.caused_changes(before, (other, after), most, max_states, &mut comparer);
        let undecided = match &found {
            None => Direction::ALL.to_vec(),
            Some(found) => Direction::ALL
                .into_iter()
                .zip([found.is_newly_disallowed_undecided, found.is_newly_allowed_undecided])
                .filter_map(|(direction, is_undecided)| is_undecided.then_some(direction))
                .collect(),
        };
        for direction in undecided {
            compared.undecided.extend(members.iter().map(|&crawler| (crawler, direction)));
        }
        let found = found.unwrap_or_default();
        compared.states += found.states;
        for path in &found.changes {
            let direction =
                if path.after.is_allowed() { Direction::NewlyAllowed } else { Direction::NewlyDisallowed };
            let cause = match path.cause {
                _ if is_of_site => Cause::Site,
                ChangeCause::Added(line) => Cause::Added(line),
                ChangeCause::Removed(line) => Cause::Removed(line),
                _ => Cause::Order,
            };
            for &crawler in &members {
                let Some(named) = crawlers.get(crawler) else { continue };
                let [old_groups, new_groups] = &groups;
                let [old_index, new_index] = &index;
                let applied = [
                    old_groups.applied(old_index, &named.crawler),
                    new_groups.applied(new_index, &named.crawler),
                ];
                compared.changes.push(Found {
                    crawler,
                    direction,
                    path: path.path.clone(),
                    is_shortest: path.is_shortest,
                    before: old.verdict(path.before),
                    after: new.verdict(path.after),
                    cause: of_group(&cause, &shared, sets, applied),
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

/// The direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    NewlyDisallowed,
    NewlyAllowed,
}

impl Direction {
    pub(crate) const ALL: [Self; 2] = [Self::NewlyDisallowed, Self::NewlyAllowed];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::NewlyDisallowed => "newly-disallowed",
            Self::NewlyAllowed => "newly-allowed",
        }
    }
}
