//! URLs in one block of memory.

use core::hash::BuildHasher as _;
use std::collections::{HashMap, HashSet};
use std::hash::RandomState;

/// URLs and paths, one after another.
///
/// # Memory
///
/// Their bytes, and 8 bytes for each. The room doubles as it grows.
#[derive(Debug, Default)]
pub(crate) struct Urls {
    text: Vec<u8>,
    /// The end of each URL in the text.
    ends: Vec<usize>,
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
        2 * self.bytes + 16 * self.count
    }

    /// Returns whether there are as many URLs as may be kept.
    pub(super) const fn is_reached(self, urls: &Urls) -> bool {
        urls.len() >= self.count || urls.text.len() >= self.bytes
    }
}

impl Urls {
    pub(crate) fn push(&mut self, url: &[u8]) {
        self.text.extend_from_slice(url);
        self.ends.push(self.text.len());
    }

    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns about how many bytes of memory the URLs take while more are added.
    pub(crate) const fn memory(&self) -> usize {
        // Old and new room exist while the text is moved.
        self.text.capacity() + self.text.capacity() / 2 + self.ends.capacity() * 12
    }

    pub(crate) fn get(&self, index: usize) -> Option<&[u8]> {
        let start = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.text.get(start..*self.ends.get(index)?)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Keeps the first URLs.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.text.truncate(self.ends.last().copied().unwrap_or_default());
    }

    /// Keeps the URLs that are wanted.
    pub(crate) fn retain(&mut self, mut is_wanted: impl FnMut(&[u8]) -> bool) {
        let (mut kept, mut end, mut start) = (0, 0, 0);
        for index in 0..self.ends.len() {
            let url = start..self.ends.get(index).copied().unwrap_or_default();
            start = url.end;
            if is_wanted(self.text.get(url.clone()).unwrap_or_default()) {
                let len = url.len();
                self.text.copy_within(url, end);
                end += len;
                if let Some(place) = self.ends.get_mut(kept) {
                    *place = end;
                    kept += 1;
                }
            }
        }
        self.truncate(kept);
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
