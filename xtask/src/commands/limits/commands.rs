//! The costs of the commands: work and memory for one file of a stranger.

use core::fmt;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::MOST;
use super::shapes::{Shape, pages, shapes};
use crate::process::{Cargo, Ended, Outcome, found, say, skipped, well};
use crate::valgrind;
use crate::workspace::{empty_folder, target};

/// The limit of RFC 9309, section 2.5, in bytes.
pub(super) const WHOLE: usize = 500 * 1024;

/// The size with which expensive shapes are found.
pub(super) const SMALL: usize = 125 * 1024;

/// The most processor time for a file of 500 KiB, in seconds.
const MOST_SECONDS: f64 = 2.0;

/// The most instructions for a file of 500 KiB: a processor does them in the time above.
const MOST_INSTRUCTIONS: f64 = 8e9;

/// The most memory for a file of 500 KiB, above its size and the memory for an empty file, in KiB.
const MOST_MEMORY: usize = 64 * 1024;

/// The processor time after which a run is ended, in seconds.
const PATIENCE: usize = 60;

/// The shapes that are measured at the full size, of those that take most time at a small one.
const FINALISTS: usize = 3;

/// A command. `FILE` stands for the file, `OTHER` for one without a line in its middle, `COPY` for a copy that is changed,
/// `ROWS` for a list of questions about the file, `ACCESS` for an access log, `WANTED` for a file of wanted access, `FOLDER` for a
/// folder, `SITE` for a site that has served the file before and now serves the other one, and `PROFILE` for the name of a profile.
pub(super) struct Case {
    pub(super) name: &'static str,
    arguments: &'static [&'static str],
    /// The number of files of a stranger.
    files: usize,
}

impl Case {
    /// Returns the shapes that are measured with the case.
    pub(super) fn shapes(&self) -> Vec<Shape> {
        if self.name.starts_with("page") { pages() } else { shapes() }
    }

    /// Returns whether the case has a profile.
    fn has_profile(&self) -> bool {
        self.arguments.contains(&"PROFILE")
    }
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "check",
        arguments: &["check", "--robots", "FILE", "-a", "a1", "-p", "PROFILE", "/a/1"],
        files: 1,
    },
    Case {
        name: "explain",
        arguments: &["explain", "--robots", "FILE", "-a", "a1", "-p", "PROFILE", "/a/1"],
        files: 1,
    },
    Case {
        name: "explain json",
        arguments: &[
            "explain",
            "--format",
            "json",
            "--robots",
            "FILE",
            "-a",
            "Googlebot",
            "-p",
            "PROFILE",
            "/aaaaaaaaaaaa",
        ],
        files: 1,
    },
    Case { name: "lint", arguments: &["lint", "-p", "PROFILE", "FILE"], files: 1 },
    Case { name: "lint json", arguments: &["lint", "--format", "json", "-p", "PROFILE", "FILE"], files: 1 },
    Case { name: "lint --fix", arguments: &["lint", "--fix", "-p", "PROFILE", "COPY"], files: 1 },
    Case { name: "crawlers", arguments: &["crawlers", "-p", "PROFILE", "FILE"], files: 1 },
    Case {
        name: "crawlers json",
        arguments: &["crawlers", "--format", "json", "-p", "PROFILE", "FILE"],
        files: 1,
    },
    Case { name: "diff equal", arguments: &["diff", "-p", "PROFILE", "FILE", "FILE"], files: 2 },
    Case { name: "diff", arguments: &["diff", "-p", "PROFILE", "FILE", "OTHER"], files: 2 },
    Case {
        name: "diff --against",
        arguments: &["diff", "-p", "PROFILE", "--against", "google", "FILE"],
        files: 1,
    },
    Case { name: "audit", arguments: &["audit", "--jobs", "1", "-p", "PROFILE", "FILE"], files: 1 },
    Case {
        name: "audit --purpose",
        arguments: &["audit", "--jobs", "1", "--purpose", "ai", "-p", "PROFILE", "FILE"],
        files: 1,
    },
    Case { name: "batch", arguments: &["batch", "-p", "PROFILE", "ROWS"], files: 1 },
    Case { name: "log", arguments: &["log", "-p", "PROFILE", "--robots", "FILE", "ACCESS"], files: 1 },
    Case { name: "expect", arguments: &["expect", "--all", "-p", "PROFILE", "WANTED", "FILE"], files: 1 },
    Case {
        name: "write",
        arguments: &[
            "write",
            "--block",
            "ai-training",
            "--allow",
            "search",
            "-p",
            "PROFILE",
            "--into",
            "FILE",
        ],
        files: 1,
    },
    Case { name: "watch", arguments: &["watch", "-p", "PROFILE", "FOLDER", "SITE"], files: 2 },
    Case { name: "page", arguments: &["page", "FILE"], files: 1 },
    Case { name: "page json", arguments: &["page", "--format", "json", "FILE"], files: 1 },
    Case { name: "page --headers", arguments: &["page", "--headers", "FILE", "PAGE"], files: 1 },
];

