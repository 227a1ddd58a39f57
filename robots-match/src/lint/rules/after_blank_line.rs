use alloc::format;

use robots_groups::Group;
use robots_groups::syntax::{Effect, Rule};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, is_all};
use crate::lint::text::shown;
use crate::records::{OtherRecord, RecordKind};

lint! {
    code: "after-blank-line",
    severity: warning,
    title: "An empty line does not end a group, so a line is part of the group before",
    check: File(check),
    /// A group ends where the next user-agent line begins, or at the end of the file. An empty line does not end it
    /// (RFC 9309, section 2.2). A line that was meant for all crawlers, and stands after the last group, is for the crawlers of that
    /// group only.
    ///
    /// Reported are rules after an empty line in a group for named crawlers that may fetch nothing, because there they have no effect,
    /// and a `Crawl-delay` after an empty line in such a group, or in the last group if `*` has no delay.
    ///
    /// Put the line into the group that it is for, such as that of `*`, or begin a new group with a user-agent line.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: ExampleBot
    /// Disallow: /
    ///
    /// Disallow: /private
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: ExampleBot
    /// Disallow: /
    ///
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

const HELP: &str = "put it into the group of the crawlers that it is for, or a user-agent line before it";

fn check(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let policy = &file.facts.profile.groups;
    let is_named =
        |group: &Group<'_, '_>| !group.agents().iter().any(|agent| policy.is_general(agent.bytes()));
    for group in file.groups.iter().filter(is_named) {
        let Some(all) = closing(&group, file) else { continue };
        let after = group.rules().iter().skip_while(|rule| rule.line() <= all.line());
        let mut before = all.line();
        for rule in after {
            if file.index.has_blank_line(before, rule.line()) && !is_all(rule, &file.facts.profile.matching) {
                let message = format!(
                    "this rule is for `{}`, which may fetch nothing: an empty line does not end a group",
                    first_agent(&group)
                );
                let draft = Draft::new(rule.line(), rule.pattern.span(), message).help(HELP);
                drafts.add(draft.other(all.pattern.span(), "the group begins before the empty line"));
                break;
            }
            before = rule.line();
        }
    }
    check_delays(file, drafts);
}

/// Reports crawl delays that belong to the group of a crawler by mistake.
fn check_delays(file: &File<'_>, drafts: &mut Drafts<'_>) {
    let profile = &file.facts.profile;
    let is_delay = |record: &&OtherRecord<'_>| record.kind == RecordKind::CrawlDelay;
    let is_general = |index: usize| {
        let group = file.groups.get(index);
        group.is_some_and(|group| group.agents().iter().any(|agent| profile.groups.is_general(agent.bytes())))
    };
    let delays = || file.records.all().iter().filter(is_delay);
    // Whether `*` has rules, but no delay.
    let waits = delays().filter_map(|record| record.group).any(is_general);
    let is_missing = !waits && file.groups.iter().enumerate().any(|(index, _)| is_general(index));
    // Records of one group follow each other.
    let mut last_group = None;
    for record in delays() {
        let Some((index, group)) = record.group.and_then(|index| Some((index, file.groups.get(index)?)))
        else {
            continue;
        };
        let Some(last) = group.rules().last().filter(|rule| rule.line() < record.line) else { continue };
        if is_general(index) || !file.index.has_blank_line(last.line(), record.line) {
            continue;
        }
        let (_, closes) = match last_group {
            Some(known @ (known_index, _)) if known_index == index => known,
            _ => (index, closing(&group, file).is_some()),
        };
        last_group = Some((index, closes));
        let is_last = index + 1 == file.groups.len();
        if !(closes || is_last && is_missing) {
            continue;
        }
        let more = if closes { ", which may fetch nothing" } else { "" };
        let message = format!(
            "this delay is only for `{}`{more}: an empty line does not end a group",
            first_agent(&group)
        );
        let draft = Draft::new(record.line, record.raw.span(), message).help(HELP);
        drafts.add(if closes { draft } else { draft.severity(Severity::Note) });
    }
}

/// The rule that disallows everything, in a group that allows nothing.
fn closing<'a>(group: &Group<'_, 'a>, file: &File<'a>) -> Option<Rule<'a>> {
    let allows = |rule: &Rule<'_>| rule.effect == Effect::Allow;
    let all = group.rules().iter().find(|rule| is_all(rule, &file.facts.profile.matching))?;
    (!group.rules().iter().any(allows)).then_some(*all)
}

fn first_agent(group: &Group<'_, '_>) -> alloc::string::String {
    group.agents().first().map(|agent| shown(agent.bytes())).unwrap_or_default()
}
