//! One hostile file through every command and format: no character of a file, a server or an argument controls a terminal.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::command::{folder, outcome};
use crate::site::{Site, User, answer};

/// Characters that must not reach a terminal: C0 and C1 controls, directions, invisible ones, tags, and variation selectors.
const HOSTILE: &str = "\u{1}\u{7}\u{8}\u{1B}[31m\u{1B}[2J\u{1B}]0;title\u{7}\u{7F}\u{80}\u{85}\u{9B}31m\u{9D}\u{AD}\u{34F}\u{61C}\u{115F}\u{180E}\u{200B}\u{200E}\
    \u{200F}\u{2028}\u{2029}\u{202A}\u{202E}\u{2060}\u{2066}\u{2069}\u{206F}\u{3164}\u{FE0F}\u{FEFF}\u{FFA0}\u{FFF9}\u{E0001}\u{E0041}\u{E0100}";

/// A file with these characters in every place.
fn hostile() -> String {
    let h = HOSTILE;
    format!(
        "# {h}\n{h}\nUser-agent: {h}\nUser-agent: ExampleBot\nDisallow: /{h}\nDisalow: /{h}\nDisallow: /a b{h}\nAllow: /{h}$x\n\
         Crawl-delay: {h}\nSitemap: {h}\nSitemap https://example.com/{h}\nHost: {h}\nContent-Usage: {h}\nUser-agent: *\nDisallow: /%{h}\n\
         \u{202E}Disallow: /x\nAllow: =cmd|'/C calc'!A0,::error::%0A{h}\r\nUser-agent: a,b:c%\nDisallow: /{h}\n\
         User-agent: =cmd\nUser-agent: </script><script>alert(1)</script>\nDisallow: /</td><script>alert(1)</script>\"'\n\
         Disallow: /x  # robots-lint: ignore {h}\n# robots-lint: ignore-file {h}\n"
    )
}

/// Another version of the file, in which other rules apply.
fn changed() -> String {
    hostile().replace("Disallow: /", "Disallow: /new").replace("Allow: /", "Disallow: /")
}

/// Fails if a text contains a character of `HOSTILE` that is neither printable ASCII nor a line end.
fn inspect(what: &str, text: &str) {
    for char in HOSTILE.chars().filter(|char| !char.is_ascii_graphic()) {
        if let Some(at) = text.find(char) {
            let start = text.get(..at).map_or(0, |before| before.rfind('\n').map_or(0, |line| line + 1));
            panic!("{what}: {char:?} in {:?}", text.get(start..).and_then(|rest| rest.lines().next()));
        }
    }
}

/// Runs the command, and inspects its output: also that no format takes text of the file for its own syntax.
fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let (status, out, err) = outcome(args, input);
    inspect(&format!("{args:?}, standard output"), &out);
    inspect(&format!("{args:?}, standard error"), &err);
    assert!(!out.is_empty() || !err.is_empty(), "{args:?}");
    let format = args.iter().position(|arg| *arg == "--format").and_then(|at| args.get(at + 1));
    match *format.unwrap_or(&"human") {
        _ if out.is_empty() => {}
        "json" | "sarif" => drop(serde_json::from_str::<Value>(&out).unwrap()),
        "jsonl" => out.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap())),
        "csv" => {
            for record in csv::ReaderBuilder::new().has_headers(false).from_reader(out.as_bytes()).records() {
                for cell in &record.unwrap() {
                    assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{args:?}: {cell:?}");
                }
            }
        }
        "html" => {
            assert!(out.contains("default-src 'none'"), "{args:?}: {out}");
            // At most one script, which is that of the page.
            let scripts = usize::from(out.contains("; script-src 'sha256-"));
            let marks = ["<script", "/script>"].map(|mark| out.matches(mark).count());
            assert_eq!(marks, [scripts, scripts], "{args:?}: {out}");
        }
        "github" => {
            for line in out.lines() {
                let level = line.strip_prefix("::").and_then(|line| line.split([' ', ':']).next());
                assert!(level.is_some_and(|level| ["error", "warning", "notice"].contains(&level)), "{line}");
                assert!(!line.contains("::error::%0A"), "{args:?}: {line}");
            }
        }
        _ => {}
    }
    (status, out, err)
}

