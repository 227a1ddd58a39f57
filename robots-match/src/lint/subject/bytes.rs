//! The bytes of a file as they were served.

use robots_groups::syntax::{BodyKind, Lines, Record};

use crate::lint::context::Facts;
use crate::lint::subject::damaged::{Damage, damaged};
use crate::lint::subject::lines::MARK;
use crate::lint::vocabulary::translated;

/// The bytes of a file, which may be something other than a robots.txt file.
pub(crate) struct Bytes<'a> {
    pub(crate) body: &'a [u8],
    pub(crate) facts: &'a Facts<'a>,
    /// Where the text begins, after a byte order mark and white space.
    pub(crate) start: usize,
    /// The encoding, if its characters have two bytes or four.
    pub(crate) wide: Option<&'static str>,
    /// What is served in place of a robots.txt file, if anything is.
    pub(crate) other: Option<BodyKind>,
    /// Whether the body begins as an HTML page, and has rules.
    pub(crate) has_page: bool,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(body: &'a [u8], facts: &'a Facts<'a>) -> Self {
        let text = body.strip_prefix(MARK).unwrap_or(body);
        let start = body.len() - text.trim_ascii_start().len();
        let kind = BodyKind::of(body, &facts.profile.syntax);
        let wide = match kind {
            BodyKind::Binary("text in UTF-16") => Some("UTF-16"),
            BodyKind::Binary("text in UTF-32") => Some("UTF-32"),
            _ => None,
        };
        let other = wide.is_none() && !kind.is_robots_txt() && !has_damaged_records(body, kind, facts);
        let has_page = kind == BodyKind::HtmlWithRules;
        Self { body, facts, start, wide, other: other.then_some(kind), has_page }
    }

    /// Whether it is worth while to read lines.
    pub(crate) const fn has_lines(&self) -> bool {
        self.other.is_none() && self.wide.is_none()
    }
}

/// Words of records, in lower case.
const WORDS: [&[u8]; 6] =
    [b"user-agent", b"useragent", b"user agent", b"disallow", b"crawl-delay", b"sitemap"];

/// Whether a text without a record is a robots.txt file that is damaged: its line ends or colons are lost, for example.
fn has_damaged_records(body: &[u8], kind: BodyKind, facts: &Facts<'_>) -> bool {
    const MOST: usize = 4096;
    match kind {
        BodyKind::Text => {
            let start = body.get(..MOST.min(body.len())).unwrap_or_default().to_ascii_lowercase();
            WORDS.iter().any(|word| memchr::memmem::find(&start, word).is_some())
                || has_translated_key(body, facts)
                || damaged(body, facts).iter().any(|damaged| !matches!(damaged.damage, Damage::Template(_)))
        }
        // A file that was written as one string of JSON.
        BodyKind::Json => {
            body.trim_ascii_start().starts_with(b"\"")
                && damaged(body, facts).iter().any(|damaged| matches!(damaged.damage, Damage::Joined(_)))
        }
        _ => false,
    }
}

/// Whether a line has a key in another language.
fn has_translated_key(body: &[u8], facts: &Facts<'_>) -> bool {
    Lines::new(body, &facts.profile.syntax)
        .any(|line| matches!(line.record, Record::Other { key, .. } if translated(key.bytes()).is_some()))
}
