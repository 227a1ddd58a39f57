//! The first letters of keys, and the search for lines by them.

/// The number of bytes that are compared in one step.
const STEP: usize = 32;

/// A set of first letters of keys, in upper and lower case. Has some other bytes, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Initials(u64);

impl Initials {
    pub(super) const NONE: Self = Self(0);

    pub(super) const fn with(self, letter: u8) -> Self {
        Self(self.0 | Self::bit(letter))
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) const fn has(self, byte: u8) -> bool {
        self.0 & Self::bit(byte) != 0
    }

    #[inline]
    const fn bit(byte: u8) -> u64 {
        1 << ((byte | 0x20) & 63)
    }
}

/// The first letter of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Initial(u8);

impl Initial {
    /// The bits of a byte that are compared: those that differ between letters, but not between upper and lower case.
    const MASK: u8 = 0x1F;

    pub(super) const fn new(letter: u8) -> Self {
        Self(letter & Self::MASK)
    }

    /// Returns where the first line starts whose key may begin with this letter, and the number of lines before it. `bytes` starts
    /// with a line.
    ///
    /// Every byte up to the space counts as white space before a key, and some bytes count as the letter that are not.
    ///
    /// # Complexity
    ///
    /// O(*n*) for the *n* bytes up to the end of the white space of this line.
    pub(super) fn first_line(self, bytes: &[u8]) -> Option<(usize, u32)> {
        if self.is(*bytes.first()?) {
            return Some((0, 0));
        }
        let start = self.search(bytes)?;
        Some((start, line_ends(bytes, start)))
    }

    #[inline(never)]
    fn search(self, bytes: &[u8]) -> Option<usize> {
        let follows = bytes.get(1..)?;
        let steps = follows.chunks_exact(STEP);
        let tail = follows.len() - steps.remainder().len();
        for (step, (befores, others)) in bytes.chunks_exact(STEP).zip(steps).enumerate() {
            // Without branches, so that a compiler can use vector instructions.
            let any = befores
                .iter()
                .zip(others)
                .fold(false, |any, (before, byte)| any | self.may_begin(*before, *byte));
            if any {
                let found = self.search_in(bytes, STEP * step, befores.len());
                if found.is_some() {
                    return found;
                }
            }
        }
        self.search_in(bytes, tail, STEP)
    }

    #[inline]
    fn search_in(self, bytes: &[u8], from: usize, len: usize) -> Option<usize> {
        let pairs = bytes.get(from..)?.windows(2).take(len).enumerate();
        pairs
            .filter(|(_, pair)| matches!(pair, [before, byte] if self.may_begin(*before, *byte)))
            .find_map(|(at, _)| line_start(bytes, from + at + 1))
    }

    #[inline]
    pub(super) const fn is(self, byte: u8) -> bool {
        byte & Self::MASK == self.0
    }

    #[inline]
    const fn may_begin(self, before: u8, byte: u8) -> bool {
        self.is(byte) & (before <= b' ')
    }
}

/// Returns where the line starts that has only white space before position `at`.
#[inline]
fn line_start(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes.get(..at)?;
    let start = before.iter().rposition(|byte| *byte > b' ' || is_end(*byte)).map_or(0, |end| end + 1);
    let ends = start.checked_sub(1).and_then(|end| before.get(end)).is_none_or(|byte| is_end(*byte));
    ends.then_some(start)
}

/// Returns the number of line ends before the line that starts at `start`.
#[inline(never)]
fn line_ends(bytes: &[u8], start: usize) -> u32 {
    let (Some(lines), Some(follows)) = (bytes.get(..start), bytes.get(1..=start)) else { return 0 };
    let (steps, next_steps) = (lines.chunks_exact(STEP), follows.chunks_exact(STEP));
    let rest = ends_of(steps.remainder(), next_steps.remainder());
    steps.zip(next_steps).fold(rest, |count, (lines, follows)| count + ends_of(lines, follows))
}

/// Returns the number of line ends in at most 255 bytes. Each byte has the byte that follows it.
#[inline]
fn ends_of(bytes: &[u8], follows: &[u8]) -> u32 {
    let is_last = |byte: u8, next: u8| (byte == b'\n') | (byte == b'\r') & (next != b'\n');
    bytes.iter().zip(follows).fold(0_u8, |count, (byte, next)| count + u8::from(is_last(*byte, *next))).into()
}

pub(super) const fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::vec::Vec;

    /// Returns the same as [`Initial::first_line`], line by line.
    fn expected(mut bytes: &[u8], letter: u8) -> Option<(usize, u32)> {
        let (mut start, mut number) = (0, 0);
        while !bytes.is_empty() {
            let content = bytes.iter().position(|byte| is_end(*byte)).unwrap_or(bytes.len());
            let key = bytes[..content].iter().find(|byte| **byte > b' ');
            if key.is_some_and(|key| key & 0x1F == letter & 0x1F) {
                return Some((start, number));
            }
            let end = if bytes[content..].starts_with(b"\r\n") { 2 } else { 1 };
            let len = (content + end).min(bytes.len());
            bytes = &bytes[len..];
            start += len;
            number += 1;
        }
        None
    }

    #[test]
    fn lines_are_found_by_the_first_letter_of_their_key() {
        const BYTES: &[u8] = b"uU \t\x0B\n\r\nxxxxxxxx#:/y\xFFz";
        // A linear congruential generator: the same numbers in every run.
        let mut state = 9309_u64;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        let rounds = if cfg!(miri) { 50 } else { 20_000 };
        let mut found = 0;
        for _ in 0..rounds {
            let (len, few) = (below(4 * STEP), 2 + below(BYTES.len() - 1));
            // Some files without the letter before their end, so that the search takes several steps.
            let from = [0, 2][below(2)].min(few - 1);
            let mut file: Vec<u8> = (0..len).map(|_| BYTES[from + below(few - from)]).collect();
            file.extend_from_slice([&b""[..], b"\nuser-agent: *", b"\r  u", b"\r\nu", b" u"][below(5)]);
            let line = Initial::new(b'u').first_line(&file);
            assert_eq!(line, expected(&file, b'u'), "{}", file.escape_ascii());
            found += usize::from(line.is_some_and(|(start, _)| start > STEP));
        }
        assert!(found * 20 > rounds, "{found}");
    }

    #[test]
    fn many_line_ends_are_counted() {
        for end in ["\n", "\r", "\r\n"] {
            for count in [1, STEP - 1, STEP, STEP + 1, 255, 256, 257, 1000] {
                let file = [end.repeat(count).as_bytes(), b" user-agent: *"].concat();
                let line = Initial::new(b'u').first_line(&file);
                assert_eq!(line, Some((end.len() * count, count as u32)), "{end:?}");
            }
        }
    }

    #[test]
    fn upper_and_lower_case_are_the_same_letter() {
        assert_eq!(Initial::new(b'U'), Initial::new(b'u'));
        assert_ne!(Initial::new(b'u'), Initial::new(b'd'));
        assert_eq!(Initial::new(b'u').first_line(b""), None);
        assert_eq!(Initial::new(b'u').first_line(b"x"), None);
    }
}
