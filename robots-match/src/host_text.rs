//! Names of hosts in URLs that are given as text: the label that UTS 46 refuses, and the Unicode form of A-labels.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::ops::Range;

use idna::uts46::{Hyphens, Uts46};
use idna::{AsciiDenyList, punycode};
use percent_encoding::percent_decode_str;

/// The largest label, in bytes, for which the problem is looked for. Labels of DNS have at most 63 bytes.
const LONGEST_LABEL: usize = 256;

/// The characters that separate labels (UTS 46, section 4, and the mapping of ideographic full stops).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// Returns the place of the host in a URL, as written. The URL may lack its scheme. Userinfo, port and percent-encoding
/// are those of the URL standard, which also accepts `\` for `/`.
#[must_use]
pub fn host_of(url: &str) -> Range<usize> {
    let is_scheme = |text: &str| {
        text.starts_with(|char: char| char.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    };
    let is_slash = ['/', '\\'];
    let mut start = match url.split_once(':') {
        // Digits are a port.
        Some((scheme, rest))
            if is_scheme(scheme) && !rest.starts_with(|char: char| char.is_ascii_digit()) =>
        {
            url.len() - rest.trim_start_matches(is_slash).len()
        }
        _ => url.len() - url.trim_start_matches(is_slash).len(),
    };
    let rest = url.get(start..).unwrap_or_default();
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let host = match authority.rsplit_once('@') {
        Some((userinfo, host)) => {
            start += userinfo.len() + 1;
            host
        }
        None => authority,
    };
    let port = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    start..start + port.map_or(host, |(host, _)| host).len()
}

/// A label of a host that is not valid by UTS 46, as the URL standard applies it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidLabel<'u> {
    /// The host, as written.
    pub host: &'u str,
    /// The label, as written.
    pub label: &'u str,
    /// The place of the label in the URL.
    pub place: Range<usize>,
    /// Why the label is not valid: a clause without characters of the label.
    pub reason: String,
}

/// Returns the first label of the host of `url` that is not valid. `url` is the text of a URL, or a host.
///
/// # Complexity
///
/// O(*n*) for *n* bytes.
#[must_use]
pub fn invalid_label(url: &str) -> Option<InvalidLabel<'_>> {
    let place = host_of(url);
    let host = url.get(place.clone())?;
    let marked = match decoded(host).map(|host| check(&host)) {
        Some(Ok(_)) => return None,
        Some(Err(marked)) => marked,
        // Bytes that are not UTF-8.
        None => None,
    };
    let mut start = place.start;
    let labels = host.split(DOTS).map(|label| {
        let at = start;
        let after = at + label.len();
        start = after + url.get(after..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        (label, at..after)
    });
    let is_invalid = |index: usize, label: &str| match (marked, decoded(label)) {
        (Some(marked), _) => index == marked,
        // A label may be invalid only next to others, with letters that are written from right to left.
        (None, Some(label)) => check(&format!("{label}.\u{5D0}")).is_err(),
        (None, None) => true,
    };
    let found = labels.enumerate().find(|(index, (label, _))| is_invalid(*index, label));
    let (label, place) = found.map_or((host, place), |(_, found)| found);
    let reason =
        decoded(label).map_or_else(|| "it is not UTF-8".to_string(), |label| problem(&label).to_string());
    Some(InvalidLabel { host, label, place, reason })
}

/// Returns the Unicode form of a valid host in ASCII, if it differs and can be shown: its letters belong to one script, are
/// not easily confused with other letters, and are written from left to right.
///
/// ```
/// use robots_match::unicode_host;
///
/// assert_eq!(unicode_host("www.xn--exmple-cua.com").as_deref(), Some("www.ex\u{E4}mple.com"));
/// assert_eq!(unicode_host("www.example.com"), None);
/// // These letters are Cyrillic.
/// assert_eq!(unicode_host("xn--80ak6aa92e.com"), None);
/// ```
#[must_use]
pub fn unicode_host(host: &str) -> Option<String> {
    let (shown, valid) = Uts46::new().to_user_interface(
        host.as_bytes(),
        AsciiDenyList::URL,
        Hyphens::Allow,
        |label, _, is_right_to_left| !is_right_to_left && is_readable(label),
    );
    (valid.is_ok() && shown != host).then(|| shown.into_owned())
}

