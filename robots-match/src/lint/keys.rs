//! What concerns keys, and the values of other records.

use alloc::format;
use alloc::string::{String, ToString as _};

use robots_groups::syntax::{Deviation, Effect, Field, Key, Record};

use crate::lint::{Code, Finding, Found, Reading, shown};
use crate::profile::Profile;

/// Keys that some crawlers obey.
const OPTIONAL: [&str; 4] = ["crawl-delay", "request-rate", "visit-time", "clean-param"];
/// Keys that crawlers obeyed once.
const DEPRECATED: [(&str, &str); 4] = [
    ("host", "redirect to the host that is preferred"),
    ("noindex", "use the field `X-Robots-Tag` or a `robots` meta element"),
    ("nofollow", "use the field `X-Robots-Tag` or a `robots` meta element"),
    ("noarchive", "use the field `X-Robots-Tag` or a `robots` meta element"),
];
/// Other keys that are in use.
const IN_USE: [&str; 3] = ["content-signal", "content-usage", "license"];
/// The keys that a misspelt one may stand for.
const MEANT: [&str; 6] = ["user-agent", "allow", "disallow", "sitemap", "crawl-delay", "content-signal"];
/// The longest delay between two requests that still lets a site be crawled, in seconds.
const LONGEST_DELAY: f64 = 3600.0;

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
    let known = |profile: &Profile| profile.syntax.spelling(key.octets()).map(|spelling| spelling.key);
    let meant = reading.each().find_map(|(_, profile, _)| known(profile));
    match meant {
        Some(meant) if !key.octets().eq_ignore_ascii_case(meant.name().as_bytes()) => {
            let strict = reading.readers(|_, profile| known(profile).is_none());
            found.add(
                Finding::new(
                    Code::MisspeltKey,
                    reading.line.number,
                    key.span(),
                    format!("only lenient readers take `{}` for `{}`", shown(key.octets()), meant.name()),
                )
                .help(format!("write `{}`: others ignore the line as it is", capital(meant)))
                .readers(strict)
                .fix(key.span(), capital(meant)),
            );
        }
        Some(Key::Sitemap) => check_sitemap(reading, value, found),
        Some(_) => {}
        None => check_other(reading, key, value, found),
    }
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
            Record::Other { key, .. } => profile.syntax.spelling(key.octets())?.key,
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
            let written = content.octets().get(..value.span().start() - start).unwrap_or_default();
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
            let code = content.octets().split(|&octet| octet == b'#').next().unwrap_or_default();
            let text = code.trim_ascii();
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

fn check_other(reading: &Reading<'_>, key: Field<'_>, value: Field<'_>, found: &mut Found) {
    let is = |name: &str| key.octets().eq_ignore_ascii_case(name.as_bytes());
    let number = reading.line.number;
    if let Some((_, instead)) = DEPRECATED.iter().find(|(name, _)| is(name)) {
        let message = format!("crawlers no longer obey `{}`", shown(key.octets()));
        found.add(Finding::new(Code::DeprecatedKey, number, key.span(), message).help(*instead));
    } else if OPTIONAL.iter().any(|name| is(name)) {
        let message = format!("only some crawlers obey `{}`", shown(key.octets()));
        found.add(
            Finding::new(Code::OptionalKey, number, key.span(), message)
                .help("do not rely on it: RFC 9309 knows no such record, and large crawlers ignore it"),
        );
        if is("crawl-delay") {
            check_delay(number, value, found);
        }
    } else if is("content-signal") {
        check_signal(number, value, &["train-ai"], &["y", "n"], "Content-Usage", found);
    } else if is("content-usage") {
        check_signal(number, value, &["ai-train", "ai-input"], &["yes", "no"], "Content-Signal", found);
    } else if is("license") {
        if scheme(value.octets()).is_none() {
            let message = format!("`{}` is no absolute URL", shown(value.octets()));
            found.add(
                Finding::new(Code::LicenseNotAbsolute, number, value.span(), message)
                    .help("write the whole URL, with scheme and host"),
            );
        }
    } else if !IN_USE.iter().any(|name| is(name)) {
        let mut finding = Finding::new(
            Code::UnknownKey,
            number,
            key.span(),
            format!("no reader knows `{}`", shown(key.octets())),
        );
        if let Some(meant) = MEANT.iter().find(|meant| is_near(key.octets(), meant)) {
            finding = finding.help(format!("did you mean `{meant}`?")).fix(key.span(), *meant);
        }
        found.add(finding);
    }
}

fn check_delay(number: usize, value: Field<'_>, found: &mut Found) {
    let text = core::str::from_utf8(value.octets()).unwrap_or_default();
    let is_number = !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit() || octet == b'.');
    let message = match text.parse::<f64>() {
        Ok(seconds) if is_number && seconds > LONGEST_DELAY => {
            format!("`{}` seconds are more than an hour between two requests", shown(value.octets()))
        }
        Ok(_) if is_number => return,
        _ => format!("`{}` is no number of seconds", shown(value.octets())),
    };
    found.add(
        Finding::new(Code::CrawlDelay, number, value.span(), message)
            .help("write a small number of seconds, without a unit"),
    );
}

fn check_sitemap(reading: &Reading<'_>, value: Field<'_>, found: &mut Found) {
    match scheme(value.octets()) {
        None => found.add(
            Finding::new(
                Code::SitemapNotAbsolute,
                reading.line.number,
                value.span(),
                format!("`{}` is no absolute URL", shown(value.octets())),
            )
            .help("write the whole URL of the sitemap, with scheme and host"),
        ),
        Some(scheme)
            if !["http", "https"].iter().any(|usual| scheme.eq_ignore_ascii_case(usual.as_bytes())) =>
        {
            found.add(
                Finding::new(
                    Code::SitemapScheme,
                    reading.line.number,
                    value.span(),
                    format!("crawlers fetch no sitemaps by `{}`", shown(scheme)),
                )
                .help("offer it by https"),
            );
        }
        Some(_) => {}
    }
}

/// `key` is not written with these names and values, which are those of `of`.
fn check_signal(
    number: usize,
    value: Field<'_>,
    names: &[&str],
    values: &[&str],
    of: &str,
    found: &mut Found,
) {
    let octets = value.octets();
    let path = match octets.first() {
        Some(b'/') => octets.iter().position(u8::is_ascii_whitespace).unwrap_or(octets.len()),
        _ => 0,
    };
    let mut at = value.span().start() + path;
    for item in octets.get(path..).unwrap_or_default().split(|&octet| octet == b',') {
        let text = item.trim_ascii();
        let start = at + (item.len() - item.trim_ascii_start().len());
        at += item.len() + 1;
        let mut parts = text.splitn(2, |&octet| octet == b'=').map(<[u8]>::trim_ascii);
        let (name, said) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let is_one =
            |octets: &[u8], of: &[&str]| of.iter().any(|one| octets.eq_ignore_ascii_case(one.as_bytes()));
        if is_one(name, names) || is_one(said, values) {
            let span = robots_groups::syntax::Span::new(start, start + text.len());
            let message = format!("`{}` is of the vocabulary of {of}", shown(text));
            found.add(
                Finding::new(Code::SignalVocabulary, number, span, message)
                    .help("Content-Signal has `ai-train`, `ai-input`, `search` with `yes` or `no`; Content-Usage has `train-ai`, `search` with `y` or `n`"),
            );
        }
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
