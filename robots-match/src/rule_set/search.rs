//! The layout of a rule set, which finds the rule that decides about a path.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::pattern::byte_set::ByteSet;
use crate::policy::Precedence;
use crate::rule_set::compile::Exceptions;
use crate::rule_set::prefix::{PrefixIndex, SortItem};
use crate::rule_set::scan::Scan;
use crate::rule_set::substring::SubstringIndex;
use crate::rule_set::table::{COUNTS, Drafts, Entry, Kind, Patterns, Rank, Table, to_u32};

/// The patterns of a rule set. Finds, among those that match a path, the one that takes precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Index {
    /// Small sets are scanned.
    Scan(Scan),
    /// Large sets are searched.
    Search(Arc<Search>),
}

/// The patterns of a large set, found by prefix, and by substrings where a pattern has no useful prefix.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Search {
    patterns: Patterns,
    prefixes: PrefixIndex,
    substrings: SubstringIndex,
}

/// The number of no line: a rule can have any lower number, also 0 if a caller made it.
const NO_LINE: usize = usize::MAX;

impl Index {
    /// Lays out patterns. `exceptions` are then those of the new indexes.
    pub(crate) fn new(patterns: Drafts, precedence: Precedence, exceptions: &mut Exceptions) -> Self {
        match Scan::new(&patterns, precedence) {
            Some((scan, order)) => {
                exceptions.reorder(order.ids());
                Self::Scan(scan)
            }
            None => Self::Search(Arc::new(Search::new(patterns, precedence))),
        }
    }

    /// Returns whether no verdict needs the set of the bytes in its path.
    #[inline]
    pub(crate) const fn needs_no_set(&self) -> bool {
        matches!(self, Self::Scan(scan) if scan.needs_no_set())
    }

    /// Returns the bytes that the patterns have on the heap.
    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Scan(scan) => scan.memory(),
            Self::Search(search) => {
                let Search { patterns, prefixes, substrings } = &**search;
                COUNTS + size_of::<Search>() + patterns.memory() + prefixes.memory() + substrings.memory()
            }
        }
    }

    /// Returns the index of the pattern that takes precedence among those that match `path`. `classes` are those of `path`.
    #[inline]
    pub(crate) fn best(&self, path: &[u8], classes: ByteSet, precedence: Precedence) -> Option<usize> {
        match self {
            Self::Scan(scan) => scan.best(path, classes, precedence),
            Self::Search(search) => search.best(path, classes, precedence, NO_LINE),
        }
    }

    /// Does the same as [`Self::best`] for the patterns that are not in `line`. Returns `None` if the set is small, and has no
    /// index.
    ///
    /// Among patterns without a `*` that have the same text, the index has only one, so the caller looks at the others.
    pub(crate) fn best_without(
        &self,
        path: &[u8],
        classes: ByteSet,
        precedence: Precedence,
        line: usize,
    ) -> Option<Option<usize>> {
        let Self::Search(search) = self else { return None };
        Some(search.best(path, classes, precedence, line))
    }
}

impl Table for Index {
    #[inline]
    fn len(&self) -> usize {
        match self {
            Self::Scan(scan) => scan.len(),
            Self::Search(search) => search.patterns.len(),
        }
    }

    #[inline]
    fn get(&self, index: usize) -> (Entry, &[u8]) {
        match self {
            Self::Scan(scan) => scan.get(index),
            Self::Search(search) => search.patterns.get(index),
        }
    }

    #[inline]
    fn entry(&self, index: usize) -> Entry {
        match self {
            Self::Scan(scan) => scan.entry(index),
            Self::Search(search) => search.patterns.entry(index),
        }
    }

    #[inline]
    fn pattern_len(&self, index: usize) -> usize {
        match self {
            Self::Scan(scan) => scan.pattern_len(index),
            Self::Search(search) => search.patterns.pattern_len(index),
        }
    }

    #[inline]
    fn place(&self, index: usize) -> usize {
        match self {
            Self::Scan(scan) => scan.place(index),
            Self::Search(search) => search.patterns.place(index),
        }
    }
}

