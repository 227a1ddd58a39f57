//! Whether a form may change a path, without the set of its bytes.

/// The number of bytes that are compared in one step.
const STEP: usize = 16;

/// Returns whether a form may change `path`. Returns `true` as well for a few rare bytes that no form changes.
#[inline]
pub(crate) fn may_change(path: &[u8]) -> bool {
    let mut other = [0; STEP];
    let mut add = |step: &[u8; STEP]| {
        for (other, byte) in other.iter_mut().zip(step) {
            *other |= u8::from(!is_unchanged(*byte));
        }
    };
    if let Some(last) = path.len().checked_sub(STEP) {
        let mut add_at =
            |at: usize| add(path.get(at..).and_then(<[u8]>::first_chunk).expect("a step follows"));
        // Some bytes twice, instead of a branch that depends on the length, which is not predictable.
        add_at(0);
        add_at(last.min(STEP));
        add_at(last);
        if path.len() > 3 * STEP {
            path.chunks_exact(STEP).skip(2).filter_map(<[u8]>::first_chunk).for_each(add);
        }
    } else if let (Some(first), Some(last)) = (path.first_chunk::<8>(), path.last_chunk::<8>()) {
        let both = u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << 64;
        add(&both.to_le_bytes());
    } else {
        return !path.iter().all(|byte| is_unchanged(*byte));
    }
    u128::from_ne_bytes(other) != 0
}

/// Does the same as [`may_change`] for the first 16 bytes of `path`.
#[inline]
pub(crate) fn may_change_at_start(path: &[u8]) -> bool {
    match path.first_chunk() {
        Some(first) => u128::from_ne_bytes(changes(first)) != 0,
        None => may_change(path),
    }
}

/// Does the same as [`may_change`] for the bytes of `path` after the first 16, if [`may_change_at_start`] returned `false`.
#[inline]
pub(crate) fn may_change_after_start(path: &[u8]) -> bool {
    let Some(last) = path.len().checked_sub(STEP) else { return false };
    let step_at = |at: usize| path.get(at..).and_then(<[u8]>::first_chunk).expect("a step follows");
    let [at_16, at_end] = [last.min(STEP), last].map(|at| u128::from_ne_bytes(changes(step_at(at))));
    at_16 | at_end != 0 || path.len() > 3 * STEP && may_change(path.split_at(2 * STEP).1)
}

/// Returns a byte for each of `step` that is not 0 if a form may change it.
#[inline]
fn changes(step: &[u8; STEP]) -> [u8; STEP] {
    step.map(|byte| u8::from(!is_unchanged(byte)))
}

/// Returns whether a byte is one of those that are frequent in paths and that no form changes.
#[inline]
const fn is_unchanged(byte: u8) -> bool {
    // Without a branch, so that a compiler can use vector instructions.
    let is_in_upper_range = byte.wrapping_sub(b'?') <= b'Z' - b'?';
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
        let form_changes =
            |path: &[u8]| forms.iter().any(|form| form.byte_set(path, Role::Path).may_change());
        for len in 1..100 {
            let unchanged: Vec<u8> = b"/Az09-._?=&:,~@".iter().copied().cycle().take(len).collect();
            assert!(
                !may_change(&unchanged)
                    && !may_change_at_start(&unchanged)
                    && !may_change_after_start(&unchanged)
            );
            for place in 0..len {
                let mut path = unchanged.clone();
                for byte in 0..=u8::MAX {
                    path[place] = byte;
                    assert!(!form_changes(&[byte]) || may_change(&path), "{byte} at {place} of {len}");
                    let is_found =
                        if place < STEP { may_change_at_start(&path) } else { may_change_after_start(&path) };
                    assert_eq!(is_found, may_change(&path), "{byte} at {place} of {len}");
                }
            }
        }
    }
}
