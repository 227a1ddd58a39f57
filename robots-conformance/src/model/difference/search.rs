//! The search itself: the states nearest to a verdict first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::BuildHasher;

use crate::model::difference::alphabet::{Alphabet, Kind, Unit, after, may_end};
use crate::model::difference::nodes::{Bytes, DEAD, MATCHED, Nodes};

/// The flags of a query that has begun, in the form of each rule set.
const QUERY: [u32; 2] = [1, 2];
/// The numbers of a state: flags, what is left of the removed rules, and what is left of both rule sets. This number separates
/// the parts.
const SEPARATOR: u32 = u32::MAX - 2;
/// A removed rule has matched.
const HAS_MATCHED: u32 = u32::MAX - 3;

/// How many steps of one pattern count as a state.
const STEPS_PER_STATE: usize = 512;

/// The largest number of units that are tried without a look at the patterns that distinguish them.
const FEW: usize = 8;

/// A search in one direction.
pub(super) struct Search<'s> {
    alphabet: &'s Alphabet,
    nodes: &'s mut Nodes,
    pair: &'s Pair,
    is_one_view: bool,
    to_allowed: bool,
    states: Vec<State>,
    /// The numbers of all states, one after the other.
    numbers: Vec<u32>,
    places: HashMap<u64, Vec<u32>, foldhash::fast::FixedState>,
    open: BinaryHeap<(Reverse<u32>, u32, u32)>,
    /// For the units that are alike in a state, the cheapest one.
    alike: HashMap<Signature, (u32, usize), foldhash::fast::FixedState>,
}

/// The bytes that the patterns read of a unit in each view, in up to three bytes, and decoded; and what else distinguishes units.
type Signature = ([u32; 4], u8);

