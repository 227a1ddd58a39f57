use alloc::format;
use alloc::vec::Vec;

use robots_groups::Group;
use robots_groups::syntax::{Effect, Rule};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::{File, closing_rule, is_all, is_whole};
use crate::lint::text::shown;
use crate::records::RecordKind;

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
    /// and in the last group of the file after `Allow: /`, if there is a group for `*`. A `Crawl-delay` after an empty line is reported in
    /// a group that may fetch nothing, and in the last group if `*` has no delay.
    ///
    /// Nothing is reported in a group that has an empty line before its first rule, as in files with one after each line.
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
    let of = |group: Group<'_, '_>| group.agents().iter().any(|agent| policy.is_general(agent.bytes()));
    let are_general: Vec<bool> = file.groups.iter().map(of).collect();
    let has_others = are_general.contains(&true);
    for ((index, group), is_general) in file.groups.iter().enumerate().zip(&are_general) {
        if *is_general || is_spaced(&group, file) {
            continue;
        }
        let closing = closing_rule(group.rules(), &file.facts.profile.matching);
        let is_last = has_others && index + 1 == file.groups.len();
        // The rules before the empty line: all that say that the crawlers may fetch nothing, or everything.
        let is_before = |rule: &Rule<'_>| match closing {
            Some(all) => rule.line() <= all.line(),
            None => is_last && allows_all(rule),
        };
        let count = group.rules().iter().take_while(|rule| is_before(rule)).count();
        let (before, after) = group.rules().split_at_checked(count).unwrap_or_default();
        let Some(last) = before.last() else { continue };
        let mut line = last.line();
        for rule in after {
            let is_stray = rule.effect == Effect::Disallow && !rule.pattern.is_empty();
            if file.index.has_blank_line(line, rule.line())
                && is_stray
                && !is_all(rule, &file.facts.profile.matching)
            {
                let name = first_agent(&group);
                let message = match closing {
                    Some(_) => format!(
                        "this rule is for `{name}`, which may fetch nothing: an empty line does not end a group"
                    ),
                    None => format!("this rule is only for `{name}`: an empty line does not end a group"),
                };
                let draft = Draft::new(rule.line(), rule.pattern.span(), message).help(HELP);
                drafts.add(draft.other(last.pattern.span(), "the group begins before the empty line"));
                break;
            }
            // In a group that is open, only the first rule after the empty line shows that it is a mistake.
            if closing.is_none() {
                break;
            }
            line = rule.line();
        }
    }
    check_delays(file, &are_general, drafts);
}

/// Whether a rule allows everything, as `Allow: /` and an empty `Disallow` do.
fn allows_all(rule: &Rule<'_>) -> bool {
    match rule.effect {
        Effect::Allow => is_whole(rule.pattern.bytes()),
        Effect::Disallow => rule.pattern.is_empty(),
    }
}

/// Reports the first crawl delay of each group that belongs to it by mistake. `are_general` are the groups for every crawler.
fn check_delays(file: &File<'_>, are_general: &[bool], drafts: &mut Drafts<'_>) {
    let is_general = |index: usize| are_general.get(index).copied().unwrap_or_default();
    let of_groups = file.records.all().iter().filter(|record| record.kind == RecordKind::CrawlDelay);
    let delays = || of_groups.clone().filter_map(|record| Some((record.group?, record)));
    // Whether `*` has rules, but no delay.
    let is_missing = are_general.contains(&true) && !delays().any(|(index, _)| is_general(index));
    // Records of one group follow each other.
    let mut last_group = None;
    for (index, record) in delays().filter(|(index, _)| !is_general(*index)) {
        let Some(group) = file.groups.get(index).filter(|_| last_group != Some(index)) else { continue };
        let Some(last) = group.rules().last().filter(|rule| rule.line() < record.line) else { continue };
        last_group = Some(index);
        let closes = closing_rule(group.rules(), &file.facts.profile.matching).is_some();
        let is_last = index + 1 == file.groups.len();
        if !(closes || is_last && is_missing)
            || is_spaced(&group, file)
            || !file.index.has_blank_line(last.line(), record.line)
        {
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

/// Whether an empty line also stands before the first rule of a group, as in files in which each line has one after it. There it
/// says nothing.
fn is_spaced(group: &Group<'_, '_>, file: &File<'_>) -> bool {
    let (agent, rule) = (group.agents().last(), group.rules().first());
    let lines = agent.zip(rule).map(|(agent, rule)| (file.index.line_of(agent.span()), rule.line()));
    lines.is_some_and(|(agent, rule)| file.index.has_blank_line(agent, rule))
}

fn first_agent(group: &Group<'_, '_>) -> alloc::string::String {
    group.agents().first().map(|agent| shown(agent.bytes())).unwrap_or_default()
}
