//! Sets of bytes: which bytes a path has, and which bytes a pattern needs.

use super::percent::{Role, Treatment, Unit};
use crate::policy::{Form, Specials};

/// The set of bytes in a path or pattern, computed in one pass.
///
/// The set is approximate: bytes that are rare in paths share bits. `*` and the other [`MARKS`](Self::MARKS) have the four
/// highest bits, and `$` has no bit. The bytes that are frequent in patterns have the lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ByteSet(u64);

impl ByteSet {
    pub(super) const SUSPECT: u64 = 1 << 63;
    pub(super) const STAR: u64 = 1 << 62;
    /// In a [`Table`], a hexadecimal digit that is not a lower-case letter.
    const DIGIT: u64 = 1 << 61;
    /// In a [`Table`], the first digit (8, 9, A to F) of the escape of a byte that is not ASCII, if the form keeps these escapes.
    const KEPT: u64 = 1 << 60;
    /// The bits that no pattern needs a path to have.
    const MARKS: u64 = Self::SUSPECT | Self::STAR | Self::DIGIT | Self::KEPT;
    const QUERY: u64 = 1 << 26;

    /// Returns the set of the bytes of a canonical pattern or path.
    pub(crate) fn of(pattern: &[u8]) -> Self {
        Form::AsWritten.byte_set(pattern, Role::Path)
    }

    /// A set that is never compared.
    pub(crate) const ANY: Self = Self(0);

    /// Returns whether any of `bits` is set.
    #[inline]
    pub(super) const fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    /// Returns whether the form for which the set was computed may change the bytes.
    #[inline]
    pub(crate) const fn may_change(self) -> bool {
        self.has(Self::SUSPECT)
    }

    /// Returns whether there is a `*`.
    #[inline]
    pub(crate) const fn has_star(self) -> bool {
        self.has(Self::STAR)
    }

    /// Returns whether a path with the set `other` may have all bytes of a pattern with this set.
    #[inline]
    pub(crate) const fn may_all_be_in(self, other: Self) -> bool {
        self.needs() & other.lacks() == 0
    }

    /// Returns the bits that a path must have, for a comparison with [`Self::lacks`].
    #[inline]
    pub(crate) const fn needs(self) -> u64 {
        self.0 & !Self::MARKS
    }

    /// Returns the bits that a path with this set lacks.
    #[inline]
    pub(crate) const fn lacks(self) -> u64 {
        !self.0
    }

    /// Returns the needs in half of the bits, each of which stands for two of the set.
    #[inline]
    pub(crate) const fn folded_needs(self) -> u32 {
        fold(self.needs())
    }

    /// Returns the bits of [`Self::folded_needs`] that a path with this set lacks.
    #[inline]
    pub(crate) const fn folded_lacks(self) -> u32 {
        !fold(self.needs())
    }

    /// Returns the set of one byte by a table.
    #[inline]
    pub(super) fn of_table(table: &Table, byte: u8) -> Self {
        Self(table.get(usize::from(byte)).copied().unwrap_or(u64::MAX))
    }

    /// Returns the set of one byte, without `SUSPECT`.
    const fn of_byte(byte: u8) -> Self {
        // In the upper half, each byte has the bit of a letter, with which it shares a bit when the set is folded.
        let letter = match byte {
            b'*' => return Self(Self::STAR),
            // A path has slashes, and a `$` may be special.
            b'/' | b'$' => return Self(0),
            b'?' => return Self(Self::QUERY),
            b'a'..=b'z' => return Self(1 << (byte - b'a')),
            b'=' => return Self(1 << 27),
            b'-' => return Self(1 << 28),
            b'.' => return Self(1 << 29),
            b'_' => return Self(1 << 30),
            b'&' => return Self(1 << 31),
            b'0'..=b'2' => b'z',
            b'3'..=b'5' => b'x',
            b'6'..=b'9' => b'j',
            // Two upper-case letters share a bit.
            b'A'..=b'Z' => b'a' + (byte - b'A') / 2 * 2,
            _ => b'b' + byte % 4 * 2,
        };
        Self(1 << (32 + letter - b'a'))
    }
}

