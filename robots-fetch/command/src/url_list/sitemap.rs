//! Sitemaps and indexes of sitemaps.

use alloc::collections::VecDeque;
use std::collections::HashSet;

use robots_fetch::sitemap::{Location, Locations, MAX_SIZE, decompressed, is_xml};
use url::Url;

use super::left_out::LeftOut;
use super::lines::{UrlList, not_read};
use crate::network::{SiteTime, Sites};
use crate::text::Text;

/// The number of sitemaps that are read for one site, with those of indexes.
const MOST_FILES: usize = 100;

/// The content of a sitemap, or of several.
#[derive(Debug, Default)]
pub(crate) struct Sitemaps {
    /// The URLs of pages, in the order of the sitemaps.
    pub(crate) urls: Vec<Vec<u8>>,
    /// The URLs of other sitemaps.
    pub(super) nested: Vec<Vec<u8>>,
    /// Sitemaps and URLs that could not be read, as messages.
    pub(crate) problems: Vec<String>,
    /// Limits that were reached, as messages.
    pub(crate) limits: Vec<String>,
}

/// Downloads sitemaps and those that they list, and returns at most `most` URLs. `named_by` is the URL of the file that names
/// them, unless the user does. `time` is the time of the site, for all of them together.
pub(crate) fn submitted(
    sitemaps: &[Url],
    named_by: Option<&Url>,
    most: usize,
    sites: &Sites,
    time: SiteTime,
) -> Sitemaps {
    let mut all = Sitemaps::default();
    let named_by: Vec<Url> = named_by.into_iter().cloned().collect();
    let mut waiting: VecDeque<(Url, Vec<Url>)> =
        sitemaps.iter().map(|url| (url.clone(), named_by.clone())).collect();
    let mut seen: HashSet<Url> = sitemaps.iter().cloned().collect();
    let mut count = 0;
    while let Some((url, named_by)) = waiting.pop_front() {
        let shown = Text(url.as_str().as_bytes()).short();
        if count == MOST_FILES || all.urls.len() == most {
            all.limits.push(format!("not all sitemaps were read: the limit was reached before {shown}"));
            break;
        }
        if time.left().is_zero() {
            let rest = waiting.len() + 1;
            let what = if rest == 1 { "1 sitemap was".to_owned() } else { format!("{rest} sitemaps were") };
            all.limits.push(format!("{what} not read, because the time for the site was over: {shown}"));
            break;
        }
        count += 1;
        let content = sites
            .download(&url, &named_by, MAX_SIZE, time)
            .and_then(|bytes| decompressed(bytes, MAX_SIZE).map_err(|error| error.to_string()));
        let content = content.and_then(|bytes| {
            if is_xml(&bytes) {
                return parse(&bytes, most - all.urls.len());
            }
            // A sitemap may also be a list of URLs.
            UrlList::of_lines(&bytes).and_then(of_list)
        });
        match content {
            Ok(content) => {
                all.urls.extend(content.urls);
                all.problems.extend(content.problems.into_iter().map(|why| format!("{shown}: {why}")));
                all.limits.extend(content.limits.into_iter().map(|why| format!("{shown}: {why}")));
                let mut invalid = LeftOut::default();
                for nested in content.nested {
                    let joined = core::str::from_utf8(&nested).ok().and_then(|nested| url.join(nested).ok());
                    match joined.filter(|nested| matches!(nested.scheme(), "http" | "https")) {
                        Some(nested) if seen.len() <= MOST_FILES && seen.insert(nested.clone()) => {
                            let mut named_by = named_by.clone();
                            named_by.push(url.clone());
                            waiting.push_back((nested, named_by));
                        }
                        Some(_) => {}
                        None => invalid.add(&nested),
                    }
                }
                let invalid = invalid
                    .message("entry is not a URL by http or https", "entries are not URLs by http or https");
                all.problems.extend(invalid.map(|why| format!("{shown}: {why}")));
            }
            Err(why) => {
                let why = Text(why.as_bytes());
                all.problems.push(format!("the sitemap {shown} could not be read: {why}"));
            }
        }
        all.urls.truncate(most);
    }
    all
}

/// Returns the URLs of a list as those of a sitemap.
fn of_list(list: UrlList) -> Result<Sitemaps, String> {
    let problem = match list.skipped {
        _ if list.urls.is_empty() && list.problems.is_empty() => {
            return Err("it is neither XML nor a list of URLs".to_owned());
        }
        0 => None,
        1 => Some("1 line has no URL".to_owned()),
        lines => Some(format!("{lines} lines have no URL")),
    };
    let problems = list.problems.into_iter().chain(problem).collect();
    Ok(Sitemaps { urls: list.urls, problems, ..Sitemaps::default() })
}

/// Reads at most `most` URLs of a sitemap or an index.
pub(super) fn parse(bytes: &[u8], most: usize) -> Result<Sitemaps, String> {
    let mut found = Sitemaps::default();
    let mut long = 0;
    for location in Locations::new(bytes) {
        let (list, url) = match location.map_err(|error| error.to_string())? {
            Location::Page(url) => (&mut found.urls, url),
            Location::Sitemap(url) => (&mut found.nested, url),
            _ => {
                long += 1;
                continue;
            }
        };
        if list.len() >= most {
            found.limits.push(match most {
                1 => "only the first URL was read".to_owned(),
                _ => format!("only the first {most} URLs were read"),
            });
            break;
        }
        list.push(url);
    }
    found.problems.extend(not_read(long));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_urls_are_read_than_wanted() {
        let xml = b"<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url></urlset>";
        assert_eq!(parse(xml, 2).unwrap().limits, [""; 0]);
        let one = parse(xml, 1).unwrap();
        assert_eq!((one.urls.len(), one.limits.len()), (1, 1));
    }
}
