//! `robots batch`.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command as Process, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::command::{file, folder, outcome, robots};

const FILE: &str = "User-agent: *\nDisallow: /private\nAllow: /private/open # here\n\n\
                    User-agent: ExampleBot\nDisallow: /*.gif$\n";

/// Returns the exit status and the output of `batch` for `lines`.
fn batch(args: &[&str], lines: impl Into<Vec<u8>>) -> (i32, String, String) {
    outcome(&[&["batch"], args].concat(), lines)
}

#[test]
fn batch_answers_lines_in_order() {
    let no_url = "error\tthe URL is neither one with a scheme and `://` nor a path that begins with `/`";
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
        (format!("{path}\tExampleBot/1.0\t/private"), "allowed\t0"),
        (format!("{path}\tExampleBot/1.0 (+https://example.com)\t/a.gif"), "disallowed\t6"),
        (
            format!("{path}\tExample@Bot\t/private"),
            "error\t`Example@Bot` is not a crawler name: it contains `@`; did you mean `Example`?",
        ),
        (format!("{path}\t*\t/private"), "disallowed\t2"),
        (format!("{path}\t\t/private"), "error\ta crawler name must not be empty"),
        (format!("{path}\tOtherBot\t"), no_url),
        (format!("{path}\tOtherBot\tprivate"), no_url),
        (format!("{path}\tOtherBot\t//private"), "allowed\t0"),
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
    assert_eq!(batch(&[], input("\n")), (2, expected.clone(), String::new()));
    assert_eq!(batch(&[], input("\r\n")), (2, expected.clone(), String::new()));
    assert_eq!(batch(&[], input("\n").trim_end()), (2, expected, String::new()));
}

#[test]
fn batch_refuses_input_without_a_line() {
    let message = "robots: error: standard input has no line; write FILE, AGENT and URL with tabs between them on each line\n";
    for nothing in ["", "\u{FEFF}"] {
        assert_eq!(batch(&[], nothing), (2, String::new(), message.to_owned()));
    }
    assert_eq!(batch(&[], "\u{FEFF}\n").1, "error\tthe line is empty\n");
}

#[test]
fn batch_accepts_any_bytes() {
    let path = file("bytes", b"User-agent: *\nDisallow: /\xFF\0\n");
    let line = |rest: &[u8]| [path.to_str().unwrap().as_bytes(), b"\t", rest, b"\n"].concat();
    let input =
        [line(b"\xC3\t/\xFF\0x"), line(b"a\0\t/%FF%00"), line(b"a\t/\xFF"), b"\xFF\n\xFF\ta\t/\n".to_vec()];
    let (status, out, _) = batch(&[], input.concat());
    assert_eq!(
        out,
        "error\tthe agent is not UTF-8\n\
         error\t`a\\0` is not a crawler name: it contains `\\0`; did you mean `a`?\n\
         allowed\t0\n\
         error\tthe line has no agent: it should be FILE, AGENT, URL with tabs between\n\
         error\tcan't read \\xFF: no such file or directory\n"
    );
    assert_eq!(status, 2);
}

