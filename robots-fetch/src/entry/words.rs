//! Texts of robots.txt files in short, by a list of the words that are frequent in them.

/// The words, longer ones before their beginnings. A word is written as [`FIRST`] plus its index.
#[rustfmt::skip]
const WORDS: &[&[u8]] = &[
    b"\r\nDisallow: /", b"\nDisallow: /", b"Disallow: /", b"disallow: /", b"Disallow:", b"\r\nAllow: /",
    b"\nAllow: /", b"Allow: /", b"\nUser-agent: ", b"User-agent: *", b"User-agent: ", b"User-Agent: ",
    b"Sitemap: https://www.", b"Sitemap: https://", b"Sitemap: http", b"Crawl-delay: ", b"https://www.",
    b"https://", b"/robots.txt", b"text/plain", b"; charset=", b"max-age=", b" 20", b" GMT", b"wp-admin/",
    b"admin-ajax.php", b"wp-content/", b"includes/", b"content/", b"components/", b"templates/",
    b"modules/", b"plugins/", b"themes/", b"cgi-bin/", b"images/", b"password", b"register", b"comment",
    b"sitemap", b"search", b"filter", b"login", b"admin", b"index", b"media", b"node/", b".html", b".com/",
    b"user/", b"tion", b".xml", b".php", b"\n\n", b"\n# ", b"/\r\n", b"\r\n", b"/\n", b"/*", b"?q=", b"bot",
];

/// The byte of the first word.
const FIRST: u8 = 0x80;

/// The next byte stands for itself, although it is not below this one.
const LITERAL: u8 = 0x7F;

const _: () = assert!(WORDS.len() <= 0x80);

/// Writes `text` in short.
///
/// # Complexity
///
/// O(*n*) for a text of *n* bytes.
pub(super) fn shorten(text: &[u8]) -> Vec<u8> {
    let mut short = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let word =
            WORDS.iter().zip(FIRST..).find(|(word, _)| word.first() == Some(byte) && rest.starts_with(word));
        rest = match word {
            Some((word, code)) => {
                short.push(code);
                rest.get(word.len()..).unwrap_or_default()
            }
            None => {
                if *byte >= LITERAL {
                    short.push(LITERAL);
                }
                short.push(*byte);
                after
            }
        };
    }
    short
}

/// Returns the text that was shortened. Any bytes are accepted.
pub(super) fn lengthen(short: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(short.len() * 2);
    let mut bytes = short.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            LITERAL => text.extend(bytes.next()),
            FIRST.. => {
                text.extend_from_slice(WORDS.get(usize::from(byte - FIRST)).copied().unwrap_or_default());
            }
            _ => text.push(byte),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            3 => prop::sample::select(WORDS).prop_map(<[u8]>::to_vec),
            2 => prop::collection::vec(any::<u8>(), 0..8),
            2 => "[ -~]{0,8}".prop_map(String::into_bytes),
        ]
    }

    proptest! {
        #[test]
        fn a_text_comes_back_as_it_was(pieces in prop::collection::vec(piece(), 0..40)) {
            let text = pieces.concat();
            let short = shorten(&text);
            prop_assert_eq!(lengthen(&short), &text[..]);
            prop_assert!(short.len() <= 2 * text.len());
        }
    }

    #[test]
    fn no_word_hides_a_longer_one() {
        for (at, word) in WORDS.iter().enumerate() {
            assert_eq!(shorten(word).len(), 1, "{}", word.escape_ascii());
            assert!(
                WORDS.iter().skip(at + 1).all(|later| !later.starts_with(word)),
                "{}",
                word.escape_ascii()
            );
        }
        let file = b"User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n";
        assert_eq!((file.len(), shorten(file).len()), (67, 7));
    }
}
