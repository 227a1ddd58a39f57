//! The differences between the documents that concern rules and paths.

/// How rules are compiled and compared with paths: one field for each difference between the documents.
///
/// ```
/// use robots_match::{MatchPolicy, Profile};
///
/// let mut profile = Profile::RFC9309;
/// profile.matching.index_page_allows_directory = true;
/// assert_ne!(profile.matching, MatchPolicy::RFC9309);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MatchPolicy {
    /// The canonical form of patterns.
    pub pattern: Form,
    /// The canonical form of paths.
    pub path: Form,
    /// Whether reserved bytes are equal to their encodings.
    pub reserved: ReservedBytes,
    /// Whether `*` in a pattern stands for any characters, and `$` at its end for the end of the path.
    pub wildcards: bool,
    /// Which of several matching rules decides.
    pub precedence: Precedence,
    /// Whether a rule without a pattern (`Disallow:`) decides where no other rule matches: its line is reported, and access
    /// is allowed. Such a rule never disallows anything.
    pub empty_pattern: bool,
    /// Whether an "allow" rule for an index page (a last path segment that begins with `index.htm`) also allows its
    /// directory.
    pub index_page_allows_directory: bool,
    /// Whether `/robots.txt` is allowed whatever the rules say.
    pub robots_txt_always_allowed: bool,
    /// Whether `;` ends the authority of a URL that is given as text, as `/` and `?` do (RFC 3986, section 3.2).
    pub semicolon_ends_authority: bool,
}

impl MatchPolicy {
    /// RFC 9309: percent-encoding and precedence of section 2.2.2, special characters of section 2.2.3.
    pub const RFC9309: Self = Self {
        pattern: Form::Normal,
        path: Form::Normal,
        reserved: ReservedBytes::Equal,
        wildcards: true,
        precedence: Precedence::MostBytes,
        empty_pattern: false,
        index_page_allows_directory: false,
        robots_txt_always_allowed: true,
        semicolon_ends_authority: false,
    };

    /// draft-koster-rep-00: sections 2.2.2 and 2.2.3, which say the same as RFC 9309.
    pub const DRAFT_KOSTER_REP_00: Self = Self::RFC9309;

    /// Google's interpretation, "URL matching based on path values" and "Order of precedence for rules", and what its
    /// published parser does with bytes.
    pub const GOOGLE: Self = Self {
        pattern: Form::NonAsciiEncoded,
        path: Form::AsWritten,
        reserved: ReservedBytes::AsWritten,
        empty_pattern: true,
        index_page_allows_directory: true,
        robots_txt_always_allowed: false,
        semicolon_ends_authority: true,
        ..Self::RFC9309
    };

    /// The draft of 1996, section 3.2.2: every escape except that of `/` is decoded, and the first match counts.
    pub const KOSTER_1996: Self = Self {
        pattern: Form::DecodedButSlash,
        path: Form::DecodedButSlash,
        reserved: ReservedBytes::AsWritten,
        wildcards: false,
        precedence: Precedence::First,
        ..Self::RFC9309
    };

    /// Returns whether bytes may have encoded reserved bytes that are equal to their encodings, if `form` may change them or not.
    #[inline]
    pub(crate) fn may_have_equal_bytes(&self, form: Form, may_change: bool) -> bool {
        // Each form but one may change a `%`.
        (may_change || form == Form::AsWritten) && self.reserved == ReservedBytes::Equal
    }

    /// Returns the special characters of patterns.
    pub(crate) const fn specials(&self) -> Specials {
        if self.wildcards { Specials::StarAndDollar } else { Specials::None }
    }
}

impl Default for MatchPolicy {
    fn default() -> Self {
        Self::RFC9309
    }
}

/// A canonical form of patterns and paths: texts that mean the same become the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Nothing is changed.
    AsWritten,
    /// Bytes outside of ASCII are percent-encoded, and the hexadecimal digits of escapes are in upper case.
    NonAsciiEncoded,
    /// The normal form of RFC 3986: escapes of unreserved characters are decoded, hexadecimal digits are in upper case, and
    /// characters that no URI contains are encoded, as is a `*` or `$` that stands for itself. Reserved characters stay as
    /// they are written; see [`MatchPolicy::reserved`].
    Normal,
    /// Every escape is decoded, except those of `/` and of `%`, without which the result would be ambiguous.
    DecodedButSlash,
}

/// Whether the bytes that RFC 3986, section 2.2, reserves are equal to their encodings (RFC 9309, section 2.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReservedBytes {
    /// They are compared as they are written: `:` and `%3A` differ.
    AsWritten,
    /// They are equal, except where a byte delimits: `/`, `?` and `#` in a path, `&`, `+`, `=` and `#` in a query, and `*` and `$`,
    /// which are special in patterns. The component is that of the URL. A rule also matches what it matches as written.
    Equal,
}

/// The special characters of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Specials {
    /// None: every character stands for itself.
    None,
    /// `*` for any characters, `$` at the end for the end of the path.
    StarAndDollar,
}

/// Which of several matching rules decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precedence {
    /// The rule with the longest pattern, in bytes of its canonical form; of two as long, the one that allows; of two such,
    /// the first.
    MostBytes,
    /// The first rule.
    First,
}
