//! The records of a WARC file.

use core::fmt;
use std::io::{self, Read};

use super::members::{Error, Members};
use super::message;

/// The most bytes of a block that are kept. No profile reads as much.
const MOST: usize = 4 << 20;

/// The most bytes of the header of a record.
const MOST_HEADER: usize = 64 * 1024;

/// An answer in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capture {
    /// The URL, as it is written.
    pub url: Vec<u8>,
    /// The date, as it is written.
    pub date: Vec<u8>,
    /// The status of the answer; `None` if the record has only a body.
    pub status: Option<u16>,
    /// The fields of the answer in their order, with names in lower case. Empty if the record has only a body, or the head of the
    /// answer is not whole.
    pub fields: Vec<(String, Vec<u8>)>,
    /// The body, decoded, at most 4 MiB of it; or why it can't be read as the file that the server meant.
    pub body: Result<Vec<u8>, Damage>,
}

/// A part of an archive that can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damage {
    /// The position of the record or its gzip member in the file, in bytes.
    pub offset: u64,
    /// What is wrong, such as `the record ends early`.
    pub what: &'static str,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.what)
    }
}

impl core::error::Error for Damage {}

/// A part of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// A record of the type `response` or `resource`.
    Capture(Capture),
    /// One or more records that can't be read: the position of the first, and what is wrong with it.
    Damaged(Damage),
}

/// An iterator over the captures of an archive. Records of other types are left out. A source without a record is no archive: it has one
/// item, which says so.
///
/// An item is an error if the source can't be read; it is the last one.
///
/// # Memory
///
/// One block of at most 4 MiB, once more decoded, the compressed bytes of a gzip member (at most 8 MiB), and two buffers of
/// 64 KiB.
pub struct Captures<R> {
    members: Members<R>,
    in_member: bool,
    /// Whether nothing was read since a damaged record, so that the same damage is not reported twice.
    recovering: bool,
    /// The position of the next record if its first line was read; `Some(None)` in a gzip member.
    version: Option<Option<u64>>,
    /// Whether there was a record, or something in its place.
    has_any: bool,
    ended: bool,
}

debug!([R] Captures<R> as "Captures", |captures| "offset": captures.members.start());

impl<R: Read> Iterator for Captures<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<io::Result<Item>> {
        if self.ended {
            return None;
        }
        let next = self.next_item().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

impl<R: Read> Captures<R> {
    /// Creates an iterator over the captures in a source. It reads parts of 64 KiB.
    pub const fn new(source: R) -> Self {
        let members = Members::new(source);
        Self { members, in_member: false, recovering: false, version: None, has_any: false, ended: false }
    }

    fn next_item(&mut self) -> io::Result<Option<Item>> {
        loop {
            match self.step() {
                Ok(Step::Capture(capture)) => {
                    (self.recovering, self.has_any) = (false, true);
                    return Ok(Some(Item::Capture(capture)));
                }
                Ok(Step::Other) => (self.recovering, self.has_any) = (false, true),
                Ok(Step::MemberEnds) => {}
                Ok(Step::End) if !core::mem::replace(&mut self.has_any, true) => {
                    return Ok(Some(Item::Damaged(Damage { offset: 0, what: "there is no record" })));
                }
                Ok(Step::End) => return Ok(None),
                Err(Error::Io(error)) => return Err(error),
                Err(Error::Damaged(what)) => {
                    self.has_any = true;
                    let offset = self.members.start();
                    if self.members.is_gzip() {
                        (self.in_member, self.version) = (false, None);
                        match self.members.resync() {
                            Err(Error::Io(error)) => return Err(error),
                            Ok(()) | Err(Error::Damaged(_)) => {}
                        }
                    }
                    if !core::mem::replace(&mut self.recovering, true) {
                        return Ok(Some(Item::Damaged(Damage { offset, what })));
                    }
                }
            }
        }
    }

