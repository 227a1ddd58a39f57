//! The result of a comparison of two rule sets.

use alloc::string::String;

use crate::verdict::Verdict;

/// Which paths two rule sets treat differently: a shortest path for each direction, or the proof that there is none.
///
/// Paths are what URLs contain: printable ASCII without `#`, in which each `%` begins an escape. Paths with other `%` are
/// searched too if valid ones do not differ.
///
/// ```
/// use robots_match::{Crawler, Difference, Profile, RuleSet};
///
/// let crawler = Crawler::new("ExampleBot")?;
/// let old = RuleSet::parse(b"User-agent: *\nDisallow: /*.pdf\n", &crawler, &Profile::RFC9309);
/// let new = RuleSet::parse(b"User-agent: *\nDisallow: /*.pdf$\n", &crawler, &Profile::RFC9309);
/// let difference = old.difference(&new, Difference::MAX_STATES);
/// assert!(difference.newly_disallowed.is_nothing());
/// let witness = difference.newly_allowed.witness().unwrap();
/// assert_eq!(witness.path, "/.pdfx");
/// assert_eq!(witness.before.to_string(), "disallowed by line 2");
/// assert_eq!(witness.after.to_string(), "allowed: no rule matches");
/// # Ok::<(), robots_match::InvalidName>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The paths that were allowed and are not any more.
    pub newly_disallowed: Change,
    /// The paths that were disallowed and are not any more.
    pub newly_allowed: Change,
    /// How many states the search visited.
    pub states: usize,
}

/// Whether paths change in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// No path changes. This is proved.
    Nothing,
    /// This path changes, and perhaps others.
    Path(Witness),
    /// The search reached its limit before it found a path or a proof.
    Undecided,
}

/// A path that two rule sets treat differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Witness {
    /// The path and query in percent-encoded ASCII, as [`RuleSet::check`](crate::RuleSet::check) accepts it.
    pub path: String,
    /// The verdict of the rule set before.
    pub before: Verdict,
    /// The verdict of the rule set after.
    pub after: Verdict,
    /// Whether no shorter path changes in the same direction, among paths in their canonical form, in bytes as they are
    /// written. Not set if the search reached its limit.
    pub is_shortest: bool,
}

impl Difference {
    /// The usual limit for the number of states. The removal of each of 99,465 rules of 2,090 real files was decided with at
    /// most 12,041 states.
    pub const MAX_STATES: usize = 200_000;

    /// Returns whether both rule sets have the same verdict about every path, apart from the reasons. This is proved.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        self.newly_disallowed.is_nothing() && self.newly_allowed.is_nothing()
    }

    /// Returns the shorter one of the paths of both directions.
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        let both = [&self.newly_disallowed, &self.newly_allowed];
        both.into_iter().filter_map(Change::witness).min_by_key(|witness| witness.path.len())
    }
}

impl Change {
    /// Returns whether it is proved that no path changes.
    #[must_use]
    pub const fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// Returns the path that changes, if one was found.
    #[must_use]
    pub const fn witness(&self) -> Option<&Witness> {
        match self {
            Self::Path(witness) => Some(witness),
            Self::Nothing | Self::Undecided => None,
        }
    }
}
