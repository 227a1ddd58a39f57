//! The memory that the inputs of an audit share.

use alloc::collections::BTreeSet;
use core::time::Duration;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Memory, of which each input that is worked on has a part. An input waits until there is room for its part.
///
/// One input at a time never waits, whatever the others have: the first of those that are worked on, from when it has more than
/// there is room for until it ends. So the work always goes on, and all parts together are at most the budget and the part of one
/// input, in whatever order inputs begin.
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
    /// The positions of the inputs that have a part.
    places: BTreeSet<usize>,
    /// The position of the input that had more than there was room for.
    beyond: Option<usize>,
}

/// The part of an input. It is given back when it is dropped.
#[derive(Debug)]
pub(super) struct Part<'b> {
    budget: &'b Budget,
    place: usize,
    size: usize,
}

impl Budget {
    /// A budget of so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { most, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Returns the part of the input at this position, which is empty at first.
    pub(super) fn part(&self, place: usize) -> Part<'_> {
        self.lock().places.insert(place);
        Part { budget: self, place, size: 0 }
    }

    fn lock(&self) -> MutexGuard<'_, Spent> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes so many bytes more for the input at this position, if it may have them. Returns whether it may.
    fn take(&self, state: &mut Spent, place: usize, more: usize) -> bool {
        let used = state.used.saturating_add(more);
        if used > self.most {
            // An input before this one may begin later. It waits, too: two such inputs would use more than the budget and one part.
            let first = state.places.first() == Some(&place);
            if state.beyond.map_or(!first, |beyond| beyond != place) {
                return false;
            }
            state.beyond = Some(place);
        }
        state.used = used;
        true
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
        while !self.budget.take(&mut state, self.place, more) {
            state = self.budget.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.size = size;
        start.elapsed()
    }

    /// Changes the part to at least so many bytes, if there is room now. Returns whether there is.
    pub(super) fn try_grow(&mut self, size: usize) -> bool {
        let Some(more) = size.checked_sub(self.size) else { return true };
        let mut state = self.budget.lock();
        let has_room = self.budget.take(&mut state, self.place, more);
        if has_room {
            self.size = size;
        }
        has_room
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.lock();
        state.used = state.used.saturating_sub(self.size);
        state.places.remove(&self.place);
        if state.beyond == Some(self.place) {
            state.beyond = None;
        }
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
        let (mut first, mut second, mut third) = (budget.part(0), budget.part(1), budget.part(2));
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
    fn an_input_that_begins_later_waits_for_the_one_that_has_more_than_the_budget() {
        let budget = Budget::new(100);
        let (mut second, mut third) = (budget.part(1), budget.part(2));
        assert!(third.try_grow(60) && second.try_grow(70));
        let mut first = budget.part(0);
        assert!(!first.try_grow(20) && second.try_grow(90));
        drop(second);
        assert!(first.try_grow(50) && !third.try_grow(61));
    }

    #[test]
    fn no_more_is_used_than_the_budget_and_one_part() {
        let budget = Budget::new(100);
        let (used, highest) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for thread in 0..8 {
                let (budget, used, highest) = (&budget, &used, &highest);
                scope.spawn(move || {
                    for round in 0..200 {
                        let mut part = budget.part(round * 8 + thread);
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
