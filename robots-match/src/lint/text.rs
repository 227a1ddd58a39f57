//! Text of messages.

use alloc::string::String;
use alloc::vec::Vec;

use robots_groups::syntax::is_hidden;

use crate::document::Document;
use crate::profile::Profile;

/// Bytes of the file in a message: escaped and short. The message puts them in quotes.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let mut text = escaped(bytes.get(..MOST.min(bytes.len())).unwrap_or_default());
    if bytes.len() > MOST {
        text.push_str("...");
    }
    text
}

/// Bytes in a message, with codes for those that a terminal would obey or not show.
pub(crate) fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            if is_hidden(char) {
                text.extend(char.escape_unicode());
            } else {
                text.push(char);
            }
        }
        text.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    text
}

/// Returns the parts of a list, which this byte divides. A text is shorter than an array of texts.
pub(crate) fn parts(list: &'static str, between: u8) -> impl Iterator<Item = &'static [u8]> {
    list.as_bytes().split(move |byte| *byte == between)
}

/// Whether a word is in a list of words with spaces between them, in upper or lower case.
pub(crate) fn is_one_of(word: &[u8], list: &'static str) -> bool {
    parts(list, b' ').any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns the character whose number is in the four hex digits with which a text begins, unless it is a control character.
pub(crate) fn char_of_hex(text: &[u8]) -> Option<char> {
    let digits = text.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    let number = u32::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()?;
    char::from_u32(number).filter(|char| !char.is_control())
}

/// Returns the documents for whose profiles `holds`.
pub(crate) fn documents(holds: impl Fn(&Profile) -> bool) -> Vec<Document> {
    Document::ALL.into_iter().filter(|&document| holds(&document.into())).collect()
}

/// Returns the different limits of the profiles, each with the documents that have it.
pub(crate) fn limits(of: impl Fn(&Profile) -> Option<usize>) -> impl Iterator<Item = (usize, Vec<Document>)> {
    let all = Document::ALL.map(|document| of(&document.into()));
    let of = all.into_iter().enumerate().filter_map(move |(index, limit)| {
        let is_new = !all.iter().take(index).any(|other| *other == limit);
        limit.filter(|_| is_new)
    });
    of.map(move |limit| {
        let having = Document::ALL.into_iter().zip(all).filter(|(_, other)| *other == Some(limit));
        (limit, having.map(|(document, _)| document).collect())
    })
}
