//! All changes between two rule sets, one for each rule that causes one.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Effect;

use crate::difference::Comparer;
use crate::difference::change::{Change, Difference};
use crate::rule_set::RuleSet;
use crate::shared_rules::SharedRules;
use crate::verdict::Verdict;

/// The changes between two rule sets; see [`Comparer::caused_changes`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CausedChanges {
    /// Newly disallowed paths, then newly allowed ones.
    pub changes: Vec<CausedChange>,
    /// Whether it is undecided that paths are newly disallowed, because the search reached its limit.
    pub is_newly_disallowed_undecided: bool,
    /// The same for paths that are newly allowed.
    pub is_newly_allowed_undecided: bool,
    /// How many states the searches visited.
    pub states: usize,
}

/// A path that two rule sets treat differently, and the rule that causes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CausedChange {
    /// The path and query in percent-encoded ASCII, as [`RuleSet::check`] accepts it.
    pub path: String,
    /// Whether it is proved that no shorter path changes in this direction.
    pub is_shortest: bool,
    /// The verdict of the rule set before.
    pub before: Verdict,
    /// The verdict of the rule set after.
    pub after: Verdict,
    /// Why the verdict changes.
    pub cause: ChangeCause,
}

/// Why a verdict changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeCause {
    /// This line of the file after has a rule that the rule set before does not have.
    Added(usize),
    /// This line of the file before has a rule that the rule set after does not have.
    Removed(usize),
    /// Both have the rules, and read them or their order in different ways.
    Order,
}

/// The rules of a rule set: the effect, and the canonical pattern.
type Texts = BTreeSet<(Effect, Vec<u8>)>;

fn texts(rules: &RuleSet) -> Texts {
    rules.compiled_rules().iter().map(|rule| (rule.effect, rule.pattern.to_vec())).collect()
}

/// A rule set that crawlers share, by its number.
type Set<'s, 'r> = (&'s SharedRules<'r>, usize);

impl Comparer {
    /// Finds the changes between two rule sets that crawlers share: for each direction a shortest path, then a path for each other rule
    /// that causes a change, at most `most` in each direction. Returns `None` if there is not enough work left to compile the rules.
    ///
    /// # Complexity
    ///
    /// That of `most` calls of [`Self::difference`] in each direction.
    ///
    /// ```
    /// use robots_match::{ChangeCause, Comparer, Crawler, Difference, Document, Robots};
    ///
    /// let robots = ["User-agent: *\nDisallow: /cart\n", "User-agent: *\nDisallow: /cart\nDisallow: /pro\nDisallow: /static/\n"]
    ///     .map(|body| Robots::new(body, Document::Rfc9309));
    /// let [old, new] = robots.each_ref().map(|robots| robots.rules_for([&Crawler::unnamed()]));
    /// let mut comparer = Comparer::new(Comparer::work_for(100));
    /// let found = comparer.caused_changes((&old, 0), (&new, 0), 20, Difference::MAX_STATES).unwrap();
    /// let found: Vec<_> = found.changes.iter().map(|change| (change.path.as_str(), change.cause)).collect();
    /// assert_eq!(found, [("/pro", ChangeCause::Added(3)), ("/static/", ChangeCause::Added(4))]);
    /// ```
    ///
    /// # Panics
    ///
    /// If there are not so many rule sets.
    pub fn caused_changes(
        &mut self,
        before: Set<'_, '_>,
        after: Set<'_, '_>,
        most: usize,
        max_states: usize,
    ) -> Option<CausedChanges> {
        let rules = [self.compile(before.0, before.1)?, self.compile(after.0, after.1)?];
        let [old, new] = &rules;
        let difference = self.difference(old, new, max_states);
        let mut found = CausedChanges { states: difference.states, ..CausedChanges::default() };
        if difference.is_nothing() {
            return Some(found);
        }
        let texts = rules.each_ref().map(texts);
        for to_allowed in [false, true] {
            let of = |difference: Difference| match to_allowed {
                false => difference.newly_disallowed,
                true => difference.newly_allowed,
            };
            let mut change = of(difference.clone());
            let mut without: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
            for round in 0..most {
                let witness = match change {
                    Change::Path(witness) => witness,
                    Change::Undecided if round == 0 => {
                        match to_allowed {
                            false => found.is_newly_disallowed_undecided = true,
                            true => found.is_newly_allowed_undecided = true,
                        }
                        break;
                    }
                    _ => break,
                };
                let missing = missing(&rules, &texts, &witness.path);
                let [was, is] = rules.each_ref().map(|rules| rules.check(&*witness.path));
                if was.is_allowed() != is.is_allowed() && is.is_allowed() == to_allowed {
                    let cause = match missing {
                        [_, Some(line)] => ChangeCause::Added(line),
                        [Some(line), None] => ChangeCause::Removed(line),
                        [None, None] => ChangeCause::Order,
                    };
                    let is_shortest = round == 0 && witness.is_shortest;
                    found.changes.push(CausedChange {
                        path: witness.path,
                        is_shortest,
                        before: was,
                        after: is,
                        cause,
                    });
                }
                if round + 1 == most {
                    break;
                }
                // Without the rule that causes this change, the search finds the next one.
                let lines = [witness.before, witness.after].map(|verdict| verdict.line());
                let [without_old, without_new] = &mut without;
                let (lines_without, line) = match (missing, lines) {
                    ([_, Some(_)], [_, Some(line)]) => (without_new, line),
                    ([Some(_), None], [Some(line), _]) => (without_old, line),
                    _ => break,
                };
                if lines_without.contains(&line) {
                    break;
                }
                lines_without.push(line);
                let [without_old, without_new] = &without;
                let one = self.compile_without(before.0, before.1, without_old);
                let both = one.zip(self.compile_without(after.0, after.1, without_new));
                let Some((one, other)) = both else { break };
                let next = self.difference(&one, &other, max_states);
                found.states += next.states;
                change = of(next);
            }
        }
        Some(found)
    }
}

/// Returns the lines of the rules that decide about a path before and after, if the other side does not have these rules.
fn missing([before, after]: &[RuleSet; 2], [old, new]: &[Texts; 2], path: &str) -> [Option<usize>; 2] {
    let line = |own: &RuleSet, other: &Texts| {
        let rule = own.deciding_rule(path)?;
        (!other.contains(&(rule.effect, rule.pattern.to_vec()))).then_some(rule.line)
    };
    [line(before, new), line(after, old)]
}
