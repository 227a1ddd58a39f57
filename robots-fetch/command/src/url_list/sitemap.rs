//! Sitemaps and indexes of sitemaps.

use alloc::collections::VecDeque;
use core::fmt;
use core::time::Duration;
use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Cursor, Read as _};

use robots_fetch::sitemap::{Content, Location, Locations, MAX_SIZE, SitemapError, is_xml};
use url::Url;

use super::lines::{not_read, read_lines};
use super::urls::{Most, Urls};
use crate::network::{SiteTime, Sites};
use crate::table::OpenQuote;
use crate::text::LeftOut;
use crate::text::Text;

/// The number of sitemaps that are read for one site, with those of indexes.
pub(crate) const MOST_FILES: usize = 100;

/// The start of a file in bytes, by which its kind is found.
const START: u64 = 4 << 10;

/// The URLs of several sitemaps.
#[derive(Debug, Default)]
pub(crate) struct Sitemaps {
    /// The URLs of pages, in the order of the sitemaps.
    pub(crate) urls: Urls,
    /// Sitemaps and URLs that could not be read, as messages.
    pub(crate) problems: Vec<String>,
    /// Limits that were reached, as messages.
    pub(crate) limits: Vec<String>,
}

/// The memory that URLs may take.
pub(crate) trait Room {
    /// Returns whether URLs may take so many bytes now.
    fn has(&mut self, bytes: usize) -> bool;

    /// Waits until URLs may take as many bytes as they ever do, and returns how long that took.
    fn wait(&mut self) -> Duration;
}

/// Room for all URLs, where one list is read and nothing else.
pub(crate) struct Enough;

impl Room for Enough {
    fn has(&mut self, _: usize) -> bool {
        true
    }

    fn wait(&mut self) -> Duration {
        Duration::ZERO
    }
}

/// Where sitemaps are asked for, and the limits.
pub(crate) struct Reading<'r> {
    pub(crate) sites: &'r Sites,
    /// The URL of the file that names the sitemaps, unless the user does.
    pub(crate) named_by: Option<&'r Url>,
    pub(crate) most: Most,
    /// The time of the site, for all its sitemaps together.
    pub(crate) time: SiteTime,
}

/// Downloads sitemaps and those that they list, and returns the URLs in them.
pub(crate) fn submitted(sitemaps: &[Url], reading: Reading<'_>, room: &mut impl Room) -> Sitemaps {
    let Reading { sites, named_by, most, mut time } = reading;
    let mut all = Sitemaps::default();
    let named_by: Vec<Url> = named_by.into_iter().cloned().collect();
    let mut waiting: VecDeque<(Url, Vec<Url>)> =
        sitemaps.iter().map(|url| (url.clone(), named_by.clone())).collect();
    let mut seen: HashSet<Url> = sitemaps.iter().cloned().collect();
    let mut count = 0;
    while let Some((url, named_by)) = waiting.pop_front() {
        let shown = Text(url.as_str().as_bytes()).short();
        if count == MOST_FILES || most.is_reached(&all.urls) {
            all.limits.push(format!("not all sitemaps were read: the limit was reached before {shown}"));
            break;
        }
        if time.left().is_zero() {
            let what = match waiting.len() + 1 {
                1 => "1 sitemap was".to_owned(),
                rest if rest > MOST_FILES => format!("more than {MOST_FILES} sitemaps were"),
                rest => format!("{rest} sitemaps were"),
            };
            all.limits.push(format!("{what} not read, because the time for the site was over: {shown}"));
            break;
        }
        let before = all.urls.len();
        let mut invalid = LeftOut::default();
        let mut nested = Vec::new();
        let read = sites.download(&url, &named_by, time).map_err(Unread::Failed).and_then(|source| {
            let source = Content::new(BufReader::new(source), MAX_SIZE);
            read(source, most, &mut all.urls, &mut |bytes| room.has(bytes), |found| {
                // The location of a sitemap is a whole URL, as that of a page.
                let whole = core::str::from_utf8(found).ok().and_then(|found| Url::parse(found).ok());
                match whole.filter(|found| matches!(found.scheme(), "http" | "https")) {
                    Some(found) if seen.len() <= MOST_FILES && seen.insert(found.clone()) => {
                        nested.push(found);
                    }
                    Some(_) => {}
                    None => invalid.add(found),
                }
            })
        });
        if let Err(Unread::NoRoom) = read {
            // The file is read again when there is room for all URLs.
            all.urls.truncate(before);
            for nested in &nested {
                seen.remove(nested);
            }
            time = time.later(room.wait());
            waiting.push_front((url, named_by));
            continue;
        }
        count += 1;
        for nested in nested {
            let mut named_by = named_by.clone();
            named_by.push(url.clone());
            waiting.push_back((nested, named_by));
        }
        match read {
            Ok(notes) => {
                all.problems.extend(notes.problems.into_iter().map(|why| format!("{shown}: {why}")));
                all.limits.extend(notes.limit.into_iter().map(|why| format!("{shown}: {why}")));
                let invalid = invalid
                    .message("entry is not a URL by http or https", "entries are not URLs by http or https");
                all.problems.extend(invalid.map(|why| format!("{shown}: {why}")));
            }
            Err(why) => {
                all.urls.truncate(before);
                let why = why.to_string();
                let why = Text(why.as_bytes());
                all.problems.push(format!("the sitemap {shown} could not be read: {why}"));
            }
        }
    }
    all
}

