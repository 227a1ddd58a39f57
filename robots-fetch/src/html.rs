//! Pages that stand where a robots.txt should: what they look like.

/// Whether a body begins as pages of HTML begin: with one of the tags by which the WHATWG's "MIME Sniffing" tells them, or
/// as XHTML does. A byte order mark and white space before do not count. A robots.txt can't begin so and say anything.
#[must_use]
pub(crate) fn looks_like_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body).trim_ascii_start();
    let Some(tag) = body.strip_prefix(b"<") else { return false };
    if tag.starts_with(b"!--") || starts_with(tag, b"?xml ") {
        return true;
    }
    TAGS.iter().any(|known| {
        starts_with(tag, known.as_bytes())
            && tag.get(known.len()).is_none_or(|next| *next == b'>' || next.is_ascii_whitespace())
    })
}

const TAGS: [&str; 20] = [
    "!doctype html",
    "html",
    "head",
    "script",
    "iframe",
    "h1",
    "div",
    "font",
    "table",
    "a",
    "style",
    "title",
    "b",
    "body",
    "br",
    "p",
    "meta",
    "link",
    "center",
    "span",
];

fn starts_with(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// Whether the page of an error says that there is no such file. Time grows with its length.
pub(crate) fn says_not_found(page: &[u8]) -> bool {
    page.windows(9).any(|words| words.eq_ignore_ascii_case(b"not found"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_by_how_they_begin() {
        for page in [
            "<html>",
            "\u{FEFF} <HTML lang=en>",
            "<!-- x",
            "<?xml version='1.0'?>",
            "<p>",
            "<p",
            "<!doctype HTML>",
        ] {
            assert!(looks_like_html(page.as_bytes()), "{page}");
        }
        for file in
            ["", "<", "<htmlx>", "# <html>", "<robots>", "\u{FEFF}\u{FEFF}<html>", "User-agent: *\n<html>"]
        {
            assert!(!looks_like_html(file.as_bytes()), "{file}");
        }
    }

    #[test]
    fn not_found_is_found_anywhere() {
        assert!(says_not_found(b"<h1>404 Not Found</h1>"));
        assert!(!says_not_found(b"not foun"));
        assert!(!says_not_found(b""));
    }
}
