//! Files and compiled rules that `robots batch` keeps, up to a number of bytes.

use alloc::sync::Arc;
use core::hash::BuildHasher as _;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;
use robots_match::{Robots, RuleSet};

/// The largest number of bytes that are kept.
const MOST: usize = 64 << 20;

/// The number of parts, each with its own lock. Threads rarely wait for each other.
const PARTS: usize = 16;

/// About how many bytes an entry of a table takes besides the key and the value.
const OVERHEAD: usize = 96;

/// A value that is kept.
#[derive(Clone)]
pub(super) enum Value {
    /// The file of a name.
    File(Arc<Robots>),
    /// The rules of a file for an agent.
    Rules(Arc<RuleSet>),
}

impl Value {
    fn memory(&self) -> usize {
        match self {
            Self::File(robots) => robots.body().len(),
            Self::Rules(rules) => rules.memory(),
        }
    }
}

type Table = HashMap<Box<[u8]>, Value, RandomState>;

/// Values by their keys. A key is the name of a file, or of a file and an agent with a tab between, as in a line of input.
pub(super) struct Kept {
    parts: [Mutex<Part>; PARTS],
    hasher: RandomState,
}

// Aligned, so that a thread that locks a part does not take the memory of another part from the cache of another processor.
/// Two generations of values. A value that is found in the older one moves to the younger one. When the younger one is full,
/// the older one is dropped, and the younger one becomes the older one.
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
        Self { parts: core::array::from_fn(|_| Mutex::default()), hasher: RandomState::default() }
    }

    /// Returns the rules of a file for an agent.
    pub(super) fn rules(&self, key: &[u8]) -> Option<Arc<RuleSet>> {
        match self.part(key, |part| part.find(key))? {
            Value::Rules(rules) => Some(rules),
            Value::File(_) => None,
        }
    }

    /// Returns the file of a name.
    pub(super) fn file(&self, key: &[u8]) -> Option<Arc<Robots>> {
        match self.part(key, |part| part.find(key))? {
            Value::File(robots) => Some(robots),
            Value::Rules(_) => None,
        }
    }

    /// Keeps a value, unless it is too large.
    pub(super) fn insert(&self, key: &[u8], value: Value) {
        self.part(key, |part| part.insert(key.into(), value));
    }

    fn part<T>(&self, key: &[u8], run: impl FnOnce(&mut Part) -> T) -> T {
        let place = (self.hasher.hash_one(key) >> 32) as usize % PARTS;
        let part = self.parts.get(place).expect("a remainder is less than the number of parts");
        run(&mut part.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Part {
    fn find(&mut self, key: &[u8]) -> Option<Value> {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.old.remove_entry(key)?;
        self.insert(key, value.clone());
        Some(value)
    }

    fn insert(&mut self, key: Box<[u8]>, value: Value) {
        const GENERATION: usize = MOST / PARTS / 2;
        let memory = key.len() + value.memory() + OVERHEAD;
        if memory > GENERATION {
            return;
        }
        if self.bytes + memory > GENERATION {
            self.old = core::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += memory;
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robots_match::Profile;

    #[test]
    fn memory_is_bounded_and_used_values_stay() {
        let mut part = Part::default();
        let value = || Value::File(Arc::new(Robots::new(vec![b'a'; 10_000], Profile::RFC9309)));
        part.insert(b"used".as_slice().into(), value());
        for number in 0..2_000_u32 {
            part.insert(number.to_le_bytes().as_slice().into(), value());
            assert!(part.find(b"used").is_some(), "{number}");
            let count = part.young.len() + part.old.len();
            assert!(count * (10_000 + OVERHEAD) <= MOST / PARTS, "{number}");
        }
        assert!(part.find(&0_u32.to_le_bytes()).is_none());
        assert!(part.find(&1_999_u32.to_le_bytes()).is_some());
        let large = Value::File(Arc::new(Robots::new(vec![b'a'; MOST / PARTS], Profile::RFC9309)));
        part.insert(b"large".as_slice().into(), large);
        assert!(part.find(b"large").is_none());
    }
}
