//! Comparing one pattern with one path.

use memchr::memmem;

/// Returns whether `pattern` matches `path`, both in their canonical form. Each `*` in the pattern matches any number of
/// any bytes. If `anchored`, the pattern must match the whole path; `pattern` does not contain the `$`.
///
/// The path must begin with the piece before the first `*`. Each following piece is searched for after the piece before
/// it. Its first occurrence leaves the most of the path for the next pieces, so other occurrences are never tried.
///
/// # Complexity
///
/// Linear in the sum of both lengths.
pub(crate) fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let Some(star) = find_byte(pattern, b'*') else {
        return if anchored { path == pattern } else { path.starts_with(pattern) };
    };
    let (first, mut pieces) = pattern.split_at(star);
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    // `pieces` begins with the `*` before the next piece.
    while let [_star, piece @ ..] = pieces {
        let (piece, following) = match find_byte(piece, b'*') {
            Some(star) => piece.split_at(star),
            None if anchored => return rest.ends_with(piece),
            None => (piece, &[][..]),
        };
        let Some(at) = find(rest, piece) else { return false };
        rest = rest.get(at + piece.len()..).expect("the piece was found in the rest");
        pieces = following;
    }
    true
}

/// The length up to which a byte is searched for without vector instructions, whose call takes longer.
const SHORT: usize = 24;

/// The number of places at which a short piece is compared before a search whose time is linear.
const MOST_TRIES: usize = 4;

#[inline]
fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let [first, following @ ..] = needle else { return Some(0) };
    if following.is_empty() {
        return find_byte(haystack, *first);
    }
    let starts = haystack.get(..(haystack.len() + 1).checked_sub(needle.len())?)?;
    let mut from = 0;
    for _ in 0..MOST_TRIES {
        let at = from + find_byte(starts.get(from..)?, *first)?;
        if haystack.get(at + 1..).is_some_and(|rest| rest.starts_with(following)) {
            return Some(at);
        }
        from = at + 1;
    }
    // Paths of one repeated byte would take the product of both lengths.
    memmem::find(haystack, needle)
}

#[inline]
fn find_byte(bytes: &[u8], byte: u8) -> Option<usize> {
    if bytes.len() > SHORT {
        return memchr::memchr(byte, bytes);
    }
    let Some(last) = bytes.last_chunk::<8>() else { return bytes.iter().position(|other| *other == byte) };
    let eights = bytes.chunks_exact(8).filter_map(<[u8]>::first_chunk::<8>);
    let found = eights.zip((0..).step_by(8)).find_map(|(eight, at)| Some(at + find_in_eight(eight, byte)?));
    // The last eight bytes again, because that avoids a branch for each byte of the remainder.
    found.or_else(|| Some(bytes.len() - 8 + find_in_eight(last, byte)?))
}

/// Finds a byte among eight, which are compared at once.
#[inline]
fn find_in_eight(eight: &[u8; 8], byte: u8) -> Option<usize> {
    const LOWEST: u64 = u64::from_ne_bytes([1; 8]);
    let differing = u64::from_le_bytes(*eight) ^ u64::from_ne_bytes([byte; 8]);
    // The highest bit of each byte that is zero, and perhaps of later ones.
    let zeros = differing.wrapping_sub(LOWEST) & !differing & LOWEST << 7;
    if zeros == 0 { None } else { Some(zeros.trailing_zeros() as usize / 8) }
}

/// Returns the number of bytes that `a` and `b` have in common at their start.
#[inline]
pub(crate) fn common_len(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let differing = |a: &[u8; 8], b: &[u8; 8]| u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
    let (mut rest, mut other) = (a, b);
    while let (Some((eight, after)), Some((other_eight, other_after))) =
        (rest.split_first_chunk(), other.split_first_chunk())
    {
        let differing = differing(eight, other_eight);
        if differing != 0 {
            return a.len() - rest.len() + differing.trailing_zeros() as usize / 8;
        }
        (rest, other) = (after, other_after);
    }
    // The last eight bytes again, because that avoids a branch for each byte of the remainder.
    let last = |bytes: &[u8]| bytes.get(..len).and_then(<[u8]>::last_chunk).copied();
    match (last(a), last(b)) {
        (Some(a), Some(b)) => len - 8 + (differing(&a, &b).trailing_zeros() as usize / 8),
        _ => rest.iter().zip(other).take_while(|(a, b)| a == b).count(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Computes all positions of the path that the pattern can reach: slow, but easy to verify.
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

    /// Returns all words over `alphabet` with up to `most` bytes.
    pub(crate) fn words(alphabet: &[u8], most: usize) -> Vec<Vec<u8>> {
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
    }

    #[test]
    fn pieces_are_found_at_their_first_place() {
        let mut long = vec![b'a'; SHORT];
        long.extend_from_slice(b"baab");
        for haystack in words(b"ab", 9).into_iter().chain([long]) {
            for needle in words(b"ab", 4) {
                let expected = (0..=haystack.len()).find(|&at| haystack[at..].starts_with(&needle));
                assert_eq!(find(&haystack, &needle), expected, "{haystack:?} {needle:?}");
            }
        }
    }

    #[test]
    fn every_short_pattern_matches_like_the_oracle() {
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
