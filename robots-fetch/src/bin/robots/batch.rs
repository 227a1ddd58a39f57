//! `robots batch`: verdicts on many files, crawlers and URLs, a line in and a line out.

use core::fmt;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use lexopt::{Arg, Parser};
use robots_match::{Crawler, Profile, Robots, RuleSet};

use crate::args::{self, Reading};
use crate::failure::{Failure, Result, reason};
use crate::show::Text;
use crate::source::{self, Admitted};

pub(crate) const HELP: &str = "\
Verdicts on many files, crawlers and URLs: for each line of standard input one line of output, in the same order.

Usage: robots batch [OPTION]... < LINES

A line is FILE<TAB>AGENT<TAB>URL, where the URL is all of the rest; CR LF ends lines as LF does. Its answer is
  allowed<TAB>LINE      LINE is the number of the deciding line, 0 if none decides
  disallowed<TAB>LINE
  error<TAB>what        the line can't be used; the next ones are

A file and an agent are read and compiled once for a run of lines that name them: sort lines by file and agent. An
agent that is no product token is named by no group, so that groups for `*` apply. Lines may hold any octets, up to
1 MiB. Answers are written whenever no input is at hand.

Options:
  -p, --profile NAME   how files are read: rfc9309 (default), google, draft-koster-rep-00, koster-1996
  -h, --help           this help

Exit status: 0 if every line got its answer, errors among them; 2 if something else is wrong.

Example:
  printf 'robots.txt\\tExampleBot\\thttps://example.com/private\\n' | robots batch
";

/// The most octets of a line of input, its end not counted.
const LONGEST_LINE: usize = 1 << 20;

/// How much is read and written at once.
const BLOCK: usize = 128 * 1024;

/// The command, from its arguments on.
pub(crate) fn run(mut parser: Parser) -> Result<u8> {
    let mut reading = Reading::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return crate::help(HELP),
            Arg::Short('p') | Arg::Long("profile") => reading = Reading::of(&parser.value()?)?,
            other => return Err(other.unexpected().into()),
        }
    }
    let mut input = Input::new(io::stdin().lock());
    let mut output = BufWriter::with_capacity(BLOCK, io::stdout().lock());
    let mut memory = Memory::new(reading.profile);
    loop {
        if input.would_read() {
            output.flush().map_err(|error| Failure::of_output(&error))?;
        }
        let line = input
            .next_line()
            .map_err(|error| Failure::told(format!("can't read standard input: {}", reason(&error))));
        let line = match line {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(failure) => {
                // What is answered so far stays answered.
                output.flush().map_err(|error| Failure::of_output(&error))?;
                return Err(failure);
            }
        };
        let written = match line.and_then(|line| memory.answer(line)) {
            Ok((true, line)) => writeln!(output, "allowed\t{line}"),
            Ok((false, line)) => writeln!(output, "disallowed\t{line}"),
            Err(unusable) => writeln!(output, "error\t{unusable}"),
        };
        written.map_err(|error| Failure::of_output(&error))?;
    }
    output.flush().map_err(|error| Failure::of_output(&error))?;
    Ok(0)
}

/// What comes of a line of input.
type Usable<T> = core::result::Result<T, Unusable>;

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
            Self::TooLong => write!(f, "the line is longer than {LONGEST_LINE} octets"),
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
    fn answer(&mut self, line: &[u8]) -> Usable<(bool, usize)> {
        let [path, agent, url] = fields(line)?;
        if self.path != path {
            self.rules = None;
            self.robots = open(path, &self.profile);
            path.clone_into(&mut self.path);
        }
        let robots = self.robots.as_ref().map_err(Clone::clone)?;
        if self.agent != agent {
            self.rules = None;
            agent.clone_into(&mut self.agent);
        }
        let rules = self.rules.get_or_insert_with(|| match args::token(agent, &self.profile) {
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

fn open(path: &[u8], profile: &Profile) -> Usable<Robots> {
    let unreadable = |why: &str| Unusable::Unreadable(format!("can't read {}: {why}", Text(path)));
    let os_path = os_path(path).ok_or_else(|| unreadable("no file has such a name"))?;
    match source::read_file(&os_path, Admitted::Regular, profile) {
        Ok(octets) => Ok(Robots::new(octets, *profile)),
        Err(error) => Err(unreadable(&reason(&error))),
    }
}

/// The path with these octets, as far as the system has such.
#[cfg(unix)]
fn os_path(octets: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(PathBuf::from(OsStr::from_bytes(octets)))
}

#[cfg(not(unix))]
fn os_path(octets: &[u8]) -> Option<PathBuf> {
    core::str::from_utf8(octets).ok().map(|text| PathBuf::from(OsStr::new(text)))
}

/// The lines of input. Memory is bounded by the longest line that is used.
struct Input<R> {
    source: BufReader<R>,
    /// A line of which only a part stands in the buffer.
    line: Vec<u8>,
    /// How many octets of the buffer the last line took.
    taken: usize,
}

impl<R: io::Read> Input<R> {
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
