//! Lines that state for what pages may be used, which are written only on request.

use std::collections::HashMap;
use std::ffi::OsStr;

use robots_match::lint::{LintContext, Severity};
use robots_match::records::{OtherRecord, Records};
use robots_match::syntax::Lines;
use robots_match::{AccessPlanError, Comparer, Crawler, Difference, Effect, Profile, Robots};

use super::arguments::Arguments;
use crate::failure::{Failure, Result};
use crate::output::{self, Style};
use crate::subject::Subject;
use crate::text::Text;

/// Returns the subject with the lines of `--content-signal` and `--content-usage`, if there are any.
///
/// # Errors
///
/// A value is not valid: no crawler would read it as it is meant.
pub(super) fn with_preferences(subject: Subject, arguments: &Arguments) -> Result<Subject> {
    let both = [("Content-Signal", &arguments.content_signal), ("Content-Usage", &arguments.content_usage)];
    let mut lines = Vec::new();
    for (key, value) in both {
        let Some(value) = value else { continue };
        let line = format!("{key}: {}", value.trim());
        require_valid(&line)?;
        lines.push(line);
    }
    if lines.is_empty() {
        return Ok(subject);
    }
    let others = others(&subject.robots, &lines);
    if let [first, ..] = &*others {
        let note = format!(
            "other Content-Signal or Content-Usage lines stay ({}, the first in line {first}); remove those that should not count any more",
            others.len()
        );
        output::complain("note", Style::Note, &note);
    }
    let body = written(&subject.robots, &lines);
    if arguments.profile.rules.syntax.max_size.is_some_and(|most| body.len() > most) {
        return Err(Failure::new(format!("{}; nothing is written", AccessPlanError::TooLong)));
    }
    let mut written = Subject::of_bytes(OsStr::new(""), &body, &arguments.profile);
    written.name = subject.name;
    Ok(written)
}

/// Checks that lint has nothing to say against a line.
fn require_valid(line: &str) -> Result<()> {
    let failed =
        |why: &str| Err(Failure::new(format!("`{}`: {}", Text(line.as_bytes()), Text(why.as_bytes()))));
    if line.contains(['\n', '\r']) {
        return failed("the value has a line break");
    }
    let file = format!("User-agent: *\n{line}\nDisallow:\n");
    let report = LintContext::default().lint(file.as_bytes());
    let found = report.findings.iter().find(|finding| finding.severity > Severity::Note);
    found.map_or(Ok(()), |finding| failed(&finding.message))
}

/// Whether a record is one of the lines.
fn is(record: &OtherRecord<'_>, line: &str) -> bool {
    line.split_once(": ").is_some_and(|(key, value)| {
        record.key.bytes().eq_ignore_ascii_case(key.as_bytes()) && record.raw.bytes() == value.as_bytes()
    })
}

/// Returns the lines of groups that have the key of one of the lines, and another value.
fn others(robots: &Robots, lines: &[String]) -> Vec<usize> {
    let refusals = refusals(lines);
    let has_key = |record: &OtherRecord<'_>| {
        let mut keys = lines.iter().filter_map(|line| line.split_once(": "));
        keys.any(|(key, _)| record.key.bytes().eq_ignore_ascii_case(key.as_bytes()))
    };
    let is_other = |record: &&OtherRecord<'_>| {
        record.group.is_some()
            && has_key(record)
            && !lines.iter().chain(&refusals).any(|line| is(record, line))
    };
    Records::new(robots, &robots.groups()).all().iter().filter(is_other).map(|record| record.line).collect()
}

/// Returns what remains of the lines in a group that blocks its crawlers: a use of pages that they may not fetch can't be permitted.
fn refusals(lines: &[String]) -> Vec<String> {
    let file = Robots::new(format!("User-agent: *\n{}\n", lines.join("\n")), Profile::default());
    let records = Records::new(&file, &file.groups());
    let refusals = records.all().iter().filter_map(|record| Some((record.key, record.refusals()?)));
    refusals.map(|(key, value)| format!("{}: {}", Text(key.bytes()), Text(&value))).collect()
}

/// Returns for each group whether all its crawlers may fetch nothing.
fn blocked(robots: &Robots) -> Vec<bool> {
    let groups = robots.groups();
    // A name may stand in each of many groups, which are all read for it.
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut crawlers = Vec::new();
    let mut place = |name: &[u8]| {
        *places.entry(name.to_ascii_lowercase()).or_insert_with(|| {
            let crawler = str::from_utf8(name).ok().and_then(|name| Crawler::new(name).ok());
            crawlers.push(crawler.unwrap_or_else(Crawler::unnamed));
            crawlers.len() - 1
        })
    };
    let of_groups: Vec<Vec<usize>> = groups
        .iter()
        .map(|group| group.agents().iter().map(|agent| place(agent.bytes())).collect())
        .collect();
    let rules = robots.rules_for(&crawlers);
    let mut comparer = Comparer::new(Comparer::work_for(robots.body().len()));
    let mut is_blocked = |set| {
        let rules = comparer.compile(&rules, set)?;
        Some(comparer.exception(&rules, b"/", Effect::Disallow, Difference::MAX_STATES).is_nothing())
    };
    let by_set: Vec<bool> = (0..rules.sets()).map(|set| is_blocked(set) == Some(true)).collect();
    let is_blocked = |&crawler: &usize| by_set.get(rules.set_of(crawler)) == Some(&true);
    of_groups.iter().map(|crawlers| crawlers.iter().all(is_blocked)).collect()
}

