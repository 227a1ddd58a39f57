//! The comparison of two robots.txt for crawlers.

use alloc::sync::Arc;
use std::collections::HashMap;

use robots_match::{ChangeCause, Comparer, Extent, Robots, SelectionBasis, Verdict};

use crate::arguments::NamedCrawler;
use crate::names::{Applied, FileGroups};
use crate::subject::{RulesByProfile, Subject};

/// The number of paths that are searched for each crawler and direction: one for each rule that causes a change.
const MOST_PATHS: usize = 20;

/// The number of changes in each direction from which on fewer paths are searched. Many crawlers may share many changes.
const MOST_CHANGES: usize = 50_000;

/// The differences between two robots.txt that were found.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// The changes, once for all crawlers that share their rules on both sides.
    shared: Vec<SharedChanges>,
    /// The position of each crawler with changes, that of its changes, and its own among their crawlers; sorted.
    crawlers: Vec<(usize, usize, usize)>,
    /// The crawlers and directions for which the search reached its limit without a path.
    pub(crate) undecided: Vec<(usize, Direction)>,
    /// The crawlers and directions for which other rules than those that were found may cause changes, too.
    pub(crate) incomplete: Vec<(usize, Direction)>,
    /// The number of states that were visited.
    pub(crate) states: usize,
}

/// The changes for crawlers that share their rules on both sides.
#[derive(Debug)]
struct SharedChanges {
    /// For each crawler the names of the groups that apply before and after, if other groups do.
    crawlers: Vec<Option<Box<GroupNames>>>,
    found: Vec<Found>,
}

/// The groups that apply before and after.
type GroupNames = [Option<GroupName>; 2];

/// A change for a crawler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'c> {
    /// The position of the crawler.
    pub(crate) crawler: usize,
    pub(crate) found: &'c Found,
    /// The groups that apply before and after, if other groups do. They are the cause then.
    pub(crate) groups: Option<&'c GroupNames>,
    /// The position of the changes of its rules.
    shared: usize,
}

/// A change for several crawlers.
#[derive(Debug)]
pub(crate) struct Combined<'c> {
    /// The change for the first of them. The groups of the others are the same, and name them in other lines.
    pub(crate) first: Change<'c>,
    pub(crate) crawlers: Vec<usize>,
}

impl Compared {
    /// Returns the changes of each crawler, in the order of the crawlers.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Change<'_>> {
        self.crawlers.iter().flat_map(|&(crawler, shared, place)| {
            let changes = self.shared.get(shared);
            let groups =
                changes.and_then(|changes| changes.crawlers.get(place)).and_then(|groups| groups.as_deref());
            let found = changes.into_iter().flat_map(|changes| &changes.found);
            found.map(move |found| Change { crawler, found, groups, shared })
        })
    }

    /// Returns the changes that are equal except for the crawler.
    pub(crate) fn combined(&self) -> Vec<Combined<'_>> {
        let mut all: Vec<Combined<'_>> = Vec::new();
        let mut places = HashMap::new();
        for change in self.changes() {
            let of_groups = change.groups.map(|_| change.shared);
            let place = *places.entry((of_groups, change.found)).or_insert_with(|| {
                all.push(Combined { first: change, crawlers: Vec::new() });
                all.len() - 1
            });
            if let Some(combined) = all.get_mut(place) {
                combined.crawlers.push(change.crawler);
            }
        }
        all
    }

    /// Returns whether no change was found.
    pub(crate) const fn has_no_changes(&self) -> bool {
        self.crawlers.is_empty()
    }

    /// Returns the crawlers with changes.
    pub(crate) fn changed(&self) -> impl Iterator<Item = usize> {
        self.crawlers.iter().map(|(crawler, ..)| *crawler)
    }
}

/// A path whose verdict changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Found {
    pub(crate) direction: Direction,
    pub(crate) path: String,
    /// Whether it is proved that no shorter path changes in this direction.
    pub(crate) is_shortest: bool,
    pub(crate) before: Verdict,
    pub(crate) after: Verdict,
    /// The cause, if the same groups apply.
    pub(crate) cause: Cause,
}

/// Why a verdict changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cause {
    /// This line of the new file has a rule that the old one does not have for the crawler.
    Added(usize),
    /// This line of the old file has a rule that the new one does not have for the crawler.
    Removed(usize),
    /// A site answers without rules.
    Site,
    /// Both have the rules, and read them or their order in different ways.
    Order,
}

/// The name of a group, as it is written, and its line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GroupName {
    pub(crate) name: Arc<[u8]>,
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
        let most = if is_of_site { 1 } else { (MOST_CHANGES / crawlers.len().max(1)).clamp(1, MOST_PATHS) };
        let found = one.caused_changes(before, (other, after), most, max_states, &mut comparer);
        let extents = found.as_ref().map_or([Extent::Undecided; 2], |found| found.extents);
        for (direction, extent) in Direction::ALL.into_iter().zip(extents) {
            let list = match extent {
                Extent::Undecided => &mut compared.undecided,
                Extent::Incomplete if !is_of_site => &mut compared.incomplete,
                _ => continue,
            };
            list.extend(members.iter().map(|&crawler| (crawler, direction)));
        }
        let found = found.unwrap_or_default();
        compared.states += found.states;
        if found.changes.is_empty() {
            continue;
        }
        let found = found.changes.into_iter().map(|path| {
            let direction =
                if path.after.is_allowed() { Direction::NewlyAllowed } else { Direction::NewlyDisallowed };
            let cause = match path.cause {
                _ if is_of_site => Cause::Site,
                ChangeCause::Added(line) => Cause::Added(line),
                ChangeCause::Removed(line) => Cause::Removed(line),
                _ => Cause::Order,
            };
            Found {
                direction,
                path: path.path,
                is_shortest: path.is_shortest,
                before: old.verdict(path.before),
                after: new.verdict(path.after),
                cause,
            }
        });
        let found = found.collect();
        let place = compared.shared.len();
        let basis = [one.basis(before), other.basis(after)];
        let of_crawlers = members.iter().map(|&crawler| {
            let named = crawlers.get(crawler).filter(|_| !is_of_site)?;
            other_groups(basis, index.each_ref().map(|index| index.applied(&named.crawler)))
        });
        let of_crawlers = of_crawlers.collect();
        compared.shared.push(SharedChanges { crawlers: of_crawlers, found });
        compared.crawlers.extend(members.into_iter().enumerate().map(|(at, crawler)| (crawler, place, at)));
    }
    compared.crawlers.sort_unstable();
    compared.undecided.sort_by_key(|(crawler, _)| *crawler);
    compared.incomplete.sort_by_key(|(crawler, _)| *crawler);
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

/// Returns the groups that apply before and after, if other groups do.
fn other_groups(
    [before, after]: [SelectionBasis; 2],
    applied: [Option<Applied>; 2],
) -> Option<Box<GroupNames>> {
    let key = |applied: &Option<Applied>| applied.as_ref().map(|applied| applied.name.to_ascii_lowercase());
    let [old, new] = applied.each_ref().map(key);
    let are_others = before != after || before == SelectionBasis::Named && old != new;
    are_others.then(|| Box::new(applied.map(|applied| applied.map(GroupName::from))))
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
