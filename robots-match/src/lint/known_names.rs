//! Names of known crawlers, and those of search engines.

use crate::catalogue::KnownCrawler;
use crate::catalogue::closeness::names;
use crate::lint::severity::Severity;

/// The crawler of a search engine that sites all over the world want.
pub(crate) struct SearchEngine {
    /// The name of the crawler, in lower case.
    crawler: &'static str,
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

/// Returns the search engine whose crawler has this name. Letter case makes no difference.
pub(crate) fn search_engine(name: &[u8]) -> Option<&'static SearchEngine> {
    // As in `bingbot/2.0`.
    let name = name.split(|&byte| byte == b'/').next().unwrap_or_default();
    ENGINES.iter().find(|engine| name.eq_ignore_ascii_case(engine.crawler.as_bytes()))
}

/// Whether a crawler is known by this name. Letter case makes no difference.
pub(crate) fn is_known(name: &[u8]) -> bool {
    names(KnownCrawler::ALL).any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// Whether names of known crawlers begin with a text of at least four letters.
pub(crate) fn is_start_of_known(text: &[u8]) -> bool {
    const SHORTEST: usize = 4;
    let is_start =
        |name: &str| name.as_bytes().get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    text.len() >= SHORTEST && names(KnownCrawler::ALL).any(is_start)
}
