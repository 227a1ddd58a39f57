//! What a text given by a person, a list or a log means: a URL or a path, as a client requests it.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use percent_encoding::percent_decode_str;
use robots_groups::syntax::is_hidden;
use url::{Position, Url};

use crate::last_label::LastLabel;
use crate::misspelt::is_one_mistake;
use crate::policy::MatchPolicy;
use crate::rule_set::RuleSet;
use crate::url_text::path_in;
use crate::verdict::{Reason, Verdict};

/// A URL or a path that was given as text, as a client requests it.
///
/// The text is read as the [URL standard](https://url.spec.whatwg.org/) says: `..` is resolved, `\` is `/`, the fragment is
/// removed, and characters that clients encode are percent-encoded. A text that begins with `/` is a path. Any other text is
/// an error, and never a URL that no rule matches.
///
/// ```
/// use robots_match::{Crawler, Profile, Robots, Target};
///
/// let target = Target::parse("https://example.com/caf\u{e9}/../\u{e9}?q='a'#top")?;
/// assert_eq!(target.path(), b"/%C3%A9?q=%27a%27");
/// assert!(Target::parse("example.com/a").is_err());
/// assert!(Target::parse("mailto:a@example.com").is_err());
///
/// let robots = Robots::new("User-agent: *\nDisallow: /\u{e9}\n", Profile::GOOGLE);
/// let rules = robots.rules(&Crawler::new("ExampleBot").unwrap());
/// assert!(!rules.check(target.path()).is_allowed());
/// // Google's parser compares the bytes as they are written.
/// assert!(target.differs_as_written(&rules).unwrap().is_allowed());
/// # Ok::<(), robots_match::InvalidTarget>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target<'t> {
    written: &'t [u8],
    path: Cow<'t, [u8]>,
    is_path: bool,
}

impl<'t> Target<'t> {
    /// The schemes of URLs to which a robots.txt applies.
    pub const SCHEMES: [&'static str; 3] = ["http", "https", "ftp"];

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// The text is neither a URL with a host and one of [`Self::SCHEMES`], nor a path that begins with `/`.
    ///
    /// # Complexity
    ///
    /// Linear in the length of the text. Nothing is allocated for texts that clients request as they are written.
    pub fn parse(text: &'t (impl AsRef<[u8]> + ?Sized)) -> Result<Self, InvalidTarget> {
        Self::read(text.as_ref()).map_err(|(written, mistake)| {
            let meant = meant(&String::from_utf8_lossy(written), &mistake);
            InvalidTarget { text: shown(written), mistake, meant }
        })
    }

    /// Reads a text; the error has the text without space before a URL.
    fn read(written: &'t [u8]) -> Result<Self, (&'t [u8], Mistake)> {
        // Clients remove space before a URL; that after it is removed where the URL is read.
        let space = written.iter().take_while(|byte| **byte <= b' ').count();
        let trimmed = written.get(space..).unwrap_or_default();
        let written = if TextForm::of(trimmed) == TextForm::Url { trimmed } else { written };
        let form = TextForm::of(written);
        let error = |mistake| Err((written, mistake));
        match form {
            TextForm::Path => {
                if is_plain(written) {
                    return Ok(Self { written, path: Cow::Borrowed(written), is_path: true });
                }
                let whole = [b"http://host", written].concat();
                match parsed(&whole) {
                    Ok(url) => Ok(Self { written, path: Cow::Owned(path_and_query(&url)), is_path: true }),
                    Err(_) => error(Mistake::Unknown),
                }
            }
            TextForm::Url => {
                // Browsers skip slashes and take the path for the host, which is not what was meant.
                if has_empty_host(written) {
                    return error(Mistake::NoHost);
                }
                // As in `https:\/\/example.com\/`, a string of JSON. Browsers take each backslash for one more slash.
                if is_escaped(written) {
                    return error(Mistake::Escaped);
                }
                // As in `http://http://example.com/` and `https://https//example.com/`, where the host would be `http`.
                if has_scheme_as_host(written) {
                    return error(Mistake::TwoSchemes);
                }
                if let Some(path) = plain_path(written) {
                    return Ok(Self { written, path: Cow::Borrowed(path), is_path: false });
                }
                // As in `htps://example.com/`, and `hxxps://example[.]com/`, which is written so that it is no link.
                if written.split(|byte| *byte == b':').next().and_then(meant_scheme).is_some() {
                    return error(Mistake::MisspeltScheme);
                }
                match parsed(written) {
                    Ok(url) if !Self::SCHEMES.contains(&url.scheme()) => error(Mistake::OtherScheme),
                    Ok(url) => Ok(Self { written, path: Cow::Owned(path_and_query(&url)), is_path: false }),
                    Err(url::ParseError::EmptyHost) => error(Mistake::NoHost),
                    Err(cause) => error(Mistake::Url(cause)),
                }
            }
            TextForm::Empty => error(Mistake::Empty),
            // As in `href="https://example.com"`.
            TextForm::WithoutScheme if is_around_url(written) => error(Mistake::Unknown),
            TextForm::WithoutScheme => error(Mistake::NoScheme),
            TextForm::OtherScheme => error(Mistake::Scheme),
            TextForm::Unknown => error(Mistake::Unknown),
        }
    }

    /// Returns the path and query that a client requests, for [`RuleSet::check`].
    #[must_use]
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// Returns the same without a copy.
    #[must_use]
    pub fn into_path(self) -> Cow<'t, [u8]> {
        self.path
    }

