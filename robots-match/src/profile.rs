//! How a document reads a file, from bytes to a verdict.

use robots_groups::GroupPolicy;
use robots_groups::syntax;

use crate::document::Document;
use crate::policy::MatchPolicy;

/// How a file is read: one policy for each layer.
///
/// Most users name a [`Document`]; a profile serves those who want to change a single policy field.
///
/// ```
/// use robots_match::{Profile, Robots, syntax};
///
/// let mut mine = Profile::RFC9309;
/// mine.syntax.colon_optional = true;
/// let robots = Robots::new("User-agent *\nDisallow /private\n", mine);
/// assert_eq!(robots.groups().len(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// How lines are read.
    pub syntax: syntax::SyntaxPolicy,
    /// How groups are formed and selected.
    pub groups: GroupPolicy,
    /// How rules are compared with paths.
    pub matching: MatchPolicy,
}

impl Profile {
    /// The profile of [`Document::Rfc9309`].
    pub const RFC9309: Self = Self {
        syntax: syntax::SyntaxPolicy::RFC9309,
        groups: GroupPolicy::RFC9309,
        matching: MatchPolicy::RFC9309,
    };

    /// The profile of [`Document::DraftKosterRep00`].
    pub const DRAFT_KOSTER_REP_00: Self = Self {
        syntax: syntax::SyntaxPolicy::DRAFT_KOSTER_REP_00,
        groups: GroupPolicy::DRAFT_KOSTER_REP_00,
        matching: MatchPolicy::DRAFT_KOSTER_REP_00,
    };

    /// The profile of [`Document::Google`].
    pub const GOOGLE: Self = Self {
        syntax: syntax::SyntaxPolicy::GOOGLE,
        groups: GroupPolicy::GOOGLE,
        matching: MatchPolicy::GOOGLE,
    };

    /// The profile of [`Document::Koster1996`].
    pub const KOSTER_1996: Self = Self {
        syntax: syntax::SyntaxPolicy::KOSTER_1996,
        groups: GroupPolicy::KOSTER_1996,
        matching: MatchPolicy::KOSTER_1996,
    };
}

impl From<Document> for Profile {
    fn from(document: Document) -> Self {
        match document {
            Document::Rfc9309 => Self::RFC9309,
            Document::DraftKosterRep00 => Self::DRAFT_KOSTER_REP_00,
            Document::Google => Self::GOOGLE,
            Document::Koster1996 => Self::KOSTER_1996,
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::RFC9309
    }
}