/// Combines the two halves of a set.
const fn fold(set: u64) -> u32 {
    set as u32 | (set >> 32) as u32
}

impl Form {
    /// Does the same as [`Self::treat`] for an escape, or for a literal byte that may change, which is encoded unless it is `%`
    /// or `$`.
    #[inline]
    pub(super) fn treat_changing(self, unit: Unit, last: bool, role: Role) -> Treatment {
        match unit {
            Unit::Escape(_) | Unit::Raw(b'%' | b'$') => self.treat(unit, last, role),
            Unit::Raw(byte) => Treatment::Encoded(byte),
        }
    }

    /// Returns whether this form decodes a percent-encoded byte.
    const fn decodes(self, byte: u8, role: Role) -> bool {
        matches!(self.treat(Unit::Escape(byte), false, role), Treatment::Raw(_))
    }

    /// Returns the bits of each byte.
    #[inline]
    pub(super) fn table(self, role: Role) -> &'static Table {
        static AS_WRITTEN: Table = table(Form::AsWritten, Role::Path);
        static NON_ASCII_ENCODED: Table = table(Form::NonAsciiEncoded, Role::Path);
        static NORMAL_PATH: Table = table(Form::Normal, Role::Path);
        static NORMAL_PATTERN: Table = table(Form::Normal, Role::Pattern(Specials::StarAndDollar));
        static DECODED: Table = table(Form::DecodedButSlash, Role::Path);
        match (self, role) {
            (Self::AsWritten, _) => &AS_WRITTEN,
            (Self::NonAsciiEncoded, _) => &NON_ASCII_ENCODED,
            (Self::Normal, Role::Path | Role::Pattern(Specials::None)) => &NORMAL_PATH,
            (Self::Normal, Role::Pattern(Specials::StarAndDollar)) => &NORMAL_PATTERN,
            (Self::DecodedButSlash, _) => &DECODED,
        }
    }

    /// Returns the set of `bytes`, with `SUSPECT` if this form may change them.
    #[inline]
    pub(crate) fn byte_set(self, bytes: &[u8], role: Role) -> ByteSet {
        let table = self.table(role);
        // A `$` at the end of a pattern is special and does not change.
        let bytes = match (role, bytes) {
            (Role::Pattern(Specials::StarAndDollar), [stem @ .., b'$']) => stem,
            _ => bytes,
        };
        let of_all = |set, bytes: &[u8]| {
            let bits = |byte: &u8| table.get(usize::from(*byte)).copied().unwrap_or(u64::MAX);
            bytes.iter().fold(set, |set, byte| set | bits(byte))
        };
        // Eight bytes at a time, then the last eight again, to avoid a branch for each byte.
        let eights = bytes.chunks_exact(8);
        let rest = eights.remainder();
        let set = eights.filter_map(<[u8]>::first_chunk::<8>).fold(0, |set, eight| of_all(set, eight));
        ByteSet(match bytes.last_chunk::<8>() {
            Some(last) if !rest.is_empty() => of_all(set, last),
            _ => of_all(set, rest),
        })
    }
}

/// The bits of each byte.
pub(super) type Table = [u64; 256];

/// Returns whether `bytes` begin with an escape, with upper-case digits, of a byte that is not ASCII, which the form
/// of the table keeps.
#[inline]
pub(super) fn begins_with_kept_escape(table: &Table, bytes: &[u8]) -> bool {
    let has = |byte, bits| ByteSet::of_table(table, byte).has(bits);
    matches!(*bytes, [b'%', high, low, ..] if has(high, ByteSet::KEPT) & has(low, ByteSet::DIGIT))
}

