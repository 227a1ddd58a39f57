//! Sitemaps and indexes of sitemaps, as [sitemaps.org](https://www.sitemaps.org/protocol.html) has them, and feeds: RSS and Atom.
//!
//! A robots.txt file names sitemaps. [`Locations`] iterates over the URLs in one of them, while it is read from a source.
//!
//! ```
//! use robots_fetch::sitemap::{Location, Locations};
//!
//! let file = b"<urlset><url><loc>https://example.com/?a&amp;b</loc></url></urlset>";
//! let locations: Result<Vec<Location>, _> = Locations::new(&file[..]).collect();
//! assert_eq!(locations?, [Location::Page(b"https://example.com/?a&b".to_vec())]);
//! # Ok::<(), robots_fetch::sitemap::SitemapError>(())
//! ```

use core::fmt;
use std::io::{self, BufRead, BufReader};

use flate2::bufread::MultiGzDecoder;
use quick_xml::Reader;
use quick_xml::errors::{Error as XmlError, IllFormedError, SyntaxError};
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::LocalName;
use robots_match::syntax::html::looks_like_html;

use crate::parts::Parts;

/// The largest sitemap in bytes, after decompression.
pub const MAX_SIZE: usize = 50 << 20;

/// The longest URL in bytes. Longer ones are not returned.
pub const LONGEST_URL: usize = 8 << 10;

/// The longest tag or text in bytes, so that the memory for a file does not depend on its size.
const LONGEST_PART: usize = 1 << 20;

/// The size of the parts that are read, in bytes.
const PART: usize = 8 * 1024;

/// The number of elements that may be inside of each other.
const DEEPEST: usize = 32;

/// The bytes of the longest name of an element in an error.
const LONGEST_NAME: usize = 100;

/// The content of an element `loc`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Location {
    /// The URL of a page, as it is written: of an entry of a sitemap or of a feed.
    Page(Vec<u8>),
    /// The URL of another sitemap, as it is written.
    Sitemap(Vec<u8>),
    /// A URL that is longer than [`LONGEST_URL`].
    TooLong,
    /// A text that is not UTF-8, or with a reference that XML does not define, such as `&eacute;`. Without the reference, the text would
    /// be another URL.
    Unreadable,
}

/// The reason why a file, or the rest of it, is not read as a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SitemapError {
    /// The file is an HTML page.
    Html,
    /// The outermost element has this name, of which only the first 100 bytes are here.
    OtherElement(Vec<u8>),
    /// More than 32 elements are inside of each other.
    TooDeep,
    /// A tag or a text has more than 1 MiB.
    LongPart,
    /// The file ends inside an element, or before the first one.
    Incomplete,
    /// The file is not XML.
    Xml {
        /// The position of the mistake in bytes.
        offset: u64,
        /// The mistake.
        what: &'static str,
    },
    /// The file has more than this number of bytes.
    TooLarge(usize),
    /// The compressed file is damaged or cut.
    Gzip,
    /// The source can't be read, for this reason.
    Unreadable(io::ErrorKind, String),
}

impl fmt::Display for SitemapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Html => f.write_str("it is an HTML page, not a sitemap"),
            Self::OtherElement(name) => {
                write!(f, "it is not a sitemap: its outermost element is `{}`", name.escape_ascii())
            }
            Self::TooDeep => f.write_str("too many nested elements"),
            Self::LongPart => f.write_str("a tag or a text has more than 1 MiB"),
            Self::Incomplete => f.write_str("it is cut: it ends inside an element"),
            Self::Xml { offset, what } => write!(f, "invalid XML at byte {offset}: {what}"),
            Self::TooLarge(most) if most % (1 << 20) == 0 => write!(f, "more than {} MiB", most >> 20),
            Self::TooLarge(most) => write!(f, "more than {most} bytes"),
            Self::Gzip => f.write_str("invalid gzip data"),
            Self::Unreadable(_, why) => f.write_str(why),
        }
    }
}

impl core::error::Error for SitemapError {}

impl From<&io::Error> for SitemapError {
    /// Returns the reason why a [`Content`] can't be read.
    fn from(error: &io::Error) -> Self {
        let own = error.get_ref().and_then(|inner| inner.downcast_ref::<Self>());
        own.cloned().unwrap_or_else(|| Self::Unreadable(error.kind(), error.to_string()))
    }
}

