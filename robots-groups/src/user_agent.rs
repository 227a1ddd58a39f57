//! Finding a crawler's name in its `User-Agent` header.

use crate::alphabet::Alphabet;

/// Returns the product token that a `User-Agent` header most likely stands for.
///
/// The first of these that exists: the name after `compatible;` in a comment; a name with a version in a comment; a
/// product that is not one of those which browsers send. A name ends at the first character outside of `alphabet`.
///
/// # Complexity
///
/// Linear in the length of the header.
pub(crate) fn product_token(header: &str, alphabet: Alphabet) -> Option<&str> {
    let own = |item| leading(item, alphabet).filter(|name| !is_of_browsers(name));
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
fn leading(item: &str, alphabet: Alphabet) -> Option<&str> {
    let end = item.bytes().position(|byte| !alphabet.contains(byte)).unwrap_or(item.len());
    item.get(..end).filter(|name| !name.is_empty() && *name != "*")
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
            ("(((", None),
            ("", None),
        ] {
            assert_eq!(product_token(header, Alphabet::Letters), name, "{header}");
        }
    }
}
