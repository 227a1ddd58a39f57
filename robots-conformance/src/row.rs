//! The common parts of all kinds of rows: keys, files, crawler, differences, descriptions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robots_fetch::SiteProfile;
use robots_fetch::matching::Crawler;
use robots_fetch::matching::syntax::{Effect, Record};
use robots_page::PagePolicy;
use serde_json::Value;

use crate::escape::{shortened, shown};

/// Declares a kind of row: its keys in addition to those that all rows have.
macro_rules! row {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$key_meta:meta])* $vis:vis $key:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The name, unique in its table.
            pub name: String,
            /// The ids of the statements and readings that the row tests.
            pub cites: Vec<String>,
            /// The profiles under which the row must hold.
            pub profiles: Vec<String>,
            /// The knobs that the row sets, as `name=value`.
            #[serde(default)]
            pub turn: Vec<String>,
            $($(#[$key_meta])* $vis $key: $type,)*
        }

        impl $crate::row::Written for $name {
            fn head(&self) -> $crate::row::Head {
                $crate::row::Head {
                    name: self.name.clone(),
                    cites: self.cites.clone(),
                    profiles: self.profiles.clone(),
                    turn: self.turn.clone(),
                }
            }
        }
    };
}

pub(crate) use row;

/// The keys that every row has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Head {
    /// The name, unique in its table.
    pub name: String,
    /// The ids of the statements and readings that the row tests.
    pub cites: Vec<String>,
    /// The profiles under which the row must hold.
    pub profiles: Vec<String>,
    /// The knobs that the row sets, as `name=value`.
    pub turn: Vec<String>,
}

pub(crate) trait Written {
    fn head(&self) -> Head;
}

/// A kind of row.
pub(crate) trait Kind: Written {
    /// Checks the row without running it: contradicting keys, missing files.
    fn validate(&self, files: &Files) -> Result<(), String>;

    /// Runs the row and returns how the implementation differs from it.
    fn check(&self, context: &RowContext<'_>) -> Vec<Difference>;

    /// Returns the answers of the implementation, whatever the row expects, for snapshots. Returns as many questions, in
    /// the same order, under every profile.
    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered>;
}

/// The files and the profile with which a row is run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RowContext<'t> {
    /// The files of its table.
    pub files: &'t Files,
    /// The profile, after the knobs of the row are set.
    pub profile: &'t SiteProfile,
    /// The policy for rules of pages, after the knobs of the row are set.
    pub page: &'t PagePolicy,
}

impl<'t> RowContext<'t> {
    /// Creates a context.
    #[must_use]
    pub const fn new(files: &'t Files, profile: &'t SiteProfile) -> Self {
        Self { files, profile, page: &PagePolicy::REPEXT }
    }

    /// Creates a context for rows about pages.
    #[must_use]
    pub const fn of_page(files: &'t Files, page: &'t PagePolicy) -> Self {
        Self { files, profile: &SiteProfile::RFC9309, page }
    }

    /// Returns the file of this name. [`Kind::validate`] has checked that it exists.
    pub(crate) fn file(&self, name: &str) -> &'t [u8] {
        self.files.get(name).unwrap_or_default()
    }
}

/// A question of a row, and the answer of the implementation under one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answered {
    /// The question in few words; may be empty.
    pub(crate) question: String,
    /// The answers that servers gave, in few words. Variants of a row differ only in these.
    pub(crate) served: Vec<String>,
    /// The parts of the answer, such as the lines of a file.
    pub(crate) parts: Vec<String>,
}

impl Answered {
    /// Returns the answers to a row that has one question.
    pub(crate) fn one(question: impl Into<String>, parts: Vec<String>) -> Vec<Self> {
        vec![Self { question: question.into(), served: Vec::new(), parts }]
    }
}

