//! The `robots` command, as a shell sees it: `check` and `batch`.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

#[path = "support/schema.rs"]
mod schema;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use schema::against;

const FILE: &str = "User-agent: *\nDisallow: /private\nAllow: /private/open # here\n\n\
                    User-agent: ExampleBot\nDisallow: /*.gif$\n";

fn robots() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    command.env_remove("CLICOLOR_FORCE");
    command
}

/// A folder for one test, under that of cargo.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(name: &str, octets: impl AsRef<[u8]>) -> PathBuf {
    let path = folder(name).join("robots.txt");
    fs::write(&path, octets).unwrap();
    path
}

/// Status, standard output and standard error.
fn outcome(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |octets: Vec<u8>| String::from_utf8(octets).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn check(robots_txt: &str, args: &[&str]) -> (i32, String, String) {
    outcome(robots().args(["check", "--robots", "-"]).args(args).write_stdin(robots_txt))
}

/// What `batch` answers to `lines`.
fn batch(args: &[&str], lines: impl Into<Vec<u8>>) -> (i32, String, String) {
    outcome(robots().arg("batch").args(args).write_stdin(lines))
}

#[test]
fn check_tells_the_line_that_decides() {
    let path = file("check", FILE);
    let path = path.to_str().unwrap();
    let (status, out, err) = outcome(robots().args([
        "check",
        "--robots",
        path,
        "--agent",
        "OtherBot",
        "https://example.com/private/x?y",
        "/private/open",
        "https://example.com/robots.txt",
        "/",
    ]));
    assert_eq!(
        out,
        "disallowed https://example.com/private/x?y  line 2: Disallow: /private\n\
         allowed    /private/open  line 3: Allow: /private/open\n\
         allowed    https://example.com/robots.txt  /robots.txt is always allowed\n\
         allowed    /  no rule matches\n"
    );
    assert_eq!((status, err.as_str()), (1, ""));
}

#[test]
fn check_is_silent_about_what_is_allowed_but_for_its_status() {
    assert_eq!(check(FILE, &["-a", "ExampleBot", "/a.png", "/a.gif?x"]).0, 0);
    assert_eq!(check(FILE, &["-a", "ExampleBot", "/a.png", "/a.gif"]).0, 1);
    assert_eq!(check("", &["-a", "ExampleBot", "/"]).1, "allowed    /  no group applies\n");
}

#[test]
fn check_tries_agents_in_turn() {
    let args = ["-a", "ExampleBot-Image", "-a", "ExampleBot", "/private", "/a.gif"];
    let (status, out, _) = check(FILE, &args);
    assert_eq!(out, "allowed    /private  no rule matches\ndisallowed /a.gif  line 6: Disallow: /*.gif$\n");
    assert_eq!(status, 1);
}

#[test]
fn check_notes_agents_that_no_line_can_name() {
    let (status, out, err) = check(FILE, &["-a", "ExampleBot/2.1", "/a.gif", "/private"]);
    assert_eq!(status, 1);
    assert_eq!(out, "allowed    /a.gif  no rule matches\ndisallowed /private  line 2: Disallow: /private\n");
    assert_eq!(
        err,
        "robots: note: `ExampleBot/2.1` is no product token: `/` may not stand in one, so no line names it (did you \
         mean `ExampleBot`?); groups for `*` apply\n"
    );
    let (_, _, err) = check(FILE, &["-a", "*", "/"]);
    assert_eq!(err, "robots: note: `*` is not the name of a crawler; groups for `*` apply\n");
    let (_, _, err) = check(FILE, &["-a", "", "/"]);
    assert!(err.starts_with("robots: note: an empty name is no product token"), "{err}");
    // A token of the draft of 1996.
    assert_eq!(check(FILE, &["-p", "koster-1996", "-a", "MJ12bot", "/"]).2, "");
}

#[test]
fn check_reads_as_the_profile_says() {
    let lenient = "useragent: *\ndisalow /x\n";
    assert_eq!(check(lenient, &["-a", "a", "/x"]).0, 0);
    assert_eq!(check(lenient, &["-a", "a", "--profile", "google", "/x"]).0, 1);
    assert_eq!(check(lenient, &["-a", "a", "--profile=google", "/x"]).0, 1);
}

#[test]
fn check_answers_programs() {
    let bom = format!("\u{FEFF}{FILE}");
    let args = ["-a", "OtherBot", "--format", "json", "https://example.com/private", "/"];
    let (status, out, _) = check(&bom, &args);
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        answer,
        serde_json::json!({
            "version": 1,
            "profile": "rfc9309",
            "robots": "-",
            "agents": ["OtherBot"],
            "basis": "wildcard",
            "sites": [],
            "verdicts": [
                {
                    "url": "https://example.com/private",
                    "site": null,
                    "allowed": false,
                    "reason": "rule",
                    "rule": {
                        "effect": "disallow",
                        "pattern": "/private",
                        "written": "/private",
                        "line": 2,
                        "column": 11,
                        "span": { "start": 27, "end": 35 },
                    },
                },
                { "url": "/", "site": null, "allowed": true, "reason": "no-rule", "rule": null },
            ],
        })
    );
    assert_eq!(status, 1);
    assert_eq!(against("check.json", &answer), [""; 0]);
}

