//! The questions of `robots batch`: the fields of a line, and why a line can't be used.

use core::fmt;

use robots_match::{Crawler, InvalidName, Profile, RuleSet, Target, Verdict, path_in};

use crate::arguments::{NamedProfile, catalogue};

/// The maximum length of a line of input in bytes, without its line end.
pub const LONGEST_LINE: usize = 1 << 20;

/// The result of using a line of input.
pub(crate) type Usable<T> = Result<T, Unusable>;

/// Why a line of input has no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
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

/// How lines are read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub(crate) profile: NamedProfile,
    pub(crate) is_as_written: bool,
}

impl Reading {
    /// Creates the usual way for one profile: a URL is what a client requests for it, and a crawler of the catalogue has its names
    /// and habits.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        Self::by(NamedProfile { rules: *profile, ..NamedProfile::default() })
    }

    /// Creates the usual way for a profile of the command, which may be that of each crawler.
    pub(crate) const fn by(profile: NamedProfile) -> Self {
        Self { profile, is_as_written: false }
    }

    /// Compares the bytes of URLs as they are written, and takes names as they are.
    #[must_use]
    pub const fn as_written(self) -> Self {
        Self { is_as_written: true, ..self }
    }

    /// Returns the crawler of an agent, which is a name or a `User-Agent` header, and its profile.
    pub(crate) fn crawler(&self, agent: &[u8]) -> Usable<(Crawler, Profile)> {
        let agent = core::str::from_utf8(agent).map_err(|_| Unusable::AgentNotUtf8)?;
        let policy = &self.profile.rules.groups;
        let crawler = match self.is_as_written {
            true => Crawler::parse([agent], policy, catalogue().names()),
            false => catalogue().named(agent, policy),
        };
        let crawler = crawler.map_err(Unusable::Agent)?;
        let profile = self.profile.of(&crawler).rules;
        Ok((crawler, profile))
    }

    /// Returns the verdict on a URL or a path, and what the bytes as they are written would have if that is something else.
    #[inline]
    pub(super) fn verdict(&self, text: &[u8], rules: &RuleSet) -> Usable<(Verdict, Option<Verdict>)> {
        let target = Target::parse(text).map_err(|_| Unusable::NotUrl)?;
        if !self.is_as_written {
            return Ok((rules.check(target.path()), target.differs_as_written(rules)));
        }
        // Clients find a host where the URL has no `//`, and where it has `\`.
        let end = memchr::memchr(b'#', text).unwrap_or(text.len());
        let written = path_in(text.get(..end).unwrap_or_default(), rules.policy());
        Ok((rules.check(written.unwrap_or_else(|| target.into_path())), None))
    }
}

/// Returns `line` without a CR at its end, if it is not too long.
pub(super) fn usable(line: &[u8]) -> Usable<&[u8]> {
    let content = line.strip_suffix(b"\r").unwrap_or(line);
    if content.len() > LONGEST_LINE { Err(Unusable::TooLong) } else { Ok(content) }
}
