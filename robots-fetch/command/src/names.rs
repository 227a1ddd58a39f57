//! The crawlers that files name, and those of the catalogue.

use alloc::sync::Arc;
use core::cell::OnceCell;
use std::collections::HashSet;

use clap::Args;
use robots_match::groups::{Groups, NameIndex, Selection, SelectionBasis};
use robots_match::syntax::Field;
use robots_match::{Crawler, KnownCrawler, Purpose, Robots, named_crawlers};

use crate::arguments::{NamedCrawler, OneOf, catalogue};
use crate::failure::{Failure, Result};
use crate::other_lines::OtherLines;
use crate::text::Text;
use crate::text_view::View;

/// The crawlers of the catalogue that a command is about.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CatalogueArguments {
    /// Crawlers of the catalogue with this purpose, beside those of --agent; `ai` is every purpose of AI products. Give several for
    /// several purposes
    #[arg(long, value_name = "PURPOSE", value_parser = purposes())]
    purpose: Vec<Vec<Purpose>>,
}

fn purposes() -> OneOf<Vec<Purpose>> {
    let single = Purpose::ALL.into_iter().map(|purpose| (purpose.name(), vec![purpose]));
    OneOf::new(single.chain([("ai", Purpose::named("ai"))]))
}

impl CatalogueArguments {
    /// Returns whether a purpose is chosen.
    pub(crate) const fn is_given(&self) -> bool {
        !self.purpose.is_empty()
    }

    /// Returns whether crawlers of this purpose are chosen. If none is chosen, all are.
    pub(crate) fn has(&self, purpose: Purpose) -> bool {
        !self.is_given() || self.purpose.iter().flatten().any(|&chosen| chosen == purpose)
    }

    /// Returns the chosen crawlers of the catalogue.
    pub(crate) fn crawlers(&self) -> impl Iterator<Item = &'static KnownCrawler> {
        catalogue().crawlers().iter().filter(|known| self.has(known.purpose))
    }

    /// Adds the crawlers of the chosen purposes to those that were named. Without a purpose, adds the whole catalogue if `is_all`.
    /// Each crawler is there once.
    ///
    /// # Errors
    ///
    /// The catalogue has no crawler of a purpose, so nothing would be found out about it.
    pub(crate) fn add_to(&self, named: &mut Vec<NamedCrawler>, is_all: bool) -> Result<()> {
        for purposes in &self.purpose {
            catalogue().require_crawlers(purposes).map_err(Failure::new)?;
        }
        if is_all || self.is_given() {
            named.extend(self.crawlers().map(NamedCrawler::known));
        }
        let mut seen = HashSet::new();
        named.retain(|named| seen.insert(named.name.to_ascii_lowercase()));
        Ok(())
    }
}

/// A crawler that a file names.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) named: NamedCrawler,
    /// The entry of the catalogue, if there is one.
    pub(crate) known: Option<&'static KnownCrawler>,
    /// The number of the first line that names it, from 1.
    pub(crate) line: usize,
}

/// The groups of a file, with their lines.
pub(crate) struct FileGroups<'f> {
    groups: Groups<'f>,
    view: View<'f>,
}

impl<'f> FileGroups<'f> {
    pub(crate) fn new(robots: &'f Robots) -> Self {
        Self { groups: robots.groups(), view: View::new(robots.body()) }
    }

    /// Returns the lines that are not rules.
    pub(crate) fn other_lines(&self, robots: &Robots) -> OtherLines {
        OtherLines::new(robots, &self.groups)
    }

    /// Returns an index of the names.
    pub(crate) fn index(&self) -> FileIndex<'_, 'f> {
        FileIndex { file: self, names: NameIndex::new(&self.groups), general: OnceCell::new() }
    }

    fn line(&self, agent: Field<'_>) -> usize {
        self.view.line_of(agent.span().start())
    }