/// Returns whether a file begins as XML does. Other sitemaps are lists of URLs.
#[must_use]
pub fn is_xml(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().first() == Some(&b'<')
}

/// An iterator over the URLs in a sitemap or an index, which gzip may have compressed. Entities of a document type are not expanded:
/// a URL with one is [`Location::Unreadable`].
///
/// An error is the last item; the URLs before it are valid. After [`MAX_SIZE`] bytes of content, it is [`SitemapError::TooLarge`].
///
/// # Memory
///
/// The longest tag or text of the file, at most 1 MiB. One that is longer is an error.
#[derive(Debug)]
pub struct Locations<R> {
    reader: Reader<Content<R>>,
    /// The event that is read.
    event: Vec<u8>,
    /// The open elements.
    open: Vec<Element>,
    /// The text of the open element `loc`.
    text: Option<Vec<u8>>,
    progress: Progress,
}

/// The content of a file that gzip may have compressed, decompressed while it is read.
///
/// Errors contain a [`SitemapError`]. The first byte after the limit of the size is such an error.
#[derive(Debug)]
pub struct Content<R> {
    source: Source<R>,
    /// How many bytes may still come.
    left: usize,
    most: usize,
    /// How many bytes of a tag or a text may still come.
    of_part: usize,
}

impl<R: BufRead> Content<R> {
    /// Creates the content of a source, of at most `most` bytes.
    pub const fn new(source: R, most: usize) -> Self {
        Self { source: Source::New(Some(Parts::new(source, PART))), left: most, most, of_part: usize::MAX }
    }
}

#[derive(Debug)]
enum Source<R> {
    /// Nothing was read yet. `None` while the kind is found out.
    New(Option<Parts<R>>),
    Plain(Parts<R>),
    Packed(BufReader<MultiGzDecoder<Parts<R>>>),
}

impl<R: BufRead> BufRead for Content<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Source::New(new) = &mut self.source {
            // No text begins with this byte, with which gzip begins.
            let is_packed = match new {
                Some(source) => source.fill_buf().map_err(unreadable)?.first() == Some(&0x1F),
                None => false,
            };
            let source = new.take().expect("the source is there until its kind is known");
            self.source = match is_packed {
                true => Source::Packed(BufReader::new(MultiGzDecoder::new(source))),
                false => Source::Plain(source),
            };
        }
        let part = match &mut self.source {
            Source::New(_) => &[],
            Source::Plain(source) => source.fill_buf().map_err(unreadable)?,
            Source::Packed(source) => source.fill_buf().map_err(damaged)?,
        };
        if self.left == 0 && !part.is_empty() {
            return Err(io::Error::other(SitemapError::TooLarge(self.most)));
        }
        if self.of_part == 0 && !part.is_empty() {
            return Err(io::Error::other(SitemapError::LongPart));
        }
        Ok(part.get(..self.left.min(self.of_part)).unwrap_or(part))
    }

    fn consume(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
        self.of_part = self.of_part.saturating_sub(bytes);
        match &mut self.source {
            Source::New(_) => {}
            Source::Plain(source) => source.consume(bytes),
            Source::Packed(source) => source.consume(bytes),
        }
    }
}

read_by_parts!([R: BufRead] Content<R>);

/// Returns an error of a source as one that contains the reason. One that does stays as it is.
fn unreadable(error: io::Error) -> io::Error {
    match error.kind() {
        // The caller tries again.
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, SitemapError::from(&error)),
    }
}

/// Returns an error of a compressed source as one that contains the reason.
fn damaged(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
            if !error.get_ref().is_some_and(|inner| inner.is::<SitemapError>()) =>
        {
            io::Error::new(error.kind(), SitemapError::Gzip)
        }
        _ => unreadable(error),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Before,
    /// The first bytes are read. They may look like an HTML page.
    Inside {
        html: bool,
    },
    Ended,
}

/// An element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Url,
    Sitemap,
    Loc,
    /// An entry of RSS, and of Atom.
    Item,
    Entry,
    Link,
    Other,
}

impl Element {
    fn of(name: LocalName<'_>) -> Self {
        match name.as_ref() {
            b"url" => Self::Url,
            b"sitemap" => Self::Sitemap,
            b"loc" => Self::Loc,
            b"item" => Self::Item,
            b"entry" => Self::Entry,
            b"link" => Self::Link,
            _ => Self::Other,
        }
    }
}

