//! Finding a crawler's name in its `User-Agent` header.

use crate::alphabet::is_name_byte;

/// Returns the product token that a `User-Agent` header most likely stands for.
///
/// The first of these that exists: the name after `compatible;` in a comment; a name with a version in a comment; a
/// product that is not one of those which browsers send. A name ends at the first character other than a letter, a digit,
/// `_`, `-` and `.`, and contains a letter.
///
/// # Complexity
///
/// Linear in the length of the header.
pub(crate) fn product_token(header: &str) -> Option<&str> {
    let own = |item| leading(item).filter(|name| !is_of_browsers(name));
    let compatible = comments(header).find_map(|comment| {
        let after = items(comment).skip_while(|item| !item.eq_ignore_ascii_case("compatible"));
        after.skip(1).find_map(own)
    });
    let versioned = || {
        comments(header).flat_map(items).find_map(|item| {
            let name = own(item)?;
            let version = item.get(name.len()..)?.strip_prefix('/')?;
            version.starts_with(|char: char| char.is_ascii_digit()).then_some(name)
        })
    };
    compatible.or_else(versioned).or_else(|| products(header).find_map(own))
}

/// Returns whether a text looks like a `User-Agent` header (RFC 9110, section 10.1.5): a name with a version or a comment
/// after it.
pub(crate) fn is_header(text: &str) -> bool {
    leading(text).and_then(|name| text.get(name.len()..)).is_some_and(|rest| {
        rest.starts_with('/') || rest.trim_start().len() < rest.len() && rest.trim_start().starts_with('(')
    })
}

/// Returns the texts in parentheses.
fn comments(header: &str) -> impl Iterator<Item = &str> {
    header.split('(').skip(1).map(|rest| rest.split(')').next().unwrap_or(rest))
}

fn items(comment: &str) -> impl Iterator<Item = &str> {
    comment.split(';').map(str::trim)
}

/// Returns the words outside of parentheses.
fn products(header: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    header.split(move |char: char| {
        match char {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        // Text in parentheses is split into empty pieces, which contain no name.
        depth > 0 || char == ')' || char.is_ascii_whitespace()
    })
}

/// Returns the name with which `item` begins.
fn leading(item: &str) -> Option<&str> {
    let end = item.bytes().position(|byte| !is_name_byte(byte)).unwrap_or(item.len());
    // A version such as `7.0` is not a name.
    item.get(..end).filter(|name| name.bytes().any(|byte| byte.is_ascii_alphabetic()))
}

fn is_of_browsers(name: &str) -> bool {
    const NAMES: [&str; 11] = [
        "Mozilla",
        "AppleWebKit",
        "KHTML",
        "Gecko",
        "Chrome",
        "Safari",
        "Version",
        "Mobile",
        "Edg",
        "MSIE",
        "Firefox",
    ];
    NAMES.iter().any(|browser| name.eq_ignore_ascii_case(browser))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_a_version_or_a_comment() {
        for (text, expected) in [
            ("ExampleBot/2.1", true),
            ("ExampleBot/2.1 (+https://example.com)", true),
            ("ExampleBot (+https://example.com)", true),
            ("ExampleBot", false),
            ("ExampleBot(x)", false),
            ("ExampleBot, OtherBot/1", false),
            ("(ExampleBot/1)", false),
            ("/1", false),
            ("", false),
        ] {
            assert_eq!(is_header(text), expected, "{text}");
        }
    }

    #[test]
    fn headers_name_their_crawler() {
        for (header, name) in [
            ("FigTree/0.1 Robot/1.0 libwww-perl/5.04", Some("FigTree")),
            ("Googlebot-Image/1.0", Some("Googlebot-Image")),
            (
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; \
                 +http://www.google.com/bot.html) Chrome/99.0 Safari/537.36",
                Some("Googlebot"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
                Some("Applebot"),
            ),
            ("Mozilla/5.0 (X11; Linux) Gecko/2010 Firefox/9 SomeBot", Some("SomeBot")),
            ("Mozilla/5.0 (X11; Linux x86_64)", None),
            ("Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)", Some("MJ12bot")),
            (
                "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
                Some("archive.org_bot"),
            ),
            ("Mozilla/5.0 7.0 2010", None),
            ("(((", None),
            ("", None),
        ] {
            assert_eq!(product_token(header), name, "{header}");
        }
    }
}
