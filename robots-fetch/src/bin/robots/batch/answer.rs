//! Verdicts on many files, crawlers and URLs: one line of output for each line of input, in the same order.
//!
//! A line of input is `FILE<TAB>AGENT<TAB>URL`. The URL is the rest of the line, and lines end with LF or CR LF. A line of
//! output is
//!
//! * `allowed<TAB>LINE` or `disallowed<TAB>LINE`, with the number of the deciding line, or 0 if no line decides;
//! * `error<TAB>MESSAGE`, if the line of input can't be used. The following lines are answered.
//!
//! The caller decides which file a name means. `robots batch` opens files.

use core::fmt;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use robots_match::{Crawler, InvalidName, Profile, Robots, RuleSet};

/// The maximum length of a line of input in bytes, without its line end.
pub const LONGEST_LINE: usize = 1 << 20;

/// The size of the input and output buffers in bytes.
const BLOCK: usize = 128 * 1024;

/// Answers each line of `input` with a line of `output`, until `input` ends. `profile` says how files are read.
///
/// `open` returns the bytes of the file with this name, or a message of one line. It is called once for successive lines
/// that name the same file. The rules are compiled once for successive lines with the same file and agent. For an agent
/// that is not a product token, groups for `*` apply.
///
/// Lines may contain any bytes. Answers are written to `output` whenever the next line of input is not yet complete.
///
/// # Complexity
///
/// Linear in the length of the input, plus the time of `open` and of compiling and checking rules.
///
/// # Memory
///
/// One line of at most [`LONGEST_LINE`] bytes, one file with its rules, and two buffers of 128 KiB.
///
/// # Errors
///
/// `input` can't be read or `output` can't be written. Answers before the error are written where possible.
///
/// ```
/// use robots_fetch::batch::answer;
/// use robots_fetch::matching::Profile;
///
/// let questions = b"robots.txt\tExampleBot\t/private\nrobots.txt\tExampleBot\t/\nother\n";
/// let mut answers = Vec::new();
/// answer(&questions[..], &mut answers, &Profile::RFC9309, |_| Ok(b"user-agent: *\ndisallow: /private".to_vec()))?;
/// assert!(answers.starts_with(b"disallowed\t2\nallowed\t0\nerror\tthe line has no agent"));
/// # Ok::<(), robots_fetch::batch::Broken>(())
/// ```
pub fn answer(
    input: impl Read,
    output: impl Write,
    profile: &Profile,
    mut open: impl FnMut(&[u8]) -> Result<Vec<u8>, String>,
) -> Result<(), Broken> {
    let mut input = Input::new(input);
    let mut output = BufWriter::with_capacity(BLOCK, output);
    let mut last = Last::new(*profile);
    loop {
        if input.would_read() {
            output.flush().map_err(Broken::Output)?;
        }
        let line = match input.next_line() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                // The answers so far are written before the error is returned.
                output.flush().map_err(Broken::Output)?;
                return Err(Broken::Input(error));
            }
        };
        let written = match line.and_then(|line| last.answer(line, &mut open)) {
            Ok((true, line)) => writeln!(output, "allowed\t{line}"),
            Ok((false, line)) => writeln!(output, "disallowed\t{line}"),
            Err(unusable) => writeln!(output, "error\t{unusable}"),
        };
        written.map_err(Broken::Output)?;
    }
    output.flush().map_err(Broken::Output)
}

/// An error of the input or the output, after which no more answers follow.
#[derive(Debug)]
#[non_exhaustive]
pub enum Broken {
    /// The input can't be read.
    Input(io::Error),
    /// The output can't be written.
    Output(io::Error),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input(_) => "the input can't be read",
            Self::Output(_) => "the output can't be written",
        })
    }
}

impl core::error::Error for Broken {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Input(error) | Self::Output(error) => Some(error),
        }
    }
}

/// The result of using a line of input.
type Usable<T> = Result<T, Unusable>;

/// Why a line of input has no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Unusable {
    Empty,
    NoFile,
    NoAgent,
    NoUrl,
    AgentNotUtf8,
    Agent(InvalidName),
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
            Self::TooLong => write!(f, "the line is longer than {LONGEST_LINE} bytes"),
            Self::Unreadable(what) => f.write_str(what),
        }
    }
}

/// The file, agent and rules of the last line, for the next line.
struct Last {
    profile: Profile,
    path: Vec<u8>,
    robots: Usable<Robots>,
    agent: Vec<u8>,
    /// The rules of the file for the agent, if they were needed.
    rules: Option<RuleSet>,
}

impl Last {
    const fn new(profile: Profile) -> Self {
        // No line has an empty path, so the first line replaces this value.
        Self { profile, path: Vec::new(), robots: Err(Unusable::NoFile), agent: Vec::new(), rules: None }
    }

