//! Tables as CSV, as spreadsheets write them.

use core::fmt;
use std::io::{self, Read};

use csv::{Reader, ReaderBuilder, Trim};

/// Returns what separates the cells of a text that a spreadsheet has written: the most frequent one in the first line of comma,
/// semicolon and tab.
pub(crate) fn separator_of(text: &[u8]) -> u8 {
    let head = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let separators = [b',', b';', b'\t'].into_iter();
    // Of several with the same number, the last one would be taken.
    let count = |separator: u8| head.iter().filter(|&&byte| byte == separator).count();
    separators.max_by_key(|&separator| (count(separator), separator == b',')).unwrap_or(b',')
}

/// Returns a reader of the rows of a table, in which rows may have different numbers of cells. Space around cells is removed. A
/// quotation mark without an end is an error with an [`OpenQuote`]: the rows after it would be part of a cell.
pub(crate) fn rows<R: Read>(source: R, separator: u8, has_headers: bool) -> Reader<Quotes<R>> {
    ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(has_headers)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(Quotes {
            source,
            separator,
            state: State::Start,
            line: 1,
            opened: 1,
            bom: b"\xEF\xBB\xBF",
        })
}

/// Returns why a table could not be read. The conversion of the library would hide an error of the source.
pub(crate) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::new(io::ErrorKind::InvalidData, format!("{kind:?}")),
    }
}

/// The line in which a quotation mark begins that has no end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenQuote(pub(crate) usize);

impl OpenQuote {
    /// Returns the line if this is why a table could not be read.
    pub(crate) fn of(error: &csv::Error) -> Option<Self> {
        match error.kind() {
            csv::ErrorKind::Io(error) => error.get_ref()?.downcast_ref().copied(),
            _ => None,
        }
    }
}

impl fmt::Display for OpenQuote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the quotation mark that begins a cell in line {} has no end", self.0)
    }
}

impl core::error::Error for OpenQuote {}

/// The text of a table, whose end is an error within a quoted cell.
pub(crate) struct Quotes<R> {
    source: R,
    separator: u8,
    state: State,
    line: usize,
    /// The line of the last quotation mark that began a cell.
    opened: usize,
    /// What is left of a byte order mark.
    bom: &'static [u8],
}

/// Where the text is in a cell (RFC 4180).
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Plain,
    Quoted,
    /// After a quotation mark in a quoted cell: its end, or the first of two.
    Quote,
}

impl<R> Quotes<R> {
    fn add(&mut self, byte: u8) {
        if let Some((&first, rest)) = self.bom.split_first() {
            self.bom = if byte == first { rest } else { b"" };
            if byte == first {
                return;
            }
        }
        self.state = match (self.state, byte) {
            (State::Start, b'"') => {
                self.opened = self.line;
                State::Quoted
            }
            (State::Quote, b'"') => State::Quoted,
            (State::Quoted, b'"') => State::Quote,
            (State::Quoted, _) => State::Quoted,
            (_, b'\n' | b'\r') => State::Start,
            (_, byte) if byte == self.separator => State::Start,
            _ => State::Plain,
        };
        self.line += usize::from(byte == b'\n');
    }
}

impl<R: Read> Read for Quotes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        buffer.iter().take(count).for_each(|&byte| self.add(byte));
        if count == 0 && !buffer.is_empty() && self.state == State::Quoted {
            return Err(io::Error::new(io::ErrorKind::InvalidData, OpenQuote(self.opened)));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_mark_without_an_end_is_an_error() {
        for (text, line) in [
            ("a,b\n1,\"x\n2,y\n", Some(2)),
            ("\u{FEFF}\"a,b\n", Some(1)),
            ("a,\"x \"\" y\"\n\"", Some(2)),
            ("a,\"x\ny\"\nb,c\n", None),
            ("a,x\" y\n", None),
            ("a, \"x\n", None),
            ("", None),
        ] {
            let read: Result<Vec<_>, _> = rows(text.as_bytes(), b',', false).records().collect();
            let found = read.err().map(|error| OpenQuote::of(&error).map(|open| open.0));
            assert_eq!(found, line.map(Some), "{text:?}");
        }
    }
}
