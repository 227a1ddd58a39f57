//! How much of a site the rules for a crawler allow: everything, parts, or nothing.

use alloc::sync::Arc;

use robots_match::syntax::BodyKind;
use robots_match::{Change, Comparer, Crawler, Difference, Profile, RuleSet, Verdict};

use crate::subject::RulesByProfile;
use crate::text::Text;
use crate::verdict::why;

/// The part of a site that a crawler may access. All values except `Undecided` are proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything is allowed.
    All,
    /// A path is allowed, and another is not.
    Parts,
    /// Everything except `/robots.txt` is disallowed.
    Nothing,
    /// The search for a proof reached its limit.
    Undecided,
}

/// The extent of a rule set, with a path as an example.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) extent: Extent,
    /// A shortest path that is disallowed, if there are parts; otherwise `/`.
    pub(crate) path: Arc<str>,
    /// The verdict about the path; `None` if the file would take too much work.
    pub(crate) verdict: Option<Verdict>,
}

impl Extent {
    pub(crate) const ALL: [Self; 4] = [Self::All, Self::Parts, Self::Nothing, Self::Undecided];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Parts => "parts",
            Self::Nothing => "nothing",
            Self::Undecided => "undecided",
        }
    }

    /// Returns the word for crawlers that have this access, as in `4 blocked`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::All => "open",
            Self::Parts => "partly open",
            Self::Nothing => "blocked",
            Self::Undecided => "undecided",
        }
    }
}

impl Measured {
    /// Measures a rule set that crawlers share.
    pub(crate) fn of_shared(shared: &RulesByProfile<'_>, set: usize, comparer: &mut Comparer) -> Self {
        match shared.compile(set, comparer) {
            Some(rules) => Self::new(&rules, shared.profile(set), comparer),
            None => Self { extent: Extent::Undecided, path: "/".into(), verdict: None },
        }
    }

    /// Prepares a comparer for rule sets of the profile, by measuring a small one.
    pub(crate) fn prepare(profile: &Profile, comparer: &mut Comparer) {
        let rules = RuleSet::parse(b"User-agent: *\nDisallow: /a\n", &Crawler::unnamed(), profile);
        let _ = Self::new(&rules, profile, comparer);
    }

    /// Measures a rule set that was compiled under the profile.
    pub(crate) fn new(rules: &RuleSet, profile: &Profile, comparer: &mut Comparer) -> Self {
        let fixed = |file: &[u8]| RuleSet::parse(file, &Crawler::unnamed(), profile);
        let at_root = |extent| Self { extent, path: "/".into(), verdict: Some(rules.check("/")) };
        if rules.is_empty() {
            return at_root(Extent::All);
        }
        let mut difference = |file: &[u8]| comparer.difference(&fixed(file), rules, Difference::MAX_STATES);
        let disallowed = difference(b"").newly_disallowed;
        if disallowed.is_nothing() {
            return at_root(Extent::All);
        }
        let allowed = difference(b"User-agent: *\nDisallow: /\n").newly_allowed;
        match (disallowed, allowed) {
            (_, Change::Nothing) => at_root(Extent::Nothing),
            (Change::Path(witness), Change::Path(_)) => {
                Self { extent: Extent::Parts, path: witness.path.into(), verdict: Some(witness.after) }
            }
            _ => at_root(Extent::Undecided),
        }
    }

    /// Returns what decides, for people.
    pub(crate) fn why(&self, body: &[u8], kind: BodyKind) -> String {
        let Some(verdict) = &self.verdict else {
            return "undecided: the file takes too much work".to_owned();
        };
        let decides = why(verdict, body, kind);
        match self.extent {
            Extent::Parts => format!("{decides} ({})", Text(self.path.as_bytes()).short()),
            _ => decides,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_allow_all_parts_or_nothing() {
        let measured = |file: &str| {
            let profile = Profile::RFC9309;
            let file = format!("User-agent: *\n{file}");
            let rules = RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &profile);
            let measured = Measured::new(&rules, &profile, &mut Comparer::new(usize::MAX));
            (measured.extent, measured.path.to_string(), measured.verdict.and_then(|verdict| verdict.line()))
        };
        let root = || "/".to_owned();
        assert_eq!(measured(""), (Extent::All, root(), None));
        assert_eq!(measured("Disallow:\n"), (Extent::All, root(), None));
        assert_eq!(measured("Allow: /\nDisallow: /\n"), (Extent::All, root(), Some(2)));
        assert_eq!(measured("Disallow: /\n"), (Extent::Nothing, root(), Some(2)));
        assert_eq!(measured("Disallow: *\nAllow: /robots.txt\n"), (Extent::Parts, root(), Some(2)));
        assert_eq!(measured("Disallow: /a\nDisallow: /a/b\n"), (Extent::Parts, "/a".to_owned(), Some(2)));
        assert_eq!(measured("Disallow: /\nAllow: /a\n"), (Extent::Parts, root(), Some(2)));
    }
}
