//! Which paths two rule sets treat differently.
//!
//! A rule set is a function from paths to allowed or disallowed, and patterns are simple enough to compare two such
//! functions exactly. The rules of both are merged into one order. If the verdicts about a path differ, the first rule of
//! this order that matches the path is in only one of the rule sets. For each such rule and each rule of the opposite
//! effect that may decide in its place, a search finds a shortest path that both match, and that no rule matches which
//! would decide instead.
//!
//! Most pairs of rules need no search: no path has the literal bytes of both patterns, or each that has them is as long as a path that
//! is known.
//!
//! The states of the search are positions in patterns. Only bytes that one of the two patterns needs are tried, and one
//! that no pattern contains.
//!
//! Rule sets that compare paths in different forms read each byte of a path twice, once in each form. A `%` that begins no
//! escape has one form before two hexadecimal digits of which one is percent-encoded, and another one elsewhere; both are
//! bytes of their own, with a condition on what follows.

mod alphabet;
mod automaton;
mod causes;
mod change;
mod comparison;
mod item;
mod meeting;
mod requirement;
mod search;

use core::fmt;

pub use crate::difference::causes::{CausedChange, CausedChanges, ChangeCause, Extent};
pub use crate::difference::change::{Change, Difference, Witness};
use crate::difference::comparison::{Alphabets, Comparison, Verdicts};
use crate::difference::search::Budget;
use crate::rule_set::RuleSet;
use crate::shared_rules::SharedRules;
use crate::verdict::DecidingRule;

/// The steps that reading or preparing a rule counts as, beside those for the bytes of its pattern.
const STEPS_PER_RULE: usize = 256;

/// The steps that preparing one byte of a pattern counts as.
const STEPS_PER_BYTE: usize = 4;

/// Compares many rule sets, with one limit for the work of all comparisons.
///
/// Where the work is spent, comparisons are undecided, and no rules are compiled. What is common to comparisons is prepared once.
///
/// ```
/// use robots_match::{Comparer, Crawler, Difference, Document, Robots};
///
/// let robots = ["User-agent: a\nUser-agent: b\nDisallow: /x\n", "User-agent: *\nDisallow: /x\n"]
///     .map(|body| Robots::new(body, Document::Rfc9309));
/// let crawlers = [Crawler::new("a")?, Crawler::new("b")?];
/// let [old, new] = robots.each_ref().map(|robots| robots.rules_for(&crawlers));
/// let mut comparer = Comparer::new(Comparer::work_for(100));
/// // Both crawlers have the same rules.
/// assert_eq!([old.sets(), new.sets()], [1, 1]);
/// let rules = [comparer.compile(&old, 0).unwrap(), comparer.compile(&new, 0).unwrap()];
/// assert!(comparer.difference(&rules[0], &rules[1], Difference::MAX_STATES).is_nothing());
/// # Ok::<(), robots_match::InvalidName>(())
/// ```
#[derive(Default)]
pub struct Comparer {
    left: usize,
    alphabets: Alphabets,
}

impl Comparer {
    /// Creates a comparer that does some work in total, in steps of a few nanoseconds.
    #[must_use]
    pub fn new(work: usize) -> Self {
        Self { left: work, alphabets: Alphabets::default() }
    }

    /// Creates a comparer that does this work, with what this one has prepared for all rule sets. Preparing it takes as long as
    /// comparing small rule sets, so a program that looks at many files makes one comparer, and others from it.
    ///
    /// ```
    /// use robots_match::{Comparer, Crawler, Difference, Profile, RuleSet};
    ///
    /// let rules = |body: &str| RuleSet::parse(body.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309);
    /// let none = rules("");
    /// let mut first = Comparer::new(Comparer::work_for(100));
    /// assert!(!first.difference(&none, &rules("User-agent: *\nDisallow: /a\n"), Difference::MAX_STATES).is_nothing());
    /// let mut next = first.with_work(Comparer::work_for(100));
    /// assert!(!next.difference(&none, &rules("User-agent: *\nDisallow: /b\n"), Difference::MAX_STATES).is_nothing());
    /// ```
    #[must_use]
    pub fn with_work(&self, work: usize) -> Self {
        Self { left: work, alphabets: self.alphabets.clone() }
    }

