//! Who sends a header.

use robots_match::{Catalogue, Identity, KnownCrawler, KnownNames, UserAgent};

use crate::log::setup::LogSetup;

/// Who sends a `User-Agent` header, as a log counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// A crawler by its number: a known one, or an unlisted one.
    Crawler(u32),
    /// Crawlers of several operators are named.
    Several,
    /// A browser, a library, or another program.
    Other,
    /// There is no header.
    NoHeader,
}

/// Who sends a `User-Agent` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderSender<'h> {
    /// A known crawler.
    Known(&'static KnownCrawler),
    /// Known crawlers of several operators are named.
    Several,
    /// A crawler that is not known, by its name in the header.
    Unlisted(&'h str),
    /// A browser, a library, or another program.
    Other,
}

/// Returns who sends a `User-Agent` header, as logs count it: a program that names itself and has none of the signs of crawlers, such
/// as an address, is not one.
///
/// ```
/// use robots_fetch::log::{HeaderSender, sender};
///
/// assert_eq!(sender(b"NotGooglebot/1.0"), HeaderSender::Unlisted("NotGooglebot"));
/// assert_eq!(sender(b"curl/8.5.0"), HeaderSender::Other);
/// ```
///
/// # Complexity
///
/// Linear in the length of the header, of which the first 4096 bytes are read.
#[must_use]
pub fn sender(header: &[u8]) -> HeaderSender<'_> {
    sender_in(header, Catalogue::BUILT_IN)
}

fn sender_in(header: &[u8], catalogue: Catalogue) -> HeaderSender<'_> {
    let header = header.get(..LONGEST).unwrap_or(header);
    match catalogue.identify(header) {
        Identity::Known(known) if known.name != GENERIC => HeaderSender::Known(known),
        Identity::Several(_) => HeaderSender::Several,
        Identity::Known(_) => unlisted(header, |read| read.name()),
        Identity::Unlisted(name) => unlisted(header, |_| Some(name)),
        _ => HeaderSender::Other,
    }
}

/// Returns who sends a header without a known name: a crawler, if the header has a sign of one.
fn unlisted<'h>(header: &'h [u8], name: impl FnOnce(&UserAgent<'h>) -> Option<&'h str>) -> HeaderSender<'h> {
    let read = UserAgent::read(header, &KnownNames::NONE);
    match name(&read) {
        Some(name) if read.shows_crawler() => HeaderSender::Unlisted(name),
        _ => HeaderSender::Other,
    }
}

/// A name of the catalogue that is a word in the headers of many crawlers.
const GENERIC: &str = "Spider";

/// Returns who sends a header, by the number of the crawler.
pub(super) fn who(header: &[u8], setup: &LogSetup<'_>) -> Who {
    match sender_in(header, setup.catalogue()) {
        HeaderSender::Known(known) => setup.number_of(known.name).map_or(Who::Other, Who::Crawler),
        HeaderSender::Several => Who::Several,
        HeaderSender::Unlisted(name) => Who::Crawler(setup.unlisted(name)),
        HeaderSender::Other => Who::Other,
    }
}

/// The most bytes of a header that are read.
const LONGEST: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_without_signs_are_not_crawlers() {
        let setup = LogSetup::new([]);
        let name = |header: &str| match who(header.as_bytes(), &setup) {
            Who::Crawler(crawler) => match setup.known(crawler) {
                Some(known) => known.name.to_owned(),
                None => format!("unlisted {}", setup.unlisted_name(crawler).unwrap()),
            },
            other => format!("{other:?}"),
        };
        let cases = [
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
                "ChatGPT-User",
            ),
            ("FreshRSS/1.24.1 (Linux; https://freshrss.org) like Googlebot", "unlisted FreshRSS"),
            ("NotGooglebot/1.0", "unlisted NotGooglebot"),
            ("GPTBot, ClaudeBot, Googlebot", "Several"),
            ("Screaming Frog SEO Spider/20.1", "Screaming Frog SEO Spider"),
            ("claude-useragent/1", "Other"),
            ("curl/8.5.0", "Other"),
            ("Robot Framework", "Other"),
            ("Robotics/1.0", "Other"),
            ("Thunderbird/115 (RSS fetch)", "Other"),
            ("Mozilla/5.0 (compatible; MSIE 7.0; Windows NT 5.1; Botswana Toolbar)", "Other"),
            (
                "Mozilla/5.0 (Linux; Android 11; Robot Vacuum) AppleWebKit/537.36 Chrome/90 Safari/537.36",
                "Other",
            ),
            ("Dalvik/2.1.0 (Linux; U; Android 9; CUBOT_X19 Build/PPR1)", "Other"),
            (
                "Mozilla/5.0 (Linux; Android 9; CUBOT_X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Mobile Safari/537.36",
                "Other",
            ),
            (
                "Mozilla/5.0 (Linux; Android 7; CUBOT) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Mobile Safari/537.36",
                "Other",
            ),
            ("Mozilla/5.0 (compatible; ExampleBot-Image/1.0)", "unlisted ExampleBot-Image"),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (compatible; ExampleBot)",
                "unlisted ExampleBot",
            ),
            ("Example crawler/2", "unlisted Example crawler"),
            ("facebookexternalhit/1.1 Facebot Twitterbot/1.0", "Several"),
            ("Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)", "Other"),
        ];
        for (header, expected) in cases {
            assert_eq!(name(header), expected, "{header}");
        }
    }
}