    /// Returns whether the text is a path, and not a whole URL.
    #[must_use]
    pub const fn is_path(&self) -> bool {
        self.is_path
    }

    /// Returns the URL; `None` for a path.
    #[must_use]
    pub fn url(&self) -> Option<Url> {
        if self.is_path { None } else { parsed(self.written).ok() }
    }

    /// Returns the path and query as they are written, if a client requests others.
    #[must_use]
    pub fn written_path(&self, policy: &MatchPolicy) -> Option<Cow<'t, [u8]>> {
        let end = memchr::memchr(b'#', self.written).unwrap_or(self.written.len());
        let written = path_in(self.written.get(..end)?, policy)?;
        (written != self.path).then_some(written)
    }

    /// Returns the verdict on the text as it is written, if it differs from the verdict on what a client requests.
    #[must_use]
    pub fn differs_as_written(&self, rules: &RuleSet) -> Option<Verdict> {
        // Borrowed bytes are those of the text.
        if matches!(self.path, Cow::Borrowed(_)) {
            return None;
        }
        let written = self.written_path(rules.policy())?;
        let verdict = rules.check(written);
        (verdict.is_allowed() != rules.check(self.path()).is_allowed()).then_some(verdict)
    }
}

impl RuleSet {
    /// Returns whether what a client requests for a text may be accessed: the verdict on the path of [`Target::parse`], or
    /// [`Reason::NotUrl`], which is not allowed.
    ///
    /// ```
    /// use robots_match::{Crawler, Profile, RuleSet};
    ///
    /// let file = "User-agent: *\nDisallow: /caf\u{e9}/\n".as_bytes();
    /// let rules = RuleSet::parse(file, &Crawler::new("ExampleBot")?, &Profile::GOOGLE);
    /// assert_eq!(rules.check_requested("https://example.com/a/../caf\u{e9}/").line(), Some(2));
    /// assert!(!rules.check_requested("mailto:a@example.com").is_allowed());
    /// # Ok::<(), robots_match::InvalidName>(())
    /// ```
    #[must_use]
    pub fn check_requested(&self, text: impl AsRef<[u8]>) -> Verdict {
        match Target::parse(text.as_ref()) {
            Ok(target) => self.check(target.path()),
            Err(_) => Verdict::new(Reason::NotUrl),
        }
    }
}

/// The error for a text that is neither a URL nor a path. Its message names the text and says what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTarget {
    text: String,
    mistake: Mistake,
    meant: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Mistake {
    Empty,
    NoScheme,
    Scheme,
    OtherScheme,
    MisspeltScheme,
    NoHost,
    TwoSchemes,
    Escaped,
    Unknown,
    Url(url::ParseError),
}

impl InvalidTarget {
    /// Returns whether the text is a URL without its scheme, such as `example.com/page`.
    #[must_use]
    pub fn is_without_scheme(&self) -> bool {
        self.mistake == Mistake::NoScheme
    }

