//! A bounded map of origins for many threads.
//!
//! A look-up locks one of 64 shards, allocates nothing, and follows one pointer, from the table to the slot of the value, where
//! usual hosts are, too. Each shard is a table of places over a list of slots. A hand moves over the slots and drops those that
//! were not used since it last came by (CLOCK), so dropping takes constant time on average and a look-up only sets a bit.

use core::fmt;
use core::hash::{BuildHasher, Hasher};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use url::Url;

use crate::common::lock;
use crate::origin::{Origin, UnsupportedUrl};

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
struct SplitHash {
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
    fn place(&self, key: &Key<'_>) -> SplitHash {
        let hash = key.hash(&self.hasher);
        let mask = self.shards.len() as u64 - 1;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the halves of the hash, and less than 64 shards"
        )]
        SplitHash { shard: ((hash >> 32) & mask) as usize, tag: hash as u32 }
    }

    // Closures run under the lock; if one panics, the shard is as whole as before.
    #[inline]
    fn shard(&self, index: usize) -> MutexGuard<'_, Shard<V>> {
        let shard = self.shards.get(index).expect("a place is within the shards");
        lock(shard)
    }
}

/// The most that a store keeps. The entry that was not used for the longest time is dropped first.
///
/// ```
/// use robots_fetch::StoreLimits;
///
/// let mut limits = StoreLimits::DEFAULT;
/// limits.entries = 1_000_000;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

/// Scheme, host and port of an origin. Equal keys are those of equal [`Origin`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key<'u> {
    pub(crate) host: &'u str,
    pub(crate) port: u16,
    pub(crate) scheme: Scheme,
}

/// A scheme by which a robots.txt can be retrieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Scheme {
    Http,
    Https,
    Ftp,
}

impl<'u> Key<'u> {
    /// Returns the key of a URL's origin. Nothing is copied, formatted or parsed.
    ///
    /// # Errors
    ///
    /// The URL has no [`Origin`].
    #[inline]
    pub(crate) fn from_url(url: &'u Url) -> Result<Self, UnsupportedUrl> {
        let scheme = match url.scheme() {
            "https" => Scheme::Https,
            "http" => Scheme::Http,
            "ftp" => Scheme::Ftp,
            _ => return Err(Origin::unsupported(url)),
        };
        match (url.host_str(), url.port_or_known_default()) {
            (Some(host), Some(port)) => Ok(Self { host, port, scheme }),
            _ => Err(Origin::unsupported(url)),
        }
    }

    #[inline]
    fn hash(&self, hasher: &impl BuildHasher) -> u64 {
        let mut state = hasher.build_hasher();
        state.write(self.host.as_bytes());
        state.write_u32(u32::from(self.port) << 8 | self.scheme as u32);
        state.finish()
    }
}

/// Writes the origin as [`Origin`] does.
impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, default) = match self.scheme {
            Scheme::Http => ("http", 80),
            Scheme::Https => ("https", 443),
            Scheme::Ftp => ("ftp", 21),
        };
        write!(f, "{scheme}://{}", self.host)?;
        if self.port == default { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

impl Origin {
    /// Returns the key.
    pub(crate) fn key(&self) -> Key<'_> {
        Key::from_url(self.robots_url()).expect("the URL of an origin has an origin")
    }
}

/// A host. Usual ones are kept in place, so that comparing them follows no pointer.
enum Host {
    Short { len: u8, bytes: [u8; Self::SHORT] },
    Long(Box<[u8]>),
}

impl Host {
    /// The longest host that is kept in place.
    const SHORT: usize = 22;

    fn new(host: &str) -> Self {
        let mut bytes = [0; Self::SHORT];
        match (bytes.get_mut(..host.len()), u8::try_from(host.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(host.as_bytes());
                Self::Short { len, bytes }
            }
            _ => Self::Long(host.as_bytes().into()),
        }
    }

    #[inline]
    fn is(&self, host: &str) -> bool {
        match self {
            Self::Short { len, bytes } => bytes.get(..usize::from(*len)) == Some(host.as_bytes()),
            Self::Long(bytes) => **bytes == *host.as_bytes(),
        }
    }