/// Returns whether a label can be shown in Unicode. In doubt it can't: this list of alphabets is not complete, and leaves out
/// letters that look like others.
fn is_readable(label: &[char]) -> bool {
    let is_of = |letters: fn(char) -> bool| {
        label.iter().all(|&char| char.is_ascii_digit() || char == '-' || letters(char))
    };
    // `str::contains` takes more code, and the size of the WebAssembly module has a limit.
    let has = |distinct: &str| label.iter().any(|char| distinct.chars().any(|other| other == *char));
    let is_latin = |char| {
        matches!(char, 'a'..='z' | 'ß'..='ö' | 'ø'..='ý' | 'ÿ'..='ž' | 'ơ' | 'ư' | 'ș' | 'ț' | 'ạ'..='ỹ')
            && !matches!(char, 'ı' | 'ĸ' | 'ŋ')
    };
    let is_east_asian = |char| matches!(char, 'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー' | '々' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}');
    is_of(is_latin)
        || is_of(is_east_asian)
        || is_of(|char| matches!(char, '가'..='힣'))
        || is_of(|char| matches!(char, '\u{905}'..='\u{939}' | '\u{93E}'..='\u{94D}' | '\u{901}'..='\u{903}'))
        // Words of these alphabets can consist of letters that look Latin.
        || is_of(|char| matches!(char, 'а'..='џ' | 'ґ')) && has("бгджзийлфцчшщъыэюяђљњћџґ")
        || is_of(|char| matches!(char, 'ΐ' | 'ά'..='ώ')) && has("βγδζθλμξπσςφψω")
}

/// A reason why a label is not valid.
#[derive(Clone, Copy)]
enum Problem {
    /// The label is too long to be valid.
    TooLong,
    /// The label contains this character.
    Character(char),
    /// The part after `xn--` can't be decoded.
    Punycode,
    /// The part after `xn--` decodes to this character, among others.
    Encoded(char),
    /// The part after `xn--` decodes to ASCII only.
    EncodedAscii,
    /// The part after `xn--` decodes to characters that are not in their normal form, or not in a valid order.
    EncodedOrder,
    /// The characters are not in a valid order.
    Order,
    /// The characters are not in a valid order, because another label is written from right to left.
    OrderInName,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoded = "the part after `xn--`";
        match self {
            Self::TooLong => f.write_str("it is longer than 63 bytes"),
            Self::Character(char) if char.is_ascii() => {
                write!(f, "a host can't contain `{}`", char.escape_default())
            }
            Self::Character(char) => write!(f, "a host can't contain U+{:04X}", u32::from(*char)),
            Self::Punycode => write!(f, "{encoded} is not Punycode (RFC 3492)"),
            Self::Encoded(char) => {
                write!(f, "{encoded} encodes U+{:04X}, which a host can't contain", u32::from(*char))
            }
            Self::EncodedAscii => write!(f, "{encoded} encodes only ASCII, which is written without `xn--`"),
            Self::EncodedOrder => {
                write!(f, "{encoded} encodes characters that are not in the normal form or order of UTS 46")
            }
            Self::Order => f.write_str("its characters are not in an order that UTS 46 allows"),
            Self::OrderInName => f.write_str(
                "its characters are not in an order that UTS 46 allows next to a label that is written from right to left",
            ),
        }
    }
}

/// Returns what is wrong with `label`.
fn problem(label: &str) -> Problem {
    if label.len() > LONGEST_LABEL {
        return Problem::TooLong;
    }
    // A combining character is valid after a letter, and a letter that is written from right to left is not.
    let is_refused = |char: &char| check(&char.to_string()).is_err() && check(&format!("a{char}")).is_err();
    if let Some(char) = label.chars().find(is_refused) {
        return Problem::Character(char);
    }
    match label.split_at_checked(4) {
        Some((prefix, encoded)) if prefix.eq_ignore_ascii_case("xn--") => {
            match punycode::decode_to_string(encoded) {
                Some(text) if encoded.is_empty() || text.is_empty() => Problem::Punycode,
                Some(text) if text.is_ascii() => Problem::EncodedAscii,
                Some(text) => text.chars().find(is_refused).map_or(Problem::EncodedOrder, Problem::Encoded),
                None => Problem::Punycode,
            }
        }
        _ if check(label).is_err() => Problem::Order,
        _ => Problem::OrderInName,
    }
}

/// Decodes the percent-encoding of a host, which the URL standard allows.
fn decoded(host: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(host).decode_utf8().ok()
}

