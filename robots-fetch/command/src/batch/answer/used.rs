//! The entries that one thread has used.

use alloc::sync::Arc;
use core::num::NonZeroUsize;

use super::entries::Entries;
use super::entry::Entry;
use super::kept::{Kept, PARTS, part_of};

/// How many bytes of entries up to 16 threads may use, before each forgets its own.
const MOST: usize = 64 << 20;

/// How many bytes of entries one thread may always use.
const LEAST: usize = 4 << 20;

/// The entries that one thread has used, which it finds without a lock.
///
/// To take an entry from [`Kept`], a thread writes to a lock and to a count of references. Where two threads do so in turn, each
/// waits until this memory has come from the cache of the other's processor.
pub(super) struct Used<'k> {
    kept: &'k Kept,
    parts: [Part; PARTS],
    /// The bytes of all entries.
    bytes: usize,
    /// How many bytes there may be.
    most: usize,
}

/// The entries of a part of [`Kept`].
#[derive(Default)]
struct Part {
    entries: Entries,
    /// The last known number of [`Kept::rounds`].
    rounds: usize,
}

/// Where an entry is, until [`Used::forget`] is called.
#[derive(Clone, Copy)]
pub(super) struct Place {
    part: usize,
    index: usize,
}

impl<'k> Used<'k> {
    /// Creates a table for one of several threads.
    pub(super) fn new(kept: &'k Kept, threads: NonZeroUsize) -> Self {
        let most = (MOST / threads).max(LEAST);
        Self { kept, parts: core::array::from_fn(|_| Part::default()), bytes: 0, most }
    }

    /// Forgets the entries of each part of [`Kept`] that began a new round, so that those that are still used are looked up there
    /// and marked again. Forgets all entries if they have too many bytes. Returns whether it forgot any.
    pub(super) fn forget(&mut self) -> bool {
        let is_full = self.is_full();
        let mut forgot = false;
        for (number, part) in self.parts.iter_mut().enumerate() {
            let rounds = self.kept.rounds(number);
            if is_full || part.rounds != rounds {
                self.bytes -= part.entries.bytes();
                part.entries.clear();
                part.rounds = rounds;
                forgot = true;
            }
        }
        forgot
    }

    /// Returns whether the entries have more bytes than they should have.
    pub(super) const fn is_full(&self) -> bool {
        self.bytes > self.most
    }

    /// Returns the place of the entry of a key, which has this hash.
    pub(super) fn find(&mut self, hash: u64, key: &[u8]) -> Option<Place> {
        let number = part_of(hash);
        match self.part(number).entries.find(hash, key) {
            Some(index) => Some(Place { part: number, index }),
            None => self.kept.find(hash, key).map(|entry| self.add(hash, entry)),
        }
    }

    /// Keeps an entry, whose key has this hash, for all threads. Returns the place of the entry of this key.
    pub(super) fn insert(&mut self, hash: u64, entry: Arc<Entry>) -> Place {
        let entry = self.kept.insert(hash, entry);
        self.add(hash, entry)
    }

    #[inline(never)]
    fn add(&mut self, hash: u64, entry: Arc<Entry>) -> Place {
        self.bytes += entry.memory();
        let number = part_of(hash);
        let index = self.parts.get_mut(number).expect(PART).entries.add(hash, entry);
        Place { part: number, index }
    }

    fn part(&self, number: usize) -> &Part {
        self.parts.get(number).expect(PART)
    }

    /// Returns the entry at a place.
    pub(super) fn entry(&self, Place { part, index }: Place) -> &Entry {
        self.part(part).entries.get(index).expect("a place is used until entries are forgotten")
    }
}

/// Why a part exists.
const PART: &str = "a hash has one of the parts";

#[cfg(test)]
mod tests {
    use alloc::sync::Weak;

    use robots_match::{Profile, Robots};

    use super::*;
    use crate::batch::answer::entry::Value;

    const TWO: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);

    /// Returns an entry of about `len` bytes, and the hash of its key.
    fn entry(kept: &Kept, number: usize, len: usize) -> (u64, Arc<Entry>) {
        let key = number.to_string();
        let file = Box::new(Robots::new(vec![b'a'; len], Profile::RFC9309));
        (kept.hash(key.as_bytes()), Entry::new(key.as_bytes(), Value::File(file)))
    }

    #[test]
    fn threads_find_what_others_keep() {
        let kept = Kept::new();
        let (mut one, mut other) = (Used::new(&kept, TWO), Used::new(&kept, TWO));
        let (hash, entry) = entry(&kept, 0, 10);
        assert!(one.find(hash, b"0").is_none());
        let place = one.insert(hash, Arc::clone(&entry));
        for used in [&mut one, &mut other] {
            for _ in 0..2 {
                let found = used.find(hash, b"0").unwrap();
                assert!(core::ptr::eq(used.entry(found), &raw const *entry));
                assert!(used.find(hash, b"1").is_none());
                assert_eq!(used.bytes, entry.memory());
            }
        }
        assert_eq!(one.entry(place).key(), b"0");
        // Another thread may have compiled the same rules at the same time.
        let (_, same) = self::entry(&kept, 0, 10);
        let place = other.insert(hash, same);
        assert!(core::ptr::eq(other.entry(place), &raw const *entry));
        assert!(!one.forget() && !other.forget());
    }

    #[test]
    fn entries_are_dropped_if_they_are_not_used() {
        const LEN: usize = 25_000;
        let kept = Kept::new();
        let mut used = Used::new(&kept, TWO);
        let mut entries: Vec<Weak<Entry>> = Vec::new();
        let mut forgot = 0;
        for number in 0..8_000 {
            forgot += usize::from(used.forget());
            let (hash, entry) = entry(&kept, number, LEN);
            entries.push(Arc::downgrade(&entry));
            used.insert(hash, entry);
            // The one that is looked up again and again stays.
            let hash = kept.hash(b"0");
            assert!(used.find(hash, b"0").is_some(), "{number}");
        }
        assert!(forgot > 10);
        used.forget();
        let left = entries.iter().filter(|entry| entry.strong_count() > 0).count();
        // Those that are kept, and those that this thread used.
        assert!((10..(MOST + used.most) / LEN).contains(&left), "{left}");
    }

    #[test]
    fn too_many_bytes_are_forgotten() {
        let kept = Kept::new();
        let mut used = Used::new(&kept, TWO);
        for round in 0..3 {
            // Entries of this size are not kept for other threads.
            for number in 0..8 {
                assert!(!used.is_full());
                assert!(!used.forget());
                let (hash, entry) = entry(&kept, number, MOST / 2 / 8);
                let place = used.insert(hash, entry);
                assert_eq!(used.entry(place).key(), number.to_string().as_bytes());
                assert!(kept.find(hash, number.to_string().as_bytes()).is_none(), "{round}");
            }
            assert!(used.is_full());
            assert!(used.forget());
            assert_eq!(used.bytes, 0);
            assert!(used.find(kept.hash(b"0"), b"0").is_none());
        }
    }
}
