//! Rule sets, and the paths that change between two of them, for the tests of differences.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use robots_match::{Change, Crawler, Difference, Profile, RuleSet};

/// Compiles the rules of a group for all crawlers.
pub(crate) fn rules(lines: &str, profile: &Profile) -> RuleSet {
    RuleSet::parse(format!("user-agent: *\n{lines}").as_bytes(), &Crawler::unnamed(), profile)
}

/// Returns what changes: the paths that are newly disallowed and newly allowed.
pub(crate) fn changed(before: &RuleSet, after: &RuleSet) -> [Option<String>; 2] {
    let Difference { newly_disallowed, newly_allowed, .. } = before.difference(after, Difference::MAX_STATES);
    [newly_disallowed, newly_allowed].map(|change| match change {
        Change::Nothing => None,
        Change::Path(witness) => {
            assert!(witness.is_shortest);
            assert_eq!(before.check(&witness.path), witness.before);
            assert_eq!(after.check(&witness.path), witness.after);
            Some(witness.path)
        }
        other => panic!("{other:?}"),
    })
}
