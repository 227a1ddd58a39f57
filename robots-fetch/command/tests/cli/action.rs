//! The script of the GitHub Action.
#![cfg(unix)]

use std::env;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::command::folder;

#[test]
fn files_are_separated_by_spaces_or_line_ends() {
    if Command::new("bash").arg("--version").output().is_err() {
        println!("skipped: bash is not installed");
        return;
    }
    let action = Path::new(env!("CARGO_MANIFEST_DIR")).join("../action/action.yml");
    let action = fs::read_to_string(action).unwrap();
    let (_, script) = action.rsplit_once("run: |\n").unwrap();
    let folder = folder("action");
    for name in ["a.txt", "b.txt", "c.txt"] {
        fs::write(folder.join(name), "User-agent: *\nDisallow: /%zz\n").unwrap();
    }
    let command = Path::new(env!("CARGO_BIN_EXE_robots")).parent().unwrap().to_owned();
    let path = env::join_paths([command].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())));
    let check = |files: &str| {
        let mut bash = Command::new("bash");
        // As the runner of GitHub starts a script.
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
        bash.current_dir(&folder).env("PATH", path.as_ref().unwrap()).env("FILES", files).env("ISOLATED", "");
        let output = bash.env("DENY", "warning").env("CONFIG", "").env("BASELINE", "").output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        let named =
            ["a.txt", "b.txt", "c.txt"].into_iter().filter(|name| out.contains(&format!("file={name},")));
        (output.status.code(), named.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(check("a.txt"), (Some(1), "a.txt".to_owned()));
    for files in ["a.txt b.txt c.txt", "a.txt\nb.txt\nc.txt\n", "\n  a.txt b.txt\n  c.txt\n\n"] {
        assert_eq!(check(files), (Some(1), "a.txt b.txt c.txt".to_owned()), "{files:?}");
    }
    assert_eq!(check("missing.txt\na.txt"), (Some(2), "a.txt".to_owned()));
    assert_eq!(check("*.txt"), (Some(1), "a.txt b.txt c.txt".to_owned()));
    assert_eq!(check("none*.txt").0, Some(2));
    let run = |command: &str, files: &str, arguments: &str| {
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
        bash.current_dir(&folder)
            .env("PATH", path.as_ref().unwrap())
            .env("FILES", files)
            .env("COMMAND", command);
        bash.env("ARGUMENTS", arguments)
            .env("SARIF", "out.sarif")
            .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
        let output = bash.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    fs::write(
        folder.join("robots.expect.toml"),
        "[[expect]]\ncrawlers = ['*']\nurls = ['/%zz']\naccess = 'allowed'\n",
    )
    .unwrap();
    let (status, out) = run("expect", "a.txt", "--profile rfc9309");
    assert!(status == Some(1) && out.starts_with("::error file=a.txt,line=2,"), "{out}");
    assert!(fs::read_to_string(folder.join("out.sarif")).unwrap().contains("access-not-wanted"));
    let summary = fs::read_to_string(folder.join("summary.md")).unwrap();
    assert!(summary.starts_with("### robots expect\n```text\nbroken "), "{summary}");
    fs::write(folder.join("new.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    assert_eq!(run("diff", "a.txt new.txt", "").0, Some(1));
    assert_eq!(run("diff", "a.txt new.txt", "--deny newly-allowed").0, Some(0));
    assert_eq!(run("audit", "new.txt", "").0, Some(1));
    assert_eq!(run("rm", "new.txt", "").0, Some(2));
}
