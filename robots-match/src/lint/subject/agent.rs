//! User-agent lines.

use robots_groups::syntax::{Field, Record};
use robots_groups::{Alphabet, Crawler, GroupPolicy, NameMatch, is_name_byte};

use crate::document::Document;
use crate::lint::context::Facts;
use crate::lint::known_names::is_known;
use crate::lint::subject::lines::Lines;
use crate::lint::url::{host, scheme};
use crate::profile::Profile;

/// A user-agent line.
pub(crate) struct Agent<'a> {
    /// The number of the line, from 1.
    pub(crate) line: usize,
    pub(crate) value: Field<'a>,
    /// The bytes that end the line; empty in a last line without them.
    pub(crate) line_end: &'a [u8],
    pub(crate) fault: AgentFault,
}

/// Whether and why a value is not the name of a crawler.
pub(crate) enum AgentFault {
    /// It is the name of a crawler, or `*`.
    None,
    Empty,
    /// It is a list of names.
    List(ListSeparator),
    /// It is a host or a URL.
    Host,
    /// It looks like the value of a `User-Agent` header field.
    Header,
    /// It has a byte at this position that some profiles do not read as part of the name.
    Byte(usize),
}

/// The characters between the names of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListSeparator {
    Comma,
    /// Spaces, other signs, and words such as `and` between names of known crawlers.
    Other,
}

impl ListSeparator {
    /// Returns the names of a list.
    pub(crate) fn names(self, value: &[u8]) -> impl Iterator<Item = &[u8]> {
        let is_between = move |byte: &u8| match self {
            Self::Comma => *byte == b',',
            Self::Other => matches!(byte, b' ' | b'\t' | b';' | b',' | b'|' | b'&' | b'/' | b'+' | b'\\'),
        };
        let is_word = move |name: &&[u8]| {
            self == Self::Other && (name.eq_ignore_ascii_case(b"and") || name.eq_ignore_ascii_case(b"or"))
        };
        without_brackets(value)
            .split(is_between)
            .map(<[u8]>::trim_ascii)
            .filter(move |name| !name.is_empty() && !is_word(name))
    }
}

impl<'a> Agent<'a> {
    pub(crate) fn find(lines: &Lines<'a>, facts: &Facts<'a>) -> Option<Self> {
        let Record::UserAgent(value) = lines.line.record else { return None };
        let fault = AgentFault::of(value.bytes(), &facts.profile.groups);
        let line = &lines.line;
        let line_end = line.bytes().get(line.content().bytes().len()..).unwrap_or_default();
        Some(Self { line: line.number, value, line_end, fault })
    }
}

impl AgentFault {
    /// Returns why the value of a user-agent line is not the name of a crawler.
    pub(crate) fn of(value: &[u8], policy: &GroupPolicy) -> Self {
        fault(value, policy).unwrap_or(Self::None)
    }
}

fn fault(value: &[u8], policy: &GroupPolicy) -> Option<AgentFault> {
    if value.is_empty() {
        return Some(AgentFault::Empty);
    }
    if let Some(separator) = list(value) {
        return Some(AgentFault::List(separator));
    }
    if is_host(value) {
        return Some(AgentFault::Host);
    }
    // A name that the profile of the context reads may not be one for others.
    let at = stray(value, policy).or_else(|| {
        Document::ALL.into_iter().find_map(|document| stray(value, &Profile::from(document).groups))
    })?;
    let is_header = memchr::memchr3(b'(', b'/', b';', value).is_some();
    Some(if is_header { AgentFault::Header } else { AgentFault::Byte(at) })
}

/// Whether a value is a URL, a host with `www.`, an address of the Internet Protocol or of mail. Some crawlers have names with dots.
fn is_host(value: &[u8]) -> bool {
    if is_address(value) || value.starts_with(b"//") && host(value.get(2..).unwrap_or_default()).is_some() {
        return true;
    }
    let is_url = scheme(value)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https"));
    let is_www = value.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"www."));
    let is_alone = !value.contains(&b' ');
    (is_url && !value.contains(&b' ') || is_www && is_alone && host(value).is_some()) && !is_known(value)
}

/// Whether a value is an address of the Internet Protocol, or a range of them.
fn is_address(value: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(value) else { return false };
    let (address, bits) = text.split_once('/').unwrap_or((text, "0"));
    address.parse::<core::net::IpAddr>().is_ok() && bits.parse::<u8>().is_ok()
}

/// A value without brackets around it, as in `[ExampleBot, OtherBot]`.
fn without_brackets(value: &[u8]) -> &[u8] {
    let within =
        |open: &[u8], close: &[u8]| value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    within(b"[", b"]")
        .or_else(|| within(b"{", b"}"))
        .or_else(|| within(b"(", b")").filter(|names| names.contains(&b'|')))
        .unwrap_or(value)
}

/// Returns what is between the names if a value is a list. Headers and other texts also contain commas, spaces and semicolons.
fn list(value: &[u8]) -> Option<ListSeparator> {
    let value = without_brackets(value);
    let is_list = |separator: ListSeparator, is_name: &dyn Fn(&[u8]) -> bool| {
        separator.names(value).nth(1).is_some() && separator.names(value).all(is_name)
    };
    let is_name =
        |name: &[u8]| name == b"*" || core::str::from_utf8(name).is_ok_and(|name| Crawler::new(name).is_ok());
    if is_list(ListSeparator::Comma, &is_name) {
        return Some(ListSeparator::Comma);
    }
    // Some names consist of several words, so that a name that is not known needs a sign before it.
    let is_named = |name: &[u8]| name.first().is_some_and(u8::is_ascii_alphabetic) && is_name(name);
    let has_sign = || memchr::memchr3(b'|', b';', b'&', value).is_some();
    let is_mixed = || {
        has_sign()
            && is_list(ListSeparator::Other, &is_named)
            && ListSeparator::Other.names(value).filter(|name| is_known(name)).count() > 1
    };
    ((is_list(ListSeparator::Other, &is_known) || is_mixed()) && !is_known(value))
        .then_some(ListSeparator::Other)
}

/// Returns the position of the first byte that a profile does not read as part of the name.
pub(crate) fn stray(value: &[u8], policy: &GroupPolicy) -> Option<usize> {
    let is_read = |at: usize, byte: u8| match policy.name_match {
        NameMatch::LeadingLetters => Alphabet::Letters.contains(byte),
        // Single spaces between words are part of a name.
        _ if byte == b' ' => at > 0 && value.get(at + 1).is_some_and(|&next| next != b' '),
        _ => is_name_byte(byte),
    };
    let first = value.iter().enumerate().position(|(at, &byte)| !is_read(at, byte));
    first.filter(|_| !policy.is_general(value))
}
