//! The memory that the inputs of an audit share.

use alloc::collections::BTreeSet;
use core::time::Duration;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Memory, of which each input that is worked on has a part. An input waits until there is room for its part.
///
/// Of the inputs that have a part, the one that got it first never waits, whatever the others have. So the work always goes on, and all
/// parts together are at most the budget and the part of one input.
#[derive(Debug)]
pub(super) struct Budget {
    most: usize,
    state: Mutex<Spent>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Spent {
    /// In bytes.
    used: usize,
    /// The parts by their numbers.
    parts: BTreeSet<u64>,
    /// The number of the next part.
    next: u64,
}

/// The part of an input. It is given back when it is dropped.
#[derive(Debug)]
pub(super) struct Part<'b> {
    budget: &'b Budget,
    number: u64,
    size: usize,
}

impl Budget {
    /// A budget of so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { most, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Returns the part of the next input, which is empty at first.
    ///
    /// An input may wait for those before it in other ways, too, so inputs get their parts in the order of their output.
    pub(super) fn part(&self) -> Part<'_> {
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        state.parts.insert(number);
        Part { budget: self, number, size: 0 }
    }

    fn lock(&self) -> MutexGuard<'_, Spent> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the part with this number may have so many bytes more.
    fn has_room(&self, state: &Spent, number: u64, more: usize) -> bool {
        state.used.saturating_add(more) <= self.most || state.parts.first() == Some(&number)
    }
}

impl Part<'_> {
    /// Changes the part to so many bytes, and returns for how long the input waited.
    pub(super) fn resize(&mut self, size: usize) -> Duration {
        let mut state = self.budget.lock();
        let Some(more) = size.checked_sub(self.size) else {
            state.used -= self.size - size;
            self.size = size;
            self.budget.changed.notify_all();
            return Duration::ZERO;
        };
        let start = Instant::now();
        while !self.budget.has_room(&state, self.number, more) {
            state = self.budget.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.used = state.used.saturating_add(more);
        self.size = size;
        start.elapsed()
    }

    /// Changes the part to at least so many bytes, if there is room now. Returns whether there is.
    pub(super) fn try_grow(&mut self, size: usize) -> bool {
        let Some(more) = size.checked_sub(self.size) else { return true };
        let mut state = self.budget.lock();
        let has_room = self.budget.has_room(&state, self.number, more);
        if has_room {
            state.used = state.used.saturating_add(more);
            self.size = size;
        }
        has_room
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.lock();
        state.used = state.used.saturating_sub(self.size);
        state.parts.remove(&self.number);
        drop(state);
        self.budget.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn parts_wait_for_room_and_the_first_one_does_not() {
        let budget = Budget::new(100);
        let (mut first, mut second, mut third) = (budget.part(), budget.part(), budget.part());
        second.resize(60);
        assert!(third.try_grow(40) && !third.try_grow(41) && !second.try_grow(61));
        assert!(first.try_grow(1000) && first.try_grow(5));
        first.resize(10);
        assert!(!third.try_grow(41));
        drop(first);
        // Now the second one is the first.
        assert!(second.try_grow(61) && !third.try_grow(41));
        drop(second);
        assert!(third.try_grow(usize::MAX));
        drop(third);
        assert_eq!(budget.lock().used, 0);
    }

    #[test]
    fn no_more_is_used_than_the_budget_and_one_part() {
        let budget = Budget::new(100);
        let (used, highest) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                let (budget, used, highest) = (&budget, &used, &highest);
                scope.spawn(move || {
                    for _ in 0..200 {
                        let mut part = budget.part();
                        for size in [20, 70, 30] {
                            part.resize(size);
                            let now = used.fetch_add(size, Ordering::SeqCst) + size;
                            highest.fetch_max(now, Ordering::SeqCst);
                            thread::yield_now();
                            used.fetch_sub(size, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert!(highest.load(Ordering::SeqCst) <= 100 + 70, "{highest:?}");
    }
}