impl<R: BufRead> Locations<R> {
    /// Creates an iterator over the URLs in a source.
    pub fn new(source: R) -> Self {
        let reader = Reader::from_reader(Content::new(source, MAX_SIZE));
        Self { reader, event: Vec::new(), open: Vec::new(), text: None, progress: Progress::Before }
    }

    /// Returns the next location; `None` at the end.
    fn read(&mut self) -> Result<Option<Location>, SitemapError> {
        if self.progress == Progress::Before {
            let html = match self.reader.get_mut().fill_buf() {
                Ok(start) => looks_like_html(start),
                Err(error) => return Err(SitemapError::from(&error)),
            };
            self.progress = Progress::Inside { html };
        }
        loop {
            self.event.clear();
            self.reader.get_mut().of_part = LONGEST_PART;
            match self.reader.read_event_into(&mut self.event) {
                Ok(Event::Start(_)) if self.open.len() == DEEPEST => return Err(SitemapError::TooDeep),
                Ok(Event::Start(start)) => {
                    let element = Element::of(start.local_name());
                    if self.open.is_empty() {
                        require_sitemap(start.local_name().as_ref())?;
                    }
                    let parent = self.open.last().copied();
                    let linked = linked(&start, parent);
                    let has_text =
                        element == Element::Loc || (element, parent) == (Element::Link, Some(Element::Item));
                    self.text = has_text.then(Vec::new);
                    self.open.push(element);
                    if linked.is_some() {
                        return Ok(linked);
                    }
                }
                Ok(Event::Empty(only)) if self.open.is_empty() => {
                    require_sitemap(only.local_name().as_ref())?;
                    return self.end();
                }
                Ok(Event::Empty(only)) => {
                    let linked = linked(&only, self.open.last().copied());
                    if linked.is_some() {
                        return Ok(linked);
                    }
                }
                Ok(Event::Text(text)) => extend(&mut self.text, &text),
                Ok(Event::CData(text)) => extend(&mut self.text, &text),
                Ok(Event::GeneralRef(name)) => {
                    let mut buffer = [0; 4];
                    match char_of(&name) {
                        Some(char) => extend(&mut self.text, char.encode_utf8(&mut buffer).as_bytes()),
                        // Without the reference, the text would be another URL. This byte makes it unreadable.
                        None => extend(&mut self.text, b"\xFF"),
                    }
                }
                Ok(Event::End(_)) => {
                    self.open.pop();
                    // Other elements called `loc`, such as those of images, are in other elements.
                    if let Some(text) = self.text.take()
                        && let Some(location) = location(&text, self.open.last().copied())
                    {
                        return Ok(Some(location));
                    }
                    if self.open.is_empty() {
                        return self.end();
                    }
                }
                Ok(Event::Eof) => return Err(self.wrong(SitemapError::Incomplete)),
                Ok(_) => {}
                Err(XmlError::Io(error)) => return Err(SitemapError::from(&*error)),
                // All other errors of this kind are parts without an end.
                Err(XmlError::Syntax(error)) if error != SyntaxError::InvalidBangMarkup => {
                    return Err(self.wrong(SitemapError::Incomplete));
                }
                Err(error) => {
                    let offset = self.reader.error_position();
                    return Err(self.wrong(SitemapError::Xml { offset, what: mistake(&error) }));
                }
            }
        }
    }

    /// Reads what is after the outermost element: space, comments and instructions. Another element would have URLs that are not read.
    fn end(&mut self) -> Result<Option<Location>, SitemapError> {
        loop {
            self.event.clear();
            self.reader.get_mut().of_part = LONGEST_PART;
            match self.reader.read_event_into(&mut self.event) {
                Ok(Event::Eof) => return Ok(None),
                Ok(Event::Comment(_) | Event::PI(_)) => {}
                Ok(Event::Text(text)) if text.trim_ascii().is_empty() => {}
                Err(XmlError::Io(error)) => return Err(SitemapError::from(&*error)),
                Ok(_) | Err(_) => {
                    let offset = self.reader.buffer_position();
                    return Err(SitemapError::Xml {
                        offset,
                        what: "there is more after the outermost element",
                    });
                }
            }
        }
    }

    /// Returns the error of a file whose XML is wrong.
    fn wrong(&self, error: SitemapError) -> SitemapError {
        let html = self.open.is_empty() && self.progress == Progress::Inside { html: true };
        if html { SitemapError::Html } else { error }
    }
}