impl Search {
    #[inline(never)]
    fn new(patterns: Drafts, precedence: Precedence) -> Self {
        let patterns = Patterns::new(patterns.text.into_boxed_slice(), patterns.entries.into_boxed_slice());
        let rank = |id: u32| patterns.rank(id as usize, precedence);
        let mut by_prefix = Vec::with_capacity(patterns.len());
        let mut others: Vec<Rank> = Vec::new();
        for index in 0..patterns.len() {
            let id = to_u32(index);
            let is_wild = patterns.entry(index).kind() == Kind::Wild;
            let prefix = patterns.prefix(index);
            match prefix {
                // Nearly every path begins with `/`: as the prefix of a pattern with a `*`, it rules out nothing.
                [b'/', after_slash @ ..] if !after_slash.is_empty() || !is_wild => {
                    by_prefix.push(SortItem::new(id, after_slash));
                }
                _ => others.push(rank(id)),
            }
        }
        let (prefixes, shared) = PrefixIndex::new(by_prefix, &patterns, rank);
        others.extend(shared.into_iter().map(rank));
        others.sort_unstable();
        let others = others.into_iter().map(|rank| to_u32(rank.position())).collect();
        let substrings = SubstringIndex::new(others, |id| patterns.stem(id as usize));
        Self { patterns, prefixes, substrings }
    }

    /// Returns the pattern that takes precedence among those that are not in the line `without`.
    #[inline(never)]
    fn best(&self, path: &[u8], classes: ByteSet, precedence: Precedence, without: usize) -> Option<usize> {
        let Self { patterns, prefixes, substrings } = self;
        let rank = |index: usize| patterns.rank(index, precedence);
        let is_in = |index: usize| patterns.entry(index).line_number() != without;
        let mut best: Option<Rank> = None;
        for (index, prefix_len) in prefixes.candidates(path, patterns) {
            let rank = rank(index);
            let matches = best.is_none_or(|best| rank < best)
                && is_in(index)
                && match patterns.entry(index).kind() {
                    Kind::Prefix => true,
                    Kind::Exact => path.len() == prefix_len,
                    Kind::Wild => patterns.matches(index, path),
                };
            if matches {
                best = Some(rank);
            }
        }
        let takes_precedence = |id: u32| best.is_none_or(|best| rank(id as usize) < best);
        let matches = |id: u32| is_in(id as usize) && patterns.matches(id as usize, path);
        let other = substrings.first(path, classes, takes_precedence, matches).map(|id| id as usize);
        other.or(best.map(Rank::position))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use robots_groups::Crawler;

    use super::*;
    use crate::Profile;
    use crate::pattern::canonical::Role;
    use crate::rule_set::compile::drafts;

    /// A linear congruential generator: the same numbers in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % limit
        }

