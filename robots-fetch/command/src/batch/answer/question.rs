//! The questions of `robots batch`: the fields of a line, and why a line can't be used.

use alloc::borrow::Cow;
use core::fmt;

use robots_match::{Crawler, InvalidName, KNOWN_NAMES, MatchPolicy, Profile, Target, path_in};

/// The maximum length of a line of input in bytes, without its line end.
pub const LONGEST_LINE: usize = 1 << 20;

/// The result of using a line of input.
pub(super) type Usable<T> = Result<T, Unusable>;

/// Why a line of input has no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unusable {
    Empty,
    NoFile,
    NoAgent,
    NoUrl,
    AgentNotUtf8,
    Agent(InvalidName),
    NotUrl,
    TooLong,
    Unreadable(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the line is empty"),
            Self::NoFile => f.write_str("the line names no file"),
            Self::NoAgent => {
                f.write_str("the line has no agent: it should be FILE, AGENT, URL with tabs between")
            }
            Self::NoUrl => {
                f.write_str("the line has no URL: it should be FILE, AGENT, URL with tabs between")
            }
            Self::AgentNotUtf8 => f.write_str("the agent is not UTF-8"),
            Self::Agent(error) => error.fmt(f),
            Self::NotUrl => {
                f.write_str("the URL is neither one with a scheme and `://` nor a path that begins with `/`")
            }
            Self::TooLong => write!(f, "the line is longer than {LONGEST_LINE} bytes"),
            Self::Unreadable(what) => f.write_str(what),
        }
    }
}

/// Returns the three fields of a line. The URL is the rest of the line, including tabs.
pub(super) fn fields(line: &[u8]) -> Usable<[&[u8]; 3]> {
    if line.is_empty() {
        return Err(Unusable::Empty);
    }
    let (path, rest) = cut(line).ok_or(Unusable::NoAgent)?;
    if path.is_empty() {
        return Err(Unusable::NoFile);
    }
    let (agent, url) = cut(rest).ok_or(Unusable::NoUrl)?;
    Ok([path, agent, url])
}

/// Returns the parts before and after the first tab.
fn cut(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (before, rest) = bytes.split_at_checked(memchr::memchr(b'\t', bytes)?)?;
    Some((before, rest.get(1..)?))
}

/// Returns the crawler of an agent, which is a name or a `User-Agent` header.
pub(super) fn crawler(agent: &[u8], profile: &Profile) -> Usable<Crawler> {
    let agent = core::str::from_utf8(agent).map_err(|_| Unusable::AgentNotUtf8)?;
    Crawler::parse([agent], &profile.groups, &KNOWN_NAMES).map_err(Unusable::Agent)
}

/// Returns the path and query of a URL or a path. Programs that make verdicts by the million give URLs as they requested them, so
/// the bytes are compared as they are.
pub(super) fn path<'t>(text: &'t [u8], policy: &MatchPolicy) -> Usable<Cow<'t, [u8]>> {
    let target = Target::parse(text).map_err(|_| Unusable::NotUrl)?;
    let end = memchr::memchr(b'#', text).unwrap_or(text.len());
    Ok(path_in(text.get(..end).unwrap_or_default(), policy).unwrap_or_else(|| target.into_path()))
}

/// Returns `line` without a CR at its end, if it is not too long.
pub(super) fn usable(line: &[u8]) -> Usable<&[u8]> {
    let content = line.strip_suffix(b"\r").unwrap_or(line);
    if content.len() > LONGEST_LINE { Err(Unusable::TooLong) } else { Ok(content) }
}
