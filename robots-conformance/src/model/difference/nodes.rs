//! Patterns as sets of positions, which are computed once and shared by all comparisons.

use std::collections::HashMap;

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bytes([u64; 4]);

impl Bytes {
    pub(super) fn add(&mut self, byte: u8) {
        if let Some(part) = self.0.get_mut(usize::from(byte / 64)) {
            *part |= 1 << (byte % 64);
        }
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(part, other)| *part |= other);
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte / 64)).is_some_and(|part| part >> (byte % 64) & 1 != 0)
    }
}

/// The set of no positions, and that of all: whatever follows, the pattern matches.
pub(super) const DEAD: u32 = 0;
pub(super) const MATCHED: u32 = 1;

/// A pattern, in pieces between its stars.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pattern {
    pub(super) pieces: Vec<Vec<u8>>,
    pub(super) anchored: bool,
    /// Which rule set's form the pattern is compared in.
    pub(super) view: usize,
    /// Whether the pattern is compared with decoded queries.
    pub(super) decoded: bool,
}

impl Pattern {
    /// Reads a compiled pattern.
    pub(super) fn new(text: &[u8], wildcards: bool, view: usize, decoded: bool) -> Self {
        let (stem, anchored) = match text {
            [stem @ .., b'$'] if wildcards => (stem, true),
            _ => (text, false),
        };
        let parts: Vec<&[u8]> =
            if wildcards { stem.split(|&byte| byte == b'*').collect() } else { vec![stem] };
        let last = parts.len() - 1;
        // Two stars in a row are one.
        let is_kept = |(index, part): &(usize, &&[u8])| *index == 0 || *index == last || !part.is_empty();
        let pieces: Vec<Vec<u8>> =
            parts.iter().enumerate().filter(is_kept).map(|(_, part)| part.to_vec()).collect();
        let ends_with_star = last > 0 && pieces.last().is_some_and(Vec::is_empty);
        Self { pieces, anchored: anchored && !ends_with_star, view, decoded }
    }
}

/// The positions of a pattern that a path reaches. After a star, those before it do not matter: what matches from them on
/// also matches from the star on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Positions {
    pattern: u32,
    piece: u32,
    /// Before the first star, the number of bytes read; after one, a bit for each number of bytes of the piece.
    reached: u128,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) view: usize,
    pub(super) decoded: bool,
    /// The bytes that a path needs at least from here on, in its canonical form.
    pub(super) left: u32,
    /// Whether a path that ends here matches.
    pub(super) accepts: bool,
    /// The nodes after bytes that the pattern has here, and after all others.
    edges: Vec<(u8, u32)>,
    other: u32,
    positions: Option<Positions>,
    /// The bytes that the pattern may have here, after a `%`, and after a `%` and another byte.
    ahead: Option<Box<[Bytes; 3]>>,
    is_expanded: bool,
}

/// All nodes of all patterns.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    places: HashMap<Positions, u32, foldhash::fast::FixedState>,
    patterns: Vec<Pattern>,
    /// For each pattern and piece the number of bytes of the pieces after it.
    rest: Vec<Vec<u32>>,
    known: HashMap<Pattern, u32, foldhash::fast::FixedState>,
}

/// The longest piece after a star.
const LONGEST: usize = 126;

impl Nodes {
    /// Returns the node at the start of a pattern; `None` if the pattern is too long.
    pub(super) fn start(&mut self, pattern: Pattern) -> Option<u32> {
        if self.nodes.is_empty() {
            // DEAD and MATCHED.
            self.push(None, u32::MAX, false, (0, false));
            self.push(None, 0, true, (0, false));
        }
        if pattern.pieces.iter().skip(1).any(|piece| piece.len() > LONGEST) {
            return None;
        }
        let index = match self.known.get(&pattern) {
            Some(&index) => index,
            None => {
                let index = u32::try_from(self.patterns.len()).ok()?;
                let mut sum = 0;
                let mut rest: Vec<u32> = Vec::new();
                for piece in pattern.pieces.iter().rev() {
                    rest.push(sum);
                    sum += u32::try_from(piece.len()).ok()?;
                }
                rest.reverse();
                self.rest.push(rest);
                self.patterns.push(pattern.clone());
                self.known.insert(pattern, index);
                index
            }
        };
        Some(self.node(index, 0, 0))
    }

    pub(super) fn get(&self, node: u32) -> &Node {
        self.nodes.get(node as usize).expect("the number of a node is its place")
    }

