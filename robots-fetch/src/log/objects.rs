//! JSON logs whose objects are not each on a line.

use crate::log::raw_line::{BYTE_ORDER_MARK, LONGEST_LINE, lines_of};

/// Puts each object of a JSON log on a line of its own, so that a [`LogReader`](super::LogReader) reads them.
///
/// Some programs write a log as one array, on one line or over many. Such a log is read in parts of any size, and nothing of it is
/// kept. Text between the objects that does not belong there becomes lines, too, which are counted as unread.
///
/// ```
/// use robots_fetch::log::{JsonObjects, LogFormat};
///
/// let log = br#"[{"ts":0,"uri":"/a","agent":"ExampleBot/1.0"},{"ts":1,"uri":"/b","agent":"ExampleBot/1.0"}]"#;
/// let mut lines = Vec::new();
/// JsonObjects::detect(log).unwrap().lines(log, &mut lines);
/// let mut reader = LogFormat::detect(log).unwrap().reader();
/// let paths = lines.split_inclusive(|&byte| byte == b'\n').map(|line| reader.read(line).unwrap().target.unwrap().into_owned());
/// assert_eq!(paths.collect::<Vec<_>>(), [b"/a", b"/b"]);
/// ```
///
/// # Complexity
///
/// Linear in the bytes of the log.
#[derive(Clone, Debug, Default)]
pub struct JsonObjects {
    place: Place,
    /// How many braces and brackets of the object are open, and how many of its bytes were read.
    depth: usize,
    length: usize,
    is_in_text: bool,
    /// Whether the byte before is the backslash of an escape.
    is_escaped: bool,
    arrays: Arrays,
}

/// The arrays around objects.
#[derive(Clone, Copy, Debug, Default)]
struct Arrays {
    /// How many began and did not end.
    open: usize,
    /// Whether the only one has nothing in it yet.
    is_begun: bool,
    /// Whether an object was read.
    has_objects: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// Between objects, where brackets and commas are.
    #[default]
    Between,
    /// In text between objects that does not belong there.
    Other,
    Object,
}

impl JsonObjects {
    /// Recognizes a log by its beginning: an array, or an object over many lines. `None` if each object is on a line, as in most logs,
    /// or if there are no objects.
    #[must_use]
    pub fn detect(sample: &[u8]) -> Option<Self> {
        let sample = sample.strip_prefix(BYTE_ORDER_MARK).unwrap_or(sample);
        let mut lines = lines_of(sample).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
        let first = lines.next()?;
        let is_apart = match first {
            b"{" => true,
            // After a line that is broken, the next one is read.
            b"[" => match lines.next() {
                Some([b'{', .., b'}'] | [b'{', .., b'}', b',']) => false,
                next => next.is_none_or(|next| matches!(next, [b'{' | b']', ..])),
            },
            [b'[', rest @ ..] => matches!(rest.trim_ascii_start(), [b'{' | b']', ..]),
            _ => false,
        };
        is_apart.then(Self::default)
    }

    /// Reads the next part of the log, and adds the lines to `lines`. The last line has no end if its object has none yet.
    pub fn lines(&mut self, text: &[u8], lines: &mut Vec<u8>) {
        let mut rest = text;
        while let Some((&byte, after)) = rest.split_first() {
            if self.is_in_text && !self.is_escaped {
                let end = memchr::memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
                // Wherever parts end, an object ends at the same byte.
                let end = end.min((LONGEST_LINE + 1).saturating_sub(self.length));
                if let Some((plain, after)) = rest.split_at_checked(end)
                    && !plain.is_empty()
                {
                    lines.extend_from_slice(plain);
                    self.grow(plain.len(), lines);
                    rest = after;
                    continue;
                }
            }
            rest = after;
            match self.place {
                Place::Between | Place::Other => self.between(byte, lines),
                Place::Object => self.inside(byte, lines),
            }
        }
    }

    /// Returns whether the log is an array that has not ended yet. At the end of a log, it was cut then.
    #[must_use]
    pub const fn is_in_array(&self) -> bool {
        self.arrays.open > 0
    }

    /// Reads a byte that is not in an object.
    fn between(&mut self, byte: u8, lines: &mut Vec<u8>) {
        let arrays = &mut self.arrays;
        match byte {
            b'[' if arrays.open > 0 => arrays.open += 1,
            b'[' if self.place == Place::Between => (arrays.open, arrays.is_begun) = (1, true),
            b']' => arrays.open = arrays.open.saturating_sub(1),
            _ => {}
        }
        match byte {
            b'{' => {
                if self.place == Place::Other {
                    lines.push(b'\n');
                }
                let arrays = Arrays { open: self.arrays.open, is_begun: false, has_objects: true };
                *self = Self { place: Place::Object, depth: 1, length: 1, arrays, ..Self::default() };
                lines.push(byte);
            }
            b'\n' if self.place == Place::Other => self.end(lines),
            // The bytes of a mark at the beginning, too.
            b'[' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF
                if self.place == Place::Between => {}
            _ => {
                // After objects, a bracket before other text is a part of it, as in `[warn] a message`.
                if core::mem::take(&mut self.arrays.is_begun) && self.arrays.has_objects {
                    self.arrays.open = 0;
                }
                self.place = Place::Other;
                lines.push(byte);
            }
        }
    }