    /// Returns the bytes that a host takes outside of the value.
    fn memory(host: &str) -> usize {
        if host.len() <= Self::SHORT { 0 } else { allocated(host.len()) }
    }
}

/// Returns how many bytes an allocation takes: allocators add a few and round up to 16.
pub(crate) const fn allocated(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16) }
}

/// One part of the map.
struct Shard<V> {
    /// The tag of each key, and its slot.
    table: HashTable<(u32, u32)>,
    slots: Vec<Slot<V>>,
    /// The slot that is looked at next when a value has to be dropped.
    hand: usize,
}

/// The first part is one line of the processor's caches: all that a look-up reads, if the value begins with what it reads.
#[repr(C, align(64))]
struct Slot<V> {
    host: Host,
    tag: u32,
    port: u16,
    scheme: Scheme,
    /// Whether the value was used since the hand last came by.
    used: bool,
    value: V,
    /// At most 4 GiB, which no entry reaches.
    bytes: u32,
}

impl<V> Slot<V> {
    #[inline]
    fn is_of(&self, key: &Key<'_>) -> bool {
        self.port == key.port && self.scheme == key.scheme && self.host.is(key.host)
    }
}

impl<V> Shard<V> {
    const fn new() -> Self {
        Self { table: HashTable::new(), slots: Vec::new(), hand: 0 }
    }

    /// Returns the bytes that an entry takes without those that its value points to: its host, its slot with the part of
    /// unused ones (a sixteenth), and its place in the table, which is half to seven eighths full.
    fn overhead(key: &Key<'_>) -> usize {
        const PLACE: usize = 14;
        let slot = size_of::<Slot<V>>();
        slot + slot / 16 + PLACE + Host::memory(key.host)
    }

    /// Returns the value of a key, and marks it as used.
    #[inline]
    fn find(&mut self, tag: u32, key: &Key<'_>) -> Option<&mut V> {
        let index = self.slot(tag, key)?;
        let slot = self.slots.get_mut(index)?;
        // A write that changes nothing would still take the line of memory from the caches of other processors.
        if !slot.used {
            slot.used = true;
        }
        Some(&mut slot.value)
    }

    /// Returns the slot of a key.
    #[inline]
    fn slot(&self, tag: u32, key: &Key<'_>) -> Option<usize> {
        let is_it = |&(other, slot): &(u32, u32)| {
            other == tag && self.slots.get(slot as usize).is_some_and(|slot| slot.is_of(key))
        };
        self.table.find(spread(tag), is_it).map(|&(_, slot)| slot as usize)
    }

    /// Changes the value of a slot. Returns the result, and the bytes before and after it.
    fn change<T>(
        &mut self,
        index: usize,
        key: &Key<'_>,
        change: impl FnOnce(&mut V) -> (T, usize),
    ) -> Option<(T, usize, usize)> {
        let slot = self.slots.get_mut(index)?;
        let (result, bytes) = change(&mut slot.value);
        let before = core::mem::replace(&mut slot.bytes, clamped(bytes + Self::overhead(key)));
        Some((result, before as usize, slot.bytes as usize))
    }

    /// Keeps a value. Returns its slot, and the bytes of the value that it replaces.
    fn insert(&mut self, tag: u32, key: &Key<'_>, value: V, bytes: usize) -> (usize, Option<usize>) {
        if let Some(index) = self.slot(tag, key)
            && let Some(slot) = self.slots.get_mut(index)
        {
            slot.value = value;
            return (index, Some(core::mem::replace(&mut slot.bytes, clamped(bytes)) as usize));
        }
        let Key { host, port, scheme } = *key;
        if self.slots.len() == self.slots.capacity() {
            // Doubling would leave a quarter of the memory of all slots unused.
            self.slots.reserve_exact(self.slots.len() / 8 + 4);
        }
        let index = self.slots.len();
        let bytes = clamped(bytes);
        self.slots.push(Slot { host: Host::new(host), tag, port, scheme, used: false, value, bytes });
        self.table.insert_unique(spread(tag), (tag, to_u32(index)), |&(tag, _)| spread(tag));
        (index, None)
    }

