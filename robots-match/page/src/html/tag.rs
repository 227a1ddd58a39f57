//! Elements that the reader distinguishes, and tags that it can skip whole.

/// An element, as far as the places of `meta` elements depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Html,
    Head,
    Body,
    Meta,
    /// `base` and `basefont`-like elements of the head without content: the flag is whether `noscript` may contain it.
    Void {
        in_noscript: bool,
    },
    /// An element with raw text, which ends at the end tag of this name.
    Raw(RawText),
    Script,
    Noscript,
    Template,
    PlainText,
    Svg,
    Math,
    Br,
    P,
    /// An element that ends foreign content.
    BreaksOut,
    Other,
}

/// An element with raw text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawText {
    Title,
    Textarea,
    Style,
    Xmp,
    Iframe,
    Noembed,
    Noframes,
    Noscript,
    Script,
}

impl RawText {
    pub(super) const fn name(self) -> &'static [u8] {
        match self {
            Self::Title => b"title",
            Self::Textarea => b"textarea",
            Self::Style => b"style",
            Self::Xmp => b"xmp",
            Self::Iframe => b"iframe",
            Self::Noembed => b"noembed",
            Self::Noframes => b"noframes",
            Self::Noscript => b"noscript",
            Self::Script => b"script",
        }
    }

    /// Returns whether a head may contain the element.
    pub(super) const fn is_of_head(self) -> bool {
        matches!(self, Self::Title | Self::Style | Self::Noframes)
    }
}

/// The longest name of an element or attribute that is known, in bytes.
pub(super) const LONGEST: usize = 14;

impl Element {
    /// Returns the element with this name in lower case.
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"html" => Self::Html,
            b"head" => Self::Head,
            b"body" => Self::Body,
            b"meta" => Self::Meta,
            b"base" => Self::Void { in_noscript: false },
            b"basefont" | b"bgsound" | b"link" => Self::Void { in_noscript: true },
            b"title" => Self::Raw(RawText::Title),
            b"textarea" => Self::Raw(RawText::Textarea),
            b"style" => Self::Raw(RawText::Style),
            b"xmp" => Self::Raw(RawText::Xmp),
            b"iframe" => Self::Raw(RawText::Iframe),
            b"noembed" => Self::Raw(RawText::Noembed),
            b"noframes" => Self::Raw(RawText::Noframes),
            b"script" => Self::Script,
            b"noscript" => Self::Noscript,
            b"template" => Self::Template,
            b"plaintext" => Self::PlainText,
            b"svg" => Self::Svg,
            b"math" => Self::Math,
            b"br" => Self::Br,
            b"p" => Self::P,
            b"b" | b"big" | b"blockquote" | b"center" | b"code" | b"dd" | b"div" | b"dl" | b"dt" | b"em"
            | b"embed" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"hr" | b"i" | b"img" | b"li"
            | b"listing" | b"menu" | b"nobr" | b"ol" | b"pre" | b"ruby" | b"s" | b"small" | b"span"
            | b"strong" | b"strike" | b"sub" | b"sup" | b"table" | b"tt" | b"u" | b"ul" | b"var" => {
                Self::BreaksOut
            }
            _ => Self::Other,
        }
    }

    /// Returns whether a start tag in the body changes nothing for what follows, and is not looked for.
    pub(super) const fn is_idle_in_body(self) -> bool {
        matches!(
            self,
            Self::BreaksOut
                | Self::Other
                | Self::Br
                | Self::P
                | Self::Html
                | Self::Head
                | Self::Body
                | Self::Void { .. }
        )
    }

    /// Returns whether a start tag ends foreign content (HTML Standard, section 13.2.6.5).
    pub(super) const fn breaks_out(self) -> bool {
        matches!(self, Self::BreaksOut | Self::Body | Self::Head | Self::Meta | Self::Br | Self::P)
    }
}

/// Returns whether a byte is white space of HTML.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// Returns the length of the rest of a tag after its name, if the tag is written plainly: each quote follows an attribute's name and
/// `=`. Most tags are, and their attributes need not be read one by one.
pub(super) fn plain_tag_len(rest: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr3(b'>', b'"', b'\'', rest.get(from..)?)?;
        let byte = *rest.get(at)?;
        if byte == b'>' {
            return Some(at + 1);
        }
        let before = rest.get(from..at)?.strip_suffix(b"=")?;
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
        let name_at = before.iter().rposition(|byte| !is_name(byte)).map_or(0, |last| last + 1);
        if name_at == before.len() {
            return None;
        }
        let before_name = before.get(..name_at)?;
        let space_at = before_name.iter().rposition(|&byte| !is_space(byte)).map_or(0, |last| last + 1);
        // Right after an end quote, or after white space that no `=` precedes.
        let begins = name_at == 0 || space_at < name_at && before_name.get(..space_at)?.last() != Some(&b'=');
        if !begins {
            return None;
        }
        from = at + 1 + memchr::memchr(byte, rest.get(at + 1..)?)? + 1;
    }
}

/// Returns the length of a plainly written tag after its `<`, if it changes nothing in the body.
pub(super) fn idle_tag_len(rest: &[u8]) -> Option<usize> {
    let is_end_tag = rest.first() == Some(&b'/');
    let from = usize::from(is_end_tag);
    let after = rest.get(from..)?;
    if !after.first()?.is_ascii_alphabetic() {
        return None;
    }
    let len = after.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
    let (name, rest) = after.split_at_checked(len)?;
    if !(is_space(*rest.first()?) || matches!(rest.first()?, b'/' | b'>')) {
        return None;
    }
    // Short names have no content of their own.
    if !is_end_tag && len > 2 {
        let mut lower = [0; LONGEST];
        if let Some(lower) = lower.get_mut(..len) {
            lower.copy_from_slice(name);
            lower.make_ascii_lowercase();
            if !Element::of(lower).is_idle_in_body() {
                return None;
            }
        }
    }
    Some(from + len + plain_tag_len(rest)?)
}
