//! Finding patterns among many by what they begin with.
//!
//! The key of a pattern is what stands before its first `*`, or all of it. Keys are sorted. All that are the start of a
//! path are among those that the last key not behind the path begins with: one binary search finds that one, and from
//! each entry a link leads to the next that may match.

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

/// The links between entries, which are sorted by key and kind. Of entries without `*` that have the same key and kind,
/// only the last is ever reached.
pub(crate) fn links<'a>(entries: impl Iterator<Item = (&'a [u8], Kind)>) -> Box<[u32]> {
    // The keys that the current one begins with, each with the last entry that has it.
    let mut open: Vec<(u32, &[u8])> = Vec::new();
    let mut links: Vec<u32> = Vec::with_capacity(entries.size_hint().0);
    let mut before = None;
    for (index, (key, kind)) in (0_u32..).zip(entries) {
        let is_same = before == Some((key, kind)) && kind != Kind::Wild;
        before = Some((key, kind));
        let link = if is_same {
            links.last().copied().unwrap_or(NONE)
        } else {
            while open.last().is_some_and(|(_, start)| !key.starts_with(start)) {
                open.pop();
            }
            open.last().map_or(NONE, |&(last, _)| last)
        };
        links.push(link);
        match open.last_mut() {
            Some((last, start)) if start.len() == key.len() => *last = index,
            _ => open.push((index, key)),
        }
    }
    links.into_boxed_slice()
}

/// The entries whose key, which `key` gives, is the start of `path`, and how long it is: longest first.
#[inline]
pub(crate) fn candidates<'s>(
    path: &[u8],
    links: &'s [u32],
    key: impl Fn(usize) -> &'s [u8],
) -> impl Iterator<Item = (usize, usize)> {
    // How many keys do not stand behind the path.
    let mut low = 0;
    let mut len = links.len();
    while len > 0 {
        let half = len / 2;
        let is_behind = key(low + half) > path;
        low = if is_behind { low } else { low + half + 1 };
        len = if is_behind { half } else { len - half - 1 };
    }
    let mut next = low.checked_sub(1);
    // Whatever the first begins with and is no longer than this is a start of the path.
    let common = next.map_or(0, |first| common_len(key(first), path));
    core::iter::from_fn(move || {
        loop {
            let index = next?;
            let link = links.get(index).copied().unwrap_or(NONE);
            next = (link != NONE).then_some(link as usize);
            let len = key(index).len();
            if len <= common {
                return Some((index, len));
            }
        }
    })
}

/// How many octets `a` and `b` have in common at their start.
#[inline]
pub(crate) fn common_len(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
