//! The states that a search has seen.

use alloc::vec;
use alloc::vec::Vec;

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
