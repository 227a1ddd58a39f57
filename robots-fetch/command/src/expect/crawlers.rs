//! The crawlers that the entries of a file of wanted access mean.

use alloc::sync::Arc;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;

use robots_match::{Crawler, Purpose};

use super::files::Entry;
use crate::arguments::{NamedCrawler, NamedProfile, catalogue, crawlers, require_crawler};
use crate::failure::{Failure, Result};

/// A crawler that entries mean.
#[derive(Debug)]
pub(super) struct WantedCrawler {
    /// The name, as a file gives it; safe to show only as text.
    pub(super) name: Arc<str>,
    pub(super) crawler: Crawler,
    /// Whether entries mean the crawler by its purpose, and do not name it.
    pub(super) is_of_purpose: bool,
    /// The place of the first crawler with this name, whatever its case is.
    first: u32,
}

/// The crawlers that all entries mean. Each name and each purpose is there once, because thousands of entries can have the same ones.
#[derive(Debug, Default)]
pub(super) struct WantedCrawlers {
    all: Vec<WantedCrawler>,
    by_name: HashMap<String, u32>,
    by_purpose: HashMap<String, Vec<u32>>,
    firsts: HashMap<String, u32>,
}

impl WantedCrawlers {
    /// Adds the crawlers of an entry. May write notes about names.
    pub(super) fn add(&mut self, entry: &Entry, profile: &NamedProfile) -> Result<()> {
        for name in &entry.crawlers {
            if self.by_name.contains_key(name) {
                continue;
            }
            let named = match name.as_str() {
                "*" => vec![NamedCrawler::everyone()],
                name => {
                    require_crawler(name)?;
                    crawlers(&[OsString::from(name)], profile)?
                }
            };
            for named in named {
                let place = self.push(named, false);
                self.by_name.insert(name.clone(), place);
            }
        }
        for name in &entry.purposes {
            if self.by_purpose.contains_key(name) {
                continue;
            }
            let purposes = Purpose::named(name);
            catalogue().require_crawlers(&purposes).map_err(Failure::new)?;
            let mut places = Vec::new();
            for purpose in purposes {
                let known = catalogue().crawlers().iter().filter(|known| known.purpose == purpose);
                places.extend(known.map(|known| self.push(NamedCrawler::known(known), true)));
            }
            self.by_purpose.insert(name.clone(), places);
        }
        Ok(())
    }

    fn push(&mut self, NamedCrawler { name, crawler }: NamedCrawler, is_of_purpose: bool) -> u32 {
        // A file of a few megabytes has fewer names.
        let place = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let first = *self.firsts.entry(name.to_ascii_lowercase()).or_insert(place);
        self.all.push(WantedCrawler { name: name.into(), crawler, is_of_purpose, first });
        place
    }

    /// Returns all crawlers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &WantedCrawler> {
        self.all.iter()
    }

    pub(super) fn get(&self, place: u32) -> Option<&WantedCrawler> {
        self.all.get(place as usize)
    }

    /// Returns the places of the crawlers that an entry means, each once, first those that it names.
    pub(super) fn of(&self, entry: &Entry) -> Vec<u32> {
        let named = entry.crawlers.iter().filter_map(|name| self.by_name.get(name)).copied();
        let of_purposes =
            entry.purposes.iter().filter_map(|name| self.by_purpose.get(name)).flatten().copied();
        let mut places: Vec<u32> = named.chain(of_purposes).collect();
        let mut seen = HashSet::new();
        places.retain(|&place| self.get(place).is_some_and(|crawler| seen.insert(crawler.first)));
        places
    }
}
