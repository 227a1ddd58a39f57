//! Names of known crawlers, and words that are nearly such names.

use alloc::vec::Vec;

use crate::catalogue::KnownCrawler;
use crate::lint::severity::Severity;
use crate::lint::text::is_near;

/// Names that people often write.
const COMMON: [&str; 16] = [
    "Googlebot",
    "Googlebot-Image",
    "Googlebot-News",
    "Googlebot-Video",
    "Google-Extended",
    "Mediapartners-Google",
    "bingbot",
    "msnbot",
    "Baiduspider",
    "DuckDuckBot",
    "Applebot-Extended",
    "Amazonbot",
    "AhrefsBot",
    "SemrushBot",
    "ClaudeBot",
    "PerplexityBot",
];

/// Words with which names end, and that say nothing about whose crawler it is.
const ENDINGS: [&[u8]; 3] = [b"bot", b"spider", b"crawler"];

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

/// The length of a common name, in bytes, from which on any one mistake is seen.
const LONG: usize = 8;
/// The length of a name without its ending from which on one wrong letter is seen, and from which on two mistakes are: with
/// fewer letters `rogerbot` would be a mistake for `roverbot`, which is one, too.
const LONG_FOR_ONE: usize = 6;
const LONG_FOR_TWO: usize = 8;
/// The length of the shortest name without its ending of which a letter too few or too many is seen.
const SHORTEST_STEM: usize = 4;
/// The length of the shortest name of which a mistake is seen.
const SHORTEST: usize = 5;

fn names() -> impl Iterator<Item = &'static str> {
    COMMON.into_iter().chain(KnownCrawler::ALL.iter().flat_map(|known| known.tokens.iter().copied()))
}

/// Whether a crawler is known by this name. Letter case makes no difference.
pub(crate) fn is_known(name: &[u8]) -> bool {
    names().any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// Whether names of known crawlers begin with a text of at least four letters.
pub(crate) fn is_start_of_known(text: &[u8]) -> bool {
    const SHORTEST: usize = 4;
    let is_start =
        |name: &str| name.as_bytes().get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
    text.len() >= SHORTEST && names().any(is_start)
}

/// Returns the name of a known crawler before which a value has the name of its operator, as in `OpenAI-GPTBot`.
pub(crate) fn after_operator(value: &[u8]) -> Option<&'static str> {
    let of_value = letters(value);
    KnownCrawler::ALL.iter().find_map(|known| {
        let operator = known.operator.filter(|name| have_same_start(value, name.as_bytes()))?;
        let operator = letters(operator.as_bytes());
        let rest = of_value.strip_prefix(&*operator).filter(|_| !operator.is_empty())?;
        known
            .tokens
            .iter()
            .copied()
            .find(|token| token.len() >= SHORTEST && *rest == letters(token.as_bytes()))
    })
}

/// Returns the name of a known crawler that a value most likely stands for, if no known crawler has the value as its name.
pub(crate) fn nearest(value: &[u8]) -> Option<&'static str> {
    if is_known(value) {
        return None;
    }
    // As in `GPTBots` and `Googlebot-Images`.
    let singular = value.strip_suffix(b"s").or_else(|| value.strip_suffix(b"S"));
    if let Some(singular) = singular {
        let is_it = |name: &&str| name.len() >= SHORTEST && name.as_bytes().eq_ignore_ascii_case(singular);
        if let Some(name) = names().find(is_it) {
            return Some(name);
        }
    }
    // A name with spaces is also written without them: `ChatGPT-Agent` and `ChatGPT Agent`.
    let of_value = letters(value);
    let is_variant_of_words = names().any(|name| {
        have_same_start(value, name.as_bytes()) && name.contains(' ') && letters(name.as_bytes()) == of_value
    });
    if is_variant_of_words || is_variant(value) {
        return None;
    }
    let common = COMMON.into_iter().filter(|name| name.len() >= LONG).find(|name| is_near(value, name));
    common.or_else(|| names().find(|name| is_one_mistake(value, name))).or_else(|| {
        let letters = letters(value);
        names().find(|name| are_two_mistakes(&letters, name))
    })
}

/// Whether a value is the name of a known crawler with an addition, such as `SemrushBot-SI`, which lists of names have.
fn is_variant(value: &[u8]) -> bool {
    let Some(at) = memchr::memrchr(b'-', value) else { return false };
    let (base, addition) = value.split_at_checked(at).unwrap_or_default();
    !addition.is_empty() && is_known(base)
}

fn is_one_mistake(value: &[u8], name: &str) -> bool {
    let bytes = name.as_bytes();
    if bytes.len() < SHORTEST || value.len().abs_diff(bytes.len()) > 2 || !have_same_start(value, bytes) {
        return false;
    }
    if letters(value) == letters(bytes) {
        return true;
    }
    let stem = stem(bytes);
    if stem == 0 || !is_near(value, name) {
        return false;
    }
    let mut different = value.iter().zip(bytes).enumerate().filter(|(_, (a, b))| !a.eq_ignore_ascii_case(b));
    // `AIBOT` is not `AI2Bot`: with few letters, one more makes another name.
    if value.len() != bytes.len() && stem < SHORTEST_STEM {
        return false;
    }
    match (value.len() == bytes.len(), different.next(), different.next()) {
        // Another letter makes another name, unless the name is long or the letter is in its ending.
        (true, Some((at, _)), None) => at >= stem || stem >= LONG_FOR_ONE,
        _ => true,
    }
}

/// Whether two mistakes are between the letters and digits of a value and a long name.
fn are_two_mistakes(value: &[u8], name: &str) -> bool {
    let bytes = name.as_bytes();
    have_same_start(value, bytes)
        && value.last().map(u8::to_ascii_lowercase) == bytes.last().map(u8::to_ascii_lowercase)
        && value.len().abs_diff(bytes.len()) <= 4
        && stem(bytes) >= LONG_FOR_TWO
        && distance(value, &letters(bytes)) <= 2
}

fn have_same_start(value: &[u8], name: &[u8]) -> bool {
    value.first().map(u8::to_ascii_lowercase) == name.first().map(u8::to_ascii_lowercase)
}

/// The letters and digits of a name, in lower case: people forget and mix up what is between words.
fn letters(name: &[u8]) -> Vec<u8> {
    name.iter()
        .filter(|byte| !matches!(byte, b'-' | b'_' | b' ' | b'.'))
        .map(u8::to_ascii_lowercase)
        .collect()
}

/// The length of a name without its ending.
fn stem(name: &[u8]) -> usize {
    let ends = |ending: &&&[u8]| {
        let start = name.len().checked_sub(ending.len());
        start.and_then(|at| name.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    name.len() - ENDINGS.iter().find(ends).map_or(0, |ending| ending.len())
}

/// How many bytes are missing, added or different.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, byte) in one.iter().enumerate() {
        let mut left = row + 1;
        let mut row = Vec::with_capacity(above.len());
        row.push(left);
        for (pair, known) in above.windows(2).zip(other) {
            let &[before, up] = pair else { continue };
            left = (before + usize::from(byte != known)).min(up + 1).min(left + 1);
            row.push(left);
        }
        above = row;
    }
    above.last().copied().unwrap_or_default()
}
