//! Finding the pattern that prevails among all that match a path.

use alloc::vec::Vec;

use crate::pattern::byte_set::ByteSet;
use crate::policy::Precedence;
use crate::rule_set::prefix::{Ordered, PrefixIndex};
use crate::rule_set::scan::Scan;
use crate::rule_set::substring::SubstringIndex;
use crate::rule_set::table::{Kind, Patterns, Rank, short};

/// What finds patterns.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Index {
    /// Small sets are scanned in the order of precedence.
    Scan(Scan),
    /// Large sets are searched by prefix, and by substrings where a pattern has no useful prefix.
    Search(PrefixIndex, SubstringIndex),
}

impl Index {
    pub(crate) fn new(patterns: &Patterns, precedence: Precedence) -> Self {
        Self::of(patterns, precedence, Scan::MOST)
    }

    /// The same where up to `most` patterns are few.
    fn of(patterns: &Patterns, precedence: Precedence, most: usize) -> Self {
        if patterns.len() <= most {
            return Self::Scan(Scan::new(patterns, precedence));
        }
        let rank = |id: u32| patterns.rank(id as usize, precedence);
        let mut order = Vec::with_capacity(patterns.len());
        let mut floating: Vec<Rank> = Vec::new();
        for index in 0..patterns.len() {
            let (id, key) = (short(index), patterns.key(index));
            // What a key would find for nearly every path, or for none, is not found by its key.
            if key.first() == Some(&b'/') && (key.len() > 1 || patterns.entry(index).kind() != Kind::Wild) {
                order.push(Ordered::of(id, key));
            } else {
                floating.push(rank(id));
            }
        }
        let (keyed, crowds) = PrefixIndex::new(order, patterns, rank);
        floating.extend(crowds.into_iter().map(rank));
        floating.sort_unstable();
        let floating = floating.into_iter().map(|rank| short(rank.place())).collect();
        Self::Search(keyed, SubstringIndex::new(floating, |id| patterns.stem(id as usize)))
    }

    /// The one of `patterns` that prevails among those that match `path`, which has `classes`.
    #[inline]
    pub(crate) fn best(
        &self,
        path: &[u8],
        classes: ByteSet,
        patterns: &Patterns,
        precedence: Precedence,
    ) -> Option<usize> {
        let (keyed, floating) = match self {
            Self::Scan(scan) => return scan.first(path, classes, patterns),
            Self::Search(keyed, floating) => (keyed, floating),
        };
        let rank = |index: usize| patterns.rank(index, precedence);
        let mut best: Option<Rank> = None;
        for (index, key) in keyed.candidates(path, patterns) {
            let rank = rank(index);
            let matches = best.is_none_or(|best| rank < best)
                && match patterns.entry(index).kind() {
                    Kind::Prefix => true,
                    Kind::Exact => path.len() == key,
                    Kind::Wild => patterns.matches(index, path),
                };
            if matches {
                best = Some(rank);
            }
        }
        let prevails = |id: u32| best.is_none_or(|best| rank(id as usize) < best);
        let matches = |id: u32| patterns.matches(id as usize, path);
        let other = floating.first(path, classes, prevails, matches).map(|id| id as usize);
        other.or(best.map(Rank::place))
    }
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

    /// Numbers that are always the same (of a linear congruence).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % limit
        }

        /// Up to `most` of `words`, behind a start.
        fn text(&mut self, start: &str, words: &[&str], most: u64) -> String {
            let words = (0..self.below(most + 1)).map(|_| words[self.below(words.len() as u64) as usize]);
            core::iter::once(start).chain(words.collect::<Vec<_>>()).collect()
        }
    }

    #[test]
    fn few_and_many_find_what_a_scan_finds() {
        const SHORT: [&str; 8] = ["a", "b", "/", "ab", "?", "sixteen-octets-/", "eight-oc", "a"];
        // Many keys with much in common, that ends within eight octets or with them.
        const LONG: [&str; 4] = ["sixteen-octets-a", "sixteen-octets-b", "eight--a", "-"];
        let mut numbers = Numbers(9309);
        let rounds = if cfg!(miri) { 2 } else { 800 };
        for round in 0..rounds {
            let mut file = String::from("user-agent: *\n");
            let (words, most) = if round % 2 == 0 { (&LONG[..], 60) } else { (&SHORT[..], 12) };
            let special = [words, &["*", "*"][..round % 3]].concat();
            for _ in 0..=numbers.below(most) {
                let start = ["/", "/", "/", "/ab*", "*", "b"][numbers.below(6) as usize];
                let pattern = numbers.text(start, &special, 5);
                let key = ["allow", "disallow"][numbers.below(2) as usize];
                let end = ["", "", "$"][numbers.below(3) as usize];
                file += &alloc::format!("{key}: {pattern}{end}\n");
            }
            let mut first = Profile::RFC9309;
            first.matching.precedence = Precedence::First;
            for profile in [Profile::RFC9309, first, Profile::KOSTER_1996] {
                let rules = RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &profile);
                if rules.is_empty() {
                    continue;
                }
                let (patterns, precedence) = (&rules.patterns, profile.matching.precedence);
                let few = Index::of(patterns, precedence, usize::MAX);
                let many = Index::of(patterns, precedence, 0);
                assert!(matches!((&few, &many), (Index::Scan(_), Index::Search(..))));
                for _ in 0..24 {
                    let start = ["/", "/", "/ab", "b", ""][numbers.below(5) as usize];
                    let path = numbers.text(start, words, 6);
                    let path = path.as_bytes();
                    let classes = profile.matching.path.byte_set(path, Role::Path);
                    let matching = (0..patterns.len()).filter(|&index| patterns.matches(index, path));
                    let expected = matching.min_by_key(|&index| patterns.rank(index, precedence));
                    assert_eq!(few.best(path, classes, patterns, precedence), expected, "{file}");
                    assert_eq!(many.best(path, classes, patterns, precedence), expected, "{file}");
                }
            }
        }
    }
}
