//! What the documents see differently about a line.

use crate::grammar::Grammar;

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

/// The keys a reader knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    /// Names a crawler.
    UserAgent,
    /// Allows paths.
    Allow,
    /// Disallows paths.
    Disallow,
    /// Names a sitemap: an "other record" that belongs to no group.
    Sitemap,
}

impl Key {
    /// The key as the documents write it, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserAgent => "user-agent",
            Self::Allow => "allow",
            Self::Disallow => "disallow",
            Self::Sitemap => "sitemap",
        }
    }

    /// Whether `written` is this key as the documents write it, in any case.
    pub(crate) fn is_spelt(self, written: &[u8]) -> bool {
        written.eq_ignore_ascii_case(self.name().as_bytes())
    }
}

/// One way to write a key. Case never counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spelling {
    /// The key that is meant.
    pub key: Key,
    text: &'static str,
    extent: Extent,
    head: Head,
}

impl Spelling {
    /// `key`, written as `text`, as far as `extent` says.
    #[must_use]
    pub const fn new(key: Key, text: &'static str, extent: Extent) -> Self {
        Self { key, text, extent, head: Head::of(text.as_bytes()) }
    }

    /// How it is written, in lower case.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Whether more may follow.
    #[must_use]
    pub const fn extent(&self) -> Extent {
        self.extent
    }

    /// What follows this key and the colon right behind it in `line`, whose first octets are `first`.
    #[inline(always)]
    pub(crate) fn behind_colon<'a>(&self, line: &'a [u8], first: First) -> Option<&'a [u8]> {
        if !self.head.fits(first) {
            return None;
        }
        let [b':', value @ ..] = line.get(self.text.len()..)? else { return None };
        let rest = self.text.len().min(Head::LEN)..self.text.len();
        let same =
            rest.is_empty() || line.get(rest.clone())?.eq_ignore_ascii_case(self.text.as_bytes().get(rest)?);
        same.then_some(value)
    }

    /// Whether `written` is this spelling.
    #[must_use]
    pub fn accepts(&self, written: &[u8]) -> bool {
        match self.extent {
            Extent::Whole => written.eq_ignore_ascii_case(self.text.as_bytes()),
            Extent::Start => written
                .get(..self.text.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(self.text.as_bytes())),
        }
    }
}

/// The first octets of a line, to be held against those of a spelling at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First(u64);

impl First {
    #[inline]
    pub(crate) fn of(line: &[u8]) -> Self {
        let octets = line.first_chunk().copied().unwrap_or_else(|| {
            let mut octets = [0; Head::LEN];
            octets.iter_mut().zip(line).for_each(|(to, from)| *to = *from);
            octets
        });
        Self(u64::from_le_bytes(octets))
    }
}

/// The first octets of a spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    octets: u64,
    /// Which octets of a line they are held against.
    mask: u64,
    /// The bit that tells lower case from upper, of those which are letters.
    case: u64,
}

impl Head {
    const LEN: usize = 8;

    const fn of(text: &[u8]) -> Self {
        let mut head = Self { octets: 0, mask: 0, case: 0 };
        let mut rest = text;
        let mut at = 0;
        while let [octet, behind @ ..] = rest {
            if at == Self::LEN {
                break;
            }
            head.octets |= (*octet as u64) << (8 * at);
            head.mask |= 0xFF << (8 * at);
            if octet.is_ascii_lowercase() {
                head.case |= 0x20 << (8 * at);
            }
            rest = behind;
            at += 1;
        }
        head
    }

    #[inline]
    const fn fits(self, line: First) -> bool {
        ((line.0 | self.case) ^ self.octets) & self.mask == 0
    }
}

/// How much of a key a spelling is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Extent {
    /// All of it.
    Whole,
    /// Its start; anything may follow.
    Start,
}

// The order within a table is that of how often files use the keys: no written key fits two of them.
const WHOLE_KEYS: &[Spelling] = &[
    Spelling::new(Key::Disallow, "disallow", Extent::Whole),
    Spelling::new(Key::Allow, "allow", Extent::Whole),
    Spelling::new(Key::UserAgent, "user-agent", Extent::Whole),
    Spelling::new(Key::Sitemap, "sitemap", Extent::Whole),
];

const LENIENT_KEYS: &[Spelling] = &[
    Spelling::new(Key::Disallow, "disallow", Extent::Start),
    Spelling::new(Key::Allow, "allow", Extent::Start),
    Spelling::new(Key::UserAgent, "user-agent", Extent::Start),
    Spelling::new(Key::Sitemap, "sitemap", Extent::Start),
    Spelling::new(Key::UserAgent, "useragent", Extent::Start),
    Spelling::new(Key::UserAgent, "user agent", Extent::Start),
    Spelling::new(Key::Disallow, "dissallow", Extent::Start),
    Spelling::new(Key::Disallow, "dissalow", Extent::Start),
    Spelling::new(Key::Disallow, "disalow", Extent::Start),
    Spelling::new(Key::Disallow, "diasllow", Extent::Start),
    Spelling::new(Key::Disallow, "disallaw", Extent::Start),
    Spelling::new(Key::Sitemap, "site-map", Extent::Start),
];