    /// Returns the URL that was most likely meant, if one can be guessed.
    ///
    /// ```
    /// use robots_match::Target;
    ///
    /// for text in ["example.com/a", "https//example.com/a", "htpts://example.com/a", "(see https://example.com/a)"] {
    ///     assert_eq!(Target::parse(text).unwrap_err().meant(), Some("https://example.com/a"));
    /// }
    /// assert_eq!(Target::parse("mailto:a@example.com").unwrap_err().meant(), None);
    /// ```
    #[must_use]
    pub fn meant(&self) -> Option<&str> {
        self.meant.as_deref()
    }

    /// Returns whether the text has the form of a URL, but is not one to which a robots.txt applies.
    #[must_use]
    pub fn is_url(&self) -> bool {
        !matches!(self.mistake, Mistake::Empty | Mistake::NoScheme | Mistake::Scheme | Mistake::Unknown)
    }

    /// Returns whether the text has a host or a port that is not valid.
    #[must_use]
    pub fn is_about_host(&self) -> bool {
        matches!(self.mistake, Mistake::Url(_))
    }
}

impl fmt::Display for InvalidTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match &self.mistake {
            Mistake::NoScheme => write!(f, "`{text}`: missing scheme")?,
            Mistake::MisspeltScheme => write!(f, "`{text}`: misspelt scheme")?,
            Mistake::OtherScheme => {
                let scheme = text.split(':').next().unwrap_or_default();
                let [http, https, ftp] = Target::SCHEMES;
                return write!(
                    f,
                    "`{text}`: scheme `{scheme}` is not supported; use {http}, {https} or {ftp}"
                );
            }
            Mistake::NoHost => write!(f, "`{text}` has no host")?,
            Mistake::TwoSchemes => write!(f, "`{text}` has two schemes")?,
            Mistake::Escaped => write!(f, "`{text}` has escapes of JSON")?,
            Mistake::Empty | Mistake::Scheme | Mistake::Unknown => {
                write!(f, "`{text}` is neither a URL nor a path")?;
            }
            Mistake::Url(error) => write!(f, "`{text}` is not a URL: {error}")?,
        }
        match (&self.meant, &self.mistake) {
            (Some(meant), Mistake::NoScheme) => {
                write!(f, "; did you mean `{}`? A path begins with `/`", shown(meant.as_bytes()))
            }
            (Some(meant), _) => write!(f, "; did you mean `{}`?", shown(meant.as_bytes())),
            (None, Mistake::Url(_) | Mistake::OtherScheme) => Ok(()),
            (None, Mistake::NoHost | Mistake::TwoSchemes | Mistake::Escaped | Mistake::MisspeltScheme) => {
                f.write_str("; write a URL such as `https://example.com/page`")
            }
            (None, _) => f.write_str(
                "; write a URL such as `https://example.com/page`, or a path that begins with `/`",
            ),
        }
    }
}

impl core::error::Error for InvalidTarget {}

/// Returns the URL that was most likely meant by a text that is none.
fn meant(text: &str, mistake: &Mistake) -> Option<String> {
    let is_special = |name: &str| ["http", "https"].iter().any(|known| known.eq_ignore_ascii_case(name));
    let url = match mistake {
        Mistake::NoScheme => match text.split_once("//") {
            // As in `https//example.com`, `https;//example.com` and `https//:example.com`.
            Some((name, rest)) if is_special(name.trim_end_matches([';', '.', ','])) => {
                format!("{}://{}", name.trim_end_matches([';', '.', ',']), rest.trim_start_matches(':'))
            }
            // As in `https%3A%2F%2Fexample.com`, the value of a parameter.
            _ if text.split_once('%').is_some_and(|(name, _)| is_special(name)) => {
                percent_decode_str(text).decode_utf8().ok()?.into_owned()
            }
            _ if is_file_name(text.split(['/', ':', '?', '#']).next()?) => return None,
            _ => format!("https://{text}"),
        },
        Mistake::MisspeltScheme => {
            let (name, rest) = text.split_once(':')?;
            format!("{}:{}", meant_scheme(name.as_bytes())?, rest.replace("[.]", "."))
        }
        Mistake::TwoSchemes => {
            let (name, rest) = text.split_once("://")?.1.split_once('/')?;
            format!("{}://{}", name.trim_end_matches(':'), rest.trim_start_matches('/'))
        }
        Mistake::Escaped => text.replace("\\/", "/").replace("\\u002F", "/").replace("\\u002f", "/"),
        // Around a URL are quotation marks, brackets or other text.
        Mistake::Scheme | Mistake::Unknown => {
            let colon = text.match_indices("://").find_map(|(colon, _)| {
                let name = text.get(..colon)?.rsplit(|char: char| !char.is_ascii_alphabetic()).next()?;
                is_special(name).then_some(colon - name.len())
            })?;
            let url = text.get(colon..)?;
            let is_end =
                |char: char| char.is_whitespace() || "<>\"'`)]}\u{201D}\u{2019}\u{BB}".contains(char);
            String::from(url.split(is_end).next()?)
        }
        Mistake::Url(_) if text.contains("[.]") => text.replace("[.]", "."),
        // As in `https:// example.com` and `https:///example.com`.
        Mistake::NoHost | Mistake::Url(_) => {
            let (name, rest) = text.split_once("://")?;
            let rest = rest.trim_start_matches(['/', ' ']);
            let host = rest.split('/').next().filter(|host| is_special(name) && host.contains('.'))?;
            format!("{name}://{host}{}", rest.get(host.len()..)?)
        }
        Mistake::Empty | Mistake::OtherScheme => return None,
    };
    // A host such as `a..b` is valid as a URL, and no name server knows it.
    let is_url = Target::read(url.as_bytes()).is_ok_and(|target| !has_empty_label(target.written));
    (!url.contains(char::is_control) && is_url).then_some(url)
}