/// What was not read of a sitemap, as messages.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) problems: Vec<String>,
    pub(super) limit: Option<String>,
}

/// Why a sitemap is not read.
#[derive(Debug)]
pub(super) enum Unread {
    /// Its URLs need more memory than there is now.
    NoRoom,
    Invalid(SitemapError),
    Failed(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom => f.write_str("there is no memory for its URLs"),
            Self::Invalid(error) => error.fmt(f),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl From<SitemapError> for Unread {
    fn from(error: SitemapError) -> Self {
        Self::Invalid(error)
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        let open = error.get_ref().and_then(|inner| inner.downcast_ref::<OpenQuote>());
        match (error.kind(), open) {
            (_, Some(open)) => Self::Failed(open.to_string()),
            (io::ErrorKind::OutOfMemory, None) => Self::NoRoom,
            _ => Self::Invalid(SitemapError::from(&error)),
        }
    }
}

/// Returns a source with its start, which is read to find out whether it is XML.
pub(super) fn examined<R: BufRead>(mut source: R) -> io::Result<(bool, impl BufRead)> {
    let mut start = Vec::new();
    source.by_ref().take(START).read_to_end(&mut start)?;
    Ok((is_xml(&start), Cursor::new(start).chain(source)))
}

/// Reads a sitemap, an index, or a list of URLs, adds the URLs of pages to `urls`, and calls `nested` with those of other sitemaps.
/// `has_room` says whether the URLs may take so many bytes.
fn read(
    source: impl BufRead,
    most: Most,
    urls: &mut Urls,
    has_room: &mut dyn FnMut(usize) -> bool,
    nested: impl FnMut(&[u8]),
) -> Result<Notes, Unread> {
    let before = urls.len();
    let (is_xml, mut source) = examined(source)?;
    if is_xml {
        return read_xml(source, most, urls, has_room, nested);
    }
    let lines = read_lines(&mut source, most, urls, |urls| match has_room(urls.memory()) {
        true => Ok(()),
        false => Err(io::ErrorKind::OutOfMemory.into()),
    })?;
    let mut notes = Notes { problems: lines.problems(), limit: None };
    match lines.skipped {
        _ if urls.len() == before && notes.problems.is_empty() => {
            return Err(Unread::Failed("it is neither XML nor a list of URLs".to_owned()));
        }
        0 => {}
        1 => notes.problems.push("1 line has no URL".to_owned()),
        lines => notes.problems.push(format!("{lines} lines have no URL")),
    }
    notes.limit = lines.is_cut.then(|| cut(urls.len() - before));
    Ok(notes)
}

/// Does the same with a sitemap or an index.
pub(super) fn read_xml(
    source: impl BufRead,
    most: Most,
    urls: &mut Urls,
    has_room: &mut dyn FnMut(usize) -> bool,
    mut nested: impl FnMut(&[u8]),
) -> Result<Notes, Unread> {
    let (before, mut others) = (urls.len(), 0);
    let (mut long, mut unreadable) = (0, 0);
    let mut limit = None;
    for location in Locations::new(source) {
        match location? {
            Location::Page(_) if most.is_reached(urls) => {
                limit = Some(cut(urls.len() - before));
                break;
            }
            Location::Page(url) => {
                urls.push(&url);
                if !has_room(urls.memory()) {
                    return Err(Unread::NoRoom);
                }
            }
            Location::Sitemap(_) if others == most.count => {
                limit = Some(cut(others));
                break;
            }
            Location::Sitemap(url) => {
                others += 1;
                nested(&url);
            }
            Location::TooLong => long += 1,
            _ => unreadable += 1,
        }
    }
    let unreadable = (unreadable > 0).then(|| {
        format!("URLs with a reference that XML does not define, or that are not UTF-8, and were not read: {unreadable}")
    });
    Ok(Notes { problems: not_read(long).into_iter().chain(unreadable).collect(), limit })
}

/// Returns a message about a file of which only so many URLs were read.
fn cut(count: usize) -> String {
    match count {
        1 => "only the first URL was read".to_owned(),
        _ => format!("only the first {count} URLs were read"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_urls_are_read_than_wanted() {
        let xml = b"<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url></urlset>";
        for (file, text) in [(&xml[..], "XML"), (b"/a\n/b\n", "a list")] {
            let reads = |most| {
                let mut urls = Urls::default();
                let notes = read(file, Most::urls(most), &mut urls, &mut |_| true, |_| {}).unwrap();
                (urls.len(), notes.limit)
            };
            assert_eq!(reads(2), (2, None), "{text}");
            assert_eq!(reads(1), (1, Some("only the first URL was read".to_owned())), "{text}");
        }
    }

    #[test]
    fn reading_ends_without_room() {
        for file in [&b"<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url></urlset>"[..], b"/a\n/b\n"] {
            let mut urls = Urls::default();
            let mut times = 0;
            let mut has_room = |_| {
                times += 1;
                times < 2
            };
            let read = read(file, Most::urls(9), &mut urls, &mut has_room, |_| {});
            assert!(matches!(read, Err(Unread::NoRoom)), "{read:?}");
        }
    }
}
