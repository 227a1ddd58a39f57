//! The kind of thing that a body is.

use core::fmt;

use crate::html::looks_like_html;
use crate::line::Record;
use crate::lines::Lines;
use crate::policy::SyntaxPolicy;
use crate::source_code::{is_settings, source_code};
use crate::spelling::is_one_of;

/// The kind of thing that a body is: a robots.txt file, or what servers send in its place.
///
/// Crawlers read every body. One in which they find no group allows everything, so a page that says "not found" with status
/// 200 opens a site.
///
/// ```
/// use robots_syntax::{BodyKind, SyntaxPolicy};
///
/// let kind = |body: &[u8]| BodyKind::of(body, &SyntaxPolicy::RFC9309);
/// assert_eq!(kind(b"User-agent: *\nDisallow: /private\n"), BodyKind::Rules);
/// assert_eq!(kind(b"# Sitemaps only\nSitemap: https://example.com/map.xml\n"), BodyKind::NoGroup);
/// assert_eq!(kind(b"<!doctypehtml><title>Oops</title>"), BodyKind::Html);
/// assert_eq!(kind(b"<!-- cached -->\nUser-agent: *\nDisallow: /private\n"), BodyKind::HtmlWithRules);
/// assert_eq!(kind(b"{\"message\": \"Not Found\"}"), BodyKind::Json);
/// assert_eq!(kind(b"404 page not found\n").to_string(), "text without a line of a robots.txt file");
/// assert_eq!(kind(b"body { margin: 0 }").to_string(), "a style sheet (CSS)");
/// assert_eq!(kind(b"\x1F\x8B\x08").to_string(), "gzip data");
/// assert_eq!(kind(b"https://example.com/robots.txt").to_string(), "the URL or the name of a file");
/// assert!(!kind(b"\x1F\x8B\x08").is_robots_txt());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BodyKind {
    /// A robots.txt file with a group.
    Rules,
    /// A robots.txt file without a group: comments, records such as `Sitemap`, or rules outside of groups.
    NoGroup,
    /// A text that begins as an HTML page, and in which a group can be read.
    HtmlWithRules,
    /// An HTML page or a part of one.
    Html,
    /// JSON.
    Json,
    /// XML, such as a sitemap.
    Xml,
    /// A style sheet, a script or another text for programs, by the name of its format.
    Code(&'static str),
    /// Text without any line of a robots.txt file, such as `Not Found`.
    Text,
    /// One word that is a URL, or the name of a file, such as `https://example.com/robots.txt`: the program that passed it meant
    /// what is there.
    Name,
    /// An image, an archive or other data, by the name of its format.
    Binary(&'static str),
    /// Nothing, or only white space.
    Empty,
}

impl BodyKind {
    /// Returns the kind of a body. A body in which `policy` reads a group is [`Self::Rules`] or [`Self::HtmlWithRules`], whatever
    /// else it contains.
    ///
    /// # Complexity
    ///
    /// Linear in the length of the body.
    #[must_use]
    pub fn of(body: &[u8], policy: &SyntaxPolicy) -> Self {
        let lines = Count::of(body, policy);
        let html = looks_like_html(body);
        if lines.has_group {
            return if html { Self::HtmlWithRules } else { Self::Rules };
        }
        if let Some(format) = binary(body) {
            return Self::Binary(format);
        }
        let text = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body).trim_ascii();
        if text.is_empty() {
            return Self::Empty;
        }
        if html {
            return Self::Html;
        }
        if is_json(text) {
            return Self::Json;
        }
        if let Some(format) = source_code(text).filter(|_| !lines.has_record) {
            return Self::Code(format);
        }
        if is_xml(text) {
            return Self::Xml;
        }
        // `Error: not found` is not a record of a robots.txt file, also below a line such as `# My site`.
        let is_file = lines.has_record || lines.has_comment && !lines.has_text;
        match is_file {
            true => Self::NoGroup,
            false if is_name(text) => Self::Name,
            // As in `Not found<html>`.
            false if contains_page(text) => Self::Html,
            false => Self::Text,
        }
    }

    /// Returns whether the body is a robots.txt file, or has its rules. An empty file is one: it allows everything.
    #[must_use]
    pub const fn is_robots_txt(self) -> bool {
        matches!(self, Self::Rules | Self::NoGroup | Self::HtmlWithRules | Self::Empty)
    }

    /// Returns whether a group was read.
    #[must_use]
    pub const fn has_rules(self) -> bool {
        matches!(self, Self::Rules | Self::HtmlWithRules)
    }

    /// Returns whether the body begins as an HTML page.
    #[must_use]
    pub const fn is_html(self) -> bool {
        matches!(self, Self::Html | Self::HtmlWithRules)
    }

    /// Returns the name for documents such as JSON: `rules`, `no-group`, `html-with-rules`, `html`, `json`, `xml`, `code`,
    /// `text`, `name`, `binary` or `empty`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::NoGroup => "no-group",
            Self::HtmlWithRules => "html-with-rules",
            Self::Html => "html",
            Self::Json => "json",
            Self::Xml => "xml",
            Self::Code(_) => "code",
            Self::Text => "text",
            Self::Name => "name",
            Self::Binary(_) => "binary",
            Self::Empty => "empty",
        }
    }
}

