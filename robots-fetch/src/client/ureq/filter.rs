//! A filter between `ureq` and its connections, which writes each answer again in the form that `ureq` reads correctly.
//!
//! `ureq` refuses heads of more than 128 fields and folded fields (RFC 9112, section 5.2, says to replace the folds), takes a
//! reset for the end of a body, and does not report whether a connection that failed had been kept from an earlier request.

use core::cell::Cell;
use core::time::Duration;
use std::io;
use std::time::Instant;

use ::ureq::Error;
use ::ureq::unversioned::transport::{Buffers, LazyBuffers, NextTimeout, Transport as Wire};

use crate::failure::{Failure, FailureKind};
use crate::message::chunks::Chunks;
use crate::message::framing::{Framing, Version};
use crate::message::http1::SentHead;

/// The most fields that `ureq` reads, less those that it could need for itself.
const MOST_WRITTEN: usize = 120;

/// The field in which a rewritten head has the fields beyond [`MOST_WRITTEN`], with their values, separated by tabs. What a server
/// sends under this name is left out.
pub(super) const OTHERS: &str = "robots-other-fields";

/// How much longer than its fields a rewritten head can be, in bytes: the status line and the blank line.
pub(super) const OVERHEAD: usize = 1024;

/// Fields whose lines are one list (RFC 9110, section 5.3).
const LISTS: &[&str] = &["cache-control", "connection", "content-encoding", "transfer-encoding"];

/// Fields that are kept if there are too many.
const NEEDED: &[&str] = &[
    "age",
    "content-length",
    "content-range",
    "content-type",
    "date",
    "etag",
    "expires",
    "last-modified",
    "location",
    "retry-after",
];

/// A connection that had served another request was closed before the head of an answer was complete. The request can be
/// repeated on a fresh connection (RFC 9110, section 9.2.2).
#[derive(Debug)]
pub(super) struct Stale(pub(super) String);

