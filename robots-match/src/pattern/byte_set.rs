//! Sets of bytes: which bytes a path has, and which bytes a pattern needs.

use super::percent::Unit;
use super::treatment::{Role, Treatment};
use crate::policy::{Form, Specials};

/// The set of bytes in a path or pattern, computed in one pass.
///
/// The set is approximate: bytes that are rare in paths share bits. `*`, `?` and [`SUSPECT`](Self::SUSPECT) have the three
/// highest bits, and `$` has no bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ByteSet(u64);

impl ByteSet {
    pub(super) const SUSPECT: u64 = 1 << 63;
    pub(super) const STAR: u64 = 1 << 62;
    const QUERY: u64 = 1 << 61;

    /// Returns the set of the bytes of a canonical pattern.
    pub(crate) fn of(pattern: &[u8]) -> Self {
        Form::AsWritten.byte_set(pattern, Role::Path)
    }

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

    /// Returns whether there is a `?`.
    #[inline]
    pub(crate) const fn has_query(self) -> bool {
        self.has(Self::QUERY)
    }

    /// Returns whether a path with the set `other` may have all bytes of a pattern with this set.
    #[inline]
    pub(crate) const fn may_all_be_in(self, other: Self) -> bool {
        self.needs() & other.lacks() == 0
    }

    /// Returns the set as a number without the marks that no path needs, so that [`Self::lacks`] compares it.
    #[inline]
    pub(crate) const fn needs(self) -> u64 {
        self.0 & !(Self::SUSPECT | Self::STAR)
    }

    /// Returns the bits that a path with this set lacks.
    #[inline]
    pub(crate) const fn lacks(self) -> u64 {
        !self.0
    }

    /// Returns the set of one byte, without `SUSPECT`.
    const fn of_byte(byte: u8) -> Self {
        let bit = match byte {
            b'*' => return Self(Self::STAR),
            b'$' => return Self(0),
            b'?' => return Self(Self::QUERY),
            b'a'..=b'z' => byte - b'a',
            b'0'..=b'9' => 26 + (byte - b'0'),
            b'A'..=b'Z' => 36 + (byte - b'A') / 2,
            _ => 49 + byte % 12,
        };
        Self(1 << bit)
    }
}

impl Form {
    /// Returns the bits of each byte.
    #[inline]
    fn table(self, role: Role) -> &'static Table {
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

    /// Returns the bits of one byte.
    #[inline]
    pub(super) fn byte(self, byte: u8, role: Role) -> ByteSet {
        ByteSet(self.table(role).get(usize::from(byte)).copied().unwrap_or(u64::MAX))
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
type Table = [u64; 256];

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
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn common_bytes_share_no_bits() {
        let graphic = || (0..=u8::MAX).filter(u8::is_ascii_graphic).filter(|byte| !b"*$".contains(byte));
        let common = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'?';
        for a in graphic() {
            let of_a = ByteSet::of(&[a]);
            for b in graphic() {
                let (of_b, both) = (ByteSet::of(&[b]), ByteSet::of(&[b, a, b]));
                assert!(of_a.may_all_be_in(both));
                // Common bytes share no bits.
                let distinct = a != b && common(a) && common(b);
                assert!(!distinct || !of_a.may_all_be_in(of_b), "{a} {b}");
            }
            assert!(!of_a.may_all_be_in(ByteSet(0)));
        }
        // Two upper-case letters share a bit, so 26 letters set 13 bits.
        let upper: Vec<u8> = (b'A'..=b'Z').collect();
        assert_eq!(ByteSet::of(&upper).0.count_ones(), 13);
        let others: Vec<u8> =
            graphic().filter(|byte| !byte.is_ascii_alphanumeric() && *byte != b'?').collect();
        assert_eq!(ByteSet::of(&others).0.count_ones(), 12);
        let letters_and_digits: Vec<u8> = (0..=u8::MAX).filter(u8::is_ascii_alphanumeric).collect();
        assert_eq!(ByteSet::of(&others).0 & ByteSet::of(&letters_and_digits).0, 0);
        // Special and suspect bytes are not required of a path.
        for bytes in [&b"*"[..], b"$", b"\xFF%"] {
            let set = Form::Normal.byte_set(bytes, Role::Path);
            let without = ByteSet(set.0 & !(ByteSet::SUSPECT | ByteSet::STAR));
            assert!(set.may_all_be_in(without));
        }
    }
}
