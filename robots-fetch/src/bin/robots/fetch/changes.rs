//! Which file is in use, and what changes next.

use std::time::SystemTime;

use robots_fetch::{Basis, Class, Entry, File, Meanwhile, Requests};

use super::time::{span, time};

/// Returns the file whose rules apply.
pub(super) fn held(entry: &Entry, now: SystemTime) -> Option<&File> {
    entry.robots(now)?;
    entry.good_file().or_else(|| entry.was())
}

/// Returns when the site is asked again, and what happens if it is still unreachable then, as text for people.
pub(super) fn changes(entry: &Entry, now: SystemTime) -> Vec<String> {
    let next = time(entry.standing(now).next);
    match entry.class() {
        Class::Success => {
            let is_conditional = entry.profile().access.requests == Requests::Conditional;
            let what =
                if is_conditional && !entry.validators().is_empty() { "revalidation" } else { "request" };
            vec![format!("next {what} at {next}")]
        }
        Class::Unavailable | Class::Restricted => vec![format!("next request at {next}")],
        _ => {
            let why = match entry.freshness().basis {
                Basis::RetryAfter => ", as the server asks",
                _ => "",
            };
            let attempt = format!("next attempt at {next}{why}");
            [attempt].into_iter().chain(after_more_failures(entry)).collect()
        }
    }
}

/// What crawlers may do next if the outage goes on.
fn after_more_failures(entry: &Entry) -> Option<String> {
    let ((left, meanwhile), outage) = (entry.next_step()?, entry.outage()?);
    let has_file = entry.good_file().is_some();
    let what = match meanwhile {
        Meanwhile::FileOrNothing | Meanwhile::FileOrEverything if has_file => {
            "crawlers may use the rules of the last good file"
        }
        Meanwhile::Nothing | Meanwhile::FileOrNothing => "crawlers may access nothing",
        Meanwhile::EverythingIfSiteAnswers => {
            "and the rest of the site answers, crawlers may treat the site as unrestricted"
        }
        _ => "crawlers may treat the site as unrestricted",
    };
    let when = match outage.last.checked_add(left) {
        Some(at) => format!("on {}", time(at)),
        None => format!("after {}", span(left)),
    };
    Some(format!("if still failing {when}, {what}"))
}