/// Checks a host.
///
/// # Errors
///
/// The host is not valid. The error is the index of the first label that is not valid by itself, if there is one.
fn check(host: &str) -> Result<(), Option<usize>> {
    match Uts46::new().to_unicode(host.as_bytes(), AsciiDenyList::URL, Hyphens::Allow) {
        (_, Ok(())) => Ok(()),
        (marked, Err(_)) => Err(marked
            .split('.')
            .position(|label| label.chars().any(|char| char == char::REPLACEMENT_CHARACTER))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_and_its_problem_are_named() {
        struct Case {
            url: &'static str,
            label: &'static str,
            reason: &'static str,
        }
        for Case { url, label, reason } in [
            Case {
                url: "https://www.xn--a-.com/page",
                label: "xn--a-",
                reason: "the part after `xn--` encodes only ASCII, which is written without `xn--`",
            },
            Case {
                url: "ftp://me:x@a.xn--.com:21",
                label: "xn--",
                reason: "the part after `xn--` is not Punycode (RFC 3492)",
            },
            Case {
                url: "XN--zzzzzzzz99999.com",
                label: "XN--zzzzzzzz99999",
                reason: "the part after `xn--` is not Punycode (RFC 3492)",
            },
            Case {
                url: "www.xn--\u{E9}.com:8080/",
                label: "xn--\u{E9}",
                reason: "the part after `xn--` is not Punycode (RFC 3492)",
            },
            Case {
                url: "http://a.xn--xn--abc-ma.com",
                label: "xn--xn--abc-ma",
                reason: "the part after `xn--` encodes U+0081, which a host can't contain",
            },
            Case { url: "//a/b@c d.example", label: "", reason: "" },
            Case { url: "http://c d.example/", label: "c d", reason: "a host can't contain ` `" },
            Case { url: "http://a%25.example/", label: "a%25", reason: "a host can't contain `%`" },
            Case { url: "http://a.%FF/", label: "%FF", reason: "it is not UTF-8" },
            Case {
                url: "http://\u{E9}\u{3002}b\u{202E}c.com",
                label: "b\u{202E}c",
                reason: "a host can't contain U+202E",
            },
            Case {
                url: "http://a.\u{301}x.com",
                label: "\u{301}x",
                reason: "its characters are not in an order that UTS 46 allows",
            },
            Case {
                url: "1a.\u{5D0}.com",
                label: "1a",
                reason: "its characters are not in an order that UTS 46 allows next to a label that is written from \
                         right to left",
            },
            Case { url: "https://www.ex\u{E4}mple.com/", label: "", reason: "" },
            Case { url: "https://xn--exmple-cua.com./", label: "", reason: "" },
        ] {
            match invalid_label(url) {
                None => assert_eq!(label, "", "{url}"),
                Some(found) => {
                    assert_eq!((found.label, found.reason.as_str()), (label, reason), "{url}");
                    assert_eq!(url.get(found.place), Some(label), "{url}");
                }
            }
        }
        let long = format!("xn--{}", "a".repeat(64 * 1024));
        assert_eq!(invalid_label(&long).unwrap().reason, "it is longer than 63 bytes");
    }

    /// The host of a text is the one that the `url` crate reads.
    #[cfg(feature = "url")]
    #[test]
    fn the_host_is_found_in_the_url() {
        for url in [
            "https://example.com",
            "https://example.com:80/a@b:c",
            "http://a@b:c@example.com?d@e",
            "https:/example.com/a",
            "https:example.com#a",
            "http:\\\\example.com\\a",
            "https://1.2.3.4:5",
            "https://[::1]:8080/",
            "https://[::1]/",
            "ftp://a.%65xample.com/",
        ] {
            let parsed = url::Url::parse(url).unwrap();
            let host = &url[host_of(url)];
            assert_eq!(decoded(host).unwrap(), parsed.host_str().unwrap(), "{url}");
        }
        for (text, host) in
            [("example.com:80/a", "example.com"), ("a", "a"), ("", ""), ("/a", "a"), ("a.b?c:d", "a.b")]
        {
            assert_eq!(&text[host_of(text)], host, "{text}");
        }
    }

    #[test]
    fn only_readable_labels_are_shown_in_unicode() {
        for host in [
            "www.ex\u{E4}mple.com",
            "stra\u{DF}e.de",
            "\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.\u{440}\u{444}",
            "\u{3C0}\u{3B1}\u{3C1}\u{3AC}\u{3B4}\u{3B5}\u{3B9}\u{3B3}\u{3BC}\u{3B1}.gr",
            "\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}",
            "\u{D55C}\u{AD6D}-1.kr",
            "\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}.in",
        ] {
            let ascii = idna::domain_to_ascii(host).unwrap();
            assert_eq!(unicode_host(&ascii).as_deref(), Some(host));
        }
        // Cyrillic that looks Latin, two scripts, right to left, a mark, a joiner, a symbol, and letters that look alike.
        for host in [
            "\u{430}\u{440}\u{440}\u{4CF}\u{435}.com",
            "\u{430}\u{440}\u{440}.com",
            "ex\u{430}mple.com",
            "a\u{4E00}b.com",
            "\u{5D0}\u{5D1}.com",
            "e\u{327}\u{301}x\u{323}.com",
            "\u{94D}\u{200D}.com",
            "\u{915}\u{94D}\u{200D}\u{937}.com",
            "\u{1F4A9}.la",
            "\u{251}pple.com",
            "\u{131}.com",
            "g\u{14B}u.org",
            "\u{FE}aypal.com",
        ] {
            let Ok(ascii) = idna::domain_to_ascii(host) else { continue };
            assert_eq!(unicode_host(&ascii), None, "{host}");
        }
        // Each label is decided on its own.
        let mixed = idna::domain_to_ascii("\u{E4}.ex\u{430}mple.com").unwrap();
        assert_eq!(unicode_host(&mixed).unwrap(), "\u{E4}.xn--exmple-4nf.com");
        for host in ["example.com", "[::1]", "127.0.0.1", "", "xn--a-.com", "a b"] {
            assert_eq!(unicode_host(host), None, "{host}");
        }
    }
}
