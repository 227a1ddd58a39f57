//! The paths of a log with their verdicts.

use core::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Paths that rule sets were asked about, each with the verdict. The hash has a random seed, so that no log can make paths
/// collide.
#[derive(Debug)]
pub(super) struct Paths {
    table: HashTable<u32>,
    entries: Vec<KnownPath>,
    text: Vec<u8>,
    seed: RandomState,
}

/// A path with the verdict of a rule set.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownPath {
    start: u32,
    len: u32,
    /// The hash of the path, whatever its rule set is.
    pub(super) hash: u64,
    pub(super) set: u32,
    /// The line that decides; 0 for none.
    pub(super) line: u32,
    /// The rule set of the version before that was asked last, and whether it allows the path.
    pub(super) before: (u32, bool),
    pub(super) flags: u8,
}

/// The most paths, and the most bytes of them.
const MOST_PATHS: usize = 400_000;
const MOST_BYTES: usize = 24 << 20;

impl Paths {
    /// Creates an empty table. Tables with the same seed have the same hashes.
    pub(super) fn new(seed: RandomState) -> Self {
        Self { table: HashTable::new(), entries: Vec::new(), text: Vec::new(), seed }
    }

    /// Returns the number of a path, which `judge` judges if it is new: line and flags. `None` if there are too many.
    pub(super) fn find(
        &mut self,
        set: u32,
        path: &[u8],
        judge: impl FnOnce() -> (u32, u8),
    ) -> Result<u32, (u32, u8)> {
        let hash = self.seed.hash_one(path);
        let is_equal = |index: &u32| {
            self.entries.get(*index as usize).is_some_and(|entry| {
                entry.hash == hash && entry.set == set && self.text.get(entry.span()) == Some(path)
            })
        };
        if let Some(index) = self.table.find(with_set(hash, set), is_equal) {
            return Ok(*index);
        }
        let (line, flags) = judge();
        if self.entries.len() >= MOST_PATHS || self.text.len() + path.len() > MOST_BYTES {
            return Err((line, flags));
        }
        #[expect(clippy::cast_possible_truncation, reason = "both are limited above")]
        let (index, start, len) = (self.entries.len() as u32, self.text.len() as u32, path.len() as u32);
        self.text.extend_from_slice(path);
        self.entries.push(KnownPath { start, len, hash, set, line, before: (u32::MAX, false), flags });
        let entries = &self.entries;
        self.table.insert_unique(with_set(hash, set), index, |index| {
            entries.get(*index as usize).map_or(0, |entry| with_set(entry.hash, entry.set))
        });
        Ok(index)
    }

    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut KnownPath> {
        self.entries.get_mut(index as usize)
    }

    /// Returns the text of a path.
    pub(super) fn text(&self, index: u32) -> &[u8] {
        let entry = self.entries.get(index as usize);
        entry.and_then(|entry| self.text.get(entry.span())).unwrap_or_default()
    }
}

/// Returns the hash of a path and a rule set.
const fn with_set(hash: u64, set: u32) -> u64 {
    hash ^ (set as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl KnownPath {
    const fn span(&self) -> core::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}