#[test]
fn nothing_hidden_reaches_a_terminal_from_comparisons_audits_and_lists_of_crawlers() {
    let folder = folder("hostile-more");
    let write = |name: &str, content: String| {
        let path = folder.join(name);
        fs::write(&path, content).is_ok().then(|| path.to_str().unwrap().to_owned())
    };
    let h = HOSTILE.replace('/', "");
    let (old, new) = (write("old.txt", hostile()).unwrap(), write("new.txt", changed()).unwrap());
    // The system may have no such names.
    let named = write(&format!("old{h}.txt"), hostile()).unwrap_or_else(|| old.clone());
    let inputs = folder.join(format!("in{h}"));
    let inputs = if fs::create_dir_all(&inputs).is_ok() { inputs.to_str().unwrap() } else { &old };
    if Path::new(inputs).is_dir() {
        fs::write(Path::new(inputs).join(format!("a{h}.txt")), hostile()).unwrap();
    }
    let urls = write("urls.txt", format!("/{h}\n/x{h}\nhttps://example.com/{h}\n=1\n{h}\n/new\n")).unwrap();
    let list = write("list.txt", format!("{old}\nno-such{h}\nhttp://127.0.0.1:1/{h}\ngit:{h}:x\n")).unwrap();
    let mut runs = 0;
    let mut each = |args: &[&str]| {
        run(args, hostile().as_bytes());
        runs += 1;
    };
    for format in ["human", "github", "json"] {
        for more in [&[][..], &["--urls", &urls], &["--catalogue", "-a", "a,b"], &["--max-states", "1"]] {
            for [before, after] in [[&*old, &*new], [&new, &named], ["-", &new], [&named, "git:no:such"]] {
                each(&[&["diff", "--format", format], more, &[before, after]].concat());
            }
            each(&[&["diff", "--format", format, "--against", "google", &named], more].concat());
        }
    }
    for format in ["human", "csv", "jsonl", "sarif", "html"] {
        for more in [&[][..], &["--urls", &urls], &["--list", &list], &["--sitemaps"], &["--purpose", "ai"]] {
            each(&[&["audit", "--format", format, &old, &named, inputs, "-"], more].concat());
        }
    }
    for format in ["human", "json", "csv", "html"] {
        for more in [&[][..], &["--named"], &["--purpose", "ai"], &["-a", "Other,a"]] {
            for file in [old.as_str(), &named, "-"] {
                each(&[&["crawlers", "--format", format, file], more].concat());
            }
        }
    }
    println!("{runs} runs");
    assert!(runs > 130);
}

#[test]
fn nothing_hidden_reaches_a_terminal_from_settings_and_baselines() {
    let folder = folder("hostile-settings");
    let path = folder.join("robots.txt");
    fs::write(&path, hostile()).unwrap();
    let path = path.to_str().unwrap();
    let in_toml: String = HOSTILE.chars().map(|char| format!("\\U{:08X}", u32::from(char))).collect();
    let in_json = serde_json::to_string(HOSTILE).unwrap();
    let configurations = [
        format!("ignore = ['{HOSTILE}']"),
        format!("ignore = [\"{in_toml}\"]"),
        format!("select = [\"{in_toml}\"]"),
        format!("parsers = [\"{in_toml}\"]"),
        format!("deny = \"{in_toml}\""),
        format!("baseline = \"{in_toml}\""),
        format!("\"{in_toml}\" = 1"),
        format!("{HOSTILE} = 1"),
        format!("deny = {{ \"{in_toml}\" = 1 }}"),
    ];
    for (number, text) in configurations.iter().enumerate() {
        let config = folder.join(format!("{number}.toml"));
        fs::write(&config, text).unwrap();
        let (status, out, _) = run(&["lint", "--config", config.to_str().unwrap(), path], b"");
        assert_eq!((status, out.as_str()), (2, ""), "{text}");
    }
    let baselines = [
        HOSTILE.to_owned(),
        in_json.clone(),
        format!("{{\"version\":{in_json}}}"),
        format!(
            "{{\"version\":1,\"findings\":[{{\"file\":{in_json},\"fingerprint\":{in_json}}}],\"left_out\":[]}}"
        ),
        format!(
            "{{\"version\":1,\"findings\":[],\"left_out\":[{{\"file\":{in_json},\"code\":{in_json},\"count\":1}}]}}"
        ),
    ];
    for (number, text) in baselines.iter().enumerate() {
        let baseline = folder.join(format!("{number}.json"));
        fs::write(&baseline, text).unwrap();
        for format in ["human", "json", "github", "sarif"] {
            run(&["lint", "--format", format, "--baseline", baseline.to_str().unwrap(), path], b"");
        }
    }
    // Names of files come into baselines.
    let named = folder.join(format!("robots{}.txt", HOSTILE.replace('/', "")));
    let named = if fs::write(&named, hostile()).is_ok() { named.to_str().unwrap() } else { path };
    let written = folder.join("written.json");
    let written = written.to_str().unwrap();
    let (status, _, err) = outcome(&["lint", "--write-baseline", written, named], "");
    assert_eq!(status, 0, "{err}");
    inspect("the baseline", &fs::read_to_string(written).unwrap());
    let (status, ..) = run(&["lint", "--format", "json", "--baseline", written, named], b"");
    assert_eq!(status, 0);
}

