//! Whether all paths that a pattern matches have one verdict.
//!
//! A rule set is compared with itself below one more rule, which decides before all others. What changes is what the rules treat
//! in another way than the rule.

use alloc::vec::Vec;

use robots_groups::SelectionBasis;
use robots_groups::syntax::{Effect, Field, Lines, Rule, Span};

use crate::difference::Comparer;
use crate::difference::change::Change;
use crate::difference::comparison::{Comparison, items};
use crate::difference::item::{AFTER, Item, Line};
use crate::rule_set::RuleSet;
use crate::verdict::{DecidingRule, Reason, Verdict};

/// The line of the rule that stands for a pattern. No file has so many lines with rules.
const LINE: usize = Lines::MAX_BYTES;

/// The steps that visiting a state counts as, beside those of its automata: it is found in a table, kept and sorted. A caller asks about
/// many patterns, and a search for a path of a long rule visits a state for each of its bytes.
const STEPS_PER_STATE: usize = 64;

impl Comparer {
    /// Finds a shortest path that `pattern` matches, and for which the rules have another verdict than `wanted`.
    ///
    /// The pattern is written as in a rule: `/shop/` stands for all paths below `/shop/`, and `/*.pdf$` for those that end in
    /// `.pdf`. [`Change::Nothing`] is the proof that all paths have the verdict. The path of a [`Witness`](crate::Witness) has the
    /// verdict of the rules in `before`, and the wanted one in `after`, with the number of a line that no file has. Where a policy
    /// always allows `/robots.txt`, this path is not an exception.
    ///
    /// # Complexity
    ///
    /// That of [`Self::difference`] with a rule set that has one rule more.
    ///
    /// ```
    /// use robots_match::{Comparer, Crawler, Difference, Effect, Profile, RuleSet};
    ///
    /// let file = b"User-agent: *\nDisallow: /shop/\nAllow: /shop/*.css$\n";
    /// let rules = RuleSet::parse(file, &Crawler::new("ExampleBot")?, &Profile::RFC9309);
    /// let mut comparer = Comparer::new(Comparer::work_for(file.len()));
    /// let mut exception = |pattern: &str, wanted| {
    ///     comparer.exception(&rules, pattern.as_bytes(), wanted, Difference::MAX_STATES)
    /// };
    /// assert!(exception("/shop/cart", Effect::Allow).witness().is_some());
    /// assert_eq!(exception("/shop/", Effect::Disallow).witness().unwrap().path, "/shop/.css");
    /// assert!(exception("/shop/*.html$", Effect::Disallow).is_nothing());
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    #[must_use]
    pub fn exception(
        &mut self,
        rules: &RuleSet,
        pattern: &[u8],
        wanted: Effect,
        max_states: usize,
    ) -> Change {
        if self.left == 0 {
            return Change::Undecided;
        }
        // Compiled as a rule that disallows, because an "allow" rule may be two rules.
        let rule = Rule::new(Effect::Disallow, Field::new(pattern, 0), LINE);
        let only = RuleSet::from_rules([rule].into_iter(), SelectionBasis::Named, rules.policy());
        let bytes = rules.pattern_bytes() + 2 * pattern.len();
        if !self.spend_on(rules.len() + 2, bytes) {
            return Change::Undecided;
        }
        let allows = wanted == Effect::Allow;
        let comparison = Comparison::below(rules, &mut self.alphabets, |alphabet| {
            let own = items(&only, AFTER, 0, alphabet).into_iter();
            let own = own.filter(|item| item.lines[AFTER] == Some(Line::new(LINE)));
            own.map(|item| Item { allows, ..item }).collect::<Vec<_>>()
        });
        let answer = Verdict::new(Reason::Rule(DecidingRule::new(wanted, LINE, Span::new(0, pattern.len()))));
        let verdicts = |path: &[u8]| {
            let before = rules.check(path);
            let after = if only.check(path).is_allowed() { before } else { answer };
            (before, after)
        };
        let mut states = 0;
        let change = self.change(&comparison, allows, &verdicts, max_states, &mut states);
        self.left = self.left.saturating_sub(states.saturating_mul(STEPS_PER_STATE));
        change
    }
}