    /// Returns whether the URL of `line` is allowed, and the number of the deciding line of the file.
    fn answer(
        &mut self,
        line: &[u8],
        open: impl FnOnce(&[u8]) -> Result<Vec<u8>, String>,
    ) -> Usable<(bool, usize)> {
        let [path, agent, url] = fields(line)?;
        if self.path != path {
            self.rules = None;
            self.robots = match open(path) {
                Ok(body) => Ok(Robots::new(body, self.profile)),
                Err(why) => Err(Unusable::Unreadable(why)),
            };
            path.clone_into(&mut self.path);
        }
        let robots = self.robots.as_ref().map_err(Clone::clone)?;
        if self.agent != agent {
            self.rules = None;
            agent.clone_into(&mut self.agent);
        }
        let rules = match &mut self.rules {
            Some(rules) => rules,
            none => none.insert(robots.rules(&crawler(agent, &self.profile)?)),
        };
        let verdict = rules.check_text(url);
        Ok((verdict.is_allowed(), verdict.line().unwrap_or(0)))
    }
}

/// Returns the three fields of a line. The URL is the rest of the line, including tabs.
fn fields(line: &[u8]) -> Usable<[&[u8]; 3]> {
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
fn crawler(agent: &[u8], profile: &Profile) -> Usable<Crawler> {
    let agent = core::str::from_utf8(agent).map_err(|_| Unusable::AgentNotUtf8)?;
    Crawler::parse([agent], &profile.groups).map_err(Unusable::Agent)
}

/// The lines of input. Memory is bounded by the longest line that is used.
struct Input<R> {
    source: BufReader<R>,
    /// A line that is longer than the part of it in the buffer.
    line: Vec<u8>,
    /// The number of bytes in the buffer that belong to the last line.
    taken: usize,
}

impl<R: Read> Input<R> {
    fn new(source: R) -> Self {
        Self { source: BufReader::with_capacity(BLOCK, source), line: Vec::new(), taken: 0 }
    }

    /// Whether the next line is not completely in the buffer, so that reading it may have to wait.
    fn would_read(&self) -> bool {
        let buffered = self.source.buffer().get(self.taken..).unwrap_or_default();
        memchr::memchr(b'\n', buffered).is_none()
    }

    /// Returns the next line without its line end.
    fn next_line(&mut self) -> io::Result<Option<Usable<&[u8]>>> {
        self.source.consume(self.taken);
        self.taken = 0;
        self.line.clear();
        let mut len = 0;
        loop {
            let block = match self.source.fill_buf() {
                Ok(block) => block,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = memchr::memchr(b'\n', block);
            if let (Some(end), 0) = (end, len) {
                // The whole line is in the buffer: nothing is copied.
                self.taken = end + 1;
                let line = self.source.buffer().get(..end).unwrap_or_default();
                return Ok(Some(usable(line, line.len())));
            }
            if block.is_empty() {
                return Ok((len > 0).then(|| usable(&self.line, len)));
            }
            let part = block.get(..end.unwrap_or(block.len())).unwrap_or_default();
            len += part.len();
            // One more byte, for the CR of a line end.
            let room = (LONGEST_LINE + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(part.get(..room).unwrap_or(part));
            let consumed = part.len() + usize::from(end.is_some());
            self.source.consume(consumed);
            if end.is_some() {
                return Ok(Some(usable(&self.line, len)));
            }
        }
    }
}

/// Returns `line` without a CR at its end, if it is not too long. `len` is its length, including bytes that were not kept.
fn usable(line: &[u8], len: usize) -> Usable<&[u8]> {
    let content = line.strip_suffix(b"\r").unwrap_or(line);
    if content.len() > LONGEST_LINE || len > LONGEST_LINE + 1 { Err(Unusable::TooLong) } else { Ok(content) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a line, and then only errors.
    struct Breaks(bool);

    impl Read for Breaks {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0 {
                return Err(io::Error::other("gone"));
            }
            self.0 = true;
            let line = b"!\tx\t/\nrest";
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }

    /// Refuses every byte.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn none(_: &[u8]) -> Result<Vec<u8>, String> {
        Err("none".to_owned())
    }

    #[test]
    fn errors_are_returned_after_the_answers_so_far() {
        let mut answers = Vec::new();
        let broken = answer(Breaks(false), &mut answers, &Profile::RFC9309, none).unwrap_err();
        assert_eq!(answers, b"error\tnone\n");
        let shown = |broken: &Broken| {
            let source = core::error::Error::source(broken).map(ToString::to_string);
            (broken.to_string(), source.is_some_and(|source| !source.is_empty()))
        };
        assert!(matches!(broken, Broken::Input(_)));
        assert_eq!(shown(&broken), ("the input can't be read".to_owned(), true));
        let broken = answer(&b"\n"[..], Full, &Profile::RFC9309, none).unwrap_err();
        assert!(matches!(broken, Broken::Output(_)));
        assert_eq!(shown(&broken), ("the output can't be written".to_owned(), true));
    }
}