#[test]
fn check_shows_no_octet_that_could_control_a_terminal() {
    let (_, out, _) =
        check("User-agent: *\nDisallow: /\u{1B}[2J\u{202E}\u{E9}\n", &["-a", "a", "/%1B[2J%E2%80%AE%C3%A9"]);
    assert_eq!(out, "disallowed /%1B[2J%E2%80%AE%C3%A9  line 2: Disallow: /\\u{1b}[2J\\u{202e}\u{E9}\n");
}

#[test]
fn colour_only_where_asked_for() {
    let args = ["check", "--robots", "-", "-a", "x", "/private"];
    let plain = outcome(robots().args(args).write_stdin(FILE)).1;
    assert!(!plain.contains('\u{1B}'), "{plain}");
    let forced = outcome(robots().args(args).env("CLICOLOR_FORCE", "1").write_stdin(FILE)).1;
    assert!(
        forced.starts_with("\u{1B}[1m\u{1B}[31mdisallowed\u{1B}[0m /private"),
        "{}",
        forced.escape_debug()
    );
}

#[test]
fn mistakes_are_told_in_one_line() {
    let folder = folder("mistakes");
    let folder = folder.to_str().unwrap();
    let missing = format!("{folder}/none\n.txt");
    let shown = format!("can't read {folder}/none\\u{{a}}.txt: no such file or directory");
    let directory = format!("can't read {folder}: is a directory");
    for (args, message) in [
        (&[][..], "no command is given; `robots --help` lists them"),
        (&["chek"], "there is no command `chek`; `robots --help` lists them"),
        (&["--chek"], "invalid option '--chek'"),
        (&["check", "--robots", "x", "--agent", "a"], "no URL is given"),
        (&["check", "--robots", "x", "/"], "no crawler is given; name it by --agent TOKEN"),
        (
            &["explain", "--agent", "x", "/"],
            "`/` is not an absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (
            &["check", "--agent", "x", "/"],
            "`/` is not an absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (&["check", "--agent"], "missing argument for option '--agent'"),
        (
            &["check", "--profile", "googel"],
            "there is no profile `googel`; there are rfc9309, draft-koster-rep-00, google, koster-1996",
        ),
        (&["check", "--format", "xml"], "there is no format `xml`; there are human, json"),
        (&["check", "--robots", &missing, "-a", "x", "/"], &shown),
        (&["check", "--robots", folder, "-a", "x", "/"], &directory),
        (&["batch", "file"], "unexpected argument \"file\""),
        (
            &["batch", "-p", ""],
            "there is no profile ``; there are rfc9309, draft-koster-rep-00, google, koster-1996",
        ),
    ] {
        let (status, out, err) = outcome(robots().args(args));
        assert_eq!(err, format!("robots: error: {message}\n"), "{args:?}");
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn help_and_version() {
    for args in
        [&["--help"][..], &["-h"], &["help"], &["check", "--help"], &["help", "batch"], &["batch", "-h"]]
    {
        let (status, out, err) = outcome(robots().args(args));
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        assert!(out.contains("Usage: robots") && out.contains("Example"), "{args:?}");
        assert!(out.lines().all(|line| line.chars().count() <= 120), "{args:?}");
    }
    assert_eq!(outcome(robots().arg("-V")).1, concat!("robots ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn batch_answers_each_line_in_its_place() {
    let path = file("batch", FILE);
    let path = path.to_str().unwrap();
    let lines = [
        (format!("{path}\tOtherBot\thttps://example.com/private"), "disallowed\t2"),
        (format!("{path}\tOtherBot\t/private/open"), "allowed\t3"),
        (format!("{path}\texamplebot\t/private"), "allowed\t0"),
        (format!("{path}\tExampleBot\t/a.gif"), "disallowed\t6"),
        (String::new(), "error\tthe line is empty"),
        (format!("{path}\tExampleBot\t/a.gif\t/private"), "allowed\t0"),
        (format!("{path}\tExampleBot\t/a\t.gif"), "disallowed\t6"),
        (format!("{path}\tOtherBot\t/private"), "disallowed\t2"),
        (format!("{path}\tExampleBot/1.0\t/private"), "disallowed\t2"),
        (format!("{path}\t\t/private"), "disallowed\t2"),
        (format!("{path}\tOtherBot\t"), "allowed\t0"),
        (path.to_owned(), "error\tthe line has no agent: it should be FILE, AGENT, URL with tabs between"),
        (
            format!("{path}\tOtherBot"),
            "error\tthe line has no URL: it should be FILE, AGENT, URL with tabs between",
        ),
        ("\tOtherBot\t/".to_owned(), "error\tthe line names no file"),
        (format!("{path}\tOtherBot\t/private"), "disallowed\t2"),
    ];
    let expected: String = lines.iter().map(|(_, answer)| format!("{answer}\n")).collect();
    let input = |end: &str| -> String { lines.iter().map(|(line, _)| format!("{line}{end}")).collect() };
    assert_eq!(batch(&[], input("\n")), (0, expected.clone(), String::new()));
    assert_eq!(batch(&[], input("\r\n")), (0, expected.clone(), String::new()));
    assert_eq!(batch(&[], input("\n").trim_end()), (0, expected, String::new()));
    assert_eq!(batch(&[], ""), (0, String::new(), String::new()));
}

#[test]
fn batch_takes_any_octets() {
    let path = file("octets", b"User-agent: *\nDisallow: /\xFF\0\n");
    let line = |rest: &[u8]| [path.to_str().unwrap().as_bytes(), b"\t", rest, b"\n"].concat();
    let input =
        [line(b"\xC3\t/\xFF\0x"), line(b"a\0\t/%FF%00"), line(b"a\t/\xFF"), b"\xFF\n\xFF\ta\t/\n".to_vec()];
    let (status, out, _) = batch(&[], input.concat());
    assert_eq!(
        out,
        "disallowed\t2\ndisallowed\t2\nallowed\t0\n\
         error\tthe line has no agent: it should be FILE, AGENT, URL with tabs between\n\
         error\tcan't read \\xFF: no such file or directory\n"
    );
    assert_eq!(status, 0);
}

#[test]
fn batch_goes_on_behind_files_it_cannot_read() {
    let folder = folder("unreadable");
    let good = folder.join("good.txt");
    fs::write(&good, FILE).unwrap();
    let (folder, good) = (folder.to_str().unwrap(), good.to_str().unwrap());
    let input = format!(
        "{folder}/none\ta\t/\n{folder}/none\ta\t/\n{folder}\ta\t/\n/dev/null\ta\t/\na\0b\ta\t/\n{good}\ta\t/private\n"
    );
    let (status, out, err) = batch(&[], input);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], format!("error\tcan't read {folder}/none: no such file or directory"));
    assert_eq!(lines[1], lines[0]);
    assert_eq!(lines[2], format!("error\tcan't read {folder}: is a directory"));
    assert_eq!(lines[3], "error\tcan't read /dev/null: is not a regular file");
    assert!(lines[4].starts_with("error\tcan't read a\\u{0}b: "), "{}", lines[4]);
    assert_eq!(lines[5..], ["disallowed\t2"]);
    assert_eq!((status, err.as_str()), (0, ""));
}

#[test]
fn batch_bounds_the_length_of_lines() {
    const MOST: usize = 1 << 20;
    let path = file("long", "User-agent: *\nDisallow: /*z$\n");
    let line = |len: usize, end: &str| {
        let start = format!("{}\ta\t/", path.to_str().unwrap());
        let filler = "x".repeat(len - start.len() - 1);
        format!("{start}{filler}z{end}")
    };
    let short = line(1000, "\n");
    for (long, answer) in [
        (line(MOST, "\n"), "disallowed\t2"),
        (line(MOST, "\r\n"), "disallowed\t2"),
        (line(MOST + 1, "\n"), "error\tthe line is longer than 1048576 octets"),
        (line(MOST + 1, "\r\n"), "error\tthe line is longer than 1048576 octets"),
        (line(3 * MOST, "\n"), "error\tthe line is longer than 1048576 octets"),
    ] {
        let out = batch(&[], format!("{short}{long}{short}")).1;
        assert_eq!(out, format!("disallowed\t2\n{answer}\ndisallowed\t2\n"), "{}", long.len());
        assert_eq!(batch(&[], long.trim_end()).1, format!("{answer}\n"));
    }
}

#[test]
fn batch_answers_before_the_input_ends() {
    let path = file("pause", FILE);
    let mut child = Process::new(env!("CARGO_BIN_EXE_robots"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut answer = String::new();
    for (url, expected) in [("/private", "disallowed\t2\n"), ("/", "allowed\t0\n")] {
        // The start of the next line, given already, does not keep this one's answer back.
        write!(input, "{}\ta\t{url}\n/..", path.display()).unwrap();
        input.flush().unwrap();
        answer.clear();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, expected);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let path = file("closed", FILE);
    let mut child = Process::new(env!("CARGO_BIN_EXE_robots"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let line = format!("{}\ta\t/private\n", path.display());
    // Its own end of the pipe closes sooner or later.
    while input.write_all(line.repeat(1000).as_bytes()).is_ok() {}
    drop(input);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(told, "");
    assert!(child.wait().unwrap().success());
}

/// The recorded verdicts of Google's parser, where they lie beside the project.
#[test]
fn batch_agrees_with_recorded_verdicts() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/sites");
    let recorded = sites.with_file_name("google-verdicts.tsv.gz");
    let unpacked = Process::new("gzip").arg("-dc").arg(&recorded).output();
    let Some(unpacked) = unpacked.ok().filter(|output| output.status.success()) else {
        println!("skipped: no recorded verdicts at ../shared/corpus, or no gzip");
        return;
    };
    let rows = String::from_utf8(unpacked.stdout).unwrap();
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    let input: String = rows.iter().map(|row| format!("{}\n", row[..3].join("\t"))).collect();
    let output =
        robots().current_dir(&sites).args(["batch", "--profile", "google"]).write_stdin(input).output();
    let answers = String::from_utf8(output.unwrap().stdout).unwrap();
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), rows.len());
    for (row, answer) in rows.iter().zip(answers) {
        let word = if row[3] == "1" { "allowed" } else { "disallowed" };
        assert_eq!(answer, format!("{word}\t{}", row[4]), "{row:?}");
    }
}
