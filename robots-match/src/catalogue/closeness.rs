//! Words that are nearly names of crawlers.

use alloc::vec::Vec;

use crate::catalogue::{Catalogue, KnownCrawler};
use crate::misspelt::is_one_mistake;

/// Words that people write where they mean `*`.
pub(crate) const EVERYONE: [&str; 15] = [
    "all",
    "any",
    "every",
    "everyone",
    "everybody",
    "everything",
    "all bots",
    "all-bots",
    "allbots",
    "all robots",
    "all crawlers",
    "all spiders",
    "all agents",
    "all user agents",
    "any bot",
];

/// The ends of names of crawlers that people leave out.
const ENDINGS: [&str; 5] = ["bot", "-bot", "spider", "crawler", "-google"];

impl Catalogue {
    /// Returns the name that someone may have meant who wrote a name that no crawler has; see [`KnownCrawler::suggest`].
    #[must_use]
    pub fn suggest(&self, text: &str) -> Option<&'static str> {
        let crawlers = self.crawlers();
        let own = crawlers.iter().map(|known| known.name);
        if text.is_empty() || own.clone().any(|name| name.eq_ignore_ascii_case(text)) {
            return None;
        }
        if EVERYONE.iter().any(|word| word.eq_ignore_ascii_case(text)) {
            return Some("*");
        }
        let is_beginning = |name: &&str| {
            let rest =
                name.split_at_checked(text.len()).filter(|(start, _)| start.eq_ignore_ascii_case(text));
            rest.is_some_and(|(_, rest)| ENDINGS.iter().any(|ending| ending.eq_ignore_ascii_case(rest)))
        };
        // The caller sees what was assumed, so any one mistake in a long name counts.
        let is_near = |name: &&str| {
            text.len().min(name.len()) >= SHORTEST && is_one_mistake(text.as_bytes(), name.as_bytes())
        };
        // As in `Gogle`. With fewer letters, one mistake makes another word.
        let is_near_beginning = |name: &&str| {
            let start = |ending: &&str| {
                let start = name.len().checked_sub(ending.len()).filter(|&start| start >= LONG_FOR_ONE)?;
                name.split_at_checked(start).filter(|(_, end)| end.eq_ignore_ascii_case(ending))
            };
            let mut starts = ENDINGS.iter().filter_map(start);
            text.len() >= SHORTEST
                && starts.any(|(start, _)| is_one_mistake(text.as_bytes(), start.as_bytes()))
        };
        own.clone()
            .find(is_beginning)
            .or_else(|| own.clone().find(is_near))
            .or_else(|| own.clone().find(is_near_beginning))
            .or_else(|| after_operator(text.as_bytes(), crawlers))
            .or_else(|| nearest(text.as_bytes(), crawlers))
    }
}

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
const ENDS: [&[u8]; 3] = [b"bot", b"spider", b"crawler"];

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

