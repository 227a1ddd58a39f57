//! Which file holds, and what would change that.

use std::time::SystemTime;

use robots_fetch::{Basis, Class, Entry, File, Meanwhile, Requests};

use super::time::{span, time};

/// The file whose rules hold.
pub(super) fn held(entry: &Entry, now: SystemTime) -> Option<&File> {
    entry.robots(now)?;
    entry.good_file().or_else(|| entry.was())
}

/// What would change what crawlers may do.
pub(super) fn changes(entry: &Entry, now: SystemTime) -> Vec<String> {
    let next = time(entry.standing(now).next);
    let mut changes = Vec::new();
    match entry.class() {
        Class::Success => {
            let condition = entry.profile().access.requests == Requests::Conditional;
            let how = if condition && !entry.validators().is_empty() { ", if it has changed" } else { "" };
            changes.push(format!("another file, which is asked for from {next} on{how}"));
        }
        Class::Unavailable => {
            changes.push(format!("a robots.txt at the site, which is asked for from {next} on"));
        }
        Class::Restricted => changes.push(format!("another answer, which is asked for from {next} on")),
        _ => {
            let why = match entry.freshness().basis {
                Basis::RetryAfter => ", as the server asks",
                _ => "",
            };
            changes.push(format!("an answer to the next attempt, from {next} on{why}"));
            if let (Some((left, meanwhile)), Some(outage)) = (entry.next_step(), entry.outage()) {
                let file = entry.good_file().is_some();
                let may = match meanwhile {
                    Meanwhile::Nothing => "nothing",
                    Meanwhile::FileOrNothing | Meanwhile::FileOrEverything if file => {
                        "what the last good file lets them"
                    }
                    Meanwhile::FileOrNothing => "nothing",
                    Meanwhile::EverythingIfSiteAnswers => "everything, if the site answers otherwise",
                    _ => "everything",
                };
                let from = outage.last.checked_add(left).map_or_else(|| span(left), time);
                changes.push(format!("an attempt that fails at {from} or later: then they may do {may}"));
            }
        }
    }
    changes
}
