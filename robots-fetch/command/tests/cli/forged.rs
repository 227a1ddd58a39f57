//! One hostile text through every argument, field, kind of file and answer of a server, of every command and format: no line is
//! forged, and no character controls a terminal.

use core::time::Duration;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::command::{folder, without_proxies};
use crate::site::{Site, answer};

/// Ends lines in all ways, begins a workflow command, a message and a row, and controls a terminal.
const FORGED: &str = "x\u{1B}[8m\r\n::error title=FORGED::x\nFORGED\trow\rFORGED\u{9B}31m\u{202E}\u{2028}FORGED\u{85}\u{7}\n\
    robots: note: FORGED\n\u{A0}::error title=FORGED::x ##[error]FORGED\n";

/// The text without NUL, slashes and line ends at its end: for names of files.
fn for_name() -> String {
    FORGED.trim_end().replace(['/', '\\'], "")
}

/// The text on one line: for fields of a server, whose lines are not the text of anybody.
fn on_one_line() -> String {
    FORGED.replace(|char: char| char.is_ascii_control(), "")
}

/// A robots.txt with the text in every place, also with NUL.
fn file() -> String {
    let text = FORGED.replace('x', "x\0");
    format!(
        "# {text}\nUser-agent: {text}\nUser-agent: ExampleBot\nDisallow: /{text}\nDisalow: /{text}\nAllow: /a b{text}\n\
         Crawl-delay: {text}\nSitemap: {text}\nHost: {text}\nContent-Usage: {text}\nClean-param: {text}\nLicense: {text}\n\
         User-agent: *\nDisallow: /a # {text}\n# robots-lint: ignore {text}\nDisallow: /p?{text}\n"
    )
}

/// How an output differs from lines of text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lines,
    /// Workflow commands begin lines, but none of the text.
    Commands,
    /// Cells end with CR and LF.
    Csv,
}

/// Fails if the text has forged a line, or if a character of it controls a terminal.
fn inspect(args: &[&str], output: &[u8], kind: Kind) {
    let text = String::from_utf8_lossy(output);
    let text = if kind == Kind::Csv { text.replace("\r\n", "\n") } else { text.into_owned() };
    for char in text.chars() {
        let is_plain = matches!(char, '\n' | '\t') || !char.is_control();
        if !is_plain || "\u{202E}\u{2028}".contains(char) {
            let line = text.split('\n').find(|line| line.contains(char));
            panic!("{args:?}: {char:?} in {line:?}");
        }
    }
    // Wherever it is in a line, this begins a command.
    assert!(!text.contains("##["), "{args:?}: {text}");
    for line in text.lines() {
        let line = line.trim_start_matches('"').trim_start();
        let is_command = line.starts_with("::") && !line.starts_with(":::");
        let is_forged = ["FORGED", "::error title=FORGED", "robots: note: FORGED"]
            .into_iter()
            .any(|forged| line.starts_with(forged));
        assert!(!is_forged && (!is_command || kind == Kind::Commands), "{args:?}: {line}");
    }
}

