//! The costs of the commands: work and memory for one file of a stranger.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::{fs, thread};

use super::MOST;
use super::shapes::{Shape, shapes};
use crate::commands::test;
use crate::process::{Cargo, Ended, OFFLINE, Outcome, found, say, skipped, well};
use crate::valgrind;
use crate::workspace::{empty_folder, target};

/// The limit of RFC 9309, section 2.5, in bytes.
pub(super) const WHOLE: usize = 500 * 1024;

/// The size with which a search begins, and a quick run counts instructions.
pub(super) const SMALL: usize = 125 * 1024;

/// The most processor time for a file of 500 KiB, in seconds.
const MOST_SECONDS: f64 = 2.0;

/// The most instructions for a file of 500 KiB: a processor does them in the time above. They hold for smaller files, too, because the
/// limit of a search does not depend on the size.
const MOST_INSTRUCTIONS: f64 = 8e9;

/// The most memory for a file of 500 KiB, above its size and the memory for an empty file, in KiB.
const MOST_MEMORY: usize = 64 * 1024;

/// The processor time after which a run is ended, in seconds.
const PATIENCE: u64 = 60;

/// The processor time after which a run whose instructions are counted is ended, in seconds.
const PATIENCE_OF_COUNTS: u64 = 1200;

/// A command of `commands.tsv`. Of its arguments, `FILE` stands for the file, `FILE.toml` and `FILE.csv` for the file with this ending, `ROBOTS` for a
/// robots.txt, `OTHER` for one without two lines, `COPY` for a copy that is changed, `ROWS` for a list of questions about the
/// file, `ACCESS` for an access log, `CRAWLERS` for one of many crawlers, `WANTED` for a file of wanted access, `PAGE` for a page, `FOLDER` for a folder, `SITE` for a site
/// that has served the file before and now serves the other one, `PAGES` for a site that serves the file as its robots.txt and as all
/// of its pages, `URLS` for a list of URLs, and `PROFILE` for the name of a profile. The word after `<` is standard input.
pub(super) struct Case {
    pub(super) name: &'static str,
    arguments: &'static str,
    /// The number of files of a stranger.
    files: usize,
    /// The shapes that cost it most, or have cost it most before something was mended.
    worst: &'static str,
}

impl Case {
    /// Reads a line of the table.
    fn read(line: &'static str) -> Option<Self> {
        let mut cells = line.split('\t');
        let (name, files) = (cells.next()?, cells.next()?.parse().ok()?);
        Some(Self { name, files, worst: cells.next()?, arguments: cells.next()? })
    }

    /// Returns the shapes that are measured with the case.
    pub(super) fn shapes(&self) -> &'static [Shape] {
        shapes(match self.name {
            name if name.starts_with("page") => "pages",
            _ if self.has_profile() => "robots",
            _ => "lists",
        })
    }

    /// Returns whether the case has a profile.
    fn has_profile(&self) -> bool {
        self.arguments.contains("PROFILE")
    }
}

pub(super) static CASES: LazyLock<Vec<Case>> =
    LazyLock::new(|| include_str!("commands.tsv").lines().filter_map(Case::read).collect());

/// The shapes of the quick run: those that cost at least one command most.
const QUICK: &str = "groups groups-of-known-and-all groups-of-pairs names-by-rules \
    names-by-stars names-twice one-list-of-names rules-of-both-kinds \
    rules-with-a-number rules-of-few-letters-in-groups rules-that-begin-alike-with-stars \
    long-pattern-in-groups sitemaps-that-are-disallowed comments-to-ignore \
    rules-that-are-shadowed rules-with-encoded-queries large-groups-of-few-letters";

/// The wanted access of the case `expect`.
const WANTED: &str = "\
[[expect]]
crawlers = ['*', 'a1', 'GPTBot']
purposes = ['search']
urls = ['/', '/a']
patterns = ['/', '/a*b', '/aaaa']
access = 'allowed'
";

/// The robots.txt beside other inputs.
const ROBOTS: &str = "User-agent: a1\nDisallow: /a\nAllow: /*.css$\n\nUser-agent: *\nDisallow: /1\n";

/// The sizes of the files with which a sample counts instructions, one after the other until they grow as they may.
const SAMPLED: [usize; 3] = [32 * 1024, 125 * 1024, WHOLE];

/// The instructions below which their growth says nothing.
const FEW_INSTRUCTIONS: f64 = 1e7;

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

/// The build of the command that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Build {
    /// That of a release.
    Release,
    /// That of the tests, which is there already when checks run.
    Tests,
}

