//! Lines whose key is missing, misspelt or not one of the standard keys.

use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::{Deviation, Effect, Field, Key, Line, Record, Span};

use crate::document::Document;
use crate::lint::draft::Draft;
use crate::lint::subject::extent::{Extent, RuleBlocks};
use crate::lint::subject::lines::{Lines, MARK};
use crate::lint::subject::repair::repair;
use crate::lint::text::shown;
use crate::lint::vocabulary::{Vocabulary, vocabulary};
use crate::profile::Profile;
use crate::records::RecordKind;

/// A line and the problem of its key.
pub(crate) struct KeyProblem<'a> {
    /// The number of the line, from 1.
    pub(crate) line: usize,
    pub(crate) fault: KeyFault<'a>,
    rules: &'a RuleBlocks<'a>,
}

/// A problem of a key.
pub(crate) enum KeyFault<'a> {
    /// The line has no key. It may begin with a byte order mark.
    None { text: Field<'a>, has_mark: bool },
    /// The colon after the key is missing, and the colon of a URL takes its place.
    ColonOfUrl { key: Key, at: Span },
    /// The colon after the key is missing, and only some profiles read the line.
    NoColon { key: Key, value: Field<'a>, at: Span, strict: Vec<Document> },
    /// Only some profiles know this spelling.
    Misspelt { written: Field<'a>, value: Field<'a>, key: Key, strict: Vec<Document> },
    /// A key of a draft or another vocabulary, and the key as which some profiles read it.
    Draft {
        written: Field<'a>,
        value: Field<'a>,
        vocabulary: Option<&'static Vocabulary>,
        read_as: Option<Key>,
    },
    /// A key that is not known. The readers are those whose profile finds this key in the line.
    Unknown { key: Field<'a>, value: Field<'a>, readers: Vec<Document>, is_for_all: bool },
}

/// Keys that crawlers obeyed once and for which no values are read.
const DROPPED: [&str; 3] = ["noindex", "nofollow", "noarchive"];

/// Whether crawlers obeyed a key once for which no values are read, also as `No-index` and `no follow`.
pub(crate) fn is_dropped(key: &[u8]) -> bool {
    DROPPED.iter().any(|name| letters(key).eq(name.bytes()))
}

impl<'a> KeyProblem<'a> {
    /// Returns the problem of the key of a line, if there is one.
    pub(crate) fn find(lines: &Lines<'a>, rules: &'a RuleBlocks<'a>) -> Option<Self> {
        Some(Self { line: lines.line.number, fault: KeyFault::find(lines)?, rules })
    }

    /// Returns how much of the site this text closes in place of the line.
    pub(crate) fn closes(&self, text: impl AsRef<[u8]>) -> Option<Extent> {
        self.rules.closed_by(text.as_ref(), self.line)
    }
}

impl<'a> KeyFault<'a> {
    fn find(lines: &Lines<'a>) -> Option<Self> {
        let is_unreadable = |record: &Record<'_>| matches!(record, Record::Unreadable);
        if lines.each().any(|(.., line)| is_unreadable(&line.record)) {
            return without_colon(lines);
        }
        let (key, value) = lines.each().find_map(|(.., line)| match line.record {
            Record::Other { key, value } => Some((key, value)),
            _ => None,
        })?;
        let known = |profile: &Profile| profile.syntax.spelling(key.bytes()).map(|spelling| spelling.key);
        let meant = lines.each().find_map(|(_, profile, _)| known(&profile));
        if let Some((key, at)) = meant.and_then(|meant| Some((meant, colon_of_url(meant, key, value)?))) {
            return Some(Self::ColonOfUrl { key, at });
        }
        if let Some(fault) = draft(key, value, meant) {
            return Some(fault);
        }
        match meant {
            Some(meant) if key.bytes().eq_ignore_ascii_case(meant.name().as_bytes()) => None,
            Some(meant) => {
                let strict = lines.readers(|_, profile| known(profile).is_none());
                Some(Self::Misspelt { written: key, value, key: meant, strict })
            }
            // A byte order mark that is not skipped has a lint of its own, unless it is the second one.
            None if key.span().start() == 0 && has_only_mark(key.bytes()) => None,
            None => other(lines, key, value),
        }
    }
}

/// Whether a text begins with a byte order mark, and no other one follows it.
fn has_only_mark(text: &[u8]) -> bool {
    text.strip_prefix(MARK).is_some_and(|rest| !rest.starts_with(MARK))
}

/// A line that begins with a byte order mark, at which `span` begins, and the line without it.
pub(crate) fn of_joined_files(problem: &KeyProblem<'_>, span: Span, without_mark: &[u8]) -> Draft {
    let draft =
        Draft::new(problem.line, span, "the line begins with a byte order mark, so crawlers ignore it");
    match problem.closes(without_mark) {
        Some(extent) => draft.help(extent.in_place_of_a_line(&format!("`{}`", shown(without_mark)))),
        None => {
            let mark = Span::new(span.start(), span.start() + MARK.len());
            draft
                .help("remove the mark, the bytes EF BB BF; editors write it at the start of a file, and this line most likely was one before files were joined")
                .fix(mark, "")
        }
    }
}

/// Where a colon is missing after a key, if the colon of a URL takes its place.
fn colon_of_url(meant: Key, key: Field<'_>, value: Field<'_>) -> Option<Span> {
    let bytes = key.bytes();
    let space = bytes.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    let (word, rest) = bytes.split_at_checked(space).unwrap_or_default();
    let scheme = rest.trim_ascii_start();
    let is_scheme = scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(u8::is_ascii_alphanumeric)
        && value.bytes().starts_with(b"//")
        && value.span().start() == key.span().end() + 1;
    let start = key.span().start() + space;
    // "user agent" is a spelling of its own.
    (is_scheme && word.eq_ignore_ascii_case(meant.name().as_bytes()))
        .then(|| Span::new(start, start + rest.len() - scheme.len()))
}

/// The key and the value that a lenient profile reads in a line without a colon.
fn lenient<'a>(line: &Line<'a>, profile: &Profile) -> Option<(Key, Field<'a>)> {
    let (key, value) = match line.record {
        Record::UserAgent(agent) => (Key::UserAgent, agent),
        Record::Rule(rule) if rule.effect == Effect::Allow => (Key::Allow, rule.pattern),
        Record::Rule(rule) => (Key::Disallow, rule.pattern),
        Record::Other { key, value } => (profile.syntax.spelling(key.bytes())?.key, value),
        _ => return None,
    };
    let has_no_colon = line.deviations(&profile.syntax).any(|found| found == Deviation::NoColon);
    has_no_colon.then_some((key, value))
}

