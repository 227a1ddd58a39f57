//! HTML pages that are served where a robots.txt file should be.

use crate::spelling::is_one_of;

/// Whether a body begins as an HTML page or a part of one: with the tag of an HTML element, a document type of HTML, or a
/// comment that nothing else follows. A byte order mark, white space, comments and the declaration of XML do not count.
/// A file that begins so has no rule in its first line.
///
/// ```
/// use robots_syntax::html::looks_like_html;
///
/// assert!(looks_like_html(b"\n<!DOCTYPE html><title>Oops</title>"));
/// assert!(looks_like_html(b"<!-- cached --><h1>Oops</h1>"));
/// assert!(!looks_like_html(b"User-agent: *\nDisallow: /<b>\n"));
/// ```
#[must_use]
pub fn looks_like_html(body: &[u8]) -> bool {
    let mut text = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body).trim_ascii_start();
    let mut is_comment = false;
    loop {
        let (end, start) = match text {
            [b'<', b'!', b'-', b'-', rest @ ..] => (&b"-->"[..], rest),
            [b'<', b'?', rest @ ..] if starts_with(rest, b"xml") => (&b"?>"[..], rest),
            _ => break,
        };
        is_comment = end == b"-->";
        let Some(at) = start.windows(end.len()).position(|part| part == end) else { return is_comment };
        text = start.get(at + end.len()..).unwrap_or_default().trim_ascii_start();
    }
    match text {
        [b'<', b'!', rest @ ..] if starts_with(rest, b"doctype") => {
            let name = rest.get("doctype".len()..).unwrap_or_default().trim_ascii_start();
            starts_with(name, b"html") || name.starts_with(b">")
        }
        [b'<', b'/', tag @ ..] | [b'<', tag @ ..] => is_element(tag),
        // As before lines that crawlers read, or at the end of a page.
        _ => is_comment,
    }
}

/// Returns whether a tag, without `<`, is that of an HTML element.
fn is_element(tag: &[u8]) -> bool {
    let length = tag.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = tag.split_at_checked(length).unwrap_or_default();
    let ends = rest.first().is_none_or(|next| matches!(next, b'>' | b'/') || next.is_ascii_whitespace());
    ends && is_one_of(name, ELEMENTS)
}

/// The elements of HTML with which a page or a part of one may begin, and those that it had once.
const ELEMENTS: &str = "a abbr address article aside audio b base basefont bgsound big blink blockquote body br button \
    canvas center code dd details dialog dir div dl dt em embed fieldset figure font footer form \
    frame frameset h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main \
    marquee menu meta nav noscript object ol p pre script section select small span strong style \
    table tbody td template textarea title tr ul video";

fn starts_with(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_recognised_by_how_they_begin() {
        for page in [
            "<html>",
            "\u{FEFF} <HTML lang=en>",
            "<!-- x",
            "<!-- x -->User-agent: *",
            "<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'>",
            "<!doctypehtml>",
            "<!doctype>",
            "<p>",
            "<p",
            "</p>",
            "<br/>",
            "<!doctype HTML>",
        ] {
            assert!(looks_like_html(page.as_bytes()), "{page}");
        }
        for file in [
            "",
            "<",
            "</",
            "<htmlx>",
            "<?xml version='1.0'?>",
            "<?xml",
            "<!doctype svg>",
            "# <html>",
            "<robots>",
            "\u{FEFF}\u{FEFF}<html>",
            "User-agent: *\n<html>",
        ] {
            assert!(!looks_like_html(file.as_bytes()), "{file}");
        }
    }
}