#[test]
fn batch_and_check_have_the_same_answers() {
    let folder = folder("same");
    let rules = folder.join("rules.txt");
    fs::write(
        &rules,
        "User-agent: *\nDisallow: /caf\u{e9}\nDisallow: /a'b\nDisallow: /q?x='\nDisallow: /x/\n\n\
         User-agent: Googlebot\nDisallow: /images/\nDisallow: /\u{43a}/\nDisallow: /a%2A\n",
    )
    .unwrap();
    let page = folder.join("page.txt");
    fs::write(&page, "<!doctypehtml><title>Not Found</title>").unwrap();
    let agents = [
        "ExampleBot",
        "Googlebot",
        "Googlebot-Image",
        "AdsBot-Google",
        "Googlebot-News, Googlebot",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "*",
    ];
    let urls = [
        "/caf\u{e9}",
        "/caf%c3%a9",
        "https://example.com/y/../x/",
        "http:/example.com/x/",
        "http://example.com\\x/",
        "/q?x='",
        "/a'b",
        "/images/a",
        "/\u{43a}/x",
        "/a*",
        "/a%2A",
    ];
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for path in [&rules, &page] {
        let path = path.to_str().unwrap();
        for agent in agents {
            let mut args = vec!["check", "--format", "json", "--robots", path, "-a", agent];
            args.extend(urls);
            let answer: serde_json::Value = serde_json::from_str(&outcome(&args, "").1).unwrap();
            for verdict in answer["verdicts"].as_array().unwrap() {
                let url = verdict["url"].as_str().unwrap();
                lines.push_str(&format!("{path}\t{agent}\t{url}\n"));
                let word = if verdict["allowed"] == true { "allowed" } else { "disallowed" };
                let line = verdict["rule"]["line"].as_u64().unwrap_or(0);
                let kind = answer["body"]["kind"].as_str().filter(|kind| *kind != "rules");
                let other = if word == "allowed" { "disallowed" } else { "allowed" };
                let written = verdict["as_written"].as_str().map(|_| format!("{other}-as-written"));
                let notes: Vec<String> = kind.map(str::to_owned).into_iter().chain(written).collect();
                let notes = if notes.is_empty() { String::new() } else { format!("\t{}", notes.join(",")) };
                expected.push(format!("{word}\t{line}{notes}"));
            }
        }
    }
    let (status, out, err) = batch(&[], lines);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(out.lines().collect::<Vec<_>>(), expected);
    assert!(expected.iter().any(|answer| answer.ends_with("\tallowed-as-written")));
    assert!(expected.iter().any(|answer| answer.ends_with("\thtml")));
}

#[test]
fn batch_compares_bytes_as_written_where_it_should() {
    let path =
        file("written", "User-agent: *\nDisallow: /caf\u{e9}\n\nUser-agent: Googlebot\nDisallow: /x\n");
    let path = path.to_str().unwrap();
    let lines = format!("{path}\tGooglebot\t/x\n{path}\tGooglebot-Image\t/x\n{path}\ta\t/caf\u{e9}\n");
    let google = |args: &[&str]| batch(&[&["-p", "google"], args].concat(), lines.clone()).1;
    assert_eq!(google(&["--as-written"]), "disallowed\t5\nallowed\t0\nallowed\t0\n");
    assert_eq!(google(&[]), "disallowed\t5\ndisallowed\t5\ndisallowed\t2\tallowed-as-written\n");
}

#[test]
fn batch_continues_after_files_it_cannot_read() {
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
    assert_eq!((status, err.as_str()), (2, ""));
}

/// A pipe without a writer, a link to one, and entries of the kernel that look like regular files.
#[cfg(target_os = "linux")]
#[test]
fn batch_refuses_files_that_could_block() {
    let folder = folder("blocking");
    let (pipe, link) = (folder.join("pipe"), folder.join("link"));
    for path in [&pipe, &link] {
        fs::remove_file(path).ok();
    }
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo failed");
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    let paths =
        [pipe.to_str().unwrap(), link.to_str().unwrap(), "/dev/zero", "/proc/version", "/proc/self/status"];
    let (status, out, _) = batch(&[], paths.map(|path| format!("{path}\ta\t/\n")).concat());
    let lines: Vec<&str> = out.lines().collect();
    for (path, line) in paths.iter().zip(&lines) {
        let why = if path.starts_with("/proc") {
            "is an entry of /proc, which may never end"
        } else {
            "is not a regular file"
        };
        assert_eq!(*line, format!("error\tcan't read {path}: {why}"));
    }
    assert_eq!((status, lines.len()), (2, paths.len()));
}