impl Bench {
    /// Builds the program, or says why it can't be measured.
    pub(super) fn new(build: Build) -> Result<Option<Self>, String> {
        if found(&["/usr/bin/time"]).is_none() {
            skipped("commands", "/usr/bin/time (GNU time) is not installed");
            return Ok(None);
        }
        let program = match build {
            Build::Tests => test::build()?.program("robots")?.to_owned(),
            Build::Release => {
                let release = ["build", "--release", "--quiet", "--package", "robots-command"];
                if Cargo::new(release).run()? != Ended::Well {
                    return Err("the command could not be built".to_owned());
                }
                target().join("release").join("robots")
            }
        };
        let program = program.to_string_lossy().into_owned();
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
        run: impl FnOnce(&[&str], Stdio) -> Result<T, String>,
    ) -> Result<T, String> {
        let folder = self.folder.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        empty_folder(&folder)?;
        let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let write = |name: &str, bytes: &[u8]| {
            fs::write(path(name), bytes).map_err(|error| format!("{name}: {error}"))
        };
        write("file.txt", file)?;
        let value = |argument: &str| -> Result<String, String> {
            let (name, bytes): (&str, Vec<u8>) = match argument {
                "FILE" => return Ok(path("file.txt")),
                "FOLDER" => return Ok(path("folder")),
                "PROFILE" => return Ok(profile.to_owned()),
                "PAGES" => return Ok(Site::new(file, 20)?.url),
                "SITE" => return self.changed_site(file, profile, &path("folder")),
                "FILE.toml" => ("file.toml", file.into()),
                "FILE.csv" => ("file.csv", file.into()),
                "COPY" => ("copy.txt", file.into()),
                "OTHER" => {
                    ("other.txt", if case.has_profile() { without_two_lines(file) } else { Vec::new() })
                }
                "ROBOTS" => ("robots.txt", ROBOTS.into()),
                "WANTED" => ("wanted.toml", WANTED.into()),
                "PAGE" => ("page.html", "<p>text</p>".into()),
                "ACCESS" => ("access.log", (0..200).map(request).collect::<String>().into()),
                "CRAWLERS" => ("access.log", (0..5000).map(request_of).collect::<String>().into()),
                "URLS" => ("urls.txt", (0..5).map(|page| format!("/{page}\n")).collect::<String>().into()),
                "ROWS" => {
                    let rows = (0..20).map(|row| format!("{}\ta{row}\t/a/{row}\n", path("file.txt")));
                    ("rows.tsv", rows.collect::<String>().into())
                }
                other => return Ok(other.to_owned()),
            };
            write(name, &bytes).map(|()| path(name))
        };
        let (arguments, input) = match case.arguments.split_once(" < ") {
            Some((arguments, input)) => (arguments, Some(value(input)?)),
            None => (case.arguments, None),
        };
        let arguments = arguments.split(' ').map(value).collect::<Result<Vec<_>, _>>()?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let input = match input {
            Some(path) => fs::File::open(&path).map_err(|error| format!("{path}: {error}"))?.into(),
            None => Stdio::null(),
        };
        let result = run(&arguments, input);
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        result
    }

    /// Returns the URL of a site that the program has watched with the file, and that serves another version now.
    fn changed_site(&self, file: &[u8], profile: &str, folder: &str) -> Result<String, String> {
        let site = Site::new(file, 3)?;
        let mut watch = Command::new(&self.program);
        watch.args(["watch", "-p", profile, folder, &site.url]);
        watch.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        watch.status().map_err(|error| format!("{}: {error}", self.program))?;
        site.serve(&without_two_lines(file));
        Ok(site.url)
    }

    /// Measures the processor time and the memory of a run.
    pub(super) fn taken(&self, case: &Case, profile: &str, file: &[u8]) -> Result<Taken, String> {
        self.taken_within(case, profile, file, PATIENCE)
    }

