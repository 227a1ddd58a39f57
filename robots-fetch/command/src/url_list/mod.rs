//! Lists of URLs: text, access logs, and sitemaps.

mod lines;
mod sitemap;
mod urls;

use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use robots_fetch::sitemap::{Content, SitemapError};
use robots_match::syntax::{BodyKind, SyntaxPolicy};

use self::lines::{MOST, read_lines, read_table};
pub(crate) use self::lines::{UrlList, path_in};
use self::sitemap::{Enough, Unread, examined, read_xml};
pub(crate) use self::sitemap::{MOST_FILES, Reading, Room, Sitemaps, submitted};
pub(crate) use self::urls::{Most, Urls};
use crate::arguments::{has_several, is_url, site_url};
use crate::failure::{Failure, Result, reason};
use crate::network::Sites;
use crate::output::{self, Style};
use crate::source::{self, Admitted};
use crate::text::{Text, input_name};

/// The largest list in bytes, also after it was decompressed.
const MAX_SIZE: usize = 64 << 20;

impl UrlList {
    /// Reads a file, standard input (`-`), or the sitemap at a URL. Only those sitemaps of an index that can be read are used; the
    /// others are problems of the list.
    ///
    /// # Errors
    ///
    /// It can't be read, or has no URL: nothing would be checked, and that would look like a success.
    pub(crate) fn read(argument: &OsStr, sites: impl FnOnce() -> Result<Sites>) -> Result<Self> {
        let list = Self::read_any(argument, sites)?;
        if list.urls.is_empty() {
            if let Some(problem) = list.problems.into_iter().next() {
                return Err(Failure::new(problem));
            }
            let name = input_name(argument);
            return Err(Failure::new(format!(
                "the list {name} has no URL; write a URL such as `https://example.com/page`, or a path that begins with `/`, \
                 on each line, in UTF-8"
            )));
        }
        note_several(argument, &list.urls);
        Ok(list)
    }

    fn read_any(argument: &OsStr, sites: impl FnOnce() -> Result<Sites>) -> Result<Self> {
        source::require_name(argument)?;
        let shown = || Text(argument.as_encoded_bytes()).to_string();
        if is_url(argument) {
            let (url, _) = site_url(argument)?;
            let sites = sites()?;
            let reading =
                Reading { sites: &sites, named_by: None, most: Most::urls(MOST), time: sites.start() };
            let found = submitted(&[url], reading, &mut Enough);
            let problems = [found.problems, found.limits].concat();
            return Ok(Self::of_locations(found.urls, problems));
        }
        let failed = |why: &str| Failure::new(format!("can't read the URLs of {}: {why}", shown()));
        let source: io::Result<Box<dyn Read>> = match argument.as_encoded_bytes() {
            b"-" => Ok(Box::new(io::stdin().lock())),
            _ => source::open(Path::new(argument), Admitted::Any).map(|file| Box::new(file) as Box<dyn Read>),
        };
        let source = source.map_err(|error| failed(&source::reason_of(argument, &error)))?;
        let is_table = source::is_table(argument);
        Self::read_source(source, is_table).map_err(|why| match why {
            Unread::Invalid(SitemapError::Unreadable(kind, _)) => failed(&reason(&kind.into())),
            why => failed(&why.to_string()),
        })
    }

    /// Returns the number of URLs in the content of a list, or why it can't be read.
    pub(crate) fn count(bytes: &[u8]) -> Result<usize> {
        let source = Box::new(io::Cursor::new(bytes.to_vec()));
        let list = Self::read_source(source, false).map_err(|why| Failure::new(why.to_string()))?;
        Ok(list.urls.len())
    }

    fn read_source(source: Box<dyn Read>, is_table: bool) -> core::result::Result<Self, Unread> {
        let (is_xml, mut source) = examined(Content::new(BufReader::new(source), MAX_SIZE))?;
        let mut urls = Urls::default();
        if is_xml {
            let mut nested = false;
            let notes = read_xml(source, Most::urls(MOST), &mut urls, &mut |_| true, |_| nested = true)?;
            if nested {
                let why = "it is a sitemap index; name the URL of the index, or its sitemaps";
                return Err(Unread::Failed(why.to_owned()));
            }
            return match notes.limit {
                Some(_) => Err(too_many()),
                None => Ok(Self { problems: notes.problems, ..Self::of_locations(urls, Vec::new()) }),
            };
        }
        // Its rules have paths, and none of them is a URL that was meant.
        if BodyKind::of(source.fill_buf()?, &SyntaxPolicy::default()).has_rules() {
            return Err(Unread::Failed("it is a robots.txt file, not a list of URLs".to_owned()));
        }
        let lines = match is_table || lines::has_headings(source.fill_buf()?) {
            true => read_table(&mut source, Most::urls(MOST), &mut urls)?,
            false => read_lines(&mut source, Most::urls(MOST), &mut urls, |_| Ok(()))?,
        };
        if lines.is_cut {
            return Err(too_many());
        }
        Ok(Self { urls, skipped: lines.skipped, problems: lines.problems() })
    }
}

/// Says how many URLs of a list may be several.
fn note_several(argument: &OsStr, urls: &Urls) {
    let mut odd = urls.iter().filter(|url| url.contains(&b' ') || has_several(url));
    if let Some(first) = odd.next() {
        let note = format!(
            "{}: URLs with a space or another URL in them, which are read as one: {}, such as `{}`; write each URL on a line of its own",
            input_name(argument),
            1 + odd.count(),
            Text(first).short()
        );
        output::complain("note", Style::Note, &note);
    }
}

/// Returns the reason why a list that is too long is not read.
fn too_many() -> Unread {
    Unread::Failed(format!("more than {MOST} URLs, or more than 64 MiB of them"))
}
