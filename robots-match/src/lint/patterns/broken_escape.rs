use alloc::format;
use alloc::string::String;

use percent_encoding::percent_encode_byte;
use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Pattern, escapes};
use crate::lint::text::char_of_hex;

lint! {
    code: "broken-escape",
    severity: warning,
    title: "A percent sign is not followed by two hex digits",
    check: Pattern(check),
    /// In a URL a percent sign begins an encoded byte and is followed by two hex digits. Crawlers treat any other
    /// percent sign differently.
    ///
    /// A percent sign at the end after a slash or a star, as in `/item/%`, is not reported: it is for URLs that have any escape there.
    ///
    /// Write `%25` for a literal percent sign.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /100%
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /100%25
    /// ```
}

fn check(pattern: &Pattern<'_>, drafts: &mut Drafts<'_>) {
    // `*url%2*` is for URLs that have an escape which begins so, and `/item/%` for those that have any.
    let bytes = pattern.bytes();
    let is_start = |at: usize| match bytes.get(at + 1..) {
        Some([b'*', ..]) => true,
        Some([digit, b'*', ..]) => digit.is_ascii_hexdigit(),
        Some([]) => at > 1 && matches!(bytes.get(at - 1), Some(b'/' | b'*')),
        _ => false,
    };
    let Some((at, _)) = escapes(bytes).find(|(at, byte)| byte.is_none() && !is_start(*at)) else { return };
    let help = advice(bytes.get(at..).unwrap_or_default());
    let at = pattern.rule.pattern.span().start() + at;
    drafts.add(
        Draft::new(
            pattern.rule.line(),
            Span::new(at, at + 1),
            "this percent sign is not followed by two hex digits",
        )
        .help(help),
    );
}

/// The advice about a text that begins with a percent sign.
fn advice(text: &[u8]) -> String {
    // As in `%u00E9`, which scripts once wrote.
    let digits = text.strip_prefix(b"%u").or_else(|| text.strip_prefix(b"%U"));
    if let Some(char) = digits.and_then(char_of_hex) {
        let mut buffer = [0; 4];
        let encoded: String = char.encode_utf8(&mut buffer).bytes().map(percent_encode_byte).collect();
        return format!("write `{encoded}`: crawlers do not know escapes with `%u`");
    }
    let is_placeholder = match text {
        [b'%', b's' | b'd' | b'i', rest @ ..] => !rest.first().is_some_and(u8::is_ascii_alphanumeric),
        [b'%', rest @ ..] => {
            let len = rest.iter().take_while(|byte| byte.is_ascii_uppercase() || **byte == b'_').count();
            rest.starts_with(b"(") || len > 1 && rest.get(len) == Some(&b'%')
        }
        _ => false,
    };
    String::from(if is_placeholder {
        "write the value that was meant if it is a placeholder, and `%25` for a literal percent sign"
    } else {
        "write `%25` for a literal percent sign"
    })
}
