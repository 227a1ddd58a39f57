//! A file as text with line and column numbers.

use core::ops::Range;

use robots_match::Span;
use robots_match::syntax::is_hidden;

/// The lines of a file as text. Bytes that are not UTF-8 and hidden characters are replaced, and every line ends with LF.
#[derive(Debug)]
pub(crate) struct View<'a> {
    body: &'a [u8],
    text: String,
    /// The start of each line: in the file, and in the text.
    starts: Vec<(usize, usize)>,
}

/// Successive lines of a [`View`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'v> {
    /// The text of the lines.
    pub(crate) text: &'v str,
    /// The number of the first line, from 1.
    pub(crate) line: usize,
    start: usize,
}

const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Returns the character as it is shown.
fn visible(char: char) -> char {
    if char != '\t' && is_hidden(char) { REPLACEMENT } else { char }
}

impl<'a> View<'a> {
    /// Returns the view of `body`.
    ///
    /// # Complexity
    ///
    /// Time and memory are linear in the length of `body`.
    pub(crate) fn new(body: &'a [u8]) -> Self {
        let mut view = Self { body, text: String::with_capacity(body.len() + 1), starts: Vec::new() };
        let mut at = 0;
        loop {
            view.starts.push((at, view.text.len()));
            let rest = body.get(at..).unwrap_or_default();
            let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            for chunk in rest.get(..len).unwrap_or_default().utf8_chunks() {
                view.text.extend(chunk.valid().chars().map(visible));
                view.text.extend(chunk.invalid().iter().map(|_| REPLACEMENT));
            }
            view.text.push('\n');
            at += match rest.get(len..) {
                Some([b'\r', b'\n', ..]) => len + 2,
                Some([_, ..]) => len + 1,
                _ => return view,
            };
        }
    }

    /// Returns the index of the line that contains the byte at `at`.
    fn index_of(&self, at: usize) -> usize {
        self.starts.partition_point(|&(start, _)| start <= at).saturating_sub(1)
    }

    /// Returns the number of the line that contains the byte at `at`, from 1.
    pub(crate) fn line_of(&self, at: usize) -> usize {
        self.index_of(at) + 1
    }

    /// Returns the column of the byte at `at`, in characters from 1.
    pub(crate) fn column_of(&self, at: usize) -> usize {
        let (_, line) = self.starts.get(self.index_of(at)).copied().unwrap_or_default();
        self.text.get(line..self.position(at)).map_or(0, |before| before.chars().count()) + 1
    }

    /// Returns the place in the text of the byte at `at`. A byte inside a character or a line end has the place of its start.
    fn position(&self, at: usize) -> usize {
        let (start, mut shown) = self.starts.get(self.index_of(at)).copied().unwrap_or_default();
        let mut left = at.saturating_sub(start);
        let rest = self.body.get(start..).unwrap_or_default();
        let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        for chunk in rest.get(..len).unwrap_or_default().utf8_chunks() {
            for char in chunk.valid().chars() {
                if left < char.len_utf8() {
                    return shown;
                }
                left -= char.len_utf8();
                shown += visible(char).len_utf8();
            }
            let invalid = left.min(chunk.invalid().len());
            left -= invalid;
            shown += invalid * REPLACEMENT.len_utf8();
            if invalid < chunk.invalid().len() {
                return shown;
            }
        }
        shown
    }

    /// Returns the lines from the first of `spans` to the last.
    pub(crate) fn part(&self, spans: impl IntoIterator<Item = Span>) -> Part<'_> {
        let lines = spans.into_iter().map(|span| self.index_of(span.start()));
        let bounds = lines.fold(None, |bounds, line| match bounds {
            None => Some((line, line)),
            Some((first, last)) => Some((line.min(first), line.max(last))),
        });
        let (first, last) = bounds.unwrap_or_default();
        let start = |index: usize| self.starts.get(index).map_or(self.text.len(), |&(_, shown)| shown);
        Part {
            text: self.text.get(start(first)..start(last + 1)).unwrap_or_default(),
            line: first + 1,
            start: start(first),
        }
    }

    /// Returns the place of `span` in `part`, cut off at the end of its first line.
    pub(crate) fn range(&self, part: Part<'_>, span: Span) -> Range<usize> {
        let line_end =
            self.starts.get(self.index_of(span.start()) + 1).map_or(self.text.len(), |next| next.1) - 1;
        let start = self.position(span.start());
        let end = self.position(span.end()).clamp(start, line_end.max(start));
        let in_part = |at: usize| at.saturating_sub(part.start).min(part.text.len());
        in_part(start)..in_part(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_for_any_bytes() {
        let body = b"a\xFFb\r\n\xC3\xA9x\rlast";
        let view = View::new(body);
        assert_eq!(view.text, "a\u{FFFD}b\n\u{E9}x\nlast\n");
        let shown = |start: usize, end: usize| {
            let span = Span::new(start, end);
            let part = view.part([span]);
            (part.line, &part.text[view.range(part, span)])
        };
        assert_eq!(shown(1, 2), (1, "\u{FFFD}"));
        assert_eq!(shown(2, 5), (1, "b"));
        assert_eq!(shown(5, 7), (2, "\u{E9}"));
        assert_eq!(shown(6, 8), (2, "\u{E9}x"));
        assert_eq!(shown(8, 99), (2, ""));
        assert_eq!(shown(9, 99), (3, "last"));
        assert_eq!(shown(99, 99), (3, ""));
        assert_eq!((view.line_of(9), view.column_of(11)), (3, 3));
        assert_eq!((view.line_of(7), view.column_of(7)), (2, 2));
        let all = view.part([Span::new(10, 11), Span::new(0, 1)]);
        assert_eq!((all.line, all.text.len()), (1, view.text.len()));
    }

    #[test]
    fn every_place_is_inside_the_text() {
        for body in [
            &b""[..],
            "a\u{9B}\u{202E}b\u{AD}\u{E0001}c\tx".as_bytes(),
            b"\r\n",
            b"\n\r",
            b"\xE2\x82",
            b"\xE2\x82\r\xFF\xFE\n\xF0\x9F\x98\x80",
        ] {
            let view = View::new(body);
            for start in 0..=body.len() + 1 {
                for end in start..=body.len() + 1 {
                    let span = Span::new(start, end);
                    let part = view.part([span]);
                    let range = view.range(part, span);
                    assert!(part.text.get(range.clone()).is_some(), "{body:?} {span:?} {range:?}");
                }
            }
        }
    }
}
