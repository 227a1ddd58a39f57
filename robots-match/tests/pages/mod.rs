//! The examples that the pages of the lints show.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]
#![allow(dead_code, reason = "not every test that shares this file needs all of it")]

/// An example of a page.
pub(crate) struct Example {
    /// Whether the file has what the page is about.
    pub(crate) is_found: bool,
    /// Whether the file has the finding, in words, and facts such as its URL.
    pub(crate) info: String,
    /// The file.
    pub(crate) body: Vec<u8>,
}

/// The examples of a page. `\xNN` is a byte, `{text*3}` means `texttexttext`, and a backslash at the end removes the line
/// end.
pub(crate) fn examples(page: &str) -> Vec<Example> {
    let blocks = page.split("```robots.txt ").skip(1);
    let example = |block: &str| {
        let (info, rest) = block.split_once('\n').unwrap();
        let text = rest.split("```").next().unwrap();
        Example { is_found: info.starts_with("found"), info: info.to_owned(), body: bytes(text) }
    };
    blocks.map(example).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    let mut text = text.to_owned();
    let repetition = text.split_once('{').and_then(|(before, rest)| {
        let (repeated, after) = rest.split_once('}')?;
        // Other braces are literal.
        let (piece, count) = repeated.rsplit_once('*')?;
        Some(format!("{before}{}{after}", piece.repeat(count.parse().ok()?)))
    });
    text = repetition.unwrap_or(text);
    let text = text.strip_suffix("\\\n").unwrap_or(&text);
    let mut out = Vec::new();
    let mut pieces = text.split("\\x");
    out.extend_from_slice(pieces.next().unwrap().as_bytes());
    for piece in pieces {
        out.push(u8::from_str_radix(&piece[..2], 16).unwrap());
        out.extend_from_slice(&piece.as_bytes()[2..]);
    }
    out
}

/// The fact of this name, if there is one, written as `(name=value)`.
pub(crate) fn fact<'i>(info: &'i str, name: &str) -> Option<&'i str> {
    let mut words = info.split(' ').map(|word| word.trim_matches(['(', ')']));
    words.find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
}

/// The paths of known pages in `(paths=/a,/b)`.
pub(crate) fn paths(info: &str) -> Vec<Vec<u8>> {
    fact(info, "paths")
        .into_iter()
        .flat_map(|paths| paths.split(','))
        .map(|path| path.as_bytes().to_vec())
        .collect()
}
