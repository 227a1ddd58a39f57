//! The waiting URLs of one origin, by number.

use alloc::collections::VecDeque;
use std::time::SystemTime;

use url::Url;

/// URLs in the order of their numbers. Adding, removing and looking up take O(log *n*), amortized.
///
/// A URL that is removed from the middle leaves a gap. The first place is never a gap, and at most about half of the places are.
pub(super) struct UrlQueue<T> {
    places: VecDeque<(u64, Option<Waiting<T>>)>,
    len: usize,
}

/// A URL that waits.
pub(super) struct Waiting<T> {
    pub(super) url: Url,
    pub(super) item: T,
    pub(super) since: SystemTime,
}

impl<T> UrlQueue<T> {
    pub(super) const fn new() -> Self {
        Self { places: VecDeque::new(), len: 0 }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn first(&self) -> Option<(u64, &Waiting<T>)> {
        let (number, waiting) = self.places.front()?;
        Some((*number, waiting.as_ref()?))
    }

    pub(super) fn insert(&mut self, number: u64, waiting: Waiting<T>) {
        self.len += 1;
        if self.places.back().is_none_or(|(last, _)| *last < number) {
            self.places.push_back((number, Some(waiting)));
            return;
        }
        match self.places.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(index) => {
                if let Some((_, place)) = self.places.get_mut(index) {
                    *place = Some(waiting);
                }
            }
            Err(index) => self.places.insert(index, (number, Some(waiting))),
        }
    }

    pub(super) fn remove(&mut self, number: u64) -> Option<Waiting<T>> {
        let index = self.places.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        let removed = self.places.get_mut(index)?.1.take()?;
        self.len -= 1;
        while self.places.front().is_some_and(|(_, waiting)| waiting.is_none()) {
            self.places.pop_front();
        }
        if self.places.len() > 2 * self.len + 16 {
            self.places.retain(|(_, waiting)| waiting.is_some());
        }
        // A queue that was long once does not keep its memory.
        if self.places.capacity() > 32 && self.places.len() < self.places.capacity() / 4 {
            self.places.shrink_to(self.places.len() * 2);
        }
        Some(removed)
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Waiting<T>> {
        self.places.iter_mut().filter_map(|(_, waiting)| waiting.as_mut())
    }
}

/// Returns how many bytes a waiting URL takes: twice its place and its text, because both grow by doubling.
pub(super) fn bytes_of<T>(url: &Url) -> usize {
    2 * (size_of::<(u64, Option<Waiting<T>>)>() + url.as_str().len())
}
