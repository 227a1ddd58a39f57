//! The bytes of a file as they were served.

use robots_groups::syntax::BodyKind;

use crate::lint::facts::Facts;
use crate::lint::subject::lines::MARK;

/// The bytes of a file, which may be something other than text.
pub(crate) struct Bytes<'a> {
    pub(crate) body: &'a [u8],
    pub(crate) facts: &'a Facts<'a>,
    /// Where the text begins, after a byte order mark and white space.
    pub(crate) start: usize,
    pub(crate) kind: BodyKind,
    pub(crate) is_html: bool,
    pub(crate) is_utf16: bool,
    pub(crate) is_binary: bool,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(body: &'a [u8], facts: &'a Facts<'a>) -> Self {
        let text = body.strip_prefix(MARK).unwrap_or(body);
        let start = body.len() - text.trim_ascii_start().len();
        let kind = BodyKind::of(body, &facts.profile.syntax);
        let is_utf16 = body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF");
        // A comment of HTML may also come before the lines of a file that crawlers read.
        let is_html = kind == BodyKind::Html;
        let is_binary = !is_utf16 && matches!(kind, BodyKind::Binary(_));
        Self { body, facts, start, kind, is_html, is_utf16, is_binary }
    }

    /// Whether it is worth while to read lines.
    pub(crate) const fn has_lines(&self) -> bool {
        !self.is_html && !self.is_utf16 && !self.is_binary
    }
}
