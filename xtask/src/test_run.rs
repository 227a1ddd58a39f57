//! Builds test binaries once and runs them side by side, which `cargo test` does not do.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::process::{Cargo, cargo, say};
use crate::workspace::{target, text};

/// The binaries that take longest, in this order. They start first, so that none of them runs alone at the end.
const LONGEST: [&str; 14] = [
    "robots-command/cli",
    "robots-fetch/sockets",
    "robots-fetch/fleet",
    "robots-conformance/difference",
    "robots-fetch/wire",
    "robots-conformance/release",
    "robots-fetch/lib",
    "robots-fetch/gate_tasks",
    "robots-conformance/rows",
    "robots-conformance/html",
    "robots-conformance/lib",
    "robots-fetch/cache_memory",
    "robots-fetch/fleet_gate",
    "robots-fetch/disk_kill",
];

/// The binaries that run by themselves at the end: they measure when requests reach a server, and other programs make requests late.
const ALONE: [&str; 1] = ["robots-fetch/production"];

/// What a build with `cargo test --no-run` made.
#[derive(Debug, Default)]
pub(crate) struct Built {
    tests: Vec<Binary>,
    /// The programs and examples of the packages, by name.
    programs: BTreeMap<String, PathBuf>,
}

/// A binary with tests.
#[derive(Debug, PartialEq, Eq)]
struct Binary {
    package: String,
    /// `lib`, `bin` or `test`.
    kind: String,
    /// `lib` for the unit tests of a library, otherwise the name of the target.
    name: String,
    /// The file with its `main` function or the root of its library.
    source: String,
    executable: PathBuf,
    /// The folder of the package, in which cargo runs tests.
    folder: PathBuf,
}

/// The end of a binary with tests.
struct Run {
    passed: bool,
    time: Duration,
    output: String,
}

/// The tests that ran: whether all passed, and their times.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// The command that runs each failed binary again.
    pub(crate) failed: Vec<String>,
    /// Seconds and name of each test.
    tests: Vec<(f64, String)>,
    /// Seconds and name of each binary.
    binaries: Vec<(f64, String)>,
}

impl Built {
    /// Runs `cargo test --no-run`, and reads from its messages what it built. Returns nothing if the build fails.
    pub(crate) fn new(cargo: Cargo) -> Result<Option<Self>, String> {
        let messages = cargo.arguments(&["--no-run", "--message-format=json-render-diagnostics"]).output()?;
        Ok(messages.map(|messages| Self::read(&messages)))
    }

    fn read(messages: &str) -> Self {
        let mut built = Self::default();
        for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let string = |pointer: &str| message.pointer(pointer).and_then(Value::as_str);
            let Some(executable) = string("/executable").map(PathBuf::from) else { continue };
            let name = string("/target/name").unwrap_or_default();
            let kind = string("/target/kind/0").unwrap_or_default();
            if message.pointer("/profile/test").and_then(Value::as_bool) != Some(true) {
                if matches!(kind, "bin" | "example") {
                    built.programs.insert(name.to_owned(), executable);
                }
                continue;
            }
            let manifest = Path::new(string("/manifest_path").unwrap_or_default());
            built.tests.push(Binary {
                package: package_name(string("/package_id").unwrap_or_default()).to_owned(),
                kind: kind.to_owned(),
                name: if kind == "lib" { "lib" } else { name }.to_owned(),
                source: string("/target/src_path").unwrap_or_default().to_owned(),
                executable,
                folder: manifest.parent().unwrap_or(manifest).to_owned(),
            });
        }
        let rank = |binary: &Binary| {
            LONGEST.iter().position(|long| *long == binary.label()).unwrap_or(LONGEST.len())
        };
        built.tests.sort_by_key(rank);
        built
    }

    /// Returns a program of the packages.
    pub(crate) fn program(&self, name: &str) -> Result<&Path, String> {
        self.programs.get(name).map(PathBuf::as_path).ok_or_else(|| format!("cargo built no program {name}"))
    }

    /// Runs all tests, one binary more at a time than there are processors, because some tests wait. Prints the output of a
    /// binary when it ends.
    pub(crate) fn run(&self, environment: &[(&str, &Path)]) -> Result<Summary, String> {
        let logs = target().join("test-logs");
        fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
        let slots = thread::available_parallelism().map_or(2, usize::from) + 1;
        let is_alone = |(_, binary): &(usize, &Binary)| ALONE.contains(&&*binary.label());
        let (alone, others): (Vec<_>, Vec<_>) = self.tests.iter().enumerate().partition(is_alone);
        let summary = Mutex::new(Ok(Summary::default()));
        let run = |binaries: Vec<(usize, &Binary)>, slots: usize| {
            let next = Mutex::new(binaries.into_iter());
            let work = || {
                loop {
                    let Some((number, binary)) = next.lock().unwrap_or_else(PoisonError::into_inner).next()
                    else {
                        return;
                    };
                    let run = binary.run(&logs.join(format!("{number}.txt")), environment);
                    let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
                    match (run, summary.as_mut()) {
                        (Ok(run), Ok(summary)) => summary.add(binary, &run),
                        (Err(error), Ok(_)) => *summary = Err(error),
                        (_, Err(_)) => return,
                    }
                }
            };
            thread::scope(|scope| (0..slots).for_each(|_| drop(scope.spawn(work))));
        };
        run(others, slots);
        run(alone, 1);
        summary.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Binary {
    fn label(&self) -> String {
        format!("{}/{}", self.package, self.name)
    }

    /// Runs the tests of the binary as cargo does. The output goes through a file, because a server that a test leaves behind would
    /// keep a pipe open.
    fn run(&self, log: &Path, environment: &[(&str, &Path)]) -> Result<Run, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.executable.display());
        let file = File::create(log).map_err(failed)?;
        let mut command = Command::new(&self.executable);
        // The times of tests are an unstable option, which this variable allows.
        command.args(["-Zunstable-options", "--report-time"]).env("RUSTC_BOOTSTRAP", "1");
        command.env("CARGO_MANIFEST_DIR", &self.folder).env("CARGO", cargo()).env("INSTA_UPDATE", "no");
        command.envs(environment.iter().copied()).current_dir(&self.folder);
        command.stdin(std::process::Stdio::null());
        command.stdout(file.try_clone().map_err(failed)?).stderr(file);
        let start = Instant::now();
        let status = command.status().map_err(failed)?;
        let output = fs::read(log).map_err(failed)?;
        let output = String::from_utf8_lossy(&output).into_owned();
        Ok(Run { passed: status.success(), time: start.elapsed(), output })
    }
}

