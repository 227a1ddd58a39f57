//! All changes between two rule sets, one for each rule that causes one.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::Effect;

use crate::difference::Comparer;
use crate::difference::change::Change;
use crate::difference::item::{AFTER, BEFORE};
use crate::rule_set::RuleSet;
use crate::shared_rules::SharedRules;
use crate::verdict::Verdict;

/// The changes between two rule sets; see [`Comparer::caused_changes`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CausedChanges {
    /// Newly disallowed paths, then newly allowed ones.
    pub changes: Vec<CausedChange>,
    /// How many of the changes the list has, first of those that newly disallow paths, then of the others.
    pub extents: [Extent; 2],
    /// How many states the searches visited.
    pub states: usize,
}

/// How many of the changes in one direction a list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Extent {
    /// All: without the rules that cause them, no path changes. This is proved.
    #[default]
    Complete,
    /// Other rules may cause changes, too: the list is as long as it may be, the search reached its limit, or a change has no rule
    /// that only one rule set has.
    Incomplete,
    /// None, because the search reached its limit before it found a path or a proof.
    Undecided,
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
    /// That of `most` + 1 calls of [`Self::difference`] in each direction, but most of what rules have in common is prepared once.
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
        let sides = [before, after];
        let rules = [self.compile(before.0, before.1)?, self.compile(after.0, after.1)?];
        let [old, new] = &rules;
        let mut found = CausedChanges::default();
        if old.has_same_rules(new) {
            return Some(found);
        }
        let Some(mut comparison) = self.prepare(old, new) else {
            found.extents = [Extent::Undecided; 2];
            return Some(found);
        };
        let verdicts = |path: &[u8]| (old.check(path), new.check(path));
        let first = self.changes(&comparison, &verdicts, max_states);
        found.states = first.states;
        if first.is_nothing() {
            return Some(found);
        }
        let texts = rules.each_ref().map(texts);
        let mut is_whole = true;
        for (to_allowed, mut change) in [(false, first.newly_disallowed), (true, first.newly_allowed)] {
            let mut extent = Extent::Undecided;
            let mut lines_without: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
            // The rule sets without the rules that caused changes so far.
            let mut rest: [Option<RuleSet>; 2] = [None, None];
            for round in 0.. {
                let witness = match change {
                    Change::Path(witness) => witness,
                    Change::Nothing => {
                        extent = Extent::Complete;
                        break;
                    }
                    Change::Undecided => break,
                };
                extent = Extent::Incomplete;
                if round == most {
                    break;
                }
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
                // Without the rule that causes this change, the search finds the next one.
                let lines = [witness.before, witness.after].map(|verdict| verdict.line());
                let (side, line) = match (missing, lines) {
                    ([_, Some(_)], [_, Some(line)]) => (AFTER, line),
                    ([Some(_), None], [Some(line), _]) => (BEFORE, line),
                    _ => break,
                };
                let (Some((shared, set)), Some(without), Some(slot)) =
                    (sides.get(side), lines_without.get_mut(side), rest.get_mut(side))
                else {
                    break;
                };
                if without.contains(&line) {
                    break;
                }
                without.push(line);
                let Some(less) = self.compile_without(shared, *set, without) else { break };
                *slot = Some(less);
                let [one, other] = &rest;
                let (one, other) = (one.as_ref().unwrap_or(old), other.as_ref().unwrap_or(new));
                // What was taken out for the other direction is in it again.
                if !(comparison.take_out(side, line) && is_whole) {
                    let Some(prepared) = self.prepare(one, other) else { break };
                    (comparison, is_whole) = (prepared, true);
                }
                let verdicts = |path: &[u8]| (one.check(path), other.check(path));
                change = self.change(&comparison, to_allowed, &verdicts, max_states, &mut found.states);
            }
            is_whole = lines_without.iter().all(Vec::is_empty);
            if let Some(slot) = found.extents.get_mut(usize::from(to_allowed)) {
                *slot = extent;
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

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use robots_groups::Crawler;

    use super::*;
    use crate::difference::Difference;
    use crate::difference::comparison::Comparison;
    use crate::document::Document;
    use crate::robots::Robots;

    const RULES: [&str; 12] = [
        "disallow: /a\n",
        "allow: /a\n",
        "disallow: /a*\n",
        "allow: /*b\n",
        "disallow: /*b$\n",
        "allow: /ab\n",
        "disallow: /ab\n",
        "disallow: /\n",
        "allow: /\n",
        "disallow: /b%2Cc\n",
        "allow: /b,c\n",
        "disallow: /*a/*b\n",
    ];

    /// Returns files of a few rules, some of them several times, which look arbitrary and are always the same.
    fn files() -> impl Iterator<Item = [String; 2]> {
        let mut state = 1_u32;
        let mut next = move |most: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % most
        };
        core::iter::repeat_with(move || {
            [0, 1].map(|_| {
                let rules = (0..=next(5)).filter_map(|_| RULES.get(next(RULES.len())).copied());
                core::iter::once("user-agent: *\n").chain(rules).collect()
            })
        })
    }

    #[test]
    fn a_comparison_without_a_line_is_that_of_rule_sets_without_it() {
        let len = |change: &Change| {
            assert_ne!(*change, Change::Undecided);
            change.witness().map(|witness| witness.path.len())
        };
        let documents = [Document::Rfc9309, Document::Google, Document::Koster1996];
        let pairs: Vec<_> =
            documents.into_iter().flat_map(|one| documents.map(|other| [one, other])).collect();
        let mut decided = [0, 0];
        // Alphabets take most of the time.
        let mut comparer = Comparer::new(usize::MAX);
        for (texts, documents) in files().take(900).zip(pairs.into_iter().cycle()) {
            let [old, new] = [0, 1].map(|at| Robots::new(&*texts[at], documents[at]));
            let shared = [&old, &new].map(|robots| robots.rules_for([&Crawler::unnamed()]));
            for side in [BEFORE, AFTER] {
                for line in 2..=texts[side].lines().count() {
                    let [one, other] = shared.each_ref().map(|shared| shared.rules(0));
                    let mut comparison = Comparison::new(&one, &other, &mut comparer.alphabets);
                    let is_enough = comparison.take_out(side, line);
                    decided[usize::from(is_enough)] += 1;
                    if !is_enough {
                        continue;
                    }
                    let lines = [line];
                    let without =
                        |of: usize| shared[of].rules_without(0, if of == side { &lines[..] } else { &[] });
                    let [one, other] = [without(BEFORE), without(AFTER)];
                    let expected = comparer.difference(&one, &other, Difference::MAX_STATES);
                    let verdicts = |path: &[u8]| (one.check(path), other.check(path));
                    let found = comparer.changes(&comparison, &verdicts, Difference::MAX_STATES);
                    for (found, expected) in [
                        (found.newly_disallowed, expected.newly_disallowed),
                        (found.newly_allowed, expected.newly_allowed),
                    ] {
                        assert_eq!(
                            len(&found),
                            len(&expected),
                            "{texts:?} {documents:?} without line {line} of {side}"
                        );
                    }
                }
            }
        }
        // Rules are repeated in some files.
        assert!(decided.iter().all(|&files| files > 500), "{decided:?}");
    }

    #[test]
    fn a_list_says_whether_it_has_all_changes() {
        let found = |old: &str, new: &str, most| {
            let [old, new] = [old, new]
                .map(|rules| Robots::new(alloc::format!("user-agent: *\n{rules}"), Document::Rfc9309));
            let [old, new] = [&old, &new].map(|robots| robots.rules_for([&Crawler::unnamed()]));
            let mut comparer = Comparer::new(Comparer::work_for(100));
            comparer
                .caused_changes((&old, 0), (&new, 0), most, Difference::MAX_STATES)
                .map(|found| found.extents)
        };
        let rules = "disallow: /a\ndisallow: /b\nallow: /c\n";
        let all = [Extent::Complete, Extent::Complete];
        let some = [Extent::Incomplete, Extent::Complete];
        assert_eq!(found(rules, rules, 1), Some(all));
        assert_eq!([1, 2, 3].map(|most| found("", rules, most)), [Some(some), Some(all), Some(all)]);
        assert_eq!(found(rules, "", 1), Some([Extent::Complete, Extent::Incomplete]));
        // The same line has other paths in the other file.
        assert_eq!(
            found("disallow: /a\ndisallow: /a\n", "disallow: /a\nallow: /a\n", 9),
            Some([Extent::Complete; 2])
        );
    }
}
