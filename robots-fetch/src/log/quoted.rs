//! The Combined Log Format, which most servers write, read in one pass.

use crate::log::raw_line::{Escapes, RawLine, RequestText};
use crate::log::template::{is_escaped, is_status};

/// The parts of a line of the Combined Log Format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combined<'l> {
    address: &'l [u8],
    time: &'l [u8],
    pub(super) request: &'l [u8],
    status: &'l [u8],
    pub(super) agent: &'l [u8],
}

/// Reads a line of the Combined Log Format: address, two names, time, request, status, bytes, referrer, header. What follows is
/// not read. `None` if the line has another form, which the format string may have.
pub(super) fn split_combined(line: &[u8]) -> Option<Combined<'_>> {
    let quote = memchr::memchr(b'"', line)?;
    let before = line.get(..quote)?.strip_suffix(b"] ")?;
    let bracket = match before.len().checked_sub(27) {
        Some(at) if before.get(at) == Some(&b'[') => at,
        _ => memchr::memchr(b'[', before)?,
    };
    let (client, time) = before.split_at_checked(bracket)?;
    let space = memchr::memchr(b' ', client)?;
    let (request, rest) = quoted(line.get(quote + 1..)?)?;
    let rest = rest.strip_prefix(b" ")?;
    let (status, rest) = rest.split_at_checked(3)?;
    let quote = memchr::memchr(b'"', rest)?;
    let (_, rest) = quoted(rest.get(quote + 1..)?)?;
    let (agent, _) = quoted(rest.strip_prefix(b" \"")?)?;
    is_status(status).then_some(Combined {
        address: client.get(..space)?,
        time: time.get(1..)?,
        request,
        status,
        agent,
    })
}

impl<'l> Combined<'l> {
    pub(super) fn raw(self) -> RawLine<'l> {
        RawLine {
            time: self.time.into(),
            address: Some(self.address.into()),
            forwarded: None,
            host: None,
            request: RequestText::Line(self.request.into()),
            status: self.status.into(),
            agent: self.agent.into(),
            escapes: Escapes::Backslash,
        }
    }
}

/// Reads a line like [`split_combined`].
pub(super) fn read_combined(line: &[u8]) -> Option<RawLine<'_>> {
    split_combined(line).map(Combined::raw)
}

/// Returns the text up to the next quote, and what follows it.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr(b'"', text.get(from..)?)?;
        if at == 0 || text.get(at - 1) != Some(&b'\\') || !is_escaped(text, at) {
            return Some((text.get(..at)?, text.get(at + 1..)?));
        }
        from = at + 1;
    }
}

/// Returns the host before a line of the Combined Log Format, as in Apache's `vhost_combined`, and the rest of the line.
pub(super) fn split_host(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = memchr::memchr(b' ', line)?;
    let (host, rest) = line.split_at_checked(space)?;
    let rest = rest.get(1..)?;
    let colon = memchr::memrchr(b':', host)?;
    let port = host.get(colon + 1..)?;
    let address = rest.get(..memchr::memchr(b' ', rest)?)?;
    let is_host = colon > 0 && !port.is_empty() && port.iter().all(u8::is_ascii_digit);
    // The address of a line of the Combined Log Format may look like a host with a port; then a name follows.
    (is_host && address.iter().any(|byte| matches!(byte, b'.' | b':'))).then_some((host, rest))
}