/// Writes what the body is, as in `an HTML page` and `gzip data`.
impl fmt::Display for BodyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Rules => "a robots.txt file",
            Self::NoGroup => "a robots.txt file without a group",
            Self::HtmlWithRules => "an HTML page with rules",
            Self::Html => "an HTML page",
            Self::Json => "JSON",
            Self::Xml => "XML",
            Self::Text => "text without a line of a robots.txt file",
            Self::Name => "the URL or the name of a file",
            Self::Code(format) | Self::Binary(format) => format,
            Self::Empty => "an empty file",
        })
    }
}

/// The lines of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    has_group: bool,
    has_record: bool,
    has_comment: bool,
    /// Whether a line is neither blank, nor a comment, nor a record that robots.txt files have.
    has_text: bool,
}

impl Count {
    fn of(body: &[u8], policy: &SyntaxPolicy) -> Self {
        let mut count = Self::default();
        for line in Lines::new(body, policy) {
            match line.record {
                Record::UserAgent(_) => {
                    count.has_group = true;
                    return count;
                }
                Record::Rule(_) => count.has_record = true,
                Record::Other { key, .. } => {
                    let key = key.bytes();
                    let is_known = policy.spelling(key).is_some() || is_one_of(key, KEYS);
                    count.has_record |= is_known;
                    count.has_text |= !is_known;
                }
                Record::Comment => count.has_comment = true,
                Record::Blank => {}
                Record::Unreadable => count.has_text = true,
            }
        }
        count
    }
}

/// Keys of records that robots.txt files have, and other texts do not.
const KEYS: &str = "allowaitraining clean-param content-signal content-usage crawl-delay disallowaitraining host \
    indexpage license llms-txt noarchive nofollow noindex request-rate robot-version schemamap \
    sitemap tdm-reservation visit-time";

/// How files of other formats begin.
const BEGINNINGS: [(&[u8], &str); 23] = [
    (b"\x1F\x8B", "gzip data"),
    (b"\x1F\x9D", "compressed data"),
    (b"\x28\xB5\x2F\xFD", "Zstandard data"),
    (b"BZh", "bzip2 data"),
    (b"\xFD7zXZ\0", "xz data"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"\0\0\x01\0", "an icon"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"%PDF-", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"{\\rtf", "a rich text document (RTF)"),
    (b"\xD0\xCF\x11\xE0", "an Office document"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x7FELF", "a program"),
    (b"\0asm", "a program"),
];

/// Returns the name of the format of a body that is not text: it begins like a file of another kind, or many of its first bytes
/// are control characters. Fewer are enough in a body that is not UTF-8: about a tenth of random bytes are control characters,
/// and hardly any in a text in another encoding.
fn binary(body: &[u8]) -> Option<&'static str> {
    const LEAST: usize = 8;
    const LEAST_WITHOUT_UTF_8: usize = 2;
    if body.starts_with(b"\xFF\xFE\0\0") || body.starts_with(b"\0\0\xFE\xFF") {
        return Some("text in UTF-32");
    }
    if body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF") || has_wide_letters(body) {
        return Some("text in UTF-16");
    }
    if let Some((_, format)) = BEGINNINGS.iter().find(|(beginning, _)| body.starts_with(beginning)) {
        return Some(format);
    }
    match (body.get(..4), body.get(4..8), body.get(8..12)) {
        (Some(b"RIFF"), _, Some(b"WEBP")) => return Some("a WebP image"),
        (_, Some(b"ftyp"), _) => return Some("an image or a film"),
        _ => {}
    }
    let start = body.get(..1024).unwrap_or(body);
    let is_control =
        |byte: &&u8| byte.is_ascii_control() && !matches!(**byte, b'\t' | b'\n' | b'\r' | b'\x0C');
    let controls = start.iter().filter(is_control).count();
    // A character that the end of `start` cuts is not a mistake.
    let is_utf8 = core::str::from_utf8(start).map_or_else(|error| error.error_len().is_none(), |_| true);
    let is_binary = controls >= LEAST.max(start.len() / 10)
        || !is_utf8 && (start.contains(&0) || controls >= LEAST_WITHOUT_UTF_8.max(start.len().div_ceil(25)));
    is_binary.then_some("binary data")
}

