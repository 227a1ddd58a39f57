//! A pattern as a deterministic automaton.
//!
//! After a `*` is reached, everything before it no longer matters. Between two stars, the state is the longest prefix of
//! the piece that the path ends with, as Knuth, Morris and Pratt search for a text. So a state is one number: how many
//! literal bytes of the pattern are matched.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// The state from which nothing is accepted.
pub(crate) const DEAD: u32 = u32::MAX;

/// A symbol that no pattern contains, and that stands for any bytes in [`Automaton::contains`].
const FRESH: u16 = 256;

/// No literal follows: the end of the pattern.
const END: u16 = 257;

/// A pattern whose states are the numbers from 0 to its number of literal bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Automaton {
    /// A hash of the literal bytes.
    pub(crate) hash: u64,
    /// The number of literal bytes before the first `*`.
    prefix_len: u32,
    /// The state before the literal bytes after the last `*`, which may be the last state.
    tail: u32,
    links: Box<[Link]>,
    anchored: bool,
}

/// The ways out of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    /// The literal byte that leads to the next state.
    literal: u16,
    /// Where another byte is looked up: `DEAD` before the first `*`, the state itself directly after a `*`.
    other: u32,
    /// The thirds of a byte that a path needs at least from here on, as it is written.
    left: u32,
}

impl Link {
    /// Returns the literal byte that leads to the next state.
    pub(crate) fn byte(self) -> Option<u8> {
        u8::try_from(self.literal).ok()
    }
}

/// A literal byte of a pattern.
#[derive(Clone, Copy)]
pub(crate) struct Literal {
    pub(crate) byte: u8,
    /// Whether a `*` stands before it.
    pub(crate) is_after_star: bool,
    /// The thirds of a byte that it takes at least in a path as it is written.
    pub(crate) thirds: u32,
}