fn without_colon<'a>(lines: &Lines<'a>) -> Option<KeyFault<'a>> {
    let content = lines.line.content();
    let start = content.span().start();
    if let Some((key, value)) = lines.each().find_map(|(_, profile, line)| lenient(line, &profile)) {
        let written = content.bytes().get(..value.span().start() - start).unwrap_or_default();
        // As in `Disallow, /a` and `Disallow | /a`.
        let written = written.trim_ascii_end();
        let len =
            written.iter().rposition(|byte| !matches!(byte, b',' | b'|' | b'.' | b';' | b'-' | b' ' | b'\t'));
        let at = Span::new(start + len.map_or(0, |at| at + 1), value.span().start());
        let strict = lines.readers(|line, _| matches!(line.record, Record::Unreadable));
        return Some(KeyFault::NoColon { key, value, at, strict });
    }
    if !matches!(lines.line.record, Record::Unreadable) {
        return None;
    }
    let code = content.bytes().split(|&byte| byte == b'#').next().unwrap_or_default();
    let text = code.trim_ascii();
    if lines.line.number == 1 && text == MARK {
        return None;
    }
    let start = start + code.len() - code.trim_ascii_start().len();
    Some(KeyFault::None { text: Field::new(text, start), has_mark: text.starts_with(MARK) })
}

/// A key of a draft or another vocabulary, which must not be corrected.
fn draft<'a>(key: Field<'a>, value: Field<'a>, meant: Option<Key>) -> Option<KeyFault<'a>> {
    let vocabulary = vocabulary(key.bytes());
    let letters = || key.bytes().iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    // Google's parser reads only the beginning of a key. A few letters more are a mistake, as in `Disallowed`, and a word more is
    // not. `Sitemap URL` can't mean anything else.
    let has_word = meant.filter(|meant| *meant != Key::Sitemap).is_some_and(|meant| {
        let name = meant.name().as_bytes();
        let start = key.bytes().get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name)) && letters() >= name.len() + 3
    });
    if vocabulary.is_none() && !has_word {
        return None;
    }
    Some(KeyFault::Draft { written: key, value, vocabulary, read_as: meant })
}

/// Returns the letters of a key, in lower case.
pub(crate) fn letters(key: &[u8]) -> impl Iterator<Item = u8> {
    key.iter().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase)
}

fn other<'a>(lines: &Lines<'a>, key: Field<'a>, value: Field<'a>) -> Option<KeyFault<'a>> {
    let is = |name: &str| key.bytes().eq_ignore_ascii_case(name.as_bytes());
    match RecordKind::KNOWN.iter().find(|kind| is(kind.name())) {
        // Keys that crawlers obeyed once have a lint of their own.
        Some(_) => None,
        None if is_dropped(key.bytes()) => None,
        None => {
            // Not for all, where a byte order mark or something else that some profiles skip is a part of the key.
            let has_it =
                |line: &Line<'_>| matches!(line.record, Record::Other { key: read, .. } if read == key);
            let is_for_all = lines.each().all(|(.., line)| has_it(line));
            Some(KeyFault::Unknown { key, value, readers: lines.readers(|line, _| has_it(line)), is_for_all })
        }
    }
}

/// Whether the key of a line is not known to any parser, and nothing else is wrong with the line.
pub(crate) fn has_unknown_key(line: &Line<'_>) -> bool {
    let Record::Other { key, .. } = line.record else { return false };
    let is_known = |document| Profile::from(document).syntax.spelling(key.bytes()).is_some();
    !Document::ALL.into_iter().any(is_known) && repair(line.content().bytes()).is_none()
}
