//! A map that forgets what was not used for the longest time.

use alloc::collections::BTreeMap;
use core::hash::Hash;
use std::collections::HashMap;

use crate::store::limits::StoreLimits;

/// A map bounded by its entries and their bytes. Each use costs the logarithm of their number.
#[derive(Debug)]
pub(crate) struct Lru<K, V> {
    bounds: StoreLimits,
    held: HashMap<K, Held<V>>,
    /// The keys, by when they were used.
    uses: BTreeMap<u64, K>,
    now: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Held<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Hash + Eq + Clone, V> Lru<K, V> {
    pub(crate) fn new(bounds: StoreLimits) -> Self {
        Self { bounds, held: HashMap::new(), uses: BTreeMap::new(), now: 0, bytes: 0 }
    }

    /// The value of a key, which is used thereby.
    pub(crate) fn get(&mut self, key: &K) -> Option<&V> {
        let held = self.held.get_mut(key)?;
        if let Some(key) = self.uses.remove(&held.used) {
            self.now += 1;
            held.used = self.now;
            self.uses.insert(self.now, key);
        }
        Some(&held.value)
    }

    /// Keeps a value of so many bytes, unless they alone are too many.
    pub(crate) fn put(&mut self, key: K, value: V, bytes: usize) {
        self.remove(&key);
        if bytes > self.bounds.bytes || self.bounds.entries == 0 {
            return;
        }
        self.now += 1;
        self.bytes += bytes;
        self.uses.insert(self.now, key.clone());
        self.held.insert(key, Held { value, bytes, used: self.now });
        while self.held.len() > self.bounds.entries || self.bytes > self.bounds.bytes {
            let Some((_, oldest)) = self.uses.pop_first() else { break };
            self.forget(&oldest);
        }
    }

    pub(crate) fn remove(&mut self, key: &K) {
        if let Some(used) = self.forget(key) {
            self.uses.remove(&used);
        }
    }

    /// How many entries there are, and their bytes.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.held.len(), self.bytes)
    }

    fn forget(&mut self, key: &K) -> Option<u64> {
        let held = self.held.remove(key)?;
        self.bytes -= held.bytes;
        Some(held.used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_goes_first() {
        let mut map = Lru::new(StoreLimits { entries: 3, bytes: 100 });
        let get = |map: &mut Lru<i32, i32>, key| map.get(&key).copied();
        for key in 0..3 {
            map.put(key, key, 10);
        }
        assert_eq!(get(&mut map, 0), Some(0));
        map.put(3, 3, 10);
        assert_eq!([0, 1, 2, 3].map(|key| map.held.contains_key(&key)), [true, false, true, true]);
        assert_eq!(map.size(), (3, 30));
        map.put(4, 4, 85);
        assert_eq!([0, 2, 3, 4].map(|key| map.held.contains_key(&key)), [false, false, true, true]);
        assert_eq!(map.size(), (2, 95));
        map.put(4, 5, 1);
        assert_eq!((get(&mut map, 4), map.size()), (Some(5), (2, 11)));
        map.put(4, 6, 101);
        assert_eq!((get(&mut map, 4), map.size()), (None, (1, 10)));
        map.remove(&0);
        map.remove(&3);
        map.remove(&3);
        assert_eq!((map.size(), map.uses.len()), ((0, 0), 0));
    }

    #[test]
    fn nothing_is_kept_where_nothing_may_be() {
        for bounds in [StoreLimits { entries: 0, bytes: 9 }, StoreLimits { entries: 9, bytes: 0 }] {
            let mut map = Lru::new(bounds);
            map.put("a", (), 1);
            assert_eq!(map.size(), (0, 0));
        }
    }
}