/// Runs the command as every format of `formats`, and inspects the output. Returns the number of runs.
fn run(args: &[&str], formats: &[&str], input: &str) -> usize {
    for format in formats {
        let args = match *format {
            "" => args.to_vec(),
            format => [args, &["--format", format]].concat(),
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
        without_proxies(&mut command);
        // Names of the test are those of files, too.
        let home = tempfile::tempdir().unwrap();
        command.current_dir(home.path());
        command.env("XDG_CACHE_HOME", home.path()).env("HOME", home.path()).env_remove("CLICOLOR_FORCE");
        let output =
            command.args(&args).write_stdin(input).timeout(Duration::from_secs(60)).output().unwrap();
        let kind = match *format {
            "github" => Kind::Commands,
            "csv" => Kind::Csv,
            _ => Kind::Lines,
        };
        assert!(output.status.code().is_some_and(|status| status <= 3), "{args:?}: {output:?}");
        inspect(&args, &output.stdout, kind);
        let documents: Vec<&[u8]> = match *format {
            "json" | "sarif" if !output.stdout.is_empty() => [&output.stdout[..]].into(),
            "jsonl" => output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect(),
            _ => Vec::new(),
        };
        for json in documents {
            let read = serde_json::from_slice::<serde_json::Value>(json);
            assert!(read.is_ok(), "{args:?}: {read:?} in {}", String::from_utf8_lossy(json));
        }
        inspect(&args, &output.stderr, Kind::Lines);
    }
    formats.len()
}

/// The files of the test, each with the text in its places.
struct Files {
    folder: std::path::PathBuf,
}

impl Files {
    fn new(name: &str) -> Self {
        Self { folder: folder(name) }
    }

    /// Writes a file whose name has the text, where the system has such names.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let (before, end) = name.rsplit_once('.').unwrap();
        let named = self.folder.join(format!("{before}{}.{end}", for_name()));
        let path = if fs::write(&named, &content).is_ok() { named } else { self.folder.join(name) };
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

const LINT: &[&str] = &["human", "json", "github", "sarif"];
const AUDIT: &[&str] = &["human", "csv", "jsonl", "sarif", "html"];
const LOG: &[&str] = &["human", "json", "jsonl", "csv", "html"];
const EXPECT: &[&str] = &["human", "json", "junit", "github", "sarif"];
const CRAWLERS: &[&str] = &["human", "json", "csv", "html"];
const DIFF: &[&str] = &["human", "json", "github"];
const BOTH: &[&str] = &["human", "json"];

#[test]
fn no_line_is_forged_by_files_and_arguments() {
    let files = Files::new("forged");
    let robots = files.write("robots.txt", file());
    let other = files.write("other.txt", file().replace("Disallow: /", "Allow: /new"));
    let plain = files.folder.join("plain.txt");
    fs::write(&plain, "User-agent: *\nDisallow: /x\n").unwrap();
    let plain = plain.to_str().unwrap();
    let path = format!("/{FORGED}");
    let mut runs = 0;
    // Robots.txt files, crawlers and paths.
    for file in [&*robots, "-"] {
        for agent in ["ExampleBot", FORGED] {
            for profile in ["rfc9309", "google", "koster-1996"] {
                let question = ["-a", agent, "-p", profile, "--robots", file, &path];
                runs += run(&[&["check"], &question[..]].concat(), BOTH, &self::file());
                runs += run(&[&["explain"], &question[..]].concat(), BOTH, &self::file());
            }
        }
        runs += run(&["lint", file], LINT, &self::file());
        runs += run(&["lint", "--url", "https://example.com/robots.txt", file], LINT, &self::file());
        runs += run(&["crawlers", file], CRAWLERS, &self::file());
        runs += run(&["crawlers", "-a", FORGED, file], CRAWLERS, &self::file());
        runs += run(&["diff", file, &other], DIFF, &self::file());
        runs += run(&["diff", "-a", FORGED, "-p", "google", &other, file], DIFF, &self::file());
        runs += run(&["audit", file], AUDIT, &self::file());
        runs += run(&["audit", "-p", "google", "-a", FORGED, file, &other], AUDIT, &self::file());
        runs += run(&["write", "--block", "ai", "--into", file], &["json"], &self::file());
        runs += run(&["write", "--block", FORGED, "--into", file], &["json"], &self::file());
    }
    // Lists of URLs, sitemaps and inputs.
    let urls = files.write("urls.txt", format!("/{FORGED}/a\n{FORGED}\nhttps://a.example/{FORGED}\n"));
    let url = format!("<url><loc>https://a.example/{FORGED}</loc></url>");
    let sitemap = files.write("map.xml", format!("<urlset>{url}<url><loc>/a</loc></url></urlset>"));
    let broken = files.write("broken.xml", format!("<urlset><url></x{FORGED}></urlset>"));
    let root = files.write("root.xml", format!("<x{FORGED}></x>"));
    for list in [&urls, &sitemap, &broken, &root] {
        runs += run(&["audit", "--urls", list, plain, &robots], AUDIT, "");
        runs += run(&["diff", "--urls", list, &robots, &other], DIFF, "");
    }
    // Each line is an input, whose name begins its row of CSV.
    let line = on_one_line();
    let inputs = format!(
        "{line}\ngit:{line}\nhttps://{line}/no\n./no{line}\n::error title=FORGED::x\n ##[error]x\n\u{A0}::error title=FORGED::x\n"
    );
    let list = files.write("list.txt", inputs);
    runs += run(&["audit", "--timeout", "1", "--list", &list, plain], AUDIT, "");
    // Configuration, baselines and wanted access.
    let in_toml: String = FORGED.chars().map(|char| format!("\\U{:08X}", u32::from(char))).collect();
    let in_json = serde_json::to_string(FORGED).unwrap();
    for (number, text) in [
        format!("ignore = [\"{in_toml}\"]"),
        format!("\"{in_toml}\" = 1"),
        format!("baseline = \"{in_toml}\""),
        format!("deny = \"{in_toml}\""),
        format!("select = {FORGED}"),
    ]
    .iter()
    .enumerate()
    {
        let config = files.write(&format!("{number}.toml"), text);
        runs += run(&["lint", "--config", &config, plain], LINT, "");
    }
    for (number, text) in [
        in_json.clone(),
        format!("{{\"version\":{in_json}}}"),
        format!("{{\"version\":1,\"findings\":[{{\"file\":{in_json},\"fingerprint\":{in_json}}}],\"left_out\":[]}}"),
        FORGED.to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let baseline = files.write(&format!("{number}.json"), text);
        runs += run(&["lint", "--baseline", &baseline, plain], LINT, "");
    }
    let entry = |crawler: &str, url: &str, access: &str, reason: &str| {
        format!(
            "[[expect]]\ncrawlers = [\"{crawler}\"]\n{url}\naccess = \"{access}\"\nreason = \"{reason}\"\n"
        )
    };
    for (number, text) in [
        entry("a", &format!("patterns = [\"/{in_toml}\"]"), "allowed", &in_toml),
        entry("a", &format!("urls = [\"/{in_toml}\"]"), "disallowed", &in_toml),
        entry(&in_toml, "urls = ['/']", "disallowed", ""),
        entry("a", "urls = ['/']", &in_toml, ""),
        entry("a", &format!("urls = [\"{in_toml}\"]"), "allowed", ""),
        format!(
            "[environments]\n\"{in_toml}\" = [\"{in_toml}\"]\n{}",
            entry("a", "urls = ['/']", "allowed", "")
        ),
        format!("\"{in_toml}\" = 1"),
        FORGED.to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let wanted = files.write(&format!("wanted-{number}.toml"), text);
        runs += run(&["expect", "--all", &wanted, &robots], EXPECT, "");
        runs += run(&["expect", "--all", "--environment", FORGED, &wanted, plain], EXPECT, "");
    }
    let quoted = format!("\"{}\"", FORGED.replace('"', ""));
    for (number, text) in [
        format!("crawler,url,access,reason\na,/,disallowed,{quoted}\n"),
        format!("crawler,url,access\n{quoted},/,allowed\n"),
        format!("crawler,pattern,access\na,{quoted},allowed\n"),
        format!("crawler,url,access\na,/,{quoted}\n"),
        format!("crawler,{quoted},access\na,/,allowed\n"),
    ]
    .iter()
    .enumerate()
    {
        let wanted = files.write(&format!("wanted-{number}.csv"), text);
        runs += run(&["expect", "--all", &wanted, &robots], EXPECT, "");
    }
    // Archives.
    let record = |url: &str, head: &str| {
        let block = format!("HTTP/1.1 {head}\r\n\r\n{}", file());
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let line = on_one_line();
    for (number, text) in [
        record("https://a.example/robots.txt", "200 OK"),
        record("::error title=FORGED::x/robots.txt", "200 OK"),
        record("\u{A0}::error title=FORGED::x/robots.txt", "200 OK"),
        record("x##[error]FORGED/robots.txt", "200 OK"),
        record(&format!("https://a.example/{line}"), &format!("200 {line}\r\nContent-Encoding: {line}")),
        record("https://a.example/robots.txt", "200 OK").replace("WARC/1.0", &format!("WARC/{FORGED}")),
        FORGED.to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let archive = files.write(&format!("{number}.warc"), text);
        runs += run(&["batch", "-p", "google", "-a", FORGED, "-u", &path, "--warc", &archive], &[""], "");
    }
    let rows = format!("{robots}\t{FORGED}\t{path}\n{FORGED}");
    runs += run(&["batch", "-p", "google"], &[""], &rows);
    // Rows in ASCII are written in another way.
    runs += run(&["batch"], &[""], "x##[error]FORGED\tA\t/\n::error title=FORGED::x\tA\t/\n");
    // Access logs.
    let line = on_one_line();
    let request = |target: &str, agent: &str| {
        format!(
            "1.2.3.4 - {line} [21/Nov/2026:10:00:00 +0000] \"GET /{target} HTTP/1.1\" 200 5 \"{line}\" \"{agent}\"\n"
        )
    };
    let in_json_text = in_json.trim_matches('"');
    let json = |target: &str, agent: &str| {
        format!(
            "{{\"time\":\"2026-11-21T10:00:00Z\",\"address\":\"{in_json_text}\",\"host\":\"{in_json_text}\",\
             \"method\":\"GET\",\"target\":\"/{target}\",\"status\":200,\"agent\":\"{agent}\"}}\n"
        )
    };
    let fields = ["time", "address", "host", "target", "method", "status", "agent"];
    let fields: Vec<String> = fields.iter().map(|field| format!("--fields={field}={field}")).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let bot = format!("Mozilla/5.0 (compatible; GPTBot/1.0; {line})");
    let combined = request("a", &bot) + &request(&format!("a{line}"), "GPTBot/1.0") + &request("a", &line);
    let packed = json(&format!("a{in_json_text}"), "GPTBot/1.0")
        + &json("a", &format!("GPTBot/1.0 {in_json_text}"))
        + &json("a", in_json_text);
    let known = files.write("ranges.json", format!("{{\"prefixes\":[{{\"ipv4Prefix\":{in_json}}}]}}"));
    for (number, (text, more)) in [
        (combined.repeat(3), &[][..]),
        (packed.repeat(3), &[&["--log-format", "json"], &fields[..]].concat()),
        (FORGED.repeat(3), &[]),
        (format!("#Fields: date time {line}\n{FORGED}"), &["--log-format", "w3c"]),
        (combined.clone(), &["--log-format", FORGED]),
        (combined.clone(), &["--ranges", &known]),
        (combined.clone(), &["--address", FORGED]),
        (combined, &["--since", FORGED]),
    ]
    .into_iter()
    .enumerate()
    {
        let log = files.write(&format!("{number}.log"), text);
        let shows = ["--all", "--queries", "--addresses", "--robots", &robots, &log];
        runs += run(&[&["log"], more, &shows[..]].concat(), LOG, "");
    }
    // Pages and fields.
    let entities: String = FORGED.chars().map(|char| format!("&#{};", u32::from(char))).collect();
    for (number, text) in [
        format!("<meta name='{FORGED}' content='{FORGED}'><meta name=robots content='noindex,{FORGED}'>"),
        format!(
            "<meta name='{entities}' content='{entities}'><meta name=robots content='max-snippet:{entities}'>"
        ),
        format!("<link rel=canonical href='{FORGED}'><base href='{entities}'><{FORGED}>"),
        FORGED.to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let page = files.write(&format!("{number}.html"), text);
        let fields = files.write(
            &format!("{number}.headers"),
            format!("X-Robots-Tag: {FORGED}\nX-Robots-Tag: {line}: noindex\n{FORGED}: x\nX-Robots-Tag: noindex, {line}\n"),
        );
        for agent in ["Googlebot", FORGED] {
            runs += run(&["page", "--headers", &fields, "-a", agent, &page], BOTH, "");
        }
    }
    // Names and values of arguments.
    for args in [
        &["check", FORGED][..],
        &["check", "--robots", FORGED, "-a", "x", "/"],
        &["fetch", FORGED],
        &["fetch", "--timeout", FORGED, "http://127.0.0.1:1"],
        &["fetch", "--cache", FORGED, "http://127.0.0.1:1"],
        &["lint", FORGED],
        &["lint", "--select", FORGED, "x"],
        &["diff", FORGED, "x"],
        &["diff", &format!("git:{FORGED}:x"), plain],
        &["audit", "--urls", FORGED, plain],
        &["audit", "--separator", FORGED, plain],
        &["expect", FORGED],
        &["expect", "--environment", FORGED],
        &["log", FORGED],
        &["log", "--robots", FORGED, plain],
        &["log", "--history", FORGED, plain],
        &["log", "--ranges", FORGED, plain],
        &["log", "--deny", FORGED, plain],
        &["write", "--block", FORGED],
        &["write", "--block", "ai", "--into", FORGED],
        &["watch", FORGED, FORGED],
        &["watch", "--html", FORGED, FORGED, "http://127.0.0.1:1"],
        &["watch", "--deny", FORGED, FORGED, "http://127.0.0.1:1"],
        &["page", FORGED],
        &["page", "--document", FORGED, plain],
        &["page", "--headers", FORGED, plain],
        &["batch", FORGED],
        &["batch", "--warc", FORGED],
        &["generate", FORGED],
        &[FORGED],
    ] {
        runs += run(args, &[""], "");
    }
    println!("{runs} runs");
    assert!(runs > 350, "{runs}");
}

#[test]
fn no_line_is_forged_by_a_server() {
    let line = on_one_line();
    let mut runs = 0;
    let wanted = Files::new("forged-server");
    let expect =
        wanted.write("wanted.toml", "[[expect]]\ncrawlers = ['*']\npatterns = ['/a']\naccess = 'allowed'\n");
    for (status, body) in
        [("200 OK", file()), ("404 Not Found", String::new()), ("503 Wait", FORGED.to_owned())]
    {
        let site = Site::new("");
        let fields = [
            format!("ETag: \"{line}\""),
            format!("Content-Type: text/plain; {line}"),
            format!("Cache-Control: {line}"),
            format!("Retry-After: {line}"),
            format!("X-Robots-Tag: {line}: noindex, {line}"),
            format!("Location: http://127.0.0.1:1/{line}"),
        ];
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let maps = format!("Sitemap: {}\n{body}", site.url(&format!("/{line}")));
        let maps = if body.is_empty() { body } else { maps };
        site.answers(answer(&format!("{status}{line}"), &fields, &maps));
        let url = site.url(&format!("/{line}"));
        runs += run(&["check", "-a", "ExampleBot", &url], BOTH, "");
        runs += run(&["explain", "-a", "ExampleBot", &url], BOTH, "");
        runs += run(&["fetch", &site.base], BOTH, "");
        runs += run(&["lint", &site.base], LINT, "");
        runs += run(&["crawlers", &site.base], CRAWLERS, "");
        runs += run(&["diff", &site.base, "-"], DIFF, FORGED);
        runs += run(&["audit", "--sitemaps", "--timeout", "5", &site.base], AUDIT, "");
        runs += run(&["audit", "--urls", &url, &site.base], AUDIT, "");
        runs += run(&["expect", "--all", &expect, &site.base], EXPECT, "");
        runs += run(&["write", "--block", "ai", "--into", &site.base], &["json"], "");
        runs += run(&["page", "--no-cache", &url], BOTH, "");
        runs += run(&["page", "--no-cache", "--look-anyway", &url], BOTH, "");
        let history = folder(&format!("forged-history-{}", &status[..3]));
        let history = history.join(for_name());
        let history = history.to_str().unwrap();
        let page = format!("{history}.html");
        runs += run(&["watch", history, &site.base], BOTH, "");
        site.answers(answer("200 OK", &fields, &file().replace("Disallow: /", "Disallow: /new")));
        runs += run(&["watch", "--html", &page, history, &site.base], BOTH, "");
        if Path::new(&page).exists() {
            inspect(&["the page of watch"], &fs::read(&page).unwrap(), Kind::Lines);
        }
    }
    println!("{runs} runs");
    assert!(runs > 100, "{runs}");
}
