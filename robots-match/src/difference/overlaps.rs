//! Which rules may match a path that another rule matches, by the literal bytes that their patterns begin with.

use alloc::vec;
use alloc::vec::Vec;

use crate::difference::alphabet::Alphabet;
use crate::difference::item::Item;

/// An index of rules by their prefixes.
pub(crate) struct Overlaps {
    /// The prefixes with their rules, sorted. The first bytes of each come before it as a number, which is compared faster.
    sorted: Vec<(u128, Vec<u8>, usize)>,
    /// For each of `sorted`, the nearest one before it that it begins with.
    parents: Vec<Option<usize>>,
    /// Where each rule is in `sorted`.
    places: Vec<usize>,
}

impl Overlaps {
    /// Creates the index. With two views, a prefix ends before the first byte that one of them does not keep.
    ///
    /// A path that a pattern of this view matches begins with the same bytes in the other view. So prefixes of both views may
    /// not differ in such bytes if both patterns match.
    pub(crate) fn new(items: &[Item], alphabet: &Alphabet) -> Self {
        let prefix = |item: &Item| {
            let prefix = item.language.hull().prefix();
            prefix.take_while(|&byte| alphabet.has_one_view || alphabet.is_firm(byte)).collect()
        };
        let with_head = |prefix: Vec<u8>, index| (head(&prefix), prefix, index);
        let mut sorted: Vec<(u128, Vec<u8>, usize)> =
            items.iter().enumerate().map(|(index, item)| with_head(prefix(item), index)).collect();
        sorted.sort_unstable();
        let mut parents = Vec::with_capacity(sorted.len());
        let mut places = vec![0; items.len()];
        for (place, (_, prefix, index)) in sorted.iter().enumerate() {
            let mut parent = place.checked_sub(1);
            while let Some(at) = parent {
                if sorted.get(at).is_some_and(|(_, shorter, _)| prefix.starts_with(shorter)) {
                    break;
                }
                parent = parents.get(at).copied().flatten();
            }
            parents.push(parent);
            if let Some(slot) = places.get_mut(*index) {
                *slot = place;
            }
        }
        Self { sorted, parents, places }
    }

    /// Returns the rules whose prefix begins with that of a rule or the reverse, in ascending order, without itself.
    pub(crate) fn of(&self, index: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let Some(&place) = self.places.get(index) else { return found };
        let Some((_, prefix, _)) = self.sorted.get(place) else { return found };
        let longer = self.sorted.get(place + 1..).unwrap_or_default().iter();
        found.extend(
            longer.take_while(|(_, longer, _)| longer.starts_with(prefix)).map(|&(_, _, index)| index),
        );
        let mut next = self.parents.get(place).copied().flatten();
        while let Some(at) = next {
            found.extend(self.sorted.get(at).map(|&(_, _, index)| index));
            next = self.parents.get(at).copied().flatten();
        }
        found.sort_unstable();
        found
    }
}

/// Returns the first 16 bytes as a number. Missing bytes are 0.
fn head(prefix: &[u8]) -> u128 {
    let mut head = [0; 16];
    head.iter_mut().zip(prefix).for_each(|(to, from)| *to = *from);
    u128::from_be_bytes(head)
}