/// The shapes of the quick run: those that cost at least one command most.
const QUICK: [&str; 14] = [
    "groups",
    "groups-of-known-and-all",
    "groups-of-pairs",
    "names-by-rules",
    "names-by-stars",
    "names-twice",
    "one-list-of-names",
    "rules-of-both-kinds",
    "rules-with-a-number",
    "rules-of-few-letters-in-groups",
    "rules-that-begin-alike-with-stars",
    "long-pattern-in-groups",
    "sitemaps-that-are-disallowed",
    "comments-to-ignore",
];

/// The wanted access of the case `expect`.
const WANTED: &str = "\
[[expect]]
crawlers = ['*', 'a1', 'GPTBot']
purposes = ['search']
urls = ['/', '/a']
patterns = ['/', '/a*b', '/aaaa']
access = 'allowed'
";

/// The profiles by name.
pub(super) const PROFILES: [&str; 4] = ["rfc9309", "draft-koster-rep-00", "google", "koster-1996"];

/// What a run took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pub(super) seconds: f64,
    /// In KiB.
    memory: usize,
}

/// The program that is measured, and a folder for its files.
pub(super) struct Bench {
    program: String,
    folder: PathBuf,
    next: AtomicUsize,
}

impl Bench {
    /// Builds the program, or says why it can't be measured.
    pub(super) fn new() -> Result<Option<Self>, String> {
        if found(&["/usr/bin/time"]).is_none() {
            skipped("commands", "/usr/bin/time (GNU time) is not installed");
            return Ok(None);
        }
        let built = Cargo::new(["build", "--release", "--quiet", "--package", "robots-command"]).run()?;
        if built != Ended::Well {
            return Err("the command could not be built".to_owned());
        }
        let program = target().join("release").join("robots").to_string_lossy().into_owned();
        let folder = target().join("limits");
        empty_folder(&folder)?;
        Ok(Some(Self { program, folder, next: AtomicUsize::new(0) }))
    }

