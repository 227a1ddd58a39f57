//! Verdicts on many files, crawlers and URLs: one line of output for each line of input, in the same order.
//!
//! A line of input is `FILE<TAB>AGENT<TAB>URL`. The URL is the rest of the line, and lines end with LF or CR LF. A line of
//! output is
//!
//! * `allowed<TAB>LINE` or `disallowed<TAB>LINE`, with the number of the deciding line, or 0 if no line decides;
//! * `error<TAB>MESSAGE`, if the line of input can't be used. The following lines are answered.
//!
//! The caller decides which file a name means. `robots batch` opens files.

mod blocks;
mod form;
mod kept;
mod question;
mod turns;

use alloc::sync::Arc;
use core::fmt;
use core::num::NonZeroUsize;
use std::io::{self, BufWriter, Read, Write};
use std::thread;

use robots_match::{Profile, Robots, RuleSet};

use self::blocks::{BLOCK, Block, Blocks};
pub use self::form::Form;
use self::kept::{Kept, Value};
pub use self::question::LONGEST_LINE;
use self::question::{Unusable, Usable, crawler, fields, url, usable};
use self::turns::Turns;

/// Answers each line of `input` with a line of `output`, until `input` ends. `profile` says how files are read.
///
/// `open` returns the bytes of the file with this name, or a message of one line. Files and compiled rules are kept, as far as
/// there is room for them. An agent is the name of a crawler, a `User-Agent` header, or `*` for a crawler that no group names.
/// A URL has a scheme and `://`, or is a path that begins with `/`.
///
/// Lines may contain any bytes. Answers are written to `output` whenever the next line of input is not yet complete.
///
/// # Complexity
///
/// Linear in the length of the input, plus the time of `open` and of compiling and checking rules.
///
/// # Memory
///
/// One line of at most [`LONGEST_LINE`] bytes, the file of the last line, two buffers of 128 KiB, and at most 64 MiB for files
/// and rules.
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
    open: impl Fn(&[u8]) -> Result<Vec<u8>, String>,
) -> Result<(), Broken> {
    let mut output = BufWriter::with_capacity(BLOCK, output);
    let kept = Kept::new();
    let mut answering = Answering::new(*profile, &kept, &open);
    let (mut blocks, mut block) = (Blocks::new(input), Block::default());
    while blocks.fill(&mut block).map_err(Broken::Input)? {
        // The answers are written before more input is read.
        answering.answer(&block, &mut output).and_then(|()| output.flush()).map_err(Broken::Output)?;
    }
    Ok(())
}

