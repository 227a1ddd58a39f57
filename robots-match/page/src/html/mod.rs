//! `meta` elements of HTML documents, read as a stream of bytes.

mod machine;
mod meta;
mod reference;
mod tag;

use alloc::boxed::Box;
use alloc::vec::Vec;

pub(crate) use meta::{Attribute, MAX_VALUE, Meta};
pub(crate) use reference::decoded;

use crate::policy::Noscript;
use machine::{Block, Machine, Mode, Stop};

/// The bytes that are read at a time. Values that lie within one block are not copied.
const BLOCK: usize = 4 << 10;

/// How the bytes of a document are turned into ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Not known: the sections of ISO-2022-JP that are not ASCII are skipped.
    Unknown,
    /// An encoding in which `<`, `>` and quotes are what they are in ASCII.
    Ascii,
    Iso2022Jp,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// Returns the encoding with this label of the Encoding Standard.
    pub(crate) fn of(label: &[u8]) -> Self {
        const LITTLE_ENDIAN: &[&str] =
            &["utf-16", "utf-16le", "csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff"];
        let label = label.trim_ascii();
        let is_one_of = |names: &[&str]| names.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(label));
        if is_one_of(LITTLE_ENDIAN) {
            Self::Utf16Le
        } else if is_one_of(&["utf-16be", "unicodefffe"]) {
            Self::Utf16Be
        } else if is_one_of(&["iso-2022-jp", "csiso2022jp"]) {
            Self::Iso2022Jp
        } else {
            Self::Ascii
        }
    }
}

/// Where a reader of ISO-2022-JP is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Escape {
    /// Whether bytes are those of Japanese characters.
    is_japanese: bool,
    /// The bytes of an escape sequence that were read: ESC, and `$` or `(`.
    sequence: [u8; 2],
    len: u8,
}

/// Reads a document.
#[derive(Clone, Debug)]
pub(crate) struct HtmlReader {
    main: Machine,
    /// Reads the content of `noscript` as text, from the first `noscript` on.
    with_scripts: Option<Box<Machine>>,
    noscript: Noscript,
    /// Whether reading stops after the head.
    head_only: bool,
    /// Whether only the head can have rules, so that a document is whole after it.
    head_counts: bool,
    limit: usize,
    /// The first bytes, until they are enough to find a byte order mark.
    first: [u8; 4],
    first_len: u8,
    has_begun: bool,
    encoding: Encoding,
    escape: Escape,
    /// The first byte of a UTF-16 code unit.
    half: Option<u8>,
    /// The position of the next byte of the document.
    at: usize,
    main_is_done: bool,
    other_is_done: bool,
    /// Whether bytes after the limit were given.
    pub(crate) is_cut: bool,
    /// Whether the document is compressed.
    pub(crate) is_encoded: bool,
    /// Whether elements that say where the page is, or which parts are not quoted, are found, too.
    pub(crate) reads_others: bool,
}

impl HtmlReader {
    pub(crate) fn new(
        noscript: Noscript,
        head_only: bool,
        head_counts: bool,
        limit: usize,
        encoding: Encoding,
    ) -> Self {
        Self {
            main: Machine::new(),
            with_scripts: None,
            noscript,
            head_only,
            head_counts,
            limit,
            first: [0; 4],
            first_len: 0,
            has_begun: false,
            encoding,
            escape: Escape::default(),
            half: None,
            at: 0,
            main_is_done: false,
            other_is_done: false,
            is_cut: false,
            is_encoded: false,
            reads_others: false,
        }
    }

    /// Returns whether more of the document is needed.
    pub(crate) fn wants_more(&self) -> bool {
        let is_done = self.main_is_done && (self.with_scripts.is_none() || self.other_is_done);
        !(is_done || self.is_cut || self.is_encoded)
    }

    /// Returns whether the document may end here.
    pub(crate) fn is_whole(&self) -> bool {
        let is_whole = |machine: &Machine, is_done: bool| {
            is_done
                || self.head_counts && machine.is_after_head()
                || !self.is_cut && machine.is_between_tags()
        };
        !self.is_encoded
            && is_whole(&self.main, self.main_is_done)
            && self.with_scripts.as_ref().is_none_or(|machine| is_whole(machine, self.other_is_done))
    }

    /// Reads a part of the document.
    pub(crate) fn read<F: FnMut(&Meta<'_>)>(&mut self, mut chunk: &[u8], found: &mut F) {
        if !self.has_begun {
            while let (Some(place), Some((&byte, rest))) =
                (self.first.get_mut(usize::from(self.first_len)), chunk.split_first())
            {
                *place = byte;
                self.first_len += 1;
                chunk = rest;
            }
            if usize::from(self.first_len) < self.first.len() {
                return;
            }
            self.begin(found);
        }
        self.read_on(chunk, found);
    }

    /// Reads what is left at the end of the document.
    pub(crate) fn end<F: FnMut(&Meta<'_>)>(&mut self, found: &mut F) {
        if !self.has_begun {
            self.begin(found);
        }
    }

