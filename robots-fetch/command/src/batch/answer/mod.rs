//! Verdicts on many files, crawlers and URLs: one line of output for each line of input, in the same order.
//!
//! A line of input is `FILE<TAB>AGENT<TAB>URL`. The URL is the rest of the line, and lines end with LF or CR LF. A line of
//! output is
//!
//! * `allowed<TAB>LINE` or `disallowed<TAB>LINE`, with the number of the deciding line, or 0 if no line decides.
//!   `<TAB>NOTE,NOTE` may follow: the [kind](BodyKind::name) of a file that is not a robots.txt file or is empty, and
//!   `allowed-as-written` or `disallowed-as-written` if the bytes of the URL as they are written have another verdict;
//! * `error<TAB>MESSAGE`, if the line of input can't be used. The following lines are answered.
//!
//! The caller decides which file a name means. `robots batch` opens files.

mod blocks;
mod kept;
mod question;

use alloc::sync::{Arc, Weak};
use core::fmt;
use core::num::NonZeroUsize;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::io::{self, BufWriter, Read, Write};

use robots_match::syntax::BodyKind;
use robots_match::{Crawler, Profile, Robots, RuleSet, SelectionBasis, SharedRules, Verdict};

use crate::in_order::{NoThread, Turn, in_order};

use self::blocks::{BLOCK, Block, Blocks};
use self::kept::Kept;
pub use self::question::{LONGEST_LINE, Reading};
use self::question::{Unusable, Usable, fields, usable};

/// The largest number of bytes of files that are kept.
const FILES: usize = 32 << 20;

/// The largest number of bytes of rules that are kept.
const RULES: usize = 72 << 20;

/// The largest number of bytes of agents that are kept.
const AGENTS: usize = 24 << 20;

/// Answers each line of `input` with a line of `output`, until `input` ends. `reading` says how lines and files are read.
///
/// `open` returns the bytes of the file with this name, or a message of one line. Files and compiled rules are kept, as far as
/// there is room for them. An agent is the name of a crawler, a `User-Agent` header, or `*` for a crawler that no group names.
/// A URL has a scheme and `://`, or is a path that begins with `/`.
///
/// Lines may contain any bytes. Answers are written to `output` whenever the next line of input is not yet complete. Returns the
/// number of lines without a verdict.
///
/// # Complexity
///
/// Linear in the length of the input, plus the time of `open` and of compiling and checking rules.
///
/// # Memory
///
/// Twice [`LONGEST_LINE`], the file that was read last, its name or the message of `open`, the next file while it is read, the
/// rules that were used last and their agent, a few buffers of 128 KiB, and at most 128 MiB of files, rules and agents that are kept.
///
/// # Errors
///
/// `input` can't be read or `output` can't be written. Answers before the error are written where possible.
///
/// ```
/// use robots_command::{Reading, answer};
/// use robots_fetch::matching::Profile;
///
/// let questions = b"robots.txt\tExampleBot\t/private\nrobots.txt\tExampleBot\t/\nother\n";
/// let mut answers = Vec::new();
/// let errors = answer(&questions[..], &mut answers, &Reading::new(&Profile::RFC9309), |_| {
///     Ok(b"user-agent: *\ndisallow: /private".to_vec())
/// })?;
/// assert!(answers.starts_with(b"disallowed\t2\nallowed\t0\nerror\tthe line has no agent"));
/// assert_eq!(errors, 1);
/// # Ok::<(), robots_command::Broken>(())
/// ```
pub fn answer(
    input: impl Read,
    output: impl Write,
    reading: &Reading,
    open: impl Fn(&[u8]) -> Result<Vec<u8>, String>,
) -> Result<usize, Broken> {
    let mut output = BufWriter::with_capacity(BLOCK, output);
    let cache = Cache::new();
    let mut answering = Answering::new(*reading, &cache, &open);
    let (mut blocks, mut block) = (Blocks::new(input), Block::default());
    while blocks.fill(&mut block).map_err(Broken::Input)? {
        // The answers are written before more input is read.
        answering.answer(&block, &mut output).and_then(|()| output.flush()).map_err(Broken::Output)?;
    }
    Ok(cache.errors.into_inner())
}