#[test]
fn batch_limits_the_length_of_lines() {
    const MOST: usize = 1 << 20;
    let path = file("long", "User-agent: *\nDisallow: /*z$\n");
    let line = |len: usize, end: &str| {
        let start = format!("{}\ta\t/", path.to_str().unwrap());
        let filler = "x".repeat(len - start.len() - 1);
        format!("{start}{filler}z{end}")
    };
    let short = line(1000, "\n");
    struct Case {
        len: usize,
        end: &'static str,
        answer: &'static str,
    }
    let too_long = "error\tthe line is longer than 1048576 bytes";
    for Case { len, end, answer } in [
        Case { len: MOST, end: "\n", answer: "disallowed\t2" },
        Case { len: MOST, end: "\r\n", answer: "disallowed\t2" },
        Case { len: MOST + 1, end: "\n", answer: too_long },
        Case { len: MOST + 1, end: "\r\n", answer: too_long },
        Case { len: 3 * MOST, end: "\n", answer: too_long },
    ] {
        let long = line(len, end);
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
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn batch_says_what_it_did_not_read_if_its_output_is_closed() {
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
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(err, "robots: error: the output was closed, so the rest of the input was not read\n");
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

/// The recorded verdicts of Google's parser, where they lie beside the project.
#[test]
fn batch_agrees_with_recorded_verdicts() {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/sites");
    let recorded = sites.with_file_name("google-verdicts.tsv.gz");
    let unpacked = Process::new("gzip").arg("-dc").arg(&recorded).output();
    let Some(unpacked) = unpacked.ok().filter(|output| output.status.success()) else {
        println!("skipped: no recorded verdicts at ../shared/corpus, or no gzip");
        return;
    };
    let rows = String::from_utf8(unpacked.stdout).unwrap();
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    let input: String = rows.iter().map(|row| format!("{}\n", row[..3].join("\t"))).collect();
    let output = robots()
        .current_dir(&sites)
        .args(["batch", "--profile", "google", "--as-written"])
        .write_stdin(input)
        .output();
    let answers = String::from_utf8(output.unwrap().stdout).unwrap();
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), rows.len());
    for (row, answer) in rows.iter().zip(answers) {
        let word = if row[3] == "1" { "allowed" } else { "disallowed" };
        let answer: Vec<&str> = answer.split('\t').take(2).collect();
        assert_eq!(answer, [word, row[4]], "{row:?}");
    }
}

const CAPTURED: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: ExampleBot\nSitemap: /map\nUser-agent: OtherBot\nDisallow: /\n";

fn record(url: &str, status: u16, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 {status} X\r\nContent-Type: text/plain\r\n\r\n{body}");
    let len = block.len();
    let header =
        format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len}\r\n\r\n");
    [header, block, "\r\n\r\n".to_owned()].concat().into_bytes()
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn batch_checks_the_captures_of_archives() {
    let plain = [
        record("https://a.example/robots.txt", 200, CAPTURED),
        record("https://b.example/robots.txt", 404, ""),
        record("https://a.example/page", 200, CAPTURED),
    ]
    .concat();
    let expected = "\
        https://a.example/robots.txt\tExampleBot\t/\tdisallowed\t7\tnamed\trule\taccidental-group\n\
        https://a.example/robots.txt\tExampleBot\t/robots.txt\tallowed\t0\tnamed\trobots-txt\taccidental-group\n\
        https://a.example/robots.txt\tOtherBot\t/\tdisallowed\t7\tnamed\trule\t-\n\
        https://a.example/robots.txt\tOtherBot\t/robots.txt\tallowed\t0\tnamed\trobots-txt\t-\n";
    let questions = ["batch", "-a", "ExampleBot", "-a", "OtherBot", "-u", "/", "-u", "/robots.txt", "--warc"];
    let note = "robots: note: captures with other statuses than 2xx, which were left out: 1\n\
                robots: note: captures of other URLs than robots.txt files, which were left out: 1\n";
    assert_eq!(outcome(&questions, plain.clone()), (0, expected.to_owned(), note.to_owned()));
    assert_eq!(outcome(&questions, member(&plain)).1, expected);
    let path = folder("warc").join("a.warc");
    fs::write(&path, &plain).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(outcome(&[&questions[..], &[path, "-"]].concat(), plain).1, [expected, expected].concat());
    let note = "robots: note: -: no capture of an answer was found\n";
    let other = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    assert_eq!(outcome(&questions, other), (0, String::new(), note.to_owned()));
    for empty in ["", "\r\n\r\n"] {
        assert_eq!(
            outcome(&questions, empty),
            (2, "error\t-:0: there is no record\n".to_owned(), String::new())
        );
    }
}

#[test]
fn batch_reads_the_captures_of_each_crawler_by_its_profile() {
    let file = "User-agent: *\nDisallow: /caf\u{e9}\nDisallow: /b:\n";
    let archive = record("https://a.example/robots.txt", 200, file);
    let questions =
        ["batch", "-a", "Googlebot", "-a", "ExampleBot", "-u", "/caf\u{e9}", "-u", "/b%3A", "--warc"];
    let (_, out, _) = outcome(&questions, archive);
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').skip(1).take(4).collect()).collect();
    assert_eq!(
        rows,
        [
            ["Googlebot", "/caf\u{e9}", "disallowed", "2"],
            ["Googlebot", "/b%3A", "allowed", "0"],
            ["ExampleBot", "/caf\u{e9}", "disallowed", "2"],
            ["ExampleBot", "/b%3A", "disallowed", "3"],
        ]
    );
}

#[test]
fn batch_reports_bodies_that_are_not_whole_and_continues() {
    let with = |url: &str, fields: &str| {
        let answer = format!("HTTP/1.1 200 X\r\n{fields}\r\n\r\n{CAPTURED}");
        let header = format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n");
        format!("{header}Content-Length: {}\r\n\r\n{answer}\r\n\r\n", answer.len())
    };
    let archive = [
        with("http://a/robots.txt", "Content-Length: 500"),
        // Other files are not examined.
        with("http://a/page", "Content-Length: 500"),
        with("http://b/robots.txt", "Content-Encoding: br"),
    ]
    .concat();
    let (status, out, _) = outcome(&["batch", "--warc"], archive);
    assert_eq!(status, 2);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert_eq!(lines[0], "error\t-:0: the body is shorter than its Content-Length");
    // The coding was removed before the answer was archived.
    assert!(lines[1].starts_with("http://b/robots.txt\t*\t/\t"), "{out}");
}

#[test]
fn batch_reads_input_that_begins_with_a_byte_order_mark() {
    let path = file("batch-mark", "User-agent: *\nDisallow: /a\n");
    let path = path.to_str().unwrap();
    for (mark, answers) in [("\u{FEFF}", "disallowed\t2\nallowed\t0\n"), ("", "disallowed\t2\nallowed\t0\n")]
    {
        let (status, out, _) = outcome(&["batch"], format!("{mark}{path}\tx\t/a\n{path}\tx\t/b\n"));
        assert_eq!((status, out.as_str()), (0, answers));
    }
    for input in ["", "\u{FEFF}", "\n"] {
        let (_, out, _) = outcome(&["batch"], input);
        assert_eq!(out, if input == "\n" { "error\tthe line is empty\n" } else { "" }, "{input:?}");
    }
}

#[test]
fn batch_reports_damaged_records_and_continues() {
    let [a, b, c] =
        ["a", "b", "c"].map(|host| member(&record(&format!("http://{host}/robots.txt"), 200, "<html>")));
    let archive = [&a[..], &b[..b.len() - 20], &c[..]].concat();
    let (status, out, err) = outcome(&["batch", "--warc"], archive);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "http://a/robots.txt\t*\t/\tallowed\t0\tnone\tno-group\thtml");
    assert!(lines[1].starts_with(&format!("error\t-:{}: the ", a.len())), "{out}");
    assert!(lines[1].contains("gzip member"), "{out}");
    assert_eq!(lines[2..], ["http://c/robots.txt\t*\t/\tallowed\t0\tnone\tno-group\thtml"]);
    assert_eq!((status, err.as_str()), (2, ""));
}

