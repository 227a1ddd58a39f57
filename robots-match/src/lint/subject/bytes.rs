//! The bytes of a file as they were served.

use robots_groups::syntax::html::looks_like_html;
use robots_groups::syntax::{Lines, Record};

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
    pub(crate) is_binary: bool,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(body: &'a [u8], facts: &'a Facts<'a>) -> Self {
        let text = body.strip_prefix(MARK).unwrap_or(body);
        let start = body.len() - text.trim_ascii_start().len();
        let is_utf16 = body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF");
        // A comment of HTML may also come before the lines of a file that crawlers read.
        let is_html = looks_like_html(body) && !has_group(body, facts);
        let is_binary = !is_utf16 && is_binary(body);
        Self { body, facts, start, is_html, is_utf16, is_binary }
    }

    /// Whether it is worth while to read lines.
    pub(crate) const fn has_lines(&self) -> bool {
        !self.is_html && !self.is_utf16 && !self.is_binary
    }
}

/// Whether a line names a crawler.
fn has_group(body: &[u8], facts: &Facts<'_>) -> bool {
    Lines::new(body, &facts.profile.syntax).any(|line| matches!(line.record, Record::UserAgent(_)))
}

/// How compressed files, images and documents begin.
const BEGINNINGS: [&[u8]; 7] =
    [b"\x1F\x8B", b"\x89PNG", b"GIF8", b"\xFF\xD8\xFF", b"%PDF-", b"PK\x03\x04", b"\0\0\x01\0"];

/// Whether a file is not text: it begins like a file of another kind, or many of its first bytes are control characters. Fewer
/// are enough in a file that is not UTF-8: about a tenth of random bytes are control characters, and hardly any in a text in
/// another encoding.
fn is_binary(body: &[u8]) -> bool {
    const LEAST: usize = 8;
    const LEAST_WITHOUT_UTF_8: usize = 2;
    let start = body.get(..1024).unwrap_or(body);
    let is_control =
        |byte: &&u8| byte.is_ascii_control() && !matches!(**byte, b'\t' | b'\n' | b'\r' | b'\x0C');
    let controls = start.iter().filter(is_control).count();
    // A character that the end of `start` cuts is not a mistake.
    let is_utf8 = core::str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true);
    BEGINNINGS.iter().any(|beginning| body.starts_with(beginning))
        || controls >= LEAST.max(start.len() / 10)
        || !is_utf8 && (start.contains(&0) || controls >= LEAST_WITHOUT_UTF_8.max(start.len().div_ceil(25)))
}