impl Automaton {
    /// Creates the automaton of a pattern without its `$`. Each `*` is special if `wild`. `thirds` returns for a literal byte
    /// how many thirds of a byte it takes in a path as it is written: for the piece between two stars, the position in it,
    /// and whether the piece is the first.
    ///
    /// Paths begin with `/`, so a pattern that every such path matches becomes the empty one.
    pub(crate) fn new(
        pattern: &[u8],
        wild: bool,
        anchored: bool,
        thirds: impl Fn(&[u8], usize, bool) -> u32,
    ) -> Self {
        let mut pieces: Vec<&[u8]> =
            if wild { pattern.split(|&byte| byte == b'*').collect() } else { [pattern].into() };
        // A `*` at the end is the same as no `$`.
        let ends_with_star = pieces.len() > 1 && pieces.last().is_some_and(|last| last.is_empty());
        let anchored = anchored && !ends_with_star;
        while pieces.len() > 1 && pieces.last().is_some_and(|last| last.is_empty()) {
            pieces.pop();
        }
        let mut at = 0;
        pieces.retain(|piece| {
            at += 1;
            at == 1 || !piece.is_empty()
        });
        let begins_with_star = pieces.len() > 1 && pieces.first().is_some_and(|first| first.is_empty());
        if begins_with_star && pieces.get(1).is_some_and(|piece| piece.first() != Some(&b'/')) {
            if let Some(first) = pieces.first_mut() {
                *first = b"/";
            }
        }
        if pieces == [b"/"] && !anchored {
            pieces = [&[][..]].into();
        }
        let mut links = Vec::with_capacity(pieces.iter().map(|piece| piece.len()).sum::<usize>() + 1);
        for (index, piece) in pieces.iter().enumerate() {
            let start = state(links.len());
            let is_last = index + 1 == pieces.len();
            let borders = if index == 0 { Vec::new() } else { borders(piece) };
            for at in 0..piece.len() + usize::from(is_last) {
                let other = match (borders.get(at), at) {
                    (None, _) => DEAD,
                    (Some(_), 0) => start,
                    (Some(&border), _) => start + state(border),
                };
                let literal = piece.get(at).map_or(END, |&byte| byte.into());
                let left = if at < piece.len() { thirds(piece, at, index == 0) } else { 0 };
                links.push(Link { literal, other, left });
            }
        }
        let end = state(links.len() - 1);
        if !anchored {
            if let Some(last) = links.last_mut() {
                last.other = end;
            }
        }
        let mut left = 0;
        for link in links.iter_mut().rev() {
            left += link.left;
            link.left = left;
        }
        let hash = links.iter().fold(0, |hash: u64, link| {
            (hash.rotate_left(5) ^ u64::from(link.literal)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        });
        let prefix_len = pieces.first().map_or(0, |first| state(first.len()));
        let is_start = |(at, link): (usize, &Link)| link.other as usize == at;
        let tail = state(links.iter().enumerate().rposition(is_start).unwrap_or(0));
        Self { hash, prefix_len, tail, links: links.into_boxed_slice(), anchored }
    }

    /// Returns the number of literal bytes, which is also the state at the end of the pattern.
    pub(crate) fn end(&self) -> u32 {
        state(self.links.len() - 1)
    }

    /// Returns the number of `*` after which something has to follow.
    pub(crate) fn stars(&self) -> usize {
        let after_star = (0..self.end()).zip(&self.links).filter(|(state, link)| link.other == *state);
        after_star.count()
    }

    pub(crate) const fn is_anchored(&self) -> bool {
        self.anchored
    }

    /// Returns whether a path that begins with `/` may match.
    pub(crate) fn matches_something(&self) -> bool {
        self.step(0, b'/') != DEAD
    }

    /// Returns whether every path matches.
    pub(crate) fn is_total(&self) -> bool {
        self.end() == 0 && !self.anchored
    }

    pub(crate) fn link(&self, state: u32) -> Link {
        *self.links.get(state as usize).expect("a state that is not dead is a position in the pattern")
    }

    /// Returns the state after a byte.
    #[inline]
    pub(crate) fn step(&self, state: u32, byte: u8) -> u32 {
        self.step_symbol(state, byte.into())
    }

    #[inline]
    fn step_symbol(&self, state: u32, symbol: u16) -> u32 {
        if state == DEAD {
            return DEAD;
        }
        let mut at = state;
        loop {
            let link = self.link(at);
            if link.literal == symbol {
                return at + 1;
            }
            if link.other == at || link.other == DEAD {
                return link.other;
            }
            at = link.other;
        }
    }

    /// Returns the state after `bytes`.
    #[inline]
    pub(crate) fn run(&self, state: u32, bytes: &[u8]) -> u32 {
        bytes.iter().fold(state, |state, &byte| self.step(state, byte))
    }

    /// Returns the positions in the pattern whose literal may come next.
    pub(crate) fn positions(&self, state: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = Some(state).filter(|&state| state != DEAD);
        core::iter::from_fn(move || {
            let at = next?;
            let other = self.link(at).other;
            next = Some(other).filter(|&other| other != at && other != DEAD);
            Some(at)
        })
    }

    /// Returns how many thirds of a byte a path needs at least from `state` on; `None` if nothing is accepted.
    pub(crate) fn left(&self, state: u32) -> Option<u32> {
        (state != DEAD).then(|| self.link(state).left)
    }

    /// Returns the literal bytes from a position on, with what a path needs for each.
    pub(crate) fn literals_with_thirds(&self, from: usize) -> impl Iterator<Item = Literal> + '_ {
        let links = self.links.get(from..).unwrap_or_default();
        links.windows(2).zip(state(from)..).filter_map(|(links, at)| {
            let [link, next] = links else { return None };
            Some(Literal {
                byte: link.byte()?,
                is_after_star: link.other == at,
                thirds: link.left - next.left,
            })
        })
    }

    /// Returns whether everything that is accepted from `state` is also accepted from `other`. May return `false` where
    /// that is so.
    pub(crate) fn accepts_no_more(&self, state: u32, other: u32) -> bool {
        if state == other || state == DEAD {
            return true;
        }
        if other == DEAD {
            return false;
        }
        let mut at = other;
        loop {
            let next = self.link(at).other;
            if next == DEAD {
                return false;
            }
            if next == at {
                // Directly after a `*`: states before it accept no more.
                return state <= at;
            }
            at = next;
            if at == state {
                return true;
            }
        }
    }

