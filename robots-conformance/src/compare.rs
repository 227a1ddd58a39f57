//! Comparison with another implementation that is a program.

use core::fmt;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use regex_lite::Regex;

use crate::case::Case;
use crate::case::verdict::Verdict;
use crate::run::parallel;
use crate::suite::Suite;
use crate::suite::table::{Row, Table};

/// A program, and how its answers are read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The program and its arguments; `%robots%`, `%agent%` and `%url%` are placeholders.
    pub command: Vec<String>,
    /// Output that matches this pattern means that access is allowed.
    pub allowed: Option<Regex>,
    /// Output that matches this pattern means that access is disallowed.
    pub disallowed: Option<Regex>,
    /// How long an answer may take.
    pub timeout: Duration,
}

/// A row on which the program differs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Departure<'s> {
    /// The table.
    pub table: &'s Table,
    /// The row.
    pub row: &'s Row,
    /// Whether the row allows access.
    pub expected: bool,
    /// The answer of the program instead: the other decision, or an error.
    pub got: Result<bool, String>,
}

/// The result of a comparison.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison<'s> {
    suite: &'s Suite,
    /// How many rows were asked.
    pub asked: usize,
    /// How many verdict rows need more than one file, agent and URL, and were not asked.
    pub left_out: usize,
    /// The rows on which the program differs.
    pub departures: Vec<Departure<'s>>,
}

/// Writes the differences, each with the statements of its row, and at the end `N agree, N differ, N left out`.
impl fmt::Display for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decision = |allowed: bool| if allowed { "allow" } else { "disallow" };
        for departure in &self.departures {
            let (table, row) = (departure.table, departure.row);
            writeln!(f, "{}/{} ({}:{})", table.id(), row.head.name, table.file, row.line)?;
            match &departure.got {
                Ok(got) => {
                    writeln!(
                        f,
                        "  expected  {}\n  got       {}",
                        decision(departure.expected),
                        decision(*got)
                    )?;
                }
                Err(what) => {
                    writeln!(
                        f,
                        "  expected  {}\n  got       no answer: {what}",
                        decision(departure.expected)
                    )?;
                }
            }
            for id in &row.head.cites {
                writeln!(f, "  {id}: {}", self.suite.says(id).unwrap_or("(unknown)"))?;
            }
            writeln!(f)?;
        }
        let differ = self.departures.len();
        write!(f, "{} agree, {differ} differ, {} left out", self.asked - differ, self.left_out)
    }
}

/// Asks `candidate` every verdict row of `profile`.
///
/// Leaves out rows that set knobs, rows with several agents, and rows of a crawler that ignores `*`.
///
/// # Errors
///
/// Returns an error if the command is empty or can't be started, or if a temporary file can't be written.
pub fn compare<'s>(suite: &'s Suite, profile: &str, candidate: &Candidate) -> Result<Comparison<'s>, String> {
    let program = candidate.command.first().ok_or("the command is empty")?;
    let rows: Vec<(&Table, &Row, &Verdict)> = suite
        .rows()
        .filter(|(_, row)| row.head.profiles.iter().any(|of| of == profile))
        .filter_map(|(table, row)| match &row.case {
            Case::Verdict(verdict) => Some((table, row, verdict)),
            _ => None,
        })
        .collect();
    let all = rows.len();
    let rows: Vec<_> =
        rows.into_iter().filter(|(_, row, verdict)| verdict.is_plain() && row.head.turn.is_empty()).collect();
    let folder =
        TemporaryFolder::new().map_err(|error| format!("the temporary folder can't be created: {error}"))?;
    let mut paths = BTreeMap::new();
    for (table, _, verdict) in &rows {
        let key = (table.id(), verdict.robots());
        if !paths.contains_key(&key) {
            let path = folder.0.join(format!("{}.txt", paths.len()));
            let file = table.files.get(verdict.robots()).unwrap_or_default();
            fs::write(&path, file).map_err(|error| format!("{}: {error}", path.display()))?;
            paths.insert(key, path);
        }
    }
    let answers = parallel(&rows, |(table, _, verdict)| match paths.get(&(table.id(), verdict.robots())) {
        Some(path) => candidate.ask(path, verdict.names().first().unwrap_or(&""), &verdict.url()),
        None => Err(Failure::Answer("the file of the row was not written".to_owned())),
    });
    let mut departures = Vec::new();
    for ((table, row, verdict), answer) in rows.iter().copied().zip(answers) {
        let expected = verdict.is_allow();
        let got = match answer {
            Ok(got) if got == expected => continue,
            Ok(got) => Ok(got),
            Err(Failure::Answer(what)) => Err(what),
            Err(Failure::Start(error)) => return Err(format!("{program} can't be started: {error}")),
        };
        departures.push(Departure { table, row, expected, got });
    }
    Ok(Comparison { suite, asked: rows.len(), left_out: all - rows.len(), departures })
}

