//! A response with a page: its status and fields, what its body is, and what it says beside its rules.

use core::fmt;
use std::ffi::OsStr;

use robots_fetch::client::blocking::Looked;
use robots_fetch::page::{FieldName, Hint, HintKind, PagePolicy, PageReader};
use robots_match::syntax::{BodyKind, Lines, Record, SyntaxPolicy};
use url::Url;

use crate::failure::{Failure, Result};
use crate::text::{Text, input_name};

/// A response, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Response {
    /// The status, if it is known.
    pub(super) status: Option<u16>,
    pub(super) fields: Vec<(String, Vec<u8>)>,
    pub(super) body: Vec<u8>,
    /// Whether the body has more bytes.
    pub(super) is_cut: bool,
}

/// What a response says beside its rules.
#[derive(Debug)]
pub(crate) struct Remark {
    pub(super) code: &'static str,
    text: String,
    /// The line in the page, from 1.
    pub(super) line: Option<u32>,
    /// The URL that search engines may show in place of the page.
    pub(super) url: Option<String>,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} (line {line})", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl From<Looked> for Response {
    fn from(looked: Looked) -> Self {
        let Looked { status, fields, body, is_cut, .. } = looked;
        Self { status: Some(status), fields, body, is_cut }
    }
}

impl Response {
    /// Returns a reader that has the fields.
    pub(super) fn reader(&self, policy: PagePolicy) -> PageReader {
        let mut reader = PageReader::new(policy);
        for (name, value) in &self.fields {
            reader.field(name.as_bytes(), value);
        }
        reader
    }

    /// Returns what the body is, if it should be HTML and is not.
    pub(super) fn not_a_page(&self) -> Option<String> {
        let reader = self.reader(PagePolicy::default());
        // What could not be decoded is not read to its end.
        let is_missing = self.is_cut && self.body.is_empty();
        if reader.wants_html() && !is_missing { not_a_page(&reader, &self.body) } else { None }
    }

    /// Returns a remark on the rules of a redirect.
    pub(super) fn redirect_remark(&self, url: &Url) -> Option<Remark> {
        let of_rules = |(name, value): &(String, Vec<u8>)| {
            Some((FieldName::find(name.as_bytes())?, Text(value).short()))
        };
        let (name, value) = self.fields.iter().find_map(of_rules)?;
        let text = format!(
            "{}: {value} is a field of the redirect at {}; it has no effect on the page to which that leads",
            name.name(),
            Text(url.as_str().as_bytes()).short()
        );
        Some(Remark { code: "redirect-rule", text, line: None, url: None })
    }

    /// Returns what the response says beside its rules. `url` is that of the page, if it has one.
    pub(super) fn remarks(&self, url: Option<&Url>) -> Vec<Remark> {
        let mut remarks: Vec<Remark> = self.fields.iter().filter_map(|(name, _)| misspelt(name)).collect();
        let reader = self.reader(PagePolicy::default());
        let hints = if reader.wants_html() {
            reader.hints(&self.body)
        } else {
            if not_a_page(&reader, &self.body).is_none() {
                let media = self.values("content-type").last().unwrap_or_default();
                let text = format!(
                    "the body looks like an HTML page, but it is sent as {}, so no rule in it counts",
                    Text(media).short()
                );
                remarks.push(Remark { code: "not-html", text, line: None, url: None });
            }
            Vec::new()
        };
        let base = hints.iter().find(|hint| hint.kind == HintKind::Base);
        let base = base.and_then(|base| joined(url, &base.value)).or_else(|| url.cloned());
        let of_field = |kind, value: &[u8]| (kind, String::from_utf8_lossy(value).into_owned(), None);
        let canonical =
            self.values("link").find_map(canonical).map(|target| of_field(HintKind::Canonical, target));
        let refresh = self.values("refresh").next().map(|value| of_field(HintKind::Refresh, value));
        let of_element = |hint: &Hint| (hint.kind, hint.value.to_string(), Some(hint.line));
        let all = canonical.into_iter().chain(refresh).chain(hints.iter().map(of_element));
        remarks.extend(all.filter_map(|(kind, value, line)| {
            let base = if line.is_some() { base.as_ref() } else { url };
            remark(kind, &value, line, base, url)
        }));
        remarks
    }

    /// Returns the values of the fields of this name.
    fn values(&self, name: &'static str) -> impl Iterator<Item = &[u8]> {
        let fields = self.fields.iter().filter(move |(of, _)| of.eq_ignore_ascii_case(name));
        fields.map(|(_, value)| value.as_slice())
    }
}

