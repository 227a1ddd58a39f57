//! Runs other programs and prints results.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::workspace::{LIBRARIES, check_target, root};

/// The result of a subcommand that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// All checks passed, or were skipped with a line that says so.
    Well,
    /// A check failed.
    Badly,
    /// Another program ended with this status, which is not 0.
    With(u8),
}

/// The result of a subcommand, or why it could not do its work.
pub(crate) type Outcome = Result<Ended, String>;

/// Returns `Well` if `passed`, otherwise `Badly`.
pub(crate) fn well(passed: bool) -> Outcome {
    Ok(if passed { Ended::Well } else { Ended::Badly })
}

/// Prints a line. A closed standard output is not an error.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints that a check is left out, and why.
pub(crate) fn skipped(what: &str, why: &str) {
    say(&format!("skipped: {what}: {why}"));
}

/// Variables with which a program asks only this machine; requests to others fail at once, so that no check waits for them.
pub(crate) const OFFLINE: [(&str, &str); 4] = [
    ("http_proxy", "http://127.0.0.1:9"),
    ("https_proxy", "http://127.0.0.1:9"),
    ("all_proxy", "http://127.0.0.1:9"),
    ("no_proxy", "127.0.0.1"),
];

/// Prints an error to standard error.
pub(crate) fn complain(what: &str) {
    let _ = writeln!(io::stderr(), "error: {what}");
}

/// A run of cargo, in the root folder of the workspace unless said otherwise.
pub(crate) struct Cargo {
    command: Command,
}

impl Cargo {
    /// Prepares a run of the cargo that started xtask.
    pub(crate) fn new<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Self {
        let mut command = Command::new(cargo());
        command.args(arguments).current_dir(root());
        Self { command }
    }

    /// Prepares a run of the cargo of another toolchain, by means of rustup.
    pub(crate) fn of_toolchain<const N: usize>(toolchain: &str, arguments: [&str; N]) -> Self {
        let mut command = Command::new("rustup");
        command.args(["run", toolchain, "cargo"]).args(arguments).current_dir(root());
        // The cargo that runs xtask sets these variables for its own toolchain.
        for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTFLAGS"] {
            command.env_remove(name);
        }
        Self { command }
    }

    /// Adds arguments.
    pub(crate) fn arguments<S: AsRef<OsStr>>(mut self, arguments: &[S]) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets an environment variable.
    pub(crate) fn with(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Builds in the folder of checks. Documentation needs unstable features of our crates, which this variable allows on any
    /// toolchain. It has the same value for all checks, and names only our crates, because dependencies are built again if it changes.
    pub(crate) fn checking(self) -> Self {
        self.with("RUSTC_BOOTSTRAP", LIBRARIES.map(|name| name.replace('-', "_")).join(","))
            .with("CARGO_TARGET_DIR", check_target())
            .with("CARGO_INCREMENTAL", "0")
    }

    /// Runs cargo in the folder from which xtask was started, so that relative paths in arguments keep their meaning.
    pub(crate) fn in_place(mut self) -> Self {
        if let Ok(folder) = env::current_dir() {
            self.command.current_dir(folder);
        }
        self
    }

    /// Runs cargo in `folder`.
    pub(crate) fn in_folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Runs cargo and returns how it ended.
    pub(crate) fn run(mut self) -> Outcome {
        ended(&mut self.command)
    }

    /// Runs cargo, prints its standard output only if it fails, and returns whether it passed.
    pub(crate) fn passes(mut self) -> Result<bool, String> {
        let output =
            self.command.stderr(Stdio::inherit()).output().map_err(|error| self.not_started(&error))?;
        if !output.status.success() {
            say(String::from_utf8_lossy(&output.stdout).trim_end());
        }
        Ok(output.status.success())
    }

    /// Runs cargo without any output, and returns how it ended.
    pub(crate) fn silently(mut self) -> Outcome {
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        self.run()
    }

    /// Runs cargo and returns its standard output, or nothing if it fails.
    pub(crate) fn output(mut self) -> Result<Option<String>, String> {
        let output =
            self.command.stderr(Stdio::inherit()).output().map_err(|error| self.not_started(&error))?;
        Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    fn not_started(&self, error: &io::Error) -> String {
        not_started(&self.command, error)
    }
}

fn not_started(command: &Command, error: &io::Error) -> String {
    format!("could not start {}: {error}", command.get_program().to_string_lossy())
}

/// Runs a program and returns how it ended.
pub(crate) fn ended(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    Ok(match status.code() {
        Some(0) => Ended::Well,
        Some(code) => u8::try_from(code).map_or(Ended::Badly, Ended::With),
        None => Ended::Badly,
    })
}

/// Returns the program name of the cargo that started xtask.
pub(crate) fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Returns the standard output of a program, or nothing if it is missing or fails.
pub(crate) fn printed(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).current_dir(root()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the first of these programs that can be started.
pub(crate) fn found(programs: &[&str]) -> Option<PathBuf> {
    let answers = |program: &str, question: &str| {
        let mut command = Command::new(program);
        command.arg(question).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    // Go has no `--version`.
    let starts = |program: &&&str| ["--version", "version"].iter().any(|question| answers(program, question));
    programs.iter().find(starts).map(PathBuf::from)
}

/// Runs a program that has to succeed.
///
/// # Errors
///
/// If the program can't be started or fails.
pub(crate) fn succeeds(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} failed: {status}")),
        Err(error) => Err(format!("could not start {program}: {error}")),
    }
}
