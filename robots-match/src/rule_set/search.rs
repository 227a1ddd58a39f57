//! The layout of a rule set, which finds the rule that decides about a path.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::pattern::byte_set::ByteSet;
use crate::pattern::canonical::OneSided;
use crate::policy::Precedence;
use crate::rule_set::compile::Exceptions;
use crate::rule_set::prefix::{PrefixIndex, SortItem};
use crate::rule_set::scan::Scan;
use crate::rule_set::substring::SubstringIndex;
use crate::rule_set::table::{COUNTS, Drafts, Entry, Kind, Patterns, PlacedEntry, Rank, Table, to_u32};

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
    others: Option<Box<OtherForms>>,
}

/// The patterns of a large set in other forms than the one whose length decides about precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct OtherForms {
    /// All patterns with reserved bytes as they are written, if that differs.
    pub(crate) as_written: Option<OtherForm>,
    /// Those whose encoded bytes are compared in either component, by these bytes.
    pub(crate) either: Box<[(OneSided, OtherForm)]>,
}

/// Patterns of a large set in one other form.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct OtherForm {
    /// The patterns in the order of precedence in the set.
    search: Search,
    /// Their indexes in the set.
    indexes: Box<[u32]>,
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
            None => {
                let mut search = Search::new(patterns, precedence);
                search.others = OtherForms::new(&search.patterns, precedence, exceptions).map(Box::new);
                Self::Search(Arc::new(search))
            }
        }
    }

    /// Returns the number of the patterns of a large set that a search may compare one by one.
    #[cfg(feature = "lint")]
    pub(crate) fn compared(&self) -> usize {
        match self {
            Self::Scan(_) => 0,
            Self::Search(search) => search.substrings.len(),
        }
    }

    /// Returns the other forms of the patterns of a large set; `None` if there are none, or if the set is small.
    pub(crate) fn other_forms(&self) -> Option<&OtherForms> {
        match self {
            Self::Scan(_) => None,
            Self::Search(search) => search.others.as_deref(),
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
            Self::Search(search) => COUNTS + size_of::<Search>() + search.memory(),
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
        Self { patterns, prefixes, substrings, others: None }
    }

    /// Returns the bytes that the search has on the heap.
    fn memory(&self) -> usize {
        let Self { patterns, prefixes, substrings, others } = self;
        let others = others.as_deref().map_or(0, |OtherForms { as_written, either }| {
            let forms = as_written.iter().chain(either.iter().map(|(_, form)| form));
            let heap = forms.map(|form| form.search.memory() + size_of_val(&*form.indexes)).sum::<usize>();
            size_of::<OtherForms>() + size_of_val(&**either) + heap
        });
        patterns.memory() + prefixes.memory() + substrings.memory() + others
    }

    /// Returns the pattern that takes precedence among those that are not in the line `without`.
    #[inline(never)]
    fn best(&self, path: &[u8], classes: ByteSet, precedence: Precedence, without: usize) -> Option<usize> {
        let Self { patterns, prefixes, substrings, others: _ } = self;
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

impl OtherForms {
    /// Returns the forms of `patterns` that `exceptions` lists, if there are any.
    fn new(patterns: &Patterns, precedence: Precedence, exceptions: &Exceptions) -> Option<Self> {
        let Exceptions { as_written, either, lengths: _ } = exceptions;
        if as_written.is_empty() && either.is_empty() {
            return None;
        }
        let form = |mut found: Vec<(u32, &[u8])>| {
            found.sort_unstable_by_key(|(index, _)| patterns.rank(*index as usize, precedence));
            OtherForm::new(patterns, &found)
        };
        let written = |index: u32| {
            let at = as_written.binary_search_by_key(&index, |(other, _)| *other).ok();
            at.and_then(|at| as_written.get(at)).map_or(patterns.pattern(index as usize), |(_, other)| other)
        };
        let all = || (0..to_u32(patterns.len())).map(|index| (index, written(index))).collect();
        let mut by_bytes: Vec<_> =
            either.iter().map(|(index, other)| (other.encoded, (*index, &*other.pattern))).collect();
        by_bytes.sort_unstable();
        let same = by_bytes.chunk_by(|(one, _), (other, _)| one == other);
        let either = same.filter_map(|same| {
            Some((same.first()?.0, form(same.iter().map(|(_, pattern)| *pattern).collect())))
        });
        Some(Self { either: either.collect(), as_written: (!as_written.is_empty()).then(|| form(all())) })
    }
}

impl OtherForm {
    /// Creates the form from indexes of `patterns`, each with its pattern in this form, in the order of precedence.
    fn new(patterns: &Patterns, found: &[(u32, &[u8])]) -> Self {
        let mut drafts = Drafts::NONE;
        for (index, pattern) in found {
            let (text, entry) = (to_u32(drafts.text.len()), patterns.entry(*index as usize));
            drafts.entries.push(PlacedEntry { text, entry });
            drafts.text.extend_from_slice(pattern);
        }
        // The order is that of precedence.
        let search = Search::new(drafts, Precedence::First);
        Self { search, indexes: found.iter().map(|(index, _)| *index).collect() }
    }

    /// Returns the index in the set of the pattern that takes precedence over all others.
    pub(crate) fn first(&self) -> Option<usize> {
        self.indexes.first().map(|index| *index as usize)
    }

    /// Returns the index in the set of the pattern that takes precedence among those that match `path` in this form. `classes` are
    /// those of `path`.
    pub(crate) fn best(&self, path: &[u8], classes: ByteSet) -> Option<usize> {
        let at = self.search.best(path, classes, Precedence::First, NO_LINE)?;
        Some(*self.indexes.get(at).expect("the search has as many patterns") as usize)
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
    use crate::steps::steps_of;

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
    fn other_forms_are_found_in_both_layouts() {
        const WORDS: [&str; 12] =
            ["a", "/", "?", "%2C", ",", "%26", "&", "%2F", "%3F", "long-prefix/", "%2", "C"];
        let mut numbers = Numbers(3986);
        let rounds = if cfg!(miri) { 2 } else { 40 };
        for round in 0..rounds {
            let special = [&WORDS[..], &["*", "*"][..round % 3]].concat();
            let mut rules = String::new();
            for _ in 0..=numbers.below(30) {
                let pattern = numbers.text("/", &special, 6);
                let effect = ["allow", "disallow"][numbers.below(2) as usize];
                let end = ["", "", "$"][numbers.below(3) as usize];
                rules += &alloc::format!("{effect}: {pattern}{end}\n");
            }
            for profile in [Profile::RFC9309, Profile::KOSTER_1996] {
                // After so many lines, a set has an index.
                const BEFORE: usize = 1 << 16;
                let [few, late] = [0, BEFORE].map(|before| {
                    let file = alloc::format!("user-agent: *\n{}{rules}", "#\n".repeat(before));
                    crate::RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &profile)
                });
                assert!(matches!((&few.patterns, &late.patterns), (Index::Scan(_), Index::Search(_))));
                for _ in 0..24 {
                    let path = numbers.text("/", &WORDS, 7);
                    let line = late.check(&path).line().map(|line| line - BEFORE);
                    assert_eq!(few.check(&path).line(), line, "{path}\n{rules}");
                }
            }
        }
    }

    #[test]
    fn other_forms_of_large_sets_are_not_compared_one_by_one() {
        for end in ["?u=%2F", "%2Cb", "*%26b"] {
            let rules = (0..2000).map(|number| alloc::format!("disallow: /long/prefix/{number}{end}\n"));
            let file = alloc::format!("user-agent: *\n{}", rules.collect::<String>());
            let rules = crate::RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
            let path = alloc::format!("/long/prefix/1234{}", end.replace('*', "/"));
            let steps = steps_of(|| assert_eq!(rules.check(&path).line(), Some(1236)));
            assert!(steps < 20, "{end}: {steps} patterns are compared");
        }
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
