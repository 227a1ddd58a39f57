//! The pattern of a rule.

use robots_groups::syntax::{Record, Rule};

use crate::lint::subject::lines::Lines;
use crate::pattern::percent::Unit;

/// A rule whose pattern is not empty.
pub(crate) struct Pattern<'a> {
    pub(crate) rule: Rule<'a>,
    pub(crate) lines: &'a Lines<'a>,
}

impl<'a> Pattern<'a> {
    pub(crate) fn find(lines: &'a Lines<'a>) -> Option<Self> {
        let Record::Rule(rule) = lines.line.record else { return None };
        (!rule.pattern.is_empty()).then_some(Self { rule, lines })
    }

    /// The pattern as it is written.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.rule.pattern.bytes()
    }
}

/// Whether a pattern contains several paths: a word after the first begins with a slash.
pub(crate) fn are_paths(pattern: &[u8]) -> bool {
    pattern.windows(2).any(|pair| matches!(pair, [b' ' | b'\t', b'/']))
}

/// Each `%` of a pattern: its position and the byte that it encodes, if it encodes one.
pub(crate) fn escapes(pattern: &[u8]) -> impl Iterator<Item = (usize, Option<u8>)> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let at = next + memchr::memchr(b'%', pattern.get(next..)?)?;
        let unit = Unit::of(pattern.get(at..)?);
        next = at + unit.len();
        Some((at, unit.escaped()))
    })
}
