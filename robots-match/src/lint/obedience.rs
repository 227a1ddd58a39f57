//! Facts about who obeys records that RFC 9309 does not define.

use crate::records::RecordKind;

/// Whether a crawler obeys a record.
#[derive(Clone, Copy)]
pub(crate) enum Obeys {
    Yes,
    /// It ignores the record; what to do instead.
    No(&'static str),
}

/// A fact about a crawler.
pub(crate) struct Fact {
    /// The name in files.
    crawler: &'static str,
    record: RecordKind,
    pub(crate) answer: Obeys,
    /// Where the operator says so, and when that was read.
    #[expect(dead_code, reason = "shows where the fact is from")]
    source: &'static str,
}

const fn yes(crawler: &'static str, record: RecordKind, source: &'static str) -> Fact {
    Fact { crawler, record, answer: Obeys::Yes, source }
}

const fn no(crawler: &'static str, record: RecordKind, instead: &'static str, source: &'static str) -> Fact {
    Fact { crawler, record, answer: Obeys::No(instead), source }
}

const OF_GOOGLE: &str =
    "remove it; Google's crawlers slow down when the server is slow, or answers with status 429 or 503";
const OF_YANDEX: &str =
    "remove it, and set the rate in Yandex Webmaster; Yandex has ignored the line since February 2018";
const OF_AMAZON: &str = "remove it, and limit requests on the server";
const GOOGLE: &str = "developers.google.com/search/docs/crawling-indexing/robots/robots_txt (other fields are not supported), 2026-11";
const YANDEX: &str = "yandex.com/support/webmaster/en/robot-workings/crawl-delay, 2026-11";
const BING: &str = "blogs.bing.com/webmaster, 2012-05, and rankmath.com/seo-glossary/crawl-delay, 2026-11";
const UNVERIFIED: &str = "common knowledge, 2026-11";

/// Who obeys what.
const FACTS: [Fact; 33] = [
    yes("bingbot", RecordKind::CrawlDelay, BING),
    yes("msnbot", RecordKind::CrawlDelay, BING),
    yes("adidxbot", RecordKind::CrawlDelay, BING),
    yes("Slurp", RecordKind::CrawlDelay, BING),
    yes("ClaudeBot", RecordKind::CrawlDelay, "support.anthropic.com/en/articles/8896518, 2026-11"),
    yes("anthropic-ai", RecordKind::CrawlDelay, "support.anthropic.com/en/articles/8896518, 2026-11"),
    yes("CCBot", RecordKind::CrawlDelay, "commoncrawl.org/ccbot and NUTCH-2754, 2026-11"),
    yes("SemrushBot", RecordKind::CrawlDelay, "semrush.com/bot (10 seconds at most), 2026-11"),
    yes("AhrefsBot", RecordKind::CrawlDelay, "ahrefs.com/robot, 2026-11"),
    yes("AhrefsSiteAudit", RecordKind::CrawlDelay, "ahrefs.com/robot, 2026-11"),
    yes("MJ12bot", RecordKind::CrawlDelay, "mj12bot.com, 2026-11"),
    yes("dotbot", RecordKind::CrawlDelay, "moz.com/help/moz-procedures/crawlers/dotbot, 2026-11"),
    yes("rogerbot", RecordKind::CrawlDelay, "moz.com/help/moz-procedures/crawlers/rogerbot, 2026-11"),
    yes("SeznamBot", RecordKind::CrawlDelay, UNVERIFIED),
    yes("Pinterestbot", RecordKind::CrawlDelay, UNVERIFIED),
    yes("Pinterest", RecordKind::CrawlDelay, UNVERIFIED),
    yes("DataForSeoBot", RecordKind::CrawlDelay, UNVERIFIED),
    yes(
        "Yandex",
        RecordKind::CleanParam,
        "yandex.com/support/webmaster/en/robot-workings/clean-param, 2026-11",
    ),
    yes(
        "YandexBot",
        RecordKind::CleanParam,
        "yandex.com/support/webmaster/en/robot-workings/clean-param, 2026-11",
    ),
    no("Googlebot", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("Googlebot-Image", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("Googlebot-News", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("Googlebot-Video", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("Googlebot-Mobile", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("Google-Extended", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("GoogleOther", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("AdsBot-Google", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("Mediapartners-Google", RecordKind::CrawlDelay, OF_GOOGLE, GOOGLE),
    no("Yandex", RecordKind::CrawlDelay, OF_YANDEX, YANDEX),
    no("YandexBot", RecordKind::CrawlDelay, OF_YANDEX, YANDEX),
    no("YandexImages", RecordKind::CrawlDelay, OF_YANDEX, YANDEX),
    no("Amazonbot", RecordKind::CrawlDelay, OF_AMAZON, "developer.amazon.com/amazonbot, 2026-11"),
    no("Googlebot", RecordKind::CleanParam, "remove it; Google's crawlers do not know it", GOOGLE),
];

/// Returns whether a crawler of this name obeys a kind of record that RFC 9309 does not define, as its operator says; `None` if
/// nothing is known.
///
/// ```
/// use robots_match::lint::obeys_record;
/// use robots_match::records::RecordKind;
///
/// assert_eq!(obeys_record(RecordKind::CrawlDelay, "bingbot"), Some(true));
/// assert_eq!(obeys_record(RecordKind::CrawlDelay, "Googlebot"), Some(false));
/// assert_eq!(obeys_record(RecordKind::CrawlDelay, "ExampleBot"), None);
/// ```
#[must_use]
pub fn obeys_record(record: RecordKind, name: &str) -> Option<bool> {
    obeys(record, name.as_bytes()).map(|fact| matches!(fact.answer, Obeys::Yes))
}

/// Returns what is known about whether a crawler of this name obeys a kind of record.
pub(crate) fn obeys(record: RecordKind, name: &[u8]) -> Option<&'static Fact> {
    const { &FACTS }
        .iter()
        .find(|fact| fact.record == record && fact.crawler.as_bytes().eq_ignore_ascii_case(name))
}
