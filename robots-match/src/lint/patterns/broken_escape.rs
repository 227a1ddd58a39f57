use alloc::format;
use alloc::string::String;

use percent_encoding::percent_encode_byte;
use robots_groups::syntax::Span;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Pattern, escapes};

lint! {
    code: "broken-escape",
    severity: warning,
    title: "A percent sign is not followed by two hex digits",
    check: Pattern(check),
    /// In a URL a percent sign begins an encoded byte and is followed by two hex digits. Crawlers treat any other
    /// percent sign differently.
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
    // `*url%2*` is for URLs that have an escape which begins so.
    let bytes = pattern.bytes();
    let is_start = |at: usize| match bytes.get(at + 1..) {
        Some([b'*', ..]) => true,
        Some([digit, b'*', ..]) => digit.is_ascii_hexdigit(),
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
    let of_script = || {
        let digits = text.strip_prefix(b"%u").or_else(|| text.strip_prefix(b"%U"))?.get(..4)?;
        let code = u32::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()?;
        let mut buffer = [0; 4];
        let char = char::from_u32(code)?.encode_utf8(&mut buffer);
        Some(char.bytes().map(percent_encode_byte).collect::<String>())
    };
    if let Some(encoded) = of_script() {
        return format!("write `{encoded}`: crawlers do not know escapes with `%u`");
    }
    match text {
        // Placeholders of programs.
        [b'%', b's' | b'd' | b'i', next, ..] if next.is_ascii_alphanumeric() => {
            String::from("write `%25` for a literal percent sign")
        }
        [b'%', b's' | b'd' | b'i' | b'(', ..] => String::from(
            "write the value that was meant if it is a placeholder, and `%25` for a literal percent sign",
        ),
        _ => String::from("write `%25` for a literal percent sign"),
    }
}
