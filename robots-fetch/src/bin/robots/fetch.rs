//! `robots fetch`: what a site answers for its robots.txt, what that means, and how long it holds.

use core::fmt::Write as _;
use core::time::Duration;
use std::time::SystemTime;

use lexopt::{Arg, Parser};
use robots_fetch::{Access, AccessResult, Entry, File, Freshness, FreshnessSource, Origin, OutageAccess};
use serde_json::{Value, json};

use crate::args::{self, Format, Reading};
use crate::failure::{Failure, Result};
use crate::network::Network;
use crate::show::{self, Style, Text};

pub(crate) const HELP: &str = concat!(
    "\
What a site answers for its robots.txt: the requests and redirects, the status, how long it holds, what crawlers may do
now and what would change that.

Usage: robots fetch [OPTION]... URL

Options:
  -p, --profile NAME      what answers mean: rfc9309 (default), google, draft-koster-rep-00, koster-1996
      --format NAME       human (default) or json, which robots-fetch/schema/fetch.json describes
",
    crate::network::help!(),
    "  -h, --help              this help

Any URL of the site will do, by http, https or ftp. The site is asked, whatever is kept; what is kept of it tells what to ask for, and since
when there is an outage, and is renewed.

Exit status: 0 if crawlers may do something: what the rules let them, or everything; 1 if nothing; 2 if something is
wrong.

Examples:
  robots fetch https://example.com
  robots fetch --profile google --format json https://www.example.com/page
"
);