    fn push(&mut self, positions: Option<Positions>, left: u32, accepts: bool, of: (usize, bool)) -> u32 {
        let index = u32::try_from(self.nodes.len()).expect("a comparison has fewer than 2^32 nodes");
        let (view, decoded) = of;
        let is_expanded = positions.is_none();
        let (edges, other, ahead) = (Vec::new(), index, None);
        self.nodes.push(Node { view, decoded, left, accepts, edges, other, positions, ahead, is_expanded });
        index
    }

    /// Returns the node of a set of positions in a piece.
    fn node(&mut self, pattern: u32, mut piece: u32, mut reached: u128) -> u32 {
        let of = self.patterns.get(pattern as usize).expect("the number of a pattern is its place");
        let last = of.pieces.len() - 1;
        loop {
            let len = of.pieces.get(piece as usize).map_or(0, Vec::len);
            let is_whole = if piece == 0 { reached == len as u128 } else { reached >> len & 1 != 0 };
            if !is_whole || piece as usize == last && of.anchored {
                break;
            }
            if piece as usize == last {
                return MATCHED;
            }
            piece += 1;
            reached = 1;
        }
        let positions = Positions { pattern, piece, reached };
        if let Some(&node) = self.places.get(&positions) {
            return node;
        }
        let len = of.pieces.get(piece as usize).map_or(0, Vec::len);
        let read = if piece == 0 {
            usize::try_from(reached).unwrap_or(len)
        } else {
            reached.checked_ilog2().map_or(0, |bit| bit as usize)
        };
        let accepts = piece as usize == last && of.anchored && read == len;
        let rest = self.rest.get(pattern as usize).and_then(|rest| rest.get(piece as usize)).copied();
        let left = rest.unwrap_or(0) + u32::try_from(len - read).unwrap_or(0);
        let of = (of.view, of.decoded);
        let node = self.push(Some(positions), left, accepts, of);
        self.places.insert(positions, node);
        node
    }

    fn expand(&mut self, node: u32) {
        let Some(Positions { pattern, piece, reached }) = self.get(node).positions else { return };
        let of = self.patterns.get(pattern as usize).expect("the number of a pattern is its place");
        let text = of.pieces.get(piece as usize).cloned().unwrap_or_default();
        let mut edges: Vec<(u8, u32)> = Vec::new();
        let mut other = DEAD;
        if piece == 0 {
            if let Some(&byte) = usize::try_from(reached).ok().and_then(|at| text.get(at)) {
                edges.push((byte, self.node(pattern, 0, reached + 1)));
            }
        } else {
            for (at, &byte) in text.iter().enumerate() {
                if reached >> at & 1 == 0 || edges.iter().any(|&(known, _)| known == byte) {
                    continue;
                }
                let places = text.iter().enumerate().filter(|&(_, other)| *other == byte);
                let has_byte = places.fold(0_u128, |all, (at, _)| all | 1 << at);
                let next = (reached & has_byte) << 1 | 1;
                edges.push((byte, self.node(pattern, piece, next)));
            }
            other = self.node(pattern, piece, 1);
        }
        if let Some(slot) = self.nodes.get_mut(node as usize) {
            slot.edges = edges;
            slot.other = other;
            slot.is_expanded = true;
        }
    }

    fn expanded(&mut self, node: u32) -> &Node {
        if !self.get(node).is_expanded {
            self.expand(node);
        }
        self.get(node)
    }

    fn step(&mut self, node: u32, byte: u8) -> u32 {
        let node = self.expanded(node);
        node.edges.iter().find(|&&(known, _)| known == byte).map_or(node.other, |&(_, next)| next)
    }

    /// Returns the node after bytes.
    pub(super) fn run(&mut self, node: u32, bytes: &[u8]) -> u32 {
        bytes.iter().fold(node, |node, &byte| self.step(node, byte))
    }

    fn bytes_of(&mut self, node: u32) -> Bytes {
        let mut bytes = Bytes::default();
        self.expanded(node).edges.iter().for_each(|&(byte, _)| bytes.add(byte));
        bytes
    }

    /// Returns the bytes that are not all the same for a pattern: here, after a `%`, and after a `%` and another byte.
    pub(super) fn ahead(&mut self, node: u32) -> [Bytes; 3] {
        if let Some(ahead) = &self.get(node).ahead {
            return **ahead;
        }
        let here = self.bytes_of(node);
        let second = self.step(node, b'%');
        let (after, other) = (self.bytes_of(second), self.expanded(second).other);
        let mut last = self.bytes_of(other);
        let next: Vec<u32> = self.get(second).edges.iter().map(|&(_, next)| next).collect();
        for next in next {
            last.add_all(&self.bytes_of(next));
        }
        let ahead = [here, after, last];
        if let Some(slot) = self.nodes.get_mut(node as usize) {
            slot.ahead = Some(Box::new(ahead));
        }
        ahead
    }
}
