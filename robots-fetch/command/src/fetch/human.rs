//! The state of a site, for people.

use std::time::SystemTime;

use robots_fetch::{Access, AccessResult, Entry, File, Origin};

use super::changes::{changes, held};
use super::time::{span, time};
use crate::body::{Body, cut_note, joined_notes, refusal_note};
use crate::output::{Style, TextLines};
use crate::text::with_host;

/// Returns what is known of a site, one fact a line.
pub(crate) fn human(origin: &Origin, entry: &Entry, now: SystemTime) -> TextLines {
    let mut out = TextLines::one(format_args!("robots.txt of {}", with_host(origin.as_str().as_bytes())));
    let mut line = |name: &str, text: &str| {
        out.add(format_args!("  {} {text}", Style::Faint.paint(format!("{name:<9}"))));
    };
    for hop in entry.hops() {
        let status = hop.status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
        line("request", &format!("{}  {status}", with_host(hop.url.as_str().as_bytes())));
    }
    line("answer", &answer(entry, now));
    if let Some(file) = held(entry, now) {
        line("size", &size(file));
        let body = Body::of(&file.robots);
        line("read", &body.counts());
        let excess = cut_note(entry).filter(|_| file.dropped() == 0);
        for note in body.note().into_iter().chain(excess).chain(joined_notes(&file.robots)) {
            line("note", &note);
        }
        if file.confirmed != entry.received() || entry.access_result() != AccessResult::Success {
            line("file", &format!("confirmed at {}", time(file.confirmed)));
        }
    }
    for (name, value) in sent(entry, now) {
        line("sent", &format!("{name}: {value}"));
    }
    let (name, text) = validity(entry, now);
    line(name, &text);
    if entry.access_result() == AccessResult::Unavailable
        && let Some(note) = refusal_note(entry)
    {
        line("note", &note);
    }
    let may = match entry.access(now) {
        Access::Rules(robots) if !Body::of(robots).kind.has_rules() => {
            Style::Allowed.paint("everything, because no rule was read")
        }
        Access::Rules(_) => Style::Allowed.paint("what the rules allow"),
        Access::Everything(..) => Style::Allowed.paint("everything"),
        Access::Nothing(..) => Style::Disallowed.paint("nothing"),
    };
    out.add(format_args!("  {} crawlers may access {may}", Style::Faint.paint("now      ")));
    for change in changes(entry) {
        out.add(format_args!("  {} {change}", Style::Faint.paint("later    ")));
    }
    out
}

/// Returns what the last answer means.
fn answer(entry: &Entry, now: SystemTime) -> String {
    let kind = || held(entry, now).map(|file| Body::of(&file.robots).kind);
    let meaning = match entry.access_result() {
        _ if entry.is_local_failure() => "the failure is not the site's",
        AccessResult::Success if entry.status() == Some(304) => "the file has not changed",
        AccessResult::Success => match kind().filter(|kind| !kind.is_robots_txt()) {
            Some(kind) => return kind.to_string(),
            None => "a file",
        },
        result if result.is_refusal(entry.status()) => {
            "the site refuses access to robots.txt, as if there were none"
        }
        AccessResult::Unavailable => "the site has no robots.txt",
        AccessResult::Throttled => "the site limits requests",
        AccessResult::Restricted => "the site restricts access to robots.txt",
        _ => "robots.txt is unreachable",
    };
    entry.cause().map_or_else(|| meaning.to_owned(), |cause| format!("{meaning} ({cause})"))
}

/// Returns the fields of the answer by which caches keep it, as they were sent.
fn sent(entry: &Entry, now: SystemTime) -> impl Iterator<Item = (&'static str, &str)> {
    let fields = held(entry, now).map(|file| &file.fields);
    let all = fields.map(|fields| {
        [("Cache-Control", &fields.cache_control), ("Expires", &fields.expires), ("Age", &fields.age)]
    });
    all.into_iter().flatten().filter_map(|(name, value)| Some((name, value.as_deref()?)))
}

fn size(file: &File) -> String {
    let bytes = file.robots.body().len();
    match file.dropped() {
        0 if file.has_excess => format!("{bytes} bytes, as its Content-Length says"),
        0 => format!("{bytes} bytes, all read"),
        dropped => {
            format!(
                "over the size limit: only the first {} bytes, which end with a line, are used",
                bytes - dropped
            )
        }
    }
}

