//! The verdicts of all profiles, side by side.

use alloc::vec::Vec;

use robots_groups::syntax::Span;
use robots_groups::{Basis, Crawler, ProductToken};

use super::decision::Decision;
use crate::profile::Profile;
use crate::rule_set::RuleSet;

/// The verdict of one named profile, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfileVerdict {
    /// The name of the profile.
    pub profile: &'static str,
    /// Whether access is allowed.
    pub is_allowed: bool,
    /// The kind of reason.
    pub decision: Decision,
    /// The line number of the deciding rule, from 1, and the place of its pattern.
    pub line: Option<(usize, Span)>,
    /// The groups that apply.
    pub basis: Basis,
}

/// Returns the verdict of each named profile, in the order of [`Profile::NAMED`].
///
/// The crawler has the product tokens `names`, the preferred token first. A name that is not a product token under a
/// profile is ignored there.
///
/// # Complexity
///
/// One pass over `body` for each profile.
///
/// ```
/// use robots_match::explain::verdicts_by_profile;
///
/// let body = b"User-agent: *\nDisallow: /\nAllow: /page\n";
/// let verdicts = verdicts_by_profile(body, &["ExampleBot"], b"/page");
/// let allowed: Vec<_> = verdicts.iter().map(|verdict| verdict.is_allowed).collect();
/// assert_eq!(allowed, [true, true, true, false]);
/// ```
#[must_use]
pub fn verdicts_by_profile(body: &[u8], names: &[&str], url: &[u8]) -> Vec<ProfileVerdict> {
    let verdict = |&(name, profile): &(&'static str, Profile)| {
        let tokens: Vec<ProductToken<'_>> =
            names.iter().filter_map(|name| ProductToken::admitted(name, &profile.groups).ok()).collect();
        let rules = RuleSet::read(body, Crawler::new(&tokens), &profile);
        let verdict = rules.check_text(url);
        ProfileVerdict {
            profile: name,
            is_allowed: verdict.is_allowed(),
            decision: Decision::of(&verdict.reason()),
            line: verdict.ruling().map(|ruling| (ruling.line, ruling.span)),
            basis: rules.basis(),
        }
    };
    Profile::NAMED.iter().map(verdict).collect()
}
