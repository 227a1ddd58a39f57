//! How short a path can be that two rules match, apart from all other rules.

use alloc::vec::Vec;

use crate::difference::automaton::{Automaton, Literal};
use crate::difference::item::{Forms, Item};

/// How many literal bytes of a pattern are compared at most: the last ones.
const MOST: usize = 64;

/// The thirds of a byte from where no path is left.
const NEVER: u32 = 1 << 30;

/// The literal bytes of a pattern that each path has which the pattern matches, in their order. The last ones, if there are many.
#[derive(Default)]
struct Literals {
    all: Vec<Literal>,
    /// Whether bytes may follow the last one.
    is_open: bool,
}

impl Literals {
    fn of(item: &Item) -> Self {
        let mut literals = Self::default();
        literals.read(item);
        literals
    }

    /// Replaces them by those of another rule. Takes a constant time.
    fn read(&mut self, item: &Item) {
        match item.language.forms {
            Forms::One => self.take(&item.language.raw, false),
            Forms::Alike => self.take(&item.language.raw, true),
            Forms::Different => {
                // No byte is in each form of a path in which the pattern is compared.
                self.all.clear();
                self.is_open = true;
            }
        }
    }

    /// Takes those of a pattern.
    ///
    /// With `has_equal`, paths are also compared in a form where reserved bytes are equal to their encodings. A path that matches as it
    /// is written has the bytes also after those are decoded, apart from a `%`, and from digits that may follow one.
    fn take(&mut self, automaton: &Automaton, has_equal: bool) {
        let Self { all, is_open } = self;
        all.clear();
        let first = (automaton.end() as usize).saturating_sub(MOST);
        let mut is_after_star = first > 0;
        let mut may_follow_percent = has_equal && is_after_star;
        for literal in automaton.literals_with_thirds(first) {
            let is_percent = has_equal && literal.byte == b'%';
            if literal.is_after_star || is_percent {
                (may_follow_percent, is_after_star) = (has_equal, true);
            }
            may_follow_percent &= literal.byte.is_ascii_hexdigit() || is_percent;
            if !may_follow_percent {
                all.push(Literal { is_after_star, ..literal });
                is_after_star = false;
            }
        }
        *is_open = is_after_star || !automaton.is_anchored();
    }
}

/// A rule, and room to compare others with it.
pub(crate) struct Meeting<'i> {
    rule: &'i Item,
    /// Those of the rule, after the first comparison that needs them.
    own: Option<Literals>,
    other: Literals,
    room: Vec<u32>,
}

impl<'i> Meeting<'i> {
    pub(crate) fn new(rule: &'i Item) -> Self {
        Self { rule, own: None, other: Literals::default(), room: Vec::new() }
    }

    /// Returns the length in bytes that a path has at least, as it is written, if the rule and another one match it; `None` if no path
    /// matches both. Also returns how many steps it took to find it.
    pub(crate) fn min_len_with(&mut self, other: &Item) -> (Option<u32>, usize) {
        let rule = self.rule;
        let len = rule.language.min_len.max(other.language.min_len);
        let has_stars = rule.language.is_wild() || other.language.is_wild();
        // If the rules compare a path in different forms, none of these may have the bytes of both.
        let has_both = rule.view == other.view || rule.is_kept || other.is_kept;
        if !has_stars || !has_both {
            return (Some(len), 1);
        }
        let own = self.own.get_or_insert_with(|| Literals::of(rule));
        self.other.read(other);
        let steps = (own.all.len() + 1) * (self.other.all.len() + 1);
        let thirds = thirds(own, &self.other, &mut self.room);
        (thirds.map(|thirds| thirds.div_ceil(3).max(len)), steps)
    }
}

/// Returns the thirds of a byte that a path needs at least to have the literal bytes of two patterns; `None` if it can't have both.
///
/// From the ends of the patterns on, it finds out what is needed after each pair of literal bytes. The next byte of a path is one of
/// one pattern, while the other one waits at a `*` or after its end, or one of both.
fn thirds(one: &Literals, other: &Literals, left: &mut Vec<u32>) -> Option<u32> {
    left.clear();
    // After all literal bytes of the one pattern, and from none to all of the other one.
    let mut needed = 0;
    left.push(needed);
    for of_other in other.all.iter().rev() {
        needed = if one.is_open { needed + of_other.thirds } else { NEVER };
        left.push(needed);
    }
    for of_one in one.all.iter().rev() {
        let mut places = left.iter_mut();
        let Some(place) = places.next() else { break };
        // What is needed after one more literal byte of each pattern, and of both.
        let mut after_both = *place;
        *place = if other.is_open { after_both + of_one.thirds } else { NEVER };
        let mut after_other = *place;
        for (place, of_other) in places.zip(other.all.iter().rev()) {
            let after_one = *place;
            let mut needed = NEVER;
            if of_other.is_after_star {
                needed = needed.min(after_one + of_one.thirds);
            }
            if of_one.is_after_star {
                needed = needed.min(after_other + of_other.thirds);
            }
            if of_one.byte == of_other.byte {
                needed = needed.min(after_both + of_one.thirds.max(of_other.thirds));
            }
            *place = needed;
            (after_other, after_both) = (needed, after_one);
        }
    }
    left.last().copied().filter(|&needed| needed < NEVER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::matching::{self, tests::words};

    fn literals(pattern: &[u8], is_anchored: bool) -> Literals {
        let automaton = Automaton::new(pattern, true, is_anchored, |_, _, _| 3);
        let mut literals = Literals::default();
        literals.take(&automaton, false);
        literals
    }

    #[test]
    fn a_path_of_two_rules_has_the_length_of_the_shortest_one() {
        let mut paths: Vec<Vec<u8>> =
            words(b"ab/", 6).into_iter().map(|path| [b"/", &path[..]].concat()).collect();
        paths.sort_by_key(Vec::len);
        let patterns: Vec<(Vec<u8>, bool)> = words(b"ab*", 3)
            .into_iter()
            .flat_map(|pattern| [false, true].map(|is_anchored| ([b"/", &pattern[..]].concat(), is_anchored)))
            .collect();
        let matches = |(pattern, is_anchored): &(Vec<u8>, bool), path: &[u8]| {
            matching::matches(pattern, *is_anchored, path)
        };
        let mut without = 0;
        for one in &patterns {
            for other in &patterns {
                let [own, second] =
                    [one, other].map(|(pattern, is_anchored)| literals(pattern, *is_anchored));
                let found = thirds(&own, &second, &mut Vec::new());
                let shortest = paths.iter().find(|path| matches(one, path) && matches(other, path));
                let expected = shortest.map(|path| 3 * u32::try_from(path.len()).unwrap());
                // A pattern of all paths has no literal byte, not even the first `/`.
                let is_total = [&own, &second].into_iter().all(|literals| literals.all.is_empty());
                assert_eq!(
                    found,
                    expected.filter(|_| !is_total).or(is_total.then_some(0)),
                    "{one:?} {other:?}"
                );
                without += usize::from(found.is_none());
            }
        }
        assert!(without > 100, "{without}");
    }
}