/// Answers questions as [`answer`] does, on several threads; that of the caller writes the answers. If the system refuses a
/// thread, there are fewer.
///
/// # Memory
///
/// That of [`answer`], and for each thread two files and the rules that it used last, a block of input of at most twice
/// [`LONGEST_LINE`], and 128 KiB of answers. The threads share the files and rules that are kept.
///
/// # Errors
///
/// Those of [`answer`], or no thread can be started.
///
/// # Panics
///
/// If `input`, `output` or `open` panics.
pub fn answer_on(
    threads: NonZeroUsize,
    input: impl Read + Send,
    output: impl Write + Send,
    reading: &Reading,
    open: impl Fn(&[u8]) -> Result<Vec<u8>, String> + Sync,
) -> Result<usize, Broken> {
    if threads.get() == 1 {
        return answer(input, output, reading, open);
    }
    let cache = Cache::new();
    let mut output = output;
    let worker = || {
        let mut answering = Answering::new(*reading, &cache, &open);
        move |block: io::Result<Block>, turn: &mut Turn<'_, io::Result<Vec<u8>>>| {
            let answers = block.map(|block| {
                let mut answers = Vec::with_capacity(BLOCK / 4);
                answering.answer(&block, &mut answers).expect("memory can be written");
                answers
            });
            let weight = answers.as_ref().map_or(0, Vec::len);
            turn.send(answers, weight);
        }
    };
    in_order(threads.get(), threads.get() * BLOCK, Blocks::new(input), worker, |answers| {
        let answers = answers.map_err(Broken::Input)?;
        // The answers are not kept back, because the next ones may take long.
        output.write_all(&answers).and_then(|()| output.flush()).map_err(Broken::Output)
    })?;
    Ok(cache.errors.into_inner())
}

/// An error of the input or the output, after which no more answers follow.
#[derive(Debug)]
#[non_exhaustive]
pub enum Broken {
    /// The input can't be read.
    Input(io::Error),
    /// The output can't be written.
    Output(io::Error),
    /// No thread can be started.
    Thread(io::Error),
}

impl From<NoThread> for Broken {
    fn from(NoThread(error): NoThread) -> Self {
        Self::Thread(error)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input(_) => "the input can't be read",
            Self::Output(_) => "the output can't be written",
            Self::Thread(_) => "no thread can be started",
        })
    }
}

impl core::error::Error for Broken {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Input(error) | Self::Output(error) | Self::Thread(error) => Some(error),
        }
    }
}

/// What all threads keep.
struct Cache {
    /// Files by their names.
    files: Kept<Arc<Robots>>,
    /// Rules by the name of a file and the groups that apply, or an agent. Agents to which the same groups apply share them.
    rules: Kept<Arc<Rules>>,
    /// The rules of an agent by the start of a line: the name of a file, a tab and the agent.
    of_agents: Kept<Weak<Rules>>,
    /// How many lines had no verdict.
    errors: AtomicUsize,
}

/// The rules of a file for an agent, and what the file is.
type Rules = (RuleSet, BodyKind);

impl Cache {
    fn new() -> Self {
        Self {
            files: Kept::new(FILES),
            rules: Kept::new(RULES),
            of_agents: Kept::new(AGENTS),
            errors: AtomicUsize::new(0),
        }
    }

    /// Returns the rules of an agent that are kept.
    fn of_agent(&self, key: &[u8]) -> Option<Arc<Rules>> {
        self.of_agents.find(key)?.upgrade()
    }
}

/// Answers lines.
struct Answering<'k, F> {
    reading: Reading,
    cache: &'k Cache,
    open: &'k F,
    /// The name of the last file.
    path: Vec<u8>,
    file: Usable<Arc<Robots>>,
    /// The file and the agent of the last line that has rules.
    key: Vec<u8>,
    rules: Option<Arc<Rules>>,
}

/// A line whose rules are not kept.
struct Waiting<'l> {
    /// Its number among the lines that wait.
    number: usize,
    /// Where its answer belongs in those of the other lines.
    place: usize,
    path: &'l [u8],
    agent: &'l [u8],
    text: &'l [u8],
    /// The file and the agent.
    key: &'l [u8],
    /// Its answer, in those of all lines that wait.
    answer: Range<usize>,
}

/// An agent, and its lines.
type OfAgent<'w, 'l> = (Crawler, Profile, &'w mut [Waiting<'l>]);

impl<'k, F: Fn(&[u8]) -> Result<Vec<u8>, String>> Answering<'k, F> {
    const fn new(reading: Reading, cache: &'k Cache, open: &'k F) -> Self {
        // No line has an empty path, so the first line replaces this value.
        let file = Err(Unusable::NoFile);
        Self { reading, cache, open, path: Vec::new(), file, key: Vec::new(), rules: None }
    }