/// Returns whether two dots of a host follow each other.
fn has_empty_label(url: &[u8]) -> bool {
    let host = url.splitn(4, |byte| *byte == b'/').nth(2).unwrap_or_default();
    host.windows(2).any(|pair| pair == b"..")
}

/// Returns whether a URL begins after a word that can't be a host, and so is all that was meant.
fn is_around_url(text: &[u8]) -> bool {
    let before = memchr::memmem::find(text, b"://").and_then(|colon| text.get(..colon)).unwrap_or_default();
    before.iter().any(u8::is_ascii_punctuation) && !before.iter().any(|byte| b"./:?#-".contains(byte))
}

/// Returns the scheme that was meant by one that differs from it by one mistake, or by `hxxp` or `hxxps`.
fn meant_scheme(name: &[u8]) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    match &*name {
        b"http" | b"https" => None,
        b"hxxp" => Some("http"),
        b"hxxps" => Some("https"),
        _ => ["https", "http"].into_iter().find(|known| is_one_mistake(&name, known.as_bytes())),
    }
}

/// The form of a text by its beginning; the rest is not checked.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum TextForm {
    /// It begins with a scheme and `://`, or with a scheme that needs no slashes, such as `https:`.
    Url,
    /// It begins with `/`.
    Path,
    /// It may be a URL whose scheme was forgotten, such as `example.com/page`.
    WithoutScheme,
    /// It begins with something that reads as a scheme, but `//` does not follow: `mailto:a@example.com`, `C:\page`.
    OtherScheme,
    /// Nothing.
    Empty,
    /// Anything else.
    Unknown,
}

impl TextForm {
    /// Returns the form of a text.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        // Most texts are these URLs.
        if text.starts_with(b"https://") || text.starts_with(b"http://") {
            return Self::Url;
        }
        let is_scheme_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let name_len = text.iter().take_while(|byte| is_scheme_byte(byte)).count();
        let (name, rest) = text.split_at_checked(name_len).unwrap_or_default();
        let is_special =
            ["http", "https", "ftp"].iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name));
        match (name, rest) {
            ([], []) => Self::Empty,
            ([], [b'/', ..]) => Self::Path,
            ([first, ..], [b':', rest @ ..]) if first.is_ascii_alphabetic() => match rest {
                [b'/', b'/', ..] => Self::Url,
                // A port.
                [digit, ..] if digit.is_ascii_digit() && !is_special => Self::WithoutScheme,
                _ if is_special => Self::Url,
                _ => Self::OtherScheme,
            },
            ([first, ..], _) if first.is_ascii_alphanumeric() && !text.contains(&b'\\') => {
                // As in `GET /page HTTP/1.1`.
                let host = text.split(|byte| *byte == b'/').next().unwrap_or_default();
                if host.contains(&b' ') { Self::Unknown } else { Self::WithoutScheme }
            }
            _ => Self::Unknown,
        }
    }
}