impl<R: BufRead> Iterator for Locations<R> {
    type Item = Result<Location, SitemapError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.progress == Progress::Ended {
            return None;
        }
        let next = self.read().transpose();
        if !matches!(next, Some(Ok(_))) {
            self.progress = Progress::Ended;
        }
        next
    }
}

/// Checks the name of the outermost element.
fn require_sitemap(root: &[u8]) -> Result<(), SitemapError> {
    let name = root.get(..LONGEST_NAME).unwrap_or(root);
    match root {
        b"urlset" | b"sitemapindex" | b"rss" | b"feed" | b"RDF" => Ok(()),
        _ if looks_like_html(&[b"<", name, b">"].concat()) => Err(SitemapError::Html),
        _ => Err(SitemapError::OtherElement(name.to_vec())),
    }
}

/// Returns the location in an element, if it has one.
fn location(text: &[u8], element: Option<Element>) -> Option<Location> {
    let url = text.trim_ascii();
    if url.is_empty() {
        return None;
    }
    let kind = match element? {
        Element::Url | Element::Item => Location::Page,
        Element::Sitemap => Location::Sitemap,
        Element::Loc | Element::Entry | Element::Link | Element::Other => return None,
    };
    Some(match url {
        url if url.len() > LONGEST_URL => Location::TooLong,
        url if core::str::from_utf8(url).is_err() => Location::Unreadable,
        url => kind(url.to_vec()),
    })
}

/// Returns the location of an element `link` in an entry of Atom, if it leads to the page of the entry (RFC 4287, section 4.2.7).
fn linked(start: &BytesStart<'_>, parent: Option<Element>) -> Option<Location> {
    if (Element::of(start.local_name()), parent) != (Element::Link, Some(Element::Entry)) {
        return None;
    }
    let value = |name| {
        let attribute = start.try_get_attribute(name).ok()??;
        let text = core::str::from_utf8(&attribute.value).ok();
        let text = text.and_then(|text| quick_xml::escape::unescape(text).ok());
        Some(text.map(|text| text.trim().to_owned()))
    };
    if value("rel").flatten().is_some_and(|rel| rel != "alternate") {
        return None;
    }
    let Some(url) = value("href")? else { return Some(Location::Unreadable) };
    if url.is_empty() {
        return None;
    }
    Some(if url.len() > LONGEST_URL { Location::TooLong } else { Location::Page(url.into_bytes()) })
}

/// Returns the character of a reference such as `&amp;` or `&#38;`.
fn char_of(name: &BytesRef<'_>) -> Option<char> {
    match &**name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        _ => name.resolve_char_ref().ok().flatten(),
    }
}

/// Adds text to the element that is open. Of text that is too long, only as much is kept as shows that.
fn extend(open: &mut Option<Vec<u8>>, text: &[u8]) {
    if let Some(open) = open {
        let text = if open.is_empty() { text.trim_ascii_start() } else { text };
        let left = (LONGEST_URL + 1).saturating_sub(open.len());
        open.extend_from_slice(text.get(..left).unwrap_or(text));
    }
}