        /// Returns `start` and up to `most` of `words`.
        fn text(&mut self, start: &str, words: &[&str], most: u64) -> String {
            let words = (0..self.below(most + 1)).map(|_| words[self.below(words.len() as u64) as usize]);
            core::iter::once(start).chain(words.collect::<Vec<_>>()).collect()
        }
    }

    #[test]
    fn both_layouts_agree_with_a_comparison_of_every_pattern() {
        const SHORT: [&str; 10] = ["a", "b", "/", "ab", "?", "sixteen-bytes--/", "eight-by", "a", "Z", "~0"];
        // Prefixes with long common parts, which end at a multiple of eight bytes or before it.
        const LONG: [&str; 5] = ["sixteen-bytes--a", "sixteen-bytes--b", "eight--a", "-", LONGEST];
        // Longer than the lengths by which a scan list is sorted by counting.
        const LONGEST: &str = "sixty-four-bytes-----------------------------------------------a";
        let mut numbers = Numbers(9309);
        let rounds = if cfg!(miri) { 2 } else { 800 };
        let mut without_set = 0;
        for round in 0..rounds {
            let mut file = String::from("user-agent: *\n");
            let (words, most) = if round % 2 == 0 { (&LONG[..], 60) } else { (&SHORT[..], 12) };
            // Some sets have only patterns that begin with `/` and have no `*`.
            let is_plain = matches!(round % 12, 0 | 3);
            let special = [words, &["*", "*"][..round % 3]].concat();
            for _ in 0..=numbers.below(most) {
                let starts = if is_plain { 3 } else { 6 };
                let start = ["/", "/", "/", "/ab*", "*", "b"][numbers.below(starts) as usize];
                let pattern = numbers.text(start, &special, 5);
                let effect = ["allow", "disallow"][numbers.below(2) as usize];
                let end = ["", "", "$"][numbers.below(3) as usize];
                file += &alloc::format!("{effect}: {pattern}{end}\n");
            }
            let mut first = Profile::RFC9309;
            first.matching.precedence = Precedence::First;
            for profile in [Profile::RFC9309, first, Profile::KOSTER_1996] {
                let precedence = profile.matching.precedence;
                let patterns = drafts(file.as_bytes(), &Crawler::unnamed(), &profile);
                let (scan, order) = Scan::new(&patterns, precedence).expect("the patterns are few");
                let id_of = |index: usize| usize::from(order.ids()[index]);
                let search = Search::new(patterns.clone(), precedence);
                for _ in 0..24 {
                    let start = ["/", "/", "/ab", "b", ""][numbers.below(5) as usize];
                    let path = numbers.text(start, words, 6);
                    let path = path.as_bytes();
                    let classes = profile.matching.path.byte_set(path, Role::Path);
                    let matching = (0..patterns.len()).filter(|&index| patterns.matches(index, path));
                    let expected = matching.min_by_key(|&index| patterns.rank(index, precedence));
                    assert_eq!(scan.best(path, classes, precedence).map(id_of), expected, "{file}");
                    if scan.needs_no_set() {
                        without_set += 1;
                        let best = scan.best(path, ByteSet::ANY, precedence);
                        assert_eq!(best.map(id_of), expected, "{file}");
                    }
                    assert_eq!(search.best(path, classes, precedence, NO_LINE), expected, "{file}");
                }
            }
        }
        assert!(without_set >= rounds, "{without_set}");
    }

    #[test]
    fn the_first_of_empty_patterns_decides() {
        let file = "user-agent: *\nallow: /b\ndisallow:\nallow:\ndisallow:\nallow:\nallow: /b/*\n";
        for (precedence, order) in [(Precedence::MostBytes, [4, 6, 3, 5]), (Precedence::First, [3, 4, 5, 6])]
        {
            let mut profile = Profile::GOOGLE;
            profile.matching.precedence = precedence;
            let rules = crate::RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &profile);
            assert_eq!(rules.check("/a").line(), Some(order[0]), "{precedence:?}");
            assert_eq!(rules.check_without(b"/a", order[0]).line(), Some(order[1]), "{precedence:?}");
            let lines = |rules: Vec<crate::CompiledRule<'_>>| -> Vec<usize> {
                rules.iter().map(|rule| rule.line).collect()
            };
            let empty = rules.compiled_rules().into_iter().filter(|rule| rule.pattern.is_empty()).collect();
            assert_eq!(lines(empty), order, "{precedence:?}");
            assert_eq!(lines(rules.rules_by_line()), [2, 3, 4, 5, 6, 7], "{precedence:?}");
        }
    }

    #[test]
    fn a_small_set_that_does_not_fit_into_a_block_is_searched() {
        let verdict = |file: &str, path: &str| {
            let patterns = drafts(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
            assert!(Scan::new(&patterns, Precedence::MostBytes).is_none());
            let rules = crate::RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
            rules.check(path).to_string()
        };
        let late = alloc::format!("user-agent: *{}disallow: /a\nallow: /a/b\n", "\n".repeat(70_000));
        assert_eq!(verdict(&late, "/a"), "disallowed by line 70001");
        assert_eq!(verdict(&late, "/a/b"), "allowed by line 70002");
        let long = alloc::format!("user-agent: *\ndisallow: /{}\nallow: /b$\n", "a".repeat(70_000));
        assert_eq!(verdict(&long, "/b"), "allowed by line 3");
        assert_eq!(verdict(&long, "/aa"), "allowed: no rule matches");
    }

    #[test]
    fn the_largest_block_has_64_kib() {
        // One pattern takes 12 bytes beside its text; many of them have the last record near the end.
        for (count, most) in [(1, u16::MAX as usize - 12), (500, u16::MAX as usize - 500 * 12)] {
            for (len, fits) in [(most - 1, true), (most, true), (most + 1, false)] {
                let others: String =
                    (1..count).map(|number| alloc::format!("allow: /long-{number:0>90}\n")).collect();
                let rest = "b".repeat(len - 96 * (count - 1) - 1);
                let file = alloc::format!("user-agent: *\n{others}disallow: /{rest}\n");
                let patterns = drafts(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
                assert_eq!(patterns.text.len(), len);
                assert_eq!(Scan::new(&patterns, Precedence::MostBytes).is_some(), fits, "{count} {len}");
                let rules = crate::RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
                assert_eq!(rules.check(alloc::format!("/{rest}")).line(), Some(count + 1), "{count} {len}");
                assert_eq!(rules.check(rest).line(), None, "{count} {len}");
                let first = alloc::format!("/long-{:0>90}", 1);
                assert_eq!(rules.check(first).line(), (count > 1).then_some(2), "{count} {len}");
            }
        }
    }
}
