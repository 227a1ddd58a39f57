//! Which paths two rule sets treat differently.
//!
//! A rule set is a function from paths to allowed or disallowed, and patterns are simple enough to compare two such
//! functions exactly. The rules of both are merged into one order. If the verdicts about a path differ, the first rule of
//! this order that matches the path is in only one of the rule sets. For each such rule and each rule of the opposite
//! effect that may decide in its place, a search finds a shortest path that both match, and that no rule matches which
//! would decide instead.
//!
//! The states of the search are positions in patterns. Only bytes that one of the two patterns needs are tried, and one
//! that no pattern contains.
//!
//! Rule sets that compare paths in different forms read each byte of a path twice, once in each form. A `%` that begins no
//! escape has one form before two hexadecimal digits of which one is percent-encoded, and another one elsewhere; both are
//! bytes of their own, with a condition on what follows.

mod alphabet;
mod automaton;
mod change;
mod comparison;
mod item;
mod search;

pub use crate::difference::change::{Change, Difference, Witness};
use crate::difference::comparison::{Comparison, Verdicts};
use crate::rule_set::RuleSet;
use crate::verdict::DecidingRule;

impl Difference {
    fn new(comparison: &Comparison, verdicts: &Verdicts<'_>, max_states: usize) -> Self {
        let (newly_disallowed, states) = comparison.change(false, verdicts, max_states);
        let (newly_allowed, more) = comparison.change(true, verdicts, max_states);
        Self { newly_disallowed, newly_allowed, states: states + more }
    }
}

impl RuleSet {
    /// Finds out which paths another rule set treats differently. `self` is the rule set before, `after` the one after.
    ///
    /// The policies may differ, and may compare paths in different forms.
    ///
    /// Each witness is checked with both rule sets before it is returned.
    ///
    /// # Complexity
    ///
    /// The search for one direction ends after `max_states` states, or after work in proportion to them, and uses at most
    /// 256 bytes per state. A limit above 2^22 counts as 2^22. Rule sets that people write need a few states per changed rule.
    /// The general problem has no fast solution, so files can be made that stay undecided.
    #[must_use]
    pub fn difference(&self, after: &Self, max_states: usize) -> Difference {
        let comparison = Comparison::new(self, after);
        let verdicts = |path: &[u8]| (self.check(path), after.check(path));
        Difference::new(&comparison, &verdicts, max_states)
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
        let mut comparison = Comparison::with_itself(self);
        let index = comparison.lines();
        self.rules_by_line().into_iter().map(move |rule| {
            comparison.remove_line(&index, rule.line);
            let verdicts = |path: &[u8]| (self.check(path), self.check_without(path, rule.line));
            let difference = Difference::new(&comparison, &verdicts, max_states);
            (DecidingRule::new(rule.effect, rule.line, rule.span), difference)
        })
    }
}