/// Returns words for a mistake. They contain nothing of the file.
fn mistake(error: &XmlError) -> &'static str {
    match error {
        XmlError::Syntax(_) => "`<!` begins neither a comment nor a declaration",
        XmlError::IllFormed(IllFormedError::MismatchedEndTag { .. }) => {
            "an end tag belongs to another element"
        }
        XmlError::IllFormed(IllFormedError::UnmatchedEndTag(_)) => "an end tag has no start tag",
        XmlError::IllFormed(IllFormedError::UnclosedReference) => {
            "a reference has no `;`; write `&` as `&amp;`"
        }
        _ => "it is not well-formed",
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read as _, Write as _};

    use super::*;

    /// Returns the locations, the same with small reads.
    fn locations(file: &[u8]) -> Result<Vec<Location>, SitemapError> {
        let found = Locations::new(file).collect();
        let in_parts: Result<Vec<Location>, _> = Locations::new(BufReader::with_capacity(64, file)).collect();
        assert_eq!(found, in_parts);
        found
    }

    fn page(url: &str) -> Location {
        Location::Page(url.as_bytes().to_vec())
    }

    #[test]
    fn compressed_sitemaps_are_read_as_they_come() {
        let packed = |text: &[u8]| {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            packed.write_all(text).unwrap();
            packed.finish().unwrap()
        };
        let entry = b"<url><loc>https://a.example/</loc></url>".as_slice();
        let file = packed(&[b"<urlset>".as_slice(), entry, b"</urlset>"].concat());
        assert_eq!(locations(&file), Ok(vec![page("https://a.example/")]));
        // Two parts, one after the other.
        let parts = [packed(b"<urlset>"), packed(entry), packed(b"</urlset>")].concat();
        assert_eq!(locations(&parts), Ok(vec![page("https://a.example/")]));
        assert_eq!(locations(file.get(..file.len() - 12).unwrap()), Err(SitemapError::Gzip));
        assert_eq!(locations(b"\x1F\x8Bnot compressed"), Err(SitemapError::Gzip));
        let element = [b"<a b='".as_slice(), &[b'x'; 1000], b"'/>"].concat();
        let bomb = packed(&[b"<urlset>".as_slice(), &element.repeat(MAX_SIZE / element.len() + 1)].concat());
        assert_eq!(Locations::new(&*bomb).last().unwrap(), Err(SitemapError::TooLarge(MAX_SIZE)));
        for long in [b"<urlset>", b"<urlset ", b"<!--....", b"<![CDATA"] {
            let long = packed(&[long.as_slice(), &vec![b' '; 2 << 20]].concat());
            assert_eq!(Locations::new(&*long).last().unwrap(), Err(SitemapError::LongPart));
        }
    }

    #[test]
    fn locations_of_feeds_are_read() {
        let rss = b"<?xml version='1.0'?><rss version='2.0'><channel><link>https://a.example/</link>\
            <item><title>1</title><link> https://a.example/1?a&amp;b </link></item>\
            <item><link><![CDATA[https://a.example/2]]></link><guid>x</guid></item></channel></rss>";
        assert_eq!(locations(rss), Ok(vec![page("https://a.example/1?a&b"), page("https://a.example/2")]));
        let atom = b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://a.example/'/>\
            <entry><link rel='self' href='https://a.example/1.xml'/><link href='https://a.example/1?a&amp;b'/></entry>\
            <entry><link rel='alternate' href='https://a.example/2'></link><link/></entry></feed>";
        assert_eq!(locations(atom), Ok(vec![page("https://a.example/1?a&b"), page("https://a.example/2")]));
        // Other versions of a page in a sitemap are no pages of their own here.
        let versions = b"<urlset><url><loc>https://a.example/1</loc><link rel='alternate' href='https://a.example/de'/></url></urlset>";
        assert_eq!(locations(versions), Ok(vec![page("https://a.example/1")]));
    }

    #[test]
    fn locations_of_sitemaps_and_indexes_are_read() {
        let xml = b"<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e \"eee\">]><urlset xmlns=\"x\" xmlns:image=\"y\">\n\
            <url><loc> https://example.com/?a=1&amp;b=&#x41; </loc><image:image><image:loc>https://i/</image:loc></image:image></url>\
            <url><loc><![CDATA[https://example.com/c]]></loc></url><url><loc/><loc></loc></url></urlset>";
        let expected = ["https://example.com/?a=1&b=A", "https://example.com/c"].map(page);
        assert_eq!(locations(xml).unwrap(), expected);
        let index = b"<sitemapindex><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>";
        assert_eq!(locations(index).unwrap(), [Location::Sitemap(b"https://example.com/a.xml".to_vec())]);
        assert_eq!(locations(b"<urlset/>").unwrap(), []);
    }

    #[test]
    fn a_url_with_something_that_is_not_understood_is_no_other_url() {
        for text in [&b"/&e;"[..], b"/caf&eacute;", b"/a&nbsp;b", b"/&#xD800;a", b"/&#0;a", b"/caf\xE9"] {
            let xml = [
                b"<!DOCTYPE x [<!ENTITY e \"eee\">]><urlset><url><loc>https://example.com".as_slice(),
                text,
                b"</loc></url><url><loc>https://example.com/b</loc></url></urlset>",
            ];
            let expected = [Location::Unreadable, page("https://example.com/b")];
            assert_eq!(locations(&xml.concat()).unwrap(), expected, "{}", text.escape_ascii());
        }
        let atom = b"<feed><entry><link href='https://example.com/&e;'/></entry></feed>";
        assert_eq!(locations(atom).unwrap(), [Location::Unreadable]);
    }

    #[test]
    fn urls_have_a_limit() {
        for (len, is_long) in [(LONGEST_URL, false), (LONGEST_URL + 1, true), (1 << 19, true)] {
            let url = format!("https://example.com/{}", "a".repeat(len - 20));
            let file = format!("<urlset><url><loc>\n{url}\n</loc></url></urlset>");
            let expected = if is_long { Location::TooLong } else { page(&url) };
            assert_eq!(locations(file.as_bytes()).unwrap(), [expected], "{len}");
        }
        // A text that is much longer is no URL.
        let file = format!("<urlset><url><loc>{}</loc></url></urlset>", "a".repeat(2 << 20));
        assert_eq!(locations(file.as_bytes()), Err(SitemapError::LongPart));
    }

    #[test]
    fn what_follows_the_outermost_element_is_an_error() {
        let first = "<urlset><url><loc>https://example.com/a</loc></url></urlset>";
        for (rest, is_error) in [
            ("", false),
            ("\n<!-- made by a cache -->\n<?x?>\n", false),
            ("<urlset><url><loc>https://example.com/b</loc></url></urlset>", true),
            ("<html>error</html>", true),
            ("</urlset>", true),
            ("text", true),
            ("\0", true),
            ("<!-- cut", true),
        ] {
            for first in [first, "<urlset/>"] {
                let file = format!("{first}{rest}");
                let mut found: Vec<_> = Locations::new(file.as_bytes()).collect();
                let is_wrong = found.pop_if(|last| matches!(last, Err(SitemapError::Xml { .. }))).is_some();
                assert_eq!(is_wrong, is_error, "{file}: {found:?}");
                assert_eq!(found.len(), usize::from(first.contains("<loc>")), "{file}");
            }
        }
    }

    #[test]
    fn files_that_are_not_sitemaps_are_errors() {
        for html in
            ["<!DOCTYPE html><title>x<br></p>", "<HTML></HTML>", "<?xml version=\"1.0\"?><html xmlns=\"x\"/>"]
        {
            assert_eq!(locations(html.as_bytes()), Err(SitemapError::Html), "{html}");
        }
        assert_eq!(locations(b"<opml><body/></opml>"), Err(SitemapError::OtherElement(b"opml".to_vec())));
        let mismatch = locations(b"<urlset><url></loc>").unwrap_err().to_string();
        assert!(mismatch.starts_with("invalid XML at byte "), "{mismatch}");
        assert_eq!(locations(&b"<urlset>".repeat(50)), Err(SitemapError::TooDeep));
        let whole = b"<urlset><url><loc>https://example.com/</loc></url></urlset>";
        for len in 0..whole.len() {
            let error = locations(&whole[..len]).unwrap_err();
            assert!(matches!(error, SitemapError::Incomplete | SitemapError::Xml { .. }), "{len}: {error}");
        }
        // The URLs before an error are there.
        let found: Vec<_> = Locations::new(&whole[..55]).collect();
        assert_eq!(found, [Ok(page("https://example.com/")), Err(SitemapError::Incomplete)]);
    }

    #[test]
    fn no_error_contains_a_line_of_the_file() {
        for file in
            [&b"<a\n::error::x></a>"[..], b"<urlset></\n::error::x>", b"<urlset>&\n::error", b"<\x1B[2J"]
        {
            for item in Locations::new(file) {
                let shown = item.unwrap_err().to_string();
                assert!(!shown.chars().any(char::is_control), "{shown:?}");
            }
        }
    }

    #[test]
    fn gzip_is_decoded_up_to_the_limit() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&vec![b'/'; 4 << 20]).unwrap();
        let bytes = encoder.finish().unwrap();
        let read = |bytes: &[u8], most| {
            let mut content = Vec::new();
            let read = Content::new(bytes, most).read_to_end(&mut content);
            read.map_err(|error| SitemapError::from(&error))
        };
        assert_eq!(read(&bytes, 4 << 20), Ok(4 << 20));
        assert_eq!(read(&bytes, 1 << 20), Err(SitemapError::TooLarge(1 << 20)));
        assert_eq!(read(b"\x1F\x8Bx", 9), Err(SitemapError::Gzip));
        assert_eq!(read(b"text", 9), Ok(4));
        // The content of a content has the same errors.
        let nested = Locations::new(BufReader::new(Content::new(b"\x1F\x8Bx".as_slice(), 9))).last();
        assert_eq!(nested, Some(Err(SitemapError::Gzip)));
    }
}
