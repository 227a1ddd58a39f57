//! The bytes of a file as they were served.

use robots_groups::syntax::html::looks_like_html;

use crate::lint::facts::Facts;
use crate::lint::subject::lines::MARK;

/// The bytes of a file, which may be something other than text.
pub(crate) struct Bytes<'a> {
    pub(crate) body: &'a [u8],
    pub(crate) facts: &'a Facts<'a>,
    /// Where the text begins, after a byte order mark and white space.
    pub(crate) start: usize,
    pub(crate) is_html: bool,
    pub(crate) is_utf16: bool,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(body: &'a [u8], facts: &'a Facts<'a>) -> Self {
        let text = body.strip_prefix(MARK).unwrap_or(body);
        let start = body.len() - text.trim_ascii_start().len();
        let is_utf16 = body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF");
        Self { body, facts, start, is_html: looks_like_html(body), is_utf16 }
    }

    /// Whether it is worth while to read lines.
    pub(crate) const fn has_lines(&self) -> bool {
        !self.is_html && !self.is_utf16
    }
}
