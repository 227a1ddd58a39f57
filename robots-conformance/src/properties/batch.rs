//! Properties of questions that are answered line by line.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

use core::num::NonZeroUsize;
use std::io::{self, Read};

use robots_fetch::matching::syntax::BodyKind;
use robots_fetch::matching::{Crawler, KNOWN_NAMES, Profile, Reason, Robots, Target};

use crate::suite::names::READING_PROFILES;

/// Answers the lines of a source on this thread, or on several. The files come from `open`.
pub type Answer = fn(
    threads: Option<NonZeroUsize>,
    source: Box<dyn Read + Send + '_>,
    profile: &Profile,
    urls: Urls,
    open: fn(&[u8]) -> Result<Vec<u8>, String>,
) -> Vec<u8>;

/// Which bytes of a URL are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "complete by definition")]
pub enum Urls {
    /// Those that a client requests.
    Requested,
    /// Those that are written.
    AsWritten,
}

const NOT_URL: &str = "the URL is neither one with a scheme and `://` nor a path that begins with `/`";

/// The first byte of file names that do not exist.
const NO_FILE: u8 = b'!';

/// A placeholder in the input for a line close to the longest.
const MANY: u8 = b'\x01';

/// The pace at which there are such placeholders; other inputs have none, because such lines are slow.
const LONG: u8 = 255;

/// Each line gets the answer that it would get on its own, in order, however the input is split.
///
/// The first byte of `data` is the pace: how much of the input comes at once. The rest is the input. The name of a file
/// is its content, with `|` for a line end; files whose name begins with `!` do not exist. If the pace is 255, the
/// first byte with the value 1 becomes one `a` less than a line may have, and the second one more than that.
///
/// `answer` is the function under test, and `longest_line` the number of bytes that a line may have.
pub fn answering(answer: Answer, longest_line: usize, data: &[u8]) {
    let Some((&pace, lines)) = data.split_first() else { return };
    let mut input = Vec::new();
    let mut long = 0;
    for &byte in lines {
        if byte == MANY && pace == LONG && long < 2 {
            input.resize(input.len() + longest_line - 1 + 2 * long, b'a');
            long += 1;
        } else {
            input.push(byte);
        }
    }
    let profiles = READING_PROFILES.map(|(_, profile)| profile);
    let profile = profiles.get(usize::from(pace) % profiles.len()).copied().unwrap_or_default();
    let most = if long > 0 { 1 << 16 } else { 1 + usize::from(pace) };
    let urls = if pace / 4 % 2 == 1 { Urls::AsWritten } else { Urls::Requested };
    let source = || Box::new(Pieces { rest: &input, most, interrupts: pace > 127 });
    let open = |name: &[u8]| content(name).ok_or_else(|| "missing file".to_owned());
    let answers = answer(None, source(), &profile, urls, open);
    // Threads take long to start, so only some inputs are answered on several.
    if pace % 8 == 1 {
        let threads = NonZeroUsize::MIN.saturating_add(1 + usize::from(pace) % 3);
        let of_threads = answer(Some(threads), source(), &profile, urls, open);
        assert!(answers == of_threads, "{pace} {}", lines.escape_ascii());
    }
    let expected: String =
        one_by_one(&input, longest_line, &profile, urls).map(|answer| answer + "\n").collect();
    let answers = String::from_utf8(answers).expect("answers are text");
    assert_eq!(answers, expected, "{pace} {}", lines.escape_ascii());
}

/// Returns the answer of each line on its own.
fn one_by_one(
    input: &[u8],
    longest_line: usize,
    profile: &Profile,
    urls: Urls,
) -> impl Iterator<Item = String> {
    let complete = input.strip_suffix(b"\n").unwrap_or(input);
    let none = input.is_empty();
    complete.split(|&byte| byte == b'\n').filter(move |_| !none).map(move |line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > longest_line {
            return format!("error\tthe line is longer than {longest_line} bytes");
        }
        let how = "it should be FILE, AGENT, URL with tabs between";
        let fields: Vec<&[u8]> = line.splitn(3, |&byte| byte == b'\t').collect();
        match fields[..] {
            [[]] => "error\tthe line is empty".to_owned(),
            [_] => format!("error\tthe line has no agent: {how}"),
            [[], ..] => "error\tthe line names no file".to_owned(),
            [_, _] => format!("error\tthe line has no URL: {how}"),
            [name, agent, url] => {
                let Some(file) = content(name) else { return "error\tmissing file".to_owned() };
                let kind = BodyKind::of(&file, &profile.syntax);
                let robots = Robots::new(file, *profile);
                let Ok(agent) = core::str::from_utf8(agent) else {
                    return "error\tthe agent is not UTF-8".to_owned();
                };
                let is_one = urls == Urls::AsWritten || agent.contains(['/', '(']);
                let names: Vec<&str> =
                    if is_one { vec![agent] } else { agent.split(',').map(str::trim).collect() };
                let rules = match Crawler::parse(&names, &profile.groups, &KNOWN_NAMES) {
                    Ok(crawler) => robots.rules(&crawler),
                    Err(error) => return format!("error\t{error}"),
                };
                let Ok(target) = Target::parse(url) else { return format!("error\t{NOT_URL}") };
                let requested = rules.check(target.path());
                let written = match url {
                    [b'/', ..] => rules.check(url.split(|&byte| byte == b'#').next().unwrap_or_default()),
                    // Clients find a host where the URL has no `//`, and where it has `\`.
                    _ => match rules.check(url) {
                        verdict if verdict.reason() == Reason::NotUrl => requested,
                        verdict => verdict,
                    },
                };
                let word = |is_allowed| if is_allowed { "allowed" } else { "disallowed" };
                let mut notes = Vec::new();
                if !matches!(kind, BodyKind::Rules | BodyKind::NoGroup) {
                    notes.push(kind.name().to_owned());
                }
                if urls == Urls::Requested && requested.is_allowed() != written.is_allowed() {
                    notes.push(format!("{}-as-written", word(written.is_allowed())));
                }
                let verdict = if urls == Urls::AsWritten { written } else { requested };
                let notes = if notes.is_empty() { String::new() } else { format!("\t{}", notes.join(",")) };
                format!("{}\t{}{notes}", word(verdict.is_allowed()), verdict.line().unwrap_or(0))
            }
            _ => unreachable!("a line is split in three at most"),
        }
    })
}

/// Returns the file of this name.
fn content(name: &[u8]) -> Option<Vec<u8>> {
    let is_one = name.first() != Some(&NO_FILE);
    is_one.then(|| name.iter().map(|&byte| if byte == b'|' { b'\n' } else { byte }).collect())
}

/// A source that returns a few bytes at a time, with interruptions.
struct Pieces<'a> {
    rest: &'a [u8],
    most: usize,
    interrupts: bool,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.interrupts && self.rest.len() % 2 == 1 {
            self.interrupts = false;
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = self.most.min(buffer.len()).min(self.rest.len());
        let (now, rest) = self.rest.split_at(len);
        buffer.iter_mut().zip(now).for_each(|(to, &byte)| *to = byte);
        self.rest = rest;
        Ok(len)
    }
}
