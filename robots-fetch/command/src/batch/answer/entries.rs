//! Entries by their keys.

use alloc::sync::Arc;
use alloc::vec::Vec;

use hashbrown::HashTable;

use super::entry::Entry;

/// Entries by their keys. Each may have a mark.
#[derive(Default)]
pub(super) struct Entries {
    /// The indices of `held`, by hashes.
    table: HashTable<u32>,
    held: Vec<Held>,
    /// The bytes of the entries.
    bytes: usize,
}

struct Held {
    entry: Arc<Entry>,
    /// The upper half of the hash of the key.
    hash: u32,
    is_marked: bool,
}

impl Held {
    fn hash(&self) -> u64 {
        spread(self.hash)
    }
}

impl Entries {
    pub(super) const fn len(&self) -> usize {
        self.held.len()
    }

    /// Returns the bytes of all entries.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the index of the entry of a key, which has this hash.
    pub(super) fn find(&self, hash: u64, key: &[u8]) -> Option<usize> {
        let hash = half(hash);
        let is_of_key = |index: &u32| {
            let held = self.held.get(*index as usize);
            held.is_some_and(|held| held.hash == hash && held.entry.key() == key)
        };
        self.table.find(spread(hash), is_of_key).map(|index| *index as usize)
    }

    /// Returns the entry with this index.
    pub(super) fn get(&self, index: usize) -> Option<&Arc<Entry>> {
        self.held.get(index).map(|held| &held.entry)
    }

    /// Adds an entry, whose key has this hash and is that of no other entry. Returns its index.
    pub(super) fn add(&mut self, hash: u64, entry: Arc<Entry>) -> usize {
        let index = self.held.len();
        self.add_at(index, hash, entry);
        index
    }

    /// Adds an entry, whose key has this hash and is that of no other entry, with this index, which is that of another entry or
    /// the next one. The other entry becomes the last one.
    pub(super) fn add_at(&mut self, index: usize, hash: u64, entry: Arc<Entry>) {
        let (hash, last) = (half(hash), self.held.len());
        // The users of this type limit the bytes of all entries, so there are fewer of them than 2^32.
        self.renumber(index, last as u32);
        self.bytes += entry.memory();
        self.held.push(Held { entry, hash, is_marked: false });
        self.held.swap(index, last);
        self.table.insert_unique(spread(hash), index as u32, |index| {
            self.held.get(*index as usize).map_or(0, Held::hash)
        });
    }

    /// Changes the index of an entry in the table.
    fn renumber(&mut self, from: usize, to: u32) {
        let Some(held) = self.held.get(from) else { return };
        if let Some(slot) = self.table.find_mut(held.hash(), |slot| *slot as usize == from) {
            *slot = to;
        }
    }

    /// Removes the entry with this index. The last entry gets its index.
    pub(super) fn remove(&mut self, index: usize) -> Option<Arc<Entry>> {
        let last = self.held.len().checked_sub(1)?;
        let hash = self.held.get(index)?.hash();
        if let Ok(slot) = self.table.find_entry(hash, |slot| *slot as usize == index) {
            slot.remove();
        }
        self.renumber(last, index as u32);
        let removed = self.held.swap_remove(index).entry;
        self.bytes -= removed.memory();
        // Small entries may be followed by few large ones.
        if self.held.len() < self.held.capacity() / 4 {
            self.held.shrink_to(2 * self.held.len());
            let held = &self.held;
            self.table.shrink_to(2 * held.len(), |index| held.get(*index as usize).map_or(0, Held::hash));
        }
        Some(removed)
    }

    /// Marks the entry with this index.
    pub(super) fn mark(&mut self, index: usize) {
        if let Some(held) = self.held.get_mut(index) {
            held.is_marked = true;
        }
    }

    /// Returns whether the entry with this index is marked, and takes the mark away.
    pub(super) fn take_mark(&mut self, index: usize) -> bool {
        self.held.get_mut(index).is_some_and(|held| core::mem::take(&mut held.is_marked))
    }

    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.held.clear();
        self.bytes = 0;
    }
}

/// Returns the half of a hash that is stored.
const fn half(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Returns the hash for the table, which uses the highest and the lowest bits.
const fn spread(half: u32) -> u64 {
    (half as u64) << 32 | half as u64
}

#[cfg(test)]
mod tests {
    use super::super::entry::Value;
    use super::*;
    use robots_match::{Profile, Robots};

    fn file(len: usize) -> Value {
        Value::File(Box::new(Robots::new(vec![b'a'; len], Profile::RFC9309)))
    }

    #[test]
    fn entries_are_found_until_they_are_removed() {
        const COUNT: usize = 200;
        let mut entries = Entries::default();
        // Many keys have the same hash.
        let hash = |number: usize| ((number % 7) as u64) << 32;
        let key = |number: usize| number.to_string().into_bytes();
        for number in 0..COUNT {
            entries.add(hash(number), Entry::new(&key(number), file(number)));
        }
        let mut left: Vec<usize> = (0..COUNT).collect();
        let mut random = 1_u64;
        while !left.is_empty() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = left.swap_remove((random >> 33) as usize % left.len());
            let index = entries.find(hash(number), &key(number)).unwrap();
            let removed = entries.remove(index).unwrap();
            assert_eq!(removed.key(), key(number));
            assert_eq!(entries.find(hash(number), &key(number)), None);
            if number < COUNT {
                // With another key, at another place.
                let number = number + COUNT;
                let index = entries.len() / 2;
                entries.add_at(index, hash(number), Entry::new(&key(number), file(0)));
                assert_eq!(entries.find(hash(number), &key(number)), Some(index));
                left.push(number);
            }
            assert_eq!(entries.len(), left.len());
            let found = left.iter().filter_map(|number| {
                let entry = entries.get(entries.find(hash(*number), &key(*number))?)?;
                (entry.key() == key(*number)).then(|| entry.memory())
            });
            assert_eq!((found.clone().count(), found.sum::<usize>()), (left.len(), entries.bytes()));
        }
        assert!(entries.remove(0).is_none());
    }

    #[test]
    fn a_mark_is_taken_once() {
        let mut entries = Entries::default();
        entries.add(1, Entry::new(b"a", file(0)));
        entries.add(2, Entry::new(b"b", file(0)));
        entries.mark(1);
        assert!(!entries.take_mark(0));
        assert!(entries.take_mark(1));
        assert!(!entries.take_mark(1));
        entries.mark(1);
        entries.remove(0);
        assert!(entries.take_mark(0), "the last entry keeps its mark");
        assert!(!entries.take_mark(1));
    }
}