impl core::fmt::Display for Stale {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Stale {}

thread_local! {
    /// Whether bytes came on a connection that the announced length of the last answer does not count. `ureq` does not lead from an answer
    /// to its connection, and reads both on the thread that asks.
    static EXCESS: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether more bytes came with the end of the last answer to this thread than it announced.
pub(super) fn has_excess() -> bool {
    EXCESS.get()
}

/// Forgets the last answer before a request. An agent of the caller has no filter.
pub(super) fn forget_excess() {
    EXCESS.set(false);
}

/// How the filter treats the next received bytes.
#[derive(Debug)]
enum Stage {
    /// Collects the head of an answer.
    Head,
    /// Passes the body on, which has this number of further bytes if its length was announced.
    Body(Option<u64>),
    /// Rewrites a body in chunks.
    Chunks(Chunks),
    /// Passes on everything, both ways: the connection is a tunnel through a proxy.
    Tunnel,
}

/// A connection with a filter.
#[derive(Debug)]
pub(super) struct Filtered {
    inner: Box<dyn Wire>,
    buffers: LazyBuffers,
    state: Stage,
    /// Received bytes that are not filtered yet.
    raw: Vec<u8>,
    /// Filtered bytes, and how many of them `ureq` has.
    ready: (Vec<u8>, usize),
    /// Why the rest is not valid, once `ureq` has what is.
    failure: Option<Failure>,
    /// The bytes of the current head, with interim answers.
    head_bytes: usize,
    max_head: usize,
    /// The number of requests on this connection, and whether one is being sent.
    requests: usize,
    is_sending: bool,
    /// Scheme and authority of the site, if requests go to a proxy in absolute-form.
    target: Option<String>,
}

impl Filtered {
    pub(super) fn new(
        inner: Box<dyn Wire>,
        max_head: usize,
        input: usize,
        output: usize,
        target: Option<String>,
    ) -> Self {
        // `ureq` can only read a head that fits into the buffer.
        let input = input.max(max_head.saturating_add(OVERHEAD));
        Self {
            inner,
            buffers: LazyBuffers::new(input, output),
            state: Stage::Head,
            raw: Vec::new(),
            ready: (Vec::new(), 0),
            failure: None,
            head_bytes: 0,
            max_head,
            requests: 0,
            is_sending: false,
            target,
        }
    }

    /// Sends bytes to the other end.
    fn send(&mut self, mut rest: &[u8], timeout: NextTimeout) -> Result<(), Error> {
        while !rest.is_empty() {
            let room = self.inner.buffers().output();
            let bytes = rest.len().min(room.len());
            let (Some(room), Some((now, later))) = (room.get_mut(..bytes), rest.split_at_checked(bytes))
            else {
                break;
            };
            if bytes == 0 {
                return Err(Error::Other(Box::new(Broken("no room to send".to_owned()))));
            }
            room.copy_from_slice(now);
            rest = later;
            if let Err(error) = self.inner.transmit_output(bytes, timeout) {
                let error = broken(error, self.inner.is_tls());
                return Err(self.judged(error));
            }
        }
        Ok(())
    }

    /// Moves filtered bytes to the buffer of `ureq`, and returns whether there were any.
    fn hand_over(&mut self) -> bool {
        let (ready, at) = &mut self.ready;
        let rest = ready.get(*at..).unwrap_or_default();
        let room = self.buffers.input_append_buf();
        let bytes = rest.len().min(room.len());
        if let (Some(room), Some(rest)) = (room.get_mut(..bytes), rest.get(..bytes)) {
            room.copy_from_slice(rest);
        }
        self.buffers.input_appended(bytes);
        *at += bytes;
        if *at == ready.len() {
            ready.clear();
            *at = 0;
        }
        bytes > 0
    }

    /// Filters what was received.
    fn filter(&mut self) -> Result<(), Failure> {
        let mut read = 0;
        while matches!(self.state, Stage::Head) {
            let rest = self.raw.get(read..).unwrap_or_default();
            let Some(head) = SentHead::read(rest)? else { break };
            read += head.bytes;
            if head.is_interim()? {
                continue;
            }
            let framing = Framing::of(head.version, head.status, head.fields(), self.max_head)?;
            self.ready.0.extend_from_slice(&written(&head, &framing));
            self.state = match framing {
                Framing::Chunked => Stage::Chunks(Chunks::new()),
                Framing::Length(length) => Stage::Body(Some(length)),
                _ => Stage::Body(None),
            };
        }
        self.head_bytes = self.head_bytes.saturating_add(read);
        self.raw.drain(..read);
        match &mut self.state {
            // All interim answers before an answer count as one head.
            Stage::Head => {
                let (most, bytes) = (self.max_head.saturating_mul(2), self.raw.len());
                if self.head_bytes.saturating_add(bytes) > most {
                    return Err(Failure::new(FailureKind::HeadTooLarge, format!("more than {most} bytes")));
                }
            }
            Stage::Body(left) => {
                let bytes = self.raw.len() as u64;
                if left.is_some_and(|left| left < bytes) {
                    EXCESS.set(true);
                }
                *left = left.map(|left| left.saturating_sub(bytes));
                self.ready.0.append(&mut self.raw);
            }
            Stage::Tunnel => self.ready.0.append(&mut self.raw),
            Stage::Chunks(chunks) => {
                let mut part = Vec::new();
                let read = chunks.read(&self.raw, &mut part);
                // Each part becomes a chunk, so that no chunk is announced before it is there. The parser of `ureq` accepts signs
                // and line ends within sizes, and refuses extensions of more than a few bytes.
                let ready = &mut self.ready.0;
                if !part.is_empty() {
                    ready.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
                    ready.extend_from_slice(&part);
                    ready.extend_from_slice(b"\r\n");
                }
                if chunks.is_ended() {
                    ready.extend_from_slice(b"0\r\n\r\n");
                }
                match read {
                    Ok(read) => drop(self.raw.drain(..read)),
                    Err(failure) => {
                        self.failure = Some(failure);
                        self.raw.clear();
                    }
                }
            }
        }
        Ok(())
    }

    /// Receives bytes, and returns whether there were any.
    fn receive(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let before = self.raw.len();
        let received = self.inner.await_input(timeout);
        let buffers = self.inner.buffers();
        self.raw.extend_from_slice(buffers.input());
        let bytes = buffers.input().len();
        buffers.input_consume(bytes);
        match received {
            Ok(_) => Ok(self.raw.len() > before),
            Err(error) => Err(self.judged(broken(error, self.inner.is_tls()))),
        }
    }

    /// Returns the error of a connection that ended before the answer did.
    fn end(&self) -> Result<bool, Error> {
        match &self.state {
            // `ureq` counts the bytes of a length, and the end of the connection ends a body without one.
            Stage::Body(_) | Stage::Tunnel => Ok(false),
            Stage::Chunks(chunks) if chunks.is_ended() => Ok(false),
            Stage::Chunks(_) => Err(Error::Other(Box::new(Broken("before the last chunk".to_owned())))),
            Stage::Head => {
                let text = "before the head of the answer was complete";
                Err(self.judged(Error::Other(Box::new(Broken(text.to_owned())))))
            }
        }
    }

    /// Returns the error, or [`Stale`] if a connection broke that had been kept.
    fn judged(&self, error: Error) -> Error {
        if self.requests < 2 || !matches!(self.state, Stage::Head) {
            return error;
        }
        match error {
            Error::Other(other) => match other.downcast::<Broken>() {
                Ok(broken) => Error::Other(Box::new(Stale(broken.0))),
                Err(other) => Error::Other(other),
            },
            other => other,
        }
    }
}

impl Wire for Filtered {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        let output = self.buffers.output();
        let mut sent = output.get(..amount).unwrap_or(output).to_vec();
        if !self.is_sending && !matches!(self.state, Stage::Tunnel) {
            self.is_sending = true;
            self.requests += 1;
            self.head_bytes = 0;
            self.state = if sent.starts_with(b"CONNECT ") { Stage::Tunnel } else { Stage::Head };
            if let (Some(target), Some(path)) = (&self.target, sent.strip_prefix(b"GET ")) {
                sent = [b"GET ", target.as_bytes(), path].concat();
            }
        }
        self.send(&sent, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.is_sending = false;
        let whole: Duration = *timeout.after;
        let began = Instant::now();
        loop {
            if !self.ready.0.is_empty() {
                return Ok(self.hand_over());
            }
            if let Some(failure) = &self.failure {
                return Err(Error::Other(Box::new(failure.clone())));
            }
            if self.raw.is_empty() || matches!(self.state, Stage::Head) {
                let left = whole.saturating_sub(began.elapsed());
                if left.is_zero() {
                    return Err(Error::Timeout(timeout.reason));
                }
                if !self.receive(NextTimeout { after: left.into(), ..timeout })? {
                    return self.end();
                }
            }
            self.filter().map_err(|failure| Error::Other(Box::new(failure)))?;
            if matches!(&self.state, Stage::Chunks(chunks) if chunks.is_ended()) && self.ready.0.is_empty() {
                return Ok(false);
            }
        }
    }

    fn is_open(&mut self) -> bool {
        self.raw.is_empty() && self.failure.is_none() && self.ready.0.is_empty() && self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}

/// Returns the fields in a value of [`OTHERS`].
pub(super) fn others(value: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    value.split(|byte| *byte == b'\t').filter_map(|field| {
        let colon = field.iter().position(|byte| *byte == b':')?;
        Some((field.get(..colon)?, field.get(colon + 1..)?))
    })
}

/// Writes a head with at most `MOST_WRITTEN` fields, and all others in [`OTHERS`].
fn written(sent: &SentHead, framing: &Framing) -> Vec<u8> {
    let SentHead { version, status, fields, .. } = sent;
    let minor = if *version == Version::Http10 { 0 } else { 1 };
    let mut head = format!("HTTP/1.{minor} {status}\r\n").into_bytes();
    let mut count = 0;
    let mut others = Vec::new();
    let mut write = |name: &str, value: &[u8]| {
        if count < MOST_WRITTEN {
            count += 1;
            for part in [name.as_bytes(), b": ", value, b"\r\n"] {
                head.extend_from_slice(part);
            }
        } else {
            // A tab is white space in each field.
            let value = value.iter().map(|byte| if *byte == b'\t' { b' ' } else { *byte });
            others.extend(name.bytes().chain([b':']).chain(value).chain([b'\t']));
        }
    };
    let of = |wanted: &'static str| fields.iter().filter(move |(name, _)| name == wanted);
    for name in LISTS {
        let values: Vec<&[u8]> = of(name).map(|(_, value)| value.as_slice()).collect();
        if !values.is_empty() && (*name != "transfer-encoding" || *framing != Framing::Empty) {
            write(name, &values.join(b", ".as_slice()));
        }
    }
    for name in NEEDED {
        match (*name, framing) {
            ("content-length", Framing::Length(length)) => write(name, length.to_string().as_bytes()),
            // The length is missing, or it does not count.
            ("content-length", _) => {}
            // The first line counts. Another one is kept if the lines have to agree.
            _ => {
                let must_agree = matches!(*name, "content-range" | "location");
                let mut values = of(name).map(|(_, value)| value);
                if let Some(first) = values.next() {
                    write(name, first);
                    if let Some(other) = values.find(|value| must_agree && *value != first) {
                        write(name, other);
                    }
                }
            }
        }
    }
    let known = |name: &str| LISTS.contains(&name) || NEEDED.contains(&name) || name == OTHERS;
    for (name, value) in fields.iter().filter(|(name, _)| !known(name)) {
        write(name, value);
    }
    if !others.is_empty() {
        for part in [OTHERS.as_bytes(), b": ", others.trim_ascii_end(), b"\r\n"] {
            head.extend_from_slice(part);
        }
    }
    head.extend_from_slice(b"\r\n");
    head
}

/// An error of a broken connection, which must not count as the end of a body.
#[derive(Debug)]
pub(super) struct Broken(pub(super) String);

impl core::fmt::Display for Broken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Broken {}

/// Returns the error of a connection, as [`Broken`] if it broke: `ureq` takes some of these errors for the end of a body.
pub(super) fn broken(error: Error, tls: bool) -> Error {
    match error {
        Error::Io(cause) if !is_unreached(&cause) => {
            if cause.kind() == io::ErrorKind::InvalidData && tls {
                return Error::Other(Box::new(Failure::new(FailureKind::Tls, cause)));
            }
            Error::Other(Box::new(Broken(cause.to_string())))
        }
        error => error,
    }
}

/// Returns whether there was no connection at all, rather than one that broke during the TLS handshake.
pub(super) fn is_unreached(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let broken = [Kind::ConnectionReset, Kind::ConnectionAborted, Kind::BrokenPipe, Kind::UnexpectedEof];
    !broken.contains(&error.kind()) && error.kind() != Kind::InvalidData
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(head: &str) -> (String, bool) {
        let head = SentHead::read(head.as_bytes()).unwrap().unwrap();
        let framing = Framing::of(head.version, head.status, head.fields(), 64 * 1024).unwrap();
        (String::from_utf8(written(&head, &framing)).unwrap(), framing == Framing::Chunked)
    }

    #[test]
    fn heads_are_rewritten() {
        let (head, is_chunked) = rewritten(
            "HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nContent-Length: 5\nCache-Control: a\r\ncache-control: b\r\n\r\n",
        );
        assert_eq!(head, "HTTP/1.1 200\r\ncache-control: a, b\r\ncontent-length: 5\r\nx-a: a  b\r\n\r\n");
        assert!(!is_chunked);
        let (head, is_chunked) =
            rewritten("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
        assert_eq!(head, "HTTP/1.1 200\r\ntransfer-encoding: chunked\r\n\r\n");
        assert!(is_chunked);
        let many = "x: y\r\n".repeat(1000);
        let (head, _) = rewritten(&format!(
            "HTTP/1.0 301 \r\n{many}Location: /a\r\nLOCATION: /a\r\nlocation: /b\r\n\r\n"
        ));
        assert!(head.starts_with("HTTP/1.0 301\r\nlocation: /a\r\nlocation: /b\r\nx: y\r\n"));
        assert_eq!(head.lines().count(), MOST_WRITTEN + 3);
        let value = head.lines().find_map(|line| line.strip_prefix(OTHERS)?.strip_prefix(": ")).unwrap();
        let found: Vec<_> = others(value.as_bytes()).collect();
        assert_eq!(found, vec![(&b"x"[..], &b"y"[..]); 1000 - (MOST_WRITTEN - 2)]);
    }
}
