//! Lists of URLs as text: one on each line, or access logs.

use alloc::borrow::Cow;
use std::io::{self, BufRead};

use robots_fetch::sitemap::LONGEST_URL;
use robots_match::{Target, TextForm, site_without_scheme};

use super::urls::{Most, Seen, Urls};
use crate::table::{self, separator_of};
use crate::text::Text;

/// The number of URLs of the longest list.
pub(super) const MOST: usize = 1_000_000;

/// The longest line in bytes. The rest of a longer one is not read.
const LONGEST_LINE: usize = 64 << 10;

/// URLs and paths, each once, in the order of the list.
#[derive(Debug, Default)]
pub(crate) struct UrlList {
    pub(crate) urls: Urls,
    /// The number of lines that have no URL.
    pub(crate) skipped: usize,
    /// Sitemaps that could not be read, and limits that were reached, as messages.
    pub(crate) problems: Vec<String>,
}

impl UrlList {
    /// Takes the URLs of sitemaps. Any other text counts as a line without a URL.
    pub(super) fn of_locations(mut urls: Urls, problems: Vec<String>) -> Self {
        let count = urls.len();
        urls.retain(is_url);
        Self { skipped: count - urls.len(), urls, problems }
    }
}

/// What the lines of a list have beside URLs.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The number of lines that have no URL.
    pub(super) skipped: usize,
    /// The number of lines that look like URLs and are not, such as `example.com/a`, and the first of them.
    broken: Option<(usize, String)>,
    /// The number of URLs that are too long.
    pub(super) long: usize,
    /// Whether there are more URLs than may be kept.
    pub(super) is_cut: bool,
}

/// Adds a URL or a path of each line of a source to `urls`, each once. `has_room` is asked after each one.
pub(super) fn read_lines(
    source: &mut impl BufRead,
    most: Most,
    urls: &mut Urls,
    mut has_room: impl FnMut(&Urls) -> io::Result<()>,
) -> io::Result<Lines> {
    let mut lines = Lines::default();
    let mut seen = Seen::default();
    let mut line = Vec::new();
    let mut is_first = true;
    while next_line(source, &mut line)? {
        let text = match core::mem::take(&mut is_first) {
            true => line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line),
            false => &line,
        };
        let text = text.trim_ascii();
        if text.is_empty() || text.first() == Some(&b'#') {
            continue;
        }
        match url_in(text) {
            Some(url) if url.len() > LONGEST_URL => lines.long += 1,
            Some(url) if seen.has(urls, url) => {}
            Some(_) if most.is_reached(urls) => {
                lines.is_cut = true;
                break;
            }
            Some(url) => {
                urls.push(url);
                has_room(urls)?;
            }
            None => lines.skip(text),
        }
    }
    Ok(lines)
}

/// Adds the URL of each row of a table (CSV) to `urls`, each once. One column has the URLs.
pub(super) fn read_table(source: &mut impl BufRead, most: Most, urls: &mut Urls) -> io::Result<Lines> {
    let separator = separator_of(source.fill_buf()?);
    let mut reader = table::rows(source, separator, false);
    let mut lines = Lines::default();
    let mut seen = Seen::default();
    let mut row = csv::ByteRecord::new();
    let mut column = None;
    let mut is_first = true;
    while reader.read_byte_record(&mut row).map_err(table::io_error)? {
        let is_head = core::mem::take(&mut is_first) && {
            column = row.iter().position(is_url_heading).filter(|_| !row.iter().any(is_whole_url));
            !row.iter().any(is_whole_url)
        };
        if is_head || row.iter().all(<[u8]>::is_empty) {
            continue;
        }
        // Without a name, the first cell that has a URL says which column it is.
        let place = *column.get_or_insert_with(|| row.iter().position(is_whole_url).unwrap_or_default());
        match row.get(place).unwrap_or_default() {
            url if url.len() > LONGEST_URL => lines.long += 1,
            url if !is_whole_url(url) => lines.skip(url),
            url if seen.has(urls, url) => {}
            _ if most.is_reached(urls) => {
                lines.is_cut = true;
                break;
            }
            url => urls.push(url),
        }
    }
    Ok(lines)
}

