//! The attribute `rel` of links.

/// What the attribute `rel` of a link says about following it. It is separate from the rules of the page.
///
/// ```
/// use robots_page::LinkRel;
///
/// let rel = LinkRel::parse(b"Sponsored, nofollow");
/// assert!(rel.nofollow && rel.sponsored && !rel.ugc);
/// assert!(rel.asks_not_to_follow());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[expect(clippy::exhaustive_structs, reason = "the three values of Google's page")]
pub struct LinkRel {
    /// `nofollow`.
    pub nofollow: bool,
    /// `ugc`: content of users.
    pub ugc: bool,
    /// `sponsored`: a paid link.
    pub sponsored: bool,
}

impl LinkRel {
    /// Parses a value. Words are separated by white space or commas, and their case does not count.
    #[must_use]
    pub fn parse(value: &[u8]) -> Self {
        let mut rel = Self::default();
        for word in value.split(|&byte| byte == b',' || byte.is_ascii_whitespace()) {
            rel.nofollow |= word.eq_ignore_ascii_case(b"nofollow");
            rel.ugc |= word.eq_ignore_ascii_case(b"ugc");
            rel.sponsored |= word.eq_ignore_ascii_case(b"sponsored");
        }
        rel
    }

    /// Returns whether one of the three values is set.
    #[must_use]
    pub const fn asks_not_to_follow(self) -> bool {
        self.nofollow || self.ugc || self.sponsored
    }
}