struct State {
    start: usize,
    end: usize,
    cost: u32,
    parent: u32,
    has_percent: bool,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        alphabet: &'s Alphabet,
        nodes: &'s mut Nodes,
        pair: &'s Pair,
        is_one_view: bool,
        to_allowed: bool,
    ) -> Self {
        Self {
            alphabet,
            nodes,
            pair,
            is_one_view,
            to_allowed,
            states: Vec::new(),
            numbers: Vec::new(),
            places: HashMap::default(),
            open: BinaryHeap::new(),
            alike: HashMap::default(),
        }
    }

    /// Returns the length of a shortest path, and whether a `%` in it begins no escape.
    pub(super) fn run(&mut self, most: usize) -> Result<Option<(usize, bool)>, Limit> {
        let pair = self.pair;
        let mut start = vec![0];
        if let Some(removed) = &pair.removed {
            let is_matched = removed.contains(&MATCHED);
            start.extend(removed.iter().copied().filter(|&node| !is_matched && node != DEAD));
            start.extend(is_matched.then_some(HAS_MATCHED));
            if start.len() == 1 {
                return Ok(None);
            }
        }
        for list in &pair.lists {
            start.push(SEPARATOR);
            start.extend_from_slice(list);
        }
        self.add(&start, 1, u32::MAX, false);
        let (mut work, mut visited) = (0_usize, 0_usize);
        while let Some((Reverse(_), cost, place)) = self.open.pop() {
            let Some(state) = self.states.get(place as usize) else { continue };
            if state.cost < cost {
                continue;
            }
            let numbers = self.numbers.get(state.start..state.end).unwrap_or_default().to_vec();
            let (flags, [removed, before, after]) = parts(&numbers);
            let verdicts = [verdict(self.nodes, before), verdict(self.nodes, after)];
            if verdicts == [!self.to_allowed, self.to_allowed] && may_end(flags) {
                return Ok(Some((cost as usize, self.has_percent(place))));
            }
            visited += 1;
            let units = self.distinct(flags, [removed, before, after]);
            work += self.alphabet.units.len() + units.len() * numbers.len();
            if visited > most || work > most.saturating_mul(STEPS_PER_STATE) {
                return Err(Limit::Work);
            }
            for unit in units {
                self.step(&numbers, cost, place, unit);
            }
        }
        Ok(None)
    }

    fn has_percent(&self, mut place: u32) -> bool {
        while let Some(state) = self.states.get(place as usize) {
            if state.has_percent {
                return true;
            }
            place = state.parent;
        }
        false
    }

    /// Returns units of which each other one is alike, as far as the patterns can distinguish them.
    fn distinct(&mut self, flags: u32, lists: [&[u32]; 3]) -> Vec<usize> {
        let [removed, ..] = lists;
        let reached = self.reached(flags, removed);
        if reached.as_ref().is_some_and(|units| units.len() <= FEW) {
            return reached.unwrap_or_default();
        }
        // The bytes that patterns distinguish here, after a `%`, and after that, by view and kind of text.
        let mut ahead = [[[Bytes::default(); 3]; 2]; 2];
        let mut has_decoded = [false; 2];
        for node in lists.into_iter().flat_map(nodes_of).filter(|&node| node < HAS_MATCHED) {
            let of = self.nodes.get(node);
            let (view, is_decoded) = (of.view, of.decoded);
            if let Some(slot) = has_decoded.get_mut(view) {
                *slot |= is_decoded;
            }
            let of_node = self.nodes.ahead(node);
            let slots = ahead.get_mut(view).and_then(|view| view.get_mut(usize::from(is_decoded)));
            for (slot, bytes) in slots.into_iter().flatten().zip(&of_node) {
                slot.add_all(bytes);
            }
        }
        self.alike.clear();
        for (index, unit) in self.alphabet.units.iter().enumerate() {
            let read = |view: usize, decoded: bool| {
                let text = unit.text(view, decoded, is_in_query(flags, view));
                let bytes = ahead.get(view).and_then(|view| view.get(usize::from(decoded)));
                bytes.map_or(0, |bytes| signature(text, bytes))
            };
            let of_query = |view: usize| {
                u8::from(self.pair.has_decoded && !is_in_query(flags, view) && unit.begins_query(view))
            };
            let second = !self.is_one_view;
            let texts = [
                read(0, false),
                if has_decoded[0] { read(0, true) } else { 0 },
                if second { read(1, false) } else { 0 },
                if second && has_decoded[1] { read(1, true) } else { 0 },
            ];
            let key = (texts, of_query(0) | of_query(1) << 1 | (unit.kind as u8) << 2);
            let known = self.alike.entry(key).or_insert((unit.cost, index));
            *known = (*known).min((unit.cost, index));
        }
        let mut units: Vec<usize> = self.alike.values().map(|&(_, index)| index).collect();
        units.sort_unstable();
        units
    }

    /// Returns the units after which a removed rule may still match, unless one has matched.
    fn reached(&mut self, flags: u32, removed: &[u32]) -> Option<Vec<usize>> {
        if self.pair.removed.is_none() || removed == [HAS_MATCHED] {
            return None;
        }
        let nodes = &mut *self.nodes;
        let mut is_alive = |unit: &Unit, node: u32| {
            let of = nodes.get(node);
            nodes.run(node, unit.text(of.view, of.decoded, is_in_query(flags, of.view))) != DEAD
        };
        let units = self.alphabet.units.iter().enumerate();
        let units = units.filter(|(_, unit)| removed.iter().any(|&node| is_alive(unit, node)));
        Some(units.map(|(index, _)| index).collect())
    }

    fn step(&mut self, from: &[u32], cost: u32, parent: u32, index: usize) {
        let Some(unit) = self.alphabet.units.get(index) else { return };
        let (flags, [removed, before, after_list]) = parts(from);
        let Some(mut next_flags) = after(flags, unit.kind) else { return };
        for (view, flag) in QUERY.into_iter().enumerate() {
            let begins = self.pair.has_decoded && unit.begins_query(view);
            next_flags |= flags & flag | if begins { flag } else { 0 };
        }
        let nodes = &mut *self.nodes;
        let mut to = vec![next_flags];
        let mut read = |node: u32| {
            let of = nodes.get(node);
            nodes.run(node, unit.text(of.view, of.decoded, is_in_query(flags, of.view)))
        };
        if self.pair.removed.is_some() {
            for &node in removed {
                let next = if node == HAS_MATCHED { MATCHED } else { read(node) };
                if next == MATCHED {
                    to.truncate(1);
                    to.push(HAS_MATCHED);
                    break;
                }
                to.extend(Some(next).filter(|&next| next != DEAD));
            }
            if to.len() == 1 {
                return;
            }
        }
        for list in [before, after_list] {
            to.push(SEPARATOR);
            normalize(list, &mut read, &mut to);
        }
        let has_percent = matches!(unit.kind, Kind::Percent | Kind::PercentBeforeDigits);
        let cost = cost + unit.cost;
        self.add(&to, cost, parent, has_percent);
    }

    /// Adds a state, unless it is known or leads nowhere.
    fn add(&mut self, numbers: &[u32], cost: u32, parent: u32, has_percent: bool) {
        let (_, [removed, before, after]) = parts(numbers);
        if before == after && (self.is_one_view || before.len() == 1) {
            return;
        }
        // A path that is disallowed before is disallowed after too, or the other way round.
        if self.is_one_view && implies(before, after, !self.to_allowed) {
            return;
        }
        let ways = [left(self.nodes, before, !self.to_allowed), left(self.nodes, after, self.to_allowed)];
        let [Some(one), Some(other)] = ways else { return };
        let of_removed =
            removed.iter().filter(|&&node| node != HAS_MATCHED).map(|&node| self.nodes.get(node).left);
        let least = one.max(other).max(of_removed.min().unwrap_or(0)).div_ceil(self.alphabet.expansion);
        let hash = self.places.hasher().hash_one(numbers);
        let same = self.places.entry(hash).or_default();
        let known = same.iter().copied().find(|&place| {
            let state = self.states.get(place as usize);
            state.and_then(|state| self.numbers.get(state.start..state.end)) == Some(numbers)
        });
        let place = match known {
            Some(place) => {
                let Some(state) = self.states.get_mut(place as usize).filter(|state| cost < state.cost)
                else {
                    return;
                };
                state.cost = cost;
                state.parent = parent;
                state.has_percent = has_percent;
                place
            }
            None => {
                let place = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
                let start = self.numbers.len();
                self.numbers.extend_from_slice(numbers);
                let end = self.numbers.len();
                self.states.push(State { start, end, cost, parent, has_percent });
                same.push(place);
                place
            }
        };
        self.open.push((Reverse(cost + least), cost, place));
    }
}

