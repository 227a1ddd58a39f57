use alloc::format;
use alloc::vec::Vec;

use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::differing;
use crate::lint::subject::{Pattern, escapes};
use crate::lint::text::shown;
use crate::pattern::percent::is_unreserved;

lint! {
    code: "over-encoded",
    severity: note,
    default: off,
    title: "A pattern encodes characters that need no encoding",
    corrects: true,
    check: Pattern(check),
    /// Letters, digits, `-`, `.`, `_` and `~` mean the same with and without percent-encoding (RFC 3986, section
    /// 2.3). Crawlers that do not decode patterns treat `/%7Euser` and `/~user` as different paths.
    ///
    /// Write the character itself.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /%7Euser
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /~user
    /// ```
}

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (bytes, start) = (pattern.bytes(), pattern.rule.pattern.span().start());
    let needless =
        || escapes(bytes).filter_map(|(at, byte)| Some((at, byte.filter(|byte| is_unreserved(*byte))?)));
    let Some((first, byte)) = needless().next() else { return };
    let last = needless().last().map_or(first, |(at, _)| at) + 3;
    let decoded = decoded(bytes.get(first..last).unwrap_or_default());
    let whole = [bytes.get(..first).unwrap_or_default(), &decoded, bytes.get(last..).unwrap_or_default()];
    let escape = shown(bytes.get(first..first + 3).unwrap_or_default());
    let message = format!("`{escape}` is `{}`, which needs no encoding", char::from(byte));
    drafts.add(
        Draft::new(pattern.rule.line(), Span::new(start + first, start + first + 3), message)
            .help("write the character itself; for crawlers that do not decode patterns these are two different paths")
            .readers(differing(bytes, &whole.concat()))
            .fix(Span::new(start + first, start + last), decoded),
    );
}

/// `bytes` with each encoded byte that needs no encoding decoded.
fn decoded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    for (at, byte) in escapes(bytes) {
        if let Some(byte) = byte.filter(|byte| is_unreserved(*byte)) {
            out.extend_from_slice(bytes.get(copied..at).unwrap_or_default());
            out.push(byte);
            copied = at + 3;
        }
    }
    out.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    out
}
