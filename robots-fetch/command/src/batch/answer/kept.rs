//! Files and compiled rules that `robots batch` keeps, up to a number of bytes.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::hash::BuildHasher as _;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::fast::RandomState;

use super::entries::Entries;
use super::entry::Entry;

/// The largest number of bytes that are kept.
const MOST: usize = 64 << 20;

/// The largest number of bytes of an entry that is kept: half of the room of a part.
const LARGEST: usize = MOST / PARTS / 2;

/// The number of parts, each with its own lock. Threads rarely wait for each other.
pub(super) const PARTS: usize = 16;

/// Returns the number of the part of a hash. [`Entries`] use the upper half of it.
pub(super) const fn part_of(hash: u64) -> usize {
    hash as usize % PARTS
}

/// Values by their keys, for all threads.
pub(super) struct Kept {
    parts: [Mutex<Part>; PARTS],
    hasher: RandomState,
    /// Changes when a part begins a new round.
    rounds: [AtomicUsize; PARTS],
}

/// Entries, of which those that were not found for long are dropped first, by the algorithm that is called CLOCK.
///
/// Where room is needed, the entries are examined in turn, and after the last one, a new round begins with the first one. An entry
/// with a mark loses it and stays; another one is dropped. [`Kept::find`] marks what it finds. A thread that keeps using an entry
/// finds it here again after each new round; see [`Kept::rounds`]. So nothing is dropped while there is room, and an entry that is
/// used again and again stays among many that are used once.
// Aligned, so that a thread that locks a part does not take the memory of another part from the cache of another processor.
#[derive(Default)]
#[repr(align(128))]
struct Part {
    entries: Entries,
    /// The index of the entry that is examined next, or the number of entries.
    next: usize,
}

impl Part {
    /// The largest number of bytes.
    const MOST: usize = MOST / PARTS;

    /// Adds an entry, whose key has this hash and is that of no other entry. Drops others until there is room for it. Returns them,
    /// and whether a new round began.
    fn add(&mut self, hash: u64, entry: Arc<Entry>) -> (Vec<Arc<Entry>>, bool) {
        let bytes = entry.memory();
        let (mut dropped, mut is_new_round) = (Vec::new(), false);
        while self.entries.bytes() + bytes > Self::MOST && self.entries.len() > 0 {
            if self.next >= self.entries.len() {
                self.next = 0;
                is_new_round = true;
            }
            if self.entries.take_mark(self.next) {
                self.next += 1;
            } else {
                dropped.extend(self.entries.remove(self.next));
            }
        }
        // All others are examined before the new entry.
        self.entries.add_at(self.next, hash, entry);
        self.next += 1;
        (dropped, is_new_round)
    }
}

impl Kept {
    pub(super) fn new() -> Self {
        Self {
            parts: core::array::from_fn(|_| Mutex::default()),
            hasher: RandomState::default(),
            rounds: core::array::from_fn(|_| AtomicUsize::new(0)),
        }
    }

    /// Returns a number that changes when the part with this number begins a new round. Then a thread should find the entries here
    /// again that it uses, so that they are marked.
    pub(super) fn rounds(&self, part: usize) -> usize {
        self.rounds.get(part).map_or(0, |rounds| rounds.load(Ordering::Relaxed))
    }

    /// Returns the hash of a key.
    pub(super) fn hash(&self, key: &[u8]) -> u64 {
        self.hasher.hash_one(key)
    }

    /// Returns the entry of a key, which has this hash.
    pub(super) fn find(&self, hash: u64, key: &[u8]) -> Option<Arc<Entry>> {
        let mut part = self.part(hash);
        let index = part.entries.find(hash, key)?;
        part.entries.mark(index);
        part.entries.get(index).cloned()
    }

    /// Keeps an entry, whose key has this hash, unless it is too large. Returns the entry of this key that is kept, which may be
    /// that of another thread, or else `entry`.
    pub(super) fn insert(&self, hash: u64, entry: Arc<Entry>) -> Arc<Entry> {
        if entry.memory() > LARGEST {
            return entry;
        }
        let mut part = self.part(hash);
        // Another thread may have compiled the same rules in the meantime.
        if let Some(index) = part.entries.find(hash, entry.key()) {
            let kept = part.entries.get(index).cloned();
            // Dropping takes some time, and needs no lock.
            drop(part);
            return kept.unwrap_or(entry);
        }
        let (dropped, is_new_round) = part.add(hash, Arc::clone(&entry));
        drop(part);
        if is_new_round && let Some(rounds) = self.rounds.get(part_of(hash)) {
            rounds.fetch_add(1, Ordering::Relaxed);
        }
        drop(dropped);
        entry
    }

    fn part(&self, hash: u64) -> MutexGuard<'_, Part> {
        let part = self.parts.get(part_of(hash)).expect("a remainder is less than the number of parts");
        part.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{OVERHEAD, SHORT, Value};
    use super::*;
    use robots_match::syntax::BodyKind;
    use robots_match::{Crawler, Profile, Robots, RuleSet};