    /// Writes the files of a case, and calls `run` with its arguments.
    fn with<T>(
        &self,
        case: &Case,
        profile: &str,
        file: &[u8],
        run: impl FnOnce(&[&str]) -> Result<T, String>,
    ) -> Result<T, String> {
        let folder = self.folder.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        empty_folder(&folder)?;
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let write = |name: &str, bytes: &[u8]| {
            fs::write(path(name), bytes).map_err(|error| format!("{name}: {error}"))
        };
        write("file.txt", file)?;
        let mut arguments = Vec::new();
        for &argument in case.arguments {
            arguments.push(match argument {
                "FILE" => path("file.txt"),
                "OTHER" => {
                    write("other.txt", &without_a_line(file))?;
                    path("other.txt")
                }
                "COPY" => {
                    write("copy.txt", file)?;
                    path("copy.txt")
                }
                "ROWS" => {
                    let rows = (0..20).map(|row| format!("{}\ta{row}\t/a/{row}\n", path("file.txt")));
                    write("rows.tsv", rows.collect::<String>().as_bytes())?;
                    path("rows.tsv")
                }
                "PROFILE" => profile.to_owned(),
                "ACCESS" => {
                    let line = |number: usize| {
                        let name = ["a1", "Googlebot/2.1", "GPTBot/1.0", "b"].get(number % 4).unwrap_or(&"");
                        format!(
                            "1.2.3.4 - - [21/Nov/2026:10:00:{:02} +0000] \"GET /a{number} HTTP/1.1\" 200 5 \"-\" \"{name}\"\n",
                            number % 60
                        )
                    };
                    write("access.log", (0..200).map(line).collect::<String>().as_bytes())?;
                    path("access.log")
                }
                "WANTED" => {
                    write("wanted.toml", WANTED.as_bytes())?;
                    path("wanted.toml")
                }
                "PAGE" => {
                    write("page.html", b"<p>text</p>")?;
                    path("page.html")
                }
                "FOLDER" => path("folder"),
                "SITE" => {
                    let site = Site::new(file)?;
                    let first = path("folder");
                    let ran = Command::new(&self.program)
                        .args(["watch", "-p", profile, &first, &site.url])
                        .stdin(Stdio::null())
                        .stdout(Stdio::null())
                        .stderr(Stdio::null())
                        .status();
                    ran.map_err(|error| format!("{}: {error}", self.program))?;
                    let url = site.url.clone();
                    site.serve(&without_a_line(file));
                    url
                }
                other => other.to_owned(),
            });
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let result = run(&arguments);
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        result
    }

    /// Measures the processor time and the memory of a run.
    pub(super) fn taken(&self, case: &Case, profile: &str, file: &[u8]) -> Result<Taken, String> {
        self.with(case, profile, file, |arguments| {
            let limited = format!("ulimit -t {PATIENCE}; exec \"$@\"");
            let output = Command::new("sh")
                .args(["-c", &limited, "sh", "/usr/bin/time", "-f", "TAKEN %U %S %M", &self.program])
                .args(arguments)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .output()
                .map_err(|error| format!("could not start sh: {error}"))?;
            let text = String::from_utf8_lossy(&output.stderr);
            let taken = text.lines().rev().find_map(|line| {
                let mut words = line.strip_prefix("TAKEN ")?.split(' ');
                let mut seconds = || words.next()?.parse::<f64>().ok();
                let seconds = seconds()? + seconds()?;
                Some(Taken { seconds, memory: words.next()?.parse().ok()? })
            });
            // A run that takes too much processor time is ended with its clock.
            Ok(taken.unwrap_or(Taken { seconds: f64::INFINITY, memory: 0 }))
        })
    }

    /// Counts the instructions of a run.
    pub(super) fn instructions(&self, case: &Case, profile: &str, file: &[u8]) -> Result<f64, String> {
        self.with(case, profile, file, |arguments| valgrind::instructions(&self.program, arguments))
    }
}

/// A site on this machine, until the process ends.
struct Site {
    url: String,
    body: Arc<Mutex<Vec<u8>>>,
}

impl Site {
    fn new(file: &[u8]) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("127.0.0.1: {error}");
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let url = format!("http://{}", listener.local_addr().map_err(failed)?);
        let body = Arc::new(Mutex::new(file.to_vec()));
        let served = Arc::clone(&body);
        thread::spawn(move || {
            // Three requests at most: one for each run, and one with valgrind.
            for stream in listener.incoming().take(3) {
                let Ok(mut stream) = stream else { return };
                let body = served.lock().map(|body| body.clone()).unwrap_or_default();
                let mut lines = BufReader::new(&stream);
                let mut head = String::new();
                while lines.read_line(&mut head).is_ok_and(|bytes| bytes > 2) {}
                let len = body.len();
                let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {len}\r\n\r\n");
                // The command reports an answer that is cut.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            }
        });
        Ok(Self { url, body })
    }

    fn serve(&self, file: &[u8]) {
        if let Ok(mut body) = self.body.lock() {
            *body = file.to_vec();
        }
    }
}

/// Returns a file without a line in its middle.
fn without_a_line(file: &[u8]) -> Vec<u8> {
    let half = file.len() / 2;
    let (head, tail) = file.split_at_checked(half).unwrap_or((file, b""));
    let start = head.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let end = tail.iter().position(|&byte| byte == b'\n').map_or(file.len(), |end| half + end + 1);
    [file.get(..start).unwrap_or_default(), file.get(end..).unwrap_or_default()].concat()
}

/// The worst shapes for a command and a profile.
struct Worst {
    shape: Shape,
    taken: Taken,
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape.name)
    }
}

/// Measures the commands whose names begin with one of `only`, or all; `is_quick` with the most expensive shapes.
pub(super) fn commands(only: &[String], is_quick: bool) -> Outcome {
    let chosen: Vec<&Case> = CASES.iter().filter(|case| is_chosen(case.name, only)).collect();
    if chosen.is_empty() {
        return Ok(Ended::Well);
    }
    let Some(bench) = Bench::new()? else { return Ok(Ended::Well) };
    let counts = valgrind::is_installed();
    if !counts {
        skipped("instructions of commands", "valgrind is not installed");
    }
    let [half, double] = if is_quick { ["62 KiB", "125 KiB"] } else { ["250 KiB", "500 KiB"] };
    say(&format!(
        "| command | profile | most work: file | s | instructions, {half} | {double} | growth | most memory: file | MiB |"
    ));
    say("| --- | --- | --- | ---: | ---: | ---: | ---: | --- | ---: |");
    let mut all = true;
    for case in chosen {
        let mut shapes = case.shapes();
        if is_quick {
            shapes.retain(|shape| !case.has_profile() || QUICK.contains(&&*shape.name));
        }
        let empty = bench.taken(case, "rfc9309", b"User-agent: *\nDisallow: /\n")?;
        let profiles = if is_quick || !case.has_profile() { &PROFILES[..1] } else { &PROFILES };
        for profile in profiles {
            let counted = counts.then_some(if is_quick { SMALL } else { WHOLE });
            all &= row(&bench, case, profile, &shapes, empty, counted)?;
        }
    }
    if !all {
        say(
            "a command takes too much: more than 2.3 times the work for twice the file, or for 500 KiB more than 2 s or 64 MiB",
        );
    }
    well(all)
}

