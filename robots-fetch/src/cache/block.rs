//! Numbers, times and texts in a block of bytes.

use core::time::Duration;
use std::time::SystemTime;

use url::Url;

use crate::cache::words::{lengthen, shorten};
use crate::failure::Cause;

/// A block of bytes that is written.
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Writes seven bits in each byte, the lowest first; the highest bit says that more follow.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7F) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes the length of a text, doubled, plus 1 if the text is shortened.
    pub(super) fn text(&mut self, text: &[u8]) {
        let short = shorten(text);
        let (text, is_short) = if short.len() < text.len() { (&*short, 1) } else { (text, 0) };
        self.number(text.len() as u64 * 2 + is_short);
        self.0.extend_from_slice(text);
    }

    pub(super) fn duration(&mut self, duration: Duration) {
        self.number(duration.as_secs());
        self.number(u64::from(duration.subsec_nanos()));
    }

    /// Writes a time; `None` if it is before 1970.
    pub(super) fn time(&mut self, time: SystemTime) -> Option<()> {
        self.duration(time.duration_since(SystemTime::UNIX_EPOCH).ok()?);
        Some(())
    }

    pub(super) fn flags(&mut self, flags: &[bool]) {
        self.byte(flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u8::from(flag)));
    }

    /// Writes the kind of an entry without a file; `None` if its cause is not a status.
    pub(super) fn status(&mut self, kind: u8, cause: &Cause) -> Option<()> {
        let Cause::Status(status) = cause else { return None };
        self.byte(kind);
        self.number(u64::from(*status));
        Some(())
    }
}

/// The bytes that were not read yet.
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn take(&mut self, len: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn text(&mut self) -> Option<Vec<u8>> {
        let number = self.number()?;
        let text = self.take(usize::try_from(number / 2).ok()?)?;
        Some(if number % 2 == 1 { lengthen(text) } else { text.to_vec() })
    }

    pub(super) fn duration(&mut self) -> Option<Duration> {
        let seconds = self.number()?;
        Some(Duration::new(seconds, u32::try_from(self.number()?).ok()?))
    }

    pub(super) fn time(&mut self) -> Option<SystemTime> {
        SystemTime::UNIX_EPOCH.checked_add(self.duration()?)
    }

    pub(super) fn flags(&mut self) -> Option<[bool; 8]> {
        let bits = self.byte()?;
        Some(core::array::from_fn(|at| bits >> at & 1 == 1))
    }

    pub(super) fn url(&mut self) -> Option<Url> {
        Url::parse(core::str::from_utf8(&self.text()?).ok()?).ok()
    }
}