#[test]
fn batch_needs_an_archive_for_agents() {
    let (status, _, err) = outcome(&["batch", "--agent", "a"], "");
    assert_eq!(status, 2);
    assert!(err.contains("--warc"), "{err}");
    let (status, _, err) = outcome(&["batch", "--agent", "", "--warc"], "");
    assert_eq!(status, 2);
    assert!(err.contains("a crawler name must not be empty"), "{err}");
    let (status, _, err) = outcome(&["batch", "--url", "https://example.com/a", "--warc"], "");
    assert_eq!(status, 2);
    assert!(err.contains("is not a path; write one that begins with `/`"), "{err}");
    let (status, out, err) = outcome(&["batch", "--warc", "/nowhere"], "");
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("can't read /nowhere: no such file or directory"), "{err}");
    // One archive that can't be read does not lose the answers about the others.
    let path = folder("warc-failed").join("a.warc");
    let archive = member(&record("http://a/robots.txt", 200, "User-agent: *\nDisallow: /\n"));
    fs::write(&path, archive).unwrap();
    let path = path.to_str().unwrap();
    let (status, out, err) = outcome(&["batch", "--warc", "/nowhere", path], "");
    assert_eq!((status, out), (2, outcome(&["batch", "--warc", path], "").1));
    assert_eq!(err, "robots: error: can't read /nowhere: no such file or directory\n");
}
