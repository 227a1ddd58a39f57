//! Properties of URLs as text.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use robots_fetch::matching::{MatchPolicy, path_of};

/// The path of a URL as text is the part between its authority and its fragment.
pub fn url_text(url: &[u8]) {
    for semicolon in [false, true] {
        let mut policy = MatchPolicy::RFC9309;
        policy.semicolon_ends_authority = semicolon;
        let ends = |byte: u8| matches!(byte, b'/' | b'?') || semicolon && byte == b';';
        let text: Vec<u8> = url.iter().copied().take_while(|&byte| byte != b'#').collect();
        let scheme_end =
            (0..text.len()).find(|&at| text.get(at..).is_some_and(|rest| rest.starts_with(b"://")));
        let authority_at = match scheme_end {
            _ if text.starts_with(b"//") => 2,
            Some(end) if !text.iter().take(end).any(|&byte| ends(byte)) => end + 3,
            _ => 0,
        };
        let mut expected: Vec<u8> =
            text.into_iter().skip(authority_at).skip_while(|&byte| !ends(byte)).collect();
        if expected.first() != Some(&b'/') {
            expected.insert(0, b'/');
        }
        assert_eq!(path_of(url, &policy), expected, "{}", url.escape_ascii());
    }
}
