//! Names of known crawlers, and those of search engines.

use alloc::vec::Vec;

use crate::catalogue::KnownCrawler;
use crate::catalogue::closeness::{self, names};
use crate::document::Document;
use crate::lint::severity::Severity;
use crate::profile::Profile;

/// The crawler of a search engine that sites all over the world want.
pub(crate) struct SearchEngine {
    /// The name of the crawler, in lower case.
    pub(crate) crawler: &'static str,
    pub(crate) engine: &'static str,
    /// How much a block costs; `None` where sites often mean it.
    pub(crate) loss: Option<Severity>,
}

/// By share of searches (gs.statcounter.com, 2026-11) and the engines that use their index.
const ENGINES: [SearchEngine; 6] = [
    SearchEngine { crawler: "googlebot", engine: "Google", loss: Some(Severity::Warning) },
    SearchEngine { crawler: "bingbot", engine: "Bing", loss: Some(Severity::Warning) },
    SearchEngine { crawler: "slurp", engine: "Yahoo", loss: None },
    SearchEngine { crawler: "duckduckbot", engine: "DuckDuckGo", loss: Some(Severity::Note) },
    SearchEngine { crawler: "applebot", engine: "Apple", loss: Some(Severity::Note) },
    SearchEngine { crawler: "msnbot", engine: "Bing", loss: None },
];

/// Returns the search engine whose crawler finds its group by this value, as one of today's parsers reads it: also by `bingbot/2.0` and
/// `Googlebot images`.
pub(crate) fn search_engine(value: &[u8]) -> Option<&'static SearchEngine> {
    ENGINES.iter().find(|engine| !readers_today(value, engine.crawler).is_empty())
}

/// Returns those of today's documents by which a crawler finds its group by a value.
pub(crate) fn readers_today(value: &[u8], name: &str) -> Vec<Document> {
    let reads = |document: &Document| Profile::from(*document).groups.names(value, name);
    Document::CURRENT.into_iter().filter(reads).collect()
}

/// Returns the known crawler as whose name all of today's parsers read a value with more text, as in `Googlebot images`.
pub(crate) fn read_as(value: &[u8]) -> Option<&'static str> {
    let is_it = |name: &&str| {
        !value.eq_ignore_ascii_case(name.as_bytes())
            && readers_today(value, name).len() == Document::CURRENT.len()
    };
    names(KnownCrawler::ALL).find(is_it)
}

/// Whether a crawler is known by this name. Letter case makes no difference.
pub(crate) fn is_known(name: &[u8]) -> bool {
    closeness::is_known(name, KnownCrawler::ALL)
}

/// Whether names of known crawlers begin with a text of at least four letters.
pub(crate) fn is_start_of_known(text: &[u8]) -> bool {
    const SHORTEST: usize = 4;
    let is_start =
        |name: &str| name.as_bytes().get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    text.len() >= SHORTEST && names(KnownCrawler::ALL).any(is_start)
}