/// Whether a list begins as a table: its first line has several cells, of which one names the column of URLs and none is a URL.
pub(super) fn has_headings(start: &[u8]) -> bool {
    let head = start.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let separator = separator_of(head);
    let cells = || head.split(|&byte| byte == separator);
    head.contains(&separator) && cells().any(is_url_heading) && !cells().any(is_whole_url)
}

/// Whether a cell is a usual heading of a column with URLs.
fn is_url_heading(cell: &[u8]) -> bool {
    const NAMES: [&str; 16] = [
        "url",
        "urls",
        "page",
        "pages",
        "page url",
        "top pages",
        "landing page",
        "address",
        "adresse",
        "link",
        "links",
        "loc",
        "path",
        "uri",
        "seite",
        "location",
    ];
    let cell = cell.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(cell).trim_ascii();
    let cell = cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell);
    NAMES.iter().any(|name| cell.eq_ignore_ascii_case(name.as_bytes()))
}

/// Whether a cell is a URL or a path, and nothing else.
fn is_whole_url(cell: &[u8]) -> bool {
    // A cell of several lines is what a missing quotation mark leaves. Clients would remove the line ends.
    let is_line = memchr::memchr2(b'\n', b'\r', cell).is_none();
    is_line
        && matches!(TextForm::of(cell), TextForm::Url | TextForm::Path)
        && is_url(cell)
        && !has_space_in_host(cell)
}

impl Lines {
    /// Counts a line without a URL.
    fn skip(&mut self, line: &[u8]) {
        self.skipped += 1;
        let first = words(line).next().unwrap_or_default();
        let is_scheme = |scheme: &str| {
            first.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()))
        };
        // Access logs begin with an address, which has no path.
        let is_host = || {
            first.contains(&b'/')
                && core::str::from_utf8(first).is_ok_and(|text| site_without_scheme(text).is_some())
        };
        let has_lines = memchr::memchr2(b'\n', b'\r', line).is_some();
        if is_scheme("http:") || is_scheme("https:") || has_lines || is_host() {
            let first = || Text(line).short();
            let (count, _) = self.broken.get_or_insert_with(|| (0, first()));
            *count += 1;
        }
    }

    /// Returns messages about lines that were not read although they were meant as URLs.
    pub(super) fn problems(&self) -> Vec<String> {
        let broken = self.broken.as_ref().map(|(count, first)| {
            format!("lines that are not URLs: {count}, such as `{first}`; write whole URLs, such as `https://example.com/page`")
        });
        not_read(self.long).into_iter().chain(broken).collect()
    }
}

/// Reads the next line, which CR or LF ends. Returns whether there is one.
fn next_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut is_any = false;
    loop {
        let part = match source.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if part.is_empty() {
            return Ok(is_any);
        }
        is_any = true;
        let end = memchr::memchr2(b'\n', b'\r', part);
        let text = part.get(..end.unwrap_or(part.len())).unwrap_or_default();
        let left = LONGEST_LINE - line.len();
        line.extend_from_slice(text.get(..left).unwrap_or(text));
        let len = text.len() + usize::from(end.is_some());
        source.consume(len);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Returns a message about URLs that are too long, if there are any.
pub(super) fn not_read(long: usize) -> Option<String> {
    (long > 0).then(|| format!("URLs that are longer than {LONGEST_URL} bytes and were not read: {long}"))
}

/// Returns whether a text is a URL or a path.
fn is_url(word: &[u8]) -> bool {
    Target::parse(word).is_ok()
}

/// Returns the path and query that a client requests, of a URL of a list.
pub(crate) fn path_in(url: &[u8]) -> Cow<'_, [u8]> {
    // A list has no other texts.
    Target::parse(url).map_or(Cow::Borrowed(b"/"), Target::into_path)
}

