//! Lists of URLs: text, access logs, and sitemaps.

mod left_out;
mod lines;
mod sitemap;

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use robots_fetch::sitemap::{decompressed, is_xml};
use robots_match::Profile;
use url::Url;

pub(crate) use self::left_out::LeftOut;
use self::lines::MOST;
pub(crate) use self::lines::{UrlList, path_in};
pub(crate) use self::sitemap::{Sitemaps, submitted};
use crate::arguments::{is_url, within_limit};
use crate::failure::{Failure, Result, reason};
use crate::network::Sites;
use crate::source::{self, Admitted};
use crate::text::{Text, input_name};

/// The largest list in bytes, also after it was decompressed.
const MAX_SIZE: usize = 64 << 20;

impl UrlList {
    /// Reads a file, standard input (`-`), or the sitemap at a URL. Only those sitemaps of an index that can be read are used; the
    /// others are problems of the list.
    ///
    /// # Errors
    ///
    /// It can't be read, or has no URL: nothing would be checked, and that would look like a success.
    pub(crate) fn read(argument: &OsStr, sites: impl FnOnce() -> Result<Sites>) -> Result<Self> {
        let list = Self::read_any(argument, sites)?;
        if list.urls.is_empty() {
            if let Some(problem) = list.problems.into_iter().next() {
                return Err(Failure::new(problem));
            }
            let name = input_name(argument);
            return Err(Failure::new(format!(
                "the list {name} has no URL; write a URL such as `https://example.com/page`, or a path that begins with `/`, \
                 on each line, in UTF-8"
            )));
        }
        Ok(list)
    }

    fn read_any(argument: &OsStr, sites: impl FnOnce() -> Result<Sites>) -> Result<Self> {
        source::require_name(argument)?;
        let shown = || Text(argument.as_encoded_bytes()).to_string();
        if is_url(argument) {
            within_limit(argument.as_encoded_bytes())?;
            let url = argument.to_str().and_then(|url| Url::parse(url).ok());
            let url = url.ok_or_else(|| Failure::new(format!("`{}` is not a URL", shown())))?;
            let sites = sites()?;
            let found = submitted(&[url], None, MOST, &sites, sites.start());
            let problems = [found.problems, found.limits].concat();
            return Ok(Self::of_locations(found.urls, problems));
        }
        let mut wide = Profile::default();
        wide.syntax.max_size = Some(MAX_SIZE);
        let read = match argument.as_encoded_bytes() {
            b"-" => source::read(io::stdin().lock(), &wide),
            _ => source::read_file(Path::new(argument), Admitted::Any, &wide),
        };
        let failed = |why: &str| Failure::new(format!("can't read the URLs of {}: {why}", shown()));
        let bytes = read.map_err(|error| failed(&reason(&error)))?;
        let bytes = decompressed(bytes, MAX_SIZE).map_err(|error| failed(&error.to_string()))?;
        if is_xml(&bytes) {
            return match sitemap::parse(&bytes, MOST) {
                Ok(Sitemaps { urls, nested, .. }) if nested.is_empty() => {
                    Ok(Self::of_locations(urls, Vec::new()))
                }
                Ok(_) => Err(failed("it is a sitemap index; name the URL of the index, or its sitemaps")),
                Err(why) => Err(failed(&why)),
            };
        }
        Self::of_lines(&bytes).map_err(|why| failed(&why))
    }
}
