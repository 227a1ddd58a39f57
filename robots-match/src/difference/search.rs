//! The search for a shortest path that two rules match and others do not, the states that it has seen, and its limits.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::difference::alphabet::{Alphabet, Unit, flags_after, needs_digit};
use crate::difference::automaton::{Automaton, DEAD};
use crate::difference::item::{Item, Reading};
use crate::pattern::canonical::{OneSided, has_equal_encoding};

/// An automaton that reads a path, in one of its forms.
struct Track<'a> {
    automaton: &'a Automaton,
    view: usize,
    reading: Reading,
}

/// A search for a path that the rules `required` match and the rules `forbidden` do not.
pub(crate) struct Search<'a> {
    alphabet: &'a Alphabet,
    /// The tracks of the first required rule, of the second one, and of forbidden rules.
    tracks: Vec<Track<'a>>,
    first: usize,
    required: usize,
    /// Whether a track reads reserved bytes as equal to their encodings, so that it matters where the query begins.
    has_equal: bool,
    /// The sets of bytes that tracks read as encoded.
    encoded: Vec<OneSided>,
    /// A unit that no pattern contains, if there is one for all states.
    fresh: Option<u16>,
}

/// The states that wait to be visited: the one with the lowest numbers first.
type Open = BinaryHeap<(Reverse<(u32, u32)>, Reverse<u32>)>;

/// The data of a search.
struct Kept<'k> {
    states: &'k mut States,
    open: &'k mut Open,
    budget: &'k mut Budget,
}

/// The position of the flags in a row; the states of the tracks follow.
const FLAGS: usize = 0;
/// The query has begun, in the form of the rule set before or after. Other flags are those of a `%` that begins no escape.
const QUERY: [u32; 2] = [1, 2];