    /// Returns the work that decides about files that people write, in proportion to the bytes of all files that are compared.
    ///
    /// Comparing two files of 500 KiB then takes at most about a second.
    #[must_use]
    pub const fn work_for(bytes: usize) -> usize {
        bytes.saturating_mul(256).saturating_add(64_000_000)
    }

    /// Returns the work that is left.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.left
    }

    /// Spends work. Returns whether there was enough of it.
    const fn spend(&mut self, steps: usize) -> bool {
        let is_enough = steps <= self.left;
        self.left = self.left.saturating_sub(steps);
        is_enough
    }

    /// Spends the work of compiling or preparing rules with so many bytes in their patterns.
    const fn spend_on(&mut self, rules: usize, bytes: usize) -> bool {
        let steps = rules.saturating_mul(STEPS_PER_RULE);
        self.spend(steps.saturating_add(bytes.saturating_mul(STEPS_PER_BYTE)))
    }

    /// Returns whether two rule sets that crawlers share, each with its number, have the same rules in the same order, as they
    /// are written, under the same policy. Then no path changes. `false` if there is not enough work left to find out.
    ///
    /// # Panics
    ///
    /// If there are not so many rule sets.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes of the patterns, without compiling them.
    pub fn have_same_rules(
        &mut self,
        (one, set): (&SharedRules<'_>, usize),
        (other, other_set): (&SharedRules<'_>, usize),
    ) -> bool {
        let (rules, bytes) = one.size(set);
        self.spend(rules * 4 + bytes / 16) && one.has_same_rules(set, other, other_set)
    }

    /// Compiles a rule set that crawlers share, if there is enough work left.
    ///
    /// # Panics
    ///
    /// If there are not so many rule sets.
    pub fn compile(&mut self, shared: &SharedRules<'_>, set: usize) -> Option<RuleSet> {
        self.compile_without(shared, set, &[])
    }

    /// Compiles a rule set that crawlers share without the rules of some lines, if there is enough work left.
    ///
    /// # Panics
    ///
    /// If there are not so many rule sets.
    pub fn compile_without(
        &mut self,
        shared: &SharedRules<'_>,
        set: usize,
        lines: &[usize],
    ) -> Option<RuleSet> {
        let (rules, bytes) = shared.size(set);
        let is_enough = self.spend(rules * lines.len()) && self.spend_on(rules, bytes);
        is_enough.then(|| shared.rules_without(set, lines))
    }

    /// Finds out which paths two rule sets treat differently, as [`RuleSet::difference`] does.
    ///
    /// # Complexity
    ///
    /// That of [`RuleSet::difference`], and at most in proportion to the work that is left.
    #[must_use]
    pub fn difference(&mut self, before: &RuleSet, after: &RuleSet, max_states: usize) -> Difference {
        if before.has_same_rules(after) {
            return Difference {
                newly_disallowed: Change::Nothing,
                newly_allowed: Change::Nothing,
                states: 0,
            };
        }
        let Some(comparison) = self.prepare(before, after) else {
            return Difference {
                newly_disallowed: Change::Undecided,
                newly_allowed: Change::Undecided,
                states: 0,
            };
        };
        let verdicts = |path: &[u8]| (before.check(path), after.check(path));
        self.changes(&comparison, &verdicts, max_states)
    }

    /// Searches in both directions.
    fn changes(&mut self, comparison: &Comparison, verdicts: &Verdicts<'_>, max_states: usize) -> Difference {
        let mut states = 0;
        let [newly_disallowed, newly_allowed] = [false, true]
            .map(|to_allowed| self.change(comparison, to_allowed, verdicts, max_states, &mut states));
        Difference { newly_disallowed, newly_allowed, states }
    }

    /// Searches in one direction with the work that is left, and adds up the states that it visits.
    fn change(
        &mut self,
        comparison: &Comparison,
        to_allowed: bool,
        verdicts: &Verdicts<'_>,
        max_states: usize,
        states: &mut usize,
    ) -> Change {
        let mut budget = Budget::new(max_states, self.left);
        let change = comparison.change(to_allowed, verdicts, &mut budget);
        self.left = self.left.saturating_sub(budget.steps());
        *states += budget.states();
        change
    }

    /// Prepares a comparison, if there is enough work left.
    fn prepare(&mut self, before: &RuleSet, after: &RuleSet) -> Option<Comparison> {
        let bytes = before.pattern_bytes() + after.pattern_bytes();
        self.spend_on(before.len() + after.len(), bytes)
            .then(|| Comparison::new(before, after, &mut self.alphabets))
    }

    /// Compares a rule set with itself without each of its lines in turn, as [`RuleSet::removals`] does. The work is not limited.
    pub fn removals<'r>(
        &mut self,
        rules: &'r RuleSet,
        max_states: usize,
    ) -> impl ExactSizeIterator<Item = (DecidingRule, Difference)> + use<'r> {
        let mut comparison = Comparison::with_itself(rules, &mut self.alphabets);
        let index = comparison.lines();
        rules.rules_by_line().into_iter().map(move |rule| {
            comparison.remove_line(&index, rule.line);
            let verdicts = |path: &[u8]| (rules.check(path), rules.check_without(path, rule.line));
            let difference = Self::new(usize::MAX).changes(&comparison, &verdicts, max_states);
            (DecidingRule::new(rule.effect, rule.line, rule.span), difference)
        })
    }
}

