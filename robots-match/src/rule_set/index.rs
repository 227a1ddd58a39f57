//! The index of a rule set, which finds the rule that decides about a path.

use alloc::vec::Vec;

use crate::pattern::byte_set::ByteSet;
use crate::policy::Precedence;
use crate::rule_set::prefix::{PrefixIndex, SortItem};
use crate::rule_set::scan::Scan;
use crate::rule_set::substring::SubstringIndex;
use crate::rule_set::table::{Kind, Patterns, Rank, to_u32};

/// Finds, among the patterns that match a path, the one that takes precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Index {
    /// Small sets are scanned in the order of precedence.
    Scan(Scan),
    /// Large sets are searched by prefix, and by substrings where a pattern has no useful prefix.
    Search(PrefixIndex, SubstringIndex),
}

impl Index {
    pub(crate) fn new(patterns: &Patterns, precedence: Precedence) -> Self {
        if patterns.len() <= Scan::MOST {
            Self::Scan(Scan::new(patterns, precedence))
        } else {
            Self::search(patterns, precedence)
        }
    }

    /// Returns the bytes that the index has on the heap.
    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Scan(scan) => scan.memory(),
            Self::Search(prefixes, substrings) => prefixes.memory() + substrings.memory(),
        }
    }

    /// Builds the index of a large set.
    fn search(patterns: &Patterns, precedence: Precedence) -> Self {
        let rank = |id: u32| patterns.rank(id as usize, precedence);
        let mut by_prefix = Vec::with_capacity(patterns.len());
        let mut others: Vec<Rank> = Vec::new();
        for index in 0..patterns.len() {
            let id = to_u32(index);
            match patterns.prefix(index) {
                // Nearly every path begins with `/`: as the prefix of a pattern with a `*`, it rules out nothing.
                [b'/', after_slash @ ..]
                    if !after_slash.is_empty() || patterns.entry(index).kind() != Kind::Wild =>
                {
                    by_prefix.push(SortItem::new(id, after_slash));
                }
                _ => others.push(rank(id)),
            }
        }
        let (prefixes, shared) = PrefixIndex::new(by_prefix, patterns, rank);
        others.extend(shared.into_iter().map(rank));
        others.sort_unstable();
        let others = others.into_iter().map(|rank| to_u32(rank.position())).collect();
        Self::Search(prefixes, SubstringIndex::new(others, |id| patterns.stem(id as usize)))
    }

    /// Returns the index of the pattern that takes precedence among those of `patterns` that match `path`. `classes` are
    /// those of `path`.
    #[inline]
    pub(crate) fn best(
        &self,
        path: &[u8],
        classes: ByteSet,
        patterns: &Patterns,
        precedence: Precedence,
    ) -> Option<usize> {
        match self {
            Self::Scan(scan) => scan.first(path, classes, patterns),
            Self::Search(prefixes, substrings) => {
                best_of((prefixes, substrings), path, classes, patterns, precedence, |_| true)
            }
        }
    }

    /// Does the same as [`Self::best`] for the patterns that `is_in` admits. Returns `None` if the set is small, and has no
    /// index.
    ///
    /// Among patterns without a `*` that have the same text, the index has only one, so the caller looks at the others.
    pub(crate) fn best_among(
        &self,
        path: &[u8],
        classes: ByteSet,
        patterns: &Patterns,
        precedence: Precedence,
        is_in: impl Fn(usize) -> bool,
    ) -> Option<Option<usize>> {
        let Self::Search(prefixes, substrings) = self else { return None };
        Some(best_of((prefixes, substrings), path, classes, patterns, precedence, is_in))
    }
}

/// Returns the pattern that takes precedence among those that `is_in` admits.
#[inline]
fn best_of(
    (prefixes, substrings): (&PrefixIndex, &SubstringIndex),
    path: &[u8],
    classes: ByteSet,
    patterns: &Patterns,
    precedence: Precedence,
    is_in: impl Fn(usize) -> bool,
) -> Option<usize> {
    let rank = |index: usize| patterns.rank(index, precedence);
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

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use robots_groups::Crawler;

    use super::*;
    use crate::Profile;
    use crate::pattern::canonical::Role;
    use crate::rule_set::RuleSet;

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
    fn both_indexes_agree_with_a_comparison_of_every_pattern() {
        const SHORT: [&str; 8] = ["a", "b", "/", "ab", "?", "sixteen-bytes--/", "eight-by", "a"];
        // Prefixes with long common parts, which end at a multiple of eight bytes or before it.
        const LONG: [&str; 4] = ["sixteen-bytes--a", "sixteen-bytes--b", "eight--a", "-"];
        let mut numbers = Numbers(9309);
        let rounds = if cfg!(miri) { 2 } else { 800 };
        for round in 0..rounds {
            let mut file = String::from("user-agent: *\n");
            let (words, most) = if round % 2 == 0 { (&LONG[..], 60) } else { (&SHORT[..], 12) };
            let special = [words, &["*", "*"][..round % 3]].concat();
            for _ in 0..=numbers.below(most) {
                let start = ["/", "/", "/", "/ab*", "*", "b"][numbers.below(6) as usize];
                let pattern = numbers.text(start, &special, 5);
                let effect = ["allow", "disallow"][numbers.below(2) as usize];
                let end = ["", "", "$"][numbers.below(3) as usize];
                file += &alloc::format!("{effect}: {pattern}{end}\n");
            }
            let mut first = Profile::RFC9309;
            first.matching.precedence = Precedence::First;
            for profile in [Profile::RFC9309, first, Profile::KOSTER_1996] {
                let rules = RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &profile);
                if rules.is_empty() {
                    continue;
                }
                let (patterns, precedence) = (&rules.patterns, profile.matching.precedence);
                let scan = Index::Scan(Scan::new(patterns, precedence));
                let search = Index::search(patterns, precedence);
                for _ in 0..24 {
                    let start = ["/", "/", "/ab", "b", ""][numbers.below(5) as usize];
                    let path = numbers.text(start, words, 6);
                    let path = path.as_bytes();
                    let classes = profile.matching.path.byte_set(path, Role::Path);
                    let matching = (0..patterns.len()).filter(|&index| patterns.matches(index, path));
                    let expected = matching.min_by_key(|&index| patterns.rank(index, precedence));
                    assert_eq!(scan.best(path, classes, patterns, precedence), expected, "{file}");
                    assert_eq!(search.best(path, classes, patterns, precedence), expected, "{file}");
                }
            }
        }
    }
}
