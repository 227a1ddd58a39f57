use alloc::format;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::Lines;

lint! {
    code: "control-character",
    severity: warning,
    title: "A line contains a control character",
    check: Line(check),
    /// Control characters, such as NUL or form feed, are invisible in most editors. They are often the result of a
    /// damaged file. Some crawlers end the line at a NUL, others read the character as part of the value.
    ///
    /// Remove the character.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /private\x00
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /private
    /// ```
}

fn check(lines: &Lines<'_>, drafts: &mut Drafts<'_>) {
    let content = lines.line.content();
    let is_control = |(_, byte): &(usize, &u8)| byte.is_ascii_control() && **byte != b'\t';
    let Some((at, byte)) = content.bytes().iter().enumerate().find(is_control) else { return };
    let at = content.span().start() + at;
    let message = format!("the line contains the control character U+00{byte:02X}");
    drafts.add(
        Draft::new(lines.line.number, Span::new(at, at + 1), message)
            .help("remove it; some crawlers end the line here, others read it as part of the value"),
    );
}