impl fmt::Debug for Comparer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparer").field("left", &self.left).finish_non_exhaustive()
    }
}

impl RuleSet {
    /// Finds out which paths another rule set treats differently. `self` is the rule set before, `after` the one after.
    ///
    /// The policies may differ, and may compare paths in different forms. To compare many rule sets, use a [`Comparer`].
    ///
    /// # Complexity
    ///
    /// The search for one direction ends after `max_states` states, or after work in proportion to them, and uses at most
    /// 256 bytes per state and 24 MiB. A limit above 2^22 counts as 2^22. Rule sets that people write need a few states per
    /// changed rule. The general problem has no fast solution, so files can be made that stay undecided.
    #[must_use]
    pub fn difference(&self, after: &Self, max_states: usize) -> Difference {
        Comparer::new(usize::MAX).difference(self, after, max_states)
    }

    /// Compares the rule set with itself without each of its lines in turn, in the order of their numbers. A rule whose
    /// removal changes nothing has no effect. If several files were read as one, their lines with the same number are removed
    /// together.
    ///
    /// `max_states` limits each comparison, as in [`Self::difference`]. The rules are prepared once.
    ///
    /// # Complexity
    ///
    /// That of one [`Self::difference`] for each line with a rule, of which most are decided without a search.
    ///
    /// ```
    /// use robots_match::{Crawler, Difference, Profile, RuleSet};
    ///
    /// let file = b"User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllow: /a/*.css\n";
    /// let rules = RuleSet::parse(file, &Crawler::new("ExampleBot")?, &Profile::RFC9309);
    /// let removals = rules.removals(Difference::MAX_STATES);
    /// let redundant: Vec<usize> =
    ///     removals.filter(|(_, change)| change.is_nothing()).map(|(rule, _)| rule.line).collect();
    /// assert_eq!(redundant, [3]);
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    pub fn removals(&self, max_states: usize) -> impl ExactSizeIterator<Item = (DecidingRule, Difference)> {
        Comparer::new(usize::MAX).removals(self, max_states)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use robots_groups::Crawler;

    use super::*;
    use crate::profile::Profile;

    fn rules(file: &str) -> RuleSet {
        RuleSet::parse(file.as_bytes(), &Crawler::unnamed(), &Profile::RFC9309)
    }

    #[test]
    fn what_comparisons_have_in_common_is_prepared_once() {
        let mut comparer = Comparer::new(usize::MAX);
        for number in 0..10 {
            let rules = rules(&format!("user-agent: *\ndisallow: /{number}\ndisallow: /{number}a\n"));
            let removals = comparer.removals(&rules, Difference::MAX_STATES);
            assert_eq!(removals.filter(|(_, difference)| difference.is_nothing()).count(), 1);
        }
        assert_eq!(comparer.alphabets.len(), 1);
        let next = comparer.with_work(7);
        assert_eq!((next.left(), next.alphabets.len()), (7, 1));
    }
}
