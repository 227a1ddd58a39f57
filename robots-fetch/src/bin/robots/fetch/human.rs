//! What is known of a site, for people.

use core::fmt::Write as _;
use std::time::SystemTime;

use robots_fetch::{Access, Basis, Class, Entry, File, Freshness, Origin};

use super::changes::{changes, held};
use super::time::{span, time};
use crate::output::Style;
use crate::text::Text;

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
        if file.confirmed != entry.freshness().received || entry.class() != Class::Success {
            line("file", &format!("of {}", time(file.confirmed)));
        }
    }
    line("holds", &holds(entry, now));
    let may = match entry.access(now) {
        Access::Rules(_) => Style::Allowed.paint("what the rules let them".to_owned()).to_string(),
        Access::Everything(_) => Style::Allowed.paint("everything".to_owned()).to_string(),
        Access::Nothing(_) => Style::Disallowed.paint("nothing".to_owned()).to_string(),
    };
    let _ = writeln!(out, "  {} crawlers may do {may}", Style::Faint.paint("now      "));
    for change in changes(entry, now) {
        let _ = writeln!(out, "  {} {}", Style::Faint.paint("change   "), Text(change.as_bytes()));
    }
    out
}

/// What the last answer was.
fn answer(entry: &Entry) -> String {
    let meaning = match entry.class() {
        Class::Success if entry.status() == Some(304) => "the file that is held is still the one",
        Class::Success => "a file",
        Class::Unavailable => "there is no robots.txt",
        Class::Restricted => "robots are not wanted",
        _ => "the robots.txt can't be reached",
    };
    let cause = entry.cause().map_or_else(String::new, |cause| format!(": {cause}"));
    format!("{meaning} ({}){cause}", entry.class())
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
    let standing = entry.standing(now);
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
    let by = match freshness.basis {
        Basis::MaxAge => "Cache-Control: max-age",
        Basis::NoStore => "Cache-Control: no-store",
        Basis::NoCache => "Cache-Control: no-cache",
        Basis::Expires => "Expires",
        Basis::RetryAfter => "Retry-After",
        _ => "the default of the profile",
    };
    if freshness.is_capped() {
        format!("{by} asks for {}, which is more than the profile lets it", span(freshness.asked))
    } else {
        by.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;

    #[test]
    fn an_old_file_that_holds_again_is_shown_with_its_time() {
        use robots_fetch::{Awaiting, Failure, FailureKind, Head, Profile, Step, Validators};
        let origin = Origin::parse("https://example.com").unwrap();
        let day = |days: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400);
        let begin = |now| Awaiting::begin(&origin, &Validators::NONE, &Profile::RFC9309, now).1;
        let Step::Read(mut reading) = begin(day(0)).head(&Head::new(200), day(0)) else { panic!() };
        let _ = reading.push(b"user-agent: *\ndisallow: /\n");
        let mut entry = Entry::after(None, reading.end(day(0)), &Profile::RFC9309);
        for days in [2, 33] {
            let outcome = begin(day(days)).failure(Failure::new(FailureKind::Dns, ""), day(days));
            entry = Entry::after(Some(&entry), outcome, &Profile::RFC9309);
        }
        let shown = human(&origin, &entry, day(33));
        assert_eq!(
            anstream::adapter::strip_str(&shown).to_string(),
            "robots.txt of https://example.com\n\
             \x20 request   https://example.com/robots.txt  no answer\n\
             \x20 answer    the robots.txt can't be reached (unreachable): the host has no address\n\
             \x20 size      26 octets, all of them read\n\
             \x20 file      of 1970-01-01T00:00:00Z\n\
             \x20 holds     an outage of 2 attempts, since 1970-01-03T00:00:00Z\n\
             \x20 now       crawlers may do what the rules let them\n\
             \x20 change    an answer to the next attempt, from 1970-02-03T00:02:00Z on\n"
        );
    }
}
