//! One part of the map: a table of places over a list of slots.

use hashbrown::HashTable;

use crate::map::host::Host;
use crate::map::key::{Key, Scheme};

/// One part of the map.
pub(super) struct Shard<V> {
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
    pub(super) const fn new() -> Self {
        Self { table: HashTable::new(), slots: Vec::new(), hand: 0 }
    }

    /// Returns the bytes that an entry takes without those that its value points to: its host, its slot with the part of
    /// unused ones (a sixteenth), and its place in the table, which is half to seven eighths full.
    pub(super) fn overhead(key: &Key<'_>) -> usize {
        const PLACE: usize = 14;
        let slot = size_of::<Slot<V>>();
        slot + slot / 16 + PLACE + Host::memory(key.host)
    }

    /// Returns the value of a key, and marks it as used.
    #[inline]
    pub(super) fn find(&mut self, tag: u32, key: &Key<'_>) -> Option<&mut V> {
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
    pub(super) fn slot(&self, tag: u32, key: &Key<'_>) -> Option<usize> {
        let is_it = |&(other, slot): &(u32, u32)| {
            other == tag && self.slots.get(slot as usize).is_some_and(|slot| slot.is_of(key))
        };
        self.table.find(spread(tag), is_it).map(|&(_, slot)| slot as usize)
    }

    /// Changes the value of a slot. Returns the result, and the bytes before and after it.
    pub(super) fn change<T>(
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
    pub(super) fn insert(
        &mut self,
        tag: u32,
        key: &Key<'_>,
        value: V,
        bytes: usize,
    ) -> (usize, Option<usize>) {
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
    pub(super) fn remove(&mut self, index: usize) -> usize {
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
    pub(super) fn drop_one(&mut self, kept: &mut Option<usize>) -> Option<usize> {
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
