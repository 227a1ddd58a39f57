//! Files and compiled rules that `robots batch` keeps, up to a number of bytes.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::hash::BuildHasher as _;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use robots_match::{Robots, RuleSet};

/// The largest number of bytes that are kept.
const MOST: usize = 64 << 20;

/// The number of parts, each with its own lock. Threads rarely wait for each other.
pub(super) const PARTS: usize = 16;

/// Returns the number of the part of a hash.
///
/// Tables use the lowest bits, for far fewer than 2^20 entries, and the highest 7 bits of 64 or 32.
pub(super) const fn part_of(hash: u64) -> usize {
    (hash >> 20) as usize % PARTS
}

/// About how many bytes an entry takes in a table and for the allocator.
const OVERHEAD: usize = 80;

/// A value that is kept.
pub(super) enum Value {
    /// The file of a name. In a box, because entries of rules would have its size.
    File(Box<Robots>),
    /// The rules of a file for an agent.
    Rules(RuleSet),
}

/// A value and its key. A key is the name of a file, or of a file and an agent with a tab between, as in a line of input.
///
/// A short key is in the same allocation as the value: what comparing it reads into the caches of the processor is needed for the
/// verdict.
pub(super) struct Entry {
    key: Key,
    value: Value,
}

impl Entry {
    pub(super) fn new(key: &[u8], value: Value) -> Arc<Self> {
        Arc::new(Self { key: Key::new(key), value })
    }

    /// Returns the rules of a file for an agent.
    pub(super) fn rules(&self) -> Option<&RuleSet> {
        match &self.value {
            Value::Rules(rules) => Some(rules),
            Value::File(_) => None,
        }
    }

    /// Returns the file of a name.
    pub(super) fn file(&self) -> Option<&Robots> {
        match &self.value {
            Value::File(robots) => Some(robots),
            Value::Rules(_) => None,
        }
    }

    pub(super) fn key(&self) -> &[u8] {
        match &self.key {
            Key::Short(len, bytes) => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Key::Long(bytes) => bytes,
        }
    }

    /// Returns how many bytes the entry takes.
    pub(super) fn memory(&self) -> usize {
        let key = match &self.key {
            Key::Short(..) => 0,
            Key::Long(bytes) => bytes.len(),
        };
        let value = match &self.value {
            Value::File(robots) => size_of::<Robots>() + robots.body().len(),
            Value::Rules(rules) => rules.memory() - size_of::<RuleSet>(),
        };
        size_of::<Self>() + key + value + OVERHEAD
    }
}

/// The bytes of a key, in place if they are few.
enum Key {
    Short(u8, [u8; Self::SHORT]),
    Long(Box<[u8]>),
}

impl Key {
    const SHORT: usize = 46;

    fn new(bytes: &[u8]) -> Self {
        let mut short = [0; Self::SHORT];
        match short.get_mut(..bytes.len()) {
            Some(start) => {
                start.copy_from_slice(bytes);
                Self::Short(bytes.len() as u8, short)
            }
            None => Self::Long(bytes.into()),
        }
    }
}

type Table = HashTable<Slot>;

/// An entry and the hash of its key. A table that grows does not read the keys, so a lock is held for a short time.
struct Slot {
    hash: u64,
    entry: Arc<Entry>,
}

impl Slot {
    fn has(&self, hash: u64, key: &[u8]) -> bool {
        self.hash == hash && self.entry.key() == key
    }
}

/// Values by their keys, for all threads.
pub(super) struct Kept {
    parts: [Mutex<Part>; PARTS],
    hasher: RandomState,
    /// How often each part made its younger generation the older one.
    turnovers: [AtomicUsize; PARTS],
}

/// Two generations of values. A value that is found in the older one moves to the younger one. When the younger one is full,
/// the older one is dropped, and the younger one becomes the older one.
// Aligned, so that a thread that locks a part does not take the memory of another part from the cache of another processor.
#[derive(Default)]
#[repr(align(128))]
struct Part {
    young: Table,
    old: Table,
    /// The bytes of the younger generation.
    bytes: usize,
}

impl Kept {
    pub(super) fn new() -> Self {
        Self {
            parts: core::array::from_fn(|_| Mutex::default()),
            hasher: RandomState::default(),
            turnovers: core::array::from_fn(|_| AtomicUsize::new(0)),
        }
    }

    /// Returns how often the part with this number made its younger generation the older one.
    pub(super) fn turnovers(&self, part: usize) -> usize {
        self.turnovers.get(part).map_or(0, |turnovers| turnovers.load(Ordering::Relaxed))
    }