impl<'a> Search<'a> {
    /// Prepares the search. Takes as many steps as the patterns have bytes.
    pub(crate) fn new(
        alphabet: &'a Alphabet,
        required: [&'a Item; 2],
        forbidden: &[&'a Item],
        budget: &mut Budget,
    ) -> Result<Self, Spent> {
        fn tracks(item: &Item) -> impl Iterator<Item = Track<'_>> {
            let readings = item.language.readings();
            readings.map(|(automaton, reading)| Track { automaton, view: item.view, reading })
        }
        let [one, other] = required;
        let mut all: Vec<Track<'a>> = tracks(one).collect();
        let first = all.len();
        // A rule that is always matched where the first is matched needs no tracks.
        if !other.contains(one) {
            all.extend(tracks(other));
        }
        let required = all.len();
        all.extend(forbidden.iter().flat_map(|item| tracks(item)));
        let has_equal = all.iter().any(|track| track.reading != Reading::AsWritten);
        let mut encoded: Vec<OneSided> = Vec::new();
        for track in &all {
            if let Reading::Equal(bytes) = track.reading {
                if !bytes.is_empty() && !encoded.contains(&bytes) {
                    encoded.push(bytes);
                }
            }
        }
        budget.spend_steps(all.iter().map(|track| track.automaton.end() as usize).sum())?;
        let mut is_literal = [false; 256];
        for byte in all.iter().flat_map(|track| track.automaton.literals()) {
            if let Some(slot) = is_literal.get_mut(usize::from(byte)) {
                *slot = true;
            }
        }
        let fresh = unused(alphabet, &is_literal);
        Ok(Self { alphabet, tracks: all, first, required, has_equal, encoded, fresh })
    }

    /// Returns the shortest path in bytes, as it is written, if it is shorter than `bound`. With `is_greedy`, the path may
    /// not be the shortest.
    pub(crate) fn run(
        &self,
        bound: Option<u32>,
        is_greedy: bool,
        budget: &mut Budget,
    ) -> Result<Option<Vec<u8>>, Spent> {
        let mut states = States::new(self.tracks.len() + 1, self.required + 1);
        let mut open = Open::new();
        let mut row = vec![0; self.tracks.len() + 1];
        let Some(slash) = self.alphabet.of_byte(b'/') else { return Ok(None) };
        let start = row.clone();
        let mut candidates = Vec::new();
        if self.step(&start, slash, &mut row) {
            let kept = Kept { states: &mut states, open: &mut open, budget };
            self.open(kept, &row, NONE, slash, bound, is_greedy)?;
        }
        while let Some((Reverse((estimate, _)), Reverse(state))) = open.pop() {
            if !is_greedy && bound.is_some_and(|bound| estimate >= bound) {
                break;
            }
            let current = states.row(state).to_vec();
            if self.accepts(&current) {
                return Ok(Some(self.path(&states, state)));
            }
            self.candidates(&current, &mut candidates);
            budget.spend_state(candidates.len() * self.tracks.len())?;
            for &unit in &candidates {
                if self.step(&current, unit, &mut row) {
                    let kept = Kept { states: &mut states, open: &mut open, budget };
                    self.open(kept, &row, state, unit, bound, is_greedy)?;
                }
            }
        }
        Ok(None)
    }

    /// Keeps a state to visit it later, unless it leads to no better path than another.
    fn open(
        &self,
        kept: Kept<'_>,
        row: &[u32],
        parent: u32,
        unit: u16,
        bound: Option<u32>,
        is_greedy: bool,
    ) -> Result<(), Spent> {
        let Kept { states, open, budget } = kept;
        let before = if parent == NONE { 0 } else { states.meta(parent).cost };
        let cost = before.saturating_add(self.alphabet.unit(unit).cost());
        let Some(left) = self.left(row) else { return Ok(()) };
        let estimate = cost.saturating_add(left);
        if bound.is_some_and(|bound| estimate >= bound) {
            return Ok(());
        }
        let is_as_good = |earlier: &[u32], new: &[u32]| {
            let automata = self.tracks.get(self.required..).unwrap_or_default();
            let mut states = automata.iter().zip(earlier.iter().zip(new));
            states.all(|(track, (&earlier, &new))| track.automaton.accepts_no_more(earlier, new))
        };
        if let Some(state) = states.add(row, Meta { cost, parent, unit }, is_as_good) {
            let first = if is_greedy { left } else { estimate };
            // Among states with the same estimate, the one nearest to the end.
            open.push((Reverse((first, left)), Reverse(state)));
            budget.spend_memory(states.memory_per_state())?;
        }
        Ok(())
    }

    fn path(&self, states: &States, mut state: u32) -> Vec<u8> {
        let mut units = Vec::new();
        while state != NONE {
            let meta = states.meta(state);
            units.push(meta.unit);
            state = meta.parent;
        }
        units.iter().rev().flat_map(|&unit| self.alphabet.unit(unit).written.bytes()).copied().collect()
    }

    /// Returns the tracks with their states, and each group of required ones.
    fn groups<'r>(&'r self, row: &'r [u32]) -> [impl Iterator<Item = (&'r Track<'a>, u32)>; 2] {
        let group = |from: usize, to: usize| {
            let tracks = self.tracks.get(from..to).unwrap_or_default();
            tracks.iter().zip(row.get(from + 1..).unwrap_or_default().iter().copied())
        };
        [group(0, self.first), group(self.first, self.required)]
    }

    fn has_second(&self) -> bool {
        self.first < self.required
    }

    /// Returns how many bytes a path needs at least from here on; `None` if a required rule does not match.
    fn left(&self, row: &[u32]) -> Option<u32> {
        let [first, second] = self.groups(row);
        let first = first.filter_map(|(track, state)| track.automaton.left(state)).min()?;
        let second = if self.has_second() {
            second.filter_map(|(track, state)| track.automaton.left(state)).min()?
        } else {
            0
        };
        Some(first.max(second).div_ceil(3))
    }