/// Returns the names that crawlers look for.
pub(crate) fn names(crawlers: &'static [KnownCrawler]) -> impl Iterator<Item = &'static str> {
    crawlers.iter().flat_map(|known| known.tokens.iter().copied())
}

pub(crate) fn is_known(name: &[u8], crawlers: &'static [KnownCrawler]) -> bool {
    names(crawlers).any(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// Returns the name of a known crawler before which a value has the name of its operator, as in `OpenAI-GPTBot`.
pub(crate) fn after_operator(value: &[u8], crawlers: &'static [KnownCrawler]) -> Option<&'static str> {
    crawlers.iter().find_map(|known| {
        let operator = known.operator.filter(|name| have_same_start(value, name.as_bytes()))?;
        let mut rest = letters(value);
        if !letters(operator.as_bytes()).all(|letter| rest.next() == Some(letter)) {
            return None;
        }
        let is_rest = |token: &&str| token.len() >= SHORTEST && rest.clone().eq(letters(token.as_bytes()));
        known.tokens.iter().copied().find(is_rest)
    })
}

/// Returns the name of a known crawler that a value most likely stands for, if no known crawler has the value as its name.
pub(crate) fn nearest(value: &[u8], crawlers: &'static [KnownCrawler]) -> Option<&'static str> {
    if is_known(value, crawlers) {
        return None;
    }
    // As in `GPTBots` and `Googlebot-Images`.
    let singular = value.strip_suffix(b"s").or_else(|| value.strip_suffix(b"S"));
    if let Some(singular) = singular {
        let is_it = |name: &&str| name.len() >= SHORTEST && letters(name.as_bytes()).eq(letters(singular));
        if let Some(name) = names(crawlers).find(is_it) {
            return Some(name);
        }
    }
    // A name with spaces is also written without them: `ChatGPT-Agent` and `ChatGPT Agent`.
    let is_common = |name: &&str| is_known(name.as_bytes(), crawlers);
    let starts_alike = |name: &&str| have_same_start(value, name.as_bytes());
    let common = COMMON.into_iter().filter(starts_alike).filter(is_common);
    let alike: Vec<&str> = common.chain(names(crawlers).filter(starts_alike)).collect();
    let is_variant_of_words =
        alike.iter().any(|name| name.contains(' ') && letters(name.as_bytes()).eq(letters(value)));
    if is_variant_of_words || is_variant(value, crawlers) {
        return None;
    }
    let is_near = |name: &&str| name.len() >= LONG && is_one_mistake(value, name.as_bytes());
    let of_value: Vec<u8> = letters(value).collect();
    let near = COMMON.into_iter().filter(is_near).find(is_common);
    near.or_else(|| alike.iter().copied().find(|name| is_misspelt(value, name)))
        .or_else(|| alike.iter().copied().find(|name| are_two_mistakes(&of_value, name)))
}

/// Whether a value is the name of a known crawler with an addition, such as `SemrushBot-SI`, which lists of names have.
fn is_variant(value: &[u8], crawlers: &'static [KnownCrawler]) -> bool {
    let Some(at) = value.iter().rposition(|byte| *byte == b'-') else { return false };
    let (base, addition) = value.split_at_checked(at).unwrap_or_default();
    !addition.is_empty() && is_known(base, crawlers)
}

fn is_misspelt(value: &[u8], name: &str) -> bool {
    let bytes = name.as_bytes();
    if bytes.len() < SHORTEST || value.len().abs_diff(bytes.len()) > 2 || !have_same_start(value, bytes) {
        return false;
    }
    if letters(value).eq(letters(bytes)) {
        return true;
    }
    let stem = stem(bytes);
    if stem == 0 || !is_one_mistake(value, name.as_bytes()) {
        return false;
    }
    let mut different = value.iter().zip(bytes).enumerate().filter(|(_, (a, b))| !a.eq_ignore_ascii_case(b));
    // `AIBOT` is not `AI2Bot`: with few letters, one more makes another name.
    if value.len() != bytes.len() && stem < SHORTEST_STEM {
        return false;
    }
    // `Bigbot` is not `bingbot`: with fewer letters, one less does, too.
    let first = different.next();
    if value.len() < bytes.len() && stem <= SHORTEST_STEM && first.is_some_and(|(at, _)| at < stem) {
        return false;
    }
    match (value.len() == bytes.len(), first, different.next()) {
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
        && distance(value, &letters(bytes).collect::<Vec<_>>()) <= 2
}

fn have_same_start(value: &[u8], name: &[u8]) -> bool {
    value.first().map(u8::to_ascii_lowercase) == name.first().map(u8::to_ascii_lowercase)
}

/// The letters and digits of a name, in lower case: people forget and mix up what is between words.
fn letters(name: &[u8]) -> impl Iterator<Item = u8> + Clone {
    name.iter().filter(|byte| !matches!(byte, b'-' | b'_' | b' ' | b'.')).map(u8::to_ascii_lowercase)
}

/// The length of a name without its ending.
fn stem(name: &[u8]) -> usize {
    let ends = |ending: &&&[u8]| {
        let start = name.len().checked_sub(ending.len());
        start.and_then(|at| name.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    name.len() - ENDS.iter().find(ends).map_or(0, |ending| ending.len())
}

/// How many bytes are missing, added or different.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (1..=other.len()).collect();
    for (count, byte) in one.iter().enumerate() {
        let (mut before, mut left) = (count, count + 1);
        for (up, known) in row.iter_mut().zip(other) {
            left = (before + usize::from(byte != known)).min(*up + 1).min(left + 1);
            before = core::mem::replace(up, left);
        }
    }
    row.last().copied().unwrap_or(one.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_bytes() {
        for (one, other, expected) in [
            ("", "", 0),
            ("", "ab", 2),
            ("abc", "", 3),
            ("abc", "abx", 1),
            ("kitten", "sitting", 3),
            ("ab", "ba", 2),
        ] {
            assert_eq!(distance(one.as_bytes(), other.as_bytes()), expected, "{one} {other}");
            assert_eq!(distance(other.as_bytes(), one.as_bytes()), expected, "{other} {one}");
        }
    }

    #[test]
    fn common_names_are_known() {
        assert!(COMMON.iter().all(|name| is_known(name.as_bytes(), KnownCrawler::ALL)));
    }

    #[test]
    fn names_that_were_meant_are_found() {
        for (text, expected) in [
            ("google", Some("Googlebot")),
            ("Bing", Some("bingbot")),
            ("baidu", Some("Baiduspider")),
            ("Googelbot", Some("Googlebot")),
            ("Goglebot", Some("Googlebot")),
            ("Gogle", Some("Googlebot")),
            ("Yandx", Some("Yandex")),
            ("Perplexty", Some("PerplexityBot")),
            ("Gogle bot", None),
            ("Crawl", None),
            ("Bung", None),
            ("googlebott", Some("Googlebot")),
            ("slorp", Some("Slurp")),
            ("ALL", Some("*")),
            ("googlebot", None),
            ("cove", None),
            ("Gogelbot", None),
            ("OpenAI-GPTBot", Some("GPTBot")),
            ("GPTBots", Some("GPTBot")),
            ("", None),
            ("*", None),
        ] {
            assert_eq!(Catalogue::BUILT_IN.suggest(text), expected, "{text}");
        }
    }
}
