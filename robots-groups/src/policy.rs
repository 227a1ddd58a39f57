//! What the documents see differently about groups.

use crate::token::{Alphabet, ProductToken};

/// How lines become groups and groups are found: one field for each thing on which the documents differ.
///
/// ```
/// use robots_groups::{Alphabet, Policy, ProductToken};
///
/// assert!(ProductToken::new("MJ12bot").is_err());
/// let mut policy = Policy::RFC9309;
/// policy.alphabet = Alphabet::DigitsAndDots;
/// assert!(ProductToken::admitted("MJ12bot", &policy).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// What ends a group.
    pub boundary: Boundary,
    /// The octets of product tokens.
    pub alphabet: Alphabet,
    /// How much of a `user-agent` value names a crawler.
    pub name: Name,
    /// Which `user-agent` values stand for every crawler.
    pub wildcard: Wildcard,
    /// Which of several groups that name a crawler apply.
    pub named: Merge,
    /// Which of several groups for every crawler apply.
    pub general: Merge,
}

impl Policy {
    /// RFC 9309: groups as in section 2.2, found as in section 2.2.1.
    pub const RFC9309: Self = Self {
        boundary: Boundary::UserAgentAfterRule,
        alphabet: Alphabet::Letters,
        name: Name::Leading,
        wildcard: Wildcard::Alone,
        named: Merge::All,
        general: Merge::All,
    };

    /// draft-koster-rep-00, section 2.2.1: the token matches exactly, the first group with `*` applies.
    pub const DRAFT_KOSTER_REP_00: Self = Self { name: Name::Whole, general: Merge::First, ..Self::RFC9309 };

    /// Google's interpretation, "Grouping of lines and rules": all groups of the most specific agent, and what follows
    /// its name is ignored.
    pub const GOOGLE: Self = Self { wildcard: Wildcard::BeforeWhiteSpace, ..Self::RFC9309 };

    /// The draft of 1996: records end with a blank line (section 3.2), names are tokens of RFC 1945 (section 3.3), and
    /// one record applies (section 3.2.1).
    pub const KOSTER_1996: Self = Self {
        boundary: Boundary::BlankLine,
        alphabet: Alphabet::Rfc1945Token,
        name: Name::Whole,
        named: Merge::First,
        general: Merge::First,
        ..Self::RFC9309
    };

    /// Whether `value`, of a `user-agent` line, names the crawler that goes by `token`.
    ///
    /// ```
    /// use robots_groups::{Policy, ProductToken};
    /// let token = ProductToken::new("ExampleBot")?;
    /// assert!(Policy::RFC9309.names(b"examplebot/2.1", token));
    /// assert!(!Policy::KOSTER_1996.names(b"examplebot/2.1", token));
    /// # Ok::<(), robots_groups::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn names(&self, value: &[u8], token: ProductToken<'_>) -> bool {
        self.name.is_named(value, token.as_str().as_bytes(), self.alphabet)
    }

    /// The same for a crawler that goes by several.
    pub(crate) fn names_any(&self, value: &[u8], tokens: &[ProductToken<'_>]) -> bool {
        tokens.iter().any(|&token| self.names(value, token))
    }

    /// Whether `value`, of a `user-agent` line, stands for every crawler.
    #[must_use]
    pub const fn is_general(&self, value: &[u8]) -> bool {
        self.wildcard.is_general(value)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::RFC9309
    }
}

/// What ends a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Boundary {
    /// A `user-agent` line after a rule.
    UserAgentAfterRule,
    /// That, and a blank line. A line with a comment is not blank.
    BlankLine,
}

/// How much of a `user-agent` value names a crawler. Case never counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Name {
    /// All of it.
    Whole,
    /// The octets of the alphabet with which it begins: `ExampleBot` of `ExampleBot/2.1`.
    Leading,
}

impl Name {
    /// Whether `value` names the crawler `token`.
    pub(crate) fn is_named(self, value: &[u8], token: &[u8], alphabet: Alphabet) -> bool {
        let Some((start, rest)) = value.split_at_checked(token.len()) else { return false };
        let ends = match (self, rest) {
            (_, []) => true,
            (Self::Whole, _) => false,
            (Self::Leading, [next, ..]) => !alphabet.contains(*next),
        };
        ends && start.eq_ignore_ascii_case(token)
    }
}

/// Which `user-agent` values stand for every crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wildcard {
    /// `*` alone.
    Alone,
    /// `*`, and anything that begins with `*` and white space.
    BeforeWhiteSpace,
}

impl Wildcard {
    /// Whether `value` stands for every crawler.
    pub(crate) const fn is_general(self, value: &[u8]) -> bool {
        match (self, value) {
            (_, [b'*']) => true,
            (Self::BeforeWhiteSpace, [b'*', next, ..]) => matches!(next, b' ' | b'\t'..=b'\r'),
            _ => false,
        }
    }
}

/// Which of several matching groups apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Merge {
    /// All of them: their rules add up, in the order of the file.
    All,
    /// The first of the file.
    First,
}
