//! The URLs of the sitemaps that a robots.txt names.

use std::collections::HashSet;

use robots_fetch::Origin;
use robots_fetch::sitemap::LONGEST_URL;
use robots_match::{Profile, Robots};
use url::Url;

use crate::network::{SiteTime, Sites};
use crate::subject::Subject;
use crate::text::{LeftOut, Text};
use crate::url_list::{MOST_FILES, Most, Reading, Room, Sitemaps, submitted};

/// The most URLs of the sitemaps of a site, if the user names no number.
const MOST_URLS: usize = 50_000;

/// Returns the most URLs that are kept, where the user names this number or none.
pub(super) fn most_of(most: Option<usize>) -> Most {
    Most::urls(most.unwrap_or(MOST_URLS))
}

/// Reads at most `most` URLs of the sitemaps that the file names, and returns those that its rules are about, and what was not
/// read. The site may have redirected to another one. `time` is that of the site.
pub(super) fn urls(
    subject: &Subject,
    redirected: Option<&Origin>,
    profile: &Profile,
    most: Option<usize>,
    sites: &Sites,
    time: SiteTime,
    room: &mut impl Room,
) -> Sitemaps {
    let robots = Robots::new(subject.body(), *profile);
    let (mut sitemaps, mut seen) = (Vec::new(), HashSet::new());
    let mut invalid = LeftOut::default();
    for value in robots.sitemaps() {
        let url = core::str::from_utf8(value).ok().and_then(|value| Url::parse(value).ok());
        match url.filter(|url| matches!(url.scheme(), "http" | "https")) {
            Some(url) if url.as_str().len() > LONGEST_URL => invalid.add(url.as_str().as_bytes()),
            // One more than are read shows that there are more.
            Some(url) if seen.len() <= MOST_FILES && seen.insert(url.clone()) => sitemaps.push(url),
            Some(_) => {}
            None => invalid.add(value),
        }
    }
    drop(seen);
    // The user did not name the sitemaps of a file either. A host that is not known counts as public.
    let named_by = match &subject.origin {
        Some(origin) => Some(origin.robots_url().clone()),
        None => Url::parse("http://file.invalid/robots.txt").ok(),
    };
    let reading = Reading { sites, named_by: named_by.as_ref(), most: most_of(most), time };
    let mut found = submitted(&sitemaps, reading, room);
    if most.is_none() {
        // The user did not ask for this limit, and expects an answer about all URLs.
        let limits = core::mem::take(&mut found.limits);
        found.problems.extend(limits);
    }
    let invalid =
        invalid.message("sitemap is not a URL by http or https", "sitemaps are not URLs by http or https");
    found.problems.splice(0..0, invalid);
    if sitemaps.is_empty() {
        let nothing = "the robots.txt names no sitemap that can be read, so no submitted URL was checked";
        found.problems.push(nothing.to_owned());
    }
    if !sitemaps.is_empty() && found.urls.is_empty() && found.problems.is_empty() && found.limits.is_empty() {
        found.problems.push("the sitemaps have no URL, so no submitted URL was checked".to_owned());
    }
    let (mut relative, mut other) = (LeftOut::default(), LeftOut::default());
    found.urls.retain(|url| {
        let site = Origin::parse(&String::from_utf8_lossy(url)).ok();
        match (&site, &subject.origin) {
            (None, _) => relative.add(url),
            // The robots.txt of another site decides about it.
            (Some(_), Some(_)) if site != subject.origin => other.add(url),
            _ => return true,
        }
        false
    });
    // A robots.txt may submit sitemaps with URLs of other sites, whose files name the sitemap too. If it has no others, nothing
    // was checked.
    let others = if found.urls.is_empty() { &mut found.problems } else { &mut found.limits };
    let message = other.message(
        "URL of the sitemaps is of another site and was not checked",
        "URLs of the sitemaps are of other sites and were not checked",
    );
    others.extend(message.map(|message| match redirected {
        Some(site) => {
            format!("{message}; the site redirects to {}: audit that one", Text(site.as_str().as_bytes()))
        }
        None => message,
    }));
    found.problems.extend(relative.message(
        "URL of the sitemaps is not whole and was not checked",
        "URLs of the sitemaps are not whole and were not checked",
    ));
    found
}