/// A row in words. The text is that of the table, not escaped.
#[derive(Debug, Default)]
pub(crate) struct Description {
    /// The names of its files.
    pub(crate) files: BTreeSet<String>,
    /// The input: keys and values, such as `agent` and `ExampleBot`.
    pub(crate) inputs: Vec<(String, String)>,
    /// The expected results: keys and values.
    pub(crate) expected: Vec<(String, String)>,
}

/// The keys of a step of a timeline that belong to the question.
pub(crate) const STEP: [&str; 5] = ["at", "answers", "agent", "site", "disallowed"];

impl Description {
    /// The keys that are not described with the others.
    const HEAD: [&str; 5] = ["name", "cites", "profiles", "turn", "at"];

    /// The keys whose values are names of files of the question.
    const FILES: [&str; 4] = ["robots", "html_file", "rendered_file", "fields_file"];

    /// Describes a row by its keys, of which `asks` belong to the question.
    pub(crate) fn new(keys: &Value, asks: &[&str]) -> Self {
        let mut description = Self::default();
        description.add_files(keys);
        description.add(keys, asks);
        description
    }

    fn add(&mut self, keys: &Value, asks: &[&str]) {
        for (key, value) in keys.as_object().into_iter().flatten() {
            let is_asked = asks.contains(&&**key);
            let is_apart = Self::HEAD.contains(&&**key) || Self::FILES.contains(&&**key);
            if is_apart || value.is_null() || is_asked && matches!(&*in_words(value), "" | "false") {
                continue;
            }
            let list = if is_asked { &mut self.inputs } else { &mut self.expected };
            match value {
                Value::Array(steps) if key == "steps" && steps.iter().all(Value::is_object) => {
                    for step in steps {
                        if let Some(at) = step.get("at").map(in_words).filter(|_| steps.len() > 1) {
                            self.inputs.push(("at".to_owned(), at.clone()));
                            self.expected.push(("at".to_owned(), at));
                        }
                        self.add(step, &STEP);
                    }
                }
                Value::Array(items) if !items.is_empty() => {
                    list.extend(items.iter().map(|item| (key.clone(), in_words(item))));
                }
                Value::Array(_) => list.push((key.clone(), "none".to_owned())),
                value => list.push((key.clone(), in_words(value))),
            }
        }
    }

    fn add_files(&mut self, value: &Value) {
        match value {
            Value::Object(keys) => {
                let is_file = |key: &str| Self::FILES.contains(&key) || matches!(key, "body" | "fixed");
                let names = keys.iter().filter(|(key, _)| is_file(key)).filter_map(|(_, name)| name.as_str());
                self.files.extend(names.map(str::to_owned));
                keys.values().for_each(|value| self.add_files(value));
            }
            Value::Array(values) => values.iter().for_each(|value| self.add_files(value)),
            _ => {}
        }
    }
}

/// Writes a value in a line, such as `body page, status 200`.
fn in_words(value: &Value) -> String {
    let named = |(key, value): (&String, &Value)| format!("{key} {}", in_words(value));
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(" or "),
        Value::Object(keys) => {
            let is_given =
                |(_, value): &(&String, &Value)| !value.is_null() && *value != &Value::Array(Vec::new());
            keys.iter().filter(is_given).map(named).collect::<Vec<_>>().join(", ")
        }
        value => value.to_string(),
    }
}

/// A difference between a row and the implementation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The part of the result that differs: `decision`, `line`, ...
    pub what: &'static str,
    /// The value of the row.
    pub expected: String,
    /// The value of the implementation.
    pub got: String,
    /// An explanation, such as the text of the line that decided.
    pub because: Option<String>,
}

impl Difference {
    pub(crate) fn new(what: &'static str, expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self { what, expected: expected.into(), got: got.into(), because: None }
    }

    pub(crate) fn because(mut self, text: impl Into<String>) -> Self {
        self.because = Some(text.into());
        self
    }
}

/// Returns a difference if `expected` and `got` differ.
pub(crate) fn differs<T: PartialEq + ToString + ?Sized>(
    what: &'static str,
    expected: &T,
    got: &T,
) -> Option<Difference> {
    (expected != got).then(|| Difference::new(what, expected.to_string(), got.to_string()))
}

