//! A pattern holds a blank.

use alloc::vec::Vec;

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::differing;
use crate::lint::severity::Severity;
use crate::lint::subject::Pattern;

pub(crate) const LINT: Declaration = Declaration {
    code: "space-in-pattern",
    severity: Severity::Warning,
    title: "A pattern holds a blank",
    page: include_str!("space_in_pattern.md"),
    check: Check::Pattern(check),
};

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts) {
    let (bytes, span) = (pattern.bytes(), pattern.rule.pattern.span());
    let Some(at) = memchr::memchr2(b' ', b'\t', bytes) else { return };
    let encoded: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| match byte {
            b' ' => b"%20",
            b'\t' => b"%09",
            other => core::slice::from_ref(other),
        })
        .copied()
        .collect();
    let at = Span::new(span.start() + at, span.start() + at + 1);
    drafts.add(
        Draft::new(pattern.rule.line(), at, "no URL holds a blank as it stands")
            .help("write `%20`, or give each path a line of its own")
            .readers(differing(bytes, &encoded))
            .fix(span, encoded),
    );
}