impl Summary {
    fn add(&mut self, binary: &Binary, run: &Run) {
        let source = binary.source.strip_prefix(&*format!("{}/", binary.folder.display()));
        let (source, seconds) = (source.unwrap_or(&binary.source), run.time.as_secs_f64());
        say(&format!("     Running {}: {source}, {seconds:.1} s", binary.package));
        say(run.output.trim_end());
        if !run.passed {
            let Binary { package, kind, name, .. } = binary;
            let name = if name == kind { "" } else { name };
            self.failed.push(format!("cargo test -p {package} --all-features --{kind} {name}"));
        }
        self.binaries.push((seconds, binary.label()));
        self.tests.extend(
            run.output
                .lines()
                .filter_map(timed)
                .map(|(seconds, test)| (seconds, format!("{} {test}", binary.label()))),
        );
    }

    /// Prints the slowest tests and binaries, and those that failed.
    pub(crate) fn print(&mut self) {
        for (of, times) in [("tests", &mut self.tests), ("test binaries", &mut self.binaries)] {
            times.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            say(&format!("\nThe slowest {of}:"));
            for (seconds, name) in times.iter().take(10) {
                say(&format!("{seconds:8.1} s  {name}"));
            }
        }
        for label in &self.failed {
            say(&format!("failed: {label}"));
        }
    }
}

/// Returns the seconds and the name of a test: `test a::b ... ok <0.123s>`.
fn timed(line: &str) -> Option<(f64, &str)> {
    let (name, end) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let seconds = end.rsplit_once('<')?.1.strip_suffix("s>")?;
    Some((seconds.parse().ok()?, name))
}

/// Returns the name in the identifier of a package: `path+file:///a/b#0.1.0` or `path+file:///a/b#name@0.1.0`.
fn package_name(id: &str) -> &str {
    let (path, version) = id.rsplit_once('#').unwrap_or((id, ""));
    version.split_once('@').map_or_else(|| path.rsplit('/').next().unwrap_or(path), |(name, _)| name)
}

/// Returns the seconds that all programs which xtask has started and waited for have used of the processors; only on Linux.
pub(crate) fn processor_seconds() -> Option<f64> {
    let stat = text(Path::new("/proc/self/stat")).ok()?;
    // The fields after the name, from the third on; the 16th and 17th are times of children, in hundredths of a second.
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(13);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binaries_and_programs_are_read_from_messages() {
        let message = |id: &str, kind: &str, name: &str, test: bool| {
            serde_json::json!({
                "reason": "compiler-artifact", "package_id": id, "manifest_path": "/w/p/Cargo.toml",
                "target": {"kind": [kind], "name": name, "src_path": "/w/p/tests/a.rs"},
                "profile": {"test": test}, "executable": format!("/w/target/{name}"),
            })
            .to_string()
        };
        let messages = [
            message("path+file:///w/p#0.1.0", "test", "a", true),
            message("path+file:///w/f#robots-fetch@0.1.0", "test", "fleet", true),
            message("path+file:///w/p#0.1.0", "bin", "tool", false),
            message("path+file:///w/p#0.1.0", "example", "other", false),
            r#"{"reason": "build-finished", "success": true}"#.to_owned(),
        ];
        let built = Built::read(&messages.join("\n"));
        let labels: Vec<String> = built.tests.iter().map(Binary::label).collect();
        assert_eq!(labels, ["robots-fetch/fleet", "p/a"]);
        assert_eq!(built.program("tool").unwrap(), Path::new("/w/target/tool"));
        assert!(built.program("none").is_err());
    }

    #[test]
    fn times_are_read_from_lines() {
        assert_eq!(timed("test a::b ... ok <1.250s>"), Some((1.25, "a::b")));
        assert_eq!(timed("test a - should panic ... FAILED <0.001s>"), Some((0.001, "a - should panic")));
        assert_eq!(timed("test result: ok. 3 passed; finished in 0.1s"), None);
    }

    #[test]
    fn time_of_processors_is_counted() {
        assert!(!cfg!(target_os = "linux") || processor_seconds().is_some());
    }
}
