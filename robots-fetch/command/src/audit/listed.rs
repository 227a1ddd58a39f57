//! The list of URLs of an audit: which of them belong to which input.

use alloc::sync::Arc;
use std::collections::HashMap;
use std::ffi::OsStr;

use robots_fetch::Origin;

use super::inputs::Input;
use super::row::{Place, Received, Row, What};
use crate::arguments::{is_url, origin};
use crate::failure::{Failure, Result};
use crate::sarif::uri;
use crate::text::{Text, input_name};
use crate::url_list::{UrlList, Urls};

/// The URLs of a list, by site.
#[derive(Debug)]
pub(super) struct Listed {
    place: Arc<Place>,
    urls: Urls,
    /// The number of lines that have no URL.
    skipped: usize,
    /// Sitemaps of the list that could not be read, as messages.
    problems: Vec<String>,
    /// The positions of paths, which every site has, and of the URLs of each site that is an input.
    paths: Vec<u32>,
    by_site: HashMap<Origin, Vec<u32>>,
    /// The number of URLs that belong to no input.
    others: usize,
}

/// The URLs of a list that an input has: some of them, or all.
#[derive(Debug)]
pub(super) struct OfInput<'l> {
    pub(super) urls: &'l Urls,
    pub(super) places: Option<Vec<u32>>,
}

impl OfInput<'_> {
    pub(super) fn len(&self) -> usize {
        self.places.as_ref().map_or(self.urls.len(), Vec::len)
    }

    pub(super) fn get(&self, index: usize) -> Option<&[u8]> {
        match &self.places {
            Some(places) => self.urls.get(*places.get(index)? as usize),
            None => self.urls.get(index),
        }
    }
}

impl Listed {
    /// Sorts the URLs of a list by site.
    ///
    /// # Errors
    ///
    /// The list has no URL that belongs to an input: an audit would check nothing, and look like a success.
    pub(super) fn new(argument: &OsStr, list: UrlList, inputs: &[Input]) -> Result<Self> {
        let name = input_name(argument);
        let sites = inputs.iter().filter_map(|input| match input {
            Input::Argument(argument, _) if is_url(argument) => origin(argument).ok(),
            _ => None,
        });
        let mut by_site: HashMap<Origin, Vec<u32>> = sites.map(|site| (site, Vec::new())).collect();
        let mut paths = Vec::new();
        for (place, url) in (0..).zip(list.urls.iter()) {
            if url.first() == Some(&b'/') {
                paths.push(place);
            } else if !by_site.is_empty()
                && let Ok(origin) = Origin::parse(&String::from_utf8_lossy(url))
                && let Some(own) = by_site.get_mut(&origin)
            {
                own.push(place);
            }
        }
        let place = Place {
            name,
            uri: uri(argument),
            status: None,
            flags: None,
            joined: Vec::new(),
            received: Received::default(),
        };
        let UrlList { urls, skipped, problems } = list;
        let place = Arc::new(place);
        let mut listed = Self { place, urls, skipped, problems, paths, by_site, others: 0 };
        listed.others = listed.count_others(inputs)?;
        Ok(listed)
    }

    fn count_others(&self, inputs: &[Input]) -> Result<usize> {
        let mut own = self.paths.len();
        let mut sites = Vec::new();
        for input in inputs {
            match input {
                // The URLs of a file may be those of any site.
                Input::Argument(argument, _) if !is_url(argument) => return Ok(0),
                Input::Argument(argument, _) => sites.push(origin(argument).ok()),
                Input::Failed(..) => sites.push(None),
            }
        }
        let all_known = sites.iter().all(Option::is_some);
        sites.sort_unstable();
        sites.dedup();
        own += sites.iter().flatten().filter_map(|site| self.by_site.get(site)).map(Vec::len).sum::<usize>();
        // An input or a sitemap that can't be read is reported later, and matters more.
        if own == 0 && all_known && self.problems.is_empty() {
            let first = self.urls.get(0).map(|url| Text(url).short()).unwrap_or_default();
            return Err(Failure::new(format!(
                "no URL of the list {} belongs to an input: the first one is `{first}`; scheme, host and port have to be those \
                 of an input",
                self.place.name
            )));
        }
        Ok(self.urls.len() - own)
    }

    /// Returns the number of URLs.
    pub(super) fn len(&self) -> usize {
        self.urls.len()
    }

    /// Returns the URLs that are about a site; for files, all of them.
    pub(super) fn of(&self, site: Option<&Origin>) -> OfInput<'_> {
        let places = site.map(|site| {
            let own = self.by_site.get(site).map(Vec::as_slice).unwrap_or_default();
            let mut places = [self.paths.as_slice(), own].concat();
            places.sort_unstable();
            places
        });
        OfInput { urls: &self.urls, places }
    }

    /// Returns rows about what of the list could not be read, or was not checked.
    pub(super) fn rows(&self) -> Vec<Row> {
        let problems = self.problems.iter().cloned().map(What::Problem);
        let left_out = [("lines without a URL", self.skipped), ("URLs that belong to no input", self.others)]
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(what, count)| What::OfList(what, count));
        problems.chain(left_out).map(|what| Row { place: Arc::clone(&self.place), what }).collect()
    }
}
