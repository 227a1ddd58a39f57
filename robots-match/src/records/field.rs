//! Parts of fields.

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

/// Splits a value into the path that it may begin with, and the rest.
pub(super) fn scoped(raw: Field<'_>) -> (Option<Field<'_>>, Field<'_>) {
    if raw.bytes().first() != Some(&b'/') {
        return (None, raw);
    }
    let (path, rest) = first_word(raw);
    (Some(path), rest)
}