/// A missing answer.
enum Failure {
    Start(io::Error),
    Answer(String),
}

impl Candidate {
    /// Creates a candidate whose exit status decides (0 allows, 1 disallows), with a time limit of ten seconds.
    #[must_use]
    pub const fn new(command: Vec<String>) -> Self {
        Self { command, allowed: None, disallowed: None, timeout: Duration::from_secs(10) }
    }

    /// The most bytes of output that are read.
    const OUTPUT: u64 = 1 << 20;

    fn ask(&self, robots: &Path, agent: &str, url: &str) -> Result<bool, Failure> {
        let robots = robots.to_string_lossy();
        let mut words = self.command.iter().map(|word| filled(word, &robots, agent, url));
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Failure::Start)?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let out = thread::spawn(move || read(out));
        let err = thread::spawn(move || read(err));
        let status = wait(&mut child, self.timeout).map_err(Failure::Answer)?;
        // The threads end when the pipes close, and a grandchild may keep them open. So only the output of a program
        // that ended in time is read.
        let mut output = out.join().unwrap_or_default();
        output.push_str(&err.join().unwrap_or_default());
        self.decide(status.code(), &output).map_err(Failure::Answer)
    }

    fn decide(&self, status: Option<i32>, output: &str) -> Result<bool, String> {
        let ending = || {
            let status = status.map_or_else(|| "a signal".to_owned(), |code| format!("status {code}"));
            let line: String = output.lines().next_back().unwrap_or_default().chars().take(120).collect();
            format!("the program ended with {status}; its last line is `{line}`")
        };
        let matches = |regex: &Option<Regex>| regex.as_ref().map(|regex| regex.is_match(output));
        match (matches(&self.allowed), matches(&self.disallowed), status) {
            (None, None, Some(0)) => Ok(true),
            (None, None, Some(1)) => Ok(false),
            (None, None, _) => Err(ending()),
            (Some(true), Some(true), _) => Err(format!("both patterns match; {}", ending())),
            (Some(false), Some(false), _) => Err(format!("neither pattern matches; {}", ending())),
            (Some(allowed), _, _) => Ok(allowed),
            (None, Some(disallowed), _) => Ok(!disallowed),
        }
    }
}

/// Replaces the placeholders of `word`. Placeholders within inserted text stay.
fn filled(word: &str, robots: &str, agent: &str, url: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    'word: while !rest.is_empty() {
        for (placeholder, value) in [("%robots%", robots), ("%agent%", agent), ("%url%", url)] {
            if let Some(after) = rest.strip_prefix(placeholder) {
                out.push_str(value);
                rest = after;
                continue 'word;
            }
        }
        let mut chars = rest.chars();
        out.extend(chars.next());
        rest = chars.as_str();
    }
    out
}

fn read(from: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        // Output that can't be read counts as empty.
        let _ = from.by_ref().take(Candidate::OUTPUT).read_to_end(&mut bytes);
        let _ = io::copy(&mut from, &mut io::sink());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn wait(child: &mut Child, timeout: Duration) -> Result<process::ExitStatus, String> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if start.elapsed() < timeout => thread::sleep(pause),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("the program took longer than {} s", timeout.as_secs_f32()));
            }
            Err(error) => return Err(error.to_string()),
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// A temporary folder, which is deleted on drop.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> io::Result<Self> {
        let base = env::temp_dir();
        for number in 0..1000 {
            let path = base.join(format!("robots-compare-{}-{number}", process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("all names are taken"))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_once() {
        assert_eq!(filled("-u=%url%,%agent%%", "r", "%url%", "u"), "-u=u,%url%%");
    }

    #[test]
    fn status_or_patterns_decide() {
        let mut candidate = Candidate::new(Vec::new());
        assert_eq!(candidate.decide(Some(0), "no"), Ok(true));
        assert_eq!(candidate.decide(Some(1), ""), Ok(false));
        assert!(
            candidate.decide(Some(2), "a\nusage").unwrap_err().contains("status 2; its last line is `usage`")
        );
        assert!(candidate.decide(None, "").is_err());
        candidate.disallowed = Some(Regex::new("(?i)denied").unwrap());
        assert_eq!(candidate.decide(Some(0), "DENIED"), Ok(false));
        assert_eq!(candidate.decide(Some(0), "fine"), Ok(true));
        candidate.allowed = Some(Regex::new("granted").unwrap());
        assert!(candidate.decide(Some(0), "fine").unwrap_err().starts_with("neither"));
    }
}
