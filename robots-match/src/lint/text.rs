//! Text of messages.

use alloc::string::String;
use alloc::vec::Vec;

use crate::document::Document;
use crate::profile::Profile;

/// Bytes of the file in a message: escaped and short. The message puts them in quotes.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let mut text = String::new();
    for chunk in bytes.get(..MOST.min(bytes.len())).unwrap_or_default().utf8_chunks() {
        for char in chunk.valid().chars() {
            if char.is_control()
                || matches!(char, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
            {
                text.extend(char.escape_unicode());
            } else {
                text.push(char);
            }
        }
        text.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    if bytes.len() > MOST {
        text.push_str("...");
    }
    text
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
