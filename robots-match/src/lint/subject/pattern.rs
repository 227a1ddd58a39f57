//! The pattern of a rule.

use alloc::borrow::Cow;

use robots_groups::syntax::{Record, Rule};

use crate::lint::context::LintContext;
use crate::lint::form::form;
use crate::lint::subject::lines::Lines;

/// A rule whose pattern is not empty.
pub(crate) struct Pattern<'a> {
    pub(crate) rule: Rule<'a>,
    pub(crate) lines: &'a Lines<'a>,
    pub(crate) context: &'a LintContext<'a>,
    /// The pattern in the form in which it is compared with paths.
    pub(crate) form: Cow<'a, [u8]>,
}

impl<'a> Pattern<'a> {
    pub(crate) fn find(lines: &'a Lines<'a>, context: &'a LintContext<'a>) -> Option<Self> {
        let Record::Rule(rule) = lines.line.record else { return None };
        let form =
            (!rule.pattern.is_empty()).then(|| form(rule.pattern.bytes(), &context.profile.matching))?;
        Some(Self { rule, lines, context, form })
    }

    /// The pattern as it is written.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.rule.pattern.bytes()
    }
}

/// Each `%` of a pattern: its position and the byte that it encodes, if it encodes one.
pub(crate) fn escapes(pattern: &[u8]) -> impl Iterator<Item = (usize, Option<u8>)> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let at = next + memchr::memchr(b'%', pattern.get(next..)?)?;
        let byte = encoded_byte(pattern, at);
        next = at + if byte.is_some() { 3 } else { 1 };
        Some((at, byte))
    })
}

/// The byte that is encoded at `at`.
fn encoded_byte(bytes: &[u8], at: usize) -> Option<u8> {
    let [b'%', digits @ ..] = bytes.get(at..at + 3)? else { return None };
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u8::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()
}

/// Whether a byte means the same whether it is encoded or not (RFC 3986, section 2.3).
pub(crate) const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}