/// Until when the answer is fresh, since when the site is unreachable, or what applies while it limits requests: a name and
/// a text.
fn validity(entry: &Entry, now: SystemTime) -> (&'static str, String) {
    if let Some(outage) = entry.outage() {
        let since = time(outage.since);
        return match outage.attempts {
            1 => ("outage", format!("unreachable since {since}")),
            attempts => ("outage", format!("unreachable since {since}, after {attempts} attempts")),
        };
    }
    if entry.access_result() == AccessResult::Throttled {
        let file = match entry.good_file() {
            Some(_) => "the last good file applies",
            None => "no file is cached, so nothing may be accessed for now",
        };
        return ("throttled", file.to_owned());
    }
    if entry.is_local_failure() {
        let file = match entry.robots(now) {
            Some(_) => "the last good file applies",
            None => "nothing may be accessed for now",
        };
        return ("meanwhile", file.to_owned());
    }
    let text = if entry.is_fresh(now) {
        let lifetime = span(entry.lifetime());
        format!("until {}, {lifetime} after it was fetched ({})", time(entry.fresh_until()), source(entry))
    } else {
        format!("only for this request ({})", source(entry))
    };
    ("fresh", text)
}

/// Returns the source of the freshness lifetime.
fn source(entry: &Entry) -> String {
    let by = match entry.lifetime_source() {
        "max-age" => "Cache-Control: max-age",
        "no-store" => "Cache-Control: no-store",
        "no-cache" => "Cache-Control: no-cache",
        "expires" => "Expires",
        "retry-after" => "Retry-After",
        _ => "the default of the profile",
    };
    if entry.lifetime() < entry.asked_lifetime() {
        format!("{by} asks for {}, more than the profile allows", span(entry.asked_lifetime()))
    } else {
        by.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;
    use crate::output::Printable;

    #[test]
    fn hosts_are_shown_in_both_forms() {
        use robots_fetch::{AwaitingHead, Failure, FailureKind, SiteProfile, Validators};
        let origin = Origin::parse("https://ex\u{E4}mple.com").unwrap();
        let now = SystemTime::UNIX_EPOCH;
        let asked = AwaitingHead::new(&origin, &Validators::default(), &SiteProfile::RFC9309, now);
        let outcome = asked.failure(Failure::new(FailureKind::Dns, ""), now);
        let shown =
            Printable::from(human(&origin, &Entry::from_outcome(None, outcome, &SiteProfile::RFC9309), now));
        let shown = anstream::adapter::strip_str(&shown.into_text()).to_string();
        assert!(
            shown.starts_with(
                "robots.txt of https://xn--exmple-cua.com (ex\u{E4}mple.com)\n  \
                 request   https://xn--exmple-cua.com/robots.txt (ex\u{E4}mple.com)  no answer\n"
            ),
            "{shown}"
        );
    }

    #[test]
    fn an_older_file_in_use_again_is_shown_with_its_time() {
        use robots_fetch::{AwaitingHead, Failure, FailureKind, Head, NextStep, SiteProfile, Validators};
        let origin = Origin::parse("https://example.com").unwrap();
        let day = |days: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400);
        let begin = |now| AwaitingHead::new(&origin, &Validators::default(), &SiteProfile::RFC9309, now);
        let NextStep::Read(mut reading) = begin(day(0)).head(&Head::new(200), day(0)) else { panic!() };
        let _ = reading.push(b"user-agent: *\ndisallow: /\n");
        let mut entry = Entry::from_outcome(None, reading.end(day(0)), &SiteProfile::RFC9309);
        for days in [2, 33] {
            let outcome = begin(day(days)).failure(Failure::new(FailureKind::Dns, ""), day(days));
            entry = Entry::from_outcome(Some(&entry), outcome, &SiteProfile::RFC9309);
        }
        let shown = Printable::from(human(&origin, &entry, day(33)));
        assert_eq!(
            anstream::adapter::strip_str(&shown.into_text()).to_string(),
            "robots.txt of https://example.com\n\
             \x20 request   https://example.com/robots.txt  no answer\n\
             \x20 answer    robots.txt is unreachable (host name not found)\n\
             \x20 size      26 bytes, all read\n\
             \x20 read      1 group with 1 rule\n\
             \x20 file      confirmed at 1970-01-01T00:00:00Z\n\
             \x20 outage    unreachable since 1970-01-03T00:00:00Z, after 2 attempts\n\
             \x20 now       crawlers may access what the rules allow\n\
             \x20 later     next attempt at 1970-02-03T00:02:00Z\n"
        );
    }
}