    /// Removes a slot; the last one takes its place. Returns the bytes of its value.
    fn remove(&mut self, index: usize) -> usize {
        let last = self.slots.len() - 1;
        let slot = self.slots.swap_remove(index);
        self.unplace(slot.tag, index);
        if let Some(moved) = self.slots.get(index) {
            let is_moved = |&(_, slot): &(u32, u32)| slot as usize == last;
            if let Some(place) = self.table.find_mut(spread(moved.tag), is_moved) {
                place.1 = to_u32(index);
            }
        }
        if self.slots.len() + 16 < self.slots.capacity() / 2 {
            self.slots.shrink_to(self.slots.len() / 8 * 9);
            self.table.shrink_to(0, |&(tag, _)| spread(tag));
        }
        slot.bytes as usize
    }

    fn unplace(&mut self, tag: u32, index: usize) {
        if let Ok(place) = self.table.find_entry(spread(tag), |&(_, slot)| slot as usize == index) {
            place.remove();
        }
    }

    /// Drops the next value that was not used since the hand last came by, but not the one in `kept`, which may get another
    /// place by it. Returns its bytes; `None` without another value.
    ///
    /// The hand stops after two rounds, because the first one clears all marks.
    fn drop_one(&mut self, kept: &mut Option<usize>) -> Option<usize> {
        for _ in 0..2 * self.slots.len() {
            if self.hand >= self.slots.len() {
                self.hand = 0;
            }
            let index = self.hand;
            self.hand += 1;
            let Some(slot) = self.slots.get_mut(index).filter(|_| *kept != Some(index)) else { continue };
            if !core::mem::take(&mut slot.used) {
                let bytes = self.remove(index);
                if *kept == Some(self.slots.len()) {
                    *kept = Some(index);
                }
                return Some(bytes);
            }
        }
        None
    }
}

fn clamped(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).expect("a shard has fewer than 2^32 entries")
}

