//! Differences of two rule sets.

use robots_match::{ChangeCause, Extent, Robots};
use serde::Serialize;
use tsify::Tsify;

use crate::verdict::Verdict;

/// Which paths two rule sets treat differently.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Whether no path changes. This is proved.
    is_nothing: bool,
    newly_disallowed: Change,
    newly_allowed: Change,
}

/// Whether paths change in one direction.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct Change {
    /// `nothing`, which is proved, `path`, or `undecided` if the search reached its limit.
    result: &'static str,
    witness: Option<Witness>,
}

/// A path that two rule sets treat differently.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Witness {
    /// Path and query in percent-encoded ASCII.
    path: String,
    before: Verdict,
    after: Verdict,
    /// Whether no shorter path changes in this direction.
    is_shortest: bool,
}

impl Difference {
    pub(crate) fn new(difference: &robots_match::Difference, before: &Robots, after: &Robots) -> Self {
        let change = |change: &robots_match::Change| Change {
            result: match change {
                robots_match::Change::Nothing => "nothing",
                robots_match::Change::Path(_) => "path",
                _ => "undecided",
            },
            witness: change.witness().map(|witness| Witness {
                path: witness.path.clone(),
                before: Verdict::new(&witness.before, before),
                after: Verdict::new(&witness.after, after),
                is_shortest: witness.is_shortest,
            }),
        };
        Self {
            is_nothing: difference.is_nothing(),
            newly_disallowed: change(&difference.newly_disallowed),
            newly_allowed: change(&difference.newly_allowed),
        }
    }
}

/// The changes from one file to another for a crawler, each with the rule that causes it.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct Changes {
    list: Vec<CausedChange>,
    /// The directions that were not decided: `Newly disallowed` and `Newly allowed`.
    undecided: Vec<&'static str>,
    /// The directions in which other rules may cause changes, too.
    incomplete: Vec<&'static str>,
}

/// A path that two files treat differently.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub struct CausedChange {
    /// Path and query in percent-encoded ASCII.
    path: String,
    before: Verdict,
    after: Verdict,
    /// Whether no shorter path changes in this direction.
    is_shortest: bool,
    /// `added` for a rule of the second file, `removed` for a rule of the first one, or `order`.
    cause: &'static str,
    /// The line of this rule.
    line: Option<usize>,
}

impl Changes {
    pub(crate) fn new(found: Option<robots_match::CausedChanges>, before: &Robots, after: &Robots) -> Self {
        let extents = found.as_ref().map_or([Extent::Undecided; 2], |found| found.extents);
        let directions = |wanted| {
            let all = ["Newly disallowed", "Newly allowed"].into_iter().zip(extents);
            all.filter_map(move |(name, extent)| (extent == wanted).then_some(name)).collect()
        };
        let change = |change: &robots_match::CausedChange| {
            let (cause, line) = match change.cause {
                ChangeCause::Added(line) => ("added", Some(line)),
                ChangeCause::Removed(line) => ("removed", Some(line)),
                _ => ("order", None),
            };
            CausedChange {
                path: change.path.clone(),
                before: Verdict::new(&change.before, before),
                after: Verdict::new(&change.after, after),
                is_shortest: change.is_shortest,
                cause,
                line,
            }
        };
        Self {
            list: found.iter().flat_map(|found| &found.changes).map(change).collect(),
            undecided: directions(Extent::Undecided),
            incomplete: directions(Extent::Incomplete),
        }
    }
}
