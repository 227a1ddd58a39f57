//! Names of crawlers in `User-Agent` headers.

use alloc::string::String;

use robots_groups::Crawler;

use crate::lint::known_names::{is_known, known_in};

/// Words of headers that are names of browsers and systems, or parts of such names, in lower case.
const OF_BROWSERS: [&str; 33] = [
    "android",
    "aol",
    "blackberry",
    "chromium",
    "compatible",
    "crios",
    "edge",
    "fxios",
    "gecko",
    "i",
    "ipad",
    "iphone",
    "ipod",
    "konqueror",
    "like",
    "linux",
    "macintosh",
    "mac",
    "mozilla",
    "n",
    "netscape",
    "nt",
    "opera",
    "opr",
    "presto",
    "rv",
    "seamonkey",
    "sunos",
    "trident",
    "u",
    "ubuntu",
    "webkit",
    "x11",
];

/// Returns the name of the crawler that most likely sends a header. Returns `None` for the headers of browsers, and where it is
/// not clear where the name begins and ends.
pub(crate) fn name_in(header: &str) -> Option<String> {
    let crawler = Crawler::from_user_agent(header);
    let name = crawler.as_ref().and_then(|crawler| crawler.names().next());
    if let Some(name) = name.filter(|name| is_known(name.as_bytes())) {
        return Some(String::from(name));
    }
    if let Some(known) = known_in(header) {
        return Some(String::from(known));
    }
    // A system in parentheses may hide the name before them.
    let names = [name, first_in(header)].into_iter().flatten();
    names.filter(|name| !is_of_browser(name)).find(|name| is_whole(name, header)).map(String::from)
}

/// Returns the text with which a header begins if it is a name. It may consist of several words, as in `Example Browser/1.0`.
pub(crate) fn first_in(header: &str) -> Option<&str> {
    let first = header.split(['/', '(', ';']).next()?.trim();
    let is_name = Crawler::new(first).is_ok() && !first.ends_with(['_', '-']);
    (is_name && !is_of_browser(first)).then_some(first)
}

/// Whether a word is the name of a browser or a system.
fn is_of_browser(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    // As in `Win16`, `Win98` and `Windows`.
    let is_windows = word.strip_prefix("win").is_some_and(|rest| {
        rest.strip_prefix("dows").unwrap_or(rest).bytes().all(|byte| byte.is_ascii_digit())
    });
    is_windows || OF_BROWSERS.contains(&&*word) || Crawler::from_user_agent(&word).is_none()
}

/// Whether a name occurs in a header by itself, and not as a part of a longer name such as `Example Browser` or `Go!Zilla`.
fn is_whole(name: &str, header: &str) -> bool {
    let is_part = name.contains(' ') || name.ends_with(['_', '-']) || name.starts_with("www.");
    !is_part
        && header.match_indices(name).any(|(at, _)| {
            let (before, rest) = header.split_at_checked(at).unwrap_or_default();
            let after = rest.get(name.len()..).unwrap_or_default();
            is_end(after) && is_start(before)
        })
}

/// Whether a name may end before this text.
fn is_end(after: &str) -> bool {
    let is_separate = after.is_empty() || after.starts_with(['/', '(', ')', ';', ',', ' ', '\t']);
    let next = after.trim_start().chars().next();
    let is_next_word = after.starts_with([' ', '\t']) && next.is_some_and(char::is_alphanumeric);
    is_separate && !is_next_word
}

/// Whether a name may begin after this text.
fn is_start(before: &str) -> bool {
    let Some(last) = before.trim_end().rsplit([' ', '\t']).next().filter(|last| !last.is_empty()) else {
        return true;
    };
    // The last word is a product with a version, as in `Mozilla/5.0 ExampleBot/2.1`, or something else ends there.
    last.ends_with(['(', ')', ';', ',']) || before.ends_with([' ', '\t']) && last.contains('/')
}
