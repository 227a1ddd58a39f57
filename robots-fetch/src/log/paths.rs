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
    hash: u32,
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
    pub(super) fn new() -> Self {
        Self { table: HashTable::new(), entries: Vec::new(), text: Vec::new(), seed: RandomState::default() }
    }

    /// Returns the number of a path, which `judge` judges if it is new: line and flags. `None` if there are too many.
    pub(super) fn find(
        &mut self,
        set: u32,
        path: &[u8],
        judge: impl FnOnce() -> (u32, u8),
    ) -> Result<u32, (u32, u8)> {
        let hash = self.seed.hash_one((path, set));
        #[expect(clippy::cast_possible_truncation, reason = "half of a hash")]
        let half = (hash >> 20) as u32;
        let is_equal = |index: &u32| {
            self.entries.get(*index as usize).is_some_and(|entry| {
                entry.hash == half && entry.set == set && self.text.get(entry.span()) == Some(path)
            })
        };
        if let Some(index) = self.table.find(hash, is_equal) {
            return Ok(*index);
        }
        let (line, flags) = judge();
        if self.entries.len() >= MOST_PATHS || self.text.len() + path.len() > MOST_BYTES {
            return Err((line, flags));
        }
        #[expect(clippy::cast_possible_truncation, reason = "both are limited above")]
        let (index, start, len) = (self.entries.len() as u32, self.text.len() as u32, path.len() as u32);
        self.text.extend_from_slice(path);
        self.entries.push(KnownPath { start, len, hash: half, set, line, before: (u32::MAX, false), flags });
        let (entries, text, seed) = (&self.entries, &self.text, &self.seed);
        self.table.insert_unique(hash, index, |index| {
            let entry = entries.get(*index as usize);
            entry.map_or(0, |entry| seed.hash_one((text.get(entry.span()).unwrap_or_default(), entry.set)))
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

impl KnownPath {
    const fn span(&self) -> core::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}
