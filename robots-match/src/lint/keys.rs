//! What concerns keys.

use alloc::format;
use alloc::string::{String, ToString as _};

use robots_groups::syntax::{Deviation, Effect, Field, Key, Record};

use crate::lint::whole::MARK;
use crate::lint::{Code, Finding, Found, Reading, shown};
use crate::profile::Profile;

/// Keys that some crawlers obey.
const OPTIONAL: [&str; 4] = ["crawl-delay", "request-rate", "visit-time", "clean-param"];
/// Keys that crawlers obeyed once.
const DEPRECATED: [(&str, &str); 4] = [
    ("host", "redirect to the host that is preferred"),
    (
        "noindex",
        "let crawlers fetch the page, and say `noindex` in its header `X-Robots-Tag` or in a `robots` meta element",
    ),
    (
        "nofollow",
        "let crawlers fetch the page, and say `nofollow` in its header `X-Robots-Tag` or in a `robots` meta element",
    ),
    (
        "noarchive",
        "let crawlers fetch the page, and say `noarchive` in its header `X-Robots-Tag` or in a `robots` meta element",
    ),
];
/// Other keys that are in use.
const IN_USE: [&str; 3] = ["content-signal", "content-usage", "license"];
/// The keys that a misspelt one may stand for.
const MEANT: [&str; 6] = ["user-agent", "allow", "disallow", "sitemap", "crawl-delay", "content-signal"];

pub(super) fn check(reading: &Reading<'_>, found: &mut Found) {
    let is_unreadable = |record: &Record<'_>| matches!(record, Record::Unreadable);
    if reading.each().any(|(.., line)| is_unreadable(&line.record)) {
        check_unreadable(reading, found);
        return;
    }
    let Some((key, value)) = reading.each().find_map(|(.., line)| match line.record {
        Record::Other { key, value } => Some((key, value)),
        _ => None,
    }) else {
        return;
    };
    let known = |profile: &Profile| profile.syntax.spelling(key.bytes()).map(|spelling| spelling.key);
    let meant = reading.each().find_map(|(_, profile, _)| known(profile));
    match meant {
        Some(meant) if check_glued(reading.line.number, meant, key, value, found) => {}
        Some(meant) if !key.bytes().eq_ignore_ascii_case(meant.name().as_bytes()) => {
            let strict = reading.readers(|_, profile| known(profile).is_none());
            found.add(
                Finding::new(
                    Code::MisspeltKey,
                    reading.line.number,
                    key.span(),
                    format!("only lenient readers take `{}` for `{}`", shown(key.bytes()), meant.name()),
                )
                .help(format!("write `{}`: others ignore the line as it is", capital(meant)))
                .readers(strict)
                .fix(key.span(), capital(meant)),
            );
        }
        Some(_) => {}
        // That is a byte order mark which is not skipped, and a finding of its own.
        None if reading.line.number == 1 && key.bytes().starts_with(MARK) => {}
        None => check_other(reading, key, found),
    }
}

/// Whether a colon is missing behind a key, and that of a URL stands in for it.
fn check_glued(number: usize, meant: Key, key: Field<'_>, value: Field<'_>, found: &mut Found) -> bool {
    let octets = key.bytes();
    let Some(blank) = octets.iter().position(|octet| matches!(octet, b' ' | b'\t')) else { return false };
    let (word, rest) = octets.split_at_checked(blank).unwrap_or_default();
    let scheme = rest.trim_ascii_start();
    let is_scheme = scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(u8::is_ascii_alphanumeric)
        && value.bytes().starts_with(b"//")
        && value.span().start() == key.span().end() + 1;
    // "user agent" is a spelling of its own.
    if !is_scheme || !word.eq_ignore_ascii_case(meant.name().as_bytes()) {
        return false;
    }
    let start = key.span().start() + blank;
    let at = robots_groups::syntax::Span::new(start, start + rest.len() - scheme.len());
    found.add(
        Finding::new(
            Code::MissingColon,
            number,
            at,
            format!(
                "the colon of the URL is the first of this line: no reader finds the URL of `{}`",
                meant.name()
            ),
        )
        .help("write a colon behind the key")
        .fix(at, ": "),
    );
    true
}

/// A key as people write it.
const fn capital(key: Key) -> &'static str {
    match key {
        Key::UserAgent => "User-agent",
        Key::Allow => "Allow",
        Key::Disallow => "Disallow",
        _ => "Sitemap",
    }
}

