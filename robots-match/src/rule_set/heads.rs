//! The sorted heads of the prefixes in a large rule set, and the search for the place of another head among them.

use alloc::boxed::Box;

use crate::rule_set::long_head::{STARTS, start_of};
use crate::rule_set::table::to_u32;

/// The invariant of [`Heads`].
const START: &str = "each start has a range of heads";

/// The long head of each prefix after its `/`. In real files, 16 bytes distinguish nearly all prefixes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Heads {
    sorted: Box<[u128]>,
    /// For each start of a head, in their order, the index of the first head that does not sort before it; then the number of
    /// heads.
    starts: Box<[u32]>,
}

impl Heads {
    pub(super) fn new(sorted: Box<[u128]>) -> Self {
        let mut next = 0;
        let starts = (0..=STARTS).map(|start| {
            next += sorted.iter().skip(next).take_while(|head| start_of(**head) < start).count();
            to_u32(next)
        });
        let starts = starts.collect();
        Self { sorted, starts }
    }

    /// Returns the bytes that these have on the heap.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.sorted) + size_of_val(&*self.starts)
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&u128> {
        self.sorted.get(index)
    }

    /// Returns the heads from an index on.
    #[inline]
    pub(super) fn starting_at(&self, index: usize) -> &[u128] {
        self.sorted.get(index..).unwrap_or_default()
    }

    /// Returns the index of the first head that does not sort before `head`.
    ///
    /// Most heads differ in their upper halves, so the lower ones are compared only where these are equal.
    // For large sets of plain rules, a call would take about a twentieth of the time of a verdict.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn first_not_before(&self, head: u128) -> usize {
        let start = start_of(head);
        let (first, end) = self.starts.get(start).zip(self.starts.get(start + 1)).expect(START);
        let (mut first, mut end) = (*first as usize, *end as usize);
        let upper = upper_half(head);
        let heads = self.sorted.get(..end).expect(START);
        let is_before = |other: &u128| *other < head;
        // A WebAssembly module is smaller without the comparison of upper halves.
        while cfg!(not(target_family = "wasm")) && first < end {
            let middle = (first + end) / 2;
            let Some(other) = heads.get(middle) else { break };
            let other_upper = upper_half(*other);
            if other_upper < upper {
                first = middle + 1;
            } else if other_upper > upper {
                end = middle;
            } else {
                // Few heads have the same upper half.
                let before = heads.get(first..middle).expect(START);
                if !is_before(other) && before.last().is_none_or(is_before) {
                    return middle;
                }
                break;
            }
        }
        first + heads.get(first..end).expect(START).partition_point(is_before)
    }
}

#[inline]
const fn upper_half(head: u128) -> u64 {
    (head >> 64) as u64
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_first_head_not_before_another_is_that_of_a_comparison_of_all() {
        // Few different halves, so that heads share them, and heads that occur several times.
        let halves: Vec<u128> = [0, 1, 0x61, 0x6161, 0x6162, 0x61FF, 0x7A7A, 0x8000, 0xFFFF]
            .map(|end: u128| end << 48 | end)
            .into();
        let all: Vec<u128> =
            halves.iter().flat_map(|upper| halves.iter().map(|lower| *upper << 64 | *lower)).collect();
        for step in 1..all.len() {
            for copies in 1..4 {
                let some = all.iter().step_by(step).flat_map(|head| core::iter::repeat_n(*head, copies));
                let heads = Heads::new(some.collect());
                for head in
                    all.iter().flat_map(|head| [head.saturating_sub(1), *head, head.saturating_add(1)])
                {
                    let expected = heads.starting_at(0).iter().take_while(|other| **other < head).count();
                    assert_eq!(heads.first_not_before(head), expected, "{head:x}");
                }
            }
        }
        assert_eq!(Heads::new(Box::default()).first_not_before(0), 0);
    }
}
