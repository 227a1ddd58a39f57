//! Input of properties, and messages.

use robots_fetch::matching::{Crawler, ProductToken, groups};

/// Splits an input into `N` parts: lines, and the rest unchanged.
#[must_use]
pub fn parts<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut rest = data.splitn(N, |&byte| byte == b'\n');
    core::array::from_fn(|_| rest.next().unwrap_or_default())
}

/// Checks that a message is printable text; only line ends of excerpts are allowed.
pub(super) fn shown(message: &str) {
    assert!(!message.is_empty());
    assert!(message.chars().all(|char| char == '\n' || !char.is_control()), "{message:?}");
}

/// Calls `ask` with the crawler of a list such as `!+a,b`: `!` ignores `*`, `+` combines the groups of all tokens.
pub(super) fn with_crawler<T>(list: &[u8], policy: &groups::Policy, ask: impl FnOnce(Crawler<'_>) -> T) -> T {
    let list = String::from_utf8_lossy(list);
    let names = list.trim_start_matches(['!', '+']);
    let flags = list.get(..list.len() - names.len()).unwrap_or_default();
    let tokens: Vec<ProductToken<'_>> = names
        .split(',')
        .filter_map(|name| match ProductToken::admitted(name, policy) {
            Ok(token) => Some(token),
            Err(error) => {
                shown(&error.to_string());
                None
            }
        })
        .collect();
    let mut crawler = Crawler::new(&tokens);
    if flags.contains('!') {
        crawler = crawler.ignoring_wildcard();
    }
    if flags.contains('+') {
        crawler = crawler.together();
    }
    ask(crawler)
}
