//! What was written, for people and for programs.

use core::fmt::Write as _;

use robots_match::{AccessChoice, AccessPlan};
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::catalogue;
use crate::text::Text;

/// The result of `robots write`.
pub(super) struct Report<'r> {
    pub(super) profile: &'static str,
    pub(super) input: Option<&'r str>,
    pub(super) choice: &'r AccessChoice,
    pub(super) plan: &'r AccessPlan,
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
    /// Blocked crawlers that may ignore robots.txt.
    may_ignore_robots_txt: Vec<&'r str>,
    /// What rules for blocked crawlers do not control.
    notes: Vec<Note<'r>>,
    /// Where the purposes of the crawlers come from.
    sources: Vec<&'r str>,
}

/// How a crawler departs from others.
#[derive(Debug, Serialize, JsonSchema)]
struct Note<'r> {
    crawler: &'r str,
    text: &'r str,
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

    fn notes(&self) -> Vec<Note<'r>> {
        let notes = self.choice.notes(&catalogue()).into_iter();
        notes.map(|(crawler, text)| Note { crawler, text }).collect()
    }

    fn sources(&self) -> Vec<&'r str> {
        let mut sources: Vec<&str> = self.choice.known_blocked().map(|known| known.source).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
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
        let ignoring = self.ignoring();
        list("blocked, but may ignore robots.txt", &ignoring);
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
