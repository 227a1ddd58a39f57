//! What was written, for people and for programs.

use alloc::borrow::Cow;
use core::fmt::Write as _;
use std::collections::HashMap;

use robots_match::lint::{Finding, Lint, LintContext};
use robots_match::syntax::{Lines, SyntaxPolicy};
use robots_match::{AccessChoice, AccessPlan, Robots};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::catalogue;
use crate::other_lines::OtherLines;
use crate::text::Text;

/// The most removed lines that are shown to people.
const MOST_REMOVED: usize = 8;

/// The result of `robots write`.
pub(super) struct Report<'r> {
    pub(super) profile: &'static str,
    pub(super) input: Option<&'r str>,
    pub(super) choice: &'r AccessChoice,
    pub(super) plan: &'r AccessPlan,
    /// The file before.
    pub(super) original: &'r [u8],
    /// The file before, with the preferences that were asked for.
    pub(super) before: &'r Robots,
}

/// The output of `robots write --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Output<'r> {
    version: u8,
    profile: &'static str,
    /// The file into which the rules were written; null for a new one.
    input: Option<&'r str>,
    /// The new file. Bytes that are not UTF-8 are replaced.
    text: String,
    /// The crawlers that may access nothing any more.
    blocked: Vec<&'r str>,
    /// The crawlers that may access more than before, and nothing less.
    opened: Vec<&'r str>,
    /// The crawlers that have a group with the rules that they had before.
    kept: Vec<&'r str>,
    /// The number of crawlers for which nothing changes, which is proved.
    unchanged: usize,
    /// The lines of the file that the new one does not have.
    removed: Vec<Removed>,
    /// The crawlers for which Content-Signal or Content-Usage lines applied, and none applies any more.
    without_preferences: Vec<&'r str>,
    /// Blocked crawlers that may ignore robots.txt.
    may_ignore_robots_txt: Vec<&'r str>,
    /// What rules for blocked crawlers do not control.
    notes: Vec<Note<'r>>,
    /// Where the purposes of the crawlers come from.
    sources: Vec<&'r str>,
}

/// A line that the new file does not have.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RemovedLine")]
struct Removed {
    /// The number of the line in the file before, from 1.
    line: usize,
    text: String,
}

/// How a crawler departs from others.
#[derive(Debug, Serialize, JsonSchema)]
struct Note<'r> {
    crawler: &'r str,
    text: Cow<'r, str>,
}

