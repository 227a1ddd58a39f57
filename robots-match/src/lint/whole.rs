//! What concerns a file as a whole, and the octets of its lines.

use alloc::format;
use alloc::string::ToString as _;

use robots_groups::syntax::{Lines, Record, Span};

use crate::lint::{Code, Facts, Finding, Found, profiles};
use crate::profile::Profile;

/// A byte order mark.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether it is worth while to look at lines.
pub(super) fn check(body: &[u8], facts: &Facts<'_>, found: &mut Found) -> bool {
    if !check_kind(body, facts, found) {
        return false;
    }
    check_size(body, found);
    if body.starts_with(MARK) {
        let spoilt = profiles(|profile| Lines::new(body, &profile.syntax).skipped().is_empty());
        found.add(
            Finding::new(Code::ByteOrderMark, 1, Span::new(0, MARK.len()), Code::ByteOrderMark.title_lower())
                .help("save the file as UTF-8 without a byte order mark: some readers take it for a part of the first key")
                .readers(spoilt)
                .fix(Span::new(0, MARK.len()), ""),
        );
    }
    let mut last = None;
    for line in Lines::new(body, &facts.profile.syntax) {
        let content = line.content();
        let start = content.span().start();
        if let Err(error) = core::str::from_utf8(content.bytes()) {
            let at = start + error.valid_up_to();
            let end = at + error.error_len().unwrap_or(content.bytes().len() - error.valid_up_to());
            found.add(
                Finding::new(Code::NotUtf8, line.number, Span::new(at, end), "the line is not UTF-8").help(
                    "save the file as UTF-8 (RFC 9309, section 2.2), or percent-encode what is not ASCII",
                ),
            );
        }
        let is_control = |octet: &u8| octet.is_ascii_control() && *octet != b'\t';
        if let Some(at) = content.bytes().iter().position(is_control) {
            let octet = content.bytes().get(at).copied().unwrap_or_default();
            let at = start + at;
            found.add(
                Finding::new(
                    Code::ControlOctet,
                    line.number,
                    Span::new(at, at + 1),
                    format!("the line holds the control octet {octet:02X}"),
                )
                .help("remove it: some readers end the line here, others take it for a part of the value"),
            );
        }
        for (limit, readers) in limits(|profile| profile.syntax.max_line) {
            if content.bytes().len() > limit && !matches!(line.record, Record::Comment) {
                found.add(
                    Finding::new(
                        Code::LineTooLong,
                        line.number,
                        Span::new(start + limit, content.span().end()),
                        format!(
                            "some readers read {limit} octets of a line, and this one has {}",
                            content.bytes().len()
                        ),
                    )
                    .help("shorten the line: its rest is ignored, and what is left may say something else")
                    .readers(readers),
                );
            }
        }
        last = Some(line);
    }
    if let Some(line) = last.filter(|line| line.content().bytes().len() == line.bytes().len()) {
        if line.span().end() == body.len() {
            let end = Span::new(body.len(), body.len());
            found.add(
                Finding::new(Code::NoLineEnd, line.number, end, "the last line has no line end")
                    .help("end it: the grammar wants it, and what is appended to the file later ends up in this line")
                    .fix(end, "\n"),
            );
        }
    }
    true
}

/// Whether it is a text of lines.
fn check_kind(body: &[u8], facts: &Facts<'_>, found: &mut Found) -> bool {
    let is_utf16 = body.starts_with(b"\xFF\xFE") || body.starts_with(b"\xFE\xFF");
    if is_utf16 {
        found.add(
            Finding::new(Code::Utf16, 1, Span::new(0, 2), "the file begins with the mark of UTF-16")
                .help("save the file as UTF-8: no reader finds a rule in it as it is"),
        );
    }
    let text = body.strip_prefix(MARK).unwrap_or(body);
    let blank = text.iter().take_while(|octet| octet.is_ascii_whitespace()).count();
    let start = body.len() - text.len() + blank;
    let text = text.get(blank..).unwrap_or_default();
    let is_html = [&b"<!doctype"[..], b"<html", b"<head", b"<body", b"<?xml", b"<script"]
        .iter()
        .any(|tag| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)));
    if is_html {
        let len = text.iter().take_while(|octet| !matches!(octet, b'\n' | b'\r' | b'>')).count();
        let line = 1 + body.get(..start).unwrap_or_default().iter().filter(|&&octet| octet == b'\n').count();
        found.add(
            Finding::new(Code::NotText, line, Span::new(start, start + len), "this is a page of HTML, and no robots.txt")
                .help("serve plain text at `/robots.txt`, or status 404 if there are no rules: read as it is, it allows everything"),
        );
    }
    if let Some(served) = facts.content_type {
        let kind = served.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("text/plain") {
            let message = format!("the file is served as `{}`", super::shown(kind.as_bytes()));
            found.add(
                Finding::new(Code::ContentType, 1, Span::new(0, 0), message)
                    .help("serve it as `text/plain` (RFC 9309, section 2.3)"),
            );
        }
    }
    !is_html && !is_utf16
}

fn check_size(body: &[u8], found: &mut Found) {
    for (limit, readers) in limits(|profile| profile.syntax.max_size) {
        if body.len() <= limit {
            continue;
        }
        let Some((_, profile)) = Profile::NAMED.iter().find(|(name, _)| readers.contains(name)) else {
            continue;
        };
        let mut read = Lines::new(body, &profile.syntax);
        let number = read.by_ref().count() + 1;
        let dropped = read.dropped();
        if dropped.is_empty() {
            continue;
        }
        let mut unlimited = profile.syntax;
        unlimited.max_size = None;
        let lost = Lines::new(body, &unlimited)
            .filter(|line| line.span().start() >= dropped.start())
            .filter_map(|line| match line.record {
                Record::Rule(rule) => Some(rule),
                _ => None,
            });
        let (mut count, mut first) = (0_usize, None);
        for rule in lost {
            count += 1;
            first = first.or(Some(rule));
        }
        let message = match first {
            Some(rule) => format!(
                "readers read {limit} octets of this file of {}: {count} rule{} lost, from line {} on",
                body.len(),
                if count == 1 { " is" } else { "s are" },
                rule.line()
            ),
            None => format!("readers read {limit} octets of this file of {}: no rule is lost", body.len()),
        };
        found.add(
            Finding::new(Code::TooLarge, number, Span::new(dropped.start(), dropped.start()), message)
                .help("shorten the file, or put what matters first (RFC 9309, section 2.5)")
                .readers(readers),
        );
    }
}

/// The limits there are, each with the profiles that have it.
fn limits(
    of: impl Fn(&Profile) -> Option<usize>,
) -> impl Iterator<Item = (usize, alloc::vec::Vec<&'static str>)> {
    let all = Profile::NAMED.map(|(_, profile)| of(&profile));
    let of = all.into_iter().enumerate().filter_map(move |(index, limit)| {
        let is_new = !all.iter().take(index).any(|other| *other == limit);
        limit.filter(|_| is_new)
    });
    of.map(move |limit| {
        let names = Profile::NAMED.iter().zip(all).filter(|(_, other)| *other == Some(limit));
        (limit, names.map(|((name, _), _)| *name).collect())
    })
}

impl Code {
    /// The title as a message.
    fn title_lower(self) -> alloc::string::String {
        let mut title = self.title().to_string();
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        title
    }
}
