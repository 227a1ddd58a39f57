//! The files of a page, line by line.

use std::io::{self, Write};

use crate::escape::shortened;
use crate::report::html::text::{bytes, prose};

/// How many lines of a long file are shown from its start and its end.
const FIRST: usize = 40;
const LAST: usize = 8;

/// A file of a table.
pub(super) struct File<'t> {
    pub(super) id: String,
    pub(super) lines: Vec<&'t [u8]>,
}

impl File<'_> {
    /// Returns whether a line, counted from 1, is on the page.
    pub(super) fn shows(&self, line: usize) -> bool {
        let len = self.lines.len();
        (1..=len).contains(&line) && (len <= FIRST + LAST || line <= FIRST || line > len - LAST)
    }

    pub(super) fn write(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        let Self { id, lines } = self;
        let size: usize = lines.iter().map(|line| line.len()).sum();
        write!(
            out,
            r#"<div id="{id}" data-file=""><p><b>{}</b> <span class="quiet">{size} bytes</span></p><ol class="file">"#,
            bytes(name.as_bytes())
        )?;
        let mut before = 0;
        for (number, line) in (1..).zip(lines).filter(|(number, _)| self.shows(*number)) {
            // After lines that are left out, the list needs the number of the next line.
            let jumps = number != before + 1;
            before = number;
            let value = if jumps { format!(r#" value="{number}""#) } else { String::new() };
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            write!(out, r#"<li id="{id}.{number}"{value}>{}</li>"#, prose(&shortened(line)))?;
        }
        writeln!(out, "</ol></div>")
    }
}

/// Splits a file into lines with their ends: CR, LF or CRLF.
pub(super) fn lines(file: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = file;
    while !rest.is_empty() {
        let len = match rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
            Some(at) if rest.get(at..at + 2) == Some(b"\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        let (line, after) = rest.split_at(len);
        lines.push(line);
        rest = after;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_all_bytes() {
        assert_eq!(lines(b"a\r\nb\rc\n\n"), [&b"a\r\n"[..], b"b\r", b"c\n", b"\n"]);
        assert_eq!(lines(b"a\nb"), [&b"a\n"[..], b"b"]);
        assert!(lines(b"").is_empty());
    }
}