fn check_unreadable(reading: &Reading<'_>, found: &mut Found) {
    let line = &reading.line;
    let lenient = reading.each().find_map(|(_, profile, line)| {
        let key = match line.record {
            Record::UserAgent(_) => Key::UserAgent,
            Record::Rule(rule) if rule.effect == Effect::Allow => Key::Allow,
            Record::Rule(_) => Key::Disallow,
            Record::Other { key, .. } => profile.syntax.spelling(key.bytes())?.key,
            _ => return None,
        };
        line.deviations(&profile.syntax).contains(Deviation::NoColon).then_some((key, line.record))
    });
    let content = line.content();
    match lenient {
        Some((key, record)) => {
            let value = match record {
                Record::UserAgent(field) | Record::Other { value: field, .. } => field,
                Record::Rule(rule) => rule.pattern,
                _ => return,
            };
            let start = content.span().start();
            let written = content.bytes().get(..value.span().start() - start).unwrap_or_default();
            let blank = written.trim_ascii_end().len();
            let at = robots_groups::syntax::Span::new(start + blank, value.span().start());
            found.add(
                Finding::new(
                    Code::MissingColon,
                    line.number,
                    at,
                    format!("only lenient readers take this for a record of `{}`", key.name()),
                )
                .help("write a colon behind the key: others ignore the line as it is")
                .readers(reading.readers(|line, _| matches!(line.record, Record::Unreadable)))
                .fix(at, ": "),
            );
        }
        None if matches!(line.record, Record::Unreadable) => {
            let code = content.bytes().split(|&octet| octet == b'#').next().unwrap_or_default();
            let text = code.trim_ascii();
            if line.number == 1 && text == MARK {
                return;
            }
            let lead = code.len() - code.trim_ascii_start().len();
            let start = content.span().start() + lead;
            let span = robots_groups::syntax::Span::new(start, start + text.len());
            found.add(
                Finding::new(
                    Code::UnreadableLine,
                    line.number,
                    span,
                    "the line is no record: readers skip it",
                )
                .help("write `key: value`, or `#` before a comment"),
            );
        }
        None => {}
    }
}

fn check_other(reading: &Reading<'_>, key: Field<'_>, found: &mut Found) {
    let is = |name: &str| key.bytes().eq_ignore_ascii_case(name.as_bytes());
    let number = reading.line.number;
    if let Some((_, instead)) = DEPRECATED.iter().find(|(name, _)| is(name)) {
        let message = format!("crawlers no longer obey `{}`", shown(key.bytes()));
        found.add(Finding::new(Code::DeprecatedKey, number, key.span(), message).help(*instead));
    } else if OPTIONAL.iter().any(|name| is(name)) {
        let message = format!("only some crawlers obey `{}`", shown(key.bytes()));
        found.add(
            Finding::new(Code::OptionalKey, number, key.span(), message)
                .help("do not rely on it: RFC 9309 knows no such record, and large crawlers ignore it"),
        );
    } else if !IN_USE.iter().any(|name| is(name)) {
        // Not to all, where a byte order mark or what else some readers skip is a part of it.
        let has_it = |record: &Record<'_>| matches!(record, Record::Other { key: read, .. } if *read == key);
        let message = if reading.each().all(|(.., line)| has_it(&line.record)) {
            format!("`{}` is no key that readers know, so they skip the line", shown(key.bytes()))
        } else {
            format!("to some readers the key is `{}`, which none knows", shown(key.bytes()))
        };
        let mut finding = Finding::new(Code::UnknownKey, number, key.span(), message)
            .readers(reading.readers(|line, _| has_it(&line.record)));
        if let Some(meant) = MEANT.iter().find(|meant| is_near(key.bytes(), meant)) {
            finding = finding.help(format!("did you mean `{meant}`?")).fix(key.span(), *meant);
        }
        found.add(finding);
    }
}

/// The scheme of an absolute URL that has an authority.
pub(super) fn scheme(url: &[u8]) -> Option<&[u8]> {
    let colon = url.iter().position(|&octet| octet == b':')?;
    let (scheme, rest) = url.split_at_checked(colon)?;
    let is_scheme = scheme.first()?.is_ascii_alphabetic()
        && scheme.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.'));
    let authority = rest.strip_prefix(b"://")?;
    (is_scheme && !matches!(authority.first(), None | Some(b'/' | b'?' | b'#'))).then_some(scheme)
}

/// Whether `key` is `meant` but for one octet that is missing, too much or another, or two that changed places.
fn is_near(key: &[u8], meant: &str) -> bool {
    let (key, meant) = (String::from_utf8_lossy(key).to_ascii_lowercase(), meant.to_string());
    if key.len().abs_diff(meant.len()) > 1 {
        return false;
    }
    let same = key.bytes().zip(meant.bytes()).take_while(|(a, b)| a == b).count();
    let (a, b) =
        (key.as_bytes().get(same..).unwrap_or_default(), meant.as_bytes().get(same..).unwrap_or_default());
    match (a, b) {
        ([a1, a2, a_rest @ ..], [b1, b2, b_rest @ ..]) if a1 == b2 && a2 == b1 && a_rest == b_rest => true,
        ([_, a_rest @ ..], [_, b_rest @ ..]) if a_rest == b_rest => true,
        ([_, a_rest @ ..], _) if a_rest == b => true,
        (_, [_, b_rest @ ..]) => a == b_rest,
        _ => false,
    }
}