/// Returns whether a text is in UTF-16 or UTF-32 without a byte order mark: every second byte, or three of four, is NUL.
fn has_wide_letters(body: &[u8]) -> bool {
    const MOST: usize = 256;
    let start = body.get(..MOST.min(body.len())).unwrap_or_default();
    let count = |first: usize| start.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, half) = (count(0), count(1), start.len() / 2);
    let letters = start.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
    // Nearly all letters are of ASCII, and have a NUL beside them.
    half >= 4 && even.max(odd) * 10 >= half * 9 && letters * 5 >= start.len()
}

/// Returns whether a text begins as JSON does: with an object or an array. Text such as `[1] see below` also begins so, and is not
/// a robots.txt file either.
fn is_json(text: &[u8]) -> bool {
    let (first, rest) = match text {
        [first, rest @ ..] => (first, rest.trim_ascii_start().first()),
        [] => return false,
    };
    match (first, rest) {
        (b'{', next) => matches!(next, None | Some(b'"' | b'}')),
        (b'[', next) => {
            matches!(next, None | Some(b'{' | b'[' | b']' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'))
                && !is_settings(text)
        }
        // A text in quotation marks, or one word.
        (b'"', _) => text.len() > 1 && text.ends_with(b"\"") && !text.contains(&b'\n'),
        _ => matches!(text, b"null" | b"true" | b"false"),
    }
}

/// Returns whether a text begins with a tag or a declaration.
fn is_xml(text: &[u8]) -> bool {
    match text {
        [b'<', b'?' | b'!', next, ..] => next.is_ascii_alphabetic() || *next == b'[',
        [b'<', next, ..] => next.is_ascii_alphabetic() || *next == b'_',
        _ => false,
    }
}

/// Returns whether a text is a URL, a path, or the name of a text file.
fn is_name(text: &[u8]) -> bool {
    const MOST: usize = 4096;
    const END: &[u8] = b".txt";
    let is_word = text.len() <= MOST && !text.iter().any(|byte| byte.is_ascii_whitespace());
    let scheme = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    let is_url =
        scheme > 0 && text.get(scheme..).is_some_and(|rest| rest.len() > 3 && rest.starts_with(b"://"));
    let end = text.len().checked_sub(END.len()).and_then(|at| text.get(at..));
    is_word && (is_url || text.starts_with(b"/") || end.is_some_and(|end| end.eq_ignore_ascii_case(END)))
}

/// Returns whether a page begins within the first bytes of a text.
fn contains_page(text: &[u8]) -> bool {
    const TAGS: [&[u8]; 4] = [b"<!doctype", b"<html", b"<body", b"<head>"];
    let start = text.get(..4096).unwrap_or(text);
    TAGS.iter().any(|tag| start.windows(tag.len()).any(|part| part.eq_ignore_ascii_case(tag)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(body: &[u8]) -> BodyKind {
        BodyKind::of(body, &SyntaxPolicy::RFC9309)
    }

    #[test]
    fn bodies_are_told_apart() {
        let kinds: [(BodyKind, &[&[u8]]); 9] = [
            (
                BodyKind::Name,
                &[
                    b"robots.txt",
                    b"https://example.com/robots.txt\n",
                    b"ftp://example.com",
                    b"/srv/www/robots.txt",
                    b"C:\\www\\ROBOTS.TXT",
                ],
            ),
            (
                BodyKind::Rules,
                &[
                    b"User-agent: *\n",
                    b"\xEF\xBB\xBFuser-agent: a\nallow: /",
                    b"Not found\nUser-agent: a",
                    b"{\"a\": 1}\nUser-agent: a",
                    b"\x89PNG\nUser-agent: *\nDisallow: /",
                    b"PHP Warning: x in y\r\nUser-agent: *\r\nDisallow: /",
                ],
            ),
            (
                BodyKind::NoGroup,
                &[
                    b"# Nothing to say",
                    b"Sitemap: https://example.com/",
                    b"Disallow: /",
                    b"Crawl-delay: 5",
                    b"# a\nSchemamap: https://example.com/map.xml",
                    b"Welcome\nHost: example.com",
                ],
            ),
            (
                BodyKind::HtmlWithRules,
                &[
                    b"<!-- x -->\nUser-agent: *\nDisallow: /",
                    b"<html><body><pre>\nUser-agent: a\nDisallow: /\n</pre>",
                    b"<br />\n<b>Warning</b>: x\nUser-agent: a",
                ],
            ),
            (
                BodyKind::Html,
                &[
                    b"<!doctypehtml><title>x</title>",
                    b"<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\">",
                    b"<HTML>",
                    b"<html lang=en>",
                    b"<h2>Not Found</h2>",
                    b"<section class=error>404</section>",
                    b"<pre>Cannot GET /robots.txt</pre>",
                    b"</head><body>",
                    b"<!-- a --> <!-- b --><div>404</div>",
                    b"<!-- a -->",
                    b"<!-- a",
                    b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC 'x'><html>",
                    b"<?xml version='1.0'?><!-- x --><html xmlns='x'>",
                    b"Not Found <html><body>404</body></html>",
                    b"\xEF\xBB\xBF\n\n<p>x",
                    b"<br/>404",
                ],
            ),
            (
                BodyKind::Json,
                &[
                    b"{}",
                    b"{\"message\":\"Not Found\"}",
                    b" {\n \"a\":",
                    b"[]",
                    b"[{\"a\":1}]",
                    b"{",
                    b"\"Not Found\"",
                    b"null",
                ],
            ),
            (
                BodyKind::Xml,
                &[
                    b"<?xml version=\"1.0\"?><urlset></urlset>",
                    b"<Error><Code>AccessDenied</Code></Error>",
                    b"<rss version=2>",
                    b"<?xml version=\"1.0\"?>",
                    b"<!DOCTYPE svg>",
                    b"<svg>",
                ],
            ),
            (
                BodyKind::Text,
                &[
                    b"Not Found",
                    b"404 page not found\n",
                    b"Error: not found",
                    b"x<y",
                    b"<",
                    b"#\nNot found",
                    b"# config\nversion: 3\nservices:\n  web: x\n",
                    b"# a\nFoo: bar",
                ],
            ),
            (BodyKind::Empty, &[b"", b" \r\n\t\n", b"\xEF\xBB\xBF"]),
        ];
        for (expected, bodies) in kinds {
            for body in bodies {
                assert_eq!(kind(body), expected, "{:?}", core::str::from_utf8(body));
            }
        }
    }

    #[test]
    fn formats_are_named() {
        let formats: [(&[u8], &str); 9] = [
            (b"\x1F\x8B\x08\0\0\0\0\0", "gzip data"),
            (b"\x89PNG\r\n\x1A\n", "a PNG image"),
            (b"%PDF-1.7\n", "a PDF document"),
            (b"PK\x03\x04\x14\0", "a ZIP archive"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"),
            (b"\xFF\xFEU\0s\0e\0r\0", "text in UTF-16"),
            (b"\xFF\xFE\0\0U\0\0\0", "text in UTF-32"),
            (b"U\0s\0e\0r\0-\0a\0g\0e\0n\0t\0", "text in UTF-16"),
            (b"\x80\x01\x02\x03", "binary data"),
        ];
        for (body, format) in formats {
            assert_eq!(kind(body), BodyKind::Binary(format));
        }
        // Text in Latin-1 is text.
        assert_eq!(kind(b"# caf\xE9\nSitemap: https://example.com/"), BodyKind::NoGroup);
    }

    #[test]
    fn a_group_is_one_that_the_policy_reads() {
        let body = b"user-agent *\ndisallow /";
        assert_eq!(BodyKind::of(body, &SyntaxPolicy::GOOGLE), BodyKind::Rules);
        assert_eq!(kind(body), BodyKind::Text);
    }
}
