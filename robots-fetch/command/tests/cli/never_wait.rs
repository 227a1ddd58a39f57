//! No folder, list or configuration file makes a command wait for a pipe, a device or an entry of `/proc`.

use core::time::Duration;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process;

use crate::command::{folder, robots};
use crate::log::{GPTBOT, get};

/// Makes an empty folder with a robots.txt, a log, and a pipe to which no one writes.
fn prepared(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("robots.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    fs::write(folder.join("access.log"), get(10, "10:00:00", "/", GPTBOT)).unwrap();
    make_pipe(&folder.join("pipe"));
    folder
}

fn make_pipe(path: &Path) {
    let made = process::Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()), "`mkfifo` failed");
}

/// Asserts that a command in a folder ends with an error that has these parts.
fn assert_refused(folder: &Path, args: &[&str], parts: [&str; 2]) {
    let mut command = robots();
    let command = command.current_dir(folder).args(args).timeout(Duration::from_secs(60));
    let output = command.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
    assert!(parts.iter().all(|part| err.contains(part)), "{args:?}: {err}");
}

const NOT_REGULAR: &str = "is not a regular file";

#[test]
fn lint_reads_wanted_access_of_others_from_regular_files() {
    let folder = prepared("wait-lint");
    let settings = folder.join(".robots-lint.toml");
    for (name, error) in [("pipe", NOT_REGULAR), ("/dev/zero", NOT_REGULAR), ("/proc/kmsg", "can't read")] {
        fs::write(&settings, format!("expect = '{name}'\n")).unwrap();
        assert_refused(&folder, &["lint", "robots.txt"], [name, error]);
    }
    fs::remove_file(&settings).unwrap();
    let wanted = folder.join("robots.expect.toml");
    symlink("/proc/kmsg", &wanted).unwrap();
    assert_refused(&folder, &["lint", "robots.txt"], ["robots.expect.toml", "can't read"]);
    assert_refused(&folder, &["expect"], ["robots.expect.toml", "can't read"]);
    fs::remove_file(&wanted).unwrap();
    make_pipe(&wanted);
    assert_refused(&folder, &["expect"], ["robots.expect.toml", NOT_REGULAR]);
}

#[test]
fn environments_name_regular_files_and_not_standard_input() {
    let folder = prepared("wait-expect");
    let wanted = folder.join("robots.expect.toml");
    for (name, error) in
        [("-", "can't name standard input"), ("pipe", NOT_REGULAR), ("/proc/kmsg", "can't read")]
    {
        let entry = "[[expect]]\ncrawlers = ['a']\npatterns = ['/']\naccess = 'allowed'\n";
        fs::write(&wanted, format!("[environments]\np = ['{name}']\n{entry}")).unwrap();
        assert_refused(&folder, &["expect"], [error, ""]);
        assert_refused(
            &folder,
            &["expect", "./robots.expect.toml"],
            [if name == "-" { "" } else { error }, ""],
        );
    }
}

#[test]
fn folders_of_logs_and_ranges_have_regular_files() {
    let folder = prepared("wait-log");
    let log = |args: &[&str], parts| {
        assert_refused(&folder, &[&["log", "--robots", "robots.txt"], args].concat(), parts);
    };
    fs::create_dir(folder.join("ranges")).unwrap();
    make_pipe(&folder.join("ranges/Googlebot.json"));
    log(&["--ranges", "ranges", "access.log"], ["Googlebot.json", NOT_REGULAR]);
    fs::create_dir(folder.join("logs")).unwrap();
    fs::copy(folder.join("access.log"), folder.join("logs/access.log")).unwrap();
    symlink("/proc/kmsg", folder.join("logs/link.log")).unwrap();
    log(&["logs"], ["can't read logs/link.log", ""]);
    // A pipe of a folder is left out.
    fs::remove_file(folder.join("logs/link.log")).unwrap();
    make_pipe(&folder.join("logs/pipe.log"));
    let mut command = robots();
    let command = command.current_dir(&folder).args(["log", "--robots", "robots.txt", "logs"]);
    assert_eq!(command.timeout(Duration::from_secs(60)).output().unwrap().status.code(), Some(1));
}