    fn step(&mut self) -> Result<Step, Error> {
        if !self.in_member {
            // A header that is damaged is part of the member, so that reading continues after it.
            self.in_member = true;
            if !self.members.next_member()? {
                return Ok(Step::End);
            }
        }
        let Some(header) = self.header()? else {
            self.in_member = false;
            return Ok(Step::MemberEnds);
        };
        let len = header.length.ok_or(Error::Damaged("the record has no valid Content-Length"))?;
        let wanted = matches!(header.kind, RecordKind::Response | RecordKind::Resource);
        let block = self.block(len, wanted)?;
        // The end of the member shows whether its checksum is right.
        let is_followed = self.skip_line_ends()?;
        if !wanted {
            return Ok(Step::Other);
        }
        let (url, date) = (header.url, header.date);
        let is_cut = (block.len() as u64) < len;
        let (status, fields, mut body) = match header.kind {
            RecordKind::Response => {
                let message = message::parse(block, is_cut)
                    .ok_or(Error::Damaged("the record is not an HTTP answer"))?;
                (Some(message.status), message.fields, message.body)
            }
            _ => (None, Vec::new(), Ok(block)),
        };
        if let Some(why) = header.partial
            && body.as_ref().is_ok_and(|body| body.len() < message::ENOUGH)
        {
            body = Err(why);
        }
        if !is_followed {
            body = Err("the record goes on after its Content-Length");
        }
        let offset = self.members.start();
        let body = body.map_err(|what| Damage { offset, what });
        Ok(Step::Capture(Capture { url, date, status, fields, body }))
    }

    /// Reads the header of a record; `None` at the end of the member. Lines before it are skipped, and are an error.
    fn header(&mut self) -> Result<Option<Header>, Error> {
        if let Some(position) = self.version.take() {
            self.members.mark(position);
            return self.rest_of_header().map(Some);
        }
        self.skip_line_ends()?;
        self.members.mark(self.members.position());
        let mut line = Vec::new();
        if !self.line(&mut line)? {
            return Ok(None);
        }
        if line.starts_with(b"WARC/") {
            return self.rest_of_header().map(Some);
        }
        // In a file that is not compressed, the next record is found by its first line.
        loop {
            let position = self.members.position();
            if !self.line(&mut line)? {
                break;
            }
            if line.starts_with(b"WARC/") {
                self.version = Some(position);
                break;
            }
        }
        Err(Error::Damaged("a record does not begin with its version"))
    }

    /// Reads the fields of a record.
    fn rest_of_header(&mut self) -> Result<Header, Error> {
        let mut header = Header::default();
        let mut line = Vec::new();
        let mut read = 0;
        while self.line(&mut line)? && !line.is_empty() {
            read += line.len();
            if read > MOST_HEADER {
                return Err(Error::Damaged("the header of the record is too long"));
            }
            let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
            let (name, value) = line.split_at(colon);
            header.add(name, value.get(1..).unwrap_or_default().trim_ascii());
        }
        Ok(header)
    }

    /// Reads a line without its line end; `false` at the end of the member. Keeps the start of a very long line.
    fn line(&mut self, line: &mut Vec<u8>) -> Result<bool, Error> {
        line.clear();
        let mut any = false;
        loop {
            let part = self.members.fill()?;
            if part.is_empty() {
                return Ok(any);
            }
            any = true;
            let end = part.iter().position(|byte| *byte == b'\n');
            let text = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
            let room = (MOST_HEADER + 1).saturating_sub(line.len());
            line.extend_from_slice(text.get(..room).unwrap_or(text));
            let used = text.len() + usize::from(end.is_some());
            self.members.consume(used);
            if end.is_some() {
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(true);
            }
        }
    }

    /// Skips the line ends after a record. Returns whether there are any, or nothing else follows.
    fn skip_line_ends(&mut self) -> Result<bool, Error> {
        let mut has_any = false;
        loop {
            let part = self.members.fill()?;
            let count = part.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            if count == 0 {
                return Ok(has_any || part.is_empty());
            }
            has_any = true;
            self.members.consume(count);
        }
    }

