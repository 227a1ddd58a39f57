use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Pattern, escapes};
use crate::pattern::percent::is_unreserved;

lint! {
    code: "escape-case",
    severity: note,
    default: off,
    title: "A percent-encoding has lower-case hex digits",
    corrects: true,
    check: Pattern(check),
    /// Hex digits of a percent-encoding mean the same in upper and lower case. URLs usually have them in upper case
    /// (RFC 3986, section 2.1).
    ///
    /// Write the hex digits in upper case.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /a%2fb
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /a%2Fb
    /// ```
}

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    let (bytes, start) = (pattern.bytes(), pattern.rule.pattern.span().start());
    let has_lower =
        |at: usize| bytes.get(at..at + 3).is_some_and(|escape| escape.iter().any(u8::is_ascii_lowercase));
    // A byte that needs no encoding has a lint of its own.
    let lower = || {
        escapes(bytes)
            .filter(|&(at, byte)| byte.is_some_and(|byte| !is_unreserved(byte)) && has_lower(at))
            .map(|(at, _)| at)
    };
    let Some(first) = lower().next() else { return };
    let last = lower().last().unwrap_or(first) + 3;
    let mut upper = bytes.get(first..last).unwrap_or_default().to_vec();
    for (at, _) in escapes(bytes).filter(|&(at, byte)| byte.is_some() && (first..last).contains(&at)) {
        if let Some(digits) = upper.get_mut(at - first..at - first + 3) {
            digits.make_ascii_uppercase();
        }
    }
    let place = Span::new(start + first, start + first + 3);
    drafts.add(
        Draft::new(pattern.rule.line(), place, "hex digits of a percent-encoding are usually in upper case")
            .help("write them in upper case, as crawlers do in the URLs they request")
            .fix(Span::new(start + first, start + last), upper),
    );
}
