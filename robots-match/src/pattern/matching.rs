//! The match of one pattern against one path.

use memchr::memmem;

/// Returns whether `pattern` matches `path`, both in canonical form. `*` in the pattern matches any bytes. If `anchored` is
/// set, the match has to end at the end of the path (and the `$` is not part of `pattern`).
///
/// The part before the first `*` has to be the start of the path. Each following part is searched from the end of the part
/// before it. The first occurrence is always as good as a later one, so there is no backtracking.
///
/// # Complexity
///
/// O(*m* + *n*) for a pattern of *m* bytes and a path of *n* bytes.
pub(crate) fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let Some(star) = memchr::memchr(b'*', pattern) else {
        return if anchored { path == pattern } else { path.starts_with(pattern) };
    };
    let (first, mut pieces) = pattern.split_at(star);
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    // `pieces` always begins with the `*` before the next piece.
    while let Some(piece) = pieces.get(1..) {
        let (piece, after) = match memchr::memchr(b'*', piece) {
            Some(star) => piece.split_at(star),
            None if anchored => return rest.ends_with(piece),
            None => (piece, &[][..]),
        };
        let Some(at) = find(rest, piece) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
        pieces = after;
    }
    true
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [] => Some(0),
        [byte] => memchr::memchr(*byte, haystack),
        _ if needle.len() > haystack.len() => None,
        _ => memmem::find(haystack, needle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Tracks all positions that a prefix of the pattern can reach: slow but simple.
    fn oracle(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
        let mut reached = vec![false; path.len() + 1];
        reached[0] = true;
        for &byte in pattern {
            let mut next = vec![false; path.len() + 1];
            let mut any = false;
            for at in 0..=path.len() {
                if byte == b'*' {
                    any |= reached[at];
                    next[at] = any;
                } else if at > 0 {
                    next[at] = reached[at - 1] && path[at - 1] == byte;
                }
            }
            reached = next;
        }
        if anchored { reached[path.len()] } else { reached.contains(&true) }
    }

    #[test]
    fn every_short_pattern_matches_as_the_oracle_says() {
        let words = |alphabet: &[u8], most: usize| {
            let mut all: Vec<Vec<u8>> = vec![vec![]];
            let mut last = all.clone();
            for _ in 0..most {
                last = last
                    .iter()
                    .flat_map(|word| alphabet.iter().map(|&byte| [&word[..], &[byte]].concat()))
                    .collect();
                all.extend(last.iter().cloned());
            }
            all
        };
        for pattern in words(b"ab*", 5) {
            for path in words(b"ab", 5) {
                for anchored in [false, true] {
                    let found = matches(&pattern, anchored, &path);
                    assert_eq!(found, oracle(&pattern, anchored, &path), "{pattern:?} {anchored} {path:?}");
                }
            }
        }
    }
}
