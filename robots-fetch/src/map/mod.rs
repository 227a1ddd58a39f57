//! A bounded map of origins for many threads.
//!
//! A look-up locks one of 64 shards, allocates nothing, and follows one pointer, from the table to the slot of the value, where
//! usual hosts are, too. Each shard is a table of places over a list of slots. A hand moves over the slots and drops those that
//! were not used since it last came by (CLOCK), so dropping takes constant time on average and a look-up only sets a bit.

mod host;
pub(crate) mod key;
mod shard;

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::fast::RandomState;

pub(crate) use crate::map::host::allocated;
use crate::map::key::Key;
use crate::map::shard::Shard;

/// The most shards.
const MOST_SHARDS: usize = 64;

/// A shard for fewer entries than this would be filled unevenly.
const LEAST_IN_SHARD: usize = 256;

/// A map with limits for its entries and their bytes. Both hold at the end of each change; while several threads change the
/// map, each may exceed the limits by the value that it inserts.
pub(crate) struct OriginMap<V> {
    shards: Box<[Mutex<Shard<V>>]>,
    hasher: RandomState,
    limits: StoreLimits,
    entries: AtomicUsize,
    bytes: AtomicUsize,
    dropped: AtomicU64,
}

/// A hash, split: the shard, and the tag within its table.
#[derive(Clone, Copy)]
struct Place {
    shard: usize,
    tag: u32,
}

impl<V> OriginMap<V> {
    pub(crate) fn new(limits: StoreLimits) -> Self {
        let wanted = (limits.entries / LEAST_IN_SHARD).clamp(1, MOST_SHARDS);
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        Self {
            shards: (0..count).map(|_| Mutex::new(Shard::new())).collect(),
            hasher: RandomState::default(),
            limits,
            entries: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            dropped: AtomicU64::new(0),
        }
    }

    /// Calls `see` with the value of a key, under the lock of its shard, and marks the value as used.
    #[inline]
    pub(crate) fn find<T>(&self, key: &Key<'_>, see: impl FnOnce(&mut V) -> T) -> Option<T> {
        let place = self.place(key);
        self.shard(place.shard).find(place.tag, key).map(see)
    }

    /// Calls `change` with the value of a key, under the lock of its shard. It returns the bytes that the value takes from
    /// now on, without those of the key.
    pub(crate) fn change<T>(&self, key: &Key<'_>, change: impl FnOnce(&mut V) -> (T, usize)) -> Option<T> {
        let place = self.place(key);
        let (result, slot) = {
            let mut shard = self.shard(place.shard);
            let slot = shard.slot(place.tag, key)?;
            let (result, before, now) = shard.change(slot, key, change)?;
            self.count_bytes(before, now);
            (result, slot)
        };
        self.shrink(place.shard, Some(slot));
        Some(result)
    }

    /// Keeps a value of this number of bytes, without those of the key, and returns whether it did: not if the value exceeds
    /// the limits by itself.
    pub(crate) fn insert(&self, key: &Key<'_>, value: V, bytes: usize) -> bool {
        let bytes = bytes.saturating_add(Shard::<V>::overhead(key)).min(u32::MAX as usize);
        if bytes > self.limits.bytes || self.limits.entries == 0 {
            self.remove(key);
            return false;
        }
        let place = self.place(key);
        let slot = {
            let mut shard = self.shard(place.shard);
            let (slot, before) = shard.insert(place.tag, key, value, bytes);
            if before.is_none() {
                self.entries.fetch_add(1, Ordering::Relaxed);
            }
            self.count_bytes(before.unwrap_or(0), bytes);
            slot
        };
        self.shrink(place.shard, Some(slot));
        true
    }

    pub(crate) fn remove(&self, key: &Key<'_>) {
        let place = self.place(key);
        let mut shard = self.shard(place.shard);
        if let Some(slot) = shard.slot(place.tag, key) {
            self.count_removed(shard.remove(slot));
        }
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.load(Ordering::Relaxed)
    }

    /// Returns the bytes of all entries.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns how many values were dropped because of the limits.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Drops values until the limits hold, except the one in `kept`, a slot of shard `first`.
    fn shrink(&self, first: usize, mut kept: Option<usize>) {
        let count = self.shards.len();
        for turn in 0..count {
            if !self.exceeds() {
                return;
            }
            let mut shard = self.shard((first + turn) % count);
            while self.exceeds() {
                let Some(bytes) = shard.drop_one(&mut kept) else { break };
                self.count_removed(bytes);
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
            kept = None;
        }
    }

    fn exceeds(&self) -> bool {
        self.len() > self.limits.entries || self.bytes() > self.limits.bytes
    }

    // Both are called while the shard is locked that the value belongs to, so no sum becomes negative.
    fn count_bytes(&self, before: usize, now: usize) {
        if now >= before {
            self.bytes.fetch_add(now - before, Ordering::Relaxed);
        } else {
            self.bytes.fetch_sub(before - now, Ordering::Relaxed);
        }
    }

    fn count_removed(&self, bytes: usize) {
        self.entries.fetch_sub(1, Ordering::Relaxed);
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    #[inline]
    fn place(&self, key: &Key<'_>) -> Place {
        let hash = key.hash(&self.hasher);
        let mask = self.shards.len() as u64 - 1;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the halves of the hash, and less than 64 shards"
        )]
        Place { shard: ((hash >> 32) & mask) as usize, tag: hash as u32 }
    }

    // Closures run under the lock; if one panics, the shard is as whole as before.
    #[inline]
    fn shard(&self, index: usize) -> MutexGuard<'_, Shard<V>> {
        let shard = self.shards.get(index).expect("a place is within the shards");
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;

/// The most that a store keeps. The entry that was not used for the longest time is dropped first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "complete by definition")]
pub struct StoreLimits {
    /// The number of entries.
    pub entries: usize,
    /// The number of bytes. Stores on disk count [`Entry::weight`](crate::Entry::weight); memory counts what entries allocate. A
    /// larger entry is not kept.
    pub bytes: usize,
}

impl StoreLimits {
    /// 10,000 entries, 64 MiB.
    pub const DEFAULT: Self = Self { entries: 10_000, bytes: 64 << 20 };
}

impl Default for StoreLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