/// Returns the URL of the site that a text most likely stands for that has no scheme: a host with a dot or a port, `localhost` or
/// an address. Names such as `index.html` are those of files. Addresses and `localhost` are asked by `http`, others by `https`.
#[doc(hidden)]
#[must_use]
pub fn site_without_scheme(text: &str) -> Option<String> {
    let end = text.find(['/', ':']).unwrap_or(text.len());
    let (host, rest) = text.split_at_checked(end)?;
    let has_port = match rest.strip_prefix(':').map(|rest| rest.split('/').next().unwrap_or_default()) {
        Some(port) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => true,
        Some(_) => return None,
        None => false,
    };
    let has_dot = !host.starts_with('.') && host.contains('.') && !is_file_name(host);
    let is_local = host == "localhost" || host.parse::<core::net::Ipv4Addr>().is_ok();
    let url = format!("{}://{text}", if is_local { "http" } else { "https" });
    let is_url = Url::parse(&url).is_ok_and(|url| url.has_host());
    ((is_local || has_port || has_dot) && is_url && !has_empty_label(url.as_bytes())).then_some(url)
}

/// Returns whether a name ends as those of files do, and no host does.
fn is_file_name(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, last)| LastLabel::of(last.as_bytes()) == LastLabel::File)
}

/// Returns whether nothing is between `://` and the path of a URL.
fn has_empty_host(url: &[u8]) -> bool {
    let rest = url.iter().position(|&byte| byte == b':').and_then(|colon| url.get(colon + 1..));
    let after = rest.and_then(|rest| rest.strip_prefix(b"//"));
    after.is_some_and(|after| matches!(after.first(), None | Some(b'/' | b'\\' | b'?' | b'#')))
        && !url.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"file:"))
}

/// Returns whether a second scheme is in the place of the host.
fn has_scheme_as_host(url: &[u8]) -> bool {
    let rest = url.iter().position(|&byte| byte == b':').and_then(|colon| url.get(colon + 1..));
    let host = rest.and_then(|rest| rest.strip_prefix(b"//")).unwrap_or_default();
    let length = host.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (name, after) = host.split_at_checked(length).unwrap_or_default();
    // Also `http://https:/example.com/`: no client sends an empty port.
    (after.starts_with(b"//") || after.starts_with(b":/"))
        && ["http", "https"].iter().any(|scheme| scheme.as_bytes().eq_ignore_ascii_case(name))
}

/// Returns whether the slashes after the scheme are written as in a string of JSON.
fn is_escaped(url: &[u8]) -> bool {
    let rest = url.iter().position(|&byte| byte == b':').and_then(|colon| url.get(colon + 1..));
    let rest = rest.unwrap_or_default();
    rest.starts_with(b"\\/\\/")
        || rest.get(..12).is_some_and(|start| start.eq_ignore_ascii_case(b"\\u002F\\u002F"))
}

fn path_and_query(url: &Url) -> Vec<u8> {
    let path = &url[Position::BeforePath..Position::AfterQuery];
    if path.starts_with('/') { Vec::from(path) } else { [b"/", path.as_bytes()].concat() }
}

/// Returns the URL of a text. Bytes that are not UTF-8 are percent-encoded, as clients do.
fn parsed(text: &[u8]) -> Result<Url, url::ParseError> {
    if let Ok(text) = core::str::from_utf8(text) {
        return Url::parse(text);
    }
    let mut encoded = String::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        encoded.push_str(chunk.valid());
        for byte in chunk.invalid() {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    Url::parse(&encoded)
}

/// Returns whether a client requests a path and query as it is written.
fn is_plain(path: &[u8]) -> bool {
    let is_kept = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~!$&()*+,;=:@%/?".contains(byte);
    let mut before = 0;
    path.iter().all(|byte| {
        // `..` and `%2E%2E` between slashes are resolved.
        let may_be_dots = before == b'/' && *byte == b'.' || before == b'%' && *byte == b'2';
        before = *byte;
        is_kept(byte) && !may_be_dots
    }) && !path.ends_with(b"/.")
}

/// Returns the path and query of a URL that a client requests as it is written, if that is plain to see.
fn plain_path(url: &[u8]) -> Option<&[u8]> {
    let rest = url.strip_prefix(b"https://").or(url.strip_prefix(b"http://"))?;
    let (host, path) = rest.split_at_checked(memchr::memchr(b'/', rest)?)?;
    let is_host =
        host.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(byte));
    // Other ends may be those of an IPv4 address, and labels with two hyphens may be A-labels.
    let is_name = host.last().is_some_and(u8::is_ascii_lowercase)
        && !host.windows(2).any(|pair| pair == b"--" || pair == b"..")
        && !host.starts_with(b".")
        && !host.rsplit(|byte| *byte == b'.').next().is_some_and(|label| label.starts_with(b"0x"));
    (is_host && is_name && is_plain(path)).then_some(path)
}