    fn accepts(&self, row: &[u32]) -> bool {
        if row.get(FLAGS).copied().is_some_and(needs_digit) {
            return false;
        }
        let is_at_end = |(track, state): (&Track<'_>, u32)| state == track.automaton.end();
        let [mut first, mut second] = self.groups(row);
        let forbidden = self.tracks.get(self.required..).unwrap_or_default();
        let mut forbidden =
            forbidden.iter().zip(row.get(self.required + 1..).unwrap_or_default().iter().copied());
        first.any(is_at_end) && (!self.has_second() || second.any(is_at_end)) && !forbidden.any(is_at_end)
    }

    /// Computes the row after a unit. Returns whether a path may follow.
    fn step(&self, from: &[u32], unit: u16, to: &mut [u32]) -> bool {
        let flags = from.get(FLAGS).copied().unwrap_or_default();
        let Some(after) = self.flags_after(flags, unit) else { return false };
        let unit = self.alphabet.unit(unit);
        let mut is_alive = [false; 2];
        let tracks = self.tracks.iter().zip(from.iter().zip(to.iter_mut()).skip(1));
        for (index, (track, (&state, to))) in tracks.enumerate() {
            if index == self.required
                && !(is_alive == [true; 2] || is_alive == [true, false] && !self.has_second())
            {
                return false;
            }
            let bytes = text(unit, track, flags);
            let next = if state == DEAD { DEAD } else { track.automaton.run(state, bytes) };
            *to = next;
            if index < self.required {
                if let Some(is_alive) = is_alive.get_mut(usize::from(index >= self.first)) {
                    *is_alive |= next != DEAD;
                }
            } else if !track.automaton.is_anchored() && next == track.automaton.end() {
                return false;
            }
        }
        if let Some(flags) = to.get_mut(FLAGS) {
            *flags = after;
        }
        is_alive == [true; 2] || is_alive == [true, false] && !self.has_second()
    }

    /// Returns the flags after a unit; `None` if the unit can't follow.
    fn flags_after(&self, flags: u32, unit: u16) -> Option<u32> {
        let mut after = flags & (QUERY[0] | QUERY[1]);
        if self.has_equal {
            for (view, flag) in QUERY.into_iter().enumerate() {
                if self.alphabet.unit(unit).is_query(view) {
                    after |= flag;
                }
            }
        }
        Some(after | flags_after(flags, self.alphabet.unit(unit).part)?)
    }

    /// Collects the units that may follow: those of which a required rule needs a byte, those that begin a query, and one
    /// that no rule needs.
    ///
    /// Replacing a unit that no required rule needs by one that no rule contains takes a path out of no required rule and
    /// into no forbidden rule.
    fn candidates(&self, row: &[u32], found: &mut Vec<u16>) {
        found.clear();
        let flags = row.get(FLAGS).copied().unwrap_or_default();
        if self.alphabet.has_one_view {
            self.needed(row, flags, found);
        } else {
            self.needed_in_either_view(row, flags, found);
        }
        if needs_digit(flags) {
            found.extend_from_slice(&self.alphabet.digits);
        }
        if let Some(fresh) = self.fresh {
            found.push(fresh);
        } else {
            self.fresh_here(row, found);
        }
        found.sort_unstable();
        found.dedup();
    }

    fn required_positions<'r>(&'r self, row: &'r [u32]) -> impl Iterator<Item = (&'r Track<'a>, u32)> {
        let tracks = self.tracks.iter().zip(row.iter().skip(1)).take(self.required);
        tracks.flat_map(|(track, &state)| track.automaton.positions(state).map(move |at| (track, at)))
    }

    fn needed(&self, row: &[u32], flags: u32, found: &mut Vec<u16>) {
        let in_query = flags & QUERY[0] != 0;
        let mut all_escapes = false;
        let mut all_encoded = false;
        for (track, at) in self.required_positions(row) {
            let Some(byte) = track.automaton.link(at).byte() else { continue };
            all_encoded |= byte == b'%' || byte.is_ascii_hexdigit();
            if byte == b'%' {
                match track.automaton.escape_at(at) {
                    Some(escape) => found.extend(self.alphabet.of_escape(&escape)),
                    None => {
                        all_escapes = true;
                        found.extend(self.alphabet.lone);
                    }
                }
                continue;
            }
            found.extend(self.alphabet.of_byte(byte));
            if self.has_equal {
                if track.reading != Reading::AsWritten && has_equal_encoding(byte) {
                    found.extend(self.alphabet.encodings_of(byte));
                } else if byte.is_ascii_hexdigit() {
                    found.extend(self.alphabet.encodings_with(byte));
                }
            }
        }
        if all_encoded {
            let encoded = self.encoded.iter().flat_map(|bytes| bytes.bytes());
            found.extend(encoded.filter_map(|byte| self.alphabet.of_byte(byte)));
        }
        if all_escapes {
            found.extend_from_slice(self.alphabet.escapes());
        }
        if self.has_equal && !in_query {
            found.extend(self.alphabet.of_byte(b'?'));
        }
    }

    fn needed_in_either_view(&self, row: &[u32], flags: u32, found: &mut Vec<u16>) {
        let in_query = QUERY.map(|flag| flags & flag != 0);
        // The bytes that were looked up: for each view, as they are written and where they are equal to their encodings.
        let mut known = [[[false; 256]; 2]; 2];
        for (track, at) in self.required_positions(row) {
            let Some(byte) = track.automaton.link(at).byte() else { continue };
            let equal = track.reading != Reading::AsWritten;
            let known = known.get_mut(track.view).and_then(|view| view.get_mut(usize::from(equal)));
            let Some(slot) = known.and_then(|known| known.get_mut(usize::from(byte))) else { continue };
            if !*slot {
                *slot = true;
                found.extend_from_slice(self.alphabet.with_byte(track.view, equal, byte));
            }
        }
        for (view, in_query) in in_query.into_iter().enumerate() {
            if self.has_equal && !in_query {
                found.extend_from_slice(self.alphabet.queries(view));
            }
        }
    }

