//! Verdicts on many files, crawlers and URLs: for each line that is read, one that is written, in the same order.
//!
//! A line is `FILE<TAB>AGENT<TAB>URL`, where the URL is all of the rest; CR LF ends lines as LF does. Its answer is
//!
//! * `allowed<TAB>LINE` or `disallowed<TAB>LINE`, with the number of the deciding line, 0 if none decides;
//! * `error<TAB>what`, if the line can't be used; the next ones are.
//!
//! This is what the command `robots batch` does; what a file's name stands for, the caller says.

use core::fmt;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use robots_match::{Crawler, ProductToken, Profile, Robots, RuleSet};

/// The most octets of a line of input, its end not counted.
pub const LONGEST_LINE: usize = 1 << 20;

/// How much is read and written at once.
const BLOCK: usize = 128 * 1024;

/// Reads lines from `input` to its end, and writes the answer of each to `output`; files are read by `profile`.
///
/// `open` gives the octets of a file of this name, or why there are none, in one line. It is asked once for a run of lines
/// that name the same file, and the rules are compiled once for a run of lines with the same file and agent. An agent
/// that is no product token is named by no group, so that groups for `*` apply.
///
/// Lines may hold any octets. Time grows with them and with that of `open` and of reading what it gives. Memory holds one
/// line of at most [`LONGEST_LINE`], blocks of input and output, and one file. What is answered is written whenever no
/// whole line is at hand.
///
/// # Errors
///
/// `input` can't be read or `output` can't be written. What was answered before stays answered.
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
    let mut memory = Memory::new(*profile);
    loop {
        if input.would_read() {
            output.flush().map_err(Broken::Output)?;
        }
        let line = match input.next_line() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                // What is answered so far stays answered.
                output.flush().map_err(Broken::Output)?;
                return Err(Broken::Input(error));
            }
        };
        let written = match line.and_then(|line| memory.answer(line, &mut open)) {
            Ok((true, line)) => writeln!(output, "allowed\t{line}"),
            Ok((false, line)) => writeln!(output, "disallowed\t{line}"),
            Err(unusable) => writeln!(output, "error\t{unusable}"),
        };
        written.map_err(Broken::Output)?;
    }
    output.flush().map_err(Broken::Output)
}

/// Why there are no more answers.
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

/// What comes of a line of input.
type Usable<T> = Result<T, Unusable>;

/// Why a line of input has no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Unusable {
    Empty,
    NoFile,
    NoAgent,
    NoUrl,
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
            Self::TooLong => write!(f, "the line is longer than {LONGEST_LINE} bytes"),
            Self::Unreadable(what) => f.write_str(what),
        }
    }
}

/// What the last lines were about.
struct Memory {
    profile: Profile,
    path: Vec<u8>,
    robots: Usable<Robots>,
    agent: Vec<u8>,
    /// The rules of the file for the agent, once asked for.
    rules: Option<RuleSet>,
}

impl Memory {
    const fn new(profile: Profile) -> Self {
        // No line names an empty path.
        Self { profile, path: Vec::new(), robots: Err(Unusable::NoFile), agent: Vec::new(), rules: None }
    }

    /// Whether the URL of `line` is allowed, and by which line of the file.
    fn answer(
        &mut self,
        line: &[u8],
        open: impl FnOnce(&[u8]) -> Result<Vec<u8>, String>,
    ) -> Usable<(bool, usize)> {
        let [path, agent, url] = fields(line)?;
        if self.path != path {
            self.rules = None;
            self.robots = match open(path) {
                Ok(octets) => Ok(Robots::new(octets, self.profile)),
                Err(why) => Err(Unusable::Unreadable(why)),
            };
            path.clone_into(&mut self.path);
        }
        let robots = self.robots.as_ref().map_err(Clone::clone)?;
        if self.agent != agent {
            self.rules = None;
            agent.clone_into(&mut self.agent);
        }
        let rules = self.rules.get_or_insert_with(|| match token(agent, &self.profile) {
            Some(token) => robots.rules(&token),
            None => robots.rules(Crawler::unnamed()),
        });
        let verdict = rules.check_text(url);
        Ok((verdict.is_allowed(), verdict.line().unwrap_or(0)))
    }
}

/// The three fields of a line. The URL is the rest, tabs included.
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

/// What stands before and behind the first tab.
fn cut(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let (before, behind) = octets.split_at_checked(memchr::memchr(b'\t', octets)?)?;
    Some((before, behind.get(1..)?))
}

/// The product token that `name` is, if it is one.
fn token<'n>(name: &'n [u8], profile: &Profile) -> Option<ProductToken<'n>> {
    ProductToken::admitted(core::str::from_utf8(name).ok()?, &profile.groups).ok()
}

/// The lines of input. Memory is bounded by the longest line that is used.
struct Input<R> {
    source: BufReader<R>,
    /// A line of which only a part stands in the buffer.
    line: Vec<u8>,
    /// How many octets of the buffer the last line took.
    taken: usize,
}

impl<R: Read> Input<R> {
    fn new(source: R) -> Self {
        Self { source: BufReader::with_capacity(BLOCK, source), line: Vec::new(), taken: 0 }
    }

    /// Whether the next line needs more than was read so far, so that this may have to wait.
    fn would_read(&self) -> bool {
        let buffered = self.source.buffer().get(self.taken..).unwrap_or_default();
        memchr::memchr(b'\n', buffered).is_none()
    }

    /// The next line, without its end.
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
                // All of it stands in the buffer: nothing is copied.
                self.taken = end + 1;
                let line = self.source.buffer().get(..end).unwrap_or_default();
                return Ok(Some(usable(line, line.len())));
            }
            if block.is_empty() {
                return Ok((len > 0).then(|| usable(&self.line, len)));
            }
            let part = block.get(..end.unwrap_or(block.len())).unwrap_or_default();
            len += part.len();
            // One more octet, for the CR of a line end.
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

/// `line` without a CR at its end, if it is not too long. `len` counts what was not kept of it, too.
fn usable(line: &[u8], len: usize) -> Usable<&[u8]> {
    let content = line.strip_suffix(b"\r").unwrap_or(line);
    if content.len() > LONGEST_LINE || len > LONGEST_LINE + 1 { Err(Unusable::TooLong) } else { Ok(content) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a line, then nothing but an error.
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

    /// Takes nothing.
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
    fn what_breaks_is_told_and_what_was_answered_stays() {
        let mut answers = Vec::new();
        let broken = answer(Breaks(false), &mut answers, &Profile::RFC9309, none).unwrap_err();
        assert_eq!(answers, b"error\tnone\n");
        let told = |broken: &Broken| {
            let source = core::error::Error::source(broken).map(ToString::to_string);
            (broken.to_string(), source.is_some_and(|source| !source.is_empty()))
        };
        assert!(matches!(broken, Broken::Input(_)));
        assert_eq!(told(&broken), ("the input can't be read".to_owned(), true));
        let broken = answer(&b"\n"[..], Full, &Profile::RFC9309, none).unwrap_err();
        assert!(matches!(broken, Broken::Output(_)));
        assert_eq!(told(&broken), ("the output can't be written".to_owned(), true));
    }
}
