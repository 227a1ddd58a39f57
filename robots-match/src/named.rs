//! The crawlers that a file names.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use robots_groups::syntax::Field;
use robots_groups::{Crawler, Groups};

/// Returns the names in the `user-agent` lines, each once, in the order of the file, with the first field that has it. Lines for
/// every crawler are left out, and lines without a name that `Crawler::new` accepts.
///
/// # Complexity
///
/// O(*n* log *n*) for *n* bytes.
#[must_use]
pub fn named_crawlers<'f>(groups: &Groups<'f>) -> Vec<(&'f str, Field<'f>)> {
    let policy = groups.policy();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for agent in groups.iter().flat_map(|group| group.agents()) {
        if policy.is_general(agent.bytes()) {
            continue;
        }
        let meant = name_in(agent.bytes());
        // A parser that reads only letters, `_` and `-` sees another name than the one that was meant.
        let is_seen = |name: &str| policy.names(agent.bytes(), name);
        let letters = |byte: &u8| byte.is_ascii_alphabetic() || b"_-".contains(byte);
        let len = agent.bytes().iter().take_while(|byte| letters(byte)).count();
        let seen_name = agent.bytes().get(..len).and_then(name_in).filter(|name| is_seen(name));
        let other = seen_name.filter(|_| !meant.is_some_and(is_seen));
        for name in meant.into_iter().chain(other) {
            if seen.insert(name.to_ascii_lowercase()) {
                found.push((name, *agent));
            }
        }
    }
    found
}

/// Returns the name with which a value begins.
fn name_in(value: &[u8]) -> Option<&str> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(byte);
    let len = value.iter().take_while(|byte| is_part(byte)).count();
    let name = core::str::from_utf8(value.get(..len)?).ok()?.trim_matches(' ');
    Crawler::new(name).is_ok().then_some(name)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::{Document, Robots};

    #[test]
    fn names_are_listed_once_as_they_are_meant_and_as_they_are_read() {
        let body = "User-agent: *\nUser-agent: SEO4Ajax\nUser-agent: MJ12bot/1.4\nUser-agent: BINGBOT\n\
                    User-agent: bingbot\nUser-agent: (x)\n";
        let names = |document| {
            let robots = Robots::new(body, document);
            named_crawlers(&robots.groups())
                .into_iter()
                .map(|(name, _)| String::from(name))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(Document::Google), ["SEO4Ajax", "SEO", "MJ12bot", "MJ", "BINGBOT"]);
        assert_eq!(names(Document::Koster1996), ["SEO4Ajax", "MJ12bot", "BINGBOT"]);
    }
}