#[test]
fn nothing_hidden_reaches_a_terminal_from_archives() {
    let h = HOSTILE.replace(['\r', '\n'], "");
    let record = |kind: &str, url: &str, head: &str, body: &str| {
        let block = format!("{head}\r\n\r\n{body}");
        let len = block.len();
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nX-{h}: {h}\r\nContent-Length: {len}\r\n\r\n{block}\r\n\r\n"
        )
    };
    let ok = "HTTP/1.1 200 OK";
    let good = record("response", "https://a.example/robots.txt", ok, &hostile());
    let archives = [
        record("response", &format!("https://a.example/{h}"), ok, &hostile()),
        record("response", &h, &format!("HTTP/1.1 200 {h}\r\n{h}: {h}"), &hostile()),
        record("response", "x\ty", &format!("HTTP/1.1 {h}"), &hostile()),
        record(&h, &h, ok, &hostile()),
        record("response", &h, &format!("{ok}\r\nContent-Encoding: {h}"), &hostile()),
        record("response", &h, &format!("{ok}\r\nTransfer-Encoding: {h}"), &hostile()),
        good.replace("Content-Length: ", &format!("Content-Length: {h}")),
        good.replace("WARC/1.0", &format!("WARC/{h}")),
        good.replacen("\r\n\r\n", "\r\n", 1),
        format!("{h}{good}"),
    ];
    let path = folder("hostile-archives").join(format!("a{}.warc", HOSTILE.replace('/', "")));
    let is_named = fs::write(&path, archives.concat()).is_ok();
    let each = |args: &[&str], input: &[u8]| {
        let (_, out, err) = outcome(args, input);
        inspect(&format!("{args:?} of {}", input.escape_ascii()), &format!("{out}{err}"));
        assert!(!out.is_empty() || !err.is_empty(), "{args:?} of {}", input.escape_ascii());
        // Each verdict has eight columns, whatever is in a URL.
        for line in out.lines().filter(|line| !line.starts_with("error\t")) {
            assert_eq!(line.split('\t').count(), 8, "{line:?}");
        }
    };
    for archive in &archives {
        let archive = format!("{archive}{good}");
        each(&["batch", "--warc", "-a", "ExampleBot", "-u", &format!("/{h}")], archive.as_bytes());
        each(&["batch", "-a", "ExampleBot", "-a", &h, "--warc"], archive.as_bytes());
        // A character in the middle of which the archive ends.
        each(&["batch", "--warc"], &archive.as_bytes()[..archive.len() - 40]);
    }
    if is_named {
        each(&["batch", "--warc", path.to_str().unwrap()], b"");
    }
    each(&["batch", "--warc", &h], b"");
}