/// Computes the bits of each byte. A byte is suspect if the form changes it before the end of a pattern, and `%` is always
/// suspect because an escape may follow.
const fn table(form: Form, role: Role) -> Table {
    let mut table = [0; 256];
    let mut byte: usize = 0;
    while let Some((before, _)) = table.split_at_mut_checked(byte + 1) {
        if let Some(set) = before.last_mut() {
            let unit = Unit::Raw(byte as u8);
            let changes = matches!(form.treat(unit, false, role), Treatment::Encoded(_));
            let may_begin_escape = byte == b'%' as usize && !matches!(form, Form::AsWritten);
            *set = if changes || may_begin_escape { ByteSet::SUSPECT } else { 0 };
            *set |= ByteSet::of_byte(byte as u8).0;
            if matches!(byte as u8, b'0'..=b'9' | b'A'..=b'F') {
                *set |= ByteSet::DIGIT;
                // Forms do not distinguish the bytes that are not ASCII.
                if !matches!(byte as u8, b'0'..b'8') && !form.decodes(128, role) {
                    *set |= ByteSet::KEPT;
                }
            }
        }
        byte += 1;
    }
    table
}

/// The number of bytes that are compared in one step.
const STEP: usize = 16;

/// Returns whether a form may change `path`, without the set of its bytes. Returns `true` as well for a few rare bytes that no form changes.
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
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn common_bytes_share_no_bits() {
        let graphic = || (0..=u8::MAX).filter(u8::is_ascii_graphic).filter(|byte| !b"*/$".contains(byte));
        let common = |byte: u8| byte.is_ascii_lowercase() || b"?=-._&".contains(&byte);
        for a in graphic() {
            let of_a = ByteSet::of(&[a]);
            for b in graphic() {
                let (of_b, both) = (ByteSet::of(&[b]), ByteSet::of(&[b, a, b]));
                assert!(of_a.may_all_be_in(both));
                assert_eq!(of_a.folded_needs() & both.folded_lacks(), 0);
                // Common bytes share no bits.
                let distinct = a != b && common(a) && common(b);
                assert!(!distinct || !of_a.may_all_be_in(of_b), "{a} {b}");
                assert!(!distinct || of_a.folded_needs() & of_b.folded_lacks() != 0, "{a} {b}");
            }
            assert!(!of_a.may_all_be_in(ByteSet(0)));
        }
        // The bits of the rest are few, and differ from each other.
        let bits = |of: fn(&u8) -> bool| {
            let bytes: Vec<u8> = graphic().filter(of).collect();
            ByteSet::of(&bytes).needs()
        };
        let (upper, digits) = (bits(u8::is_ascii_uppercase), bits(u8::is_ascii_digit));
        let others = bits(|byte| !byte.is_ascii_alphanumeric() && !b"?=-._&".contains(byte));
        assert_eq!([upper, digits, others].map(u64::count_ones), [13, 3, 4]);
        assert_eq!((upper | digits | others).count_ones(), 20);
        // Special and suspect bytes are not required of a path, nor are slashes.
        for bytes in [&b"*"[..], b"$", b"/", b"\xFF%"] {
            let set = Form::Normal.byte_set(bytes, Role::Path);
            let without = ByteSet(set.0 & !(ByteSet::SUSPECT | ByteSet::STAR));
            assert!(set.may_all_be_in(without));
        }
    }

    #[test]
    fn a_byte_that_a_form_changes_is_found_at_each_place() {
        let forms = [Form::AsWritten, Form::NonAsciiEncoded, Form::Normal, Form::DecodedButSlash];
        let form_changes =
            |path: &[u8]| forms.iter().any(|form| form.byte_set(path, Role::Path).may_change());
        for len in 1..100 {
            let unchanged: Vec<u8> = b"/Az09-._?=&:,~@".iter().copied().cycle().take(len).collect();
            assert!(!may_change(&unchanged));
            for place in 0..len {
                let mut path = unchanged.clone();
                for byte in 0..=u8::MAX {
                    path[place] = byte;
                    assert!(!form_changes(&[byte]) || may_change(&path), "{byte} at {place} of {len}");
                }
            }
        }
    }
}
