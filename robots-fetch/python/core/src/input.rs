//! Arguments of methods: bodies, URLs, crawlers and names of documents.

use std::ops::Deref;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use robots_exclusion_fields::url_text;
use robots_match::{Crawler, Document, KNOWN_NAMES, Profile, Target};

use crate::InvalidAgent;

/// The bytes of an argument, copied at most once.
pub(crate) enum Bytes<'a, 'py> {
    Borrowed(&'a [u8]),
    Encoded(Bound<'py, PyBytes>),
    Owned(Vec<u8>),
}

impl Deref for Bytes<'_, '_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Encoded(bytes) => bytes.as_bytes(),
            Self::Owned(bytes) => bytes,
        }
    }
}

/// Returns the bytes of `bytes`, `bytearray`, `memoryview` or `str`. A `str` gives UTF-8; what `surrogateescape` made of other
/// bytes becomes these bytes again. Other lone surrogates give three bytes that are not UTF-8.
pub(crate) fn bytes_of<'a, 'py>(value: &'a Bound<'py, PyAny>) -> PyResult<Bytes<'a, 'py>> {
    if let Ok(text) = value.cast::<PyString>() {
        if let Ok(bytes) = text.encode_utf8() {
            return Ok(Bytes::Encoded(bytes));
        }
        let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
        return Ok(Bytes::Owned(unescaped(bytes.cast::<PyBytes>()?.as_bytes())));
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Bytes::Borrowed(bytes.as_bytes()));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Bytes::Owned(bytes.to_vec()));
    }
    if value.cast::<PyMemoryView>().is_ok() {
        return Ok(Bytes::Encoded(value.call_method0("tobytes")?.cast_into()?));
    }
    Err(PyTypeError::new_err(format!("expected bytes or str, got {}", value.get_type().name()?)))
}

/// Returns the bytes of a URL: of text, or of an object of a URL class, such as those of httpx, yarl and urllib.
pub(crate) fn url_bytes<'a, 'py>(value: &'a Bound<'py, PyAny>) -> PyResult<Bytes<'a, 'py>> {
    let bytes = bytes_of(value);
    if bytes.is_ok() {
        return bytes;
    }
    match url_text(value)? {
        Some(text) => Ok(Bytes::Owned(bytes_of(&text)?.to_vec())),
        None => bytes,
    }
}

/// Returns whether a body is a URL and nothing else.
pub(crate) fn is_url(body: &[u8]) -> bool {
    let body = body.trim_ascii();
    // The first space or line end of a file decides, so a large file is not read as a URL.
    if body.iter().any(u8::is_ascii_whitespace) {
        return false;
    }
    let is_whole = |text: &str| {
        let text = text.trim();
        !text.contains(char::is_whitespace) && Target::parse(text).is_ok_and(|target| !target.is_path())
    };
    std::str::from_utf8(body).is_ok_and(is_whole)
}

/// Replaces the surrogates U+DC80 to U+DCFF by the bytes of which `surrogateescape` makes them.
fn unescaped(mut bytes: &[u8]) -> Vec<u8> {
    let mut found = Vec::with_capacity(bytes.len());
    while let Some((first, rest)) = bytes.split_first() {
        // No other character has these bytes: 0xED is always the first of three.
        bytes = match bytes {
            [0xED, 0xB2, last, rest @ ..] => {
                found.push(*last);
                rest
            }
            [0xED, 0xB3, last, rest @ ..] => {
                found.push(*last | 0x40);
                rest
            }
            _ => {
                found.push(*first);
                rest
            }
        };
    }
    found
}

/// Returns an argument as text. Bytes that are not UTF-8 are replaced.
pub(crate) fn lossy(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(String::from_utf8_lossy(&bytes_of(value)?).into_owned())
}

/// Returns the document of this name.
pub(crate) fn document(name: &str) -> PyResult<Document> {
    name.parse().map_err(|error| PyValueError::new_err(format!("profile {name:?}: {error}")))
}

/// The argument `agent`: a name, or names in the order of preference. Two equal values stand for the same crawler.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Agent {
    One(String),
    Several(Vec<String>),
}

impl Agent {
    /// Reads the argument. If `lenient`, bytes that are not UTF-8 are replaced.
    ///
    /// # Errors
    ///
    /// The argument has another type; or it is not UTF-8, unless `lenient`.
    pub(crate) fn from_python(value: &Bound<'_, PyAny>, lenient: bool) -> PyResult<Self> {
        let text = if lenient { lossy } else { text };
        if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
            return text(value).map(Self::One);
        }
        let items = value.try_iter().map_err(|_| {
            PyTypeError::new_err(
                "expected an agent: a name, or an iterable of names in the order of preference",
            )
        })?;
        items.map(|item| text(&item?)).collect::<PyResult<_>>().map(Self::Several)
    }

    fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
        }
    }

    /// Returns the crawler. If `lenient`, a text that is not a name is read as a `User-Agent` header, and adds nothing if no name
    /// is found in it.
    pub(crate) fn crawler(&self, profile: &Profile, lenient: bool) -> PyResult<Crawler> {
        match Crawler::parse(self.texts(), &profile.groups, &KNOWN_NAMES) {
            Ok(crawler) => Ok(crawler),
            Err(error) if !lenient => Err(InvalidAgent::new_err(error.to_string())),
            Err(_) => {
                let found: Vec<String> = self.texts().iter().filter_map(|text| name_in(text)).collect();
                Crawler::with_names(found).map_err(|error| InvalidAgent::new_err(error.to_string()))
            }
        }
    }
}

fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let bytes = bytes_of(value)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(InvalidAgent::new_err("the agent is not UTF-8")),
    }
}

fn name_in(text: &str) -> Option<String> {
    let own = Crawler::new(text)
        .ok()
        .or_else(|| Crawler::from_user_agent(text, &KNOWN_NAMES))
        .or_else(|| ascii_part(text))?;
    own.names().next().map(str::to_owned)
}

/// Returns the crawler of the letters before the first character outside of ASCII, up to which lines are compared.
fn ascii_part(text: &str) -> Option<Crawler> {
    let is_name = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
    let end = text.find(|char| !is_name(char))?;
    let is_cut_by_a_letter = text.get(end..)?.chars().next().is_some_and(|char| !char.is_ascii());
    let part = text.get(..end).filter(|part| part.bytes().any(|byte| byte.is_ascii_alphabetic()))?;
    is_cut_by_a_letter.then(|| Crawler::new(part).ok()).flatten()
}

/// Returns the name of a crawler in its ``User-Agent`` header, which is ``str`` or ``bytes``, or ``None``.
///
/// >>> product_token("Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)")
/// 'ExampleBot'
#[pyfunction]
pub(crate) fn product_token(user_agent: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let crawler = Crawler::from_user_agent(&lossy(user_agent)?, &KNOWN_NAMES);
    Ok(crawler.and_then(|crawler| crawler.names().next().map(str::to_owned)))
}