/// Returns what a body is, if it is not a page.
fn not_a_page(reader: &PageReader, body: &[u8]) -> Option<String> {
    let kind_of = |body: &[u8]| BodyKind::of(body, &SyntaxPolicy::default());
    let visible = reader.visible(body);
    let mut kind = kind_of(body);
    // The byte order mark of UTF-32 begins as that of UTF-16.
    let is_wider = matches!(kind, BodyKind::Binary(format) if format.ends_with("UTF-32"));
    if !is_wider && visible.len() < body.len() {
        kind = kind_of(&visible);
    }
    let has_element = || {
        memchr::memchr_iter(b'<', &visible).any(|at| {
            visible.get(at + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'/'))
        })
    };
    let is_xhtml = || memchr::memmem::find(&visible.to_ascii_lowercase(), b"<html").is_some();
    let is_page = match kind {
        BodyKind::Html | BodyKind::HtmlWithRules => true,
        BodyKind::Xml => is_xhtml(),
        BodyKind::Text | BodyKind::Rules | BodyKind::NoGroup => has_element(),
        _ => false,
    };
    (!is_page).then(|| match kind {
        BodyKind::Rules | BodyKind::NoGroup => "a robots.txt file".to_owned(),
        BodyKind::Text => "text without an element, or in an unknown encoding".to_owned(),
        BodyKind::Empty => "empty".to_owned(),
        kind => kind.to_string(),
    })
}

/// Returns a remark on a field whose name is nearly that of the field with rules.
fn misspelt(name: &str) -> Option<Remark> {
    let is_known = FieldName::find(name.as_bytes()).is_some();
    let letters: String = name.chars().filter(|char| !matches!(char, '-' | '_')).collect();
    let word = letters.to_ascii_lowercase();
    let word = word.strip_prefix('x').unwrap_or(&word);
    let is_like = matches!(word, "robotstag" | "robotstags" | "robottag" | "robottags" | "robots" | "robot");
    (!is_known && is_like).then(|| Remark {
        code: "field-spelling",
        text: format!("crawlers do not read the field {}; write X-Robots-Tag", Text(name.as_bytes()).short()),
        line: None,
        url: None,
    })
}

fn remark(
    kind: HintKind,
    value: &str,
    line: Option<u32>,
    base: Option<&Url>,
    url: Option<&Url>,
) -> Option<Remark> {
    let value = match kind {
        HintKind::Canonical => value,
        HintKind::Refresh => refresh_target(value)?,
        HintKind::NoSnippet => {
            let text = "parts of the page have data-nosnippet: search engines do not quote them".to_owned();
            return Some(Remark { code: "data-nosnippet", text, line, url: None });
        }
        HintKind::Base => return None,
    };
    let target = joined(base, value);
    let same = |target: &Url| {
        let without_fragment = |url: &Url| url.as_str().split('#').next().map(str::to_owned);
        url.is_some_and(|url| without_fragment(url) == without_fragment(target))
    };
    if target.as_ref().is_some_and(same) || value.is_empty() {
        return None;
    }
    let target = target.map_or_else(|| value.to_owned(), String::from);
    let shown = Text(target.as_bytes()).short();
    let element = |of: &'static str, field: &'static str| if line.is_some() { of } else { field };
    let (code, text) = match kind {
        HintKind::Refresh => (
            "refresh",
            format!(
                "{} leads to {shown}; search engines may read it as a redirect and show that page",
                element("a meta element with a refresh", "the field Refresh")
            ),
        ),
        _ => (
            "canonical",
            format!(
                "{} names {shown} as the canonical URL; search engines may index that URL in place of this page",
                element("the page", "the field Link")
            ),
        ),
    };
    let text = if url.is_some() { text } else { format!("{text}, unless that is its own URL") };
    Some(Remark { code, text, line, url: Some(target) })
}

fn joined(base: Option<&Url>, value: &str) -> Option<Url> {
    base.map_or_else(|| Url::parse(value), |base| base.join(value)).ok()
}