#[test]
fn nothing_hidden_reaches_a_terminal_in_any_command_or_format() {
    let folder = folder("hostile");
    // A name of a file can have most of these characters, too.
    let name = folder.join(format!("robots{}.txt", HOSTILE.replace('/', "")));
    let plain = folder.join("robots.txt");
    fs::write(&plain, hostile()).unwrap();
    let named = fs::write(&name, hostile()).is_ok();
    let agent = format!("Bot{HOSTILE}");
    let path = format!("/{HOSTILE}");
    let mut files = vec![plain.to_str().unwrap()];
    if named {
        files.push(name.to_str().unwrap());
    }
    let mut runs = 0;
    let mut run = |args: &[&str], input: &str| {
        run(args, input.as_bytes());
        runs += 1;
    };
    for file in files {
        for format in ["human", "json", "github", "sarif"] {
            run(&["lint", "--format", format, file], "");
            run(
                &[
                    "lint",
                    "--format",
                    format,
                    "--profile",
                    "google",
                    "--url",
                    "https://example.com/robots.txt",
                    file,
                ],
                "",
            );
            run(&["lint", "--format", format, "-"], &hostile());
        }
        for command in ["check", "explain"] {
            for format in ["human", "json"] {
                for agent in ["ExampleBot", "Other", agent.as_str()] {
                    for url in ["/x", path.as_str(), "/a b", "https://example.com/\u{9B}\u{202E}"] {
                        run(&[command, "--robots", file, "-a", agent, "--format", format, url], "");
                    }
                }
            }
        }
        let row = |agent: &str, url: &str| format!("{file}\t{agent}\t{url}\n");
        run(
            &["batch"],
            &(row("ExampleBot", "/x") + &row(&agent, &path) + "no such\u{9B}\u{202E}file\tx\t/\n"),
        );
        run(&["lint", "--fix", file], "");
    }
    // Arguments and their mistakes.
    for args in [
        &[HOSTILE][..],
        &["check", HOSTILE],
        &["check", "-a", "x", HOSTILE],
        &["check", "--robots", HOSTILE, "-a", "x", "/"],
        &["lint", HOSTILE],
        &["lint", "--format", HOSTILE, "x"],
        &["fetch", HOSTILE],
        &["fetch", "--timeout", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--proxy", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--ca", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--profile", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--access", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--user-agent", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--cache", HOSTILE, HOSTILE],
        &["diff", HOSTILE, "x"],
        &["diff", "--urls", HOSTILE, "x"],
        &["diff", "--deny", HOSTILE, "x"],
        &["diff", "--against", HOSTILE, "x"],
        &["diff", "-a", HOSTILE, "x", "y"],
        &["diff", &format!("git:HEAD:{HOSTILE}"), "x"],
        &["diff", &format!("git:{HOSTILE}"), "x"],
        &["audit", HOSTILE],
        &["audit", "--list", HOSTILE],
        &["audit", "--urls", HOSTILE, "x"],
        &["audit", "--urls", &format!("http://127.0.0.1:1/{HOSTILE}"), "x"],
        &["audit", "--purpose", HOSTILE, "x"],
        &["audit", "-a", HOSTILE, "x"],
        &["audit", "--jobs", HOSTILE, "x"],
        &["crawlers", HOSTILE],
        &["crawlers", "-a", HOSTILE, "x"],
        &["crawlers", "--format", HOSTILE, "x"],
        &["lint", "--select", HOSTILE, "x"],
        &["lint", "--ignore", HOSTILE, "x"],
        &["lint", "--parsers", HOSTILE, "x"],
        &["lint", "--config", HOSTILE, "x"],
        &["lint", "--baseline", HOSTILE, "x"],
        &["lint", "--write-baseline", &format!("{HOSTILE}/x"), plain.to_str().unwrap()],
        &["lint", "--explain", HOSTILE],
        &["lint", "--url", HOSTILE, "x"],
        &["batch", HOSTILE],
        &["batch", "--profile", HOSTILE],
        &["generate", HOSTILE],
        &["generate", "completions", HOSTILE],
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!(status, 2, "{args:?} {out} {err}");
        inspect(&format!("{args:?}"), &format!("{out}{err}"));
    }
    println!("{runs} runs");
    assert!(runs > 60);
}

#[test]
fn nothing_hidden_reaches_a_terminal_from_a_server() {
    // Bytes of fields that are not ASCII are valid in HTTP (obs-text).
    let h = HOSTILE.replace(|char: char| char.is_ascii_control(), "");
    let fields = [
        format!("ETag: \"{h}\""),
        format!("Content-Type: text/html; {h}"),
        format!("Cache-Control: max-age={h}"),
        format!("Last-Modified: {h}"),
        format!("Location: http://127.0.0.1:1/{h}"),
    ];
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    for status in ["200 OK", "301 Moved", "404 Not Found", "503 Wait", "429 Wait"] {
        let (user, site) = (User::new(), Site::new(""));
        // Sitemaps of this site are the same hostile file.
        let body = format!("{}\nSitemap: {}\n", hostile(), site.url(&format!("/{h}<urlset>")));
        site.answers(answer(status, &fields, &body));
        for args in [
            &["fetch"][..],
            &["fetch", "--format", "json"],
            &["check", "-a", "ExampleBot"],
            &["check", "-a", "ExampleBot", "--format", "json"],
            &["explain", "-a", "ExampleBot"],
            &["explain", "-a", "ExampleBot", "--format", "json"],
            &["lint"],
            &["lint", "--format", "json"],
            &["lint", "--format", "sarif"],
            &["lint", "--format", "github"],
            &["diff"],
            &["diff", "--format", "json"],
            &["diff", "--format", "github"],
            &["crawlers"],
            &["crawlers", "--format", "json"],
            &["crawlers", "--format", "csv"],
            &["crawlers", "--format", "html"],
            &["audit", "--sitemaps"],
            &["audit", "--sitemaps", "--format", "jsonl"],
            &["audit", "--sitemaps", "--format", "csv"],
            &["audit", "--sitemaps", "--format", "sarif"],
            &["audit", "--sitemaps", "--format", "html"],
        ] {
            let url = site.url("/x");
            // A comparison needs another side.
            let urls = if args[0] == "diff" { vec![url.as_str(), "-"] } else { vec![url.as_str()] };
            let (_, out, err) = user.robots(&[args, &urls].concat());
            inspect(&format!("{status} {args:?}"), &format!("{out}{err}"));
        }
    }
}