    /// Returns the hash of a key.
    pub(super) fn hash(&self, key: &[u8]) -> u64 {
        self.hasher.hash_one(key)
    }

    /// Returns the entry of a key, which has this hash.
    pub(super) fn find(&self, hash: u64, key: &[u8]) -> Option<Arc<Entry>> {
        let (entry, _dropped) = self.part(hash, |part| {
            if let Some(slot) = part.young.find(hash, |slot| slot.has(hash, key)) {
                return Some((Arc::clone(&slot.entry), Table::new()));
            }
            let (slot, _) = part.old.find_entry(hash, |slot| slot.has(hash, key)).ok()?.remove();
            let dropped = self.add(part, hash, &slot.entry);
            Some((slot.entry, dropped))
        })?;
        Some(entry)
    }

    /// Keeps an entry, whose key has this hash, unless it is too large. Returns the entry of this key that is kept, which may be
    /// that of another thread, or else `entry`.
    pub(super) fn insert(&self, hash: u64, entry: Arc<Entry>) -> Arc<Entry> {
        let (entry, _dropped) = self.part(hash, |part| {
            // Another thread may have compiled the same rules in the meantime.
            match part.young.find(hash, |slot| slot.has(hash, entry.key())) {
                Some(slot) => (Arc::clone(&slot.entry), Table::new()),
                None => {
                    let dropped = self.add(part, hash, &entry);
                    (entry, dropped)
                }
            }
        });
        entry
    }

    fn part<T>(&self, hash: u64, run: impl FnOnce(&mut Part) -> T) -> T {
        let part = self.parts.get(part_of(hash)).expect("a remainder is less than the number of parts");
        run(&mut part.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds an entry that the younger generation lacks. Returns what is no longer kept, because dropping many entries takes longer
    /// than a lock should be held.
    #[must_use]
    fn add(&self, part: &mut Part, hash: u64, entry: &Arc<Entry>) -> Table {
        const GENERATION: usize = MOST / PARTS / 2;
        let mut dropped = Table::new();
        let memory = entry.memory();
        if memory > GENERATION {
            return dropped;
        }
        if part.bytes + memory > GENERATION {
            dropped = core::mem::replace(&mut part.old, core::mem::take(&mut part.young));
            part.bytes = 0;
            if let Some(turnovers) = self.turnovers.get(part_of(hash)) {
                turnovers.fetch_add(1, Ordering::Relaxed);
            }
        }
        part.bytes += memory;
        part.young.insert_unique(hash, Slot { hash, entry: Arc::clone(entry) }, |slot| slot.hash);
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robots_match::{Crawler, Profile};

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
            let count: usize = parts.map(|part| part.young.len() + part.old.len()).sum();
            assert!(count * (len + OVERHEAD) <= MOST, "{number}");
        }
        assert!(find(&0_u32.to_le_bytes()).is_none());
        assert!(find(&2_999_u32.to_le_bytes()).is_some());
        insert(b"large", MOST / PARTS);
        assert!(find(b"large").is_none());
    }

    #[test]
    fn keys_of_any_length_are_found() {
        let kept = Kept::new();
        let crawler = Crawler::new("ExampleBot").unwrap();
        let rules = RuleSet::parse(b"", &crawler, &Profile::RFC9309);
        let keys: Vec<Vec<u8>> = (0..2 * Key::SHORT).map(|len| vec![b'a'; len]).collect();
        let find = |key: &[u8]| kept.find(kept.hash(key), key);
        for (count, key) in keys.iter().enumerate() {
            assert!(find(key).is_none());
            let insert = || kept.insert(kept.hash(key), Entry::new(key, Value::Rules(rules.clone())));
            assert!(Arc::ptr_eq(&insert(), &insert()), "the first one stays");
            let found = keys.iter().filter(|key| find(key).is_some_and(|entry| entry.rules().is_some()));
            assert_eq!(found.count(), count + 1);
        }
        let parts = kept.parts.iter().map(|part| part.lock().unwrap());
        let bytes: usize = parts.map(|part| part.bytes).sum();
        // Each key is counted once.
        let long: usize = keys.iter().map(Vec::len).filter(|len| *len > Key::SHORT).sum();
        let rules = rules.memory() - size_of::<RuleSet>();
        assert_eq!(bytes, long + keys.len() * (size_of::<Entry>() + rules + OVERHEAD));
    }
}
