//! The comparison of two rule sets: which rules can make a difference, and where.

use alloc::string::String;
use alloc::vec::Vec;

use crate::difference::alphabet::Alphabet;
use crate::difference::budget::{Budget, Spent};
use crate::difference::change::{Change, Witness};
use crate::difference::item::{Item, lone_percent_matters};
use crate::difference::merge::{items, merged};
use crate::difference::overlaps::Overlaps;
use crate::difference::piece::Piece;
use crate::difference::search::Search;
use crate::policy::Form;
use crate::rule_set::RuleSet;
use crate::verdict::Verdict;

/// The number of forbidden rules that a search takes in from the beginning.
const MOST_AT_ONCE: usize = 32;

/// The number of rules of which examples are tried before a search.
const MOST_EXAMPLES: usize = 256;

/// The number of searches after which all forbidden rules are taken in.
const MOST_ROUNDS: usize = 48;

/// Two rule sets, prepared to be compared.
pub(crate) struct Comparison {
    items: Vec<Item>,
    /// The piece of each of `items`.
    pieces: Vec<Option<Piece>>,
    overlaps: Overlaps,
    alphabet: Alphabet,
    /// An alphabet that also has a `%` that begins no escape, if paths with one may differ.
    loose: Option<Alphabet>,
    /// The rules that are in one rule set only.
    changed: Vec<usize>,
    /// The number of rules that a verdict compares with each path.
    scanned: usize,
    /// The number of rules with a `*`. In the worst case, a verdict compares each of them with the path.
    wild: usize,
}

/// The verdicts of both rule sets about a path.
pub(crate) type Verdicts<'v> = dyn Fn(&[u8]) -> (Verdict, Verdict) + 'v;

/// The best path found so far.
struct Best {
    len: u32,
    witness: Witness,
}

impl Comparison {
    pub(crate) fn new(before: &RuleSet, after: &RuleSet) -> Self {
        let forms = [before.policy().path, after.policy().path];
        let alphabet = Alphabet::new(forms, false);
        let view = usize::from(!alphabet.has_one_view);
        let items = merged(items(before, 0, &alphabet), items(after, view, &alphabet));
        Self::of_items(items, alphabet, forms)
    }

    /// Prepares the comparison of a rule set with itself without one of its lines.
    pub(crate) fn with_itself(rules: &RuleSet) -> Self {
        let forms = [rules.policy().path; 2];
        let alphabet = Alphabet::new(forms, false);
        let items = items(rules, 0, &alphabet);
        let scanned = items.len();
        Self { scanned, ..Self::of_items(items, alphabet, forms) }
    }

    fn of_items(items: Vec<Item>, alphabet: Alphabet, forms: [Form; 2]) -> Self {
        Self {
            scanned: items.iter().filter(|item| item.language.decoded.is_some()).count(),
            overlaps: Overlaps::new(&items, &alphabet),
            loose: lone_percent_matters(&items, &alphabet, forms).then(|| Alphabet::new(forms, true)),
            changed: changed(&items),
            pieces: items.iter().map(Piece::new).collect(),
            wild: items.iter().filter(|item| item.language.is_wild()).count(),
            items,
            alphabet,
        }
    }

    /// Prepares the comparison of a rule set with itself without the rules of a line, which another line may follow.
    pub(crate) fn remove_line(&mut self, lines: &LineIndex, line: usize) {
        for index in core::mem::take(&mut self.changed) {
            if let Some(item) = self.items.get_mut(index) {
                item.in_after = true;
            }
        }
        for index in lines.of(line) {
            if let Some(item) = self.items.get_mut(index) {
                item.in_after = false;
                self.changed.push(index);
            }
        }
    }

    /// Returns how much work two verdicts about a path of `len` bytes are, in steps.
    fn steps_of_verdicts(&self, len: usize) -> usize {
        self.scanned / 8 + 16 + len + (self.wild / 4).saturating_mul(len)
    }

    /// Returns which rules are of which line.
    pub(crate) fn lines(&self) -> LineIndex {
        let mut lines: Vec<(usize, usize)> =
            self.items.iter().enumerate().map(|(index, item)| (item.line, index)).collect();
        lines.sort_unstable();
        LineIndex(lines)
    }

    /// Finds a shortest path whose verdict changes in one direction.
    pub(crate) fn change(
        &self,
        to_allowed: bool,
        verdicts: &Verdicts<'_>,
        max_states: usize,
    ) -> (Change, usize) {
        let mut budget = Budget::new(max_states);
        let mut best = None;
        let mut result = self.search_all(&self.alphabet, to_allowed, verdicts, &mut budget, &mut best);
        if let (Ok(()), None, Some(loose)) = (&result, &best, &self.loose) {
            result = self.search_all(loose, to_allowed, verdicts, &mut budget, &mut best);
        }
        let change = match (best, result) {
            (Some(Best { mut witness, .. }), result) => {
                witness.is_shortest = result.is_ok();
                Change::Path(witness)
            }
            (None, Ok(())) => Change::Nothing,
            (None, _) => Change::Undecided,
        };
        (change, budget.states())
    }