/// Returns the flags and the three lists of a state.
fn parts(numbers: &[u32]) -> (u32, [&[u32]; 3]) {
    let Some((flags, lists)) = numbers.split_first() else { return (0, [&[]; 3]) };
    let mut lists = lists.split(|&number| number == SEPARATOR);
    (*flags, [(); 3].map(|()| lists.next().unwrap_or_default()))
}

fn is_in_query(flags: u32, view: usize) -> bool {
    QUERY.get(view).is_some_and(|flag| flags & flag != 0)
}

/// Returns the bytes of a text that the patterns distinguish from others. Other bytes change nothing after the first one.
fn signature(text: &[u8], ahead: &[Bytes; 3]) -> u32 {
    let known = |(&byte, bytes): (&u8, &Bytes)| if bytes.has(byte) { u32::from(byte) + 1 } else { 0 };
    let all = text.iter().zip(ahead).map(known).fold(0, |all, byte| all << 9 | byte);
    if all == 0 { 0 } else { all | u32::from(text.len() > 1) << 27 }
}

/// The reason for no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Limit {
    /// The search reached its limit.
    Work,
    /// A pattern has more than 126 bytes between two stars.
    Pattern,
}

/// The remains of both rule sets, and those of the removed rules if a difference needs one of them.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) lists: [Vec<u32>; 2],
    pub(super) removed: Option<Vec<u32>>,
    pub(super) has_decoded: bool,
}

/// The marks before the nodes of rules that disallow and that allow. The last number of a list is the mark of the verdict if none
/// of its nodes matches.
const DISALLOW: u32 = u32::MAX - 1;
const ALLOW: u32 = u32::MAX;

/// A mark for an effect.
pub(super) const fn mark(allows: bool) -> u32 {
    if allows { ALLOW } else { DISALLOW }
}

const fn is_mark(number: u32) -> bool {
    number >= DISALLOW
}