/// Returns the hash by which the table places a tag. The table takes the place from the lower bits, and compares seven of the
/// upper ones.
#[inline]
fn spread(tag: u32) -> u64 {
    u64::from(tag) << 32 | u64::from(tag)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::LazyLock;
    use std::thread;

    use proptest::prelude::*;
    use url::Url;

    use super::*;
    use crate::origin::Origin;

    fn origin(number: usize) -> Origin {
        static FIRST: LazyLock<Vec<Origin>> = LazyLock::new(|| (0..40).map(parsed).collect());
        FIRST.get(number).cloned().unwrap_or_else(|| parsed(number))
    }

    fn parsed(number: usize) -> Origin {
        Origin::parse(&format!("https://site-{number}.example")).unwrap()
    }

    fn insert(map: &OriginMap<usize>, number: usize, bytes: usize) -> bool {
        map.insert(&origin(number).key(), number, bytes)
    }

    fn get<V: Clone>(map: &OriginMap<V>, number: usize) -> Option<V> {
        map.find(&origin(number).key(), |value| value.clone())
    }

    fn has(map: &OriginMap<usize>, number: usize) -> bool {
        // Without marking it as used.
        let origin = origin(number);
        let place = map.place(&origin.key());
        map.shard(place.shard).slot(place.tag, &origin.key()).is_some()
    }

    #[test]
    fn keys_are_equal_where_origins_are() {
        let urls = [
            "https://example.com/a?b#c",
            "https://me:secret@example.com:443/",
            "http://example.com:443/",
            "http://example.com/",
            "http://example.com:80/x",
            "ftp://example.com/",
            "ftp://example.com:80/",
            "https://EXAMPLE.com./",
            "https://www.ex\u{E4}mple.com/",
            "https://www.xn--exmple-cua.com/",
            "http://[::1]:8080/",
            "http://[0:0::1]:8080/a",
            "http://0x7f.1/",
            "http://127.0.0.1/",
            "http://127.0.0.1:0/",
        ];
        let urls = urls.map(|url| Url::parse(url).unwrap());
        let hasher = RandomState::default();
        for one in &urls {
            for other in &urls {
                let (key, other_key) = (Key::from_url(one).unwrap(), Key::from_url(other).unwrap());
                let same = Origin::from_url(one).unwrap() == Origin::from_url(other).unwrap();
                assert_eq!(key == other_key, same, "{one} {other}");
                assert!(!same || key.hash(&hasher) == other_key.hash(&hasher), "{one} {other}");
            }
            let origin = Origin::from_url(one).unwrap();
            assert_eq!(Key::from_url(one).unwrap(), origin.key());
        }
        for url in ["mailto:a@example.com", "file:///robots.txt", "gopher://example.com/", "data:,x"] {
            let url = Url::parse(url).unwrap();
            assert_eq!(Key::from_url(&url).unwrap_err(), Origin::from_url(&url).unwrap_err());
        }
    }

    #[test]
    fn a_value_that_was_not_used_goes_first() {
        let map = OriginMap::new(StoreLimits { entries: 4, bytes: 1 << 20 });
        for number in 0..4 {
            assert!(insert(&map, number, 10));
        }
        assert_eq!((get(&map, 0), get(&map, 2)), (Some(0), Some(2)));
        insert(&map, 4, 10);
        insert(&map, 5, 10);
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|number| has(&map, number)),
            [true, false, true, false, true, true]
        );
        // Those that were used got one more round, and are now like the others.
        (6..10).for_each(|number| assert!(insert(&map, number, 10)));
        assert_eq!((0..10).filter(|&number| has(&map, number)).collect::<Vec<_>>(), [6, 7, 8, 9]);
    }

    #[test]
    fn values_that_are_in_use_outlive_a_hundred_times_as_many_that_are_not() {
        const IN_USE: usize = 2_000;
        let map = OriginMap::new(StoreLimits { entries: 4 * IN_USE, bytes: 1 << 30 });
        (0..IN_USE).for_each(|number| assert!(insert(&map, number, 10)));
        for number in 0..100 * IN_USE {
            insert(&map, IN_USE + number, 10);
            let _ = get(&map, number % IN_USE);
        }
        assert_eq!(map.len(), 4 * IN_USE);
        let kept = (0..IN_USE).filter(|&number| has(&map, number)).count();
        assert!(kept > IN_USE / 100 * 99, "{kept}");
    }

    #[test]
    fn large_values_push_out_as_many_bytes_as_they_need() {
        let map = OriginMap::new(StoreLimits { entries: 100_000, bytes: 4 << 20 });
        for number in 0..4_000 {
            insert(&map, number, 500);
            assert!(map.bytes() <= 4 << 20);
        }
        let before = map.len();
        assert!(insert(&map, 0, 3 << 20) && has(&map, 0));
        assert!(map.bytes() <= 4 << 20 && map.len() < before / 2, "{} {before}", map.len());
        assert!(!insert(&map, 0, 4 << 20) && !has(&map, 0));
        for limits in [StoreLimits { entries: 0, bytes: 1 << 20 }, StoreLimits { entries: 9, bytes: 0 }] {
            let map = OriginMap::new(limits);
            assert!(!insert(&map, 1, 0));
            assert_eq!((map.len(), map.bytes()), (0, 0));
        }
    }

    #[test]
    fn a_value_may_grow() {
        let map = OriginMap::new(StoreLimits { entries: 100, bytes: 10_000 });
        (0..5).for_each(|number| assert!(insert(&map, number, 1_000)));
        assert_eq!(map.change(&origin(3).key(), |value| (*value, 8_000)), Some(3));
        assert!(has(&map, 3) && map.bytes() <= 10_000 && map.len() < 5, "{}", map.bytes());
        assert_eq!(map.change(&origin(9).key(), |value| (*value, 0)), None);
        map.remove(&origin(3).key());
        let rest = map.len();
        (0..5).for_each(|number| map.remove(&origin(number).key()));
        assert_eq!((map.len(), map.bytes()), (0, 0), "{rest}");
    }

    #[test]
    fn threads_share_the_map() {
        let map = OriginMap::new(StoreLimits { entries: 1_000, bytes: 1 << 20 });
        thread::scope(|scope| {
            for thread in 0..8 {
                let map = &map;
                scope.spawn(move || {
                    for turn in 0..5_000 {
                        let number = (turn * 31 + thread * 17) % 3_000;
                        insert(map, number, 100);
                        if let Some(value) = get(map, number) {
                            assert_eq!(value, number);
                        }
                        if turn % 5 == 0 {
                            map.remove(&origin(number).key());
                        }
                    }
                });
            }
        });
        assert!(map.len() <= 1_008);
        (0..3_000).for_each(|number| map.remove(&origin(number).key()));
        assert_eq!((map.len(), map.bytes()), (0, 0));
    }

    #[derive(Clone, Copy, Debug)]
    enum Act {
        Insert { number: usize, bytes: usize },
        Change { number: usize, bytes: usize },
        Remove { number: usize },
        Get { number: usize },
    }

    fn act() -> impl Strategy<Value = Act> {
        let number = 0..40_usize;
        prop_oneof![
            4 => (number.clone(), 0..3_000_usize).prop_map(|(number, bytes)| Act::Insert { number, bytes }),
            1 => (number.clone(), 0..3_000_usize).prop_map(|(number, bytes)| Act::Change { number, bytes }),
            1 => number.clone().prop_map(|number| Act::Remove { number }),
            3 => number.prop_map(|number| Act::Get { number }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        /// A map without limits is the model: the bounded map has a part of it, with the same values, the newest value among
        /// them, and its sums are those of this part.
        #[test]
        fn the_map_is_a_bounded_part_of_one_without_limits(
            acts in prop::collection::vec(act(), 1..200),
            entries in 1..30_usize,
            bytes in 2_000..20_000_usize,
            shards in 0..2_usize,
        ) {
            let limits = StoreLimits { entries, bytes };
            // With two shards, a value may have to be dropped from another shard than that of the new value.
            let mut map = OriginMap::new(limits);
            if shards == 1 {
                map.shards = (0..2).map(|_| Mutex::new(Shard::new())).collect();
            }
            let mut model: HashMap<usize, (usize, usize)> = HashMap::new();
            for (turn, act) in acts.into_iter().enumerate() {
                match act {
                    Act::Insert { number, bytes } => {
                        let origin = origin(number);
                        let full = bytes + Shard::<usize>::overhead(&origin.key());
                        let kept = map.insert(&origin.key(), turn, bytes);
                        prop_assert_eq!(kept, full <= limits.bytes);
                        prop_assert_eq!(has(&map, number), kept);
                        model.insert(number, (turn, full));
                    }
                    Act::Change { number, bytes } => {
                        let origin = origin(number);
                        let full = bytes + Shard::<usize>::overhead(&origin.key());
                        if full <= limits.bytes && map.change(&origin.key(), |value| { *value = turn; ((), bytes) }).is_some() {
                            prop_assert!(has(&map, number));
                            model.insert(number, (turn, full));
                        }
                    }
                    Act::Remove { number } => {
                        map.remove(&origin(number).key());
                        prop_assert!(!has(&map, number));
                        model.remove(&number);
                    }
                    Act::Get { number } => {
                        if let Some(value) = get(&map, number) {
                            prop_assert_eq!(Some(value), model.get(&number).map(|known| known.0));
                        }
                    }
                }
                prop_assert!(map.len() <= limits.entries && map.bytes() <= limits.bytes);
                let held: Vec<usize> = (0..40).filter(|&number| has(&map, number)).collect();
                prop_assert_eq!(map.len(), held.len());
                prop_assert_eq!(map.bytes(), held.iter().map(|number| model[number].1).sum::<usize>());
            }
        }
    }

    #[test]
    fn allocations_are_counted_as_allocators_round_them() {
        assert_eq!([0, 1, 8, 9, 24, 25].map(allocated), [0, 16, 16, 32, 32, 48]);
    }

    #[test]
    fn hosts_of_any_length_are_kept() {
        assert_eq!(size_of::<Host>(), 24);
        let text = "a.example-with-a-long-name.test";
        for len in 0..text.len() {
            let host = Host::new(&text[..len]);
            assert_eq!(matches!(host, Host::Short { .. }), len <= Host::SHORT);
            assert_eq!(Host::memory(&text[..len]) > 0, len > Host::SHORT);
            for other in 0..text.len() {
                assert_eq!(host.is(&text[..other]), len == other);
            }
        }
        assert!(!Host::new("a.test").is("b.test"));
    }
}