    /// Reads a byte of an object.
    fn inside(&mut self, byte: u8, lines: &mut Vec<u8>) {
        if byte == b'\n' {
            // JSON has no line ends in texts, so a text without its end costs no other object.
            if self.is_in_text {
                self.end(lines);
            } else {
                lines.push(b' ');
                self.grow(1, lines);
            }
            return;
        }
        lines.push(byte);
        if self.is_escaped {
            self.is_escaped = false;
        } else if self.is_in_text {
            self.is_escaped = byte == b'\\';
            self.is_in_text = byte != b'"';
        } else {
            match byte {
                b'"' => self.is_in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth -= 1,
                _ => {}
            }
        }
        if self.depth == 0 {
            self.end(lines);
        } else {
            self.grow(1, lines);
        }
    }

    /// Counts bytes of an object. One that is longer than all lines that are read is given up.
    fn grow(&mut self, bytes: usize, lines: &mut Vec<u8>) {
        self.length += bytes;
        if self.length > LONGEST_LINE {
            self.end(lines);
        }
    }

    /// Ends a line.
    fn end(&mut self, lines: &mut Vec<u8>) {
        lines.push(b'\n');
        *self = Self { arrays: self.arrays, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the lines of a log that is given in parts of a size.
    fn lines(log: &[u8], size: usize) -> Vec<u8> {
        let mut objects = JsonObjects::default();
        let mut lines = Vec::new();
        for part in log.chunks(size) {
            objects.lines(part, &mut lines);
        }
        lines
    }

    fn text(log: &str) -> String {
        String::from_utf8(lines(log.as_bytes(), usize::MAX)).unwrap()
    }

    #[test]
    fn each_object_has_a_line() {
        let cases = [
            (r#"[{"a":1},{"b":[{}]}]"#, "{\"a\":1}\n{\"b\":[{}]}\n"),
            ("[\n  {\n    \"a\": 1\n  },\n  {}\n]\n", "{     \"a\": 1   }\n{}\n"),
            (r#"[{"a":"}],[{\"\\"} , {}]"#, "{\"a\":\"}],[{\\\"\\\\\"}\n{}\n"),
            ("{\n}\n{\n}\n", "{ }\n{ }\n"),
            ("[{}][{}]", "{}\n{}\n"),
            ("[1, {}, x]", "1, \n{}\nx]"),
            ("[{\"a\":\"cut\n{\"b\":2}]", "{\"a\":\"cut\n{\"b\":2}\n"),
            (r#"[{"a":1"#, r#"{"a":1"#),
            ("\u{FEFF}[ ]", ""),
        ];
        for (log, expected) in cases {
            assert_eq!(text(log), expected, "{log}");
        }
    }

    #[test]
    fn an_array_that_was_cut_has_not_ended() {
        let is_in_array = |log: &[u8]| {
            let mut objects = JsonObjects::default();
            objects.lines(log, &mut Vec::new());
            objects.is_in_array()
        };
        let log = br#"[{"a":"]"},{"b":[1]}]"#;
        for end in 1..log.len() {
            assert!(is_in_array(&log[..end]), "{end}");
        }
        let of_other_text: [&[u8]; 3] = [b"{}\n[warn a\n{}", b"{}\n[warn] a\n{}\n", b"{}\na [b\n{}"];
        for whole in [&log[..], b"[]", b"[{}][{}]\n", b"[{},null]", b"[[{}],[{}]]", b"{}", b"{"] {
            assert!(!is_in_array(whole), "{}", whole.escape_ascii());
        }
        for whole in of_other_text {
            assert!(!is_in_array(whole), "{}", whole.escape_ascii());
        }
        for cut in [&b"[{},\n[warn] a\n{}"[..], b"[[{}],[{}]", b"[null,{}", b"[{}]\n[{}"] {
            assert!(is_in_array(cut), "{}", cut.escape_ascii());
        }
    }

    #[test]
    fn logs_with_an_object_a_line_are_read_as_they_are() {
        for apart in ["[{}", "[ {", "[]", "[\n]", "[\n  {\n", "[", "{\n  \"a\": 1\n}\n", "\u{FEFF}\n[{}]"] {
            assert!(JsonObjects::detect(apart.as_bytes()).is_some(), "{apart}");
        }
        for other in
            ["", "{}", "{}\n{}\n", "[\n{},\n{}\n]\n", "[\n {}\n]", "[1]", "[10/Nov/2025] {", "x\n[{}]"]
        {
            assert!(JsonObjects::detect(other.as_bytes()).is_none(), "{other}");
        }
    }

    #[test]
    fn an_object_without_an_end_costs_no_later_one() {
        let long = format!("[{{\"a\":\"{}\",{{\"b\":2}},{{\"c\":3}}]", "x".repeat(LONGEST_LINE + 1));
        let lines = text(&long);
        assert!(lines.ends_with("\n{\"b\":2}\n{\"c\":3}\n"));
        assert!(lines.split('\n').all(|line| line.len() <= LONGEST_LINE + 20));
    }

    proptest! {
        #[test]
        fn parts_of_any_size_have_the_same_lines(log in r#"[\[\]{},"\\ \na1]{0,60}"#, size in 1_usize..20) {
            prop_assert_eq!(lines(log.as_bytes(), size), lines(log.as_bytes(), usize::MAX));
        }

        #[test]
        fn objects_are_found_however_they_are_written(
            texts in prop::collection::vec("[\\PC\"{}\\[\\]\\\\,\n]{0,20}", 0..5),
            is_pretty: bool,
            size in 1_usize..20,
        ) {
            let objects: Vec<_> = texts.iter().map(|text| serde_json::json!({"a": {"b": [text]}})).collect();
            let log = if is_pretty { serde_json::to_vec_pretty(&objects) } else { serde_json::to_vec(&objects) };
            let lines = lines(&log.unwrap(), size);
            let found = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
            let found = found.map(|line| serde_json::from_slice::<serde_json::Value>(line).unwrap());
            prop_assert_eq!(found.collect::<Vec<_>>(), objects);
        }
    }
}
