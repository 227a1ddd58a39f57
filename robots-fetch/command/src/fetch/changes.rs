//! Which file is in use, and what changes next.

use std::time::SystemTime;

use robots_fetch::{AccessResult, Entry, File, OutageAccess};

use super::time::{span, time};

/// Returns the file whose rules apply.
pub(super) fn held(entry: &Entry, now: SystemTime) -> Option<&File> {
    entry.robots(now)?;
    entry.good_file().or_else(|| entry.previous_file())
}

/// Returns when the site is asked again, and what happens if it is still unreachable then, as text for people.
pub(super) fn changes(entry: &Entry) -> Vec<String> {
    let next = time(entry.next_retrieval());
    match entry.access_result() {
        AccessResult::Success => {
            let is_conditional = entry.profile().access.conditional_requests;
            let what =
                if is_conditional && !entry.validators().is_empty() { "revalidation" } else { "request" };
            vec![format!("next {what} at {next}")]
        }
        AccessResult::Unavailable | AccessResult::Restricted => vec![format!("next request at {next}")],
        _ => {
            let why = match entry.lifetime_source() {
                "retry-after" => ", as the server asks",
                _ => "",
            };
            let attempt = format!("next attempt at {next}{why}");
            [attempt].into_iter().chain(after_more_failures(entry)).collect()
        }
    }
}

/// Returns the access that follows if the outage goes on.
fn after_more_failures(entry: &Entry) -> Option<String> {
    let ((left, access), outage) = (entry.next_outage_access()?, entry.outage()?);
    let has_file = entry.good_file().is_some();
    let what = match access {
        OutageAccess::FileOrNothing | OutageAccess::FileOrEverything if has_file => {
            "crawlers may use the rules of the last good file"
        }
        OutageAccess::Nothing | OutageAccess::FileOrNothing => "crawlers may access nothing",
        OutageAccess::EverythingIfSiteAnswers => {
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
