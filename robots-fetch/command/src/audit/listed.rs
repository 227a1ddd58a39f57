//! The list of URLs of an audit: which of them belong to which input.

use std::collections::HashMap;
use std::ffi::OsStr;

use robots_fetch::Origin;

use super::inputs::Input;
use crate::arguments::{is_url, origin};
use crate::failure::{Failure, Result};
use crate::text::{Text, input_name};
use crate::uri::uri;
use crate::url_list::UrlList;

/// The URLs of a list, by site.
#[derive(Debug)]
pub(super) struct Listed {
    /// The name of the list, safe to show.
    pub(super) name: String,
    /// The list as a URI reference.
    pub(super) uri: String,
    list: UrlList,
    /// Paths, which every site has, and the URLs of each site.
    paths: Vec<usize>,
    by_site: HashMap<Origin, Vec<usize>>,
    /// The number of URLs that belong to no input.
    others: usize,
}

impl Listed {
    /// Sorts the URLs of a list by site.
    ///
    /// # Errors
    ///
    /// The list has no URL that belongs to an input: an audit would check nothing, and look like a success.
    pub(super) fn new(argument: &OsStr, list: UrlList, inputs: &[Input]) -> Result<Self> {
        let name = input_name(argument);
        let (mut paths, mut by_site) = (Vec::new(), HashMap::<Origin, Vec<usize>>::new());
        for (index, url) in list.urls.iter().enumerate() {
            if url.first() == Some(&b'/') {
                paths.push(index);
            } else if let Ok(origin) = Origin::parse(&String::from_utf8_lossy(url)) {
                by_site.entry(origin).or_default().push(index);
            }
        }
        let mut listed = Self { name, uri: uri(argument), list, paths, by_site, others: 0 };
        listed.others = listed.count_others(inputs)?;
        Ok(listed)
    }

    fn count_others(&self, inputs: &[Input]) -> Result<usize> {
        let mut own = self.paths.len();
        let mut sites = Vec::new();
        for input in inputs {
            match input {
                // The URLs of a file may be those of any site.
                Input::Argument(argument) if !is_url(argument) => return Ok(0),
                Input::Argument(argument) => sites.push(origin(argument).ok()),
                Input::Failed(..) => sites.push(None),
            }
        }
        let all_known = sites.iter().all(Option::is_some);
        sites.sort_unstable();
        sites.dedup();
        own += sites.iter().flatten().filter_map(|site| self.by_site.get(site)).map(Vec::len).sum::<usize>();
        // An input or a sitemap that can't be read is reported later, and matters more.
        if own == 0 && all_known && self.list.problems.is_empty() {
            let first = self.list.urls.first().map(|url| Text(url).to_string()).unwrap_or_default();
            return Err(Failure::new(format!(
                "no URL of the list {} belongs to an input: the first one is `{first}`; scheme, host and port have to be those \
                 of an input",
                self.name
            )));
        }
        Ok(self.list.urls.len() - own)
    }

    /// Returns the number of URLs.
    pub(super) fn len(&self) -> usize {
        self.list.urls.len()
    }

    /// Returns the URLs that are about a site; for files, all of them.
    pub(super) fn of(&self, site: Option<&Origin>) -> Vec<&[u8]> {
        let Some(site) = site else { return self.list.urls.iter().map(Vec::as_slice).collect() };
        let own = self.by_site.get(site).map(Vec::as_slice).unwrap_or_default();
        let mut places: Vec<usize> = self.paths.iter().chain(own).copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|place| self.list.urls.get(place)).map(Vec::as_slice).collect()
    }

    /// Returns the sitemaps of the list that could not be read, as messages.
    pub(super) fn problems(&self) -> &[String] {
        &self.list.problems
    }

    /// Returns how much of the list was not checked, with names; only numbers that are not zero.
    pub(super) fn left_out(&self) -> impl Iterator<Item = (&'static str, usize)> {
        [("lines without a URL", self.list.skipped), ("URLs that belong to no input", self.others)]
            .into_iter()
            .filter(|(_, count)| *count > 0)
    }
}
