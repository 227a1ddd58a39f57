//! How much of a path, as it is written, a byte of a pattern takes at least.
//!
//! A canonical form may make one byte of an escape, and an escape of one byte. So lengths are counted in thirds of a byte.

/// The thirds of a byte of an escape that is compared as one byte.
const MOST: u32 = 9;

/// The thirds of a byte that each byte of a pattern takes at least: for each view, as a unit and as a part of any unit.
pub(crate) struct Thirds([[u32; 256]; 4]);

impl Thirds {
    /// Counts texts: the view, the length of a unit as it is written, and the text that is compared instead of it.
    pub(crate) fn new<'t>(texts: impl Iterator<Item = (usize, u32, &'t [u8])>) -> Self {
        let mut thirds = [[MOST; 256]; 4];
        for (view, written, text) in texts {
            let is_escape = text.len() > 1;
            let share = if is_escape { written } else { 3 * written };
            for place in [2 * view, 2 * view + 1].into_iter().skip(usize::from(is_escape)) {
                for &byte in text {
                    let slot = thirds.get_mut(place).and_then(|thirds| thirds.get_mut(usize::from(byte)));
                    if let Some(slot) = slot {
                        *slot = share.min(*slot);
                    }
                }
            }
        }
        Self(thirds)
    }

    /// Returns the thirds of the byte at `at` in `piece`, which is a part of a pattern between stars.
    pub(crate) fn of(&self, view: usize, piece: &[u8], at: usize, is_first: bool) -> u32 {
        let before = piece.get(at.saturating_sub(2)..at).unwrap_or_default();
        let may_be_of_escape = match (piece.get(at), before) {
            (Some(b'%'), _) | (_, [.., b'%'] | [b'%', _]) => true,
            // After a star, a digit may end an escape that began before the piece.
            (Some(byte), []) => !is_first && byte.is_ascii_hexdigit(),
            (Some(byte), [digit]) => !is_first && byte.is_ascii_hexdigit() && digit.is_ascii_hexdigit(),
            _ => false,
        };
        let thirds = self.0.get(2 * view + usize::from(may_be_of_escape));
        let thirds = thirds.and_then(|thirds| thirds.get(usize::from(*piece.get(at)?)));
        thirds.copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::difference::alphabet::Alphabet;
    use crate::policy::Form;

    #[test]
    fn bytes_take_less_of_a_path_where_a_form_encodes() {
        let alphabet = Alphabet::new([Form::Normal, Form::NonAsciiEncoded], false);
        let thirds = |view: usize, piece: &[u8], is_first: bool| -> Vec<u32> {
            (0..piece.len()).map(|at| alphabet.thirds.of(view, piece, at, is_first)).collect()
        };
        // `<` is one byte of a path, and compared as `%3C` by RFC 9309 only.
        assert_eq!(thirds(0, b"/%3C3C", true), [3, 1, 1, 1, 3, 3]);
        assert_eq!(thirds(1, b"/%3C3C", true), [3; 6]);
        // After a star, the digits may be those of an escape.
        assert_eq!(thirds(0, b"3C3", false), [1, 1, 3]);
        assert_eq!(thirds(0, b"x3", false), [3, 3]);
        // A space is always encoded in a path, and in the form of RFC 9309.
        assert_eq!(Alphabet::new([Form::DecodedButSlash; 2], false).thirds.of(0, b"/ ", 1, true), 9);
    }
}
