//! Files of wanted access.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

use robots_fetch::Origin;
use robots_match::{Effect, Purpose};

use super::closing::ClosingEntries;
use super::crawlers::WantedCrawlers;
use super::files::{Entry, MOST, csv_entries, toml_entries};
use crate::arguments::{NamedCrawler, NamedProfile, is_url, origin, target};
use crate::failure::{Failure, Result};
use crate::source::{self, Admitted, is_table};
use crate::text::Text;
use crate::toml_text;

/// The name of the file that is read if none is named.
pub(crate) const FILE: &str = "robots.expect.toml";

/// The size of the largest table, in bytes.
const MAX_TABLE: usize = 4 << 20;

/// A file of wanted access.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// The name of the file, safe to show.
    pub(crate) name: String,
    /// The environments with their inputs.
    pub(super) environments: Vec<(String, Vec<String>)>,
    pub(super) entries: Vec<Entry>,
    /// The crawlers that they mean, after they were first asked for.
    pub(super) crawlers: OnceLock<WantedCrawlers>,
    /// Those of them that close something, after they were first asked for.
    pub(super) closing: OnceLock<ClosingEntries>,
}

/// What a crawler should be able to access, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target<'w> {
    /// One URL or path.
    Url(&'w str),
    /// All paths that a pattern matches.
    Pattern(&'w str),
}

impl<'w> Target<'w> {
    pub(super) const fn text(self) -> &'w str {
        match self {
            Self::Url(text) | Self::Pattern(text) => text,
        }
    }
}

impl Wanted {
    /// Returns whether an argument is the name of a file of wanted access.
    pub(crate) fn is_name(argument: &OsStr) -> bool {
        let extension = Path::new(argument).extension();
        !is_url(argument)
            && !argument.as_encoded_bytes().starts_with(b"git:")
            && (is_table(argument) || extension.is_some_and(|end| end.eq_ignore_ascii_case("toml")))
    }

    /// Reads the file of this name. A user may name a pipe or a device; a folder or a configuration file may not.
    ///
    /// # Errors
    ///
    /// It can't be read, or an entry is not complete. An entry that is left out would look like access that is as it should be.
    pub(crate) fn read(path: &OsStr, admitted: Admitted) -> Result<Self> {
        source::require_name(path)?;
        let shown = Text(path.as_encoded_bytes()).to_string();
        let most = if is_table(path) { MAX_TABLE } else { toml_text::MAX_SIZE };
        let bytes = source::read_within(Path::new(path), admitted, most).map_err(|error| {
            Failure::new(format!("can't read {shown}: {}", source::reason_of(path, &error)))
        })?;
        if bytes.len() > most {
            let most = most >> 20;
            return Err(Failure::new(format!(
                "{shown} is larger than {most} MiB; divide it into several files"
            )));
        }
        let mut wanted = Self::of_bytes(shown, &bytes, is_table(path))?;
        let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
        for input in wanted.environments.iter_mut().flat_map(|(_, inputs)| inputs) {
            let is_file = !is_url(OsStr::new(input)) && !input.starts_with("git:");
            if let Some(named) = folder.map(|folder| folder.join(&*input)).filter(|_| is_file) {
                // The names of inputs are UTF-8, so those in a folder with another name are reported as missing.
                *input = named.to_string_lossy().into_owned();
            }
        }
        Ok(wanted)
    }

    /// Reads the content of a file of this name, which is safe to show.
    pub(crate) fn of_bytes(shown: String, bytes: &[u8], is_csv: bool) -> Result<Self> {
        let text = core::str::from_utf8(bytes).map_err(|_| {
            Failure::new(format!("{shown} is not UTF-8; save it as UTF-8, in a spreadsheet as \"CSV UTF-8\""))
        })?;
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let read =
            if is_csv { csv_entries(text).map(|entries| (Vec::new(), entries)) } else { toml_entries(text) };
        let failed = |line: usize, why: &str| Failure::new(format!("{shown}:{line}: {why}"));
        let (environments, entries) = read.map_err(|(line, why)| failed(line, &why))?;
        if entries.is_empty() {
            return Err(Failure::new(format!("{shown} has no entry; `robots expect --help` shows some")));
        }
        for entry in &entries {
            entry.require_complete().map_err(|why| failed(entry.line, &why))?;
        }
        Ok(Self { name: shown, environments, entries, crawlers: OnceLock::new(), closing: OnceLock::new() })
    }

