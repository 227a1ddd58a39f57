//! A line contains a control character.

use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::{Check, Declaration};
use crate::lint::draft::{Draft, Drafts};
use crate::lint::severity::Severity;
use crate::lint::subject::Lines;

pub(crate) const LINT: Declaration = Declaration {
    code: "control-character",
    severity: Severity::Warning,
    title: "A line contains a control character",
    check: Check::Line(check),
};

fn check(lines: &Lines<'_>, drafts: &mut Drafts<'_>) {
    let content = lines.line.content();
    let is_control = |(_, byte): &(usize, &u8)| byte.is_ascii_control() && **byte != b'\t';
    let Some((at, byte)) = content.bytes().iter().enumerate().find(is_control) else { return };
    let at = content.span().start() + at;
    let message = format!("the line contains the control character {byte:02X}");
    drafts.add(
        Draft::new(lines.line.number, Span::new(at, at + 1), message)
            .help("remove it; some crawlers end the line here, others read it as part of the value"),
    );
}
