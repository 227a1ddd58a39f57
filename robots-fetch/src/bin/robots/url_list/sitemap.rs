//! Sitemaps and indexes of sitemaps.

use alloc::collections::VecDeque;
use std::collections::HashSet;

use quick_xml::Reader;
use quick_xml::events::Event;
use robots_match::syntax::html::looks_like_html;
use url::Url;

use super::gzip::plain;
use super::lines::UrlList;
use crate::network::Sites;
use crate::text::Text;

/// The largest sitemap in bytes, as the protocol of sitemaps has it.
const MAX_SIZE: usize = 50 << 20;

/// The number of sitemaps that are read for one site, with those of indexes.
const MOST_FILES: usize = 100;

/// The longest URL in bytes.
const LONGEST: usize = 2_048;

/// The number of elements that may be inside of each other.
const DEEPEST: usize = 32;

/// The content of a sitemap, or of several.
#[derive(Debug, Default)]
pub(crate) struct Sitemaps {
    /// The URLs of pages, in the order of the sitemaps.
    pub(crate) urls: Vec<Vec<u8>>,
    /// The URLs of other sitemaps.
    pub(super) nested: Vec<Vec<u8>>,
    /// Sitemaps and URLs that could not be read, as messages.
    pub(crate) problems: Vec<String>,
    /// Limits that were reached, as messages.
    pub(crate) limits: Vec<String>,
}

/// Downloads sitemaps and those that they list, and returns at most `most` URLs. `named_by` is the URL of the file that names
/// them, unless the user does.
pub(crate) fn submitted(sitemaps: &[Url], named_by: Option<&Url>, most: usize, sites: &Sites) -> Sitemaps {
    let mut all = Sitemaps::default();
    let named_by: Vec<Url> = named_by.into_iter().cloned().collect();
    let mut waiting: VecDeque<(Url, Vec<Url>)> =
        sitemaps.iter().map(|url| (url.clone(), named_by.clone())).collect();
    let mut seen: HashSet<Url> = sitemaps.iter().cloned().collect();
    let mut count = 0;
    while let Some((url, named_by)) = waiting.pop_front() {
        let shown = Text(url.as_str().as_bytes()).to_string();
        if count == MOST_FILES || all.urls.len() == most {
            all.limits.push(format!("not all sitemaps were read: the limit was reached before {shown}"));
            break;
        }
        count += 1;
        let content = sites.download(&url, &named_by, MAX_SIZE).and_then(|bytes| plain(bytes, MAX_SIZE));
        let content = content.and_then(|bytes| {
            if is_sitemap(&bytes) {
                return parse(&bytes, most - all.urls.len());
            }
            // A sitemap may also be a list of URLs.
            UrlList::of_lines(&bytes).and_then(of_list)
        });
        match content {
            Ok(content) => {
                all.urls.extend(content.urls);
                all.problems.extend(content.problems.into_iter().map(|why| format!("{shown}: {why}")));
                all.limits.extend(content.limits.into_iter().map(|why| format!("{shown}: {why}")));
                for nested in content.nested {
                    let joined = core::str::from_utf8(&nested).ok().and_then(|nested| url.join(nested).ok());
                    match joined.filter(|nested| matches!(nested.scheme(), "http" | "https")) {
                        Some(nested) if seen.len() <= MOST_FILES && seen.insert(nested.clone()) => {
                            let mut named_by = named_by.clone();
                            named_by.push(url.clone());
                            waiting.push_back((nested, named_by));
                        }
                        Some(_) => {}
                        None => {
                            let nested = Text(&nested);
                            all.problems.push(format!("{shown}: `{nested}` is not a URL by http or https"));
                        }
                    }
                }
            }
            Err(why) => {
                let why = Text(why.as_bytes());
                all.problems.push(format!("the sitemap {shown} could not be read: {why}"));
            }
        }
        all.urls.truncate(most);
    }
    all
}

/// Returns the URLs of a list as those of a sitemap.
fn of_list(list: UrlList) -> Result<Sitemaps, String> {
    let problem = match list.skipped {
        _ if list.urls.is_empty() => return Err("it is neither XML nor a list of URLs".to_owned()),
        0 => None,
        1 => Some("1 line has no URL".to_owned()),
        lines => Some(format!("{lines} lines have no URL")),
    };
    Ok(Sitemaps { urls: list.urls, problems: problem.into_iter().collect(), ..Sitemaps::default() })
}

/// Returns whether bytes are XML.
pub(super) fn is_sitemap(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().first() == Some(&b'<')
}