    /// Returns the number of entries.
    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the crawlers that entries name, each once, without `*` and those of purposes.
    pub(crate) fn named_crawlers(&self, profile: &NamedProfile) -> Result<Vec<NamedCrawler>> {
        let own = self.crawlers(profile)?.iter().filter(|own| !own.is_of_purpose && &*own.name != "*");
        let mut seen = HashSet::new();
        let own = own.filter(|own| seen.insert(own.name.to_ascii_lowercase()));
        Ok(own.map(|own| NamedCrawler { name: own.name.to_string(), crawler: own.crawler.clone() }).collect())
    }

    /// Finds the crawlers of all entries, so that a mistake in a name is found first. The first call may write notes.
    pub(crate) fn find_crawlers(&self, profile: &NamedProfile) -> Result<()> {
        self.crawlers(profile).map(drop)
    }

    /// Returns the crawlers of all entries. The first call may write notes.
    pub(super) fn crawlers(&self, profile: &NamedProfile) -> Result<&WantedCrawlers> {
        if let Some(found) = self.crawlers.get() {
            return Ok(found);
        }
        let mut found = WantedCrawlers::default();
        for entry in &self.entries {
            found
                .add(entry, profile)
                .map_err(|failure| Failure::new(format!("{}:{}: {failure}", self.name, entry.line)))?;
        }
        Ok(self.crawlers.get_or_init(|| found))
    }

    /// Returns the crawlers of all entries, if they were found before.
    pub(super) fn known_crawlers(&self) -> Option<&WantedCrawlers> {
        self.crawlers.get()
    }

    /// Returns the reason of an entry, safe to show.
    pub(crate) fn reason(&self, entry: usize) -> Option<String> {
        let reason = self.entries.get(entry)?.reason.as_ref()?;
        Some(Text(reason.as_bytes()).to_string())
    }

    /// Returns the whole URLs of all entries.
    pub(crate) fn whole_urls(&self) -> impl Iterator<Item = &str> {
        let all = self.entries.iter().flat_map(|entry| &entry.urls).map(String::as_str);
        all.filter(|url| !url.starts_with('/'))
    }

    /// Returns the names of all environments, each once.
    pub(super) fn names(&self) -> Vec<&str> {
        let own = self.environments.iter().map(|(name, _)| name.as_str());
        let all = own.chain(self.entries.iter().flat_map(|entry| &entry.environments).map(String::as_str));
        let mut seen = HashSet::new();
        all.filter(|name| seen.insert(*name)).collect()
    }

    /// Returns the entries that are only for environments for which the file names no input, as the place of each and a message.
    pub(super) fn without_inputs(&self) -> impl Iterator<Item = (String, String)> {
        let known: HashSet<&str> = self.environments.iter().map(|(name, _)| name.as_str()).collect();
        let listed = listed(self.environments.iter().map(|(name, _)| name.as_str()));
        let is_lost = move |entry: &&Entry| {
            !entry.environments.is_empty() && !entry.environments.iter().any(|name| known.contains(&**name))
        };
        self.entries.iter().filter(is_lost).map(move |entry| {
            let name = entry.environments.first().map(String::as_str).unwrap_or_default();
            let (place, name) = (format!("{}:{}", self.name, entry.line), Text(name.as_bytes()));
            let message = format!(
                "{place}: the entry is for the environment `{name}`, for which [environments] names no input; it has {listed}"
            );
            (place, message)
        })
    }

    /// Returns the environment of an input: the chosen one, or the one for which the file names it.
    ///
    /// # Errors
    ///
    /// The environment has no entry, or which one it is matters and is not known.
    pub(crate) fn environment(&self, input: &OsStr, chosen: Option<&str>) -> Result<Option<&str>> {
        let names = self.names();
        let listed = listed(names.iter().copied());
        if let Some(chosen) = chosen {
            let known = names.iter().find(|name| **name == chosen);
            return known.copied().map(Some).ok_or_else(|| {
                let chosen = Text(chosen.as_bytes());
                Failure::new(match listed.as_str() {
                    "" => format!("{} has no environment `{chosen}`, because it names none", self.name),
                    listed => format!("{} has no environment `{chosen}`; it has {listed}", self.name),
                })
            });
        }
        let site = is_url(input).then(|| origin(input).ok()).flatten();
        let is_input = |other: &String| {
            other.as_bytes() == input.as_encoded_bytes()
                || site.is_some() && Origin::parse(other).ok() == site
        };
        let found = self.environments.iter().find(|(_, inputs)| inputs.iter().any(is_input));
        match found {
            Some((name, _)) => Ok(Some(name)),
            None if self.entries.iter().all(|entry| entry.environments.is_empty()) => Ok(None),
            None => Err(Failure::new(format!(
                "{} has entries for environments, and does not say which one {} is; add --environment with one of {listed}",
                self.name,
                Text(input.as_encoded_bytes())
            ))),
        }
    }
}