/// Returns whether the host of a URL has a space. Most URLs have none at all.
fn has_space_in_host(url: &[u8]) -> bool {
    let Some(start) = memchr::memmem::find(url, b"://").filter(|_| url.first() != Some(&b'/')) else {
        return false;
    };
    let rest = url.get(start + 3..).unwrap_or_default();
    rest.iter().take_while(|byte| !b"/?#".contains(byte)).any(u8::is_ascii_whitespace)
}

/// Returns the URL or path in a line: the target of a request, as access logs quote it; the line itself, up to a tab, if it
/// begins with a URL or a path; or the first word that is one.
fn url_in(line: &[u8]) -> Option<&[u8]> {
    // `"GET /path HTTP/1.1"`
    for quoted in line.split(|&byte| byte == b'"').skip(1).step_by(2) {
        let mut words = words(quoted);
        if let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next())
            && method.iter().all(u8::is_ascii_uppercase)
            && version.starts_with(b"HTTP/")
        {
            return Some(target).filter(|target| is_url(target));
        }
    }
    if matches!(TextForm::of(line), TextForm::Url | TextForm::Path) {
        // A space is a part of the URL, as it is in an argument: a shorter URL may have another verdict. Tabs separate columns.
        let first = line.split(|&byte| byte == b'\t').next().map(<[u8]>::trim_ascii);
        return first.filter(|url| is_url(url) && !has_space_in_host(url));
    }
    words(line).find(|word| is_url(word))
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn urls_are_found_in_lists_and_logs() {
        let text = |line: &str| url_in(line.as_bytes()).map(|url| String::from_utf8_lossy(url).into_owned());
        for (line, expected) in [
            ("/a?b=c", Some("/a?b=c")),
            ("https://example.com/a b", Some("https://example.com/a b")),
            ("https://example.com/a b\tc /d", Some("https://example.com/a b")),
            ("/my page", Some("/my page")),
            ("/my page \t200", Some("/my page")),
            ("/a?to=https://b c", Some("/a?to=https://b c")),
            ("https://ex ample.com/a b", None),
            ("https://example.com 200", None),
            ("2026-11-21 10:00:00 10.0.0.1 GET /x - 443", Some("/x")),
            ("/x \"GET /y HTTP/1.1\"", Some("/y")),
            (
                "1.2.3.4 - - [21/Nov/2026:10:00:00 +0000] \"GET /x?y HTTP/1.1\" 200 5 \"https://ref/\" \"A/1 (x)\"",
                Some("/x?y"),
            ),
            ("1.2.3.4 - - [t] \"HEAD https://example.com/x HTTP/2.0\" 200 5", Some("https://example.com/x")),
            ("1.2.3.4 - - [t] \"OPTIONS * HTTP/1.1\" 200 5", None),
            ("200 /a", Some("/a")),
            ("page", None),
            ("://x", None),
        ] {
            assert_eq!(text(line).as_deref(), expected, "{line}");
        }
        let read = |text: &[u8]| {
            let mut urls = Urls::default();
            // Lines go over the ends of parts that are read.
            let mut source = BufReader::with_capacity(3, text);
            let lines = read_lines(&mut source, Most::urls(MOST), &mut urls, |_| Ok(())).unwrap();
            let urls: Vec<Vec<u8>> = urls.iter().map(<[u8]>::to_vec).collect();
            (urls, lines.skipped, lines.long)
        };
        let long = format!("/{}\n/b\n", "a".repeat(LONGEST_URL));
        assert_eq!(read(long.as_bytes()), (vec![b"/b".to_vec()], 0, 1));
        let (_, _, long) = read(format!("/{}", "a".repeat(LONGEST_LINE + 10)).as_bytes());
        assert_eq!(long, 1);
        let list = read(b"\xEF\xBB\xBF/a\r\n# b\n/b\n/a\nc\n\n/d");
        assert_eq!(list, (vec![b"/a".to_vec(), b"/b".to_vec(), b"/d".to_vec()], 1, 0));
    }
}