    #[test]
    fn memory_is_bounded_and_used_values_stay() {
        let kept = Kept::new();
        let file = |len: usize| Value::File(Box::new(Robots::new(vec![b'a'; len], Profile::RFC9309)));
        let insert = |key: &[u8], len: usize| drop(kept.insert(kept.hash(key), Entry::new(key, file(len))));
        let find = |key: &[u8]| kept.find(kept.hash(key), key);
        let len = 100_000;
        insert(b"used", len);
        for number in 0..3_000_u32 {
            insert(&number.to_le_bytes(), len);
            assert!(find(b"used").is_some_and(|entry| entry.file().is_some()), "{number}");
            let parts = kept.parts.iter().map(|part| part.lock().unwrap());
            let count: usize = parts.map(|part| part.entries.len()).sum();
            assert!(count * (len + OVERHEAD) <= MOST, "{number}");
        }
        assert!(find(&0_u32.to_le_bytes()).is_none());
        assert!(find(&2_999_u32.to_le_bytes()).is_some());
        insert(b"large", MOST / PARTS);
        assert!(find(b"large").is_none());
    }

    /// Returns the entry of a number, which has about `len` bytes.
    fn numbered(number: u64, len: usize) -> Arc<Entry> {
        let file = Robots::new(vec![b'a'; len], Profile::RFC9309);
        Entry::new(&number.to_le_bytes(), Value::File(Box::new(file)))
    }

    /// Adds an entry, and returns the numbers of those that are dropped.
    fn added(part: &mut Part, number: u64, len: usize) -> Vec<u64> {
        let (dropped, _) = part.add(number << 32, numbered(number, len));
        dropped.iter().map(|entry| u64::from_le_bytes(entry.key().try_into().unwrap())).collect()
    }

    #[test]
    fn the_oldest_are_dropped_first() {
        const LEN: usize = 50_000;
        let mut part = Part::default();
        let count = (Part::MOST / numbered(0, LEN).memory()) as u64;
        for number in 0..count {
            assert_eq!(added(&mut part, number, LEN), [0; 0]);
        }
        for number in count..5 * count {
            assert_eq!(added(&mut part, number, LEN), [number - count]);
        }
    }

    #[test]
    fn entries_are_not_dropped_in_the_round_in_which_they_were_added() {
        // A thread finds an entry without marking it, until a new round begins.
        let mut part = Part::default();
        let mut rounds = Vec::new();
        let mut round = 0;
        for number in 0..5_000 {
            // Small entries follow in the room of a large one.
            let len = if number % 25 == 0 { 50_000 } else { 2_500 };
            let (dropped, is_new_round) = part.add(number << 32, numbered(number, len));
            round += u64::from(is_new_round);
            rounds.push(round);
            for entry in dropped {
                let number = u64::from_le_bytes(entry.key().try_into().unwrap());
                assert!(rounds[number as usize] < round, "{number}");
            }
        }
        assert!(round > 2);
    }

    #[test]
    fn marked_entries_stay_for_a_round() {
        const LEN: usize = 50_000;
        let mut part = Part::default();
        let count = (Part::MOST / numbered(0, LEN).memory()) as u64;
        (0..count).for_each(|number| assert_eq!(added(&mut part, number, LEN), [0; 0]));
        let index = |part: &Part| part.entries.find(5 << 32, &5_u64.to_le_bytes());
        for round in 1..5 {
            let found = index(&part).unwrap();
            part.entries.mark(found);
            for number in round * count..(round + 1) * count - 1 {
                assert_ne!(added(&mut part, number, LEN), [5]);
            }
        }
        (0..2 * count).for_each(|number| drop(added(&mut part, 10 * count + number, LEN)));
        assert_eq!(index(&part), None);
    }

    #[test]
    fn nothing_is_dropped_while_there_is_room() {
        let kept = Kept::new();
        let file = || Value::File(Box::new(Robots::new(vec![b'a'; 10_000], Profile::RFC9309)));
        let keys = || (0..4_000_u32).map(u32::to_le_bytes);
        for key in keys() {
            drop(kept.insert(kept.hash(&key), Entry::new(&key, file())));
        }
        for _ in 0..3 {
            assert!(keys().all(|key| kept.find(kept.hash(&key), &key).is_some()));
        }
        assert!((0..PARTS).all(|part| kept.rounds(part) == 0));
    }

    #[test]
    fn keys_of_any_length_are_found() {
        let kept = Kept::new();
        let crawler = Crawler::new("ExampleBot").unwrap();
        let rules = RuleSet::parse(b"", &crawler, &Profile::RFC9309);
        let keys: Vec<Vec<u8>> = (0..2 * SHORT).map(|len| vec![b'a'; len]).collect();
        let find = |key: &[u8]| kept.find(kept.hash(key), key);
        for (count, key) in keys.iter().enumerate() {
            assert!(find(key).is_none());
            let insert =
                || kept.insert(kept.hash(key), Entry::new(key, Value::Rules(rules.clone(), BodyKind::Rules)));
            assert!(Arc::ptr_eq(&insert(), &insert()), "the first one stays");
            let found = keys.iter().filter(|key| find(key).is_some_and(|entry| entry.rules().is_some()));
            assert_eq!(found.count(), count + 1);
        }
        let parts = kept.parts.iter().map(|part| part.lock().unwrap());
        let bytes: usize = parts.map(|part| part.entries.bytes()).sum();
        // Each key is counted once.
        let long: usize = keys.iter().map(Vec::len).filter(|len| *len > SHORT).sum();
        let rules = rules.memory() - size_of::<RuleSet>();
        assert_eq!(bytes, long + keys.len() * (size_of::<Entry>() + rules + OVERHEAD));
    }
}
