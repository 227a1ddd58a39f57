//! The URLs of the sitemaps that a robots.txt names.

use robots_fetch::Origin;
use robots_match::{Profile, Robots};
use url::Url;

use super::outcome::Outcome;
use crate::network::Sites;
use crate::subject::Subject;
use crate::text::Text;
use crate::url_list::submitted;

/// Reads at most `most` URLs of the sitemaps that the file names, and returns those that its rules are about. Adds what was not
/// read to the outcome.
pub(super) fn urls(
    subject: &Subject,
    profile: &Profile,
    most: usize,
    sites: &Sites,
    outcome: &mut Outcome,
) -> Vec<Vec<u8>> {
    let robots = Robots::new(subject.body(), *profile);
    let mut sitemaps = Vec::new();
    for value in robots.sitemaps() {
        let url = core::str::from_utf8(value).ok().and_then(|value| Url::parse(value).ok());
        match url.filter(|url| matches!(url.scheme(), "http" | "https")) {
            Some(url) if !sitemaps.contains(&url) => sitemaps.push(url),
            Some(_) => {}
            None => {
                outcome.problems.push(format!("the sitemap `{}` is not a URL by http or https", Text(value)));
            }
        }
    }
    // The user did not name the sitemaps of a file either. A host that is not known counts as public.
    let named_by = match &subject.origin {
        Some(origin) => Some(origin.robots_url().clone()),
        None => Url::parse("http://file.invalid/robots.txt").ok(),
    };
    let mut found = submitted(&sitemaps, named_by.as_ref(), most, sites);
    outcome.problems.append(&mut found.problems);
    outcome.not_checked.append(&mut found.limits);
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
    // A robots.txt may submit sitemaps with URLs of other sites, whose files name the sitemap too.
    outcome.not_checked.extend(other.message("of other sites", "of another site"));
    outcome.problems.extend(relative.message("not whole", "not whole"));
    found.urls
}

/// URLs that are not checked.
#[derive(Default)]
struct LeftOut {
    count: usize,
    first: String,
}

impl LeftOut {
    fn add(&mut self, url: &[u8]) {
        if self.count == 0 {
            self.first = Text(url).to_string();
        }
        self.count += 1;
    }

    /// Returns a sentence, if there are any.
    fn message(self, several: &str, one: &str) -> Option<String> {
        let Self { count, first } = self;
        match count {
            0 => None,
            1 => Some(format!("1 URL of the sitemaps is {one} and was not checked: `{first}`")),
            _ => Some(format!(
                "{count} URLs of the sitemaps are {several} and were not checked, such as `{first}`"
            )),
        }
    }
}