    /// Measures the processor time and the memory of a run, which is ended after so many seconds of the processor.
    pub(super) fn taken_within(
        &self,
        case: &Case,
        profile: &str,
        file: &[u8],
        seconds: u64,
    ) -> Result<Taken, String> {
        self.with(case, profile, file, |arguments, input| {
            let limited = format!("ulimit -t {seconds}; exec \"$@\"");
            let output = Command::new("sh")
                .args(["-c", &limited, "sh", "/usr/bin/time", "-f", "TAKEN %U %S %M", &self.program])
                .args(arguments)
                .envs(OFFLINE)
                .stdin(input)
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

    /// Counts the instructions for a file of half of this size, and of the whole size.
    fn counts(&self, case: &Case, profile: &str, shape: &Shape, size: usize) -> Result<[f64; 2], String> {
        let count = |size: usize| {
            let counted = self.instructions(case, profile, &shape.file(size), PATIENCE_OF_COUNTS)?;
            counted.ok_or_else(|| format!("{} did not end for {}", case.name, shape.name))
        };
        Ok([count(size / 2)?, count(size)?])
    }

    /// Counts the instructions of a run; `None` if it was ended after so many seconds of the processor.
    pub(super) fn instructions(
        &self,
        case: &Case,
        profile: &str,
        file: &[u8],
        seconds: u64,
    ) -> Result<Option<f64>, String> {
        self.with(case, profile, file, |arguments, input| {
            valgrind::instructions(&self.program, arguments, input, seconds)
        })
    }
}

/// A site on this machine, until the process ends.
struct Site {
    url: String,
    body: Arc<Mutex<Vec<u8>>>,
}

impl Site {
    /// Serves a file, to so many requests.
    fn new(file: &[u8], requests: usize) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("127.0.0.1: {error}");
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let url = format!("http://{}", listener.local_addr().map_err(failed)?);
        let body = Arc::new(Mutex::new(file.to_vec()));
        let served = Arc::clone(&body);
        thread::spawn(move || {
            for stream in listener.incoming().take(requests) {
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

/// Returns a line of an access log of many crawlers.
fn request_of(number: usize) -> String {
    format!("1.2.3.4 - - [21/Nov/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"a{number}bot/1\"\n")
}

/// Returns a line of an access log.
fn request(number: usize) -> String {
    let name = ["a1", "Googlebot/2.1", "GPTBot/1.0", "b"].get(number % 4).unwrap_or(&"");
    format!(
        "1.2.3.4 - - [21/Nov/2026:10:00:{:02} +0000] \"GET /a{number} HTTP/1.1\" 200 5 \"-\" \"{name}\"\n",
        number % 60
    )
}

/// Returns a file without a line for an agent and one with a rule, each in one half of it, so that files of any size differ alike.
fn without_two_lines(file: &[u8]) -> Vec<u8> {
    let rest = without_a_line(file, file.len() * 7 / 8, false);
    without_a_line(&rest, file.len() * 3 / 8, true)
}

/// Returns a file without the first line from a place on that is for an agent, or is not. Without such a line, any line is left out.
fn without_a_line(file: &[u8], at: usize, is_for_agent: bool) -> Vec<u8> {
    let (head, _) = file.split_at_checked(at).unwrap_or((file, b""));
    let start = head.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let (head, tail) = file.split_at_checked(start).unwrap_or((file, b""));
    let is_wanted = |line: &&[u8]| {
        line.get(..10).is_some_and(|key| key.eq_ignore_ascii_case(b"user-agent")) == is_for_agent
    };
    let lines = || tail.split_inclusive(|&byte| byte == b'\n');
    let left_out = lines().position(|line| is_wanted(&line)).unwrap_or(0);
    let kept = lines().enumerate().filter(|(index, _)| *index != left_out);
    [head].into_iter().chain(kept.map(|(_, line)| line)).collect::<Vec<_>>().concat()
}

/// Measures the commands whose names begin with one of `only`, or all; `is_quick` with the most expensive shapes.
pub(super) fn commands(only: &[String], is_quick: bool) -> Outcome {
    let chosen: Vec<&Case> = CASES.iter().filter(|case| is_chosen(case.name, only)).collect();
    if chosen.is_empty() {
        return Ok(Ended::Well);
    }
    let Some(bench) = Bench::new(Build::Release)? else { return Ok(Ended::Well) };
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
        let is_chosen = |shape: &&Shape| {
            !is_quick || !case.has_profile() || QUICK.split(' ').any(|name| name == shape.name)
        };
        let shapes: Vec<&Shape> = case.shapes().iter().filter(is_chosen).collect();
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

/// Measures each command once, with the shape that costs it most: the memory for 500 KiB, and how the instructions grow for smaller
/// files. The build of the tests is measured, so seconds are not compared.
pub(super) fn sample(only: &[String]) -> Outcome {
    if !valgrind::is_installed() {
        skipped("limits of commands", "valgrind is not installed");
        return Ok(Ended::Well);
    }
    let Some(bench) = Bench::new(Build::Tests)? else { return Ok(Ended::Well) };
    let chosen = CASES.iter().filter(|case| is_chosen(case.name, only));
    let chosen: Vec<(&Case, &str)> =
        chosen.flat_map(|case| case.worst.split(' ').map(move |worst| (case, worst))).collect();
    say("| command | file | KiB | instructions | growth from half of it | MiB for 500 KiB |");
    say("| --- | --- | ---: | ---: | ---: | ---: |");
    let Some((first, _)) = chosen.first() else { return Ok(Ended::Well) };
    let base = bench.taken(first, "rfc9309", b"User-agent: *\nDisallow: /\n")?;
    let rows = in_parallel(&chosen, |&(case, worst)| {
        let shape = case.shapes().iter().find(|shape| shape.name == worst);
        let shape = shape.ok_or_else(|| format!("{} has no shape {worst}", case.name))?;
        let [profile, ..] = PROFILES;
        // The limits of a search may be above what a small file takes, so a larger one decides then.
        let (mut size, mut growth, mut double) = (0, 0.0, 0.0);
        for next in SAMPLED {
            let counts = bench.counts(case, profile, shape, next)?;
            (size, double, growth) = (next, counts[1], counts[1] / counts[0]);
            if growth <= MOST || double < FEW_INSTRUCTIONS {
                break;
            }
        }
        let whole = bench.taken(case, profile, &shape.file(WHOLE))?;
        let memory = whole.memory.saturating_sub(base.memory + case.files * WHOLE / 1024);
        let is_good = whole.seconds.is_finite()
            && memory <= MOST_MEMORY
            && (growth <= MOST || double < FEW_INSTRUCTIONS);
        let line = format!(
            "| {} | {} | {} | {double:.3e} | {growth:.2} | {} |{}",
            case.name,
            shape.name,
            size / 1024,
            memory.div_ceil(1024),
            if is_good { "" } else { " too much" }
        );
        Ok((line, is_good))
    })?;
    let mut all = true;
    for (line, is_good) in rows {
        say(&line);
        all &= is_good;
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
    shapes: &[&Shape],
    empty: Taken,
    counted: Option<usize>,
) -> Result<bool, String> {
    let whole = in_parallel(shapes, |shape| Ok((*shape, bench.taken(case, profile, &shape.file(WHOLE))?)))?;
    let by_time =
        |(_, one): &&(&Shape, Taken), (_, other): &&(&Shape, Taken)| one.seconds.total_cmp(&other.seconds);
    let slowest = whole.iter().max_by(by_time);
    let Some(((slow, took), (large, held))) = slowest.zip(whole.iter().max_by_key(|(_, taken)| taken.memory))
    else {
        return Ok(true);
    };
    let memory = held.memory.saturating_sub(empty.memory + case.files * WHOLE / 1024);
    let is_finite = took.seconds.is_finite();
    let [half, double] = match counted.filter(|_| is_finite) {
        Some(size) => bench.counts(case, profile, slow, size)?,
        None => [f64::NAN; 2],
    };
    let growth = double / half;
    let is_good = is_finite
        && took.seconds <= MOST_SECONDS
        && !(growth > MOST || double > MOST_INSTRUCTIONS)
        && memory <= MOST_MEMORY;
    say(&format!(
        "| {} | {profile} | {} | {:.2} | {half:.3e} | {double:.3e} | {growth:.2} | {} | {:.0} |{}",
        case.name,
        slow.name,
        took.seconds,
        large.name,
        memory.div_ceil(1024),
        if is_good { "" } else { " too much" }
    ));
    Ok(is_good)
}

/// Does the work for each of `items`, as many at a time as there are processors. Returns the results in their order.
fn in_parallel<I: Sync, T: Send>(
    items: &[I],
    work: impl Fn(&I) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let worker = || -> Result<(), String> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return Ok(()) };
            let result = work(item)?;
            if let Ok(mut done) = done.lock() {
                done.push((at, result));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a thread panicked".to_owned())?)
    })?;
    let mut done = done.into_inner().map_err(|_| "a thread panicked".to_owned())?;
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
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
    fn another_version_lacks_a_name_and_a_rule() {
        let file = b"user-agent:a\nUser-agent:b\nuser-agent:c\ndisallow:/a\ndisallow:/b\n";
        assert_eq!(without_two_lines(file), b"user-agent:a\nuser-agent:c\ndisallow:/a\n");
        assert_eq!(without_two_lines(b"a\nbb\nc\n"), b"a\n");
        assert_eq!(without_two_lines(b"a"), b"");
        assert_eq!(without_two_lines(b""), b"");
    }

    #[test]
    fn shapes_that_cost_most_exist() {
        assert_eq!(CASES.len(), include_str!("commands.tsv").lines().count() - 1);
        for case in CASES.iter() {
            for worst in case.worst.split(' ') {
                assert!(case.shapes().iter().any(|shape| shape.name == worst), "{}: {worst}", case.name);
            }
        }
        assert!(QUICK.split(' ').all(|name| shapes("robots").iter().any(|shape| shape.name == name)));
    }

    #[test]
    fn commands_are_chosen_by_their_first_word() {
        assert!(is_chosen("diff equal", &["diff".to_owned()]) && is_chosen("lint", &[]));
        assert!(!is_chosen("diff equal", &["lint".to_owned()]));
    }
}