/// Checks the name of the outermost element.
fn require_sitemap(root: &[u8]) -> Result<(), String> {
    match root {
        b"urlset" | b"sitemapindex" => Ok(()),
        _ if looks_like_html(&[b"<", root, b">"].concat()) => {
            Err("it is an HTML page, not a sitemap".to_owned())
        }
        _ => Err(format!("it is not a sitemap: its outermost element is `{}`", Text(root))),
    }
}

/// Reads the `loc` elements of a sitemap, or of an index. Entities of a document type are not expanded.
pub(super) fn parse(bytes: &[u8], most: usize) -> Result<Sitemaps, String> {
    let mut reader = Reader::from_reader(bytes);
    let mut found = Sitemaps::default();
    // The names of the open elements.
    let mut open: Vec<Vec<u8>> = Vec::new();
    let mut loc: Option<Vec<u8>> = None;
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) if open.len() == DEEPEST => return Err("too many nested elements".to_owned()),
            Ok(Event::Start(start)) => {
                if open.is_empty() {
                    require_sitemap(start.local_name().as_ref())?;
                }
                open.push(start.local_name().as_ref().to_vec());
                loc = (start.local_name().as_ref() == b"loc").then(Vec::new);
            }
            Ok(Event::Empty(only)) if open.is_empty() => require_sitemap(only.local_name().as_ref())?,
            Ok(Event::Text(text)) => extend(&mut loc, &text),
            Ok(Event::CData(text)) => extend(&mut loc, &text),
            Ok(Event::GeneralRef(name)) => {
                let char = match &*name {
                    b"amp" => Some('&'),
                    b"lt" => Some('<'),
                    b"gt" => Some('>'),
                    b"quot" => Some('"'),
                    b"apos" => Some('\''),
                    _ => name.resolve_char_ref().ok().flatten(),
                };
                extend(&mut loc, char.map(String::from).unwrap_or_default().as_bytes());
            }
            Ok(Event::End(_)) => {
                open.pop();
                let Some(url) = loc.take() else { continue };
                // Other elements called `loc`, such as those of images, are in other elements.
                let list = match open.last().map(Vec::as_slice) {
                    Some(b"url") => &mut found.urls,
                    Some(b"sitemap") => &mut found.nested,
                    _ => continue,
                };
                let url = url.trim_ascii().to_vec();
                if list.len() >= most {
                    found.limits.push(match most {
                        1 => "only the first URL was read".to_owned(),
                        _ => format!("only the first {most} URLs were read"),
                    });
                    return Ok(found);
                }
                if !url.is_empty() {
                    list.push(url);
                }
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(_) if open.is_empty() && looks_like_html(bytes) => {
                return Err("it is an HTML page, not a sitemap".to_owned());
            }
            Err(error) => return Err(format!("invalid XML at byte {}: {error}", reader.error_position())),
        }
    }
    Ok(found)
}

/// Adds text to the element that is open.
fn extend(loc: &mut Option<Vec<u8>>, text: &[u8]) {
    if let Some(loc) = loc {
        let left = LONGEST.saturating_sub(loc.len());
        loc.extend_from_slice(text.get(..left).unwrap_or(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_of_sitemaps_and_indexes_are_read() {
        let xml = b"<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e \"eee\">]><urlset xmlns=\"x\" xmlns:image=\"y\">\n\
            <url><loc> https://example.com/?a=1&amp;b=&#x41;&e; </loc><image:image><image:loc>https://i/</image:loc></image:image></url>\
            <url><loc><![CDATA[https://example.com/c]]></loc></url><url><loc/><loc></loc></url></urlset>";
        let found = parse(xml, 9).unwrap();
        let expected = ["https://example.com/?a=1&b=A", "https://example.com/c"];
        assert_eq!(found.urls, expected.map(|url| url.as_bytes().to_vec()));
        let one = parse(xml, 1).unwrap();
        assert_eq!((one.urls.len(), one.limits.len()), (1, 1));
        let index = b"<sitemapindex><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>";
        assert_eq!(parse(index, 9).unwrap().nested, [b"https://example.com/a.xml"]);
        assert!(parse(b"<urlset><url></loc>", 9).unwrap_err().starts_with("invalid XML at byte "));
        for page in
            ["<!DOCTYPE html><title>x<br></p>", "<HTML></HTML>", "<?xml version=\"1.0\"?><html xmlns=\"x\"/>"]
        {
            assert_eq!(parse(page.as_bytes(), 9).unwrap_err(), "it is an HTML page, not a sitemap", "{page}");
        }
        let other = "it is not a sitemap: its outermost element is `rss`";
        assert_eq!(parse(b"<rss><channel/></rss>", 9).unwrap_err(), other);
    }
}