/// Returns the target of a refresh (HTML Standard, section 4.2.5.3).
fn refresh_target(value: &str) -> Option<&str> {
    let is_time = |char: char| char.is_ascii_digit() || char == '.';
    let rest = value.trim_start().trim_start_matches(is_time).trim_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start();
    let after_name =
        rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url")).and_then(|_| rest.get(3..));
    let rest = after_name.and_then(|rest| rest.trim_start().strip_prefix('=')).unwrap_or(rest).trim();
    let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\''));
    let target = match quote {
        Some(quote) => rest.get(1..).unwrap_or_default().split(quote).next().unwrap_or_default(),
        None => rest,
    };
    (!target.is_empty()).then_some(target)
}

/// Returns the target of the link that is the canonical one (RFC 8288, section 3).
fn canonical(value: &[u8]) -> Option<&[u8]> {
    const LONGEST: usize = 2048;
    let mut rest = value;
    loop {
        let start = memchr::memchr(b'<', rest)? + 1;
        let end = start + memchr::memchr(b'>', rest.get(start..)?)?;
        let target = rest.get(start..end)?;
        let parameters = rest.get(end + 1..).unwrap_or_default();
        let mut is_quoted = false;
        let ends = parameters.iter().position(|byte| {
            is_quoted ^= *byte == b'"';
            *byte == b',' && !is_quoted
        });
        let (parameters, next) = parameters.split_at_checked(ends.unwrap_or(parameters.len()))?;
        let is_canonical = parameters.split(|byte| *byte == b';').any(|parameter| {
            let mut parts = parameter.splitn(2, |byte| *byte == b'=');
            let name = parts.next().unwrap_or_default().trim_ascii();
            let value = parts.next().unwrap_or_default();
            let mut words = value.split(|byte| byte.is_ascii_whitespace() || *byte == b'"');
            name.eq_ignore_ascii_case(b"rel") && words.any(|word| word.eq_ignore_ascii_case(b"canonical"))
        });
        if is_canonical && target.len() <= LONGEST {
            return Some(target.trim_ascii());
        }
        rest = next;
    }
}

/// Reads the fields of the last response of a text, one a line, and its status, as a response without a body. An empty line ends them if no other response follows.
pub(super) fn head(text: &[u8], path: &OsStr) -> Result<Response> {
    let (mut status, mut fields, mut is_ended) = (None, Vec::new(), false);
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let has_status = || text.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"HTTP/"));
    // Its lines look like fields. Those of a request have a User-Agent, too, but no rule.
    let syntax = SyntaxPolicy::default();
    let has_rule = || Lines::new(text, &syntax).any(|line| matches!(line.record, Record::Rule(_)));
    if BodyKind::of(text, &syntax).has_rules() && has_rule() && !has_status() {
        return Err(Failure::new(format!(
            "{} is a robots.txt file; `--headers` takes the fields of a response, such as `X-Robots-Tag: noindex`",
            input_name(path)
        )));
    }
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii_end();
        let invalid =
            |expected: &str| Failure::new(format!("{}:{}: expected {expected}", input_name(path), index + 1));
        if line.starts_with(b"HTTP/") {
            let digits =
                line.split(u8::is_ascii_whitespace).nth(1).and_then(|word| core::str::from_utf8(word).ok());
            let found =
                digits.and_then(|digits| digits.parse().ok()).filter(|status| (100..1000).contains(status));
            status = Some(found.ok_or_else(|| invalid("a status line such as `HTTP/1.1 200 OK`"))?);
            fields.clear();
            is_ended = false;
            continue;
        }
        if line.is_empty() || is_ended {
            // What follows is the body, or another response after more empty lines.
            if !line.is_empty() {
                break;
            }
            is_ended = true;
            continue;
        }
        // The name of a field is a token (RFC 9110, section 5.6.2). Space after it is removed, as clients do.
        let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
        let is_name = |name: &[u8]| !name.is_empty() && name.iter().all(is_token);
        let colon = memchr::memchr(b':', line);
        let name = colon.and_then(|colon| line.get(..colon)).map(<[u8]>::trim_ascii_end);
        let (Some(colon), Some(name)) = (colon, name.filter(|name| is_name(name))) else {
            return Err(invalid("a field such as `X-Robots-Tag: noindex`"));
        };
        let name = String::from_utf8_lossy(name).into_owned();
        fields.push((name, line.get(colon + 1..).unwrap_or_default().trim_ascii().to_vec()));
    }
    if fields.is_empty() {
        return Err(Failure::new(format!(
            "{} has no field such as `X-Robots-Tag: noindex`",
            input_name(path)
        )));
    }
    Ok(Response { status, fields, ..Response::default() })
}