    /// Returns a path that may match: each `*` becomes `at_stars`, and `at_end` follows if the pattern has no `$`.
    pub(crate) fn example(&self, at_stars: &[u8], at_end: &[u8]) -> Vec<u8> {
        let mut path = Vec::with_capacity(self.links.len() + 4);
        if self.is_total() {
            path.push(b'/');
        }
        for (link, at) in self.links.iter().zip(0..) {
            if link.other == at && link.literal != END {
                path.extend_from_slice(at_stars);
            }
            path.extend(link.byte());
        }
        if !self.anchored {
            path.extend_from_slice(at_end);
        }
        path
    }

    /// Returns the escape that begins at a position, or `None` if the `%` there does not begin one in the pattern.
    pub(crate) fn escape_at(&self, at: u32) -> Option<[u8; 3]> {
        let literal = |at: u32| {
            let link = self.links.get(at as usize).filter(|link| link.other != at)?;
            link.byte().filter(u8::is_ascii_hexdigit)
        };
        Some([b'%', literal(at + 1)?, literal(at + 2)?])
    }

    /// Returns whether a `%` in the pattern begins no escape, or the pattern contains `escape`.
    pub(crate) fn has_lone_percent_or(&self, escape: &[u8]) -> bool {
        let percents = self.links.iter().zip(0..).filter(|(link, _)| link.byte() == Some(b'%'));
        percents.map(|(_, at)| self.escape_at(at)).any(|found| found.is_none_or(|found| found == escape))
    }

    /// Returns the literal bytes that directly follow a `*`.
    pub(crate) fn after_stars(&self) -> impl Iterator<Item = u8> + '_ {
        let starts = self.links.iter().zip(0..).filter(|(link, at)| link.other == *at);
        starts.filter_map(|(link, _)| link.byte())
    }

    /// Returns the literal bytes before the first `*`.
    pub(crate) fn prefix(&self) -> impl Iterator<Item = u8> + '_ {
        self.prefix_links().iter().filter_map(|link| link.byte())
    }

    fn prefix_links(&self) -> &[Link] {
        self.links.get(..self.prefix_len as usize).unwrap_or_default()
    }

    /// Returns whether the prefixes of two patterns have the same bytes, as far as both have bytes.
    fn agrees_with(&self, other: &Self) -> bool {
        let mut pairs = self.prefix_links().iter().zip(other.prefix_links());
        pairs.all(|(one, other)| one.literal == other.literal)
    }

    /// Returns whether the pattern has no `*` that a byte or its end follows.
    pub(crate) const fn is_prefix(&self) -> bool {
        self.prefix_len as usize + 1 == self.links.len()
    }

    /// Returns whether the pattern has no `*` and matches only one path.
    pub(crate) fn is_exact(&self) -> bool {
        self.anchored && self.links.last().is_some_and(|link| link.other == DEAD)
    }

    /// Returns all literal bytes, without stars.
    pub(crate) fn literals(&self) -> impl DoubleEndedIterator<Item = u8> + '_ {
        self.links.iter().filter_map(|link| link.byte())
    }

    /// Returns whether each path that `other` matches is matched by this pattern. May return `false` where that is so.
    ///
    /// Each `*` of `other` becomes a symbol that only a `*` of this pattern matches.
    pub(crate) fn contains(&self, other: &Self) -> bool {
        if self.is_total() {
            return true;
        }
        if self.prefix_len > other.prefix_len || !self.agrees_with(other) {
            return false;
        }
        if self.is_prefix() && other.is_prefix() {
            return !self.anchored || other.anchored && self.prefix_len == other.prefix_len;
        }
        let mut state = self.prefix_len;
        for (at, link) in other.links.iter().enumerate().skip(self.prefix_len as usize) {
            if link.other as usize == at {
                state = self.step_symbol(state, FRESH);
            }
            if link.literal != END {
                state = self.step_symbol(state, link.literal);
            }
            if state == DEAD {
                return false;
            }
        }
        state == self.end()
    }

    /// Returns whether a path may match both patterns. Returns `true` if that is not clear.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        if !self.agrees_with(other) {
            return false;
        }
        if self.is_prefix() && other.is_prefix() {
            let is_long_enough =
                |one: &Self, other: &Self| !one.anchored || one.prefix_len >= other.prefix_len;
            return is_long_enough(self, other) && is_long_enough(other, self);
        }
        if self.is_exact() {
            return other.literals_accepted(self);
        }
        if other.is_exact() {
            return self.literals_accepted(other);
        }
        !self.anchored || !other.anchored || {
            let suffixes = self.suffix().zip(other.suffix());
            suffixes.into_iter().all(|(one, other)| one == other)
        }
    }

    /// Returns whether the only path that `exact` matches is accepted.
    fn literals_accepted(&self, exact: &Self) -> bool {
        exact.literals().fold(0, |state, byte| self.step(state, byte)) == self.end()
    }

    /// Returns the literal bytes after the last `*`, from the last one on, if the pattern has a `$`.
    fn suffix(&self) -> impl Iterator<Item = u8> + '_ {
        let links = self.links.get(self.tail as usize..).unwrap_or_default();
        links.iter().rev().filter_map(|link| link.byte())
    }
}

