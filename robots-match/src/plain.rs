//! Finding plain patterns (without `*`) among many.
//!
//! Patterns are sorted. All that are the start of a path are among those that the last pattern not behind the path
//! begins with: one binary search finds that one, and from it a link leads from each pattern to the longest other that
//! it begins with.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// The link that leads nowhere.
const NONE: u32 = u32::MAX;

/// The links between `items`, which are sorted by pattern; of equal patterns the anchored ones come last.
pub(crate) fn parents<T>(
    items: &[T],
    stem: impl Fn(&T) -> &[u8],
    is_anchored: impl Fn(&T) -> bool,
) -> Box<[u32]> {
    // Patterns that are not anchored, each the start of the next, and of all that are looked at until they are removed.
    let mut open: Vec<(u32, &[u8])> = Vec::new();
    (0_u32..)
        .zip(items)
        .map(|(index, item)| {
            let stem = stem(item);
            while open.last().is_some_and(|(_, start)| !stem.starts_with(start)) {
                open.pop();
            }
            // Of equal patterns that are not anchored only the last is ever found, so none links to another.
            let is_open = open.last().is_some_and(|(_, start)| start.len() == stem.len());
            if !is_anchored(item) {
                if is_open {
                    open.pop();
                }
                let parent = open.last().map_or(NONE, |&(parent, _)| parent);
                open.push((index, stem));
                return parent;
            }
            open.last().map_or(NONE, |&(parent, _)| parent)
        })
        .collect()
}

/// The patterns that match `path`, longest first; of equal ones the last.
pub(crate) fn matching<'s>(
    path: &'s [u8],
    parents: &'s [u32],
    pattern: impl Fn(usize) -> (&'s [u8], bool) + 's,
) -> impl IntoIterator<Item = usize> + 's {
    // How many patterns do not stand behind the path.
    let mut low = 0;
    let mut high = parents.len();
    while low < high {
        let middle = low + (high - low) / 2;
        if pattern(middle).0 <= path { low = middle + 1 } else { high = middle }
    }
    let mut next = low.checked_sub(1);
    // Whatever the first begins with and is no longer than this is a start of the path.
    let common = next.map_or(0, |first| common_len(pattern(first).0, path));
    core::iter::from_fn(move || {
        loop {
            let index = next?;
            let parent = parents.get(index).copied().unwrap_or(NONE);
            next = (parent != NONE).then_some(parent as usize);
            let (stem, anchored) = pattern(index);
            if stem.len() <= common && (!anchored || stem.len() == path.len()) {
                return Some(index);
            }
        }
    })
}

fn common_len(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