    /// Reads a block of this length, and returns its first bytes if they are wanted.
    fn block(&mut self, len: u64, wanted: bool) -> Result<Vec<u8>, Error> {
        let mut block = Vec::new();
        let mut left = len;
        while left > 0 {
            let part = self.members.fill()?;
            if part.is_empty() {
                return Err(Error::Damaged("the record ends early"));
            }
            let count = part.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if wanted {
                let room = MOST.saturating_sub(block.len()).min(count);
                block.extend_from_slice(part.get(..room).unwrap_or_default());
            }
            self.members.consume(count);
            left -= count as u64;
        }
        Ok(block)
    }
}

/// The result of a step.
enum Step {
    Capture(Capture),
    /// A record of another type.
    Other,
    MemberEnds,
    End,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum RecordKind {
    Response,
    Resource,
    #[default]
    Other,
}

/// The fields of a record that matter here.
#[derive(Default)]
struct Header {
    kind: RecordKind,
    url: Vec<u8>,
    date: Vec<u8>,
    length: Option<u64>,
    /// Why the record has only a part of an answer, if it says so.
    partial: Option<&'static str>,
}

impl Header {
    fn add(&mut self, name: &[u8], value: &[u8]) {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        if is("WARC-Type") {
            self.kind = match value {
                b"response" => RecordKind::Response,
                b"resource" => RecordKind::Resource,
                _ => RecordKind::Other,
            };
        } else if is("WARC-Target-URI") {
            // Some writers put the URL in angle brackets.
            let bare = value.strip_prefix(b"<").and_then(|value| value.strip_suffix(b">"));
            self.url = bare.unwrap_or(value).to_vec();
        } else if is("WARC-Truncated") {
            self.partial = Some("the crawler did not keep the whole answer (WARC-Truncated)");
        } else if is("WARC-Segment-Number") {
            self.partial = Some("the answer goes on in another record (WARC-Segment-Number)");
        } else if is("WARC-Date") {
            self.date = value.to_vec();
        } else if is("Content-Length") {
            self.length = core::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write as _;

    fn record(url: &str, status: &str, body: &[u8]) -> Vec<u8> {
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/plain\r\n\r\n");
        let len = head.len() + body.len();
        let header = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len}\r\n\r\n"
        );
        [header.as_bytes(), head.as_bytes(), body, b"\r\n\r\n"].concat()
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Returns `url` or `!` for each item.
    fn items(archive: &[u8]) -> Vec<String> {
        let shown = |item: io::Result<Item>| match item.unwrap() {
            Item::Capture(capture) => {
                let url = String::from_utf8(capture.url).unwrap();
                capture.body.map_or_else(
                    |Damage { offset, what }| format!("{url} {offset} {what}"),
                    |body| format!("{url} {}", body.len()),
                )
            }
            Item::Damaged(Damage { offset, what }) => format!("! {offset} {what}"),
        };
        Captures::new(archive).map(shown).collect()
    }

    #[test]
    fn members_and_plain_files_have_the_same_captures() {
        let other = b"WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 2\r\n\r\nxx\r\n\r\n".to_vec();
        let records = [record("a", "200 OK", b"one"), other, record("b", "404 Not Found", b"")];
        let expected = ["a 3", "b 0"];
        assert_eq!(items(&records.concat()), expected);
        assert_eq!(items(&records.iter().flat_map(|record| packed(record)).collect::<Vec<_>>()), expected);
        assert_eq!(items(&packed(&records.concat())), expected);
        for empty in [Vec::new(), b"\r\n\r\n".to_vec(), packed(b"")] {
            assert_eq!(items(&empty), ["! 0 there is no record"]);
        }
    }

    #[test]
    fn reading_continues_after_damaged_members() {
        let noise: Vec<u8> =
            (0..5000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let [a, b, c] = ["a", "b", "c"].map(|url| packed(&record(url, "200", &noise)));
        let end = format!(" {}", noise.len());
        for cut in (1..b.len()).step_by(997).chain([b.len() - 1, b.len() - 8, b.len() - 9, 3, 9, 10, 11]) {
            let archive = [&a[..], &b[..cut], &c[..]].concat();
            let found = items(&archive);
            assert_eq!(found.first(), Some(&format!("a{end}")), "{cut}");
            assert_eq!(found.last(), Some(&format!("c{end}")), "{cut}: {found:?}");
            assert_eq!(found.len(), 3, "{cut}: {found:?}");
            assert!(found[1].starts_with(&format!("! {} ", a.len())), "{cut}: {found:?}");
        }
        let mut wrong = b.clone();
        *wrong.last_mut().unwrap() ^= 1;
        let found = items(&[&a[..], &wrong, &c].concat());
        assert_eq!(found[1], format!("! {} the checksum of the gzip member is wrong", a.len()));
        assert_eq!(found.len(), 3);
        assert_eq!(items(&[&a[..], &b[..b.len() / 2]].concat()).len(), 2);
    }

    #[test]
    fn reading_continues_after_damaged_records_of_a_plain_file() {
        let records =
            [record("a", "200", b"one"), b"nonsense\r\n\r\n".to_vec(), record("b", "200", b"two")].concat();
        let found = items(&records);
        assert_eq!(found[0], "a 3");
        let nonsense = record("a", "200", b"one").len();
        assert_eq!(found[1..], [&*format!("! {nonsense} a record does not begin with its version"), "b 3"]);
        let partial = record("b", "206", b"two");
        assert_eq!(
            items(&[record("a", "200", b"one"), partial].concat())[1],
            format!("b {nonsense} the answer is a part of the file")
        );
        let archive = [record("a", "200", b"one"), record("b", "200", b"two")[..60].to_vec()].concat();
        assert_eq!(items(&archive).len(), 2);
    }

    #[test]
    fn a_truncated_capture_has_no_body_unless_no_profile_reads_more() {
        let truncated = |body: &[u8]| {
            let record = String::from_utf8(record("b", "200 OK", body)).unwrap();
            record.replacen("WARC-Type", "WARC-Truncated: length\r\nWARC-Type", 1).into_bytes()
        };
        let first = packed(&record("a", "200 OK", b"one"));
        let what = "the crawler did not keep the whole answer (WARC-Truncated)";
        let found = items(&[first.clone(), packed(&truncated(b"two"))].concat());
        assert_eq!(found, ["a 3".to_owned(), format!("b {} {what}", first.len())]);
        assert_eq!(items(&truncated(&[b'#'; 600_000])), ["b 600000"]);
        let segment = String::from_utf8(record("b", "200 OK", b"two")).unwrap();
        let segment = segment.replacen("WARC-Type", "WARC-Segment-Number: 1\r\nWARC-Type", 1);
        let what = "the answer goes on in another record (WARC-Segment-Number)";
        assert_eq!(items(segment.as_bytes()), [format!("b 0 {what}")]);
    }

    #[test]
    fn a_length_that_ends_within_the_body_is_damage() {
        let archive = String::from_utf8(record("a", "200 OK", b"one\ntwo")).unwrap();
        let archive = archive.replacen("Content-Length: 52", "Content-Length: 49", 1);
        assert_eq!(
            items(archive.as_bytes()).first().unwrap(),
            "a 0 the record goes on after its Content-Length"
        );
    }

    #[test]
    fn any_bytes_are_read_to_the_end() {
        let archive = packed(&record("a", "200", b"one"));
        for at in 0..archive.len() {
            for value in [0, 0x1F, 0x8B, 0xFF] {
                let mut changed = archive.clone();
                changed[at] = value;
                items(&changed);
                items(&changed[..at]);
            }
        }
    }
}
