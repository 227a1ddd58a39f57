//! URLs in blocks of memory.

use core::hash::BuildHasher as _;
use std::collections::{HashMap, HashSet};
use std::hash::RandomState;

/// The bytes of URLs in a block. The allocators of some systems keep memory for each thread up to twice the size of the largest
/// block that was ever freed.
const BLOCK: usize = 64 << 10;

/// URLs and paths, one after another.
///
/// # Memory
///
/// Their bytes, and 4 to 8 bytes for each.
#[derive(Debug, Default)]
pub(crate) struct Urls {
    blocks: Vec<Block>,
    /// The number of bytes of all URLs.
    bytes: usize,
    /// The memory in bytes of all blocks except the last.
    of_full: usize,
}

#[derive(Debug, Default)]
struct Block {
    /// The number of URLs in the blocks before.
    before: usize,
    text: Vec<u8>,
    /// The end of each URL in the text.
    ends: Vec<u32>,
}

impl Block {
    /// The number of URLs in this block and in those before.
    const fn len(&self) -> usize {
        self.before + self.ends.len()
    }

    const fn memory(&self) -> usize {
        self.text.capacity() + 4 * self.ends.capacity()
    }

    fn push(&mut self, url: &[u8]) {
        self.text.extend_from_slice(url);
        // A block has one URL at least, and no URL has 4 GiB.
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
    }

    fn get(&self, index: usize) -> Option<&[u8]> {
        let end = |index: usize| self.ends.get(index).map(|&end| end as usize);
        let start = index.checked_sub(1).map_or(Some(0), end)?;
        self.text.get(start..end(index)?)
    }

    /// Keeps the first URLs.
    fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.text.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }
}

/// The most URLs, and the most bytes of URLs, that are kept of the sitemaps of a site or of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    pub(crate) count: usize,
    bytes: usize,
}

impl Most {
    /// The limit for so many URLs: 160 bytes for each, but at least 8 MiB and at most 64 MiB for all.
    pub(crate) fn urls(count: usize) -> Self {
        Self { count, bytes: count.saturating_mul(160).clamp(8 << 20, 64 << 20) }
    }

    /// Returns the most memory in bytes that the URLs take.
    pub(crate) const fn memory(self) -> usize {
        self.bytes + self.bytes / 8 + 8 * self.count + 2 * BLOCK
    }

    /// Returns whether there are as many URLs as may be kept.
    pub(super) fn is_reached(self, urls: &Urls) -> bool {
        urls.len() >= self.count || urls.bytes >= self.bytes
    }
}

impl Urls {
    pub(crate) fn push(&mut self, url: &[u8]) {
        let is_full = self.blocks.last().is_none_or(|last| last.text.len() + url.len() > BLOCK);
        if is_full {
            self.of_full += self.blocks.last().map_or(0, Block::memory);
            self.blocks.push(Block { before: self.len(), ..Block::default() });
        }
        if let Some(last) = self.blocks.last_mut() {
            last.push(url);
            self.bytes += url.len();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks.last().map_or(0, Block::len)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns about how many bytes of memory the URLs take.
    pub(crate) fn memory(&self) -> usize {
        self.of_full + self.blocks.last().map_or(0, Block::memory)
    }

    pub(crate) fn get(&self, index: usize) -> Option<&[u8]> {
        let block = self.blocks.get(self.blocks.partition_point(|block| block.len() <= index))?;
        block.get(index - block.before)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.blocks.iter().flat_map(|block| (0..block.ends.len()).filter_map(|index| block.get(index)))
    }

    /// Keeps the first URLs.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.blocks.truncate(self.blocks.partition_point(|block| block.before < len));
        if let Some(last) = self.blocks.last_mut() {
            last.truncate(len - last.before);
        }
        self.count();
    }

    /// Keeps the URLs that are wanted.
    pub(crate) fn retain(&mut self, mut is_wanted: impl FnMut(&[u8]) -> bool) {
        let mut before = 0;
        for block in &mut self.blocks {
            let mut kept = Block { before, text: Vec::with_capacity(block.text.len()), ends: Vec::new() };
            for url in (0..block.ends.len()).filter_map(|index| block.get(index)).filter(|url| is_wanted(url))
            {
                kept.push(url);
            }
            before = kept.len();
            *block = kept;
        }
        self.blocks.retain(|block| !block.ends.is_empty());
        self.count();
    }

    /// Counts the bytes of URLs and of memory after URLs were removed.
    fn count(&mut self) {
        self.bytes = self.blocks.iter().map(|block| block.text.len()).sum();
        let last = self.blocks.last().map_or(0, Block::memory);
        self.of_full = self.blocks.iter().map(Block::memory).sum::<usize>() - last;
    }
}

/// The URLs that a list has had so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    hasher: RandomState,
    /// The position of the first URL with each hash.
    first: HashMap<u64, usize>,
    /// Those whose hash another one has.
    others: HashSet<Vec<u8>>,
}