fn state(number: usize) -> u32 {
    u32::try_from(number).expect("a pattern has fewer than 2^32 bytes")
}

/// Returns for each prefix of `piece` the length of the longest shorter prefix that it ends with.
fn borders(piece: &[u8]) -> Vec<usize> {
    let mut borders: Vec<usize> = Vec::with_capacity(piece.len() + 1);
    borders.push(0);
    let mut border = 0_usize;
    for (at, byte) in piece.iter().enumerate() {
        if at > 0 {
            while border > 0 && piece.get(border) != Some(byte) {
                border = borders.get(border).copied().unwrap_or(0);
            }
            if piece.get(border) == Some(byte) {
                border += 1;
            }
        }
        borders.push(border);
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::matching::{self, tests::words};

    fn automaton(pattern: &[u8], anchored: bool) -> Automaton {
        Automaton::new(pattern, true, anchored, |_, _, _| 3)
    }

    #[test]
    fn automata_accept_what_patterns_match() {
        let paths: Vec<Vec<u8>> =
            words(b"ab/", 5).into_iter().map(|path| [b"/", &path[..]].concat()).collect();
        for pattern in words(b"a*/b", 4) {
            for anchored in [false, true] {
                let automaton = automaton(&pattern, anchored);
                for path in &paths {
                    let accepted = automaton.run(0, path) == automaton.end();
                    let matches = matching::matches(&pattern, anchored, path);
                    assert_eq!(
                        accepted,
                        matches,
                        "{} {anchored} {}",
                        pattern.escape_ascii(),
                        path.escape_ascii()
                    );
                }
            }
        }
    }

    #[test]
    fn containment_meeting_and_order_of_states_agree_with_all_short_paths() {
        let paths: Vec<Vec<u8>> =
            words(b"abx", 5).into_iter().map(|path| [b"/", &path[..]].concat()).collect();
        let patterns: Vec<(Automaton, Vec<bool>)> = words(b"ab*", 3)
            .into_iter()
            .flat_map(|pattern| {
                [false, true].map(|anchored| automaton(&[b"/", &pattern[..]].concat(), anchored))
            })
            .map(|automaton| {
                let accepted = paths.iter().map(|path| automaton.run(0, path) == automaton.end()).collect();
                (automaton, accepted)
            })
            .collect();
        for (one, of_one) in &patterns {
            for (other, of_other) in &patterns {
                let both = || of_one.iter().zip(of_other);
                assert_eq!(one.contains(other), both().all(|(&one, &other)| one || !other));
                assert_eq!(one.meets(other), both().any(|(&one, &other)| one && other));
            }
            for state in 0..=one.end() {
                for other in 0..=one.end() {
                    let accepted = |state, path| one.run(state, path) == one.end();
                    let is_less = paths.iter().all(|path| !accepted(state, path) || accepted(other, path));
                    assert!(is_less || !one.accepts_no_more(state, other));
                }
            }
        }
    }
}
