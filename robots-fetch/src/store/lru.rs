//! A map that drops the values that were not used for the longest time.

use core::hash::Hash;

use lru::LruCache;

use crate::store::limits::StoreLimits;

/// A map with limits for its entries and their bytes. The order of use is kept by the `lru` crate; the bytes are counted
/// here.
#[derive(Debug)]
pub(crate) struct Lru<K: Hash + Eq, V> {
    limits: StoreLimits,
    /// Each value with its bytes.
    held: LruCache<K, (V, usize)>,
    bytes: usize,
}

impl<K: Hash + Eq, V> Lru<K, V> {
    pub(crate) fn new(limits: StoreLimits) -> Self {
        Self { limits, held: LruCache::unbounded(), bytes: 0 }
    }

    /// Returns the value of a key, and marks it as used.
    pub(crate) fn get(&mut self, key: &K) -> Option<&V> {
        self.held.get(key).map(|(value, _)| value)
    }

    /// Keeps a value of this number of bytes, unless it exceeds the limit by itself.
    pub(crate) fn put(&mut self, key: K, value: V, bytes: usize) {
        self.remove(&key);
        if bytes > self.limits.bytes || self.limits.entries == 0 {
            return;
        }
        self.bytes += bytes;
        self.held.put(key, (value, bytes));
        while self.held.len() > self.limits.entries || self.bytes > self.limits.bytes {
            let Some((_, (_, oldest))) = self.held.pop_lru() else { break };
            self.bytes -= oldest;
        }
    }

    pub(crate) fn remove(&mut self, key: &K) {
        if let Some((_, bytes)) = self.held.pop(key) {
            self.bytes -= bytes;
        }
    }

    /// Returns the number of entries, and of their bytes.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.held.len(), self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_is_removed_first() {
        let mut map = Lru::new(StoreLimits { entries: 3, bytes: 100 });
        let get = |map: &mut Lru<i32, i32>, key| map.get(&key).copied();
        for key in 0..3 {
            map.put(key, key, 10);
        }
        assert_eq!(get(&mut map, 0), Some(0));
        map.put(3, 3, 10);
        assert_eq!([0, 1, 2, 3].map(|key| map.held.contains(&key)), [true, false, true, true]);
        assert_eq!(map.size(), (3, 30));
        map.put(4, 4, 85);
        assert_eq!([0, 2, 3, 4].map(|key| map.held.contains(&key)), [false, false, true, true]);
        assert_eq!(map.size(), (2, 95));
        map.put(4, 5, 1);
        assert_eq!((get(&mut map, 4), map.size()), (Some(5), (2, 11)));
        map.put(4, 6, 101);
        assert_eq!((get(&mut map, 4), map.size()), (None, (1, 10)));
        map.remove(&0);
        map.remove(&3);
        map.remove(&3);
        assert_eq!(map.size(), (0, 0));
    }

    #[test]
    fn a_limit_of_zero_keeps_nothing() {
        for bounds in [StoreLimits { entries: 0, bytes: 9 }, StoreLimits { entries: 9, bytes: 0 }] {
            let mut map = Lru::new(bounds);
            map.put("a", (), 1);
            assert_eq!(map.size(), (0, 0));
        }
    }
}
