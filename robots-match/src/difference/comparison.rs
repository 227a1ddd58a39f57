//! The comparison of two rule sets: which rules can make a difference, and where.
//!
//! [`items`] and [`merged`] bring the rules of both into one order. [`Overlaps`] lists which rules may match a path that another
//! rule matches, by the literal bytes that their patterns begin with. [`Meeting`] bounds the length of such a path from below.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::difference::alphabet::Alphabet;
use crate::difference::change::{Change, Witness};
use crate::difference::item::{AFTER, BEFORE, Item, Language, Line, lone_percent_matters};
use crate::difference::meeting::Meeting;
use crate::difference::search::{Budget, Search, Spent};
use crate::policy::Form;
use crate::rule_set::RuleSet;
use crate::rule_set::prefix::head;
use crate::verdict::Verdict;

/// The number of forbidden rules that a search takes in from the beginning.
const MOST_AT_ONCE: usize = 32;

/// The number of rules of which examples are tried before a search.
const MOST_EXAMPLES: usize = 256;

/// The steps of verdicts about examples after which the search begins. Rules that people write take far less.
const MOST_STEPS_OF_EXAMPLES: usize = 1 << 22;

/// The number of searches after which all forbidden rules are taken in.
const MOST_ROUNDS: usize = 48;

/// Two rule sets, prepared to be compared.
pub(crate) struct Comparison {
    items: Vec<Item>,
    overlaps: Overlaps,
    alphabet: Arc<Alphabet>,
    /// An alphabet that also has a `%` that begins no escape, if paths with one may differ.
    loose: Option<Arc<Alphabet>>,
    /// The rules that are in one rule set only.
    changed: Vec<usize>,
    /// The number of rules that a verdict compares with each path.
    scanned: usize,
    /// The number of rules with a `*`. In the worst case, a verdict compares each of them with the path.
    wild: usize,
    /// The number of `*` in all rules. In the worst case, a verdict looks for what follows each of them.
    stars: usize,
}

/// The alphabets that were made so far, by the forms of paths and whether they are loose.
#[derive(Clone, Default)]
pub(crate) struct Alphabets(Vec<(FormsOfPaths, Arc<Alphabet>)>);

/// The forms of paths of two rule sets, and whether the alphabet is loose.
type FormsOfPaths = ([Form; 2], bool);

impl Alphabets {
    /// Returns the number of alphabets.
    #[cfg(test)]
    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&mut self, forms: [Form; 2], is_loose: bool) -> Arc<Alphabet> {
        let key = (forms, is_loose);
        if let Some((_, alphabet)) = self.0.iter().find(|(known, _)| *known == key) {
            return Arc::clone(alphabet);
        }
        let alphabet = Arc::new(Alphabet::new(forms, is_loose));
        self.0.push((key, Arc::clone(&alphabet)));
        alphabet
    }
}

/// The verdicts of both rule sets about a path.
pub(crate) type Verdicts<'v> = dyn Fn(&[u8]) -> (Verdict, Verdict) + 'v;

/// The best path found so far.
struct Best {
    len: u32,
    witness: Witness,
}

impl Comparison {
    pub(crate) fn new(before: &RuleSet, after: &RuleSet, alphabets: &mut Alphabets) -> Self {
        let forms = [before.policy().path, after.policy().path];
        let alphabet = alphabets.get(forms, false);
        let view = usize::from(!alphabet.has_one_view);
        let items = merged(items(before, BEFORE, 0, &alphabet), items(after, AFTER, view, &alphabet));
        Self::of_items(items, alphabet, forms, alphabets)
    }

    /// Prepares the comparison of a rule set with itself below other rules, which decide before all others except the rule that a
    /// policy adds for `/robots.txt`.
    pub(crate) fn below(
        rules: &RuleSet,
        alphabets: &mut Alphabets,
        first: impl FnOnce(&Alphabet) -> Vec<Item>,
    ) -> Self {
        let forms = [rules.policy().path; 2];
        let alphabet = alphabets.get(forms, false);
        let mut items = of_both(rules, &alphabet);
        let at = usize::from(rules.policy().robots_txt_always_allowed);
        items.splice(at..at, first(&alphabet));
        Self::of_items(items, alphabet, forms, alphabets)
    }

