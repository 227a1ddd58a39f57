//! Bytes that no form changes and that are never special: most paths and patterns have no others.

/// Returns whether `byte` is a letter, a digit or one of `+,-./:;=_&`, which are themselves in every form and special in no
/// pattern.
// Few comparisons without a branch, so that a compiler can use vector instructions.
#[inline]
const fn is_plain(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26)
        | (byte.wrapping_sub(b'+') <= b';' - b'+')
        | (byte == b'=')
        | (byte == b'_')
        | (byte == b'&')
}

/// Returns whether all bytes of a path are plain or `?`. Returns `false` if there are fewer than eight.
///
/// # Complexity
///
/// O(*n*) for *n* bytes.
#[inline]
pub(crate) fn is_plain_path(path: &[u8]) -> bool {
    all(path, |byte| is_plain(byte) | (byte == b'?'))
}

/// Returns whether `is` holds for all of at least eight bytes.
#[inline]
fn all(bytes: &[u8], is: impl Fn(u8) -> bool + Copy) -> bool {
    // 16 bytes at a time, then the last 16 again, to avoid a branch for each byte.
    if let Some(last) = bytes.last_chunk::<16>() {
        let mut sixteens = bytes.chunks_exact(16).filter_map(<[u8]>::first_chunk::<16>);
        return sixteens.all(|sixteen| all_of(sixteen, is)) && all_of(last, is);
    }
    let (first, last) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>());
    first.zip(last).is_some_and(|(first, last)| all_of(first, is) & all_of(last, is))
}

#[inline]
fn all_of<const N: usize>(bytes: &[u8; N], is: impl Fn(u8) -> bool) -> bool {
    bytes.iter().fold(true, |all, byte| all & is(*byte))
}
