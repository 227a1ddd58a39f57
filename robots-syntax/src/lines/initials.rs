//! The first letters of keys, and the search for lines by them.

use crate::spelling::Key;

/// The number of bytes that are compared in one step.
const STEP: usize = 32;

/// The first letters of the known keys, as a set of [`bit`]s.
pub(super) const KEYS: u64 = bit(Key::UserAgent.initial())
    | bit(Key::Allow.initial())
    | bit(Key::Disallow.initial())
    | bit(Key::Sitemap.initial());

/// Returns one of 64 bits for the first letter of a key, the same for upper and lower case.
#[inline]
pub(super) const fn bit(byte: u8) -> u64 {
    1 << ((byte | 0x20) & 63)
}

/// Returns whether the key of a `user-agent` line may begin with `byte`.
#[inline]
pub(super) const fn may_begin_agent(byte: u8) -> bool {
    // The case bit turns no other byte into the letter.
    byte | 0x20 == Key::UserAgent.initial()
}

/// Returns where the first line starts that may be a `user-agent` line, and the number of lines before it. `bytes` starts with a
/// line.
///
/// Every byte up to the space counts as white space before a key.
///
/// # Complexity
///
/// O(*n*) for the *n* bytes up to the end of the white space of this line.
pub(super) fn first_agent_line(bytes: &[u8]) -> Option<(usize, u32)> {
    if may_begin_agent(*bytes.first()?) {
        return Some((0, 0));
    }
    let start = search(bytes)?;
    Some((start, line_ends(bytes, start)))
}

#[inline(never)]
fn search(bytes: &[u8]) -> Option<usize> {
    let step = |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk::<STEP>);
    let mut at = 0;
    while let (Some(befores), Some(others)) = (step(at), step(at + 1)) {
        let pairs = befores.iter().zip(others);
        // Without branches, so that a compiler can use vector instructions.
        if pairs.fold(false, |any, (before, byte)| any | may_begin_after(*before, *byte)) {
            let found = search_in(bytes, at);
            if found.is_some() {
                return found;
            }
        }
        at += STEP;
    }
    search_in(bytes, at)
}

/// Does the same as [`search`] for one step after position `from`.
#[inline(never)]
fn search_in(bytes: &[u8], from: usize) -> Option<usize> {
    let pairs = bytes.get(from..)?.windows(2).take(STEP).enumerate();
    pairs
        .filter(|(_, pair)| matches!(pair, [before, byte] if may_begin_after(*before, *byte)))
        .find_map(|(at, _)| line_start(bytes, from + at + 1))
}

#[inline]
const fn may_begin_after(before: u8, byte: u8) -> bool {
    may_begin_agent(byte) & (before <= b' ')
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

    /// Returns the same as [`first_agent_line`], line by line.
    fn expected(mut bytes: &[u8]) -> Option<(usize, u32)> {
        let (mut start, mut number) = (0, 0);
        while !bytes.is_empty() {
            let content = bytes.iter().position(|byte| is_end(*byte)).unwrap_or(bytes.len());
            let key = bytes[..content].iter().find(|byte| **byte > b' ');
            if key.is_some_and(|key| may_begin_agent(*key)) {
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
            let line = first_agent_line(&file);
            assert_eq!(line, expected(&file), "{}", file.escape_ascii());
            found += usize::from(line.is_some_and(|(start, _)| start > STEP));
        }
        assert!(found * 20 > rounds, "{found}");
    }

    #[test]
    fn many_line_ends_are_counted() {
        for end in ["\n", "\r", "\r\n"] {
            for count in [1, STEP - 1, STEP, STEP + 1, 255, 256, 257, 1000] {
                let file = [end.repeat(count).as_bytes(), b" user-agent: *"].concat();
                let line = first_agent_line(&file);
                assert_eq!(line, Some((end.len() * count, count as u32)), "{end:?}");
            }
        }
    }

    #[test]
    fn the_first_letters_of_keys_are_known_in_both_cases() {
        for key in [Key::UserAgent, Key::Allow, Key::Disallow, Key::Sitemap] {
            let initial = key.name().as_bytes()[0];
            assert_eq!(key.initial(), initial);
            for byte in [initial, initial.to_ascii_uppercase()] {
                assert_ne!(bit(byte) & KEYS, 0);
                assert_eq!(may_begin_agent(byte), key == Key::UserAgent);
            }
        }
        assert!((b'a'..=b'z').filter(|byte| bit(*byte) & KEYS != 0).eq(*b"adsu"));
        assert!((b'a'..=b'z').filter(|byte| may_begin_agent(*byte)).eq(*b"u"));
        assert_eq!(first_agent_line(b""), None);
        assert_eq!(first_agent_line(b"x"), None);
    }
}