    /// Writes the answer to each line of a block. Those whose rules are not kept are answered together, so that a file is read once for
    /// all of its agents.
    fn answer(&mut self, block: &Block, output: &mut impl Write) -> io::Result<()> {
        let (mut waiting, mut answers) = (Vec::new(), Vec::new());
        for line in block.lines() {
            let answer = match usable(line).and_then(|line| self.find(line)) {
                Ok(Found::Rules(text)) => {
                    let rules = self.rules.as_ref().expect("the rules of the line were found");
                    verdict(&self.reading, text, rules)
                }
                Ok(Found::None([path, agent, text], key)) => {
                    let (number, place) = (waiting.len(), answers.len());
                    waiting.push(Waiting { number, place, path, agent, text, key, answer: 0..0 });
                    continue;
                }
                Err(unusable) => Err(unusable),
            };
            if waiting.is_empty() {
                self.write(answer, output)?;
                continue;
            }
            self.write(answer, &mut answers)?;
            if answers.len() >= BLOCK {
                self.answer_waiting(&mut waiting, &mut answers, output)?;
            }
        }
        self.answer_waiting(&mut waiting, &mut answers, output)
    }

    /// Looks for the rules of a line among those that are kept, and makes them those of the last line.
    #[inline]
    fn find<'l>(&mut self, line: &'l [u8]) -> Usable<Found<'l>> {
        let as_last = || line.strip_prefix(&*self.key)?.strip_prefix(b"\t");
        if let Some(text) = as_last()
            && self.rules.is_some()
        {
            return Ok(Found::Rules(text));
        }
        let [path, agent, text] = fields(line)?;
        let key = line.get(..path.len() + 1 + agent.len()).unwrap_or_default();
        let Some(rules) = self.cache.of_agent(key) else {
            return Ok(Found::None([path, agent, text], key));
        };
        key.clone_into(&mut self.key);
        self.rules = Some(rules);
        Ok(Found::Rules(text))
    }

    #[inline]
    fn write(&self, answer: Usable<Answer>, output: &mut impl Write) -> io::Result<()> {
        match answer {
            Ok((verdict, as_written, kind)) => {
                write_answer(output, word(&verdict), verdict.line().unwrap_or(0))?;
                if as_written.is_some() || !is_usual(kind) {
                    write_notes(output, kind, as_written.as_ref())?;
                }
                output.write_all(b"\n")
            }
            Err(unusable) => {
                self.cache.errors.fetch_add(1, Ordering::Relaxed);
                writeln!(output, "error\t{unusable}")
            }
        }
    }

    /// Writes the answers of lines that wait, each at its place in those of the others. Then nothing waits any more.
    fn answer_waiting(
        &mut self,
        waiting: &mut Vec<Waiting<'_>>,
        answers: &mut Vec<u8>,
        output: &mut impl Write,
    ) -> io::Result<()> {
        if waiting.is_empty() {
            return Ok(());
        }
        let mut of_waiting = Vec::new();
        waiting.sort_by_key(|line| (line.path, line.agent));
        for lines in waiting.chunk_by_mut(|one, other| one.path == other.path) {
            self.answer_of_file(lines, &mut of_waiting)?;
        }
        waiting.sort_unstable_by_key(|line| line.number);
        let mut rest = &**answers;
        let mut start = 0;
        for line in &*waiting {
            let (before, after) = rest.split_at_checked(line.place - start).unwrap_or((rest, b""));
            output.write_all(before)?;
            output.write_all(of_waiting.get(line.answer.clone()).unwrap_or_default())?;
            (rest, start) = (after, line.place);
        }
        output.write_all(rest)?;
        waiting.clear();
        answers.clear();
        Ok(())
    }

    /// Answers lines about one file.
    #[cold]
    fn answer_of_file(&mut self, lines: &mut [Waiting<'_>], answers: &mut Vec<u8>) -> io::Result<()> {
        let path = lines.first().map(|line| line.path).unwrap_or_default();
        if self.path != path {
            self.file = self.file(path);
            path.clone_into(&mut self.path);
        }
        let robots = match &self.file {
            Ok(robots) => Arc::clone(robots),
            Err(unusable) => {
                let unusable = unusable.clone();
                return self.answer_lines(lines, answers, |_| Err(unusable.clone()));
            }
        };
        let mut agents: Vec<OfAgent<'_, '_>> = Vec::new();
        let mut profiles: Vec<Profile> = Vec::new();
        for lines in lines.chunk_by_mut(|one, other| one.agent == other.agent) {
            match self.reading.crawler(lines.first().map(|line| line.agent).unwrap_or_default()) {
                Ok((crawler, profile)) => {
                    if !profiles.contains(&profile) {
                        profiles.push(profile);
                    }
                    agents.push((crawler, profile, lines));
                }
                Err(unusable) => self.answer_lines(lines, answers, |_| Err(unusable.clone()))?,
            }
        }
        for profile in profiles {
            let own = agents.iter_mut().filter(|(_, of_agent, _)| *of_agent == profile).collect();
            let of_profile = match profile == *robots.profile() {
                true => Arc::clone(&robots),
                false => Arc::new(Robots::new(robots.body(), profile)),
            };
            self.answer_of_agents(&of_profile, own, answers)?;
        }
        Ok(())
    }

    /// Answers the lines of agents that read a file by the same profile.
    fn answer_of_agents(
        &mut self,
        robots: &Robots,
        mut agents: Vec<&mut OfAgent<'_, '_>>,
        answers: &mut Vec<u8>,
    ) -> io::Result<()> {
        // For one agent, the file is compiled as it is read.
        if let [(crawler, _, lines)] = &mut *agents {
            let key = lines.first().map(|line| line.key).unwrap_or_default();
            let rules =
                self.cache.rules.find(key).unwrap_or_else(|| self.keep(key, robots, robots.rules(crawler)));
            return self.answer_by(rules, lines, answers);
        }
        let shared = robots.rules_for(agents.iter().map(|(crawler, ..)| crawler));
        let mut in_order: Vec<usize> = (0..agents.len()).collect();
        in_order.sort_by_key(|&agent| shared.set_of(agent));
        let mut last = None;
        for agent in in_order {
            let set = shared.set_of(agent);
            let rules = match last.take() {
                Some((known, rules)) if known == set => rules,
                _ => {
                    let key = self.key_of_set(robots, &shared, set);
                    let kept = self.cache.rules.find(&key);
                    kept.unwrap_or_else(|| self.keep(&key, robots, shared.rules(set)))
                }
            };
            if let Some((.., lines)) = agents.get_mut(agent) {
                self.answer_by(Arc::clone(&rules), lines, answers)?;
            }
            last = Some((set, rules));
        }
        Ok(())
    }

    /// Returns the key of rules that agents share: no name of a file has a line end.
    fn key_of_set(&self, robots: &Robots, shared: &SharedRules<'_>, set: usize) -> Vec<u8> {
        let basis = shared.basis(set);
        let mut key = self.path.clone();
        let is_own = *robots.profile() == self.reading.profile.rules;
        key.extend_from_slice(&[b'\n', u8::from(is_own), basis as u8]);
        // Without a name, the same groups apply to all.
        if basis == SelectionBasis::Named {
            shared.applied(set).for_each(|group| key.extend_from_slice(&group.to_le_bytes()));
        }
        key
    }

    fn keep(&self, key: &[u8], robots: &Robots, rules: RuleSet) -> Arc<Rules> {
        let bytes = rules.memory();
        let kind = BodyKind::of(robots.body(), &robots.profile().syntax);
        self.cache.rules.insert(key, Arc::new((rules, kind)), bytes)
    }

    /// Answers the lines of an agent, and keeps its rules.
    fn answer_by(
        &mut self,
        rules: Arc<Rules>,
        lines: &mut [Waiting<'_>],
        answers: &mut Vec<u8>,
    ) -> io::Result<()> {
        let key = lines.first().map(|line| line.key).unwrap_or_default();
        drop(self.cache.of_agents.insert(key, Arc::downgrade(&rules), 0));
        self.answer_lines(lines, answers, |text| verdict(&self.reading, text, &rules))?;
        key.clone_into(&mut self.key);
        self.rules = Some(rules);
        Ok(())
    }

    fn answer_lines(
        &self,
        lines: &mut [Waiting<'_>],
        answers: &mut Vec<u8>,
        answer: impl Fn(&[u8]) -> Usable<Answer>,
    ) -> io::Result<()> {
        lines.iter_mut().try_for_each(|line| {
            let start = answers.len();
            self.write(answer(line.text), answers)?;
            line.answer = start..answers.len();
            Ok(())
        })
    }

    /// Returns the file of a name, and keeps it.
    fn file(&self, path: &[u8]) -> Usable<Arc<Robots>> {
        if let Some(file) = self.cache.files.find(path) {
            return Ok(file);
        }
        let body = (self.open)(path).map_err(Unusable::Unreadable)?;
        let robots = Robots::from_boxed(body.into_boxed_slice(), self.reading.profile.rules);
        let bytes = size_of::<Robots>() + robots.body().len();
        Ok(self.cache.files.insert(path, Arc::new(robots), bytes))
    }
}

/// The URL of a line whose rules are kept; otherwise its fields, and its file and agent.
enum Found<'l> {
    Rules(&'l [u8]),
    None([&'l [u8]; 3], &'l [u8]),
}

/// A verdict, what the bytes of the URL as they are written would have if that is something else, and what the file is.
type Answer = (Verdict, Option<Verdict>, BodyKind);

#[inline]
fn verdict(reading: &Reading, text: &[u8], (rules, kind): &Rules) -> Usable<Answer> {
    let (verdict, as_written) = reading.verdict(text, rules)?;
    Ok((verdict, as_written, *kind))
}

/// Returns whether a file is what it should be, so that no note is needed.
const fn is_usual(kind: BodyKind) -> bool {
    matches!(kind, BodyKind::Rules | BodyKind::NoGroup)
}

const fn word(verdict: &Verdict) -> &'static str {
    if verdict.is_allowed() { "allowed" } else { "disallowed" }
}

/// Writes a tab, and what should be known besides a verdict.
#[cold]
fn write_notes(output: &mut impl Write, kind: BodyKind, as_written: Option<&Verdict>) -> io::Result<()> {
    let as_written = as_written.map(|verdict| format!("{}-as-written", word(verdict)));
    let kind = (!is_usual(kind)).then(|| kind.name().to_owned());
    let notes: Vec<String> = kind.into_iter().chain(as_written).collect();
    write!(output, "\t{}", notes.join(","))
}

/// Writes `word`, a tab and a number. Formatting would take as long as the verdict.
fn write_answer(output: &mut impl Write, word: &str, number: usize) -> io::Result<()> {
    let mut text = [0; 32];
    let mut start = text.len();
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
    output.write_all(word.as_bytes())?;
    output.write_all(b"\t")?;
    output.write_all(text.get(start..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::AtomicBool;
    use core::time::Duration;
    use std::sync::{Mutex, mpsc};
    use std::thread;

    use robots_match::Profile;

    use super::*;

    fn reading() -> Reading {
        Reading::new(&Profile::RFC9309)
    }

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
    fn rules_that_were_forgotten_are_not_used_for_the_next_line() {
        // Each of many threads may use a few of these files before it forgets them. The short input is one block for one thread.
        let open = |name: &[u8]| {
            let mut body = b"user-agent: *\n".to_vec();
            (0..20_000)
                .for_each(|number| body.extend_from_slice(format!("disallow: /{number:05}\n").as_bytes()));
            Ok([&*body, b"disallow: /", name].concat())
        };
        let (mut rows, mut expected) = (Vec::new(), Vec::new());
        for turn in 0..60 {
            let name = turn % 20 + 100;
            for (path, answer) in [(name, "disallowed\t20002"), (99, "allowed\t0")] {
                rows.extend_from_slice(format!("{name}\tx\t/{path}\n\n").as_bytes());
                expected.extend_from_slice(format!("{answer}\nerror\tthe line is empty\n").as_bytes());
            }
        }
        let mut answers = Vec::new();
        answer_on(NonZeroUsize::new(16).unwrap(), &*rows, &mut answers, &reading(), open).unwrap();
        assert_eq!(str::from_utf8(&answers).unwrap(), str::from_utf8(&expected).unwrap());
    }

    #[test]
    fn errors_are_returned_after_the_answers_so_far() {
        let mut answers = Vec::new();
        let broken = answer(Breaks(false), &mut answers, &reading(), none).unwrap_err();
        assert_eq!(answers, b"error\tnone\n");
        let shown = |broken: &Broken| {
            let source = core::error::Error::source(broken).map(ToString::to_string);
            (broken.to_string(), source.is_some_and(|source| !source.is_empty()))
        };
        assert!(matches!(broken, Broken::Input(_)));
        assert_eq!(shown(&broken), ("the input can't be read".to_owned(), true));
        let mut answers = Vec::new();
        let two = NonZeroUsize::new(2).unwrap();
        let broken = answer_on(two, Breaks(false), &mut answers, &reading(), none).unwrap_err();
        assert!(matches!(broken, Broken::Input(_)));
        assert_eq!(answers, b"error\tnone\n");
        let broken = answer_on(two, &b"\n"[..], Full, &reading(), none).unwrap_err();
        assert!(matches!(broken, Broken::Output(_)));
        let broken = answer(&b"\n"[..], Full, &reading(), none).unwrap_err();
        assert!(matches!(broken, Broken::Output(_)));
        assert_eq!(shown(&broken), ("the output can't be written".to_owned(), true));
    }

    const MOST: Duration = Duration::from_secs(60);

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn answers_have_the_order_of_the_lines_if_one_thread_is_slow() {
        let mut rows = b"slow\tx\t/\n".to_vec();
        for number in 0..200_000 {
            rows.extend_from_slice(format!("{}\tx\t/{number}\n", number % 7).as_bytes());
        }
        let open = |name: &[u8]| {
            if name == b"slow" {
                thread::sleep(Duration::from_millis(100));
            }
            Ok([b"user-agent: *\ndisallow: /", name].concat())
        };
        let mut expected = Vec::new();
        answer(&*rows, &mut expected, &reading(), open).unwrap();
        for count in [2, 3, 8] {
            let mut answers = Vec::new();
            answer_on(threads(count), &*rows, &mut answers, &reading(), open).unwrap();
            assert!(answers == expected, "{count} threads");
        }
    }

    /// Sends what is written.
    struct Sends(mpsc::Sender<Vec<u8>>);

    impl Write for Sends {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns one line for each call.
    struct LineByLine(&'static [&'static str]);

    impl Read for LineByLine {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((line, rest)) = self.0.split_first() else { return Ok(0) };
            self.0 = rest;
            (&mut &mut *buffer).write_all(line.as_bytes())?;
            Ok(line.len())
        }
    }

    #[test]
    fn an_answer_does_not_wait_for_the_next_one() {
        let (to_test, of_output) = mpsc::channel();
        let (second_is_open, first_may_go_on) = mpsc::channel();
        let (of_output, first_may_go_on) = (Mutex::new(of_output), Mutex::new(first_may_go_on));
        let open = |name: &[u8]| {
            if name == b"second" {
                second_is_open.send(()).unwrap();
                let written = of_output.lock().unwrap().recv_timeout(MOST);
                assert_eq!(written.as_deref(), Ok(&b"error\tnone\n"[..]));
            } else {
                first_may_go_on.lock().unwrap().recv_timeout(MOST).unwrap();
            }
            Err("none".to_owned())
        };
        let lines = LineByLine(&["first\tx\t/\n", "second\tx\t/\n"]);
        answer_on(threads(2), lines, Sends(to_test), &reading(), open).unwrap();
    }

    /// Panics instead of reading or writing.
    struct Panics;

    impl Read for Panics {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("the input panics")
        }
    }

    impl Write for Panics {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            panic!("the output panics")
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns whether `run` panics; `None` if it does not end.
    fn panics(run: impl FnOnce() + Send + 'static) -> Option<bool> {
        let (to_test, of_thread) = mpsc::channel();
        thread::spawn(move || {
            let run = core::panic::AssertUnwindSafe(run);
            let _ = to_test.send(std::panic::catch_unwind(run).is_err());
        });
        of_thread.recv_timeout(MOST).ok()
    }

    #[test]
    fn all_threads_end_after_a_panic() {
        let rows = || io::Cursor::new(b"a\tx\t/\n".repeat(200_000));
        let none = |_: &[u8]| Err("none".to_owned());
        let of_open = panics(move || {
            let is_first = AtomicBool::new(true);
            let open = |_: &[u8]| {
                assert!(!is_first.swap(false, Ordering::SeqCst), "the first file panics");
                Err("none".to_owned())
            };
            answer_on(threads(2), rows(), io::sink(), &reading(), open).unwrap();
        });
        assert_eq!(of_open, Some(true));
        let of_output = panics(move || drop(answer_on(threads(2), rows(), Panics, &reading(), none)));
        assert_eq!(of_output, Some(true));
        let of_input = panics(move || {
            answer_on(threads(2), rows().chain(Panics).chain(rows()), io::sink(), &reading(), none).unwrap();
        });
        assert_eq!(of_input, Some(true));
    }
}
