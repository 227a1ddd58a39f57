//! Input of properties, messages, and comparisons that several properties make.

use std::borrow::Cow;
use std::collections::BTreeMap;

use robots_fetch::matching::{Crawler, Precedence, RuleSet};

use crate::model::oracle::ExpectedRule;

/// Splits an input into `N` parts: lines, and the rest unchanged.
#[must_use]
pub fn parts<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut rest = data.splitn(N, |&byte| byte == b'\n');
    core::array::from_fn(|_| rest.next().unwrap_or_default())
}

/// Returns the tracked inputs of each fuzz target, with their names: those that once showed a mistake, and those that lead a run to
/// the deeper parts of a format. `fuzz/seeds.json` has each byte as the character of its number.
///
/// # Panics
///
/// The file of seeds is damaged.
#[must_use]
pub fn all_seeds() -> BTreeMap<String, BTreeMap<String, Vec<u8>>> {
    let all: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(include_str!("../../fuzz/seeds.json")).expect("the seeds are in JSON");
    let bytes = |text: String| text.chars().map(|char| u8::try_from(char).expect("a byte")).collect();
    let seeds = |seeds: BTreeMap<_, _>| seeds.into_iter().map(|(name, text)| (name, bytes(text))).collect();
    all.into_iter().map(|(target, texts)| (target, seeds(texts))).collect()
}

/// Returns the tracked inputs of one fuzz target.
///
/// # Panics
///
/// The target has no seeds.
#[must_use]
pub fn seeds(target: &str) -> BTreeMap<String, Vec<u8>> {
    all_seeds().remove(target).expect("the target has seeds")
}

/// Checks that a message is printable text; only line ends of excerpts are allowed.
pub(super) fn shown(message: &str) {
    assert!(!message.is_empty());
    assert!(message.chars().all(|char| char == '\n' || !char.is_control()), "{message:?}");
}

/// Returns the crawler of a list such as `!+a,b`: `!` ignores `*`, `+` combines the groups of all names.
pub(super) fn crawler_from_list(list: &[u8]) -> Crawler {
    let list = String::from_utf8_lossy(list);
    let names = list.trim_start_matches(['!', '+']);
    let flags = list.get(..list.len() - names.len()).unwrap_or_default();
    let mut crawler = crawler_with_names(names.split(','));
    if flags.contains('!') {
        crawler = crawler.ignoring_wildcard();
    }
    if flags.contains('+') {
        crawler = crawler.together();
    }
    crawler
}

/// Returns the crawler with those of `names` that are names.
pub(super) fn crawler_with_names<'n>(names: impl Iterator<Item = &'n str>) -> Crawler {
    let names = names.filter(|name| match Crawler::new(name) {
        Ok(_) => true,
        Err(error) => {
            shown(&error.to_string());
            false
        }
    });
    Crawler::with_names(names).expect("each of these is a name")
}

pub(super) fn same_rules(rules: &RuleSet, expected: &[ExpectedRule]) {
    let compiled = rules.compiled_rules();
    let mut found: Vec<ExpectedRule> = compiled.iter().map(ExpectedRule::from_compiled).collect();
    let mut expected = expected.to_vec();
    if rules.policy().precedence == Precedence::First {
        // The two rules of one line (index page and directory) have no order.
        found.sort_by_key(|rule| (rule.line, rule.pattern.clone()));
        expected.sort_by_key(|rule| (rule.line, rule.pattern.clone()));
    }
    assert_eq!(found, expected);
}

/// Returns a text as a path: rules decide only about texts that begin with a slash.
pub fn rooted(path: &[u8]) -> Cow<'_, [u8]> {
    if path.starts_with(b"/") { Cow::Borrowed(path) } else { Cow::Owned([b"/", path].concat()) }
}
