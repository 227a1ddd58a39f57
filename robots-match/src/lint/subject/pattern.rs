//! The pattern of a rule.

use robots_groups::syntax::{Key, Record, Rule};

use crate::lint::facts::Facts;
use crate::lint::subject::lines::Lines;
use crate::pattern::percent::Unit;

/// A rule whose pattern is not empty.
pub(crate) struct Pattern<'a> {
    pub(crate) rule: Rule<'a>,
    pub(crate) lines: &'a Lines<'a>,
    pub(crate) facts: &'a Facts<'a>,
}

impl<'a> Pattern<'a> {
    pub(crate) fn find(lines: &'a Lines<'a>, facts: &'a Facts<'a>) -> Option<Self> {
        let Record::Rule(rule) = lines.line.record else { return None };
        (!rule.pattern.is_empty()).then_some(Self { rule, lines, facts })
    }

    /// The pattern as it is written.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.rule.pattern.bytes()
    }

    /// The key of the line that someone wrote into the value of a rule, as in `Allow: Sitemap: https://example.com/a.xml`.
    pub(crate) fn key(&self) -> Option<Key> {
        let bytes = self.bytes();
        let colon = memchr::memchr(b':', bytes)?;
        let word = bytes.get(..colon)?.trim_ascii_end();
        self.facts.profile.syntax.spelling(word).map(|spelling| spelling.key)
    }
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
