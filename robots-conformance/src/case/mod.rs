//! What rows say, by kind: each kind is a struct of the keys it may have, and how it is held against the stack.

mod access;
mod grammar;
mod lint;
mod location;
mod reading;
mod records;
mod scope;
mod selection;
mod token;
mod verdict;

use std::collections::BTreeMap;
use std::sync::Arc;

use robots_fetch::matching::syntax::{Effect, Record};
use robots_fetch::matching::{Crawler, ProductToken, groups};

pub use grammar::Grammar;
pub use lint::Lint;
pub use location::Location;
pub use reading::Reading;
pub use records::Records;
pub use scope::Scope;
pub use selection::Selection;
pub use token::Token;
pub use verdict::{Answer, Verdict};

use crate::Profile;
use crate::escape::{shortened, shown};
use crate::exchange::{Exchange, Timeline};

/// Declares a kind of row: its keys beside those that all rows have.
macro_rules! row {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$key_meta:meta])* $key:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            name: String,
            cites: Vec<String>,
            profiles: Vec<String>,
            #[serde(default)]
            turn: Vec<String>,
            $($(#[$key_meta])* $key: $type,)*
        }

        impl $crate::case::Written for $name {
            fn head(&self) -> $crate::case::Head {
                $crate::case::Head {
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

/// Declares all kinds: the name of the array of tables, and the struct of [`row!`] that implements [`Kind`].
macro_rules! kinds {
    ($($key:ident: $variant:ident($type:ty);)*) => {
        /// What a row says, by kind.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Case {
            $(#[doc = concat!("`[[", stringify!($key), "]]`")] $variant($type),)*
        }

        impl Case {
            /// The name of its kind.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self { $(Self::$variant(_) => stringify!($key),)* }
            }

            /// What is wrong with the row as such.
            ///
            /// # Errors
            ///
            /// A sentence that says it.
            pub(crate) fn validate(&self, files: &Files) -> Result<(), String> {
                match self { $(Self::$variant(case) => case.validate(files),)* }
            }

            /// Where the stack departs from the row; nothing if the row holds.
            #[must_use]
            pub fn check(&self, ground: &Ground<'_>) -> Vec<Difference> {
                match self { $(Self::$variant(case) => case.check(ground),)* }
            }

            /// What it asks and what it wants to hear, for people to read.
            #[must_use]
            pub fn told(&self) -> Told {
                match self { $(Self::$variant(case) => case.told(),)* }
            }
        }

        /// The rows of a table file, as they are written.
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Sections {
            #[serde(default)]
            pub(crate) robots: BTreeMap<String, toml::Spanned<String>>,
            #[serde(default)]
            pub(crate) escaped: BTreeMap<String, toml::Spanned<String>>,
            #[serde(default)]
            pub(crate) generated: BTreeMap<String, toml::Spanned<Vec<(String, usize)>>>,
            $(#[serde(default)] $key: Vec<toml::Spanned<$type>>,)*
        }

        impl Sections {
            /// All rows, with what they have in common and the octets of the file in which they stand.
            pub(crate) fn rows(self) -> Vec<(core::ops::Range<usize>, Head, Case)> {
                let mut rows = Vec::new();
                $(for spanned in self.$key {
                    let span = spanned.span();
                    let case = spanned.into_inner();
                    rows.push((span, case.head(), Case::$variant(case)));
                })*
                rows.sort_by_key(|(span, ..)| span.start);
                rows
            }
        }
    };
}

kinds! {
    verdict: Verdict(Verdict);
    reading: Reading(Reading);
    grammar: Grammar(Grammar);
    selection: Selection(Selection);
    token: Token(Token);
    location: Location(Location);
    scope: Scope(Scope);
    records: Records(Records);
    lint: Lint(Lint);
    exchange: Exchange(Exchange);
    timeline: Timeline(Timeline);
}

/// What every row has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Head {
    /// Its name, unique in its table.
    pub name: String,
    /// The ids of the statements and readings that it shows.
    pub cites: Vec<String>,
    /// The profiles under which it holds.
    pub profiles: Vec<String>,
    /// The knobs it turns, as `name=value`.
    pub turn: Vec<String>,
}

pub(crate) trait Written {
    fn head(&self) -> Head;
}

/// A kind of row.
pub(crate) trait Kind: Written {
    /// What is wrong with the row as such: keys that exclude each other, a file that is not there.
    fn validate(&self, files: &Files) -> Result<(), String>;

    /// Where the stack departs from the row.
    fn check(&self, ground: &Ground<'_>) -> Vec<Difference>;

    /// What it asks and what it wants to hear.
    fn told(&self) -> Told;
}

/// A row for people to read. The text is as the table has it: whoever shows it escapes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Told {
    /// The names of the files it is about.
    pub files: Vec<String>,
    /// What it asks: a name and a value each, such as `agent` and `ExampleBot`.
    pub asks: Vec<(&'static str, String)>,
    /// What has to hold, in the same form.
    pub wants: Vec<(&'static str, String)>,
}

impl Told {
    /// A row about one file.
    pub(crate) fn of_file(name: &str) -> Self {
        Self { files: vec![name.to_owned()], ..Self::default() }
    }

    pub(crate) fn file(&mut self, name: &str) {
        if !self.files.iter().any(|other| other == name) {
            self.files.push(name.to_owned());
        }
    }

    pub(crate) fn ask(&mut self, name: &'static str, value: impl Into<String>) {
        self.asks.push((name, value.into()));
    }

    pub(crate) fn want(&mut self, name: &'static str, value: impl Into<String>) {
        self.wants.push((name, value.into()));
    }

    pub(crate) fn ask_given<T: ToString>(&mut self, name: &'static str, value: Option<&T>) {
        self.asks.extend(value.map(|value| (name, value.to_string())));
    }

    pub(crate) fn want_given<T: ToString>(&mut self, name: &'static str, value: Option<&T>) {
        self.wants.extend(value.map(|value| (name, value.to_string())));
    }

    /// Every item of a list; that there are none is told as well.
    pub(crate) fn want_all(&mut self, name: &'static str, values: &[String]) {
        match values {
            [] => self.want(name, "none"),
            _ => self.wants.extend(values.iter().map(|value| (name, value.clone()))),
        }
    }
}

/// The robots.txt files of a table by their names.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, Arc<[u8]>>);

impl Files {
    pub(crate) fn add(&mut self, name: String, octets: Vec<u8>) -> bool {
        self.0.insert(name, octets.into()).is_none()
    }

    /// The file of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(|octets| &**octets)
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, name: &str) -> Result<(), String> {
        if self.0.contains_key(name) {
            Ok(())
        } else {
            Err(format!("there is no file `{name}` in this table"))
        }
    }
}

/// What a row is run on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Ground<'t> {
    /// The files of its table.
    pub files: &'t Files,
    /// The profile, with the knobs of the row turned.
    pub profile: &'t Profile,
}

impl<'t> Ground<'t> {
    /// A row's ground.
    #[must_use]
    pub const fn new(files: &'t Files, profile: &'t Profile) -> Self {
        Self { files, profile }
    }

    /// The file of this name; [`Kind::validate`] has seen to it that it is there.
    pub(crate) fn file(&self, name: &str) -> &'t [u8] {
        self.files.get(name).unwrap_or_default()
    }
}

/// Where the stack departs from a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// What differs: `decision`, `line`, ...
    pub what: &'static str,
    /// What the row says.
    pub expected: String,
    /// What the stack says.
    pub got: String,
    /// Text that helps to see why, such as the line that decided.
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

/// One difference if `expected` and `got` are not the same, else none.
pub(crate) fn differs<T: PartialEq + ToString + ?Sized>(
    what: &'static str,
    expected: &T,
    got: &T,
) -> Option<Difference> {
    (expected != got).then(|| Difference::new(what, expected.to_string(), got.to_string()))
}

/// The places at which two lists differ.
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

/// Who asks, as rows of several kinds write it.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'r> {
    pub(crate) agent: Option<&'r str>,
    pub(crate) agents: Option<&'r [String]>,
    pub(crate) together: bool,
    pub(crate) ignores_wildcard: bool,
}

impl<'r> Asker<'r> {
    pub(crate) fn validate(self) -> Result<(), String> {
        match (self.agent, self.agents) {
            (Some(_), Some(_)) => Err("`agent` and `agents` exclude each other".to_owned()),
            (None, None) => Err("neither `agent` nor `agents` says who asks".to_owned()),
            (None, Some([])) => Err("`agents` is empty".to_owned()),
            (Some(_), None) if self.together => Err("`together` needs `agents`".to_owned()),
            _ => Ok(()),
        }
    }

    pub(crate) fn names(self) -> Vec<&'r str> {
        self.agent.into_iter().chain(self.agents.unwrap_or_default().iter().map(String::as_str)).collect()
    }

    pub(crate) fn tell(self, told: &mut Told) {
        for name in self.names() {
            told.ask("agent", name);
        }
        if self.together {
            told.ask("agents count", "together");
        }
        if self.ignores_wildcard {
            told.ask("ignores", "*");
        }
    }

    /// Calls `then` with the crawler. A name that is no product token is one that no line can name.
    pub(crate) fn with_crawler<T>(self, policy: &groups::Policy, then: impl FnOnce(Crawler<'_>) -> T) -> T {
        let names = self.names();
        let tokens: Vec<ProductToken<'_>> =
            names.iter().filter_map(|name| ProductToken::admitted(name, policy).ok()).collect();
        let mut crawler = Crawler::new(&tokens);
        if self.together {
            crawler = crawler.together();
        }
        if self.ignores_wildcard {
            crawler = crawler.ignoring_wildcard();
        }
        then(crawler)
    }
}

/// A record as rows write it.
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
        // A record of a later version is shown as it shows itself.
        other => other.to_string(),
    }
}

/// A rule as rows write it.
pub(crate) fn rule(effect: Effect, pattern: &[u8]) -> String {
    match pattern {
        [] => effect.name().to_owned(),
        _ => format!("{effect} {}", shown(pattern)),
    }
}
