//! The differences between the documents that concern groups.

use crate::alphabet::Alphabet;

/// How lines become groups, and how groups are selected: one field for each difference between the documents.
///
/// ```
/// use robots_groups::{Alphabet, Crawler, GroupPolicy};
///
/// assert!(Crawler::new("MJ12bot").is_err());
/// let mut policy = GroupPolicy::RFC9309;
/// policy.alphabet = Alphabet::DigitsAndDots;
/// assert!(Crawler::with_names(["MJ12bot"], &policy).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GroupPolicy {
    /// The lines that end a group.
    pub boundary: Boundary,
    /// The characters of crawlers' names.
    pub alphabet: Alphabet,
    /// How much of a `user-agent` value is compared with a crawler's name.
    pub name: NameMatch,
    /// Whether text after `*` and white space is ignored, so that `* (all)` stands for every crawler.
    pub text_after_wildcard: bool,
    /// Which of several groups that name a crawler apply.
    pub named: Merge,
    /// Which of several groups for every crawler apply.
    pub general: Merge,
}

impl GroupPolicy {
    /// RFC 9309: groups as in section 2.2, selected as in section 2.2.1.
    pub const RFC9309: Self = Self {
        boundary: Boundary::UserAgentAfterRule,
        alphabet: Alphabet::Letters,
        name: NameMatch::Leading,
        text_after_wildcard: false,
        named: Merge::All,
        general: Merge::All,
    };

    /// draft-koster-rep-00, section 2.2.1: the token matches exactly, and the first group with `*` applies.
    pub const DRAFT_KOSTER_REP_00: Self =
        Self { name: NameMatch::Whole, general: Merge::First, ..Self::RFC9309 };

    /// Google's interpretation, "Grouping of lines and rules": all groups of the most specific user agent apply, and text
    /// after its name is ignored.
    pub const GOOGLE: Self = Self { text_after_wildcard: true, ..Self::RFC9309 };

    /// The draft of 1996: records end with a blank line (section 3.2), names are tokens of RFC 1945 (section 3.3), and
    /// one record applies (section 3.2.1).
    pub const KOSTER_1996: Self = Self {
        boundary: Boundary::BlankLine,
        alphabet: Alphabet::Rfc1945Token,
        name: NameMatch::Whole,
        named: Merge::First,
        general: Merge::First,
        ..Self::RFC9309
    };

    /// Returns whether `value`, of a `user-agent` line, names the crawler `name`. Case does not count.
    ///
    /// ```
    /// use robots_groups::GroupPolicy;
    ///
    /// assert!(GroupPolicy::RFC9309.names(b"examplebot/2.1", "ExampleBot"));
    /// assert!(!GroupPolicy::KOSTER_1996.names(b"examplebot/2.1", "ExampleBot"));
    /// ```
    #[must_use]
    pub fn names(&self, value: &[u8], name: &str) -> bool {
        self.name.matches(value, name.as_bytes(), self.alphabet)
    }

    /// Returns whether `value`, of a `user-agent` line, stands for every crawler.
    #[must_use]
    pub const fn is_general(&self, value: &[u8]) -> bool {
        match value {
            [b'*'] => true,
            [b'*', next, ..] => self.text_after_wildcard && matches!(next, b' ' | b'\t'..=b'\r'),
            _ => false,
        }
    }
}

impl Default for GroupPolicy {
    fn default() -> Self {
        Self::RFC9309
    }
}

/// The lines that end a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Boundary {
    /// A `user-agent` line after a rule.
    UserAgentAfterRule,
    /// A `user-agent` line after a rule, or a blank line. A line with a comment is not a blank line.
    BlankLine,
}

/// How much of a `user-agent` value is compared with a crawler's name. Case never counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameMatch {
    /// The whole value.
    Whole,
    /// The characters of the alphabet with which the value begins: `ExampleBot` of `ExampleBot/2.1`.
    Leading,
}

impl NameMatch {
    fn matches(self, value: &[u8], name: &[u8], alphabet: Alphabet) -> bool {
        let Some((start, rest)) = value.split_at_checked(name.len()) else { return false };
        let ends = match (self, rest) {
            (_, []) => true,
            (Self::Whole, _) => false,
            (Self::Leading, [next, ..]) => !alphabet.contains(*next),
        };
        ends && start.eq_ignore_ascii_case(name)
    }
}

/// Which of several matching groups apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Merge {
    /// All of them: their rules are combined in the order of the file.
    All,
    /// The first of the file.
    First,
}
