//! What concerns other records: whom they are for, and their values.

use alloc::format;
use alloc::string::String;

use robots_groups::Groups;
use robots_groups::syntax::{Field, Lines, Span};

use crate::lint::{Code, Facts, Finding, Found, keys, shown};
#[cfg(feature = "usage")]
use crate::records::ContentUsage;
use crate::records::{
    ContentSignal, OtherRecord, ProblemKind, RecordKind, RecordProblem, RecordValue, Records,
};

/// The longest delay between two requests that still lets a site be crawled, in seconds.
const LONGEST_DELAY: u64 = 3600;

/// The names and values of Content-Signal, and what its extension adds.
const SIGNALS: [(&str, &[&str]); 4] = [
    ("search", &["yes", "no"]),
    ("ai-input", &["yes", "no"]),
    ("ai-train", &["yes", "no"]),
    ("use", &["immediate", "reference", "full"]),
];
/// The labels of Content-Usage.
#[cfg(feature = "usage")]
const LABELS: [&str; 2] = ["train-ai", "search"];

pub(super) fn check(body: &[u8], facts: &Facts<'_>, found: &mut Found) {
    let profile = &facts.profile;
    let groups = Groups::read(body, &profile.syntax, &profile.groups);
    let records = Records::from_lines(Lines::new(body, &profile.syntax), &groups, &profile.syntax);
    // A key that only some take for that of a sitemap is a finding of its own.
    let is_spelt =
        |record: &&OtherRecord<'_>| record.key.bytes().eq_ignore_ascii_case(record.kind.name().as_bytes());
    for record in records.all().iter().filter(is_spelt) {
        let Some(code) = code(record.kind) else { continue };
        for problem in &record.problems {
            found.add(told(body, record, problem, code));
        }
        match &record.value {
            Some(RecordValue::Sitemap(_)) => check_sitemap(record, found),
            Some(RecordValue::License(_)) if keys::scheme(record.raw.bytes()).is_none() => {
                found.add(not_absolute(record, code));
            }
            Some(RecordValue::CrawlDelay(delay)) if delay.as_secs() > LONGEST_DELAY => {
                let message = format!(
                    "`{}` seconds are more than an hour between two requests",
                    shown(record.raw.bytes())
                );
                let finding = Finding::new(code, record.line, record.raw.span(), message);
                found.add(finding.help(help(RecordKind::CrawlDelay)));
            }
            Some(RecordValue::ContentSignal(signal)) => check_signal(record.line, signal, found),
            #[cfg(feature = "usage")]
            Some(RecordValue::ContentUsage(usage)) => check_usage(body, record.line, usage, found),
            _ => {}
        }
    }
}

/// The code of findings about the values of a kind.
const fn code(kind: RecordKind) -> Option<Code> {
    Some(match kind {
        RecordKind::Sitemap => Code::SitemapNotAbsolute,
        RecordKind::License => Code::LicenseNotAbsolute,
        RecordKind::CrawlDelay => Code::CrawlDelay,
        RecordKind::Host => Code::HostName,
        RecordKind::CleanParam => Code::CleanParam,
        RecordKind::RequestRate => Code::RequestRate,
        RecordKind::VisitTime => Code::VisitTime,
        RecordKind::ContentSignal => Code::ContentSignal,
        RecordKind::ContentUsage => Code::ContentUsage,
        RecordKind::Unknown => return None,
    })
}

/// How a value of a kind is written.
const fn help(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Sitemap => "write the whole URL of the sitemap, with scheme and host",
        RecordKind::License => "write the whole URL, with scheme and host",
        RecordKind::CrawlDelay => "write a small number of seconds, without a unit",
        RecordKind::Host => "write the name of the host, such as `www.example.com`",
        RecordKind::CleanParam => {
            "write the parameters with `&` between them, and the path they are for behind a blank"
        }
        RecordKind::RequestRate => {
            "write a number of requests, a slash and a time, as in `1/10s`; hours may follow, as in `1/10s 0600-0845`"
        }
        RecordKind::VisitTime => "write two times of the day in UTC, as in `0600-0845`",
        RecordKind::ContentSignal => {
            "write `search`, `ai-input` or `ai-train` with `yes` or `no`, as in `search=yes, ai-train=no`"
        }
        RecordKind::ContentUsage => {
            "write `train-ai` or `search` with `y` or `n`, as in `search=y, train-ai=n`"
        }
        RecordKind::Unknown => "",
    }
}

/// What a reader of the record found.
fn told(body: &[u8], record: &OtherRecord<'_>, problem: &RecordProblem, code: Code) -> Finding {
    let key = shown(record.key.bytes());
    let value = shown(problem.span.of(body));
    let message = match problem.kind {
        ProblemKind::NoGroup => {
            let message = format!("no group holds this record, so `{key}` is for nobody");
            return Finding::new(Code::RecordOutsideGroup, record.line, problem.span, message)
                .help("write it below the user-agent line of the crawlers that it is for");
        }
        ProblemKind::Empty => format!("`{key}` has no value"),
        ProblemKind::NotUtf8 => format!("`{value}` is not UTF-8"),
        ProblemKind::RelativeUrl => return not_absolute(record, code),
        ProblemKind::NoUrl => format!("`{value}` is no URL"),
        ProblemKind::Fragment => format!("`{value}` has a fragment, which the URL of a license has not"),
        ProblemKind::NoSeconds => format!("`{value}` is no number of seconds"),
        ProblemKind::TooLarge => format!("`{value}` is too large a number"),
        ProblemKind::NoHost => format!("`{value}` is no name of a host"),
        ProblemKind::NoParameters => format!("`{value}` is no list of parameters"),
        ProblemKind::NoRate => format!("`{value}` is no number of requests in a time"),
        ProblemKind::ZeroRate => format!("`{value}` lets nobody request anything"),
        ProblemKind::NoWindow => format!("`{value}` is no span of hours"),
        ProblemKind::NoPreference => format!("nothing is said about `{value}`"),
        ProblemKind::NoSignalValue => format!("`{value}` says neither `yes` nor `no`"),
    };
    Finding::new(code, record.line, problem.span, message).help(help(record.kind))
}

