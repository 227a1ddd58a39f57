//! Parts of fields.

use alloc::vec::Vec;

use robots_groups::syntax::Field;

/// Returns the part of `field` from `start` up to `end`, counted from the start of the field.
pub(super) fn part(field: Field<'_>, start: usize, end: usize) -> Field<'_> {
    let bytes = field.bytes().get(start..end).unwrap_or_default();
    Field::new(bytes, field.span().start() + start)
}

/// Removes spaces and tabs around `field`.
pub(super) fn trimmed(field: Field<'_>) -> Field<'_> {
    let bytes = field.bytes();
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = bytes.iter().position(|byte| !is_space(byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| !is_space(byte)).map_or(start, |last| last + 1);
    part(field, start, end)
}

/// Splits `field` at the first space or tab, and removes spaces and tabs around the second part.
pub(super) fn first_word(field: Field<'_>) -> (Field<'_>, Field<'_>) {
    let end = memchr::memchr2(b' ', b'\t', field.bytes()).unwrap_or(field.bytes().len());
    (part(field, 0, end), trimmed(part(field, end, field.bytes().len())))
}

/// Splits the list of a preference, such as that of `Content-Signal`, into its terms, and says for each whether it permits a use.
pub(crate) fn terms(list: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
    list.split(|&byte| byte == b',').map(|term| {
        let after = term.split(|&byte| byte == b'=').nth(1).unwrap_or_default();
        let value = after.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
        (term.trim_ascii(), value.eq_ignore_ascii_case(b"yes") || value.eq_ignore_ascii_case(b"y"))
    })
}

/// Returns the value of a preference without the terms that permit a use, if something is left.
pub(crate) fn refusals(raw: Field<'_>) -> Option<Vec<u8>> {
    let (path, list) = scoped(raw);
    let refused: Vec<&[u8]> = terms(list.bytes())
        .filter(|(term, permits)| !term.is_empty() && !permits)
        .map(|(term, _)| term)
        .collect();
    let list = refused.join(&b", "[..]);
    let path = path.map(|path| [path.bytes(), b" "].concat()).unwrap_or_default();
    (!list.is_empty()).then(|| [path, list].concat())
}

/// Splits a value into the path that it may begin with, and the rest.
pub(super) fn scoped(raw: Field<'_>) -> (Option<Field<'_>>, Field<'_>) {
    if raw.bytes().first() != Some(&b'/') {
        return (None, raw);
    }
    let (path, rest) = first_word(raw);
    (Some(path), rest)
}
