//! One pattern against one path.

use memchr::memmem;

/// Whether `pattern` matches `path`, both in their forms. `*` in the pattern stands for any octets, and `anchored` tells
/// whether it ends where the path does (the `$` is not part of `pattern` then).
///
/// The piece before the first `*` has to be the start of the path, and each following piece is looked for from where the
/// one before ended: the first place is always as good as a later one, so nothing is ever tried twice. Each piece is
/// found in time that grows with the octets looked at, so all of it takes time that grows with the sum of both lengths.
pub(crate) fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let Some(star) = memchr::memchr(b'*', pattern) else {
        return if anchored { path == pattern } else { path.starts_with(pattern) };
    };
    let (first, mut pieces) = pattern.split_at(star);
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    // `pieces` always begins with the star before the piece that is next.
    while let Some(piece) = pieces.get(1..) {
        let (piece, behind) = match memchr::memchr(b'*', piece) {
            Some(star) => piece.split_at(star),
            None if anchored => return rest.ends_with(piece),
            None => (piece, &[][..]),
        };
        let Some(at) = find(rest, piece) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
        pieces = behind;
    }
    true
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [] => Some(0),
        [octet] => memchr::memchr(*octet, haystack),
        _ if needle.len() > haystack.len() => None,
        _ => memmem::find(haystack, needle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// All positions to which some way through the pattern leads; slow, and plainly right.
    fn oracle(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
        let mut reached = vec![false; path.len() + 1];
        reached[0] = true;
        for &octet in pattern {
            let mut next = vec![false; path.len() + 1];
            let mut any = false;
            for at in 0..=path.len() {
                if octet == b'*' {
                    any |= reached[at];
                    next[at] = any;
                } else if at > 0 {
                    next[at] = reached[at - 1] && path[at - 1] == octet;
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
                    .flat_map(|word| alphabet.iter().map(|&octet| [&word[..], &[octet]].concat()))
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