fn not_absolute(record: &OtherRecord<'_>, code: Code) -> Finding {
    let message = format!("`{}` is no absolute URL", shown(record.raw.bytes()));
    Finding::new(code, record.line, record.raw.span(), message).help(help(record.kind))
}

fn check_sitemap(record: &OtherRecord<'_>, found: &mut Found) {
    match keys::scheme(record.raw.bytes()) {
        // A browser would make one of it.
        None => found.add(not_absolute(record, Code::SitemapNotAbsolute)),
        Some(scheme)
            if !["http", "https"].iter().any(|usual| scheme.eq_ignore_ascii_case(usual.as_bytes())) =>
        {
            found.add(
                Finding::new(
                    Code::SitemapScheme,
                    record.line,
                    record.raw.span(),
                    format!("crawlers fetch no sitemaps by `{}`", shown(scheme)),
                )
                .help("offer it by https"),
            );
        }
        Some(_) => {}
    }
}

fn check_signal(line: usize, signal: &ContentSignal<'_>, found: &mut Found) {
    for (name, value) in signal.signals() {
        if name.is_empty() || value.is_empty() {
            continue;
        }
        let whole = Span::new(name.span().start(), value.span().end());
        let of = SIGNALS.iter().find(|(known, _)| name.bytes().eq_ignore_ascii_case(known.as_bytes()));
        if is_one(name, &["train-ai"]) || of.is_some() && is_one(value, &["y", "n"]) {
            found.add(mixed_up(line, whole, &both(name, value), "Content-Usage"));
            continue;
        }
        let (span, message) = match of {
            None => {
                (name.span(), format!("the Content Signals Policy has no signal `{}`", shown(name.bytes())))
            }
            Some((_, values)) if !is_one(value, values) => {
                let all = values.join("`, `");
                let (span, name, value) = (value.span(), shown(name.bytes()), shown(value.bytes()));
                (span, format!("the signal `{name}` has no value `{value}`: there are `{all}`"))
            }
            Some(_) => continue,
        };
        found.add(
            Finding::new(Code::ContentSignal, line, span, message).help(help(RecordKind::ContentSignal)),
        );
    }
}

#[cfg(feature = "usage")]
fn check_usage(body: &[u8], line: usize, usage: &ContentUsage<'_>, found: &mut Found) {
    let dictionary = usage.dictionary();
    let Some(preferences) = usage.preferences() else {
        let message =
            format!("`{}` is no list of preferences, so none of it is heard", shown(dictionary.bytes()));
        let finding = Finding::new(Code::ContentUsage, line, dictionary.span(), message);
        found.add(finding.help(help(RecordKind::ContentUsage)));
        return;
    };
    for (label, preference) in preferences.iter() {
        let (span, value) = place(dictionary, label);
        if ["ai-train", "ai-input"].contains(&label) || is_one(value, &["yes", "no"]) {
            found.add(mixed_up(line, span, &shown(span.of(body)), "Content-Signal"));
            continue;
        }
        let message = if !LABELS.contains(&label) {
            format!("the vocabulary of AI preferences has no use `{}`", shown(label.as_bytes()))
        } else if preference.is_none() {
            format!("`{}` says neither `y` nor `n`", shown(span.of(body)))
        } else {
            continue;
        };
        found.add(Finding::new(Code::ContentUsage, line, span, message).help(help(RecordKind::ContentUsage)));
    }
}

/// Where `label` stands last in a dictionary with its value, and that value. Strings that hold a comma are not seen as
/// such; then it may be the whole dictionary.
#[cfg(feature = "usage")]
fn place<'f>(dictionary: Field<'f>, label: &str) -> (Span, Field<'f>) {
    let mut at = dictionary.span().start();
    let mut found = None;
    for item in dictionary.bytes().split(|&octet| octet == b',') {
        let start = at + (item.len() - item.trim_ascii_start().len());
        at += item.len() + 1;
        let item = item.trim_ascii();
        let name = item.split(|octet| matches!(octet, b'=' | b';')).next().unwrap_or_default();
        if name == label.as_bytes() {
            let rest = item.get(name.len()..).unwrap_or_default();
            let value = rest.strip_prefix(b"=").unwrap_or_default();
            let value = value.split(|&octet| octet == b';').next().unwrap_or_default();
            let value = Field::new(value, start + name.len() + 1);
            found = Some((Span::new(start, start + item.len()), value));
        }
    }
    found.unwrap_or((dictionary.span(), Field::new(b"", dictionary.span().end())))
}

fn is_one(field: Field<'_>, of: &[&str]) -> bool {
    of.iter().any(|one| field.bytes().eq_ignore_ascii_case(one.as_bytes()))
}

fn both(name: Field<'_>, value: Field<'_>) -> String {
    format!("{}={}", shown(name.bytes()), shown(value.bytes()))
}

/// What is written at `span` is of the vocabulary of `of`.
fn mixed_up(line: usize, span: Span, written: &str, of: &str) -> Finding {
    let message = format!("`{written}` is of the vocabulary of {of}");
    Finding::new(Code::SignalVocabulary, line, span, message).help(
        "Content-Signal has `ai-train`, `ai-input`, `search` with `yes` or `no`; Content-Usage has `train-ai`, `search` with `y` or `n`",
    )
}