    /// Adds a unit that no rule contains where its state is, or all units if there is none.
    fn fresh_here(&self, row: &[u32], found: &mut Vec<u16>) {
        let mut is_literal = [false; 256];
        for (track, &state) in self.tracks.iter().zip(row.iter().skip(1)) {
            for at in track.automaton.positions(state) {
                let byte = track.automaton.link(at).byte().map(usize::from);
                if let Some(slot) = byte.and_then(|byte| is_literal.get_mut(byte)) {
                    *slot = true;
                }
            }
        }
        match unused(self.alphabet, &is_literal) {
            Some(fresh) => found.push(fresh),
            None => found.extend(0..self.alphabet.len()),
        }
    }
}

/// Returns an unreserved unit that is not among the literals.
fn unused(alphabet: &Alphabet, is_literal: &[bool; 256]) -> Option<u16> {
    let is_unused = |&&(byte, _): &&(u8, u16)| {
        is_literal.get(usize::from(byte)) == Some(&false)
            && !(alphabet.lone.is_some() && byte.is_ascii_hexdigit())
    };
    alphabet.fresh.iter().find(is_unused).map(|&(_, index)| index)
}

/// Returns what a track reads of a unit.
fn text<'u>(unit: &'u Unit, track: &Track<'_>, flags: u32) -> &'u [u8] {
    let in_query = QUERY.get(track.view).is_some_and(|flag| flags & flag != 0);
    match track.reading {
        Reading::AsWritten => unit.canonical.get(track.view).expect("there are two views").bytes(),
        Reading::Equal(encoded) => unit.equal(track.view, in_query, encoded).bytes(),
    }
}

/// No state.
pub(crate) const NONE: u32 = u32::MAX;

/// How many states with the same required part are compared with a new one.
const MOST_COMPARED: usize = 48;

/// States, each a row of numbers of the same length: the required part first.
pub(crate) struct States {
    width: usize,
    required: usize,
    rows: Vec<u32>,
    meta: Vec<Meta>,
    by_row: Chains,
    by_required: Chains,
}

/// How a state was reached.
#[derive(Clone, Copy)]
pub(crate) struct Meta {
    /// The bytes of the path up to here.
    pub(crate) cost: u32,
    /// The state before.
    pub(crate) parent: u32,
    /// The unit that led here.
    pub(crate) unit: u16,
}

/// A hash table: for each hash the latest state, and for each state the one before it with the same hash.
struct Chains {
    heads: Vec<u32>,
    previous: Vec<u32>,
    hashes: Vec<u32>,
}

impl Chains {
    fn new() -> Self {
        Self { heads: vec![NONE; 64], previous: Vec::new(), hashes: Vec::new() }
    }

    // The number of heads is a power of two.
    fn slot(&self, hash: u32) -> usize {
        hash as usize & (self.heads.len() - 1)
    }

    /// Returns the earlier states that may have this hash, the latest first.
    fn states(&self, hash: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |state: u32| Some(state).filter(|&state| state != NONE);
        let first = self.heads.get(self.slot(hash)).copied().and_then(next);
        core::iter::successors(first, move |&state| self.previous.get(state as usize).copied().and_then(next))
            .filter(move |&state| self.hashes.get(state as usize) == Some(&hash))
    }

    fn push(&mut self, hash: u32) {
        if self.hashes.len() * 2 >= self.heads.len() {
            self.heads = vec![NONE; self.heads.len() * 2];
            self.previous.clear();
            for hash in core::mem::take(&mut self.hashes) {
                self.link(hash);
            }
        }
        self.link(hash);
    }

    fn link(&mut self, hash: u32) {
        let slot = self.slot(hash);
        let head = self.heads.get_mut(slot).expect("a slot is an index of a head");
        self.previous.push(*head);
        *head = u32::try_from(self.hashes.len()).expect("memory is limited to fewer than 2^32 states");
        self.hashes.push(hash);
    }
}