/// Does the same as [`answer`] on several threads, one of which is that of the caller. If the system refuses a thread, there are
/// fewer.
///
/// # Memory
///
/// That of [`answer`], and for each thread a file, a block of input, and the answers to at most three blocks.
///
/// # Errors
///
/// Those of [`answer`].
///
/// # Panics
///
/// If `input`, `output` or `open` panics.
pub fn answer_on(
    threads: NonZeroUsize,
    input: impl Read + Send,
    output: impl Write + Send,
    profile: &Profile,
    open: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Sync,
) -> Result<(), Broken> {
    if threads.get() == 1 {
        return answer(input, output, profile, open);
    }
    let kept = Kept::new();
    let turns = Turns::new(input, output, 2 * threads.get());
    let work = || {
        let (mut answering, mut block) = (Answering::new(*profile, &kept, &open), Block::default());
        while let Some(turn) = turns.read(&mut block) {
            let mut answers = Vec::with_capacity(BLOCK / 4);
            answering.answer(&block, &mut answers).expect("memory can be written");
            turn.write(answers);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            // With fewer threads the answers are the same.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    match turns.into_errors() {
        (_, Some(error)) => Err(Broken::Output(error)),
        (Some(error), None) => Err(Broken::Input(error)),
        (None, None) => Ok(()),
    }
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

/// Answers lines one after the other.
struct Answering<'k, F> {
    profile: Profile,
    kept: &'k Kept,
    open: &'k F,
    /// The name of the last file.
    path: Vec<u8>,
    robots: Usable<Arc<Robots>>,
    /// The file and the agent of the last line with rules, with a tab between and one after them.
    start: Vec<u8>,
    rules: Option<Arc<RuleSet>>,
}

impl<'k, F: Fn(&[u8]) -> Result<Vec<u8>, String>> Answering<'k, F> {
    const fn new(profile: Profile, kept: &'k Kept, open: &'k F) -> Self {
        // No line has an empty path, so the first line replaces this value.
        let robots = Err(Unusable::NoFile);
        Self { profile, kept, open, path: Vec::new(), robots, start: Vec::new(), rules: None }
    }

    /// Writes the answer to each line of a block.
    fn answer(&mut self, block: &Block, output: &mut impl Write) -> io::Result<()> {
        for line in block.lines() {
            match usable(line).and_then(|line| self.verdict(line)) {
                Ok((true, line)) => write_answer(output, b"allowed\t", line)?,
                Ok((false, line)) => write_answer(output, b"disallowed\t", line)?,
                Err(unusable) => writeln!(output, "error\t{unusable}")?,
            }
        }
        Ok(())
    }

    /// Returns whether the URL of `line` is allowed, and the number of the deciding line of the file.
    fn verdict(&mut self, line: &[u8]) -> Usable<(bool, usize)> {
        let verdict = match (&self.rules, line.strip_prefix(&*self.start)) {
            // Usually, successive lines have the same file and agent.
            (Some(rules), Some(text)) => rules.check_text(url(text)?),
            _ => {
                let [path, agent, text] = fields(line)?;
                let key = line.get(..path.len() + 1 + agent.len()).unwrap_or_default();
                let rules = match self.kept.rules(key) {
                    Some(rules) => rules,
                    None => self.compiled(path, agent, key)?,
                };
                self.start.clear();
                self.start.extend_from_slice(key);
                self.start.push(b'\t');
                self.rules.insert(rules).check_text(url(text)?)
            }
        };
        Ok((verdict.is_allowed(), verdict.line().unwrap_or(0)))
    }

    /// Compiles the rules of a file for an agent, and keeps them.
    #[cold]
    fn compiled(&mut self, path: &[u8], agent: &[u8], key: &[u8]) -> Usable<Arc<RuleSet>> {
        if self.path != path {
            self.robots = match self.kept.file(path) {
                Some(robots) => Ok(robots),
                None => self.opened(path),
            };
            path.clone_into(&mut self.path);
        }
        let robots = self.robots.as_ref().map_err(Clone::clone)?;
        let rules = Arc::new(robots.rules(&crawler(agent, &self.profile)?));
        self.kept.insert(key, Value::Rules(Arc::clone(&rules)));
        Ok(rules)
    }

    fn opened(&self, path: &[u8]) -> Usable<Arc<Robots>> {
        let body = (self.open)(path).map_err(Unusable::Unreadable)?;
        let robots = Arc::new(Robots::from_boxed(body.into_boxed_slice(), self.profile));
        self.kept.insert(path, Value::File(Arc::clone(&robots)));
        Ok(robots)
    }
}

/// Writes `word`, a number and a line end. Formatting would take as long as the verdict.
fn write_answer(output: &mut impl Write, word: &[u8], number: usize) -> io::Result<()> {
    let mut text = [b'\n'; 32];
    let mut start = text.len() - 1;
    let mut rest = number;
    loop {
        start -= 1;
        if let Some(digit) = text.get_mut(start) {
            *digit = b'0' + (rest % 10) as u8;
        }
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    output.write_all(word)?;
    output.write_all(text.get(start..).unwrap_or_default())
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
        let mut answers = Vec::new();
        let two = NonZeroUsize::new(2).unwrap();
        let broken = answer_on(two, Breaks(false), &mut answers, &Profile::RFC9309, none).unwrap_err();
        assert!(matches!(broken, Broken::Input(_)));
        assert_eq!(answers, b"error\tnone\n");
        let broken = answer_on(two, &b"\n"[..], Full, &Profile::RFC9309, none).unwrap_err();
        assert!(matches!(broken, Broken::Output(_)));
        let broken = answer(&b"\n"[..], Full, &Profile::RFC9309, none).unwrap_err();
        assert!(matches!(broken, Broken::Output(_)));
        assert_eq!(shown(&broken), ("the output can't be written".to_owned(), true));
    }
}