    fn search_all(
        &self,
        alphabet: &Alphabet,
        to_allowed: bool,
        verdicts: &Verdicts<'_>,
        budget: &mut Budget,
        best: &mut Option<Best>,
    ) -> Result<(), Spent> {
        let mut changed: Vec<(u32, usize)> = self
            .changed
            .iter()
            .filter_map(|&index| {
                let item = self.items.get(index)?;
                // The rule decides in the rule set that has it.
                let was = item.allows == item.in_before;
                (was != to_allowed).then(|| (item.language.min_len(), index))
            })
            .collect();
        changed.sort_unstable();
        let is_better = |best: &Option<Best>, len: u32| best.as_ref().is_none_or(|best| len < best.len);
        for &(min_len, index) in changed.iter().take(MOST_EXAMPLES) {
            if !is_better(best, min_len) {
                break;
            }
            let Some(item) = self.items.get(index) else { continue };
            for example in item.examples(b'x') {
                let path = if alphabet.has_one_view {
                    alphabet.path(&example)
                } else {
                    Some(example).filter(|example| alphabet.is_plain(example))
                };
                let is_path = |path: &Vec<u8>| path.first() == Some(&b'/') && is_better(best, len_of(path));
                if let Some(path) = path.filter(is_path) {
                    budget.spend_steps(self.steps_of_verdicts(path.len()))?;
                    if let Some(witness) = witness(path, to_allowed, verdicts) {
                        *best = Some(witness);
                    }
                }
            }
        }
        let mut is_complete = true;
        for &(min_len, index) in &changed {
            if !is_better(best, min_len) {
                break;
            }
            let mut rule = OfRule { comparison: self, alphabet, to_allowed, verdicts, budget, best };
            is_complete &= rule.search(index)?;
        }
        if is_complete { Ok(()) } else { Err(Spent) }
    }
}

/// The rules of each line.
pub(crate) struct LineIndex(Vec<(usize, usize)>);

impl LineIndex {
    fn of(&self, line: usize) -> impl Iterator<Item = usize> + '_ {
        let start = self.0.partition_point(|&(other, _)| other < line);
        let rules = self.0.get(start..).unwrap_or_default().iter();
        rules.take_while(move |&&(other, _)| other == line).map(|&(_, index)| index)
    }
}

/// Returns the rules that are in one rule set only.
fn changed(items: &[Item]) -> Vec<usize> {
    let is_changed = |item: &Item| item.in_before != item.in_after;
    items.iter().enumerate().filter(|(_, item)| is_changed(item)).map(|(index, _)| index).collect()
}

/// The search for paths about which one rule decides in one rule set, and a rule of the opposite effect in the other.
struct OfRule<'c, 'v> {
    comparison: &'c Comparison,
    alphabet: &'c Alphabet,
    to_allowed: bool,
    verdicts: &'c Verdicts<'v>,
    budget: &'c mut Budget,
    best: &'c mut Option<Best>,
}

impl OfRule<'_, '_> {
    /// Returns `false` if a path was found that the rule sets do not confirm, so that nothing is proved.
    fn search(&mut self, index: usize) -> Result<bool, Spent> {
        let comparison = self.comparison;
        let items = &comparison.items;
        let Some(rule) = items.get(index) else { return Ok(true) };
        let others = comparison.overlaps.of(index);
        self.budget.spend_steps(others.len())?;
        // If there is a short path already, no pair of rules may lead to a shorter one.
        let is_opposite = |&&other: &&usize| {
            other > index && items.get(other).is_some_and(|other| other.allows != rule.allows)
        };
        if self.best.is_some()
            && !others.iter().filter(is_opposite).any(|&other| self.may_be_shorter(index, other))
        {
            return Ok(true);
        }
        let mut forbidden: Vec<&Item> = Vec::new();
        let mut is_complete = true;
        for other_index in others {
            let Some(other) = items.get(other_index) else { continue };
            if !other.meets(rule) {
                continue;
            }
            self.budget.spend_steps(8)?;
            let is_above = other_index < index;
            if is_above {
                if other.contains(rule) {
                    return Ok(is_complete);
                }
                forbidden.push(other);
                continue;
            }
            let is_in_other = if rule.in_before { other.in_after } else { other.in_before };
            if !is_in_other {
                continue;
            }
            if other.allows != rule.allows {
                if self.may_be_shorter(index, other_index) {
                    is_complete &= self.search_pair(rule, other, &forbidden)?;
                }
            } else if !other.contains(rule) {
                forbidden.push(other);
                continue;
            }
            if other.contains(rule) {
                break;
            }
        }
        Ok(is_complete)
    }

