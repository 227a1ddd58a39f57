//! The remains of a rule set after the beginning of a path.

use super::nodes::{DEAD, MATCHED, Nodes};

/// The marks before the nodes of rules that disallow and that allow. The last number of a list is the mark of the verdict if none
/// of its nodes matches.
const DISALLOW: u32 = u32::MAX - 1;
const ALLOW: u32 = u32::MAX;

/// A mark for an effect.
pub(super) const fn mark(allows: bool) -> u32 {
    if allows { ALLOW } else { DISALLOW }
}

const fn is_mark(number: u32) -> bool {
    number >= DISALLOW
}

/// Brings rules into a normal form, in which equal lists treat all paths alike: `read` returns the node after what follows.
///
/// The order of rules with the same effect does not matter if they follow each other in precedence. Rules below one that has
/// matched do not matter, and neither do the last ones if their effect is the verdict without them.
pub(super) fn normalize(from: &[u32], mut read: impl FnMut(u32) -> u32, to: &mut Vec<u32>) {
    let first = to.len();
    // Where the last block begins, with its mark.
    let mut block: Option<usize> = None;
    let mut pending = ALLOW;
    let end = |to: &mut Vec<u32>, block: Option<usize>| {
        if let Some(nodes) = block.and_then(|start| to.get_mut(start + 1..))
            && !nodes.is_sorted_by(|one, other| one < other)
        {
            nodes.sort_unstable();
            let from = block.map_or(0, |start| start + 1);
            let mut last = None;
            let mut kept = from;
            for at in from..to.len() {
                let number = to.get(at).copied();
                if number != last {
                    if let (Some(slot), Some(number)) = (to.get_mut(kept), number) {
                        *slot = number;
                    }
                    kept += 1;
                    last = number;
                }
            }
            to.truncate(kept);
        }
    };
    for &number in from {
        if is_mark(number) {
            pending = number;
            continue;
        }
        let node = read(number);
        if node == DEAD {
            continue;
        }
        if node == MATCHED {
            break;
        }
        if block.and_then(|start| to.get(start)) != Some(&pending) {
            end(to, block);
            block = Some(to.len());
            to.push(pending);
        }
        to.push(node);
    }
    end(to, block);
    if let Some(start) = block.filter(|&start| to.get(start) == Some(&pending)) {
        to.truncate(start.max(first));
    }
    to.push(pending);
}

/// Returns the verdict about a path that ends here.
pub(super) fn verdict(nodes: &Nodes, list: &[u32]) -> bool {
    let mut last = ALLOW;
    for &number in list {
        if is_mark(number) {
            last = number;
        } else if nodes.get(number).accepts {
            break;
        }
    }
    last == ALLOW
}

/// Returns how many bytes must follow at least for a verdict; `None` if it can't be reached.
pub(super) fn left(nodes: &Nodes, list: &[u32], allows: bool) -> Option<u32> {
    let wanted = mark(allows);
    if list.last() == Some(&wanted) {
        return Some(0);
    }
    let mut last = ALLOW;
    let mut least = None;
    for &number in list {
        if is_mark(number) {
            last = number;
        } else if last == wanted {
            let left = nodes.get(number).left;
            least = Some(least.map_or(left, |least: u32| least.min(left)));
        }
    }
    least
}

/// Returns whether `one` has the verdict only where `other` has it too: each of its rules with this effect is also one of `other` in
/// the same place, and each rule with the other effect that `other` has is also one of `one`. May return `false` where that is so.
pub(super) fn implies(one: &[u32], other: &[u32], allows: bool) -> bool {
    let wanted = mark(allows);
    let is_same_or_wanted = match (one.last(), other.last()) {
        (Some(one), Some(other)) => one == other || *other == wanted,
        _ => false,
    };
    let blocks = |list| <[u32]>::chunk_by(list, |_, next| !is_mark(*next)).collect::<Vec<_>>();
    let (ones, others) = (blocks(one), blocks(other));
    let is_contained = |(one, other): (&&[u32], &&[u32])| match (one.split_first(), other.split_first()) {
        (Some((mark, one)), Some((same, other))) if mark == same => {
            if *mark == wanted {
                is_subset(one, other)
            } else {
                is_subset(other, one)
            }
        }
        _ => false,
    };
    // The last ones are the verdicts without a match.
    let count = ones.len() - 1;
    is_same_or_wanted && ones.len() == others.len() && ones.iter().zip(&others).take(count).all(is_contained)
}

/// Returns whether each number of a sorted list is in another one.
fn is_subset(few: &[u32], many: &[u32]) -> bool {
    let mut many = many.iter();
    few.len() <= many.len() && few.iter().all(|number| many.any(|other| other == number))
}

/// Returns the nodes of a list.
pub(super) fn nodes_of(list: &[u32]) -> impl Iterator<Item = u32> + '_ {
    list.iter().copied().filter(|&number| !is_mark(number))
}