    /// Prepares the comparison of a rule set with itself without one of its lines.
    pub(crate) fn with_itself(rules: &RuleSet, alphabets: &mut Alphabets) -> Self {
        let forms = [rules.policy().path; 2];
        let alphabet = alphabets.get(forms, false);
        let items = of_both(rules, &alphabet);
        let scanned = items.len();
        Self { scanned, ..Self::of_items(items, alphabet, forms, alphabets) }
    }

    fn of_items(
        items: Vec<Item>,
        alphabet: Arc<Alphabet>,
        forms: [Form; 2],
        alphabets: &mut Alphabets,
    ) -> Self {
        Self {
            scanned: items.iter().filter(|item| item.language.has_either()).count(),
            overlaps: Overlaps::new(&items),
            loose: lone_percent_matters(&items, &alphabet, forms).then(|| alphabets.get(forms, true)),
            changed: changed(&items),
            wild: items.iter().filter(|item| item.language.is_wild()).count(),
            stars: items.iter().map(|item| item.language.raw.stars()).sum(),
            items,
            alphabet,
        }
    }

    /// Prepares the comparison of a rule set with itself without the rules of a line, which another line may follow.
    pub(crate) fn remove_line(&mut self, lines: &LineIndex, line: usize) {
        for index in core::mem::take(&mut self.changed) {
            if let Some(Item { lines: [before, after], .. }) = self.items.get_mut(index) {
                *after = *before;
            }
        }
        for index in lines.of(line) {
            if let Some(Item { lines: [_, after], .. }) = self.items.get_mut(index) {
                *after = None;
                self.changed.push(index);
            }
        }
    }

    /// Takes the rules of a line out of a rule set. Returns `false` if other rules, which were left out, may decide in their place: then
    /// the comparison must be prepared anew.
    pub(crate) fn take_out(&mut self, side: usize, line: usize) -> bool {
        let mut is_enough = true;
        for item in &mut self.items {
            if let Some(of_side) =
                item.lines.get_mut(side).filter(|of_side| **of_side == Some(Line::new(line)))
            {
                *of_side = None;
                is_enough &= !item.is_repeated;
            }
        }
        self.changed = changed(&self.items);
        is_enough
    }

    /// Returns how much work two verdicts about a path of `len` bytes are, in steps.
    fn steps_of_verdicts(&self, len: usize) -> usize {
        self.scanned / 8 + 16 + len + (self.wild / 4).saturating_mul(len) + 4 * self.stars
    }

    /// Returns which rules are of which line.
    pub(crate) fn lines(&self) -> LineIndex {
        let mut lines: Vec<(Line, usize)> = self
            .items
            .iter()
            .enumerate()
            .map(|(index, item)| (item.lines[AFTER].unwrap_or(Line::ADDED), index))
            .collect();
        lines.sort_unstable();
        LineIndex(lines)
    }

