//! The differences between the documents that concern groups.

use core::cmp::Ordering;

use crate::alphabet::{Alphabet, is_name_byte};

/// How lines become groups, and how groups are selected: one field for each difference between the documents.
///
/// ```
/// use robots_groups::{Crawler, GroupPolicy, Groups};
///
/// let file = b"User-agent: *\nDisallow: /a\nUser-agent: ExampleBot\nDisallow: /b\nUser-agent: *\nDisallow: /c\n";
/// let lines = |policy: &GroupPolicy| {
///     let groups = Groups::parse(file, &Default::default(), policy);
///     let selection = groups.select(&Crawler::new("OtherBot").unwrap());
///     selection.rules().map(|rule| rule.line()).collect::<Vec<_>>()
/// };
/// let mut policy = GroupPolicy::RFC9309;
/// assert_eq!(lines(&policy), [2, 6]);
/// policy.first_general_only = true;
/// assert_eq!(lines(&policy), [2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GroupPolicy {
    /// Whether a blank line ends a group, and not only a `user-agent` line after a rule. A line with a comment is not a
    /// blank line.
    pub blank_line_ends_group: bool,
    /// The characters of a product token. A crawler may have a name with other characters; see [`Crawler`](crate::Crawler).
    pub alphabet: Alphabet,
    /// How much of a `user-agent` value is compared with a crawler's name.
    pub name_match: NameMatch,
    /// Whether text after `*` and white space is ignored, so that `* (all)` stands for every crawler.
    pub text_after_wildcard: bool,
    /// Whether only the first of several groups that name a crawler applies. Otherwise, all of them are combined in the order
    /// of the file.
    pub first_named_only: bool,
    /// Whether only the first of several groups for every crawler applies, likewise.
    pub first_general_only: bool,
}

impl GroupPolicy {
    /// RFC 9309: groups as in section 2.2, selected as in section 2.2.1.
    pub const RFC9309: Self = Self {
        blank_line_ends_group: false,
        alphabet: Alphabet::Letters,
        name_match: NameMatch::Name,
        text_after_wildcard: false,
        first_named_only: false,
        first_general_only: false,
    };

    /// draft-koster-rep-00, section 2.2.1: the token matches exactly, and the first group with `*` applies.
    pub const DRAFT_KOSTER_REP_00: Self =
        Self { name_match: NameMatch::Whole, first_general_only: true, ..Self::RFC9309 };

    /// Google's interpretation, "Grouping of lines and rules": all groups of the most specific user agent apply, and text
    /// after its name is ignored. Its parser reads only the letters, `_` and `-` with which a value begins.
    pub const GOOGLE: Self =
        Self { name_match: NameMatch::LeadingLetters, text_after_wildcard: true, ..Self::RFC9309 };

    /// The draft of 1996: records end with a blank line (section 3.2), names are tokens of RFC 1945 (section 3.3), and
    /// one record applies (section 3.2.1).
    pub const KOSTER_1996: Self = Self {
        blank_line_ends_group: true,
        alphabet: Alphabet::Rfc1945Token,
        name_match: NameMatch::Whole,
        first_named_only: true,
        first_general_only: true,
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
        self.name_match.matches(value, name.as_bytes())
    }

    /// Returns whether some `user-agent` value can name the crawler `name`.
    ///
    /// Google's parser reads only letters, `_` and `-`, so no value names a crawler such as `MJ12bot` there.
    ///
    /// ```
    /// use robots_groups::GroupPolicy;
    ///
    /// assert!(GroupPolicy::RFC9309.can_name("MJ12bot"));
    /// assert!(!GroupPolicy::GOOGLE.can_name("MJ12bot"));
    /// ```
    #[must_use]
    pub fn can_name(&self, name: &str) -> bool {
        self.names(name.as_bytes(), name)
    }

    /// Returns whether `name` is a product token of the document.
    #[must_use]
    pub fn is_product_token(&self, name: &str) -> bool {
        !name.is_empty() && name != "*" && name.bytes().all(|byte| self.alphabet.contains(byte))
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

/// How much of a `user-agent` value is compared with a crawler's name. Case never counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum NameMatch {
    /// The whole value.
    Whole,
    /// The name, up to the end of the value or to a byte that cannot continue a name: anything except a letter, a digit,
    /// `_`, `-` or `.`. So `MJ12bot/1.4` names `MJ12bot`, and does not name `MJ`.
    Name,
    /// The letters, `_` and `-` with which the value begins, as Google's parser reads it. So `MJ12bot` names `MJ`, and no
    /// value names `MJ12bot`.
    LeadingLetters,
}

impl NameMatch {
    /// Compares the values of two `user-agent` lines, or a value with a name. The values that match a name follow it, with no
    /// others between: a byte that ends a name sorts before those that continue it.
    pub(crate) fn compare(self, one: &[u8], other: &[u8]) -> Ordering {
        let continues = |byte: u8| match self {
            Self::LeadingLetters => Alphabet::Letters.contains(byte),
            Self::Whole | Self::Name => is_name_byte(byte),
        };
        let key = |byte: &u8| (continues(*byte), byte.to_ascii_lowercase());
        one.iter().map(key).cmp(other.iter().map(key))
    }

    fn matches(self, value: &[u8], name: &[u8]) -> bool {
        let Some((start, rest)) = value.split_at_checked(name.len()) else { return false };
        let ends = match (self, rest) {
            (Self::LeadingLetters, _) => {
                !name.is_empty()
                    && name.iter().all(|&byte| Alphabet::Letters.contains(byte))
                    && rest.first().is_none_or(|&next| !Alphabet::Letters.contains(next))
            }
            (_, []) => true,
            (Self::Whole, _) => false,
            (Self::Name, [next, ..]) => !is_name_byte(*next),
        };
        // Most files write names as their crawlers do.
        ends && (start == name || start.eq_ignore_ascii_case(name))
    }
}
