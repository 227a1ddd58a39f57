//! Files and compiled rules that `robots batch` keeps, up to a number of bytes.

use alloc::boxed::Box;
use core::hash::BuildHasher as _;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// The number of parts, each with a lock of its own. Threads rarely wait for each other, and a part has room for the rules of the
/// largest file: what does not fit is compiled for each row.
const PARTS: usize = 16;

/// About how many bytes an entry takes in a table and for the allocator.
const OVERHEAD: usize = 128;

/// Values by their keys, for all threads. A value is a pointer, which is copied where it is found.
pub(super) struct Kept<V> {
    parts: Box<[Mutex<Part<V>>]>,
    hasher: RandomState,
    /// The largest number of bytes of a generation of a part.
    most: usize,
}

/// Two generations of entries. An entry that is found is one of the new generation. Where that is full, it becomes the old one, and
/// entries that were not found since the last time are dropped.
// Aligned, so that a thread that locks a part does not take the memory of another part from the cache of another processor.
#[repr(align(128))]
struct Part<V> {
    new: Generation<V>,
    old: Generation<V>,
    /// The bytes of the new generation.
    bytes: usize,
}

type Generation<V> = HashMap<Box<[u8]>, Held<V>, RandomState>;

struct Held<V> {
    value: V,
    bytes: usize,
}

impl<V: Clone> Kept<V> {
    /// Creates an empty map that keeps at most this number of bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let part = |_| Mutex::new(Part { new: HashMap::default(), old: HashMap::default(), bytes: 0 });
        Self {
            parts: (0..PARTS).map(part).collect(),
            hasher: RandomState::default(),
            most: bytes / PARTS / 2,
        }
    }

    /// Returns the value of a key.
    pub(super) fn find(&self, key: &[u8]) -> Option<V> {
        self.with_part(key, |part| part.find(key, self.most))
    }

    /// Keeps a value of this number of bytes, unless it is too large. Returns the value of the key that is kept, which may be that
    /// of another thread, or else `value`.
    pub(super) fn insert(&self, key: &[u8], value: V, bytes: usize) -> V {
        let held = Held { value: value.clone(), bytes: key.len() + bytes + OVERHEAD };
        if held.bytes > self.most {
            return value;
        }
        self.with_part(key, |part| {
            // Another thread may have made the same value in the meantime.
            part.find(key, self.most).unwrap_or_else(|| {
                part.add(key.into(), held, self.most);
                value
            })
        })
    }

    fn with_part<T>(&self, key: &[u8], act: impl FnOnce(&mut Part<V>) -> T) -> T {
        let number = self.hasher.hash_one(key) as usize % PARTS;
        let part = self.parts.get(number).expect("a remainder is less than the number of parts");
        act(&mut part.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<V: Clone> Part<V> {
    fn find(&mut self, key: &[u8], most: usize) -> Option<V> {
        if let Some(held) = self.new.get(key) {
            return Some(held.value.clone());
        }
        let (key, held) = self.old.remove_entry(key)?;
        let value = held.value.clone();
        self.add(key, held, most);
        Some(value)
    }

    /// Adds an entry of at most `most` bytes to the new generation, which has at most so many.
    fn add(&mut self, key: Box<[u8]>, held: Held<V>, most: usize) {
        if self.bytes + held.bytes > most {
            self.old = core::mem::take(&mut self.new);
            self.bytes = 0;
        }
        self.bytes += held.bytes;
        self.new.insert(key, held);
    }
}

#[cfg(test)]
mod tests {
    use alloc::sync::{Arc, Weak};

    use super::*;

    const LEN: usize = 10_000;
    /// How many entries of this length fit into a generation of a part.
    const FIT: usize = 20;
    const MOST: usize = PARTS * 2 * FIT * (LEN + OVERHEAD + 8);

    #[test]
    fn memory_is_bounded_and_used_values_stay() {
        let kept = Kept::new(MOST);
        let mut values: Vec<Weak<usize>> = Vec::new();
        for number in 0..5 * PARTS * FIT {
            let key = number.to_le_bytes();
            assert!(kept.find(&key).is_none());
            values.push(Arc::downgrade(&kept.insert(&key, Arc::new(number), LEN)));
            assert_eq!(kept.find(&key).as_deref(), Some(&number));
            // The one that is looked up again and again stays.
            assert_eq!(kept.find(&0_usize.to_le_bytes()).as_deref(), Some(&0));
            let left = values.iter().filter(|value| value.strong_count() > 0).count();
            assert!(left * (8 + LEN + OVERHEAD) <= MOST, "{number}");
        }
        assert!(kept.find(&1_usize.to_le_bytes()).is_none());
        assert!(values.iter().filter(|value| value.strong_count() > 0).count() > PARTS * FIT);
    }

    #[test]
    fn nothing_is_dropped_while_a_generation_has_room() {
        let kept = Kept::new(MOST);
        let keys = || (0..PARTS * FIT / 2).map(usize::to_le_bytes);
        keys().for_each(|key| drop(kept.insert(&key, Arc::new(key), LEN)));
        for _ in 0..3 {
            assert!(keys().all(|key| kept.find(&key).as_deref() == Some(&key)));
        }
    }

    #[test]
    fn a_value_that_is_too_large_is_not_kept() {
        let kept = Kept::new(MOST);
        assert_eq!(*kept.insert(b"large", Arc::new(1), MOST / PARTS / 2), 1);
        assert!(kept.find(b"large").is_none());
        drop(kept.insert(b"small", Arc::new(2), 0));
        assert_eq!(kept.find(b"small").as_deref(), Some(&2));
    }

    #[test]
    fn the_first_value_of_a_key_stays() {
        // Two threads may compile the same rules at the same time.
        let kept = Kept::new(MOST);
        let first = kept.insert(b"key", Arc::new(1), LEN);
        assert!(Arc::ptr_eq(&kept.insert(b"key", Arc::new(2), LEN), &first));
        assert_eq!(kept.find(b"key").as_deref(), Some(&1));
    }
}
