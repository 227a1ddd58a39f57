//! The keys that are known, and how they may be spelt.

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
