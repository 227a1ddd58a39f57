//! Limits of stores.

use crate::entry::Entry;
use crate::origin::Origin;

/// The most that a store keeps. The entry that was not used for the longest time is dropped first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "complete by definition")]
pub struct StoreLimits {
    /// The number of entries.
    pub entries: usize,
    /// The number of bytes: bodies, URLs and fields, and 512 bytes more for each entry. A larger entry is not kept.
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

/// Returns about how many bytes an entry takes in memory.
pub(crate) fn weight(origin: &Origin, entry: &Entry) -> usize {
    const OVERHEAD: usize = 512;
    let hops: usize = entry.hops().iter().map(|hop| size_of_val(hop) + hop.url.as_str().len()).sum();
    let file = entry.good_file().or_else(|| entry.previous_file());
    OVERHEAD + origin.as_str().len() + hops + file.map_or(0, |file| file.len() + file.facts_len())
}
