//! The command, and files for it.

#[cfg(target_os = "linux")]
use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// A file with a rule before the first group, a group for `*` and a group for `ExampleBot`.
pub(crate) const EXAMPLE: &str = "Disallow: /early\nUser-agent: *\nDisallow: /\n\nUser-agent: ExampleBot\nAllow: /page\n\
                    Disallow: /*.htm\nDisallow: /TMP/\n";

/// The command. Its output has colours only if a test asks for them.
pub(crate) fn robots() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    command.env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    without_proxies(&mut command);
    command
}

/// Removes the proxies of the environment of the tests.
pub(crate) fn without_proxies(command: &mut Command) {
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY", "NO_PROXY", "REQUEST_METHOD"] {
        command.env_remove(name).env_remove(name.to_ascii_lowercase());
    }
}

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A robots.txt with this content, in a folder for one test.
pub(crate) fn file(name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder(name).join("robots.txt");
    fs::write(&path, bytes).unwrap();
    path
}

/// Status, standard output and standard error of a command that reads `input`.
pub(crate) fn outcome(args: &[&str], input: impl Into<Vec<u8>>) -> (i32, String, String) {
    let output = robots().args(args).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The bytes of the largest file on a disk that is full.
#[cfg(unix)]
pub(crate) const ON_FULL_DISK: usize = 512;

/// Status, standard output and standard error of a command that can't write a longer file than [`ON_FULL_DISK`].
#[cfg(unix)]
pub(crate) fn on_full_disk(args: &[&str]) -> (i32, String, String) {
    let mut shell = Command::new("sh");
    without_proxies(&mut shell);
    // The unit of the limit is half a KiB. Without the signal, a write fails.
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let output = shell.args(["-c", limited, env!("CARGO_BIN_EXE_robots")]).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Status and JSON of a command that reads `input` and has nothing to complain about.
pub(crate) fn value(args: &[&str], input: impl Into<Vec<u8>>) -> (i32, Value) {
    let (status, out, err) = outcome(args, input);
    assert_eq!(err, "");
    (status, serde_json::from_str(&out).unwrap())
}

/// Standard output of a command that succeeds on a terminal, for a user with this home folder. Only the `script` of Linux
/// makes a terminal; where it is not installed, a line is printed.
#[cfg(target_os = "linux")]
pub(crate) fn on_terminal(args: &str, home: &Path) -> Option<String> {
    if Command::new("script").arg("--version").output().is_err() {
        println!("skipped: `script` is not installed");
        return None;
    }
    let mut script = Command::new("script");
    let command = format!("{} {args}", env!("CARGO_BIN_EXE_robots"));
    script.args(["-q", "-e", "-c", &command, "/dev/null"]).env("HOME", home);
    // If `CI` is set, every terminal has colours, whatever its name.
    script.env("TERM", "dumb").env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
    let output = script.timeout(Duration::from_secs(60)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}