/// Returns a difference for each index at which two lists differ.
pub(crate) fn lists(what: &'static str, expected: &[String], got: &[String]) -> Vec<Difference> {
    const MISSING: &str = "(nothing)";
    let most = expected.len().max(got.len());
    let item = |list: &[String], index: usize| {
        list.get(index).map_or_else(|| MISSING.to_owned(), |item| shortened(item.as_bytes()))
    };
    (0..most)
        .filter(|&index| expected.get(index) != got.get(index))
        .map(|index| Difference::new(what, item(expected, index), item(got, index)))
        .collect()
}

/// The robots.txt files of a table by their names.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, Arc<[u8]>>);

impl Files {
    pub(crate) fn add(&mut self, name: String, bytes: Vec<u8>) -> bool {
        self.0.insert(name, bytes.into()).is_none()
    }

    /// Returns the file of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(|bytes| &**bytes)
    }

    /// Returns the names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, name: &str) -> Result<(), String> {
        if self.0.contains_key(name) { Ok(()) } else { Err(format!("the table has no file `{name}`")) }
    }
}

/// Writes a record as rows do.
pub(crate) fn record(record: &Record<'_>) -> String {
    let with = |name: &str, value: &[u8]| match value {
        [] => name.to_owned(),
        _ => format!("{name} {}", shown(value)),
    };
    match record {
        Record::UserAgent(name) => with("user-agent", name.bytes()),
        Record::Rule(rule) => self::rule(rule.effect, rule.pattern.bytes()),
        Record::Other { key, value } => with(&format!("other {} =", shown(key.bytes())), value.bytes()),
        Record::Comment => "comment".to_owned(),
        Record::Blank => "blank".to_owned(),
        Record::Unreadable => "unreadable".to_owned(),
        // Records of later versions are written by their `Display`.
        other => other.to_string(),
    }
}

/// Writes a rule as rows do.
pub(crate) fn rule(effect: Effect, pattern: &[u8]) -> String {
    match pattern {
        [] => effect.name().to_owned(),
        _ => format!("{effect} {}", shown(pattern)),
    }
}

/// The keys that name a crawler, in rows of several kinds.
#[derive(Clone, Copy)]
pub(crate) struct CrawlerKeys<'r> {
    pub(crate) agent: Option<&'r str>,
    pub(crate) agents: Option<&'r [String]>,
    pub(crate) together: bool,
    pub(crate) ignores_wildcard: bool,
}

impl<'r> CrawlerKeys<'r> {
    pub(crate) fn validate(self) -> Result<(), String> {
        match (self.agent, self.agents) {
            (Some(_), Some(_)) => Err("both `agent` and `agents` are given; remove one of them".to_owned()),
            (None, None) => Err("neither `agent` nor `agents` is given; add one of them".to_owned()),
            (None, Some([])) => Err("`agents` is empty".to_owned()),
            (Some(_), None) if self.together => Err("`together` needs `agents`".to_owned()),
            _ => Ok(()),
        }
    }

    pub(crate) fn names(self) -> Vec<&'r str> {
        self.agent.into_iter().chain(self.agents.unwrap_or_default().iter().map(String::as_str)).collect()
    }

    /// Returns the names, and how they are combined, in few words.
    pub(crate) fn in_short(self) -> String {
        let mut out = self.names().join(if self.together { " with " } else { ", " });
        if self.ignores_wildcard {
            out.push_str(" ignoring *");
        }
        out
    }

    /// Returns the crawler. No line can name a crawler by a text that is not a name.
    pub(crate) fn crawler(self) -> Crawler {
        let names = self.names().into_iter().filter(|name| Crawler::new(name).is_ok());
        let mut crawler = Crawler::with_names(names).expect("each of these is a name");
        if self.together {
            crawler = crawler.together();
        }
        if self.ignores_wildcard {
            crawler = crawler.ignoring_wildcard();
        }
        crawler
    }
}
