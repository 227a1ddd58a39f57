//! Whether a form may change a path, without the set of its bytes.

/// The number of bytes that are read at a time.
const EIGHT: usize = 8;

/// The number of bytes that are compared in one step.
const STEP: usize = 2 * EIGHT;

/// Returns whether a form may change `path`. Returns `true` as well for a few rare bytes that no form changes.
#[inline]
pub(crate) fn may_change(path: &[u8]) -> bool {
    has_other_byte::<false>(path)
}

/// Returns whether a form may change `path`, as [`may_change`] does, or it has a `?`.
#[inline]
pub(crate) fn may_change_or_has_query(path: &[u8]) -> bool {
    has_other_byte::<true>(path)
}

/// Returns whether `path` has a byte for which [`is_unchanged`] is false.
#[inline]
fn has_other_byte<const QUERY_IS_OTHER: bool>(path: &[u8]) -> bool {
    let mut other = [0; STEP];
    let mut add = |step: &[u8; STEP]| {
        for (other, byte) in other.iter_mut().zip(step) {
            *other |= u8::from(!is_unchanged::<QUERY_IS_OTHER>(*byte));
        }
    };
    let Some(last) = path.len().checked_sub(EIGHT) else {
        return !path.iter().all(|byte| is_unchanged::<QUERY_IS_OTHER>(*byte));
    };
    let eight = |at: usize| {
        let eight = path.get(at..).and_then(<[u8]>::first_chunk).expect("eight bytes follow");
        u128::from(u64::from_le_bytes(*eight))
    };
    let two = |first: usize, second: usize| (eight(first) | eight(second) << 64).to_le_bytes();
    // Some bytes twice, instead of a branch that depends on the length, which is not predictable.
    add(&two(0, last));
    add(&two(last.min(EIGHT), last.min(2 * EIGHT)));
    add(&two(last.min(3 * EIGHT), last.min(4 * EIGHT)));
    if let Some(rest @ 1..) = path.len().checked_sub(6 * EIGHT) {
        // The last eight bytes and the first 40 are done.
        let steps = (rest + EIGHT).div_ceil(STEP);
        path.rchunks_exact(STEP).take(steps).filter_map(<[u8]>::first_chunk).for_each(add);
    }
    u128::from_ne_bytes(other) != 0
}

/// Returns whether a byte is one of those that are frequent in paths and that no form changes. If `QUERY_IS_OTHER`, a `?` is not.
#[inline]
const fn is_unchanged<const QUERY_IS_OTHER: bool>(byte: u8) -> bool {
    const LAST: u8 = b'Z';
    let first = if QUERY_IS_OTHER { b'@' } else { b'?' };
    // Without a branch, so that a compiler can use vector instructions.
    let is_in_upper_range = byte.wrapping_sub(first) <= LAST - first;
    let is_in_lower_range = byte.wrapping_sub(b'a') <= b'z' - b'a';
    let is_in_digit_range = byte.wrapping_sub(b'+') <= b';' - b'+';
    is_in_upper_range
        | is_in_lower_range
        | is_in_digit_range
        | (byte == b'_')
        | (byte == b'=')
        | (byte == b'&')
        | (byte == b'~')
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::pattern::canonical::Role;
    use crate::policy::Form;

    #[test]
    fn a_byte_that_a_form_changes_is_found_at_each_place() {
        let forms = [Form::AsWritten, Form::NonAsciiEncoded, Form::Normal, Form::DecodedButSlash];
        let changes = |path: &[u8]| forms.iter().any(|form| form.byte_set(path, Role::Path).may_change());
        for len in 1..100 {
            let unchanged: Vec<u8> = b"/Az09-._=&:,~@".iter().copied().cycle().take(len).collect();
            assert!(!may_change(&unchanged) && !may_change_or_has_query(&unchanged));
            for place in 0..len {
                let mut path = unchanged.clone();
                for byte in 0..=u8::MAX {
                    path[place] = byte;
                    let changes = changes(&[byte]);
                    assert!(!changes || may_change(&path), "{byte} at {place} of {len}");
                    let is_other = changes || byte == b'?';
                    assert!(!is_other || may_change_or_has_query(&path), "{byte} at {place} of {len}");
                    assert!(byte != b'?' || !may_change(&path), "{byte} at {place} of {len}");
                }
            }
        }
    }
}
