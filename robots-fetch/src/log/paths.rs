//! The paths of a log, and what rule sets say about them.

use core::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Paths that were requested, and the verdicts of rule sets about them. When there are too many, all are forgotten.
///
/// A path is known by its length and a hash of 64 bits, because comparing texts would take a quarter of all time. The hash has a
/// random seed, so no log can make paths collide, and two of the most paths collide in one of a billion logs.
///
/// # Memory
///
/// Up to about 15 MiB.
#[derive(Debug)]
pub(super) struct Paths {
    table: HashTable<KnownPath>,
    verdicts: Vec<Verdicts>,
    cells: usize,
    seed: RandomState,
}

/// The verdicts of a rule set.
#[derive(Debug, Default)]
struct Verdicts {
    /// For each path by its number, the number of the verdict from 1, or 0 if the rule set was not asked. Frequent paths come early
    /// in a log, so their verdicts are near each other.
    cells: Vec<u16>,
    /// All that the rule set said.
    different: Vec<Judged>,
}

/// By what a path is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathKey {
    pub(super) hash: u64,
    len: usize,
}

/// A path of an event, which is to be compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The number of the event.
    pub(super) event: usize,
    /// Where the text begins and ends.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) key: PathKey,
    /// Whether the log leaves out the query.
    pub(super) lacks_query: bool,
}

#[derive(Clone, Copy, Debug)]
struct KnownPath {
    hash: u64,
    len: u32,
    number: u32,
}

/// The most paths, and the most verdicts.
const MOST_PATHS: usize = 200_000;
const MOST_VERDICTS: usize = 4 << 20;

/// The most different verdicts of a rule set that are remembered.
const MOST_DIFFERENT: usize = 500;

/// The line that decides, 0 for none, and flags.
pub(super) type Judged = (u32, u16);

impl Paths {
    /// Creates an empty table. Tables with the same seed have the same hashes.
    pub(super) fn new(seed: RandomState) -> Self {
        Self { table: HashTable::new(), verdicts: Vec::new(), cells: 0, seed }
    }

    /// Returns by what a path is known.
    pub(super) fn key(&self, path: &[u8]) -> PathKey {
        PathKey { hash: self.seed.hash_one(path), len: path.len() }
    }

    /// Finds the numbers of paths, which they have until the next call of this function; `None` for a path of 4 GiB.
    pub(super) fn numbers(&mut self, asked: &[Asked], numbers: &mut Vec<Option<u32>>) {
        if self.table.len() + asked.len() > MOST_PATHS || self.cells > MOST_VERDICTS {
            self.table.clear();
            self.verdicts.clear();
            self.cells = 0;
        }
        numbers.clear();
        numbers.extend(asked.iter().map(|asked| self.number(asked.key)));
        for (asked, number) in asked.iter().zip(numbers) {
            if number.is_none() {
                *number = self.number(asked.key).or_else(|| self.add(asked.key));
            }
        }
    }

    fn number(&self, key: PathKey) -> Option<u32> {
        let is_equal = |known: &KnownPath| known.hash == key.hash && known.len as usize == key.len;
        self.table.find(key.hash, is_equal).map(|known| known.number)
    }

    fn add(&mut self, key: PathKey) -> Option<u32> {
        let known = KnownPath {
            hash: key.hash,
            len: u32::try_from(key.len).ok()?,
            number: u32::try_from(self.table.len()).ok()?,
        };
        self.table.insert_unique(known.hash, known, |known| known.hash);
        Some(known.number)
    }

    /// Returns what a rule set says about the path with a number, if any; `judge` asks the rule set.
    pub(super) fn verdict(
        &mut self,
        set: u32,
        number: Option<u32>,
        judge: impl FnOnce() -> Judged,
    ) -> Judged {
        let Some(number) = number else { return judge() };
        let (set, number) = (set as usize, number as usize);
        if let Some(verdicts) = self.verdicts.get(set)
            && let Some(index) = verdicts.cells.get(number).and_then(|cell| usize::from(*cell).checked_sub(1))
            && let Some(judged) = verdicts.different.get(index)
        {
            return *judged;
        }
        let judged = judge();
        if self.verdicts.len() <= set {
            self.verdicts.resize_with(set + 1, Verdicts::default);
        }
        if let Some(verdicts) = self.verdicts.get_mut(set) {
            self.cells += verdicts.keep(number, judged);
        }
        judged
    }
}

impl Verdicts {
    /// Remembers a verdict. Returns by how much the memory grows, in verdicts.
    fn keep(&mut self, number: usize, judged: Judged) -> usize {
        let index = match self.different.iter().position(|other| *other == judged) {
            Some(index) => index,
            None if self.different.len() >= MOST_DIFFERENT => return 0,
            None => {
                self.different.push(judged);
                self.different.len() - 1
            }
        };
        let before = self.cells.len();
        if before <= number {
            self.cells.resize(number + 1, 0);
        }
        if let (Some(cell), Ok(index)) = (self.cells.get_mut(number), u16::try_from(index + 1)) {
            *cell = index;
        }
        self.cells.len() - before
    }
}
