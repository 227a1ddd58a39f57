//! The form in which patterns are compared.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::document::Document;
use crate::lint::text::documents;
use crate::pattern::canonical::{Role, canonical};
use crate::policy::MatchPolicy;
use crate::steps::step;

/// `pattern` in the form in which a policy compares it with paths.
pub(crate) fn form<'p>(pattern: &'p [u8], policy: &MatchPolicy) -> Cow<'p, [u8]> {
    step();
    canonical(pattern, policy.pattern, Role::Pattern(policy.specials()))
}

/// The shortest path that a pattern matches.
pub(crate) fn shortest_path(pattern: &[u8], policy: &MatchPolicy) -> Vec<u8> {
    form(pattern, policy).iter().copied().filter(|byte| !matches!(byte, b'*' | b'$')).collect()
}

/// A pattern without the stars at its end.
pub(crate) fn without_stars(pattern: &[u8]) -> &[u8] {
    let len = pattern.iter().rposition(|byte| *byte != b'*').map_or(0, |at| at + 1);
    pattern.get(..len).unwrap_or_default()
}

/// The names of the profiles for which these patterns are different.
pub(crate) fn differing(a: &[u8], b: &[u8]) -> Vec<Document> {
    documents(|profile| form(a, &profile.matching) != form(b, &profile.matching))
}
