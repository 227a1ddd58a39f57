//! The rules of two rule sets in one order.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use crate::difference::alphabet::Alphabet;
use crate::difference::item::{Item, Language};
use crate::rule_set::RuleSet;

/// Returns the rules of a rule set in the order of precedence, with what its policy adds.
pub(crate) fn items(rules: &RuleSet, view: usize, alphabet: &Alphabet) -> Vec<Item> {
    let item = |language: Language, allows, line| {
        let is_kept = language.is_kept(view, alphabet);
        Item { language, view, is_kept, allows, line, in_before: true, in_after: true }
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

/// Merges the rules of two rule sets into one list in which the rules of each have their order. Rules of both that have
/// the same paths, the same effect and the same place in the order become one.
///
/// The first rule of the list that matches a path decides about it in both rule sets if it is in both.
pub(crate) fn merged(before: Vec<Item>, after: Vec<Item>) -> Vec<Item> {
    let before = distinct(before);
    let after = distinct(after);
    let mut places = BTreeMap::new();
    for (place, item) in before.iter().enumerate() {
        places.insert((paths_of(item), item.allows, view_of(item)), place);
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
                    merged.push(Item { in_after: false, ..only });
                }
                rest.next();
                merged.push(item);
            }
            None => merged.push(Item { in_before: false, ..item }),
        }
    }
    merged.extend(rest.map(|(_, only)| Item { in_after: false, ..only }));
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

/// Removes rules whose paths an earlier rule has too.
fn distinct(items: Vec<Item>) -> Vec<Item> {
    let mut is_first = vec![true; items.len()];
    let mut seen = BTreeSet::new();
    for (item, is_first) in items.iter().zip(&mut is_first) {
        *is_first = seen.insert(paths_of(item));
    }
    items.into_iter().zip(is_first).filter_map(|(item, is_first)| is_first.then_some(item)).collect()
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