    /// Returns whether a path that two rules match may be shorter than the best one.
    fn may_be_shorter(&self, one: usize, other: usize) -> bool {
        let Some(best) = self.best.as_ref() else { return true };
        let piece = |index: usize| self.comparison.pieces.get(index).and_then(Option::as_ref);
        let least = piece(one).zip(piece(other)).map_or(0, |(one, other)| one.min_len_with(other));
        least < best.len
    }

    fn search_pair(&mut self, rule: &Item, other: &Item, forbidden: &[&Item]) -> Result<bool, Spent> {
        let bound = self.best.as_ref().map(|best| best.len);
        if bound.is_some_and(|bound| other.language.min_len() >= bound) {
            return Ok(true);
        }
        // Most of many forbidden rules match no path that the search finds. It begins without them, and takes in those that
        // decide about a path that it found.
        let mut taken: Vec<&Item> = Vec::new();
        let mut left: Option<Vec<&Item>> = None;
        if forbidden.len() <= MOST_AT_ONCE {
            match self.met(other, forbidden)? {
                Some(met) => taken = met,
                None => return Ok(true),
            }
            left = Some(Vec::new());
        }
        for round in 0.. {
            if let Some(left) = left.as_mut().filter(|_| round == MOST_ROUNDS) {
                taken.append(left);
            }
            let is_whole = left.as_ref().is_some_and(Vec::is_empty);
            let Some(path) = self.run([rule, other], &taken, bound, is_whole)? else { return Ok(true) };
            let (before, after) = (self.verdicts)(&path);
            self.budget.spend_steps(self.comparison.steps_of_verdicts(path.len()))?;
            if let Some(best) = confirmed(path, (before, after), self.to_allowed) {
                *self.best = Some(best);
                return Ok(true);
            }
            let mut met = match left.take() {
                Some(left) => left,
                None => match self.met(other, forbidden)? {
                    Some(met) => met,
                    None => return Ok(true),
                },
            };
            // The rules that a policy adds have no line.
            let lines = [before, after].map(|verdict| verdict.line().unwrap_or(0));
            let len = met.len();
            met.retain(|item| {
                let decides = lines.contains(&item.line);
                if decides {
                    taken.push(item);
                }
                !decides
            });
            if met.len() == len {
                debug_assert!(
                    false,
                    "a path that is found is confirmed, or a forbidden rule decides about it"
                );
                return Ok(false);
            }
            left = Some(met);
        }
        Ok(false)
    }

    /// Returns the forbidden rules that may match a path that `other` matches. `None` if one of them matches all such paths.
    fn met<'i>(&mut self, other: &Item, forbidden: &[&'i Item]) -> Result<Option<Vec<&'i Item>>, Spent> {
        self.budget.spend_steps(8 * forbidden.len())?;
        let mut met = Vec::with_capacity(forbidden.len());
        for item in forbidden.iter().filter(|item| item.meets(other)) {
            if item.contains(other) {
                return Ok(None);
            }
            met.push(*item);
        }
        Ok(Some(met))
    }

    /// Searches for a shortest path that the required rules match and the forbidden ones do not. If the budget is spent, any
    /// path is better than none, unless rules are missing from `forbidden`.
    fn run(
        &mut self,
        required: [&Item; 2],
        forbidden: &[&Item],
        bound: Option<u32>,
        is_whole: bool,
    ) -> Result<Option<Vec<u8>>, Spent> {
        let search = Search::new(self.alphabet, required, forbidden);
        let found = search.run(bound, false, self.budget);
        self.budget.free();
        if found.is_err() && self.best.is_none() && is_whole {
            let mut rest = Budget::new(2_000);
            if let Ok(Some(path)) = search.run(None, true, &mut rest) {
                *self.best = witness(path, self.to_allowed, self.verdicts);
            }
        }
        found
    }
}

/// Returns a path with its verdicts if they differ in this direction.
fn witness(path: Vec<u8>, to_allowed: bool, verdicts: &Verdicts<'_>) -> Option<Best> {
    let both = verdicts(&path);
    confirmed(path, both, to_allowed)
}

fn confirmed(path: Vec<u8>, (before, after): (Verdict, Verdict), to_allowed: bool) -> Option<Best> {
    let len = len_of(&path);
    let path = String::from_utf8(path).ok()?;
    (before.is_allowed() != to_allowed && after.is_allowed() == to_allowed)
        .then_some(Best { len, witness: Witness { path, before, after, is_shortest: false } })
}

fn len_of(path: &[u8]) -> u32 {
    u32::try_from(path.len()).unwrap_or(u32::MAX)
}