/// The most names of environments that a message lists.
const MOST_LISTED: usize = 20;

/// Returns the names of environments for a message.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = if names.len() > MOST_LISTED { ", ..." } else { "" };
    let shown = names.take(MOST_LISTED).map(|name| format!("`{}`", Text(name.as_bytes())));
    shown.collect::<Vec<_>>().join(", ") + more
}

impl Entry {
    fn require_complete(&self) -> core::result::Result<(), String> {
        if self.crawlers.is_empty() && self.purposes.is_empty() {
            return Err("the entry names no crawler; write `crawlers` or `purposes`".to_owned());
        }
        if self.urls.is_empty() && self.patterns.is_empty() {
            return Err("the entry names no URL; write `urls` or `patterns`".to_owned());
        }
        let lists = [&self.crawlers, &self.purposes, &self.urls, &self.patterns, &self.environments];
        if lists.iter().any(|list| list.len() > MOST) {
            return Err(format!("a list has more than {MOST} values"));
        }
        for purpose in &self.purposes {
            if Purpose::named(purpose).is_empty() {
                let names = Purpose::ALL.map(Purpose::name).join(", ");
                return Err(format!(
                    "unknown purpose `{}`; the purposes are ai, {names}",
                    Text(purpose.as_bytes())
                ));
            }
        }
        if !matches!(self.access.as_str(), "allowed" | "disallowed") {
            let access = Text(self.access.as_bytes());
            return Err(format!("`access` must be `allowed` or `disallowed`, not `{access}`"));
        }
        for url in &self.urls {
            target(url.as_bytes()).map_err(|failure| failure.to_string())?;
        }
        for pattern in &self.patterns {
            if !pattern.starts_with(['/', '*']) || pattern.contains(['\n', '\r']) {
                let pattern = Text(pattern.as_bytes());
                return Err(format!(
                    "`{pattern}` is not a pattern; write it as in a rule, such as `/shop/`, without a scheme and a host"
                ));
            }
        }
        Ok(())
    }

    pub(super) fn wanted(&self) -> Effect {
        if self.access == "allowed" { Effect::Allow } else { Effect::Disallow }
    }

    /// Returns whether the entry holds in an environment.
    pub(super) fn is_in(&self, environment: Option<&str>) -> bool {
        self.environments.is_empty()
            || self.environments.iter().any(|name| Some(name.as_str()) == environment)
    }

    /// Returns the targets of the entry that are about a site, each with its number. A file may be that of any site.
    pub(super) fn targets(&self, site: Option<&Origin>) -> Vec<(usize, Target<'_>)> {
        let is_of_site = |url: &str| {
            url.starts_with('/') || site.is_none_or(|site| Origin::parse(url).as_ref() == Ok(site))
        };
        let all = (0..self.urls.len() + self.patterns.len())
            .filter_map(|number| Some((number, self.target(number)?)));
        all.filter(|(_, target)| matches!(target, Target::Pattern(_)) || is_of_site(target.text())).collect()
    }

    /// Returns the target with a number, from 0: first the URLs, then the patterns.
    pub(super) fn target(&self, number: usize) -> Option<Target<'_>> {
        match number.checked_sub(self.urls.len()) {
            None => self.urls.get(number).map(|url| Target::Url(url)),
            Some(number) => self.patterns.get(number).map(|pattern| Target::Pattern(pattern)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn messages_list_few_of_many_environments() {
        let file = |environments: usize| {
            let named =
                (0..environments).map(|number| format!("e{number} = ['a.txt']\n")).collect::<String>();
            let entry =
                "[[expect]]\ncrawlers = ['*']\nurls = ['/']\naccess = 'allowed'\nenvironments = ['x']\n";
            let body = format!("[environments]\n{named}{}", entry.repeat(environments));
            Wanted::of_bytes("wanted.toml".to_owned(), body.as_bytes(), false).unwrap()
        };
        let messages =
            |wanted: &Wanted| wanted.without_inputs().map(|(_, message)| message).collect::<Vec<_>>();
        assert!(messages(&file(2)).iter().all(|message| message.ends_with("it has `e0`, `e1`")));
        let many = messages(&file(1000));
        assert_eq!(many.len(), 1000);
        assert!(many.iter().all(|message| message.len() < 400 && message.ends_with(", ...")));
        let failure = file(1000).environment(OsStr::new("-"), None).unwrap_err();
        assert!(failure.to_string().len() < 400, "{failure}");
    }
}
