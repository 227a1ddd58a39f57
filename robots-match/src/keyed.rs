//! Finding patterns among many by what they begin with.
//!
//! The key of a pattern is what stands before its first `*`, or all of it. Keys are sorted. All that are the start of a
//! path are among those that the last key not behind the path begins with: one binary search finds that one, and from
//! each entry a link leads to the next that may match. The search goes by the heads of the keys, the four octets behind
//! what all keys begin with, and looks at keys only among those whose head is that of the path.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// The link that leads nowhere.
const NONE: u32 = u32::MAX;

/// What an entry is, for the links between entries of the same key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It matches every path that begins with the key.
    Prefix,
    /// It matches the path that is the key.
    Exact,
    /// It has a `*` behind the key.
    Wild,
}

/// The head of what stands behind the common start of all keys. A short one is filled up with the least octet.
#[inline]
pub(crate) fn head(behind: &[u8]) -> u32 {
    match behind.first_chunk::<4>() {
        Some(head) => u32::from_be_bytes(*head),
        None => {
            let mut head = [0; 4];
            head.iter_mut().zip(behind).for_each(|(to, from)| *to = *from);
            u32::from_be_bytes(head)
        }
    }
}

/// What finds entries by their keys.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Keyed {
    /// The octets with which all keys begin.
    common: u32,
    heads: Box<[u32]>,
    /// For each entry, how long its key is, and the next that may match where it may.
    links: Box<[(u32, u32)]>,
}

impl Keyed {
    /// Of entries that are sorted by key and kind, whose keys have the first `common` octets in common. Of entries
    /// without `*` that have the same key and kind, only the last is ever reached.
    pub(crate) fn new<'a>(entries: impl ExactSizeIterator<Item = (&'a [u8], Kind)>, common: usize) -> Self {
        let mut heads = Vec::with_capacity(entries.len());
        let mut links: Vec<(u32, u32)> = Vec::with_capacity(entries.len());
        // The keys that the current one begins with, each with the last entry that has it.
        let mut open: Vec<(u32, &[u8])> = Vec::new();
        let mut before: (&[u8], Kind) = (&[], Kind::Wild);
        for (index, (key, kind)) in (0_u32..).zip(entries) {
            let link = if kind != Kind::Wild && before.1 == kind && before.0 == key {
                links.last().map_or(NONE, |&(_, link)| link)
            } else {
                while open.last().is_some_and(|(_, start)| !key.starts_with(start)) {
                    open.pop();
                }
                open.last().map_or(NONE, |&(last, _)| last)
            };
            before = (key, kind);
            heads.push(head(key.get(common..).unwrap_or_default()));
            links.push((short(key.len()), link));
            match open.last_mut() {
                Some((last, start)) if start.len() == key.len() => *last = index,
                _ => open.push((index, key)),
            }
        }
        Self { common: short(common), heads: heads.into_boxed_slice(), links: links.into_boxed_slice() }
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.links.len()
    }

    /// The entries whose key, which `key` gives, is the start of `path`, and how long it is: longest first.
    #[inline]
    pub(crate) fn candidates<'s>(
        &'s self,
        path: &[u8],
        key: impl Fn(usize) -> &'s [u8],
    ) -> impl Iterator<Item = (usize, usize)> {
        let mut next = self.last_not_behind(path, &key);
        // Whatever the first begins with and is no longer than this is a start of the path.
        let common = next.map_or(0, |first| common_len(key(first), path));
        core::iter::from_fn(move || {
            loop {
                let index = next?;
                let &(len, link) = self.links.get(index)?;
                next = (link != NONE).then_some(link as usize);
                if len as usize <= common {
                    return Some((index, len as usize));
                }
            }
        })
    }

    #[inline]
    fn last_not_behind<'s>(&'s self, path: &[u8], key: impl Fn(usize) -> &'s [u8]) -> Option<usize> {
        if self.links.is_empty() {
            return None;
        }
        let common = self.common as usize;
        let (start, behind) = path.split_at_checked(common)?;
        if key(0).get(..common) != Some(start) {
            return None;
        }
        let head = head(behind);
        let first = self.heads.partition_point(|&other| other < head);
        let same = self.heads.get(first..).unwrap_or_default();
        let mut low = first;
        let mut len =
            if same.first() == Some(&head) { same.partition_point(|&other| other == head) } else { 0 };
        // Among those with the same head.
        while len > 0 {
            let half = len / 2;
            let is_behind = key(low + half) > path;
            low = if is_behind { low } else { low + half + 1 };
            len = if is_behind { half } else { len - half - 1 };
        }
        low.checked_sub(1)
    }
}

/// How many octets `a` and `b` have in common at their start.
#[inline]
pub(crate) fn common_len(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0;
    while let (Some(a), Some(b)) = (eight(a, len), eight(b, len)) {
        let differing = a ^ b;
        if differing != 0 {
            return len + differing.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let rest = |octets| -> &[u8] { <[u8]>::get(octets, len..).unwrap_or_default() };
    len + rest(a).iter().zip(rest(b)).take_while(|(a, b)| a == b).count()
}

#[inline]
fn eight(octets: &[u8], at: usize) -> Option<u64> {
    octets.get(at..)?.first_chunk().map(|octets| u64::from_le_bytes(*octets))
}

/// A length within a file, which syntax bounds.
fn short(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
