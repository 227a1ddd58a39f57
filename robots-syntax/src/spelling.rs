//! The known keys and their spellings.
//!
//! These types are public for the crates above and hidden from the documentation.

/// The known keys.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Key {
    /// The key of a line with the name of a crawler.
    UserAgent,
    /// The key of a rule that allows access.
    Allow,
    /// The key of a rule that disallows access.
    Disallow,
    /// The key of a sitemap: an "other record" that does not belong to a group.
    Sitemap,
}

impl Key {
    /// Returns the key as the documents write it, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserAgent => "user-agent",
            Self::Allow => "allow",
            Self::Disallow => "disallow",
            Self::Sitemap => "sitemap",
        }
    }

    /// Returns the first letter of the key, in lower case.
    pub(crate) const fn initial(self) -> u8 {
        match self {
            Self::UserAgent => b'u',
            Self::Allow => b'a',
            Self::Disallow => b'd',
            Self::Sitemap => b's',
        }
    }

    /// Returns whether `written` is this key as the documents write it, ignoring ASCII case.
    pub(crate) fn is_spelt(self, written: &[u8]) -> bool {
        written.eq_ignore_ascii_case(self.name().as_bytes())
    }
}

/// A spelling of a key, compared without ASCII case.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spelling {
    /// The key that this spelling stands for.
    pub key: Key,
    text: &'static str,
    extent: Extent,
    head: Head,
    /// The last bytes of a text that is longer than its head.
    tail: Head,
}

impl Spelling {
    /// Creates a spelling of `key`. `text` is in lower case, and begins with the first letter of the key.
    const fn new(key: Key, text: &'static str, extent: Extent) -> Self {
        let bytes = text.as_bytes();
        assert!(matches!((bytes.first(), key.initial()), (Some(first), initial) if *first == initial));
        let tail = bytes.split_at(bytes.len().saturating_sub(Head::LEN)).1;
        Self { key, text, extent, head: Head::of(bytes), tail: Head::of(tail) }
    }

    /// Returns the text, in lower case.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns whether the whole key or only the start has to match.
    #[must_use]
    pub const fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns what follows this key and a colon in `line`, whose first bytes are `first`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn after_colon<'a>(&self, line: &'a [u8], first: First) -> Option<&'a [u8]> {
        if !self.head.fits(first) {
            return None;
        }
        let [b':', value @ ..] = line.get(self.text.len()..)? else { return None };
        let len = self.text.len();
        let same = len <= Head::LEN || self.tail.fits(First::of(line.get(len - Head::LEN..)?));
        same.then_some(value)
    }

    /// Returns whether `written` matches this spelling.
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

/// The first bytes of a line, compared with the first bytes of a spelling in one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First(u64);

impl First {
    #[inline]
    pub(crate) fn of(line: &[u8]) -> Self {
        let bytes = line.first_chunk().copied().unwrap_or_else(|| {
            let mut bytes = [0; Head::LEN];
            bytes.iter_mut().zip(line).for_each(|(to, from)| *to = *from);
            bytes
        });
        Self(u64::from_le_bytes(bytes))
    }
}

/// The first bytes of a spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    bytes: u64,
    /// The bytes of a line that are compared.
    mask: u64,
    /// The case bit of every byte that is a letter.
    case: u64,
}

impl Head {
    const LEN: usize = 8;

    const fn of(text: &[u8]) -> Self {
        let mut head = Self { bytes: 0, mask: 0, case: 0 };
        let mut rest = text;
        let mut at = 0;
        while let [byte, after @ ..] = rest {
            if at == Self::LEN {
                break;
            }
            head.bytes |= (*byte as u64) << (8 * at);
            head.mask |= 0xFF << (8 * at);
            if byte.is_ascii_lowercase() {
                head.case |= 0x20 << (8 * at);
            }
            rest = after;
            at += 1;
        }
        head
    }

    #[inline]
    const fn fits(self, line: First) -> bool {
        ((line.0 | self.case) ^ self.bytes) & self.mask == 0
    }
}

/// How much of a key has to match a spelling.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Extent {
    /// The whole key.
    Whole,
    /// Only the start; anything may follow.
    Start,
}

// The most frequent keys come first. The order does not change results, because no key matches two spellings.
pub(crate) const WHOLE_KEYS: &[Spelling] = &[
    Spelling::new(Key::Disallow, "disallow", Extent::Whole),
    Spelling::new(Key::Allow, "allow", Extent::Whole),
    Spelling::new(Key::UserAgent, "user-agent", Extent::Whole),
    Spelling::new(Key::Sitemap, "sitemap", Extent::Whole),
];

pub(crate) const LENIENT_KEYS: &[Spelling] = &[
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

/// Returns whether a word is in a list of words with spaces between them, in upper or lower case.
pub(crate) fn is_one_of(word: &[u8], list: &str) -> bool {
    list.as_bytes().split(|byte| *byte == b' ').any(|known| known.eq_ignore_ascii_case(word))
}
