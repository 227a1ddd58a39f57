//! Words that were misspelt.

/// Returns whether two words differ by one byte that is missing, added or another one, or by two neighbours that changed places.
/// Case does not count.
pub(crate) fn is_one_mistake(one: &[u8], other: &[u8]) -> bool {
    if one.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let same = |(one, other): &(&u8, &u8)| one.eq_ignore_ascii_case(other);
    let start = one.iter().zip(other).take_while(same).count();
    let (one, other) = (one.get(start..).unwrap_or_default(), other.get(start..).unwrap_or_default());
    let end = one.iter().rev().zip(other.iter().rev()).take_while(same).count();
    let one = one.get(..one.len() - end).unwrap_or_default();
    let other = other.get(..other.len() - end).unwrap_or_default();
    match (one, other) {
        ([], [_]) | ([_], [] | [_]) => true,
        ([a, b], [c, d]) => a.eq_ignore_ascii_case(d) && b.eq_ignore_ascii_case(c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mistake_is_one_byte_or_two_that_changed_places() {
        for (word, expected) in [
            ("htps", true),
            ("HTTPPS", true),
            ("hxtps", true),
            ("htpts", true),
            ("https", false),
            ("htp", false),
            ("thtsp", false),
            ("spthth", false),
        ] {
            assert_eq!(is_one_mistake(word.as_bytes(), b"https"), expected, "{word}");
            assert_eq!(is_one_mistake(b"https", word.as_bytes()), expected, "{word}");
        }
        assert!(is_one_mistake(b"", b"a") && !is_one_mistake(b"", b"") && is_one_mistake(b"aab", b"ab"));
    }
}