/// Returns a text for a message: short, and without hidden characters.
fn shown(text: &[u8]) -> String {
    const SHOWN: usize = 120;
    let text = String::from_utf8_lossy(text);
    let mut shown = String::new();
    for char in text.chars().take(SHOWN) {
        match is_hidden(char) {
            true => shown.extend(char.escape_default()),
            false => shown.push(char),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pasted_with_a_url_is_no_part_of_it() {
        assert_eq!(path(" \t\nhttps://example.com/a \n").as_deref(), Ok("/a"));
        for text in ["http://http://example.com/a", "https://HTTPS//example.com/a", "http://http:///a"] {
            assert!(path(text).unwrap_err().contains("has two schemes"), "{text}");
        }
        for text in ["http://http/a", "http://http.example.com//a", "http://https:8080/a"] {
            assert!(path(text).is_ok(), "{text}");
        }
        // No text is read again and again.
        assert!(Target::parse(&"http://".repeat(200_000)).is_err());
        assert!(path("GET /a HTTP/1.1").unwrap_err().contains("is neither a URL nor a path"));
    }

    #[test]
    fn the_url_that_was_meant_is_named() {
        for (text, meant) in [
            ("example.com/a", "https://example.com/a"),
            ("https//example.com/a", "https://example.com/a"),
            ("HTTP;//example.com/a", "HTTP://example.com/a"),
            ("example.com//a", "https://example.com//a"),
            ("hxxp://example.com/a", "http://example.com/a"),
            ("hxxps://example[.]com/a", "https://example.com/a"),
            ("https://example[.]com/a", "https://example.com/a"),
            ("htttps://example.com/a", "https://example.com/a"),
            ("ttps://example.com/a", "https://example.com/a"),
            ("HTPS://example.com/a", "https://example.com/a"),
            ("htp://example.com/a", "http://example.com/a"),
            ("https://https://example.com/a", "https://example.com/a"),
            ("https://http//example.com/a", "http://example.com/a"),
            ("<https://example.com/a>", "https://example.com/a"),
            ("[page](https://example.com/a)", "https://example.com/a"),
            ("view-source:https://example.com/a", "https://example.com/a"),
            ("curl -I https://example.com/a -o x", "https://example.com/a"),
            ("url=https://example.com/a", "https://example.com/a"),
            ("href=\"https://example.com/a\"", "https://example.com/a"),
            ("link:https://example.com/a", "https://example.com/a"),
            ("example.com/go?to=https://example.org/a", "https://example.com/go?to=https://example.org/a"),
            ("example.com?to=https://example.org/a", "https://example.com?to=https://example.org/a"),
            ("localhost:80/https://example.org/a", "https://localhost:80/https://example.org/a"),
            ("http//:example.com/a", "http://example.com/a"),
            ("https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc", "https://example.com/a?b=c"),
            ("HTTP%3a%2f%2fexample.com", "HTTP://example.com"),
            ("https:// example.com/a", "https://example.com/a"),
            ("https:///example.com/a", "https://example.com/a"),
            ("\u{201C}https://example.com/a\u{201D}", "https://example.com/a"),
        ] {
            assert_eq!(Target::parse(text).unwrap_err().meant(), Some(meant), "{text}");
        }
        for text in [
            "",
            "mailto:a@example.com",
            "https://",
            "https:///",
            "https:///a/b",
            "https:// ",
            "GET /a",
            "(https://)",
            "https%",
            "https%25.example.com",
            "https%3A%2F%2Fexample.com%2F%0A",
            "https%3A%2F%2Fexample.com%2F%FF",
            "a%/b",
            "example.com/\u{1b}[0m",
            "example..com/a",
            "a..b",
        ]
        .iter()
        .chain(&["https://[::1/a", "https://a b/", "javascript:x"])
        {
            assert_eq!(Target::parse(text).unwrap_err().meant(), None, "{text}");
        }
        for text in ["ws://example.com/", "sftp://example.com/", "file:///a", "gopher://example.com"] {
            assert!(path(text).unwrap_err().ends_with(" is not supported; use http, https or ftp"), "{text}");
            assert_eq!(Target::parse(text).unwrap_err().meant(), None, "{text}");
        }
    }

    fn path(text: &str) -> Result<String, String> {
        let target = Target::parse(text).map_err(|error| alloc::string::ToString::to_string(&error))?;
        Ok(String::from_utf8_lossy(target.path()).into_owned())
    }

    #[test]
    fn texts_are_read_as_clients_request_them() {
        for (text, expected) in [
            ("/", "/"),
            ("/a?b=c", "/a?b=c"),
            ("/a/./b/../c", "/a/c"),
            ("/a/%2e%2E/b", "/b"),
            ("//a/b", "//a/b"),
            ("/caf\u{e9}", "/caf%C3%A9"),
            ("/\u{43a}?\u{43a}", "/%D0%BA?%D0%BA"),
            ("/caf%c3%a9", "/caf%c3%a9"),
            ("/a b\"<>`{}", "/a%20b%22%3C%3E%60%7B%7D"),
            ("/a'b?c='d'", "/a'b?c=%27d%27"),
            ("/a\\b", "/a/b"),
            ("/a#b", "/a"),
            ("/a?", "/a?"),
            ("/a\tb\n", "/ab"),
            ("/.", "/"),
            ("/a|b^c[d]", "/a|b^c[d]"),
            ("https://example.com", "/"),
            ("https://example.com?a", "/?a"),
            ("http:/example.com/private", "/private"),
            ("http:example.com/private", "/private"),
            ("http://example.com\\private", "/private"),
            ("HTTPS://EXAMPLE.com/A/../B", "/B"),
            ("https://user@example.com:8080/a#b", "/a"),
            ("https://127.0.0.1/a", "/a"),
            ("https://[::1]:80/a", "/a"),
            ("ftp://example.com/a;b", "/a;b"),
        ] {
            assert_eq!(path(text).as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(Target::parse(b"/caf\xE9").map(|target| target.path().to_vec()), Ok(b"/caf%E9".to_vec()));
    }

    #[test]
    fn the_short_way_agrees_with_the_standard() {
        for path in ["/", "/a.b/c?d=e&f=/g/h", "/a%20b", "/.well-known", "/a/.b", "/x.", "/%2", "/%41"] {
            for text in
                [String::from(path), format!("https://example.com{path}"), format!("http://a-b.c0m.de{path}")]
            {
                let target = Target::parse(&text).unwrap();
                let whole = if target.is_path() { format!("http://host{text}") } else { text.clone() };
                assert_eq!(target.path(), path_and_query(&Url::parse(&whole).unwrap()), "{text}");
                assert_eq!(target.url().is_some(), !target.is_path());
            }
        }
    }

    #[test]
    fn other_texts_are_errors() {
        for text in [
            "",
            "private",
            "example.com",
            "example.com:80/a",
            "mailto:a@example.com",
            "data:text/plain,a",
            "javascript:alert(1)",
            "C:\\page",
            "*.gif",
            "?a",
            "#a",
            "\\a",
            " /a",
            "http:",
            "http://",
            "https:///",
            "https://a b/",
            "https://exa_mple.com:99999/",
        ] {
            let error = path(text).unwrap_err();
            assert!(!error.is_empty() && !error.contains('\n'), "{text}");
        }
    }

    #[test]
    fn sites_without_a_scheme_are_recognised() {
        for (text, expected) in [
            ("example.com/", Some("https://example.com/")),
            ("example.com", Some("https://example.com")),
            ("example.com:8080", Some("https://example.com:8080")),
            ("localhost:9101", Some("http://localhost:9101")),
            ("127.0.0.1:8000", Some("http://127.0.0.1:8000")),
            ("127.0.0.1", Some("http://127.0.0.1")),
            ("host:80/x", Some("https://host:80/x")),
            ("allegro.pl", Some("https://allegro.pl")),
            ("none.txt", None),
            ("index.html", None),
            ("Sitemap.XML", None),
            ("app.js/", None),
            ("../robots.txt", None),
            ("none", None),
            ("a:b", None),
        ] {
            assert_eq!(site_without_scheme(text).as_deref(), expected, "{text}");
        }
    }
}