fn hash(row: &[u32]) -> u32 {
    let hash = row.iter().fold(0x9E37_79B9_u64, |hash, &number| {
        (hash ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    });
    (hash >> 32) as u32
}

impl States {
    pub(crate) fn new(width: usize, required: usize) -> Self {
        let (by_row, by_required) = (Chains::new(), Chains::new());
        Self { width, required, rows: Vec::new(), meta: Vec::new(), by_row, by_required }
    }

    /// Returns the memory that a state takes, in bytes.
    pub(crate) const fn memory_per_state(&self) -> usize {
        4 * self.width + size_of::<Meta>() + 32
    }

    pub(crate) fn row(&self, state: u32) -> &[u32] {
        let start = state as usize * self.width;
        self.rows.get(start..start + self.width).expect("a state is the index of a row")
    }

    pub(crate) fn meta(&self, state: u32) -> Meta {
        *self.meta.get(state as usize).expect("a state is the index of a row")
    }

    /// Adds a state, unless one with the same required part costs no more and `is_as_good` returns `true` for what
    /// follows the required part: first that of the earlier state, then that of the new one.
    pub(crate) fn add(
        &mut self,
        row: &[u32],
        meta: Meta,
        is_as_good: impl Fn(&[u32], &[u32]) -> bool,
    ) -> Option<u32> {
        let (required, others) = row.split_at_checked(self.required)?;
        let row_hash = hash(row);
        let costs_no_more = |earlier: u32| self.meta(earlier).cost <= meta.cost;
        if self.by_row.states(row_hash).any(|earlier| costs_no_more(earlier) && self.row(earlier) == row) {
            return None;
        }
        let required_hash = hash(required);
        let is_worse = |earlier: u32| {
            costs_no_more(earlier)
                && self
                    .row(earlier)
                    .split_at_checked(self.required)
                    .is_some_and(|(same, before)| same == required && is_as_good(before, others))
        };
        if self.by_required.states(required_hash).take(MOST_COMPARED).any(is_worse) {
            return None;
        }
        let state = u32::try_from(self.meta.len()).ok()?;
        self.rows.extend_from_slice(row);
        self.meta.push(meta);
        self.by_row.push(row_hash);
        self.by_required.push(required_hash);
        Some(state)
    }
}

/// How much work counts as one state, in steps of one automaton or comparisons of two patterns.
const STEPS_PER_STATE: usize = 112;

/// The steps that a search may take in any case.
const FEWEST_STEPS: usize = 10_000_000;

/// How much memory one state may take on average, in bytes.
const MEMORY_PER_STATE: usize = 256;

/// The most memory that the states of a search may take, in bytes.
const MOST_MEMORY: usize = 24 << 20;

/// The largest limit of states.
const MOST_STATES: usize = 1 << 22;

/// The budget is spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent;

/// The work that a search may still do.
pub(crate) struct Budget {
    most_states: usize,
    most_steps: usize,
    most_memory: usize,
    states: usize,
    steps: usize,
    memory: usize,
}

impl Budget {
    /// Creates a budget of some states and of the steps and the memory that go with them, and at most `steps` steps.
    pub(crate) fn new(states: usize, steps: usize) -> Self {
        let most_states = states.min(MOST_STATES);
        Self {
            most_states,
            most_steps: (most_states * STEPS_PER_STATE + FEWEST_STEPS).min(steps),
            most_memory: (most_states * MEMORY_PER_STATE).min(MOST_MEMORY),
            states: 0,
            steps: 0,
            memory: 0,
        }
    }

    /// Returns the number of states visited so far.
    pub(crate) const fn states(&self) -> usize {
        self.states
    }

    /// Returns the number of steps so far.
    pub(crate) const fn steps(&self) -> usize {
        self.steps
    }

    pub(crate) const fn spend_steps(&mut self, steps: usize) -> Result<(), Spent> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.most_steps { Err(Spent) } else { Ok(()) }
    }

    /// Counts a state that is visited.
    pub(crate) const fn spend_state(&mut self, steps: usize) -> Result<(), Spent> {
        if self.states >= self.most_states {
            return Err(Spent);
        }
        self.states += 1;
        self.spend_steps(steps)
    }

    /// Counts the memory of a state that is kept, in bytes.
    pub(crate) const fn spend_memory(&mut self, bytes: usize) -> Result<(), Spent> {
        self.memory = self.memory.saturating_add(bytes);
        if self.memory > self.most_memory { Err(Spent) } else { Ok(()) }
    }

    /// Forgets the memory of a search that has ended.
    pub(crate) const fn free(&mut self) {
        self.memory = 0;
    }
}
