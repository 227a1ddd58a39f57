//! Differences of two rule sets.

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
    pub(crate) fn new(difference: &robots_match::Difference, before: &[u8], after: &[u8]) -> Self {
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
