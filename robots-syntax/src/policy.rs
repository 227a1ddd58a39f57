//! What the documents see differently about a line.

use crate::spelling::{LENIENT_KEYS, Spelling, WHOLE_KEYS};

/// How a reader takes lines: one field for each thing on which the documents differ.
///
/// Take a document's constant and change a field to vary it:
///
/// ```
/// use robots_syntax::{Policy, Separator, lines};
///
/// let mut policy = Policy::RFC9309;
/// assert_eq!(lines(b"disallow /private\n", &policy).next().unwrap().to_string(), "1 unreadable");
/// policy.separator = Separator::ColonOrBlank;
/// assert_eq!(lines(b"disallow /private\n", &policy).next().unwrap().to_string(), "1 disallow /private");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// The grammar that lines are held against.
    pub grammar: Grammar,
    /// What becomes of a byte order mark before the first line.
    pub byte_order_mark: ByteOrderMark,
    /// The keys that are known, and how they may be spelt.
    pub spellings: &'static [Spelling],
    /// What stands between key and value.
    pub separator: Separator,
    /// Which octets round keys and values do not count.
    pub white_space: WhiteSpace,
    /// What a NUL octet does to its line.
    pub nul: Nul,
    /// How many octets of a line are read; the rest of a longer one is ignored.
    pub max_line: Option<usize>,
    /// How many octets of a file are read; the line on which the limit falls is dropped whole.
    pub max_size: Option<usize>,
}

impl Policy {
    /// RFC 9309: the ABNF of section 2.2, the limit of section 2.5.
    pub const RFC9309: Self = Self {
        grammar: Grammar::Rfc9309,
        byte_order_mark: ByteOrderMark::Skip,
        spellings: WHOLE_KEYS,
        separator: Separator::Colon,
        white_space: WhiteSpace::Blank,
        nul: Nul::Octet,
        max_line: None,
        max_size: Some(500 * 1024),
    };

    /// draft-koster-rep-00: the same ABNF (section 2.2) and limit (section 2.5).
    pub const DRAFT_KOSTER_REP_00: Self = Self::RFC9309;

    /// Google's interpretation: lenient spellings and separators, 500 kibibytes ("File format", "Syntax"), lines of
    /// 16,663 octets.
    pub const GOOGLE: Self = Self {
        byte_order_mark: ByteOrderMark::SkipPart,
        spellings: LENIENT_KEYS,
        separator: Separator::ColonOrBlank,
        white_space: WhiteSpace::Ascii,
        nul: Nul::EndsLine,
        max_line: Some(16_663),
        ..Self::RFC9309
    };

    /// The draft of 1996: the BNF of section 3.3; no limits are stated.
    pub const KOSTER_1996: Self = Self {
        grammar: Grammar::Koster1996,
        byte_order_mark: ByteOrderMark::Keep,
        max_size: None,
        ..Self::RFC9309
    };

    /// The spelling by which `key` is known, if it is; time grows with the number of spellings.
    ///
    /// ```
    /// use robots_syntax::{Key, Policy};
    /// assert_eq!(Policy::RFC9309.spelling(b"DISALLOW").unwrap().key, Key::Disallow);
    /// assert!(Policy::RFC9309.spelling(b"disalow").is_none());
    /// assert_eq!(Policy::GOOGLE.spelling(b"disalow").unwrap().key, Key::Disallow);
    /// ```
    #[must_use]
    pub fn spelling(&self, key: &[u8]) -> Option<&'static Spelling> {
        self.spellings.iter().find(|spelling| spelling.accepts(key))
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::RFC9309
    }
}

/// The grammar of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// The ABNF of RFC 9309, section 2.2, with lines for other records as it invites.
    Rfc9309,
    /// The BNF of the 1996 draft, section 3.3.
    Koster1996,
}

/// What becomes of a byte order mark (EF BB BF) before the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ByteOrderMark {
    /// It is part of the first line, and spoils its key.
    Keep,
    /// It is skipped if it is whole.
    Skip,
    /// It is skipped, and so is its first octet or its first two alone.
    SkipPart,
}

impl ByteOrderMark {
    /// How many octets are skipped at the start of `input`.
    pub(crate) fn skipped(self, input: &[u8]) -> usize {
        const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
        let same = input.iter().zip(MARK).take_while(|&(&octet, mark)| octet == mark).count();
        match self {
            Self::Keep => 0,
            Self::Skip if same < MARK.len() => 0,
            Self::Skip | Self::SkipPart => same,
        }
    }
}

/// What stands between a key and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Separator {
    /// The first colon.
    Colon,
    /// The first colon; blanks and tabs in a line of two words that has no colon.
    ColonOrBlank,
}

/// Which octets at the ends of lines, keys and values do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhiteSpace {
    /// Blank and horizontal tab: `WS` of RFC 9309, `space` of the 1996 draft.
    Blank,
    /// Also vertical tab, form feed, and the line ends.
    Ascii,
}

impl WhiteSpace {
    /// Whether `octet` does not count.
    #[must_use]
    pub const fn contains(self, octet: u8) -> bool {
        match self {
            Self::Blank => matches!(octet, b' ' | b'\t'),
            Self::Ascii => matches!(octet, b' ' | b'\t'..=b'\r'),
        }
    }
}

/// What a NUL octet does to its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Nul {
    /// It is an octet like any other.
    Octet,
    /// Nothing after it in its line is read.
    EndsLine,
}
