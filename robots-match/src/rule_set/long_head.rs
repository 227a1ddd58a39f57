//! The heads of the prefixes in a large rule set: their first 16 bytes after the `/` as a number.

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
}