/// The command, from its arguments on.
pub(crate) fn run(mut parser: Parser) -> Result<u8> {
    let mut network = Network::default();
    let mut reading = Reading::default();
    let mut format = Format::Human;
    let mut url = None;
    while let Some(arg) = parser.next()? {
        if let Some(option) = Network::option(&arg) {
            network.set(option, &mut parser)?;
            continue;
        }
        match arg {
            Arg::Short('h') | Arg::Long("help") => return crate::help(HELP),
            Arg::Short('p') | Arg::Long("profile") => reading = Reading::of(&parser.value()?)?,
            Arg::Long("format") => format = Format::of(&parser.value()?)?,
            Arg::Value(value) if url.is_none() => url = Some(value),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(url) = url else { return Err(Failure::told("no URL is given")) };
    let origin = args::origin(&url)?;
    let entry = network.sites(reading.access())?.refresh(&origin);
    let now = SystemTime::now();
    let printed = match format {
        Format::Human => show::print(&human(&origin, &entry, now)),
        Format::Json => {
            let mut value = json!({ "version": 1, "profile": reading.name });
            if let (Some(fields), Value::Object(site)) = (value.as_object_mut(), json(&origin, &entry, now)) {
                fields.extend(site);
            }
            show::print_json(&value)
        }
    };
    match printed {
        // The status is an answer of its own.
        Ok(()) | Err(Failure::Closed) => Ok(u8::from(matches!(entry.access(now), Access::Nothing(..)))),
        Err(failure) => Err(failure),
    }
}

/// For people: one fact a line.
pub(crate) fn human(origin: &Origin, entry: &Entry, now: SystemTime) -> String {
    let mut out = format!("robots.txt of {}\n", Text(origin.as_str().as_bytes()));
    let mut line = |name: &str, text: &str| {
        // Writing to a string can't fail.
        let _ = writeln!(out, "  {} {}", Style::Faint.paint(format!("{name:<9}")), Text(text.as_bytes()));
    };
    for hop in entry.hops() {
        let status = hop.status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
        line("request", &format!("{}  {status}", hop.url));
    }
    line("answer", &answer(entry));
    if let Some(file) = held(entry, now) {
        line("size", &size(file));
        if file.looks_like_html {
            line("note", "it looks like a page of HTML");
        }
        if file.confirmed != entry.freshness().received || entry.access_result() != AccessResult::Success {
            line("file", &format!("of {}", time(file.confirmed)));
        }
    }
    line("holds", &holds(entry, now));
    let may = match entry.access(now) {
        Access::Rules(_) => Style::Allowed.paint("what the rules let them".to_owned()).to_string(),
        Access::Everything(..) => Style::Allowed.paint("everything".to_owned()).to_string(),
        Access::Nothing(..) => Style::Disallowed.paint("nothing".to_owned()).to_string(),
    };
    let _ = writeln!(out, "  {} crawlers may do {may}", Style::Faint.paint("now      "));
    for change in changes(entry, now) {
        let _ = writeln!(out, "  {} {}", Style::Faint.paint("change   "), Text(change.as_bytes()));
    }
    out
}

/// The file whose rules hold.
fn held(entry: &Entry, now: SystemTime) -> Option<&File> {
    entry.robots(now)?;
    entry.good_file().or_else(|| entry.previous_file())
}

/// What the last answer was.
fn answer(entry: &Entry) -> String {
    let meaning = match entry.access_result() {
        AccessResult::Success if entry.status() == Some(304) => "the file that is held is still the one",
        AccessResult::Success => "a file",
        AccessResult::Unavailable => "there is no robots.txt",
        AccessResult::Restricted => "robots are not wanted",
        _ => "the robots.txt can't be reached",
    };
    let cause = entry.cause().map_or_else(String::new, |cause| format!(": {cause}"));
    format!("{meaning} ({}){cause}", entry.access_result())
}

fn size(file: &File) -> String {
    let octets = file.robots.body().len();
    match file.dropped() {
        0 => format!("{octets} octets, all of them read"),
        dropped => {
            format!("more than is read: the first {} octets count, and no line that is cut", octets - dropped)
        }
    }
}

fn holds(entry: &Entry, now: SystemTime) -> String {
    let standing = entry.cache_status(now);
    if let Some(outage) = entry.outage() {
        let attempts = outage.attempts;
        return match attempts {
            1 => format!("an outage, since this attempt at {}", time(outage.since)),
            _ => format!("an outage of {attempts} attempts, since {}", time(outage.since)),
        };
    }
    let until = time(standing.until);
    let freshness = entry.freshness();
    match standing.fresh {
        true => {
            format!("until {until}, {} from its retrieval on: {}", span(freshness.lifetime), basis(freshness))
        }
        false => format!("for this moment only: {}", basis(freshness)),
    }
}

/// What says how long it holds.
fn basis(freshness: &Freshness) -> String {
    let by = match freshness.source {
        FreshnessSource::MaxAge => "Cache-Control: max-age",
        FreshnessSource::NoStore => "Cache-Control: no-store",
        FreshnessSource::NoCache => "Cache-Control: no-cache",
        FreshnessSource::Expires => "Expires",
        FreshnessSource::RetryAfter => "Retry-After",
        _ => "the default of the profile",
    };
    if freshness.is_capped() {
        format!("{by} asks for {}, which is more than the profile lets it", span(freshness.asked))
    } else {
        by.to_owned()
    }
}

/// What would change what crawlers may do.
fn changes(entry: &Entry, now: SystemTime) -> Vec<String> {
    let next = time(entry.cache_status(now).next);
    let mut changes = Vec::new();
    match entry.access_result() {
        AccessResult::Success => {
            let condition = entry.profile().access.conditional_requests;
            let how = if condition && !entry.validators().is_empty() { ", if it has changed" } else { "" };
            changes.push(format!("another file, which is asked for from {next} on{how}"));
        }
        AccessResult::Unavailable => {
            changes.push(format!("a robots.txt at the site, which is asked for from {next} on"));
        }
        AccessResult::Restricted => {
            changes.push(format!("another answer, which is asked for from {next} on"));
        }
        _ => {
            let why = match entry.freshness().source {
                FreshnessSource::RetryAfter => ", as the server asks",
                _ => "",
            };
            changes.push(format!("an answer to the next attempt, from {next} on{why}"));
            if let (Some((left, meanwhile)), Some(outage)) = (entry.next_outage_access(), entry.outage()) {
                let file = entry.good_file().is_some();
                let may = match meanwhile {
                    OutageAccess::Nothing => "nothing",
                    OutageAccess::FileOrNothing | OutageAccess::FileOrEverything if file => {
                        "what the last good file lets them"
                    }
                    OutageAccess::FileOrNothing => "nothing",
                    OutageAccess::EverythingIfSiteAnswers => "everything, if the site answers otherwise",
                    _ => "everything",
                };
                let from = outage.last.checked_add(left).map_or_else(|| span(left), time);
                changes.push(format!("an attempt that fails at {from} or later: then they may do {may}"));
            }
        }
    }
    changes
}

/// For programs. All times are of UTC.
pub(crate) fn json(origin: &Origin, entry: &Entry, now: SystemTime) -> Value {
    let standing = entry.cache_status(now);
    let freshness = entry.freshness();
    let hops: Vec<Value> =
        entry.hops().iter().map(|hop| json!({ "url": hop.url.as_str(), "status": hop.status })).collect();
    let file = held(entry, now).map(|file| {
        json!({
            "url": file.url.as_str(),
            "octets": file.robots.body().len(),
            "dropped": file.dropped(),
            "looks_like_html": file.looks_like_html,
            "retrieved": time(file.retrieved),
            "confirmed": time(file.confirmed),
            "etag": file.fields.etag,
            "last_modified": file.fields.last_modified,
            "content_type": file.fields.content_type,
        })
    });
    json!({
        "site": origin.as_str(),
        "requests": hops,
        "status": entry.status(),
        "class": entry.access_result().name(),
        "cause": entry.cause().map(|cause| json!({ "code": cause.code(), "text": cause.to_string() })),
        "octets": entry.body_bytes(),
        "file": file,
        "access": entry.access(now).name(),
        "received": time(freshness.received),
        "fresh": standing.fresh,
        "until": time(standing.until),
        "next": time(standing.next),
        "lifetime": freshness.lifetime.as_secs(),
        "asked": freshness.asked.as_secs(),
        "basis": freshness.source.name(),
        "outage": entry.outage().map(|outage| json!({
            "since": time(outage.since),
            "last": time(outage.last),
            "attempts": outage.attempts,
        })),
        "changes": changes(entry, now),
    })
}

/// As `2026-11-20T18:04:05Z`. Before 1970, and after the year 9999, which no date of HTTP reaches, that bound.
fn time(time: SystemTime) -> String {
    const LAST: u64 = 253_402_300_799;
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs().min(LAST);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that a leap day is the last of its year. 719,468 days are those from March of year 0
    // to 1970; 146,097 are those of 400 years.
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let march = (5 * day + 2) / 153;
    let day = day - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = cycle * 400 + year + u64::from(month < 3);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// As `24 hours`, in the largest unit that leaves nothing over.
fn span(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (count, unit) = match seconds {
        0 => (0, "second"),
        _ if seconds.is_multiple_of(86_400) && seconds > 86_400 => (seconds / 86_400, "day"),
        _ if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        _ if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (784_111_777, "1994-11-06T08:49:37Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_800, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(time(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
        assert_eq!(time(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn an_old_file_that_holds_again_is_shown_with_its_time() {
        use robots_fetch::{AwaitingHead, Failure, FailureKind, Head, NextStep, Profile, Validators};
        let origin = Origin::parse("https://example.com").unwrap();
        let day = |days: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400);
        let begin = |now| AwaitingHead::new(&origin, &Validators::default(), &Profile::RFC9309, now);
        let NextStep::Read(mut reading) = begin(day(0)).head(&Head::new(200), day(0)) else { panic!() };
        let _ = reading.push(b"user-agent: *\ndisallow: /\n");
        let mut entry = Entry::from_outcome(None, reading.end(day(0)), &Profile::RFC9309);
        for days in [2, 33] {
            let outcome = begin(day(days)).failure(Failure::new(FailureKind::Dns, ""), day(days));
            entry = Entry::from_outcome(Some(&entry), outcome, &Profile::RFC9309);
        }
        let shown = human(&origin, &entry, day(33));
        assert_eq!(
            anstream::adapter::strip_str(&shown).to_string(),
            "robots.txt of https://example.com\n\
             \x20 request   https://example.com/robots.txt  no answer\n\
             \x20 answer    the robots.txt can't be reached (unreachable): host name not found\n\
             \x20 size      26 octets, all of them read\n\
             \x20 file      of 1970-01-01T00:00:00Z\n\
             \x20 holds     an outage of 2 attempts, since 1970-01-03T00:00:00Z\n\
             \x20 now       crawlers may do what the rules let them\n\
             \x20 change    an answer to the next attempt, from 1970-02-03T00:02:00Z on\n"
        );
    }

    #[test]
    fn spans_are_in_the_largest_unit() {
        let spans =
            [0, 1, 60, 90, 3600, 86_400, 604_800, 86_401].map(|seconds| span(Duration::from_secs(seconds)));
        let expected = [
            "0 seconds",
            "1 second",
            "1 minute",
            "90 seconds",
            "1 hour",
            "24 hours",
            "7 days",
            "86401 seconds",
        ];
        assert_eq!(spans, expected);
    }
}