    fn begin<F: FnMut(&Meta<'_>)>(&mut self, found: &mut F) {
        self.has_begun = true;
        let first = self.first;
        let first = first.get(..usize::from(self.first_len)).unwrap_or_default();
        let mark = match first {
            [0xEF, 0xBB, 0xBF, ..] => {
                self.encoding = Encoding::Ascii;
                3
            }
            [0xFF, 0xFE, ..] => {
                self.encoding = Encoding::Utf16Le;
                2
            }
            [0xFE, 0xFF, ..] => {
                self.encoding = Encoding::Utf16Be;
                2
            }
            [0x1F, 0x8B, ..] | [0x28, 0xB5, 0x2F, 0xFD] => {
                self.is_encoded = true;
                return;
            }
            _ => 0,
        };
        self.at = mark;
        self.read_on(first.get(mark..).unwrap_or_default(), found);
    }

    fn read_on<F: FnMut(&Meta<'_>)>(&mut self, chunk: &[u8], found: &mut F) {
        let room = self.limit.saturating_sub(self.at);
        let is_beyond = chunk.len() > room;
        let chunk = chunk.get(..chunk.len().min(room)).unwrap_or_default();
        for part in chunk.chunks(BLOCK) {
            if !self.wants_more() {
                return;
            }
            match self.encoding {
                Encoding::Utf16Le | Encoding::Utf16Be => self.read_utf16(part, found),
                Encoding::Unknown | Encoding::Iso2022Jp
                    if self.escape != Escape::default() || memchr::memchr(0x1B, part).is_some() =>
                {
                    let visible: Vec<u8> = part.iter().map(|&byte| self.visible(byte)).collect();
                    self.read_block(&visible, found);
                }
                _ => self.read_block(part, found),
            }
        }
        if is_beyond && self.wants_more() {
            self.is_cut = true;
        }
    }

    /// Returns the byte as a reader of ISO-2022-JP sees it: those of Japanese characters, of two bytes
    /// or one, are not ASCII.
    fn visible(&mut self, byte: u8) -> u8 {
        let Escape { is_japanese, sequence, len } = self.escape;
        let known = sequence.get(..usize::from(len)).unwrap_or_default();
        let (is_japanese, next): (bool, &[u8]) = match (known, byte) {
            (_, 0x1B) => (is_japanese, b"\x1B"),
            ([0x1B], b'$') => (is_japanese, b"\x1B$"),
            ([0x1B], b'(') => (is_japanese, b"\x1B("),
            ([0x1B, b'$'], b'@' | b'B') | ([0x1B, b'('], b'I') => (true, b""),
            ([0x1B, b'('], b'B' | b'J') => (false, b""),
            _ => (is_japanese, b""),
        };
        let is_hidden = self.escape.is_japanese || is_japanese;
        self.escape.is_japanese = is_japanese;
        self.escape.len = 0;
        for (place, &byte) in self.escape.sequence.iter_mut().zip(next) {
            *place = byte;
            self.escape.len += 1;
        }
        if is_hidden { 0xFF } else { byte }
    }

    /// Reads UTF-16 as one byte for each code unit, so that positions are found again.
    fn read_utf16<F: FnMut(&Meta<'_>)>(&mut self, part: &[u8], found: &mut F) {
        let is_big_endian = self.encoding == Encoding::Utf16Be;
        let mut units = Vec::with_capacity(part.len() / 2 + 1);
        for &byte in part {
            match self.half.take() {
                None => self.half = Some(byte),
                Some(first) => {
                    let unit = if is_big_endian { [first, byte] } else { [byte, first] };
                    units.push(match unit {
                        [0, low] if low.is_ascii() || low == 0xA0 => low,
                        _ => 0xFF,
                    });
                }
            }
        }
        // Machines count code units; half of one may have been in the part before.
        let before = self.at;
        self.at = before / 2;
        let mut of_bytes = |meta: &Meta<'_>| {
            found(&Meta { start: meta.start * 2, end: meta.end * 2, ..*meta });
        };
        self.read_block(&units, &mut of_bytes);
        self.at = before + part.len();
    }

    fn read_block<F: FnMut(&Meta<'_>)>(&mut self, bytes: &[u8], found: &mut F) {
        let block = Block { bytes, at: self.at };
        let scripting = self.noscript == Noscript::On;
        let mut from = 0;
        let mut other_from = 0;
        while !self.main_is_done {
            let mode = Mode {
                scripting,
                stops_at_noscript: self.noscript == Noscript::Both && self.with_scripts.is_none(),
                head_only: self.head_only,
                reads_others: self.reads_others,
            };
            match self.main.run(block, from, mode, found) {
                Stop::End => break,
                Stop::HeadEnded => self.main_is_done = true,
                Stop::Noscript(at) => {
                    let mut other = Box::new(self.main.clone());
                    other.enter_raw_noscript();
                    self.with_scripts = Some(other);
                    self.other_is_done = false;
                    (from, other_from) = (at, at);
                }
            }
        }
        if !self.main_is_done {
            self.main.end_block(block);
        }
        if let (Some(other), false) = (&mut self.with_scripts, self.other_is_done) {
            let mode = Mode {
                scripting: true,
                stops_at_noscript: false,
                head_only: self.head_only,
                reads_others: self.reads_others,
            };
            let mut of_other = |meta: &Meta<'_>| found(&Meta { is_second: true, ..*meta });
            match other.run(block, other_from, mode, &mut of_other) {
                Stop::HeadEnded => self.other_is_done = true,
                _ => other.end_block(block),
            }
            if !self.main_is_done && !self.other_is_done && other.agrees_with(&self.main) {
                self.with_scripts = None;
            }
        }
        self.at += bytes.len();
    }
}
