//! Lists of URLs: text, access logs, and sitemaps.

mod sitemap;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;

use robots_match::Profile;
use url::Url;

pub(crate) use self::sitemap::{Sitemaps, submitted};
use crate::arguments::is_url;
use crate::failure::{Failure, Result, reason};
use crate::network::Sites;
use crate::source::{self, Admitted};
use crate::text::Text;

/// The largest list in bytes, also after it was decompressed.
const MAX_SIZE: usize = 64 << 20;

/// The number of URLs of the longest list.
const MOST: usize = 1_000_000;

/// URLs and paths, each once, in the order of the list.
#[derive(Debug, Default)]
pub(crate) struct UrlList {
    pub(crate) urls: Vec<Vec<u8>>,
    /// The number of lines that have no URL.
    pub(crate) skipped: usize,
}

impl UrlList {
    /// Reads a file, standard input (`-`), or the sitemap at a URL.
    pub(crate) fn read(argument: &OsStr, sites: impl FnOnce() -> Result<Sites>) -> Result<Self> {
        let shown = || Text(argument.as_encoded_bytes()).to_string();
        if is_url(argument) {
            let url = argument.to_str().and_then(|url| Url::parse(url).ok());
            let url = url.ok_or_else(|| Failure::new(format!("`{}` is not a URL", shown())))?;
            let found = submitted(&[url], MOST, &sites()?);
            return match found.problems.into_iter().next() {
                Some(problem) => Err(Failure::new(problem)),
                None => Ok(Self { urls: found.urls, skipped: 0 }),
            };
        }
        let mut wide = Profile::default();
        wide.syntax.max_size = Some(MAX_SIZE);
        let read = match argument.as_encoded_bytes() {
            b"-" => source::read(io::stdin().lock(), &wide),
            _ => source::read_file(Path::new(argument), Admitted::Any, &wide),
        };
        let failed = |why: &str| Failure::new(format!("can't read the URLs of {}: {why}", shown()));
        let bytes = read.map_err(|error| failed(&reason(&error)))?;
        let bytes = plain(bytes, MAX_SIZE).map_err(|why| failed(&why))?;
        if sitemap::is_sitemap(&bytes) {
            return match sitemap::parse(&bytes, MOST) {
                Ok(Sitemaps { urls, nested, .. }) if nested.is_empty() => Ok(Self { urls, skipped: 0 }),
                Ok(_) => Err(failed("it is a sitemap index; name the URL of the index, or its sitemaps")),
                Err(why) => Err(failed(&why)),
            };
        }
        Self::of_lines(&bytes).map_err(|why| failed(&why))
    }

    /// Reads a URL or a path of each line.
    fn of_lines(bytes: &[u8]) -> core::result::Result<Self, String> {
        let mut list = Self::default();
        let mut seen = HashSet::new();
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        for line in bytes.split(|&byte| byte == b'\n' || byte == b'\r').map(<[u8]>::trim_ascii) {
            if line.is_empty() || line.first() == Some(&b'#') {
                continue;
            }
            match url_in(line) {
                Some(url) if seen.contains(url) => {}
                Some(_) if list.urls.len() == MOST => return Err(format!("more than {MOST} URLs")),
                Some(url) => {
                    seen.insert(url);
                    list.urls.push(url.to_vec());
                }
                None => list.skipped += 1,
            }
        }
        Ok(list)
    }
}

/// Returns the URL or path in a line: the target of a request, as access logs quote it, or the first word that is one.
fn url_in(line: &[u8]) -> Option<&[u8]> {
    let is_url = |word: &&[u8]| {
        let scheme = word.iter().position(|&byte| byte == b':').unwrap_or(0);
        word.first() == Some(&b'/')
            || scheme > 0
                && word.get(scheme..).is_some_and(|rest| rest.starts_with(b"://"))
                && word.iter().take(scheme).all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
    };
    // `"GET /path HTTP/1.1"`
    for quoted in line.split(|&byte| byte == b'"').skip(1).step_by(2) {
        let mut words = words(quoted);
        if let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) {
            if method.iter().all(u8::is_ascii_uppercase) && version.starts_with(b"HTTP/") {
                return Some(target).filter(is_url);
            }
        }
    }
    words(line).find(is_url)
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Returns bytes that gzip may have compressed as they were before.
pub(crate) fn plain(bytes: Vec<u8>, most: usize) -> core::result::Result<Vec<u8>, String> {
    let too_large = || format!("more than {} MiB", most >> 20);
    if bytes.len() > most {
        return Err(too_large());
    }
    if !bytes.starts_with(b"\x1F\x8B") {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    let decoder = flate2::read::MultiGzDecoder::new(&*bytes);
    decoder.take(most as u64 + 1).read_to_end(&mut plain).map_err(|_| "invalid gzip data".to_owned())?;
    if plain.len() > most { Err(too_large()) } else { Ok(plain) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn urls_are_found_in_lists_and_logs() {
        let text = |line: &str| url_in(line.as_bytes()).map(|url| String::from_utf8_lossy(url).into_owned());
        for (line, expected) in [
            ("/a?b=c", Some("/a?b=c")),
            ("https://example.com/a b", Some("https://example.com/a")),
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
        let list = UrlList::of_lines(b"\xEF\xBB\xBF/a\r\n# b\n/b\n/a\nc\n\n").unwrap();
        assert_eq!((list.urls, list.skipped), (vec![b"/a".to_vec(), b"/b".to_vec()], 1));
    }

    #[test]
    fn gzip_is_decoded_up_to_the_limit() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&vec![b'/'; 4 << 20]).unwrap();
        let bytes = encoder.finish().unwrap();
        assert_eq!(plain(bytes.clone(), 4 << 20).unwrap().len(), 4 << 20);
        assert_eq!(plain(bytes, 1 << 20).unwrap_err(), "more than 1 MiB");
        assert_eq!(plain(b"\x1F\x8Bx".to_vec(), 9).unwrap_err(), "invalid gzip data");
    }
}
