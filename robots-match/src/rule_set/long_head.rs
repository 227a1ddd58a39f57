//! The heads of the prefixes in a large rule set: their first 16 bytes after the `/` as a number.
//!
//! Also the number of bytes that two texts have in common at their start: if heads are equal, only the bytes after them are
//! compared.

/// Returns the first eight bytes as a number, so that they are compared at once. Missing bytes are 0.
#[inline]
pub(crate) fn head(bytes: &[u8]) -> u64 {
    if let Some(eight) = bytes.first_chunk() {
        return u64::from_be_bytes(*eight);
    }
    // In registers: a number that is read from bytes just written waits for them.
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            // Bytes that are in both are the same.
            u64::from(u32::from_be_bytes(*first)) << 32
                | u64::from(u32::from_be_bytes(*last)) << (8 * (8 - bytes.len()))
        }
        _ => bytes.iter().rev().fold(0, |head, byte| head >> 8 | u64::from(*byte) << 56),
    }
}

/// Returns the first 16 bytes as a number. Missing bytes are 0.
#[inline]
pub(crate) fn long_head(bytes: &[u8]) -> u128 {
    if let Some(sixteen) = bytes.first_chunk() {
        return u128::from_be_bytes(*sixteen);
    }
    let first = u128::from(head(bytes)) << 64;
    bytes
        .last_chunk()
        .map_or(first, |last| first | u128::from(u64::from_be_bytes(*last)) << (8 * (16 - bytes.len())))
}

/// Returns a mask of the first `len` bytes of a long head.
#[inline]
pub(crate) const fn long_head_mask(len: usize) -> u128 {
    if len >= 16 { u128::MAX } else { !(u128::MAX >> (8 * len)) }
}

/// The number of classes of the second byte of a head.
const CLASSES: usize = 32;

/// The number of starts of a head: two for each first byte before the lower-case letters, which are most frequent, and one
/// for each class after one of them.
pub(crate) const STARTS: usize = 2 * LETTERS_AT + 26 * CLASSES;

const LETTERS_AT: usize = b'a' as usize;

/// The class of each byte, in the order of the bytes. Each lower-case letter has its own.
static CLASS: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte: usize = 0;
    while let Some((before, _)) = classes.split_at_mut_checked(byte + 1) {
        if let Some(class) = before.last_mut() {
            *class = match byte as u8 {
                0..b'-' => 0,
                b'-'..b'0' => 1,
                b'0'..b'5' => 2,
                b'5'..b'A' => 3,
                b'A'..b'M' => 4,
                b'M'..b'a' => 5,
                letter @ b'a'..=b'z' => 6 + letter - b'a',
                _ => 31,
            };
        }
        byte += 1;
    }
    classes
};

/// Returns a number for the first two bytes of a head, which is not lower for a head that sorts after another.
#[inline]
pub(crate) fn start_of(head: u128) -> usize {
    let [first, second] = ((head >> 112) as u16).to_be_bytes();
    let class = usize::from(CLASS.get(usize::from(second)).copied().unwrap_or_default());
    match first {
        b'a'..=b'z' => 2 * LETTERS_AT + CLASSES * usize::from(first - b'a') + class,
        0..b'a' => 2 * usize::from(first) + usize::from(second >= b'a'),
        _ => STARTS - 1,
    }
}

/// Returns the number of bytes that two texts have in common at their start, if their heads are equal.
#[inline]
pub(crate) fn common_len_after_head(a: &[u8], b: &[u8]) -> usize {
    // 17 bytes are the slash and the head. Where a shorter text is padded, the other one has NUL bytes.
    match (a.get(17..), b.get(17..)) {
        (Some(a), Some(b)) => 17 + common_len(a, b),
        _ => a.len().min(b.len()),
    }
}

/// Returns whether two texts of the same length are equal, if their heads are.
#[cfg(not(target_family = "wasm"))]
#[inline]
pub(crate) fn are_equal_after_head(a: &[u8], b: &[u8]) -> bool {
    let (Some(mut rest), Some(mut other)) = (a.get(17..), b.get(17..)) else { return true };
    // The last eight bytes first, because that avoids a branch for each byte of the remainder.
    if a.last_chunk::<8>() != b.last_chunk() {
        return false;
    }
    while let (Some((eight, after)), Some((other_eight, other_after))) =
        (rest.split_first_chunk::<8>(), other.split_first_chunk())
    {
        if eight != other_eight {
            return false;
        }
        (rest, other) = (after, other_after);
    }
    true
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
mod tests {
    use super::*;

    #[test]
    fn starts_are_in_the_order_of_heads() {
        let starts = (0..=u16::MAX).map(|bytes| start_of(u128::from(bytes) << 112));
        assert!(starts.clone().is_sorted());
        assert_eq!(starts.clone().min(), Some(0));
        assert_eq!(starts.max(), Some(STARTS - 1));
    }

    #[test]
    fn texts_with_equal_heads_have_as_many_bytes_in_common_as_others() {
        let texts: [&[u8]; 16] = [
            b"/",
            b"/ab",
            b"/ab\0",
            b"/ab\0\0",
            b"/ab\0c",
            b"/sixteen-bytes--",
            b"/sixteen-bytes--a",
            b"/sixteen-bytes--b",
            b"/sixteen-bytes--abcdefgh",
            b"/sixteen-bytes--abcdefgi",
            b"/sixteen-bytes--abcdefghijkl",
            b"/sixteen-bytes--bbcdefghijkl",
            b"/sixteen-bytes--abcdefghijkL",
            b"/sixteen-bytes--abcDefghijkl",
            b"/sixteen-bytes--ab-and-more",
            b"/sixteen-bytes--ab-and-others",
        ];
        let head_of = |text: &[u8]| long_head(text.split_at(1).1);
        let pairs = texts.iter().flat_map(|a| texts.map(|b| (*a, b)));
        for (a, b) in pairs.filter(|(a, b)| head_of(a) == head_of(b)) {
            assert_eq!(common_len_after_head(a, b), common_len(a, b), "{a:?} {b:?}");
            #[cfg(not(target_family = "wasm"))]
            if a.len() == b.len() {
                assert_eq!(are_equal_after_head(a, b), a == b, "{a:?} {b:?}");
            }
        }
    }
}