/// Returns the file with the lines in each group that does not have them, because a crawler obeys only its own one, and in one for `*`.
fn written(robots: &Robots, lines: &[String]) -> Vec<u8> {
    let (refusals, blocked) = (refusals(lines), blocked(robots));
    let groups = robots.groups();
    let policy = groups.policy();
    let is_general = |bytes: &[u8]| policy.is_general(bytes);
    let has_general = groups.iter().any(|group| group.agents().iter().any(|agent| is_general(agent.bytes())));
    let lines_of = |group: Option<usize>| match group.and_then(|group| blocked.get(group)) {
        Some(true) => &*refusals,
        _ => lines,
    };
    let mut present: HashMap<usize, Vec<&String>> = HashMap::new();
    for record in Records::new(robots, &groups).all() {
        let line = lines_of(record.group).iter().find(|line| is(record, line));
        if let (Some(group), Some(line)) = (record.group, line) {
            present.entry(group).or_default().push(line);
        }
    }
    let ends = groups
        .iter()
        .enumerate()
        .filter_map(|(group, of_group)| Some((group, of_group.agents().last()?.span().end())));
    let mut ends = ends.peekable();
    let mut body: Vec<u8> = Vec::with_capacity(robots.body().len() + 64);
    let end: &[u8] = if robots.body().windows(2).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" };
    let add = |body: &mut Vec<u8>, group: Option<usize>| {
        let present = group.and_then(|group| present.get(&group)).map(Vec::as_slice).unwrap_or_default();
        for line in lines_of(group).iter().filter(|line| !present.contains(line)) {
            body.extend_from_slice(line.as_bytes());
            body.extend_from_slice(end);
        }
    };
    for line in Lines::new(robots.body(), &robots.profile().syntax) {
        body.extend_from_slice(line.bytes());
        let span = line.span();
        if let Some((group, _)) = ends.next_if(|(_, end)| *end <= span.end()) {
            if !body.ends_with(b"\n") {
                body.extend_from_slice(end);
            }
            add(&mut body, Some(group));
        }
    }
    if !has_general {
        if !body.is_empty() {
            if !body.ends_with(b"\n") {
                body.extend_from_slice(end);
            }
            body.extend_from_slice(end);
        }
        body.extend_from_slice(b"User-agent: *");
        body.extend_from_slice(end);
        add(&mut body, None);
        body.extend_from_slice(b"Disallow:");
        body.extend_from_slice(end);
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_gets_the_lines() {
        let written = |file: &str| {
            let robots = Robots::new(file, Profile::default());
            String::from_utf8(written(&robots, &["Content-Signal: ai-train=no".to_owned()])).unwrap()
        };
        assert_eq!(written(""), "User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n");
        assert_eq!(
            written("User-agent: *\nDisallow: /a\nUser-agent: x"),
            "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /a\nUser-agent: x\nContent-Signal: ai-train=no\n"
        );
    }

    #[test]
    fn a_group_has_a_line_once_and_other_values_are_named() {
        let file = "User-agent: *\ncontent-signal: ai-train=no\nDisallow: /a\n\nUser-agent: x\nContent-Signal: search=yes\nDisallow: /\n";
        let robots = Robots::new(file, Profile::default());
        let lines = ["Content-Signal: ai-train=no".to_owned()];
        let once = String::from_utf8(written(&robots, &lines)).unwrap();
        assert_eq!(once, file.replace("User-agent: x\n", "User-agent: x\nContent-Signal: ai-train=no\n"));
        assert_eq!(written(&Robots::new(&once, Profile::default()), &lines), once.as_bytes());
        assert_eq!(others(&robots, &lines), [6]);
    }

    #[test]
    fn groups_that_block_their_crawlers_get_only_refusals() {
        let file = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /a\n\nUser-agent: x\nContent-Signal: ai-train=no\nDisallow: /\n\nUser-agent: y\nDisallow: /*\nAllow: /b\n";
        let lines = ["Content-Signal: search=yes, ai-train=no".to_owned()];
        let once = written(&Robots::new(file, Profile::default()), &lines);
        let expected =
            file.replace("User-agent: y\n", "User-agent: y\nContent-Signal: search=yes, ai-train=no\n");
        assert_eq!(String::from_utf8(once).unwrap(), expected);
        assert_eq!(
            refusals(&["Content-Usage: search=y, train-ai=n".to_owned()]),
            ["Content-Usage: train-ai=n"]
        );
        assert!(refusals(&["Content-Usage: search=y".to_owned()]).is_empty());
    }

    #[test]
    fn a_group_blocks_its_crawlers_if_all_their_groups_do() {
        let file = "User-agent: x\nUser-agent: y\nDisallow: /\n\nUser-agent: X\nDisallow: /a\n\nUser-agent: Y\nAllow: /b\n\nUser-agent: z\nDisallow: /\n";
        assert_eq!(blocked(&Robots::new(file, Profile::default())), [false, true, false, true]);
    }

    #[test]
    fn values_have_to_be_valid() {
        assert!(require_valid("Content-Signal: ai-train=no, search=yes").is_ok());
        assert!(require_valid("Content-Usage: train-ai=n").is_ok());
        assert!(require_valid("Content-Signal: ai-train").is_err());
        assert!(require_valid("Content-Signal: search=maybe").is_err());
        assert!(require_valid("Content-Signal: train-ai=n").is_err());
        assert!(require_valid("Content-Usage: ai-train=no").is_err());
        assert!(require_valid("Content-Usage: Content-Usage: train-ai=n").is_err());
        assert!(require_valid("Content-Signal: ai-train=no\nDisallow: /").is_err());
    }
}