    /// Returns the crawlers that the `user-agent` lines name, each once, in the order of the file. Lines for every crawler are
    /// left out, and those that name no crawler.
    ///
    /// A crawler of the catalogue has all names that it has there.
    pub(crate) fn named(&self) -> Vec<Named> {
        let names = named_crawlers(&self.groups).into_iter();
        let named = names.filter_map(|(name, agent)| {
            let known = catalogue().find(name);
            let crawler = known.map_or_else(|| Crawler::new(name).ok(), |known| Some(known.crawler()))?;
            let named = NamedCrawler { name: name.to_owned(), crawler };
            Some(Named { named, known, line: self.line(agent) })
        });
        named.collect()
    }
}

/// An index of the names of a file, by which the groups of many crawlers are found.
pub(crate) struct FileIndex<'g, 'f> {
    file: &'g FileGroups<'f>,
    names: NameIndex<'g, 'f>,
    /// What applies to crawlers that no group names.
    general: OnceCell<Option<Applied>>,
}

impl<'g, 'f> FileIndex<'g, 'f> {
    /// Selects the groups that apply to a crawler.
    pub(crate) fn select(&self, crawler: &Crawler) -> Selection<'g, 'f> {
        self.names.select(crawler)
    }

    /// Returns the groups that apply to a crawler, by their lines.
    pub(crate) fn applied(&self, crawler: &Crawler) -> Option<Applied> {
        let applied = || {
            let values = self.names.values_for(crawler);
            let (first, others) = values.split_first()?;
            let line = |value: &Field<'_>| self.file.line(*value);
            let others = others.iter().map(line).collect();
            Some(Applied { name: first.bytes().into(), line: line(first), others })
        };
        match self.select(crawler).basis() {
            SelectionBasis::Named => applied(),
            SelectionBasis::Wildcard => self.general.get_or_init(applied).clone(),
            SelectionBasis::None => None,
        }
    }
}

/// The group that applies to a crawler: its line for the crawler, or for every crawler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Applied {
    pub(crate) name: Arc<[u8]>,
    pub(crate) line: usize,
    /// The lines of the other groups that apply, whose rules count as well.
    pub(crate) others: Arc<[usize]>,
}

impl Applied {
    /// Returns the name with all lines, such as `*, lines 1, 4`, safe to show.
    pub(crate) fn shown(&self) -> String {
        const MOST: usize = 4;
        let name = Text(&self.name);
        if self.others.is_empty() {
            return format!("{name}, line {}", self.line);
        }
        let others: Vec<String> = self.others.iter().take(MOST).map(|line| format!(", {line}")).collect();
        let more = if self.others.len() > MOST { ", ..." } else { "" };
        format!("{name}, lines {}{}{more}", self.line, others.concat())
    }
}

#[cfg(test)]
mod tests {
    use robots_match::Profile;

    use super::*;

    #[test]
    fn names_of_files_are_read_as_the_profile_reads_them() {
        let file = "User-agent: *\nUser-agent: MJ12bot/1.4\nUser-agent: bingbot\nUser-agent: BINGBOT\n\
                    User-agent: Screaming Frog SEO Spider\nUser-agent: (x)\nUser-agent:\n";
        let names = |profile: Profile| {
            let robots = Robots::new(file, profile);
            let named = FileGroups::new(&robots).named();
            named.into_iter().map(|named| (named.named.name, named.line)).collect::<Vec<_>>()
        };
        let expected = [("MJ12bot", 2), ("bingbot", 3), ("Screaming Frog SEO Spider", 5)];
        assert_eq!(names(Profile::RFC9309), expected.map(|(name, line)| (name.to_owned(), line)));
        let google = names(Profile::GOOGLE);
        assert!(
            google.contains(&("MJ".to_owned(), 2)) && google.contains(&("MJ12bot".to_owned(), 2)),
            "{google:?}"
        );
    }

    #[test]
    fn the_group_has_the_line_that_names_the_crawler() {
        let robots = Robots::new(
            "User-agent: *\nUser-agent: b\nDisallow: /\nUser-agent: c\nAllow: /\n",
            Profile::RFC9309,
        );
        let groups = FileGroups::new(&robots);
        let index = groups.index();
        let line = |name: &str| index.applied(&Crawler::new(name).unwrap()).map(|applied| applied.line);
        assert_eq!((line("a"), line("b"), line("c")), (Some(1), Some(2), Some(4)));
        assert!(index.applied(&Crawler::unnamed().ignoring_wildcard()).is_none());
    }
}
