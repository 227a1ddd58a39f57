//! Bodies that are not robots.txt files, and texts that are not URLs, through all commands and formats: none of them reads as a
//! plain verdict.

use core::time::Duration;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::thread;

use robots_match::{Crawler, Document, Reason, Robots, Target};
use serde::Deserialize;
use serde_json::Value;

use crate::command::{folder, outcome};
use crate::site::{Site, User, answer, served};

/// What is no robots.txt file, and what is no URL. The tests of Python and of the npm package read the same file.
#[derive(Deserialize)]
struct Inputs {
    bodies: Vec<Body>,
    texts: Vec<String>,
}

/// A body, its kind in documents, and what people read.
#[derive(Deserialize)]
struct Body {
    name: String,
    /// Each character is a byte.
    bytes: String,
    kind: String,
    shown: String,
}

impl Body {
    fn bytes(&self) -> Vec<u8> {
        self.bytes.chars().map(|char| u8::try_from(char).unwrap()).collect()
    }
}

fn inputs() -> Inputs {
    let inputs: Inputs = serde_json::from_str(include_str!("inputs.json")).unwrap();
    assert!(inputs.bodies.len() >= 20 && inputs.texts.len() >= 8);
    inputs
}

/// All commands about a file, with each format.
fn commands<'a>(path: &'a str, wanted: &'a str, log: &'a str) -> Vec<Vec<&'a str>> {
    let with_formats = |formats: &[&'a str], start: &[&'a str], end: &[&'a str]| {
        let format = |format: &&'a str| [start, &["--format", *format], end].concat();
        formats.iter().map(format).collect::<Vec<_>>()
    };
    [
        with_formats(&["human", "json"], &["check", "--robots", path, "-a", "GPTBot"], &["/a"]),
        with_formats(&["human", "json"], &["explain", "--robots", path, "-a", "GPTBot"], &["/a"]),
        with_formats(&["human", "json", "html"], &["crawlers"], &[path]),
        with_formats(&["human", "json", "github"], &["diff"], &[path, path]),
        with_formats(&["human", "csv", "jsonl", "html", "sarif"], &["audit", "-a", "GPTBot"], &[path]),
        with_formats(&["human", "json", "sarif", "github"], &["lint"], &[path]),
        with_formats(&["human", "json", "junit", "sarif", "github"], &["expect", wanted], &[path]),
        with_formats(&["human"], &["audit", "-a", "GPTBot", "--expect", wanted], &[path]),
        with_formats(&["text", "json"], &["write", "--block", "GPTBot"], &["--into", path]),
        with_formats(&["human", "json", "csv", "html"], &["log", "--robots", path], &[log]),
    ]
    .concat()
}