impl Seen {
    /// Returns whether a list has a URL already. If not, the caller adds it next.
    pub(super) fn has(&mut self, urls: &Urls, url: &[u8]) -> bool {
        let hash = self.hasher.hash_one(url);
        match self.first.get(&hash) {
            None => {
                self.first.insert(hash, urls.len());
                false
            }
            Some(&first) if urls.get(first) == Some(url) => true,
            Some(_) => !self.others.insert(url.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(urls: &Urls) -> Vec<&[u8]> {
        urls.iter().collect()
    }

    #[test]
    fn urls_are_kept_in_order() {
        let mut urls = Urls::default();
        assert!(urls.is_empty() && urls.get(0).is_none());
        let mut seen = Seen::default();
        for url in [&b"/a"[..], b"", b"/bb", b"/a", b"/c", b""] {
            if !seen.has(&urls, url) {
                urls.push(url);
            }
        }
        assert_eq!(all(&urls), [&b"/a"[..], b"", b"/bb", b"/c"]);
        urls.retain(|url| url != b"/a" && url != b"/c");
        assert_eq!(all(&urls), [&b""[..], b"/bb"]);
        urls.push(b"/d");
        assert_eq!((urls.len(), urls.get(2), urls.get(3)), (3, Some(&b"/d"[..]), None));
        urls.truncate(1);
        assert_eq!(all(&urls), [b""]);
        urls.truncate(0);
        urls.push(b"/e");
        assert_eq!(all(&urls), [b"/e"]);
    }

    #[test]
    fn blocks_are_as_one_list() {
        let mut urls = Urls::default();
        let mut expected: Vec<Vec<u8>> = Vec::new();
        for len in (0..9000).step_by(7).chain([BLOCK, BLOCK + 1, 0, 1]) {
            let url = [b"/".repeat(len), len.to_string().into_bytes()].concat();
            urls.push(&url);
            expected.push(url);
        }
        let same = |urls: &Urls, expected: &[Vec<u8>]| {
            assert!(urls.iter().eq(expected.iter().map(Vec::as_slice)));
            assert!(
                (0..=expected.len()).all(|index| urls.get(index) == expected.get(index).map(Vec::as_slice))
            );
            let (bytes, blocks): (usize, _) = (expected.iter().map(Vec::len).sum(), &urls.blocks);
            assert_eq!((urls.len(), urls.bytes), (expected.len(), bytes));
            assert_eq!(urls.memory(), blocks.iter().map(Block::memory).sum::<usize>());
        };
        assert!(urls.blocks.len() > 80);
        same(&urls, &expected);
        urls.retain(|url| url.len() % 3 == 0 && !(2000..5000).contains(&url.len()));
        expected.retain(|url| url.len() % 3 == 0 && !(2000..5000).contains(&url.len()));
        same(&urls, &expected);
        for len in [300, 299, 100, 1, 0] {
            urls.truncate(len);
            expected.truncate(len);
            same(&urls, &expected);
        }
    }

    #[test]
    fn limits_are_in_urls_and_bytes() {
        let most = Most::urls(2);
        let mut urls = Urls::default();
        urls.push(b"/a");
        assert!(!most.is_reached(&urls));
        urls.push(b"/b");
        assert!(most.is_reached(&urls));
        urls.truncate(0);
        urls.push(&vec![b'/'; 8 << 20]);
        assert!(most.is_reached(&urls) && !Most::urls(1_000_000).is_reached(&urls));
    }
}