    /// Finds a shortest path whose verdict changes in one direction.
    pub(crate) fn change(&self, to_allowed: bool, verdicts: &Verdicts<'_>, budget: &mut Budget) -> Change {
        let mut best = None;
        let mut result = self.search_all(&self.alphabet, to_allowed, verdicts, budget, &mut best);
        if let (Ok(()), None, Some(loose)) = (&result, &best, &self.loose) {
            result = self.search_all(loose, to_allowed, verdicts, budget, &mut best);
        }
        match (best, result) {
            (Some(Best { mut witness, .. }), result) => {
                witness.is_shortest = result.is_ok();
                Change::Path(witness)
            }
            (None, Ok(())) => Change::Nothing,
            (None, _) => Change::Undecided,
        }
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
                let was = item.allows == item.is_in(BEFORE);
                (was != to_allowed).then_some((item.language.min_len, index))
            })
            .collect();
        changed.sort_unstable();
        let is_better = |best: &Option<Best>, len: u32| best.as_ref().is_none_or(|best| len < best.len);
        let mut steps_left = MOST_STEPS_OF_EXAMPLES;
        for &(min_len, index) in changed.iter().take(MOST_EXAMPLES) {
            if !is_better(best, min_len) || steps_left == 0 {
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
                    let steps = self.steps_of_verdicts(path.len());
                    budget.spend_steps(steps)?;
                    steps_left = steps_left.saturating_sub(steps);
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
pub(crate) struct LineIndex(Vec<(Line, usize)>);

impl LineIndex {
    fn of(&self, line: usize) -> impl Iterator<Item = usize> + '_ {
        let line = Line::new(line);
        let start = self.0.partition_point(|&(other, _)| other < line);
        let rules = self.0.get(start..).unwrap_or_default().iter();
        rules.take_while(move |&&(other, _)| other == line).map(|&(_, index)| index)
    }
}

/// Returns the rules that are in one rule set only.
fn changed(items: &[Item]) -> Vec<usize> {
    items.iter().enumerate().filter(|(_, item)| item.is_changed()).map(|(index, _)| index).collect()
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
        let others = comparison.overlaps.of(items, index);
        // Finding them and sorting them, and a look at each.
        self.budget.spend_steps(12 * others.len())?;
        // If there is a short path already, no pair of rules may lead to a shorter one.
        let is_opposite = |&&other: &&usize| {
            other > index && items.get(other).is_some_and(|other| other.allows != rule.allows)
        };
        let mut meeting = Meeting::new(rule);
        if self.best.is_some() {
            let mut may_be_shorter = false;
            for other in others.iter().filter(is_opposite).filter_map(|&other| items.get(other)) {
                may_be_shorter = self.may_be_shorter(&mut meeting, other)?;
                if may_be_shorter {
                    break;
                }
            }
            if !may_be_shorter {
                return Ok(true);
            }
        }
        let mut forbidden: Vec<&Item> = Vec::new();
        let mut is_complete = true;
        for other_index in others {
            let Some(other) = items.get(other_index) else { continue };
            if !other.meets(rule) {
                continue;
            }
            self.budget.spend_steps(8 + rule.language.raw.end() as usize / 8)?;
            let is_above = other_index < index;
            if is_above {
                // Rules that were taken out of both decide nothing.
                if other.lines == [None; 2] {
                    continue;
                }
                if other.contains(rule) {
                    return Ok(is_complete);
                }
                forbidden.push(other);
                continue;
            }
            if !other.is_in(if rule.is_in(BEFORE) { AFTER } else { BEFORE }) {
                continue;
            }
            if other.allows != rule.allows {
                if self.may_be_shorter(&mut meeting, other)? {
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

    /// Returns whether a path that a rule and another one match may be shorter than the best one.
    fn may_be_shorter(&mut self, meeting: &mut Meeting<'_>, other: &Item) -> Result<bool, Spent> {
        let (len, steps) = meeting.min_len_with(other);
        self.budget.spend_steps(steps)?;
        Ok(len.is_some_and(|len| self.best.as_ref().is_none_or(|best| len < best.len)))
    }

    fn search_pair(&mut self, rule: &Item, other: &Item, forbidden: &[&Item]) -> Result<bool, Spent> {
        let bound = self.best.as_ref().map(|best| best.len);
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
            let lines = [before, after].map(|verdict| Some(Line::of(verdict)));
            let len = met.len();
            met.retain(|item| {
                let decides = item.lines.iter().zip(&lines).any(|(own, deciding)| own == deciding);
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
        let search = Search::new(self.alphabet, required, forbidden, self.budget)?;
        let found = search.run(bound, false, self.budget);
        self.budget.free();
        if found.is_err() && self.best.is_none() && is_whole {
            let mut rest = Budget::new(2_000, usize::MAX);
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

/// Returns the rules of a rule set in the order of precedence, with what its policy adds.
pub(crate) fn items(rules: &RuleSet, side: usize, view: usize, alphabet: &Alphabet) -> Vec<Item> {
    let item = |language: Language, allows, line| {
        let is_kept = language.is_kept(view, alphabet);
        let lines = [BEFORE, AFTER].map(|of| (of == side).then(|| Line::new(line)));
        let prefix = language.decoded_prefix();
        Item { language, prefix, view, is_kept, allows, lines, is_repeated: false }
    };
    let mut parts: Vec<_> = rules
        .parts()
        .into_iter()
        .map(|part| (part.precedence, item(Language::of_part(&part, view, alphabet), part.allows, part.line)))
        .collect();
    // Patterns with the same precedence get the same order in every rule set.
    parts.sort_by(|(one, left), (other, right)| {
        one.cmp(other).then_with(|| left.language.cmp(&right.language))
    });
    let mut items = Vec::with_capacity(parts.len() + 2);
    if rules.policy().robots_txt_always_allowed {
        items.push(item(Language::robots_txt(), true, 0));
    }
    items.extend(parts.into_iter().map(|(_, item)| item).filter(|item| !item.language.is_empty()));
    items.push(item(Language::total(), true, 0));
    items
}

/// Returns the rules of a rule set that is compared with itself.
fn of_both(rules: &RuleSet, alphabet: &Alphabet) -> Vec<Item> {
    let mut items = items(rules, BEFORE, 0, alphabet);
    for item in &mut items {
        let [before, after] = &mut item.lines;
        *after = *before;
    }
    items
}

/// Merges the rules of two rule sets into one list in which the rules of each have their order. Rules of both that have
/// the same paths, the same effect and the same place in the order become one.
///
/// The first rule of the list that matches a path decides about it in both rule sets if it is in both.
pub(crate) fn merged(before: Vec<Item>, after: Vec<Item>) -> Vec<Item> {
    let before = distinct(before);
    let after = distinct(after);
    let mut places = BTreeMap::new();
    for (place, item) in before.iter().enumerate() {
        places.entry((paths_of(item), item.allows, view_of(item))).or_insert(place);
    }
    let place = |item: &Item| places.get(&(paths_of(item), item.allows, view_of(item))).copied();
    let common: Vec<Option<usize>> = after.iter().map(place).collect();
    let kept = longest_rising(&common);
    drop(places);
    let mut merged = Vec::with_capacity(before.len() + after.len());
    let mut rest = before.into_iter().enumerate().peekable();
    for (item, (place, is_kept)) in after.into_iter().zip(common.into_iter().zip(kept)) {
        match place.filter(|_| is_kept) {
            Some(place) => {
                while let Some((_, only)) = rest.next_if(|&(at, _)| at < place) {
                    merged.push(only);
                }
                let (lines, is_repeated) =
                    rest.next().map_or(([None; 2], false), |(_, same)| (same.lines, same.is_repeated));
                merged.push(Item {
                    lines: [lines[BEFORE], item.lines[AFTER]],
                    is_repeated: item.is_repeated || is_repeated,
                    ..item
                });
            }
            None => merged.push(item),
        }
    }
    merged.extend(rest.map(|(_, only)| only));
    merged
}

/// Returns the paths of a rule, with a hash before them, so that most comparisons read nothing else.
fn paths_of(item: &Item) -> (u64, &Language) {
    (item.language.raw.hash, &item.language)
}

/// All paths are the same in every form.
fn view_of(item: &Item) -> usize {
    if item.language.raw.is_total() { 0 } else { item.view }
}

/// Leaves out rules whose paths an earlier rule has too.
fn distinct(mut items: Vec<Item>) -> Vec<Item> {
    let mut firsts = BTreeMap::new();
    // The first rule with the paths of each, in a map as that of `merged`, because each kind of map is code of its own.
    let first = items.iter().enumerate();
    let first: Vec<usize> =
        first.map(|(index, item)| *firsts.entry((paths_of(item), false, 0)).or_insert(index)).collect();
    drop(firsts);
    for (index, &first) in first.iter().enumerate() {
        if let Some(item) = items.get_mut(first) {
            item.is_repeated |= first != index;
        }
    }
    let mut is_first = first.iter().enumerate().map(|(index, first)| index == *first);
    items.retain(|_| is_first.next() == Some(true));
    items
}

/// Marks a longest rising subsequence of the places.
fn longest_rising(places: &[Option<usize>]) -> Vec<bool> {
    // For each length the index of the smallest place at which a sequence of this length ends.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before = vec![None; places.len()];
    for (index, place) in places.iter().enumerate() {
        let Some(place) = *place else { continue };
        let len = ends.partition_point(|&(end, _)| end < place);
        let previous = len.checked_sub(1).and_then(|len| ends.get(len)).map(|&(_, index)| index);
        if let Some(slot) = before.get_mut(index) {
            *slot = previous;
        }
        match ends.get_mut(len) {
            Some(end) => *end = (place, index),
            None => ends.push((place, index)),
        }
    }
    let mut kept = vec![false; places.len()];
    let mut next = ends.last().map(|&(_, index)| index);
    while let Some(index) = next {
        if let Some(kept) = kept.get_mut(index) {
            *kept = true;
        }
        next = before.get(index).copied().flatten();
    }
    kept
}

/// An index of rules by their prefixes.
pub(crate) struct Overlaps {
    /// The rules, sorted by their prefixes. The first bytes of each come before it as a number, which is compared faster.
    sorted: Vec<(u128, usize)>,
    /// For each of `sorted`, the nearest one before it with whose prefix its own begins.
    parents: Vec<Option<usize>>,
    /// Where each rule is in `sorted`.
    places: Vec<usize>,
}

impl Overlaps {
    pub(crate) fn new(items: &[Item]) -> Self {
        let prefix = |index: usize| items.get(index).map_or(&[][..], |item| &item.prefix);
        let with_head = |(index, item): (usize, &Item)| (head(&item.prefix), index);
        let mut sorted: Vec<(u128, usize)> = items.iter().enumerate().map(with_head).collect();
        sorted.sort_unstable_by(|(one, left), (other, right)| {
            let of_prefixes = one.cmp(other).then_with(|| prefix(*left).cmp(prefix(*right)));
            of_prefixes.then_with(|| left.cmp(right))
        });
        let mut parents = Vec::with_capacity(sorted.len());
        let mut places = vec![0; items.len()];
        for (place, &(_, index)) in sorted.iter().enumerate() {
            let mut parent = place.checked_sub(1);
            while let Some(at) = parent {
                if sorted.get(at).is_some_and(|&(_, shorter)| prefix(index).starts_with(prefix(shorter))) {
                    break;
                }
                parent = parents.get(at).copied().flatten();
            }
            parents.push(parent);
            if let Some(slot) = places.get_mut(index) {
                *slot = place;
            }
        }
        Self { sorted, parents, places }
    }

    /// Returns the rules whose prefix begins with that of a rule or the reverse, in ascending order, without itself.
    pub(crate) fn of(&self, items: &[Item], index: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let Some((&place, rule)) = self.places.get(index).zip(items.get(index)) else { return found };
        let longer = self.sorted.get(place + 1..).unwrap_or_default().iter().map(|&(_, index)| index);
        found.extend(longer.take_while(|&index| {
            items.get(index).is_some_and(|longer| longer.prefix.starts_with(&rule.prefix))
        }));
        let mut next = self.parents.get(place).copied().flatten();
        while let Some(at) = next {
            found.extend(self.sorted.get(at).map(|&(_, index)| index));
            next = self.parents.get(at).copied().flatten();
        }
        if found.len() + 1 == items.len() {
            // All others, as for each rule that begins with `/*`.
            found.clear();
            found.extend((0..items.len()).filter(|&other| other != index));
        } else {
            found.sort_unstable();
        }
        found
    }
}
