//! A line of a log whose parts are found and not yet read.

use alloc::borrow::Cow;

use crate::log::line::{
    LogLine, agent_decoded, percent_signs_decoded, plus_decoded, present, split_request, unescaped,
};

/// What some programs write at the beginning of a file in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The longest line that is read, in bytes.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// Returns the lines of a text without their ends.
pub(super) fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..end)?;
        rest = rest.get(end + 1..).unwrap_or_default();
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    })
}

/// The method and the target of a request, each if the line has one.
pub(super) type MethodAndTarget<'l> = (Option<Cow<'l, [u8]>>, Option<Cow<'l, [u8]>>);

/// The parts of a line, as the log writes them. Most lines are those of browsers, of which only the header is read.
#[derive(Clone, Debug)]
pub(super) struct RawLine<'l> {
    pub(super) time: Cow<'l, [u8]>,
    pub(super) address: Option<Cow<'l, [u8]>>,
    /// The value of `X-Forwarded-For`.
    pub(super) forwarded: Option<Cow<'l, [u8]>>,
    pub(super) host: Option<Cow<'l, [u8]>>,
    pub(super) request: RequestText<'l>,
    pub(super) status: Cow<'l, [u8]>,
    /// The bytes of the body that was sent, as the log counts them.
    pub(super) size: Cow<'l, [u8]>,
    pub(super) agent: Cow<'l, [u8]>,
    /// How texts are escaped.
    pub(super) escapes: Escapes,
    /// Whether fields have names. Otherwise, a list of addresses may be in the place of the address.
    pub(super) has_names: bool,
}

/// How the request is written.
#[derive(Clone, Debug)]
pub(super) enum RequestText<'l> {
    /// As the first line of a request: `GET /a HTTP/1.1`.
    Line(Cow<'l, [u8]>),
    /// In fields.
    Parts {
        method: Option<Cow<'l, [u8]>>,
        path: Cow<'l, [u8]>,
        /// The query without `?`.
        query: Option<Cow<'l, [u8]>>,
        /// Whether the log has the query of the request, if there is one.
        has_query: bool,
    },
}

/// How a log escapes texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    /// Not, or they are undone.
    None,
    /// With backslashes.
    Backslash,
    /// Spaces of headers are `+`.
    Plus,
    /// With percent-encoding.
    Percent,
}

impl RawLine<'_> {
    /// Returns the line with texts of its own.
    pub(super) fn into_owned(self) -> RawLine<'static> {
        let owned = |text: Cow<'_, [u8]>| Cow::Owned(text.into_owned());
        RawLine {
            time: owned(self.time),
            address: self.address.map(owned),
            forwarded: self.forwarded.map(owned),
            host: self.host.map(owned),
            request: match self.request {
                RequestText::Line(line) => RequestText::Line(owned(line)),
                RequestText::Parts { method, path, query, has_query } => RequestText::Parts {
                    method: method.map(owned),
                    path: owned(path),
                    query: query.map(owned),
                    has_query,
                },
            },
            status: owned(self.status),
            size: owned(self.size),
            agent: owned(self.agent),
            escapes: self.escapes,
            has_names: self.has_names,
        }
    }

    /// Returns the header without escapes, or `None` if there is none.
    pub(super) fn agent(&self) -> Option<Cow<'_, [u8]>> {
        present(&self.agent).map(|agent| match self.escapes {
            Escapes::None => Cow::Borrowed(agent),
            Escapes::Backslash => unescaped(agent),
            Escapes::Plus => plus_decoded(agent),
            Escapes::Percent => agent_decoded(agent),
        })
    }

    pub(super) fn status(&self) -> Option<u16> {
        match *self.status {
            [a, b, c] if [a, b, c].iter().all(u8::is_ascii_digit) => {
                let digit = |byte: u8| u16::from(byte - b'0');
                Some(digit(a) * 100 + digit(b) * 10 + digit(c))
            }
            _ => None,
        }
    }

    /// Returns the bytes of the body that was sent, if the log says so.
    pub(super) fn size(&self) -> Option<usize> {
        core::str::from_utf8(self.size.trim_ascii()).ok()?.parse().ok()
    }

    /// Returns method and target without escapes.
    pub(super) fn request(&self) -> MethodAndTarget<'_> {
        match &self.request {
            RequestText::Line(line) => {
                let line = match self.escapes {
                    Escapes::Backslash => unescaped(line),
                    _ => Cow::Borrowed(&**line),
                };
                match line {
                    Cow::Borrowed(line) => split_request(line).map_or((None, None), |(method, target)| {
                        (method.map(Into::into), Some(target.into()))
                    }),
                    Cow::Owned(line) => split_request(&line).map_or((None, None), |(method, target)| {
                        (method.map(|method| method.to_vec().into()), Some(target.to_vec().into()))
                    }),
                }
            }
            RequestText::Parts { method, path, query, .. } => {
                let plain = |text| match self.escapes {
                    Escapes::Percent => percent_signs_decoded(text),
                    Escapes::Backslash => unescaped(text),
                    Escapes::None | Escapes::Plus => Cow::Borrowed(text),
                };
                let path = present(path).map(plain);
                let query = query.as_deref().and_then(present);
                let target = match (path, query) {
                    (Some(path), Some(query)) => {
                        let mut target = path.into_owned();
                        // As with `%q` of Apache.
                        if query.first() != Some(&b'?') {
                            target.push(b'?');
                        }
                        target.extend_from_slice(&plain(query));
                        Some(Cow::Owned(target))
                    }
                    (path, _) => path,
                };
                (method.as_deref().and_then(present).map(Cow::Borrowed), target)
            }
        }
    }

    /// Returns whether the log may leave out the query of the request.
    pub(super) fn lacks_query(&self) -> bool {
        let (path, has_query) = match &self.request {
            // Without a method, it may be `%U` of Apache.
            RequestText::Line(line) => (line, line.first() != Some(&b'/')),
            RequestText::Parts { path, has_query, .. } => (path, *has_query),
        };
        !has_query && memchr::memchr(b'?', path).is_none()
    }

    /// Returns whether the target may be `/robots.txt`, without reading it.
    pub(super) fn may_be_robots_txt(&self) -> bool {
        let (RequestText::Line(text) | RequestText::Parts { path: text, .. }) = &self.request;
        may_end_with_robots_txt(text)
    }

    pub(super) fn read(self, time: crate::log::time::LogTime) -> LogLine<'static> {
        let owned = |text: Cow<'_, [u8]>| Cow::Owned(text.into_owned());
        let (method, target) = self.request();
        LogLine {
            time,
            address: self.address.as_deref().and_then(present).map(|text| owned(text.into())),
            host: self.host.as_deref().and_then(present).map(|text| owned(text.into())),
            method: method.map(owned),
            target: target.map(owned),
            status: self.status(),
            agent: self.agent().map(owned),
        }
    }
}

/// Returns whether a request line or a path has a target that ends with `/robots.txt`.
pub(super) fn may_end_with_robots_txt(text: &[u8]) -> bool {
    // The version has a digit, or two with a point.
    [0, 9, 7].into_iter().any(|version| {
        let path = text.len().checked_sub(version).and_then(|end| text.get(..end));
        path.is_some_and(|path| path.ends_with(b"/robots.txt"))
    })
}
