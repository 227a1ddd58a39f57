//! The disallowed paths that crawlers requested most.

use foldhash::fast::RandomState;

/// A map whose hash has a random seed.
type FastMap<K, V> = hashbrown::HashMap<K, V, RandomState>;

/// Counts how often each crawler requested each disallowed path.
///
/// The counts are exact up to 400,000 pairs of a crawler and a path. Then those with the least counts are forgotten, at least half
/// of them, and [`error`](Self::error) is by how much a count may be too small. So the paths that were requested most remain.
///
/// # Memory
///
/// Up to about 45 MiB, and twice as much while paths are forgotten.
#[derive(Debug, Default)]
pub(super) struct TopPaths {
    /// The number of each path, by its hash.
    numbers: FastMap<u64, u32>,
    texts: Vec<PathText>,
    text: Vec<u8>,
    /// How often each crawler, by the number of its figures, requested each path, by its number.
    counts: FastMap<(u32, u32), u32>,
    /// Requests that are not counted yet. Some are counted at once, so that a processor waits for the memory of all of them once.
    recent: Vec<(u32, u32)>,
    error: u64,
}

/// The most requests that are not counted yet.
const MOST_RECENT: usize = 64;

#[derive(Clone, Copy, Debug)]
struct PathText {
    hash: u64,
    start: u32,
    len: u32,
    /// The bytes of the whole path.
    whole: u32,
}

/// The most pairs of a crawler and a path, and the most bytes of paths.
const MOST_PAIRS: usize = 400_000;
const MOST_BYTES: usize = 16 << 20;

/// The most bytes of a path that are kept.
pub(super) const LONGEST: usize = 1000;

impl TopPaths {
    /// Returns the number of a path, until [`limit`](Self::limit) renumbers it. `whole` is the length of the path, of which `text` is
    /// the beginning.
    pub(super) fn number(&mut self, hash: u64, text: &[u8], whole: u32) -> u32 {
        let next = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(hash).or_insert(next);
        if number == next {
            let text = text.get(..LONGEST).unwrap_or(text);
            #[expect(clippy::cast_possible_truncation, reason = "`limit` is called before there are 4 GiB")]
            let (start, len) = (self.text.len() as u32, text.len() as u32);
            self.texts.push(PathText { hash, start, len, whole });
            self.text.extend_from_slice(text);
        }
        number
    }

    /// Returns the hash, the text and the whole length of the path with a number.
    pub(super) fn path(&self, number: u32) -> Option<(u64, &[u8], u32)> {
        let path = self.texts.get(number as usize)?;
        Some((path.hash, self.text.get(path.span())?, path.whole))
    }

    /// Returns whether the texts, also those of requests that will be counted, have more bytes than are kept.
    pub(super) const fn is_large(&self) -> bool {
        self.text.len() > 2 * MOST_BYTES
    }

    /// Counts a request.
    pub(super) fn add(&mut self, pair: u32, path: u32) {
        self.recent.push((pair, path));
        if self.recent.len() == MOST_RECENT {
            self.settle();
        }
    }

    /// Counts all requests that were added.
    pub(super) fn settle(&mut self) {
        for key in self.recent.drain(..) {
            let count = self.counts.entry(key).or_insert(0);
            *count = count.saturating_add(1);
        }
    }

    /// Returns by how much counts may be too small; 0 if they are exact.
    pub(super) const fn error(&self) -> u64 {
        self.error
    }

    /// Returns each crawler with a path, the length of the whole path, and how often it was requested. [`settle`](Self::settle) comes
    /// first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[u8], usize, u64)> {
        self.counts.iter().filter_map(|((pair, path), count)| {
            let text = self.texts.get(*path as usize)?;
            Some((*pair, self.text.get(text.span())?, text.whole as usize, u64::from(*count)))
        })
    }

    /// Forgets paths if there are too many. `waiting` are the numbers of paths that will be counted, which change then.
    pub(super) fn limit<'w>(&mut self, waiting: impl Iterator<Item = &'w mut u32>) {
        self.settle();
        if self.counts.len() <= MOST_PAIRS && self.text.len() <= MOST_BYTES {
            return;
        }
        // At least the half with the least counts.
        let mut counts: Vec<u32> = self.counts.values().copied().collect();
        let middle = counts.len() / 2;
        if let Some((_, median, _)) = (middle < counts.len()).then(|| counts.select_nth_unstable(middle)) {
            let least = *median;
            self.counts.retain(|_, count| *count > least);
            self.error += u64::from(least);
        }
        let old = core::mem::take(self);
        self.error = old.error;
        let mut moved = |number: u32| {
            let found = old.texts.get(number as usize)?;
            Some(self.number(found.hash, old.text.get(found.span())?, found.whole))
        };
        // In the order of their numbers, so that equal logs have equal tables.
        let mut counts: Vec<((u32, u32), u32)> =
            old.counts.iter().map(|(key, count)| (*key, *count)).collect();
        counts.sort_unstable_by_key(|((pair, path), _)| (*path, *pair));
        let counts: Vec<_> = counts
            .into_iter()
            .filter_map(|((pair, path), count)| Some(((pair, moved(path)?), count)))
            .collect();
        for number in waiting {
            if let Some(new) = moved(*number) {
                *number = new;
            }
        }
        self.counts.extend(counts);
    }
}

impl PathText {
    const fn span(&self) -> core::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_that_are_requested_most_remain() {
        let mut tops = TopPaths::default();
        let mut waiting = [tops.number(1, b"/waiting", 8)];
        for round in 0..4_u64 {
            for path in 0..300_000_u64 {
                let hash = 2 + round * 300_000 + path;
                let number = tops.number(hash, hash.to_string().as_bytes(), 7);
                tops.add(0, number);
                if path % 1000 == 0 {
                    let often = tops.number(u64::MAX, b"/often", 6);
                    tops.add(1, often);
                }
            }
            tops.limit(waiting.iter_mut());
        }
        tops.add(2, waiting[0]);
        tops.settle();
        let found: Vec<_> = tops.iter().filter(|(pair, ..)| *pair != 0).collect();
        assert_eq!(tops.error(), 2);
        assert!(found.contains(&(1, b"/often", 6, 1200)) && found.contains(&(2, b"/waiting", 8, 1)));
        assert!(tops.counts.len() <= MOST_PAIRS && tops.texts.len() <= MOST_PAIRS + 2);
    }
}