#[test]
fn a_body_that_is_not_a_robots_txt_file_is_named_everywhere() {
    let folder = folder("bodies");
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let wanted =
        write("robots.expect.toml", "[[expect]]\ncrawlers = ['bingbot']\nurls = ['/']\naccess = 'allowed'\n");
    let log = write(
        "access.log",
        "192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"Mozilla/5.0 (compatible; bingbot/2.0; \
         +http://www.bing.com/bingbot.htm)\"\n",
    );
    let (log, wanted) = (&*log, &*wanted);
    for body in inputs().bodies {
        let path = folder.join(&body.name);
        fs::write(&path, body.bytes()).unwrap();
        let path = path.to_str().unwrap();
        let line = format!("{path}\tx\t/a\n");
        let (_, out, _) = outcome(&["batch"], &*line);
        assert_eq!(out, format!("allowed\t0\t{}\n", body.kind));
        let commands = commands(path, wanted, log);
        for command in commands {
            let (_, out, err) = outcome(&command, "");
            let all = format!("{out}{err}");
            assert!(all.contains(&body.shown) || all.contains(&body.kind), "{command:?}: {all}");
        }
        // What opens everything by accident is not what an expectation means. An empty file is one that opens everything.
        let status = if body.kind == "empty" { 0 } else { 2 };
        for format in ["human", "json", "junit", "sarif", "github"] {
            assert_eq!(
                outcome(&["expect", wanted, "--format", format, path], "").0,
                status,
                "{} {format}",
                body.name
            );
        }
        let (_, out, _) = outcome(&["check", "--robots", path, "-a", "x", "--format", "json", "/a"], "");
        let value: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(value["body"]["kind"], body.kind);
    }
}

#[test]
fn records_that_ran_together_are_named_everywhere() {
    let folder = folder("joined");
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let text = "User-agent: GPTBot Disallow: / User-agent: CCBot Disallow: /\n";
    let (path, wanted, log) = (
        &*write("robots.txt", text),
        &*write(
            "robots.expect.toml",
            "[[expect]]\ncrawlers = ['bingbot']\nurls = ['/']\naccess = 'allowed'\n",
        ),
        &*write(
            "access.log",
            "192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 12 \"-\" \"bingbot/2.0\"\n",
        ),
    );
    let commands = commands(path, wanted, log);
    let is_named = |all: &str| all.contains("ran together") || all.contains("joined-records");
    let mut silent = Vec::new();
    for command in commands {
        let (_, out, err) = outcome(&command, "");
        if !is_named(&format!("{out}{err}")) {
            silent.push(command.join(" "));
        }
    }
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", text.len());
    let (user, site) = (User::new(), Site::new([head.as_bytes(), text.as_bytes()].concat()));
    let (url, history) = (site.url("/a"), write("history", ""));
    fs::remove_file(&history).unwrap();
    let asked: [&[&str]; 5] = [
        &["fetch", &site.base],
        &["page", "-a", "GPTBot", &url],
        &["page", "-a", "GPTBot", "--format", "json", &url],
        &["watch", &history, &site.base],
        &["watch", "--format", "json", &history, &site.base],
    ];
    for args in asked {
        let (_, out, err) = user.robots(args);
        if !is_named(&format!("{out}{err}")) {
            silent.push(args.join(" "));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn a_site_that_sends_such_a_body_is_named_by_page_and_watch() {
    let folder = folder("sent-bodies");
    for body in inputs().bodies {
        let bytes = body.bytes();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", bytes.len());
        let (user, site) = (User::new(), Site::new([head.as_bytes(), &bytes].concat()));
        let url = site.url("/a");
        let path = |name: &str| folder.join(format!("{}-{name}", body.name)).to_str().unwrap().to_owned();
        let (human, json) = (path("human"), path("json"));
        let html = path("history.html");
        let asked: [&[&str]; 6] = [
            &["page", "-a", "x", &url],
            &["page", "-a", "x", "--format", "json", &url],
            &["watch", &human, &site.base],
            &["watch", "--format", "json", "--html", &html, &json, &site.base],
            // The second run, in which nothing changes.
            &["watch", &human, &site.base],
            &["watch", "--format", "json", &json, &site.base],
        ];
        for args in asked {
            let (_, out, err) = user.robots(args);
            assert!(format!("{out}{err}").contains(&body.shown), "{} {args:?}: {out}{err}", body.name);
        }
        let page = fs::read_to_string(&html).unwrap();
        assert!(page.contains(&body.shown), "{}: {page}", body.name);
    }
}

#[test]
fn libraries_have_no_verdict_on_a_text_that_is_not_a_url() {
    let crawler = Crawler::new("x").unwrap();
    for text in inputs().texts {
        assert!(Target::parse(&text).is_err(), "{text}");
        for document in Document::ALL {
            let robots = Robots::new("User-agent: *\nDisallow: /private\n", document);
            let rules = robots.rules(&crawler);
            let explained = robots.explain(&crawler, text.as_bytes());
            for verdict in [
                rules.check(&text),
                rules.check_requested(&text),
                robots.check(&crawler, &text),
                Robots::check_file(robots.body(), &crawler, &text, document),
                explained.verdict,
            ] {
                assert_eq!((verdict.is_allowed(), verdict.reason()), (false, Reason::NotUrl), "{text}");
            }
            assert!(explained.matched.is_empty() && explained.near_misses.is_empty(), "{text}");
        }
    }
    // A URL without a path is another thing: its clients request `/`.
    let robots = Robots::new("User-agent: *\nDisallow: /$\n", Document::Rfc9309);
    for url in ["/", "https://example.com", "https://example.com#a"] {
        assert_eq!(robots.rules(&crawler).check(url).line(), Some(2), "{url}");
        assert_eq!(robots.rules(&crawler).check_requested(url).line(), Some(2), "{url}");
    }
}

#[test]
fn a_text_that_is_not_a_url_has_no_verdict() {
    let rules = "User-agent: *\nDisallow: /private\n";
    for text in &inputs().texts {
        for command in ["check", "explain"] {
            let (status, out, err) = outcome(&[command, "--robots", "-", "-a", "x", text], rules);
            assert_eq!((status, out.as_str()), (2, ""), "{command} {text}");
            assert!(err.starts_with("robots: error: ") && err.lines().count() == 1, "{err}");
        }
    }
}

#[test]
fn a_url_is_what_a_client_requests() {
    let rules = "User-agent: *\nDisallow: /\u{43A}/\nDisallow: /private\n";
    for url in [
        "/\u{43A}/x",
        "https://example.com/\u{43A}/x",
        "/%D0%BA/x",
        "http:/example.com/private",
        "http://example.com\\private",
        "/a/../private",
    ] {
        for profile in ["rfc9309", "google"] {
            let args = ["check", "--robots", "-", "-a", "x", "-p", profile, url];
            assert_eq!(outcome(&args, rules).0, 1, "{profile} {url}");
        }
    }
    let (_, out, err) = outcome(
        &["check", "--robots", "-", "-a", "x", "-p", "google", "/a?q='b'"],
        "User-agent: *\nDisallow: /*'\n",
    );
    assert!(
        out.starts_with("allowed")
            && err.contains("`/a?q='b'`, as it is written, would be disallowed by line 2"),
        "{out}{err}"
    );
}

/// Google's crawlers are read as Google's parser reads a file, and others by the standard, in all commands.
#[test]
fn each_crawler_is_read_as_its_operator_says() {
    // Google's parser obeys the misspelt key; RFC 9309 has no such line.
    let rules = "User-agent: *\nDisalow: /private\n";
    let folder = folder("auto");
    let write = |name: &str, body: &str| {
        fs::write(folder.join(name), body).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let file = write("robots.txt", rules);
    let ask = |args: &[&str]| outcome(args, rules);
    let (status, out, _) = ask(&["check", "--robots", "-", "-a", "Googlebot", "-a", "bingbot", "/private"]);
    assert_eq!(status, 1);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("disallowed Googlebot")
            && lines[0].ends_with("line 2: Disalow: /private (google)"),
        "{out}"
    );
    assert!(lines[1].starts_with("allowed    bingbot") && !lines[1].contains('('), "{out}");
    let (_, out, _) = ask(&["check", "--robots", "-", "-a", "Googlebot", "-p", "rfc9309", "/private"]);
    assert!(out.starts_with("allowed"), "{out}");
    for (command, pointer) in [("check", "/verdicts/0"), ("explain", "/explanations/0")] {
        let args = [command, "--robots", "-", "-a", "Googlebot", "--format", "json", "/private"];
        let found: Value = serde_json::from_str(&ask(&args).1).unwrap();
        assert_eq!(
            (&found["profile"], &found.pointer(pointer).unwrap()["profile"]),
            (&Value::from("auto"), &Value::from("google"))
        );
        assert_eq!(found.pointer(pointer).unwrap()["allowed"], false);
    }
    let (_, out, _) = ask(&["crawlers", "-a", "Googlebot", "-a", "bingbot", &file]);
    assert!(out.contains("line 2: Disalow: /private (/private) (google)"), "{out}");
    let (_, out, _) = ask(&["audit", "-a", "Googlebot", "-a", "bingbot", "--format", "csv", &file]);
    assert!(out.contains(",google,,") && out.contains(",rfc9309,,") && out.contains("parts"), "{out}");
    let fixed = write("fixed.txt", "User-agent: *\nDisallow: /private\n");
    let (_, out, _) = ask(&["diff", "-a", "Googlebot", "-a", "bingbot", &file, &fixed]);
    assert!(
        out.contains("newly disallowed for bingbot") && out.contains("nothing changes for Googlebot"),
        "{out}"
    );
}

/// Asks a site, which answers with what is not a robots.txt file, with a body that is cut, or with a refusal.
#[test]
fn an_answer_that_is_not_a_robots_txt_file_is_named_everywhere() {
    struct Case {
        answer: String,
        shown: &'static str,
        /// The status of `check`.
        check: i32,
    }
    let wanted = folder("answers").join("robots.expect.toml");
    fs::write(&wanted, "[[expect]]\ncrawlers = ['x']\nurls = ['/']\naccess = 'allowed'\n").unwrap();
    let wanted = wanted.to_str().unwrap().to_owned();
    let cut = |head: &str| format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\nUser-agent: *\nAllow: /\n");
    let cases = [
        Case { answer: answer("200 OK", &[], "<h1>Oops</h1>"), shown: "an HTML page", check: 0 },
        Case { answer: answer("200 OK", &[], "{\"error\": 1}"), shown: "JSON", check: 0 },
        Case { answer: answer("200 OK", &[], "Not Found"), shown: "text without a line", check: 0 },
        Case { answer: answer("204 No Content", &[], ""), shown: "empty", check: 0 },
        Case { answer: answer("403 Forbidden", &[], "User-agent: *"), shown: "refuse", check: 0 },
        Case { answer: cut("200 OK\r\nContent-Length: 500"), shown: "unreachable", check: 2 },
        Case {
            answer: cut("206 Partial Content\r\nContent-Range: bytes 0-100/100"),
            shown: "unreachable",
            check: 2,
        },
        Case { answer: cut("200 OK\r\nContent-Encoding: gzip"), shown: "unreachable", check: 2 },
    ];
    for Case { answer, shown, check } in cases {
        let (user, site) = (User::new(), Site::new(answer));
        let url = site.url("/a");
        let wanted = &*wanted;
        for format in ["human", "json"] {
            let asked: [(&[&str], Option<i32>); 8] = [
                (&["check", "--format", format, "-a", "x", &*url], Some(check)),
                (&["explain", "--format", format, "-a", "x", &*url], Some(check)),
                (&["crawlers", "--format", format, "-a", "x", &*site.base], None),
                (&["fetch", "--format", format, "--profile", "auto", &*site.base], None),
                (&["page", "--format", format, "-a", "x", &*url], None),
                (
                    &[
                        "audit",
                        "-a",
                        "x",
                        "--format",
                        if format == "human" { "csv" } else { "jsonl" },
                        &*site.base,
                    ],
                    None,
                ),
                (&["expect", "--format", format, wanted, &*site.base], None),
                (&["write", "--block", "GPTBot", "--into", &*site.base], None),
            ];
            for (args, status) in asked {
                let (code, out, err) = user.robots(args);
                assert!(status.is_none_or(|status| status == code), "{args:?}: {code}");
                // Rows of an audit have the status of the site.
                let shown = if args[0] == "audit" && shown == "refuse" { "403" } else { shown };
                assert!(format!("{out}{err}").contains(shown), "{args:?} {shown}: {out}{err}");
            }
        }
    }
}

/// A length that counts characters in place of bytes cuts the last lines of a file.
#[test]
fn bytes_beyond_the_length_are_noted_everywhere() {
    let body = "# \u{FC}\u{FC}\u{FC}\nUser-agent: *\nDisallow: /blog\n";
    let length = body.chars().count();
    let head =
        |length: usize| format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let folder = folder("excess");
    let wanted = written(
        &folder,
        "robots.expect.toml",
        "[[expect]]\ncrawlers = ['x']\nurls = ['/']\naccess = 'allowed'\n",
    );
    let file = written(&folder, "robots.txt", "User-agent: *\n");
    let copies = folder.join("copies").display().to_string();
    // The rest may come with the head, or later with the end of the body.
    for at in [0, 10] {
        let site = served(move |_, _, stream| {
            let (start, end) = body.split_at(at);
            let _ = stream.write_all(format!("{}{start}", head(length)).as_bytes());
            let _ = stream.flush();
            thread::sleep(Duration::from_millis(if at == 0 { 0 } else { 20 }));
            let _ = stream.write_all(end.as_bytes());
        });
        let user = User::new();
        let url = format!("{site}/a");
        for args in [
            &["check", "-a", "x", &url][..],
            // From the cache.
            &["check", "-a", "x", &url],
            &["explain", "-a", "x", &url],
            &["fetch", &site],
            &["crawlers", "-a", "x", &site],
            &["audit", "-a", "x", &site],
            &["diff", &file, &site],
            &["expect", &wanted, &site],
            &["lint", &site],
            &["page", "-a", "x", &url],
            &["write", "--block", "x", "--into", &site],
            &["watch", &copies, &site],
        ] {
            let (_, out, err) = user.robots(args);
            assert!(
                format!("{out}{err}").contains("more than its Content-Length"),
                "{at} {args:?} {out}{err}"
            );
        }
        let (_, value) = user.json(&["fetch", "--no-cache", &site]);
        assert_eq!(value["file"]["excess"], true);
        let (_, value) = user.json(&["fetch", "--no-cache", &Site::new(answer("200 OK", &[], body)).base]);
        assert_eq!(value["file"]["excess"], false);
    }
}

#[test]
fn batch_and_lists_have_no_verdict_on_a_text_that_is_not_a_url() {
    let folder = folder("texts");
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let file = write("robots.txt", "User-agent: *\nDisallow: /private\n");
    for text in inputs().texts {
        let (_, out, _) = outcome(&["batch"], format!("{file}\tx\t{text}\n"));
        assert!(out.starts_with("error\t"), "{text}: {out}");
        // A list may have blank lines.
        let list = write("urls.txt", &format!("{text}\n"));
        let (status, out, err) = outcome(&["audit", "-a", "x", "--urls", &list, &file], "");
        assert!(text.is_empty() || status == 2, "{text}: {status} {out}{err}");
        assert!(!out.contains("allowed"), "{text}: {status} {out}{err}");
        let wanted = format!("[[expect]]\ncrawlers = ['x']\nurls = ['{text}']\naccess = 'allowed'\n");
        let wanted = write("robots.expect.toml", &wanted);
        assert_eq!(outcome(&["expect", &wanted, &file], "").0, 2, "{text}");
    }
}

/// Writes a file, and returns its path.
fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A named file of another kind has no rules, so no answer about it is a success.
#[test]
fn a_named_file_of_another_kind_is_no_success() {
    let folder = folder("bodies-of-files");
    let path = |name: &str, text: &str| written(&folder, name, text);
    let rules = path("robots.txt", "User-agent: *\nDisallow: /cart\n");
    for (name, text) in [
        ("page.html", "<!doctype html><title>Sign in</title>"),
        ("sitemap.xml", "<?xml version=\"1.0\"?><urlset></urlset>"),
        ("a.json", "{\"error\": 404}"),
        ("a.txt", "Not Found"),
    ] {
        let other = path(name, text);
        for args in [
            &["check", "--robots", &other, "-a", "GPTBot", "/cart"][..],
            &["explain", "--robots", &other, "-a", "GPTBot", "/cart"],
            &["crawlers", &other],
            &["diff", &other, &other],
            &["diff", "--deny", "newly-disallowed", &rules, &other],
        ] {
            let (status, out, err) = outcome(args, "");
            assert_eq!(status, 2, "{args:?}: {out}{err}");
        }
    }
    for name in ["robots.txt", "sitemap.xml", "a.json", "a.txt"] {
        let (status, out, err) =
            outcome(&["page", &path(name, &fs::read_to_string(folder.join(name)).unwrap())], "");
        assert_eq!((status, &*out), (2, ""), "{name}");
        assert!(err.contains("not an HTML page"), "{err}");
    }
    assert_eq!(outcome(&["page", &path("fragment.html", "<p>Hello</p>")], "").0, 0);
}

/// No crawler looks for the name of a product.
#[test]
fn names_of_products_are_not_written_and_not_proved() {
    let folder = folder("names-of-products");
    let path = |name: &str, text: &str| written(&folder, name, text);
    let rules = path("robots.txt", "User-agent: ChatGPT\nDisallow: /\n");
    let wanted = path(
        "robots.expect.toml",
        "[[expect]]\ncrawlers = [\"ChatGPT\"]\npatterns = [\"/\"]\naccess = \"disallowed\"\n",
    );
    for args in [
        &["write", "--block", "ChatGPT"][..],
        &["write", "--block", "Common Crawl"],
        &["expect", &wanted, &rules],
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!((status, &*out), (2, ""), "{args:?}");
        assert!(err.contains("no crawler looks for the name"), "{err}");
    }
    for name in ["ChatGPT", "Chat GPT", "OpenAI"] {
        let (_, _, err) = outcome(&["check", "--robots", &rules, "-a", name, "/"], "");
        assert!(err.contains("no crawler looks for the name") && err.contains("`GPTBot`"), "{err}");
    }
    // A file with such a name is noted, too.
    let (_, _, err) = outcome(&["check", "--robots", &rules, "-a", "GPTBot", "/"], "");
    assert!(err.contains("line 1 may not say what was meant"), "{err}");
}

/// A site that refuses this program may have a file.
#[test]
fn a_refusal_is_no_empty_file() {
    let (user, site) = (User::new(), Site::new(answer("403 Forbidden", &[], "")));
    let (status, out, err) = user.robots(&["write", "--block", "GPTBot", "--into", &site.base]);
    assert_eq!((status, &*out), (2, ""));
    assert!(err.contains("refused access"), "{err}");
    let (user, site) = (User::new(), Site::new(answer("404 Not Found", &[], "")));
    assert_eq!(user.robots(&["write", "--block", "GPTBot", "--into", &site.base]).0, 0);
}

/// Lines over the size limit are not read, and all commands say so.
#[test]
fn a_file_of_a_site_that_is_cut_is_said_to_be() {
    let body = format!("User-agent: *\nAllow: /ok\n{}Disallow: /late\n", "# a comment\n".repeat(45_000));
    let (user, site) = (User::new(), Site::new(answer("200 OK", &[], &body)));
    let url = site.url("/late");
    for args in [
        &["check", "-a", "ExampleBot", &url][..],
        &["crawlers", &site.base],
        &["diff", &site.base, &site.base],
    ] {
        let (_, out, err) = user.robots(args);
        assert!([&*out, &*err].concat().contains("over the size limit"), "{args:?}: {out}{err}");
    }
    let (_, out, _) = user.robots(&["diff", &site.base, &site.base]);
    assert!(out.contains("nothing changes for * (proved for the part that is read)"), "{out}");
}

/// Space around a copied URL is not a part of it.
#[test]
fn space_around_a_url_is_removed_by_all_commands() {
    let (user, site) = (User::new(), Site::new(answer("200 OK", &[], "User-agent: *\nDisallow: /a\n")));
    let url = format!(" {} ", site.base);
    for args in [
        &["crawlers", &url][..],
        &["lint", &url],
        &["audit", &url],
        &["fetch", &url],
        &["diff", &url, &url],
        &["check", "-a", "ExampleBot", &url],
    ] {
        let (status, out, err) = user.robots(args);
        assert_eq!(status, 0, "{args:?}: {out}{err}");
    }
}
