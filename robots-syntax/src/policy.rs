//! The differences between the documents in reading lines.

use crate::spelling::{LENIENT_KEYS, Spelling, WHOLE_KEYS};

/// How lines are read: one field for each difference between the documents.
///
/// To vary a document, take the constant of the document and change a field:
///
/// ```
/// use robots_syntax::{Lines, SyntaxPolicy};
///
/// let mut policy = SyntaxPolicy::RFC9309;
/// assert_eq!(Lines::new(b"disallow /private\n", &policy).next().unwrap().to_string(), "1 unreadable");
/// policy.colon_optional = true;
/// assert_eq!(Lines::new(b"disallow /private\n", &policy).next().unwrap().to_string(), "1 disallow /private");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxPolicy {
    /// The grammar that [`Line::deviations`](crate::Line::deviations) compares lines with.
    pub grammar: Grammar,
    /// How a byte order mark before the first line is treated.
    pub byte_order_mark: ByteOrderMark,
    /// The known keys and their spellings.
    pub spellings: Spellings,
    /// Whether spaces and tabs separate key and value if a line without a colon has two words.
    pub colon_optional: bool,
    /// The bytes that are removed around keys and values.
    pub white_space: WhiteSpace,
    /// Whether the rest of a line after a NUL byte is ignored. Otherwise NUL is a byte like any other.
    pub nul_ends_line: bool,
    /// The largest number of bytes that are read of a line; the rest of a longer line is ignored. `None`: unlimited.
    pub max_line: Option<usize>,
    /// The largest number of bytes that are read of a file; the line that crosses the limit is dropped as a whole.
    /// `None`: up to [`Lines::MAX_BYTES`](crate::Lines::MAX_BYTES).
    pub max_size: Option<usize>,
}

impl SyntaxPolicy {
    /// The policy of RFC 9309: the ABNF of section 2.2 and the size limit of section 2.5.
    pub const RFC9309: Self = Self {
        grammar: Grammar::Rfc9309,
        byte_order_mark: ByteOrderMark::Skip,
        spellings: Spellings::Whole,
        colon_optional: false,
        white_space: WhiteSpace::SpaceAndTab,
        nul_ends_line: false,
        max_line: None,
        max_size: Some(500 * 1024),
    };

    /// The policy of draft-koster-rep-00: the same ABNF (section 2.2) and size limit (section 2.5).
    pub const DRAFT_KOSTER_REP_00: Self = Self::RFC9309;

    /// The policy of Google's interpretation ("File format", "Syntax"): lenient spellings and separators, at most 500
    /// kibibytes, lines of at most 16,663 bytes.
    pub const GOOGLE: Self = Self {
        byte_order_mark: ByteOrderMark::SkipPart,
        spellings: Spellings::Lenient,
        colon_optional: true,
        white_space: WhiteSpace::Ascii,
        nul_ends_line: true,
        max_line: Some(16_663),
        ..Self::RFC9309
    };

    /// The policy of the draft of 1996: the BNF of section 3.3, without limits.
    pub const KOSTER_1996: Self = Self {
        grammar: Grammar::Koster1996,
        byte_order_mark: ByteOrderMark::Keep,
        max_size: None,
        ..Self::RFC9309
    };

    /// Returns the spelling that `key` matches, if `key` is known.
    ///
    /// # Complexity
    ///
    /// O(*s*) for *s* spellings.
    ///
    /// ```
    /// use robots_syntax::{Key, SyntaxPolicy};
    /// assert_eq!(SyntaxPolicy::RFC9309.spelling(b"DISALLOW").unwrap().key, Key::Disallow);
    /// assert!(SyntaxPolicy::RFC9309.spelling(b"disalow").is_none());
    /// assert_eq!(SyntaxPolicy::GOOGLE.spelling(b"disalow").unwrap().key, Key::Disallow);
    /// ```
    #[must_use]
    #[doc(hidden)]
    pub fn spelling(&self, key: &[u8]) -> Option<&'static Spelling> {
        self.spellings.list().iter().find(|spelling| spelling.accepts(key))
    }
}

impl Default for SyntaxPolicy {
    fn default() -> Self {
        Self::RFC9309
    }
}

/// The spellings of the known keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Spellings {
    /// Those of the documents, as whole keys: `disallow`, `allow`, `user-agent`, `sitemap`.
    Whole,
    /// Also misspelt keys such as `disalow`, and longer words that begin with a key, as Google's parser reads them.
    Lenient,
}

impl Spellings {
    #[inline]
    pub(crate) const fn list(self) -> &'static [Spelling] {
        match self {
            Self::Whole => WHOLE_KEYS,
            Self::Lenient => LENIENT_KEYS,
        }
    }
}

/// The grammar of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Grammar {
    /// The ABNF of RFC 9309, section 2.2, with lines for other records, which the section invites.
    Rfc9309,
    /// The BNF of the draft of 1996, section 3.3.
    #[cfg_attr(feature = "serde", serde(rename = "koster-1996"))]
    Koster1996,
}

/// How a byte order mark (EF BB BF) before the first line is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ByteOrderMark {
    /// The mark is part of the first line, so the key of that line is not recognized.
    Keep,
    /// A complete mark is skipped.
    Skip,
    /// A complete mark is skipped, and so are the first one or two bytes of an incomplete mark.
    SkipPart,
}

impl ByteOrderMark {
    /// Returns how many bytes are skipped at the start of `input`.
    pub(crate) fn skipped(self, input: &[u8]) -> usize {
        const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
        let same = input.iter().zip(MARK).take_while(|&(&byte, mark)| byte == mark).count();
        match self {
            Self::Keep => 0,
            Self::Skip if same < MARK.len() => 0,
            Self::Skip | Self::SkipPart => same,
        }
    }
}

/// The bytes that are removed at the ends of lines, keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum WhiteSpace {
    /// Space and horizontal tab: `WS` of RFC 9309, `space` of the draft of 1996.
    SpaceAndTab,
    /// Also vertical tab, form feed and the line ends.
    Ascii,
}

impl WhiteSpace {
    /// Returns whether `byte` is white space.
    #[must_use]
    pub const fn contains(self, byte: u8) -> bool {
        match self {
            Self::SpaceAndTab => matches!(byte, b' ' | b'\t'),
            Self::Ascii => matches!(byte, b' ' | b'\t'..=b'\r'),
        }
    }
}
