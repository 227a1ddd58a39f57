//! Limits of stores.

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