/// Brings rules into a normal form, in which equal lists treat all paths alike: `read` returns the node after what follows.
///
/// The order of rules with the same effect does not matter if they follow each other in precedence. Rules below one that has
/// matched do not matter, and neither do the last ones if their effect is the verdict without them.
pub(super) fn normalize(from: &[u32], mut read: impl FnMut(u32) -> u32, to: &mut Vec<u32>) {
    let first = to.len();
    // Where the last block begins, with its mark.
    let mut block: Option<usize> = None;
    let mut pending = ALLOW;
    let end = |to: &mut Vec<u32>, block: Option<usize>| {
        if let Some(nodes) = block.and_then(|start| to.get_mut(start + 1..))
            && !nodes.is_sorted_by(|one, other| one < other)
        {
            nodes.sort_unstable();
            let from = block.map_or(0, |start| start + 1);
            let mut last = None;
            let mut kept = from;
            for at in from..to.len() {
                let number = to.get(at).copied();
                if number != last {
                    if let (Some(slot), Some(number)) = (to.get_mut(kept), number) {
                        *slot = number;
                    }
                    kept += 1;
                    last = number;
                }
            }
            to.truncate(kept);
        }
    };
    for &number in from {
        if is_mark(number) {
            pending = number;
            continue;
        }
        let node = read(number);
        if node == DEAD {
            continue;
        }
        if node == MATCHED {
            break;
        }
        if block.and_then(|start| to.get(start)) != Some(&pending) {
            end(to, block);
            block = Some(to.len());
            to.push(pending);
        }
        to.push(node);
    }
    end(to, block);
    if let Some(start) = block.filter(|&start| to.get(start) == Some(&pending)) {
        to.truncate(start.max(first));
    }
    to.push(pending);
}

/// Returns the verdict about a path that ends here.
pub(super) fn verdict(nodes: &Nodes, list: &[u32]) -> bool {
    let mut last = ALLOW;
    for &number in list {
        if is_mark(number) {
            last = number;
        } else if nodes.get(number).accepts {
            break;
        }
    }
    last == ALLOW
}

/// Returns how many bytes must follow at least for a verdict; `None` if it can't be reached.
pub(super) fn left(nodes: &Nodes, list: &[u32], allows: bool) -> Option<u32> {
    let wanted = mark(allows);
    if list.last() == Some(&wanted) {
        return Some(0);
    }
    let mut last = ALLOW;
    let mut least = None;
    for &number in list {
        if is_mark(number) {
            last = number;
        } else if last == wanted {
            let left = nodes.get(number).left;
            least = Some(least.map_or(left, |least: u32| least.min(left)));
        }
    }
    least
}

/// Returns whether `one` has the verdict only where `other` has it too: each of its rules with this effect is also one of `other` in
/// the same place, and each rule with the other effect that `other` has is also one of `one`. May return `false` where that is so.
pub(super) fn implies(one: &[u32], other: &[u32], allows: bool) -> bool {
    let wanted = mark(allows);
    let is_same_or_wanted = match (one.last(), other.last()) {
        (Some(one), Some(other)) => one == other || *other == wanted,
        _ => false,
    };
    let blocks = |list| <[u32]>::chunk_by(list, |_, next| !is_mark(*next)).collect::<Vec<_>>();
    let (ones, others) = (blocks(one), blocks(other));
    let is_contained = |(one, other): (&&[u32], &&[u32])| match (one.split_first(), other.split_first()) {
        (Some((mark, one)), Some((same, other))) if mark == same => {
            if *mark == wanted {
                is_subset(one, other)
            } else {
                is_subset(other, one)
            }
        }
        _ => false,
    };
    // The last ones are the verdicts without a match.
    let count = ones.len() - 1;
    is_same_or_wanted && ones.len() == others.len() && ones.iter().zip(&others).take(count).all(is_contained)
}

/// Returns whether each number of a sorted list is in another one.
fn is_subset(few: &[u32], many: &[u32]) -> bool {
    let mut many = many.iter();
    few.len() <= many.len() && few.iter().all(|number| many.any(|other| other == number))
}

/// Returns the nodes of a list.
pub(super) fn nodes_of(list: &[u32]) -> impl Iterator<Item = u32> + '_ {
    list.iter().copied().filter(|&number| !is_mark(number))
}
