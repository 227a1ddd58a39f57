//! The documents, from octets to a verdict.

use robots_groups::syntax;

use crate::policy::Policy;

/// How a document reads a file: one policy for each layer.
///
/// ```
/// use robots_match::{Profile, groups, syntax};
///
/// assert_eq!(Profile::named("google"), Some(Profile::GOOGLE));
/// let mut mine = Profile::RFC9309;
/// mine.syntax.separator = syntax::Separator::ColonOrBlank;
/// mine.groups.alphabet = groups::Alphabet::DigitsAndDots;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Lines.
    pub syntax: syntax::SyntaxPolicy,
    /// Groups.
    pub groups: robots_groups::Policy,
    /// Paths and patterns.
    pub matching: Policy,
}

impl Profile {
    /// RFC 9309, Robots Exclusion Protocol (2022).
    pub const RFC9309: Self = Self {
        syntax: syntax::SyntaxPolicy::RFC9309,
        groups: robots_groups::Policy::RFC9309,
        matching: Policy::RFC9309,
    };

    /// draft-koster-rep-00 (2019).
    pub const DRAFT_KOSTER_REP_00: Self = Self {
        syntax: syntax::SyntaxPolicy::DRAFT_KOSTER_REP_00,
        groups: robots_groups::Policy::DRAFT_KOSTER_REP_00,
        matching: Policy::DRAFT_KOSTER_REP_00,
    };

    /// Google's interpretation of robots.txt, with what its published parser does beyond it.
    pub const GOOGLE: Self = Self {
        syntax: syntax::SyntaxPolicy::GOOGLE,
        groups: robots_groups::Policy::GOOGLE,
        matching: Policy::GOOGLE,
    };

    /// Koster's draft of 1996, "A Method for Robots Exclusion".
    pub const KOSTER_1996: Self = Self {
        syntax: syntax::SyntaxPolicy::KOSTER_1996,
        groups: robots_groups::Policy::KOSTER_1996,
        matching: Policy::KOSTER_1996,
    };

    /// All of them, with the names by which they are known.
    pub const NAMED: [(&'static str, Self); 4] = [
        ("rfc9309", Self::RFC9309),
        ("draft-koster-rep-00", Self::DRAFT_KOSTER_REP_00),
        ("google", Self::GOOGLE),
        ("koster-1996", Self::KOSTER_1996),
    ];

    /// The profile of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|&(_, profile)| profile)
    }

    /// Who reads files as the profile of this name says, for people who know none of the documents; empty for a name that
    /// is none of [`Self::NAMED`].
    ///
    /// ```
    /// use robots_match::Profile;
    /// assert_eq!(Profile::readers("google"), "Google's crawlers");
    /// ```
    #[must_use]
    pub fn readers(name: &str) -> &'static str {
        match name {
            "rfc9309" => "crawlers that go by today's standard",
            "draft-koster-rep-00" => "crawlers that go by the draft of 2019",
            "google" => "Google's crawlers",
            "koster-1996" => "old software that goes by the draft of 1996",
            _ => "",
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::RFC9309
    }
}