/// Returns whether a name is one of those that were asked for.
pub(super) fn is_chosen(name: &str, only: &[String]) -> bool {
    only.is_empty() || only.iter().any(|part| name == part || name.starts_with(&format!("{part} ")))
}

/// Measures a command under a profile, and prints the worst shapes. Returns whether they are within the limits. Instructions are
/// counted for files of `counted` bytes and of half of that.
fn row(
    bench: &Bench,
    case: &Case,
    profile: &str,
    shapes: &[Shape],
    empty: Taken,
    counted: Option<usize>,
) -> Result<bool, String> {
    let mut small = measured(bench, case, profile, shapes, SMALL)?;
    small.sort_by(|one, other| other.taken.seconds.total_cmp(&one.taken.seconds));
    let mut finalists: Vec<Shape> = small.iter().take(FINALISTS).map(|worst| worst.shape.clone()).collect();
    small.sort_by_key(|worst| core::cmp::Reverse(worst.taken.memory));
    for worst in small.iter().take(FINALISTS) {
        if !finalists.contains(&worst.shape) {
            finalists.push(worst.shape.clone());
        }
    }
    let whole = measured(bench, case, profile, &finalists, WHOLE)?;
    let by_time = |one: &&Worst, other: &&Worst| one.taken.seconds.total_cmp(&other.taken.seconds);
    let (Some(slow), Some(large)) =
        (whole.iter().max_by(by_time), whole.iter().max_by_key(|worst| worst.taken.memory))
    else {
        return Ok(true);
    };
    let memory = large.taken.memory.saturating_sub(empty.memory + case.files * WHOLE / 1024);
    let is_finite = slow.taken.seconds.is_finite();
    let [half, double] = match counted.filter(|_| is_finite) {
        Some(size) => {
            let count = |size: usize| bench.instructions(case, profile, &slow.shape.file(size));
            [count(size / 2)?, count(size)?]
        }
        None => [f64::NAN; 2],
    };
    let growth = double / half;
    let most = MOST_INSTRUCTIONS * counted.unwrap_or(WHOLE) as f64 / WHOLE as f64;
    let is_good = is_finite
        && slow.taken.seconds <= MOST_SECONDS
        && !(growth > MOST || double > most)
        && memory <= MOST_MEMORY;
    say(&format!(
        "| {} | {profile} | {slow} | {:.2} | {half:.3e} | {double:.3e} | {growth:.2} | {large} | {:.0} |{}",
        case.name,
        slow.taken.seconds,
        memory.div_ceil(1024),
        if is_good { "" } else { " too much" }
    ));
    Ok(is_good)
}

/// Measures shapes, several at a time.
fn measured(
    bench: &Bench,
    case: &Case,
    profile: &str,
    shapes: &[Shape],
    size: usize,
) -> Result<Vec<Worst>, String> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || -> Result<(), String> {
        while let Some(shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let taken = bench.taken(case, profile, &shape.file(size))?;
            if let Ok(mut done) = done.lock() {
                done.push(Worst { shape: shape.clone(), taken });
            }
        }
        Ok(())
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a thread panicked".to_owned())?)
    })?;
    done.into_inner().map_err(|_| "a thread panicked".to_owned())
}

/// Returns the path of a file that is kept for a person to look at.
pub(super) fn keep(file: &[u8], name: &str) -> Result<PathBuf, String> {
    let folder: &Path = &target().join("limits-found");
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, file).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_has_one_line_less() {
        assert_eq!(without_a_line(b"a\nbb\nc\n"), b"a\nc\n");
        assert_eq!(without_a_line(b"a"), b"");
        assert_eq!(without_a_line(b""), b"");
    }

    #[test]
    fn commands_are_chosen_by_their_first_word() {
        assert!(is_chosen("diff equal", &["diff".to_owned()]) && is_chosen("lint", &[]));
        assert!(!is_chosen("diff equal", &["lint".to_owned()]));
    }
}