impl<'r> Report<'r> {
    fn names(&self, crawlers: &[usize]) -> Vec<&'r str> {
        let chosen = |&index: &usize| self.choice.crawlers.get(index);
        crawlers.iter().filter_map(chosen).map(|chosen| &*chosen.name).collect()
    }

    fn ignoring(&self) -> Vec<&'r str> {
        self.choice
            .known_blocked()
            .filter(|known| known.may_ignore_robots_txt())
            .map(|known| known.name)
            .collect()
    }

    /// Returns the crawlers whose new group has none of the Content-Signal and Content-Usage lines that applied to them.
    fn without_preferences(&self) -> Vec<&'r str> {
        let after = Robots::new(&self.plan.body, *self.before.profile());
        let [groups, new_groups] = [self.before, &after].map(Robots::groups);
        let lines = OtherLines::new(self.before, &groups);
        let new_lines = OtherLines::new(&after, &new_groups);
        let changed = [&self.plan.blocked, &self.plan.opened, &self.plan.kept].into_iter().flatten();
        let chosen = changed.filter_map(|&index| self.choice.crawlers.get(index));
        let lost = chosen.filter(|chosen| {
            let crawler = &chosen.crawler;
            !lines.for_crawler(&groups.select(crawler), crawler).preferences.is_empty()
                && new_lines.for_crawler(&new_groups.select(crawler), crawler).preferences.is_empty()
        });
        lost.map(|chosen| &*chosen.name).collect()
    }

    fn notes(&self) -> Vec<Note<'r>> {
        let notes = self.choice.notes(&catalogue()).into_iter();
        let notes = notes.map(|(crawler, text)| Note { crawler, text: Cow::Borrowed(text) });
        notes.chain(self.beyond_wildcard()).collect()
    }

    /// Returns notes about crawlers that may access more than before, and now more than crawlers that no group names.
    fn beyond_wildcard(&self) -> Vec<Note<'r>> {
        let opened = self.names(&self.plan.opened);
        if opened.is_empty() {
            return Vec::new();
        }
        let report = LintContext::default().lint(&self.plan.body);
        let found = report.findings.iter().filter(|finding| finding.lint == Lint::GroupDropsRules);
        let note = |finding: &Finding| {
            let name = self.plan.body.get(finding.span.range())?;
            let crawler = opened.iter().copied().find(|own| own.as_bytes().eq_ignore_ascii_case(name))?;
            Some(Note { crawler, text: Cow::Owned(finding.message.clone()) })
        };
        found.filter_map(note).collect()
    }

    fn sources(&self) -> Vec<&'r str> {
        let mut sources: Vec<&str> = self.choice.known_blocked().map(|known| known.source).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    /// Returns the lines that were removed, such as exceptions for crawlers that are blocked now, and comments beside them.
    fn removed(&self) -> Vec<Removed> {
        // Any policy splits lines alike.
        let policy = SyntaxPolicy::default();
        let lines = |body: &'r [u8]| Lines::new(body, &policy).map(|line| line.bytes().trim_ascii());
        let mut left: HashMap<&[u8], usize> = HashMap::new();
        for line in lines(&self.plan.body) {
            *left.entry(line).or_default() += 1;
        }
        let is_removed = |(_, line): &(usize, &[u8])| match left.get_mut::<[u8]>(line) {
            _ if line.is_empty() => false,
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        let removed = (1..).zip(lines(self.original)).filter(is_removed);
        removed.map(|(line, text)| Removed { line, text: Text(text).short() }).collect()
    }

    pub(super) fn json(&self) -> Output<'r> {
        let Self { profile, input, plan, .. } = self;
        Output {
            version: 1,
            profile,
            input: *input,
            text: String::from_utf8_lossy(&plan.body).into_owned(),
            blocked: self.names(&plan.blocked),
            opened: self.names(&plan.opened),
            kept: self.names(&plan.kept),
            unchanged: plan.unchanged,
            removed: self.removed(),
            without_preferences: self.without_preferences(),
            may_ignore_robots_txt: self.ignoring(),
            notes: self.notes(),
            sources: self.sources(),
        }
    }

    /// Returns the lines of the report.
    pub(super) fn lines(&self) -> Vec<String> {
        let plan = self.plan;
        let mut lines = Vec::new();
        let mut list = |what: &str, names: &[&str]| {
            if !names.is_empty() {
                let shown: Vec<String> = names.iter().map(|name| Text(name.as_bytes()).to_string()).collect();
                lines.push(format!("{what} ({}): {}", names.len(), shown.join(", ")));
            }
        };
        list("may access nothing any more", &self.names(&plan.blocked));
        list("may access more than before, and nothing less", &self.names(&plan.opened));
        list("have a group with the rules that they had", &self.names(&plan.kept));
        let without = self.without_preferences();
        list(
            "no Content-Signal or Content-Usage line applies any more, because each obeys only its own group",
            &without,
        );
        let ignoring = self.ignoring();
        list("blocked, but may ignore robots.txt", &ignoring);
        let removed = self.removed();
        if !removed.is_empty() {
            let shown =
                removed.iter().take(MOST_REMOVED).map(|Removed { line, text }| format!("{line} `{text}`"));
            let more = if removed.len() > MOST_REMOVED { ", ..." } else { "" };
            let shown: Vec<String> = shown.collect();
            lines.push(format!("lines that are removed ({}): {}{more}", removed.len(), shown.join(", ")));
        }
        if plan.blocked.is_empty() && plan.opened.is_empty() {
            lines.push("the file has the wanted access already".to_owned());
        }
        lines.push(format!(
            "nothing changes for {} other crawlers (proved under the profile {})",
            plan.unchanged, self.profile
        ));
        for Note { crawler, text } in self.notes() {
            let mut line = String::new();
            // Writing to a string can't fail.
            let _ = write!(line, "{crawler}: {text}");
            lines.push(line);
        }
        let sources = self.sources();
        if !sources.is_empty() {
            lines.push(format!(
                "the purposes of crawlers are from: {}; `robots crawlers --format json` has the pages",
                sources.join(", ")
            ));
        }
        lines.push("a robots.txt states a preference; it is not legal advice".to_owned());
        lines
    }
}
