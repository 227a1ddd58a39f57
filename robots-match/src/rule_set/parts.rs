//! The parts of a rule set, and its verdicts without one of its lines.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;

use robots_groups::SelectionBasis;
use robots_groups::syntax::{Effect, Span};

use crate::pattern::canonical::{Role, classified, with_decoded_query};
use crate::policy::Precedence;
use crate::rule_set::RuleSet;
use crate::rule_set::compile::query_at;
use crate::rule_set::table::{Entry, Kind, Rank, Table, stem};
use crate::verdict::{Reason, Verdict};

/// One pattern of a rule set.
#[derive(Clone, Copy)]
pub(crate) struct RulePart<'r> {
    /// The canonical pattern without its special `$`.
    pub(crate) stem: &'r [u8],
    /// The pattern with its query decoded, if paths are also compared in decoded form and the pattern has a query.
    pub(crate) decoded: Option<&'r [u8]>,
    /// Whether the pattern ends with a special `$`.
    pub(crate) anchored: bool,
    /// Whether each `*` in the pattern is special.
    pub(crate) wild: bool,
    /// Whether paths are allowed for which the pattern decides.
    pub(crate) allows: bool,
    /// The number of the line, from 1.
    pub(crate) line: usize,
    /// The precedence: of two patterns, the one with the lower number decides. Patterns with the same number have the same
    /// effect, so it does not matter which of them decides.
    pub(crate) precedence: (Reverse<usize>, bool, usize),
}

impl RuleSet {
    /// Returns all patterns, in the order of precedence.
    pub(crate) fn parts(&self) -> Vec<RulePart<'_>> {
        self.sorted_by_key(|index| self.rank(index)).map(|index| self.part(index)).collect()
    }

    /// Returns the first pattern of each line, in the order of the lines. If several files were read as one, their lines with
    /// the same number count as one line.
    pub(crate) fn rules_by_line(&self) -> Vec<CompiledRule<'_>> {
        let place = |index| (self.patterns.entry(index).line_number(), self.patterns.place(index));
        let mut rules: Vec<CompiledRule<'_>> =
            self.sorted_by_key(place).map(|index| self.compiled_rule(index)).collect();
        rules.dedup_by_key(|rule| rule.line);
        rules
    }

    fn part(&self, index: usize) -> RulePart<'_> {
        let entry = self.patterns.entry(index);
        let anchored = entry.has(Entry::ANCHORED);
        let rule = self.rule(index);
        let pattern = self.patterns.pattern(index);
        RulePart {
            stem: self.patterns.stem(index),
            decoded: self.decoded_pattern(index).map(|decoded| stem(decoded, anchored)),
            anchored,
            wild: entry.has(Entry::WILD),
            allows: rule.effect == Effect::Allow || rule.span.is_empty(),
            line: rule.line,
            precedence: match self.policy.precedence {
                Precedence::MostBytes => (Reverse(pattern.len()), rule.effect == Effect::Disallow, 0),
                Precedence::First => (Reverse(0), false, self.patterns.place(index)),
            },
        }
    }

    /// Returns a pattern that has a query with the query decoded.
    fn decoded_pattern(&self, index: usize) -> Option<&[u8]> {
        let pattern = self.patterns.pattern(index);
        if !self.has_queries || query_at(pattern).is_none() {
            return None;
        }
        let at = self.decoded().binary_search_by_key(&index, |&(id, _)| id as usize).ok();
        Some(at.and_then(|at| self.decoded().get(at)).map_or(pattern, |(_, decoded)| decoded))
    }

    /// Returns the verdict that a rule set without the rule of a line would return.
    ///
    /// # Complexity
    ///
    /// That of [`Self::check`], plus one comparison of lengths for each pattern. Where patterns have queries, the path is
    /// compared with every pattern.
    pub(crate) fn check_without(&self, path: &[u8], line: usize) -> Verdict {
        let verdict = self.check(path);
        let Some(index) = self.best(path).filter(|_| verdict.line() == Some(line)) else {
            return verdict;
        };
        let path = if path.is_empty() { b"/" } else { path };
        let (path, classes) = classified(path, self.policy.path, Role::Path);
        let query = if self.has_queries { query_at(&path) } else { None };
        let searched = || self.patterns.best_without(&path, classes, self.policy.precedence, line);
        let best = match query {
            None => searched()
                .map_or_else(|| self.best_without(&path, None, line), |best| self.best_or_twin(best, index)),
            Some(_) => self.best_without(&path, query, line),
        };
        Verdict::new(match best {
            Some(best) => Reason::Rule(self.rule(best)),
            None if self.basis == SelectionBasis::None => Reason::NoGroup,
            None => Reason::NoRule,
        })
    }

    /// Returns the best of `best` and the patterns of other lines with the text of `index`, which matches the path. The index
    /// has all patterns with a `*`.
    fn best_or_twin(&self, best: Option<usize>, index: usize) -> Option<usize> {
        let (entry, stem) = (self.patterns.entry(index), self.patterns.stem(index));
        if entry.kind() == Kind::Wild {
            return best;
        }
        let is_twin = |other: &usize| {
            self.patterns.stem(*other) == stem
                && self.patterns.entry(*other).kind() == entry.kind()
                && self.patterns.entry(*other).has(Entry::ANCHORED) == entry.has(Entry::ANCHORED)
                && self.patterns.entry(*other).line_number() != entry.line_number()
        };
        (0..self.patterns.len()).filter(is_twin).chain(best).min_by_key(|&index| self.rank(index))
    }

    /// Compares a path with every pattern that is not in a line.
    fn best_without(&self, path: &[u8], query: Option<usize>, line: usize) -> Option<usize> {
        let decoded_path = query.and_then(|at| with_decoded_query(path, at));
        let mut best: Option<(Rank, usize)> = None;
        for index in 0..self.patterns.len() {
            let entry = self.patterns.entry(index);
            let rank = self.rank(index);
            if entry.line_number() == line || best.is_some_and(|(best, _)| best < rank) {
                continue;
            }
            let matches_decoded = || {
                let decoded = self.decoded_pattern(index).filter(|_| query.is_some());
                decoded.is_some_and(|decoded| {
                    let stem = stem(decoded, entry.has(Entry::ANCHORED));
                    entry.matches(stem, decoded_path.as_deref().unwrap_or(path))
                })
            };
            if self.patterns.matches(index, path) || matches_decoded() {
                best = Some((rank, index));
            }
        }
        best.map(|(_, index)| index)
    }
}

/// A rule as it was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CompiledRule<'r> {
    /// Whether the rule allows or disallows.
    pub effect: Effect,
    /// The pattern in its canonical form, whose length decides about precedence.
    pub pattern: &'r [u8],
    /// The number of the rule's line, from 1.
    pub line: usize,
    /// The position of the pattern in the file, in bytes.
    pub span: Span,
}

impl fmt::Debug for CompiledRule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {:?}", self.line, self.effect, self.pattern.escape_ascii(), self.span)
    }
}
