//! `robots log`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::command::{folder, outcome};
use robots_conformance::testing::schema::against;

pub(crate) const GPTBOT: &str =
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";
pub(crate) const BINGBOT: &str = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
const FILE: &str = "User-agent: GPTBot\nDisallow: /private/\nUser-agent: *\nDisallow: /x\n";

/// A line of the Combined Log Format on the day of this number in November 2025.
pub(crate) fn line(day: u8, time: &str, address: &str, request: &str, status: u16, agent: &str) -> String {
    format!("{address} - - [{day:02}/Nov/2025:{time} +0000] \"{request}\" {status} 12 \"-\" \"{agent}\"\n")
}

pub(crate) fn get(day: u8, time: &str, path: &str, agent: &str) -> String {
    line(day, time, "192.0.2.1", &format!("GET {path} HTTP/1.1"), 200, agent)
}

/// Files of a test, and arguments of the command that name them.
pub(crate) struct Logs {
    folder: PathBuf,
}

impl Logs {
    pub(crate) fn new(name: &str) -> Self {
        let logs = Self { folder: folder(name) };
        logs.write("robots.txt", FILE);
        logs
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// Status, JSON and standard error of `robots log` for one file and these arguments.
    pub(crate) fn json(&self, args: &[&str]) -> (i32, Value, String) {
        let robots = self.path("robots.txt");
        let args = [&["log", "--format", "json", "--robots", &*robots], args].concat();
        read_json(&args)
    }
}

#[test]
fn crawlers_are_read_as_their_operators_say() {
    let logs = Logs::new("log-operators");
    // The parser of Google compares `:` and `%3A` as they are written.
    logs.write("robots.txt", "User-agent: *\nDisallow: /wiki/a:\nDisallow: /café\n");
    let googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    let log = [googlebot, BINGBOT].map(|agent| get(10, "10:00:00", "/wiki/a:b", agent)).concat()
        + &get(10, "10:00:01", "/caf%C3%A9", googlebot);
    let log = logs.write("access.log", log);
    let figures = |args: &[&str]| {
        let (_, json, _) = logs.json(&[&["--all", &*log], args].concat());
        let crawlers = json["hosts"][0]["crawlers"].as_array().unwrap().clone();
        let figures = crawlers.iter().map(|crawler| {
            let text = |key: &str| crawler[key].as_str().unwrap_or("-").to_owned();
            (text("name"), text("profile"), crawler["disallowed"].as_u64().unwrap())
        });
        (json["profile"].as_str().unwrap().to_owned(), figures.collect::<Vec<_>>())
    };
    let row = |name: &str, profile: &str, count| (name.to_owned(), profile.to_owned(), count);
    let expected = vec![row("Googlebot", "google", 2), row("bingbot", "-", 1)];
    assert_eq!(figures(&[]), ("auto".to_owned(), expected));
    let expected = vec![row("Googlebot", "-", 2), row("bingbot", "-", 1)];
    assert_eq!(figures(&["-p", "rfc9309"]), ("rfc9309".to_owned(), expected));
    let robots = logs.path("robots.txt");
    let (_, out, _) = outcome(&["log", "--robots", &robots, &log], "");
    assert!(out.contains("Googlebot (google)") && !out.contains("bingbot ("), "{out}");
}

#[test]
fn a_crawler_is_named_by_its_header_too() {
    let logs = Logs::new("log-header");
    let access =
        logs.write("access.log", get(10, "10:00:00", "/x", BINGBOT) + &get(10, "10:00:01", "/x", GPTBOT));
    for agent in ["bingbot", BINGBOT] {
        let (status, value, err) = logs.json(&["--agent", agent, &access]);
        assert_eq!(status, 1);
        let crawlers = value["hosts"][0]["crawlers"].as_array().unwrap();
        let names: Vec<&str> = crawlers.iter().map(|crawler| crawler["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["bingbot"]);
        assert_eq!(err.contains("its crawler is `bingbot`"), agent == BINGBOT, "{err}");
    }
}

#[test]
fn a_page_in_place_of_the_file_is_noted() {
    let logs = Logs::new("log-page");
    logs.write("robots.txt", "<!doctypehtml><title>Not Found</title>");
    let log = logs.write("access.log", get(10, "10:00:00", "/a", BINGBOT));
    let file = logs.path("robots.txt");
    let (status, out, err) = outcome(&["log", "--robots", &file, &log], "");
    assert_eq!((status, &*out), (2, ""));
    assert!(err.contains("is an HTML page, not a robots.txt file"), "{err}");
    // Such a page may have been served for a time.
    let (status, _, err) = outcome(&["log", "--robots", &format!("1970-01-01={file}"), &log], "");
    assert_eq!(status, 0);
    assert!(err.contains("this is an HTML page, not a robots.txt file"), "{err}");
}

#[test]
fn a_url_in_place_of_a_file_and_an_empty_period_are_errors() {
    let logs = Logs::new("log-arguments");
    let file = logs.write("robots.txt", "User-agent: *\nDisallow: /a\n");
    let log = logs.write("access.log", get(10, "10:00:00", "/a", BINGBOT));
    for (args, part) in [
        (&["log", "--robots", "https://example.com/robots.txt", &log][..], "robots fetch --output FILE"),
        (
            &["log", "--robots", &file, "--since", "2030-01-01", "--until", "2020-01-01", &log],
            "--until is not after",
        ),
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!((status, &*out, err.contains(part)), (2, "", true), "{err}");
    }
}

#[test]
fn requests_before_the_first_version_are_not_checked() {
    let logs = Logs::new("log-before");
    logs.write("robots.txt", "User-agent: *\nDisallow: /a\n");
    let log = logs.write("access.log", get(10, "10:00:00", "/a", BINGBOT));
    let version = format!("2999-01-01={}", logs.path("robots.txt"));
    let (status, _, err) = outcome(&["log", "--robots", &version, &log], "");
    assert_eq!(status, 2);
    assert!(err.contains("no request of a crawler was compared with rules"), "{err}");
}

fn read_json(args: &[&str]) -> (i32, Value, String) {
    let (status, out, err) = outcome(args, "");
    let value: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    assert_eq!(against("log.json", &value), [""; 0]);
    (status, value, err)
}

/// Returns the sum of a figure of a crawler over hosts.
pub(crate) fn figure(value: &Value, crawler: &str, name: &str) -> u64 {
    let hosts = value["hosts"].as_array().unwrap();
    let crawlers = hosts.iter().flat_map(|host| host["crawlers"].as_array().unwrap());
    crawlers.filter(|found| found["name"] == crawler).map(|found| found[name].as_u64().unwrap_or(0)).sum()
}

/// Checks figures of a crawler.
pub(crate) fn assert_figures(value: &Value, crawler: &str, expected: &[(&str, u64)]) {
    for (name, expected) in expected {
        assert_eq!(figure(value, crawler, name), *expected, "{crawler}: {name}\n{value:#}");
    }
}

#[test]
fn requests_of_crawlers_are_compared_with_the_file() {
    let logs = Logs::new("log-basic");
    let log = [
        get(10, "10:00:00", "/robots.txt", GPTBOT),
        get(10, "10:00:05", "/a", GPTBOT),
        get(10, "10:00:09", "/private/x?secret", GPTBOT),
        get(10, "10:00:10", "/private/x", "Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0"),
    ];
    let log = logs.write("access.log", log.concat());
    let (status, value, err) = logs.json(&[&log]);
    assert_eq!((status, &*err), (1, format!("robots: note: {log}: the format is combined\n").as_str()));
    assert_figures(
        &value,
        "GPTBot",
        &[
            ("requests", 3),
            ("robots_txt", 1),
            ("read", 1),
            ("checked", 2),
            ("disallowed", 1),
            ("fresh", 2),
            ("gaps", 2),
        ],
    );
    let bot = &value["hosts"][0]["crawlers"][0];
    assert_eq!(bot["by_line"], serde_json::json!({"2": 1}));
    assert_eq!(bot["top_paths"], serde_json::json!({"/private/x": 1}));
    assert_eq!((&value["lines"], &value["not_crawlers"]), (&4.into(), &1.into()));
    let shown = logs.json(&["--queries", &log]).1;
    assert_eq!(shown["hosts"][0]["crawlers"][0]["top_paths"], serde_json::json!({"/private/x?secret": 1}));
    assert_eq!(logs.json(&["--deny", "none", &log]).0, 0);
}

#[test]
fn lines_have_the_texts_that_the_profile_reads_whatever_ends_them() {
    let logs = Logs::new("log-line-ends");
    logs.write("robots.txt", "\u{FEFF}User-agent: *\rDisallow: /a\r\nDisallow: /b # both\n");
    let requests = ["/a", "/b", "/b"].map(|path| get(10, "10:00:05", path, GPTBOT));
    let log = logs.write("access.log", requests.concat());
    let lines = &logs.json(&[&log]).1["hosts"][0]["crawlers"][0]["lines"];
    let text = |index: usize| (&lines[index]["line"], &lines[index]["text"]);
    assert_eq!(text(0), (&3.into(), &"Disallow: /b # both".into()));
    assert_eq!(text(1), (&2.into(), &"Disallow: /a".into()));
}

#[test]
fn escapes_of_servers_are_undone_and_those_of_requests_are_not() {
    let logs = Logs::new("log-escapes");
    logs.write(
        "robots.txt",
        "User-agent: *\nDisallow: /caf%C3%A9\nDisallow: /a\"b\nDisallow: /s%2Ft\nDisallow: /private\n",
    );
    let log = [
        get(10, "10:00:00", r"/caf\xc3\xa9", GPTBOT),
        get(10, "10:00:01", r"/caf\xC3\xA9/x", GPTBOT),
        get(10, "10:00:02", r#"/a\"b"#, GPTBOT),
        get(10, "10:00:03", r"/a\x22b", GPTBOT),
        get(10, "10:00:04", "/s%2Ft", GPTBOT),
        get(10, "10:00:05", "/s/t", GPTBOT),
        // Only the profile decodes this.
        get(10, "10:00:06", "/%70rivate", GPTBOT),
    ];
    let log = logs.write("access.log", log.concat());
    let (_, value, _) = logs.json(&[&log]);
    assert_figures(&value, "GPTBot", &[("requests", 7), ("disallowed", 5), ("disputed", 1)]);
    assert_eq!(value["hosts"][0]["crawlers"][0]["by_line"], serde_json::json!({"2": 2, "3": 2, "4": 1}));
}

#[test]
fn targets_have_all_forms() {
    let logs = Logs::new("log-targets");
    let requests = [
        "GET http://example.com/private/x HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "CONNECT example.com:443 HTTP/1.1",
        "-",
        r"\x16\x03\x01",
        "GET /private/y",
        "GET https://example.com HTTP/1.1",
        "GET /private/a b HTTP/1.1",
        "GET http://example.com?a HTTP/1.1",
    ];
    let log: String =
        requests.map(|request| line(10, "10:00:00", "192.0.2.1", request, 200, GPTBOT)).concat();
    let log = logs.write("access.log", log);
    let (_, value, _) = logs.json(&[&log]);
    assert_figures(&value, "GPTBot", &[("requests", 9), ("no_target", 4), ("checked", 5), ("disallowed", 3)]);
    assert_eq!(value["unread"], 0);
}

#[test]
fn the_version_in_force_counts_and_the_one_before_in_the_grace_time() {
    let logs = Logs::new("log-versions");
    let old = logs.write("old.txt", "User-agent: *\nDisallow:\n");
    let new = logs.write("new.txt", "User-agent: *\nDisallow: /new\n");
    let log = [
        get(9, "00:00:00", "/new", GPTBOT),
        get(10, "00:00:00", "/new", GPTBOT),
        get(10, "23:59:59", "/new", GPTBOT),
        get(11, "00:00:00", "/new", GPTBOT),
    ];
    let log = logs.write("access.log", log.concat());
    let (old, new) = (format!("2025-11-01={old}"), format!("2025-11-10={new}"));
    let args = ["log", "--format", "json", "--robots", &old, "--robots", &new];
    let (status, value, _) = read_json(&[&args[..], &[&log]].concat());
    assert_eq!(status, 1);
    let expected = [("requests", 4), ("disallowed", 3), ("in_grace", 2), ("beyond_grace", 1)];
    assert_figures(&value, "GPTBot", &expected);
    let (status, value, _) = read_json(&[&args[..], &["--grace", "2d", &log]].concat());
    assert_eq!((status, figure(&value, "GPTBot", "in_grace")), (0, 3));
    let (status, _, err) = outcome(&["log", "--robots", &old, "--robots", &old, &log], "");
    assert_eq!((status, &*err), (2, "robots: error: two files have the time 2025-11-01T00:00:00Z\n"));
}

#[test]
fn the_grace_time_goes_on_while_the_file_cannot_be_read() {
    let logs = Logs::new("log-outage");
    let old = format!("2025-11-01={}", logs.write("old.txt", ""));
    let new = format!("2025-11-10={}", logs.write("new.txt", "User-agent: *\nDisallow: /new\n"));
    let robots = |day, status| line(day, "12:00:00", "192.0.2.1", "GET /robots.txt HTTP/1.1", status, GPTBOT);
    let log = |status: u16| {
        [robots(9, 200), robots(10, status), robots(11, status), get(11, "13:00:00", "/new", GPTBOT)].concat()
    };
    for (status, expected) in [(503, 1), (429, 1), (200, 0)] {
        let log = logs.write("access.log", log(status));
        let (_, value, _) = read_json(&["log", "--format", "json", "--robots", &old, "--robots", &new, &log]);
        assert_figures(&value, "GPTBot", &[("disallowed", 1), ("in_grace", expected)]);
    }
    // Google's crawlers keep the file by max-age.
    let googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    let log = logs.write(
        "access.log",
        [get(12, "00:00:00", "/new", googlebot), get(12, "00:00:00", "/new", GPTBOT)].concat(),
    );
    let args = ["log", "--format", "json", "--robots", &old, "--robots", &new, "--max-age", "7d", &log];
    let (_, value, _) = read_json(&args);
    assert_figures(&value, "Googlebot", &[("disallowed", 1), ("in_grace", 1)]);
    assert_figures(&value, "GPTBot", &[("disallowed", 1), ("in_grace", 0)]);
}

#[test]
fn a_missing_file_excuses_and_too_many_requests_do_not() {
    for (status, excused) in [(404, 1), (410, 1), (429, 0), (503, 0), (200, 0)] {
        let logs = Logs::new("log-excused");
        let browser = "Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0";
        let log = [
            line(10, "10:00:00", "192.0.2.9", "GET /robots.txt HTTP/1.1", status, browser),
            get(10, "11:00:00", "/private/", GPTBOT),
        ];
        let log = logs.write("access.log", log.concat());
        let (exit, value, _) = logs.json(&[&log]);
        assert_figures(
            &value,
            "GPTBot",
            &[("checked", 1), ("excused", excused), ("disallowed", 1 - excused)],
        );
        assert_eq!(exit, i32::from(excused == 0), "{status}");
        assert_figures(&value, "GPTBot", &[("unreachable", u64::from(status == 503))]);
    }
}

#[test]
fn answers_for_the_file_are_counted_for_anybody_and_each_version() {
    let logs = Logs::new("log-answers");
    let robots = |day, method: &str, status, agent: &str| {
        line(day, "10:00:00", "192.0.2.1", &format!("{method} /robots.txt HTTP/1.1"), status, agent)
    };
    let browser = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
    let access = logs.write(
        "access.log",
        [
            robots(1, "GET", 404, GPTBOT),
            robots(10, "GET", 200, GPTBOT),
            robots(10, "GET", 304, browser),
            robots(10, "HEAD", 200, browser),
            robots(11, "GET", 301, browser),
            robots(13, "GET", 503, GPTBOT),
            get(13, "10:00:00", "/robots.txt?x", browser),
        ]
        .concat(),
    );
    let file = logs.path("robots.txt");
    let versions = [&*format!("2025-11-05={file}"), &*format!("2025-11-12={file}")];
    let args = ["log", "--deny", "none", "--robots", versions[0], "--robots", versions[1], &access];
    let (status, value, errors) = read_json(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(status, 0, "{errors}");
    let seen = |version: Value, figures: [u64; 5]| {
        let [read, redirected, missing, failed, other] = figures;
        serde_json::json!({
            "version": version, "read": read, "redirected": redirected, "missing": missing, "failed": failed, "other": other
        })
    };
    let expected = [
        seen(Value::Null, [0, 0, 1, 0, 0]),
        seen(0.into(), [2, 1, 0, 0, 1]),
        seen(1.into(), [0, 0, 0, 1, 0]),
    ];
    assert_eq!(value["hosts"][0]["answers"], Value::from(expected.to_vec()));
    let (_, out, _) = outcome(&args, "");
    let shown = "answers for robots.txt, to anybody: read 2, redirected 1, 4xx 1, 5xx 1, others 1\n";
    assert!(out.contains(shown), "{out}");
}

#[test]
fn reads_are_fresh_for_24_hours() {
    let logs = Logs::new("log-reads");
    let robots = |time, status, method| {
        line(10, time, "192.0.2.1", &format!("{method} /robots.txt HTTP/1.1"), status, GPTBOT)
    };
    let log = [
        get(10, "09:00:00", "/first", GPTBOT),
        robots("10:00:00", 301, "GET"),
        robots("10:00:01", 304, "GET"),
        robots("10:00:02", 200, "HEAD"),
        robots("10:00:03", 503, "GET"),
        get(10, "10:00:04", "/robots.txt?x", GPTBOT),
        get(10, "10:00:05", "/Robots.txt", GPTBOT),
        get(11, "10:00:01", "/a", GPTBOT),
        get(11, "10:00:02", "/b", GPTBOT),
        get(11, "10:00:03", "/b", BINGBOT),
    ];
    let log = logs.write("access.log", log.concat());
    let (_, value, _) = logs.json(&[&log]);
    let expected = [
        ("robots_txt", 4),
        ("redirected", 1),
        ("read", 1),
        ("head", 1),
        ("failed", 1),
        ("checked", 5),
        ("fresh", 3),
        ("late", 1),
        ("never", 0),
        ("unknown", 1),
    ];
    assert_figures(&value, "GPTBot", &expected);
    assert_figures(&value, "bingbot", &[("never", 1), ("unknown", 0)]);
    assert_eq!(logs.json(&["--deny", "unread", &log]).0, 1);
    let (_, value, _) = logs.json(&["--sampled", &log]);
    assert!(value["hosts"][0]["crawlers"][0]["fresh"].is_null());
}

#[test]
fn gaps_are_short_only_if_they_surely_are() {
    let logs = Logs::new("log-gaps");
    logs.write("robots.txt", "User-agent: bingbot\nCrawl-delay: 10\nDisallow: /x\n");
    let at = |time, address| line(10, time, address, "GET /a HTTP/1.1", 200, BINGBOT);
    let log = [
        at("10:00:00", "192.0.2.1"),
        at("10:00:09", "192.0.2.1"),
        at("10:00:19", "192.0.2.2"),
        at("10:00:30", "192.0.2.1"),
        at("10:00:30", "192.0.2.1"),
        at("09:00:00", "192.0.2.1"),
    ];
    let log = logs.write("access.log", log.concat());
    let (status, value, _) = logs.json(&["--deny", "delay", &log]);
    assert_eq!(status, 1);
    let expected = [
        ("gaps", 4),
        ("short", 2),
        ("median_gap", 9),
        ("addresses", 2),
        ("networks", 1),
        ("gaps_per_address", 3),
        ("short_per_address", 2),
        ("out_of_order", 1),
    ];
    assert_figures(&value, "bingbot", &expected);
    assert_eq!(value["hosts"][0]["crawlers"][0]["crawl_delay"], 10.0);
}

#[test]
fn only_verified_requests_count_where_ranges_are_given() {
    let logs = Logs::new("log-ranges");
    let ranges = logs.write(
        "gptbot.json",
        r#"{"creationTime":"2025-11-01T00:00:00","prefixes":[{"ipv4Prefix":"198.51.100.0/25"},{"ipv6Prefix":"2001:db8:1::/48"}]}"#,
    );
    let from =
        |address, path: &str| line(10, "10:00:00", address, &format!("GET {path} HTTP/1.1"), 200, GPTBOT);
    let log = [
        from("198.51.100.5", "/a"),
        from("::ffff:198.51.100.6", "/a"),
        from("2001:db8:1::7", "/a"),
        from("203.0.113.6", "/private/z"),
        from("crawler.example.com", "/a"),
    ];
    let spoofed = logs.write("access.log", log.concat());
    let option = format!("GPTBot={ranges}");
    let (status, value, _) = logs.json(&["--ranges", &option, &spoofed]);
    assert_eq!(status, 0);
    let expected = [
        ("verified", 3),
        ("unverified", 1),
        ("no_address", 1),
        ("disallowed", 1),
        ("disallowed_verified", 0),
    ];
    assert_figures(&value, "GPTBot", &expected);
    assert_eq!(value["hosts"][0]["crawlers"][0]["identity"], "verified");
    assert_eq!(logs.json(&[&spoofed]).0, 1);
    assert_eq!(
        logs.json(&["--ranges", &format!("operator:OpenAI={ranges}"), "--deny", "unverified", &spoofed]).0,
        1
    );
    let real = logs.write("real.log", from("198.51.100.5", "/private/z"));
    assert_eq!(logs.json(&["--ranges", &option, &real]).0, 1);
    // This name is not verified.
    let other = logs.write("other.log", get(10, "10:00:00", "/x", BINGBOT));
    assert_eq!(logs.json(&["--ranges", &option, &other]).0, 0);
    assert_eq!(logs.json(&["--ranges", &option, "--deny", "claimed", &other]).0, 1);
    let (status, _, err) = outcome(
        &["log", "--robots", &logs.path("robots.txt"), "--ranges", &format!("gptbto={ranges}"), &real],
        "",
    );
    assert_eq!(
        (status, &*err),
        (2, "robots: error: `gptbto` is not a crawler of the catalogue; did you mean GPTBot?\n")
    );
}

#[test]
fn headers_name_crawlers_or_nobody() {
    let logs = Logs::new("log-headers");
    let headers = [
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
        "FreshRSS/1.24.1 (Linux; https://freshrss.org) like Googlebot",
        "GPTBot, ClaudeBot, Googlebot",
        "Screaming Frog SEO Spider/20.1",
        "NotGooglebot/1.0",
        "claude-useragent/1",
        "curl/8.5.0",
        "Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)",
        "-",
    ];
    let log: String = headers.map(|header| get(10, "10:00:00", "/x", header)).concat();
    let log = logs.write("access.log", log);
    let (_, value, _) = logs.json(&[&log]);
    let count = |name: &str| value[name].as_u64().unwrap();
    assert_eq!((count("several_names"), count("not_crawlers"), count("no_user_agent")), (1, 3, 1));
    assert_eq!(
        (&value["user_triggered"]["requests"], &value["unlisted"]["requests"]),
        (&1.into(), &2.into())
    );
    for (name, requests) in
        [("Googlebot", 0), ("FreshRSS", 1), ("NotGooglebot", 1), ("Screaming Frog SEO Spider", 1)]
    {
        assert_figures(&value, name, &[("requests", requests)]);
    }
    // Fetchers that people trigger do not give a status.
    let fetcher = logs.write("fetcher.log", get(10, "10:00:00", "/x", headers[0]));
    let (status, value, _) = logs.json(&[&fetcher]);
    assert_eq!((status, &value["user_triggered"]["disallowed"]), (0, &1.into()));
}

#[test]
fn hosts_have_their_own_files() {
    let logs = Logs::new("log-hosts");
    let log: String = [("a.example:443", "/private/"), ("B.example:80", "/b"), ("c.example:80", "/private/")]
        .map(|(host, path)| format!("{host} {}", get(10, "10:00:00", path, GPTBOT)))
        .concat();
    let log = logs.write("access.log", log);
    let (a, b) =
        (format!("a.example={}", logs.path("robots.txt")), format!("b.example={}", logs.path("robots.txt")));
    let (status, value, err) = read_json(&["log", "--format", "json", "--robots", &a, "--robots", &b, &log]);
    assert_eq!(status, 1);
    assert!(err.ends_with("the format is vhost\n"), "{err}");
    assert_figures(&value, "GPTBot", &[("requests", 3), ("checked", 2), ("disallowed", 1), ("no_robots", 1)]);
    let hosts: Vec<&str> =
        value["hosts"].as_array().unwrap().iter().map(|host| host["host"].as_str().unwrap()).collect();
    assert_eq!(hosts, ["a.example", "b.example", "c.example"]);
}

#[test]
fn logs_are_read_in_the_order_of_their_times() {
    let logs = Logs::new("log-rotated");
    let newest = logs.write("access.log", get(12, "00:00:00", "/x", BINGBOT));
    let older = logs.write("access.log.1", get(11, "00:00:00", "/x", BINGBOT));
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(get(10, "23:00:00", "/robots.txt", BINGBOT).as_bytes()).unwrap();
    // The name says nothing.
    let oldest = logs.write("access.log.2", gzip.finish().unwrap());
    let expected =
        [("requests", 3), ("robots_txt", 1), ("fresh", 1), ("late", 1), ("disallowed", 2), ("gaps", 2)];
    let orders: [&[&str]; 3] =
        [&[&newest, &older, &oldest], &[&oldest, &newest, &older], &[&older, &newest, &oldest]];
    for order in orders {
        assert_figures(&logs.json(order).1, "bingbot", &expected);
    }
    let threads = [&["--threads", "2"], orders[0]].concat();
    assert_figures(&logs.json(&threads).1, "bingbot", &expected);
}

/// A frame of zstd with one block that is not compressed.
pub(crate) fn zstd(text: &[u8]) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap();
    let block = (length << 3 | 1).to_le_bytes();
    [&[0x28, 0xB5, 0x2F, 0xFD, 0xA0], &length.to_le_bytes()[..], &block[..3], text].concat()
}

#[test]
fn zstd_is_decompressed() {
    let logs = Logs::new("log-zstd");
    let frames = [
        zstd(get(10, "10:00:00", "/private/", GPTBOT).as_bytes()),
        zstd(get(10, "10:00:01", "/", GPTBOT).as_bytes()),
    ];
    let log = logs.write("access.log", frames.concat());
    assert_figures(&logs.json(&[&log]).1, "GPTBot", &[("requests", 2), ("disallowed", 1)]);
}

#[test]
fn logs_of_all_servers_are_read() {
    let logs = Logs::new("log-formats");
    let iis = "#Software: IIS\n#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status\n\
               2025-11-10 10:00:00 GET /private/ q=1 192.0.2.1 GPTBot/1.2+(+https://openai.com/gptbot) 200\n\
               #Fields: date time c-ip cs-method cs-uri-stem cs(User-Agent) sc-status\n\
               2025-11-10 10:00:05 192.0.2.1 GET /a GPTBot/1.2+(+https://openai.com/gptbot) 200\n";
    let cloudfront = "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query x-host-header\n\
               2025-11-10\t10:00:00\tFRA\t1\t192.0.2.1\tGET\td.cloudfront.net\t/private/\t200\t-\tGPTBot/1.2%2520(+https://openai.com/gptbot)\tq=1\texample.com\n\
               2025-11-10\t10:00:05\tFRA\t1\t192.0.2.1\tGET\td.cloudfront.net\t/a\t200\t-\tGPTBot/1.2\t-\texample.com\n";
    let alb = |time: &str, url: &str| {
        format!(
            "https 2025-11-10T10:01:00.1Z app/lb/1 192.0.2.1:2817 10.0.0.1:80 0.0 0.1 0.0 200 200 34 366 \"GET \
             https://example.com:443{url} HTTP/2.0\" \"{GPTBOT}\" c TLSv1.2 arn \"Root\" \"example.com\" \"arn\" 0 \
             2025-11-10T{time}Z \"forward\" \"-\" \"-\"\n"
        )
    };
    let alb = alb("10:00:00.000000", "/private/?q=1") + &alb("10:00:05.000000", "/a");
    let json = format!(
        "{{\"level\":\"info\",\"ts\":1762768800.5,\"request\":{{\"remote_ip\":\"192.0.2.1\",\"client_ip\":\"198.51.100.5\",\"method\":\"GET\",\"host\":\"example.com\",\"uri\":\"/private/?q=1\",\"headers\":{{\"User-Agent\":[\"{GPTBOT}\"]}}}},\"status\":200}}\n\
         {{\"ClientIP\":\"198.51.100.5\",\"ClientRequestHost\":\"example.com\",\"ClientRequestMethod\":\"GET\",\"ClientRequestURI\":\"/a\",\"ClientRequestUserAgent\":\"{GPTBOT}\",\"EdgeStartTimestamp\":1762768805500000000,\"EdgeResponseStatus\":200}}\n"
    );
    let nginx = format!(
        "{{\"time_iso8601\":\"2025-11-10T10:00:00+00:00\",\"remote_addr\":\"198.51.100.5\",\"request\":\"GET /private/?q=1 HTTP/1.1\",\"status\":\"200\",\"http_user_agent\":\"{GPTBOT}\"}}\n\
         {{\"msec\":1762768805.000,\"remote_addr\":\"198.51.100.5\",\"request_uri\":\"/a\",\"status\":200,\"http_user_agent\":\"{GPTBOT}\"}}\n"
    );
    let vhost = format!(
        "a.example:80 {}a.example:80 {}",
        get(10, "10:00:00", "/private/?q=1", GPTBOT),
        get(10, "10:00:05", "/a", GPTBOT)
    );
    let cases = [
        ("w3c", iis.to_owned()),
        ("cloudfront", cloudfront.to_owned()),
        ("alb", alb),
        ("json", json),
        ("json", nginx),
        ("vhost", vhost),
    ];
    for (format, text) in cases {
        let log = logs.write("access.log", text);
        let (status, value, err) = logs.json(&["--queries", &log]);
        assert_eq!(status, 1, "{format}: {err}");
        assert!(err.ends_with(&format!("the format is {format}\n")), "{err}");
        assert_figures(
            &value,
            "GPTBot",
            &[("requests", 2), ("disallowed", 1), ("gaps", 1), ("median_gap", 5), ("addresses", 1)],
        );
        assert_eq!(
            value["hosts"][0]["crawlers"][0]["top_paths"],
            serde_json::json!({"/private/?q=1": 1}),
            "{format}"
        );
    }
}

#[test]
fn formats_of_ones_own_are_named() {
    let logs = Logs::new("log-own");
    let own =
        format!("10:00 {GPTBOT}|198.51.100.5, 203.0.113.1|2025-11-10T10:00:00+01:00|GET|/private/|200\n");
    let log = logs.write("access.log", own);
    let format =
        "10:00 $http_user_agent|$http_x_forwarded_for|$time_iso8601|$request_method|$request_uri|$status";
    let ranges = format!("GPTBot={}", logs.write("r.txt", "203.0.113.0/24\n"));
    let args = ["--log-format", format, "--address", "forwarded:1", "--ranges", &ranges, &log];
    let (status, value, err) = logs.json(&args);
    assert_eq!((status, &*err), (1, ""));
    assert_figures(&value, "GPTBot", &[("requests", 1), ("verified", 1)]);
    assert_eq!(value["first"], "2025-11-10T09:00:00Z");
    let (_, value, _) =
        logs.json(&["--log-format", format, "--address", "forwarded:2", "--ranges", &ranges, &log]);
    assert_figures(&value, "GPTBot", &[("unverified", 1)]);
    let json = format!("{{\"when\":1762768800,\"who\":\"{GPTBOT}\",\"what\":\"/private/\"}}\n");
    let log = logs.write("own.json", json);
    let fields = ["--fields", "time=when", "--fields", "agent=who", "--fields", "target=what"];
    assert_figures(&logs.json(&[&fields[..], &[&log]].concat()).1, "GPTBot", &[("disallowed", 1)]);
}

#[test]
fn what_cannot_be_judged_is_an_error() {
    let logs = Logs::new("log-errors");
    let robots = logs.path("robots.txt");
    let common =
        logs.write("common.log", "192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] \"GET / HTTP/1.1\" 200 12\n");
    let (status, out, err) = outcome(&["log", "--robots", &robots, &common], "");
    assert_eq!((status, &*out), (2, ""));
    assert!(err.contains("lacks the User-Agent header") && err.contains("Combined Log Format"), "{err}");
    let garbage = logs.write("garbage.log", "hello\nworld\n");
    let (status, _, err) = outcome(&["log", "--robots", &robots, &garbage], "");
    assert_eq!(
        (status, &*err),
        (
            2,
            format!("robots: error: {garbage}: the format is not recognized; name it with `--log-format`\n")
                .as_str()
        )
    );
    let good = logs.write("good.log", get(10, "10:00:00", "/private/", GPTBOT));
    // Other logs are reported.
    let (status, value, _) = logs.json(&[&garbage, &good]);
    assert_eq!((status, figure(&value, "GPTBot", "disallowed")), (2, 1));
    assert_eq!(value["failed"].as_array().unwrap().len(), 1);
    let (status, _, err) = outcome(&["log", &good], "");
    assert_eq!(status, 2);
    assert!(err.contains("no robots.txt is given"), "{err}");
    let (status, _, err) = outcome(&["log", "--robots", &robots, &logs.path("none.log")], "");
    assert!(status == 2 && err.contains("no such file"), "{err}");
    // A few lines are left out, and many are an error.
    let mixed = [get(10, "10:00:00", "/private/", GPTBOT).repeat(20), "cut".to_owned()].concat();
    let (status, value, err) = logs.json(&[&logs.write("mixed.log", mixed)]);
    assert_eq!((status, &value["lines"], &value["unread"]), (1, &21.into(), &1.into()));
    assert!(err.contains("1 of 21 lines could not be read, the first at line 21"), "{err}");
}

#[test]
fn versions_come_from_git() {
    let folder = folder("log-git");
    let git = |args: &[&str], date: &str| {
        let mut git = std::process::Command::new("git");
        let identity = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"];
        git.args(identity)
            .args(args)
            .current_dir(&folder)
            .env("GIT_COMMITTER_DATE", date)
            .env("GIT_AUTHOR_DATE", date);
        assert!(git.output().unwrap().status.success(), "{args:?}");
    };
    git(&["init", "-q"], "");
    for (body, date) in
        [("", "2025-11-01T00:00:00Z"), ("User-agent: *\nDisallow: /new\n", "2025-11-10T00:00:00Z")]
    {
        fs::write(folder.join("robots.txt"), body).unwrap();
        git(&["add", "robots.txt"], date);
        git(&["commit", "-q", "--allow-empty", "-m", "x"], date);
    }
    let log = [
        get(9, "00:00:00", "/new", GPTBOT),
        get(10, "00:10:00", "/new", GPTBOT),
        get(12, "00:00:00", "/new", GPTBOT),
    ];
    fs::write(folder.join("access.log"), log.concat()).unwrap();
    let run = |args: &[&str]| {
        let mut command = crate::command::robots();
        let args =
            [&["log", "--history", "git:robots.txt", "--format", "json"], args, &["access.log"]].concat();
        let output = command.current_dir(&folder).args(args).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    assert_figures(&run(&[]), "GPTBot", &[("checked", 3), ("disallowed", 2), ("in_grace", 1)]);
    assert_figures(&run(&["--served-after", "1h"]), "GPTBot", &[("disallowed", 1), ("in_grace", 0)]);
}

/// Addresses, queries, referrers and headers that no output may have.
const PRIVATE: [&str; 5] = ["203.0.113.77", "2001:db8:77", "token=tell", "referrer.example", "SecretHeader"];

#[test]
fn outputs_have_no_private_texts() {
    let logs = Logs::new("log-private");
    let header = format!("{GPTBOT} SecretHeader");
    let line = |address: &str| {
        format!(
            "{address} - user [10/Nov/2025:10:00:00 +0000] \"GET /private/?token=tell HTTP/1.1\" 200 1 \"https://referrer.example/\" \"{header}\"\n"
        )
    };
    let log = logs.write(
        "access.log",
        [line("203.0.113.77"), line("2001:db8:77::1"), "203.0.113.77 token=tell\n".to_owned()].concat(),
    );
    let robots = logs.path("robots.txt");
    for format in ["human", "json", "jsonl", "csv", "html"] {
        for more in [&[][..], &["--all"]] {
            let args = [
                &["log", "--robots", &robots, "--log-format", "combined", "--format", format],
                more,
                &[&log],
            ]
            .concat();
            let (_, out, err) = outcome(&args, "");
            assert!(out.contains("GPTBot"), "{format}: {out}");
            for text in PRIVATE {
                assert!(!out.contains(text) && !err.contains(text), "{format} has {text}:\n{out}{err}");
            }
        }
        let args =
            ["log", "--robots", &robots, "--log-format", "combined", "--addresses", "--format", format, &log];
        let (_, out, _) = outcome(&args, "");
        assert!(!out.contains("203.0.113.77"), "{format}: {out}");
    }
    // Only this word shows them.
    for format in ["human", "json", "jsonl"] {
        let args = [
            "log",
            "--robots",
            &robots,
            "--log-format",
            "combined",
            "--addresses=full",
            "--format",
            format,
            &log,
        ];
        let (_, out, _) = outcome(&args, "");
        assert!(out.contains("203.0.113.77") && out.contains("2001:db8:77::1"), "{format}: {out}");
    }
    let (status, _, err) = outcome(&["log", "--robots", &robots, "--addresses=all", &log], "");
    assert!(status == 2 && err.contains("networks, full"), "{err}");
}

#[test]
fn hostile_lines_forge_nothing_and_lose_no_line() {
    let logs = Logs::new("log-hostile");
    let hostile = [
        r"/private/\x1b[31m\n\rGPTBot: 99 times",
        "/private/<script>alert(1)</script>",
        "/private/=1+1",
        "/private/\u{202e}\u{200b}",
        r"/private/\xff\xfe",
    ];
    let mut log = hostile.map(|path| get(10, "10:00:00", path, GPTBOT)).concat();
    log.push_str(&format!("{}\n", "x".repeat(3 << 20)));
    log.push_str(&get(10, "10:00:01", "/private/", "=Bot/1.0 (+https://example.com)"));
    log.push_str(&get(10, "10:00:01", "/x", r"<b>Bot\n\x1b[31m/1.0 (+https://example.com)"));
    log.push_str(&get(10, "10:00:02", "/private/last", GPTBOT));
    log.push_str(&get(10, "10:00:02", "/", BINGBOT).repeat(20));
    let log = logs.write("access.log", log);
    let (_, value, _) = logs.json(&[&log]);
    assert_eq!((&value["lines"], &value["unread"]), (&29.into(), &1.into()));
    assert_figures(&value, "GPTBot", &[("requests", 6), ("disallowed", 6)]);
    let robots = logs.path("robots.txt");
    for format in ["human", "json", "jsonl", "csv", "html"] {
        let (_, out, _) =
            outcome(&["log", "--robots", &robots, "--all", "--top", "20", "--format", format, &log], "");
        assert!(
            !out.contains('\u{1b}') && !out.contains('\u{202e}') && !out.contains('\u{200b}'),
            "{format}: {out}"
        );
        assert!(!out.lines().any(|line| line.trim_start().starts_with("GPTBot: 99")), "{format}: {out}");
        assert!(!out.contains("\r") || format == "csv", "{format}: {out}");
        if format == "html" {
            assert!(!out.contains("<script") && !out.contains("<b>"), "{out}");
        }
    }
}

#[test]
fn all_formats_have_the_figures() {
    let logs = Logs::new("log-output");
    let log = [
        get(10, "10:00:00", "/private/a", GPTBOT),
        get(10, "10:00:00", "/private/a", GPTBOT),
        get(11, "10:00:00", "/", GPTBOT),
        get(12, "10:00:00", "/", BINGBOT),
    ];
    let log = logs.write("access.log", log.concat());
    let robots = logs.path("robots.txt");
    let run = |format: &str| outcome(&["log", "--robots", &robots, "--format", format, &log], "").1;
    let human = run("human");
    for part in [
        "GPTBot   OpenAI",
        "2 (66.7 %)",
        "line 2: Disallow: /private/",
        "GPTBot: 2  /private/a",
        "Crawlers without a disallowed request: 1",
    ] {
        assert!(human.contains(part), "{part}:\n{human}");
    }
    assert!(run("csv").starts_with("host,crawler,kind,operator"));
    assert_eq!(run("csv").lines().count(), 3);
    assert_eq!(run("jsonl").lines().count(), 2);
    let html = run("html");
    assert!(
        html.contains("<svg")
            && html.contains("GPTBot: 3 requests, 2 disallowed")
            && !html.contains("<script")
    );
    let only = outcome(&["log", "--robots", &robots, "--agent", "bingbot", "--format", "jsonl", &log], "");
    assert_eq!((only.0, only.1.lines().count()), (0, 1));
    assert!(Path::new(&log).exists());
    let period = outcome(
        &[
            "log",
            "--robots",
            &robots,
            "--since",
            "2025-11-11",
            "--until",
            "2025-11-12",
            "--format",
            "jsonl",
            &log,
        ],
        "",
    );
    assert!(period.1.contains("\"requests\":1,"), "{}", period.1);
}

#[test]
fn logs_of_several_servers_are_put_together() {
    let logs = Logs::new("log-servers");
    let mut lines: Vec<String> = (0..600_u32)
        .map(|number| {
            let path = ["/robots.txt", "/a", "/private/", "/x"][number as usize % 7 % 4];
            let time = format!("{:02}:{:02}:{:02}", number / 60 % 24, number % 60, number % 7);
            get(10 + u8::try_from(number / 300).unwrap(), &time, path, [GPTBOT, BINGBOT][number as usize % 2])
        })
        .collect();
    lines.sort_by_key(|line| line.split(['[', ']']).nth(1).unwrap().to_owned());
    let whole = logs.write("whole.log", lines.concat());
    let part = |rest: usize| {
        lines
            .iter()
            .enumerate()
            .filter(|(number, _)| number % 3 == rest)
            .map(|(_, line)| &**line)
            .collect::<String>()
    };
    let parts = [0, 1, 2].map(|rest| logs.write(&format!("{rest}.log"), part(rest)));
    let expected = logs.json(&[&whole]).1;
    let found = logs.json(&[&parts[2], &parts[0], &parts[1]]).1;
    assert_eq!(found["hosts"], expected["hosts"]);
    let found = logs.json(&["--threads", "3", &parts[1], &parts[0], &parts[2]]).1;
    assert_eq!(found["hosts"], expected["hosts"]);
}

#[test]
fn a_name_or_a_date_that_is_misspelt_is_an_error() {
    let logs = Logs::new("log-misspelt");
    let access = logs.write("access.log", get(10, "10:00:00", "/private/a", GPTBOT));
    let file = logs.path("robots.txt");
    for date in ["2026-13-01", "01.11.2026", "2025-11-10T99:00:00", "2025-11-10T99:00:00Z"] {
        let (status, _, err) = outcome(&["log", "--robots", &format!("{date}={file}"), &access], "");
        assert!(status == 2 && err.contains("is neither a host nor a date such as 2025-11-10"), "{err}");
    }
    for host in ["192.0.2.7", "192.0.2.7:8080", "[2001::1]", "a.example", "localhost", "10-Nov-2025"] {
        let (status, _, err) = outcome(&["log", "--robots", &format!("{host}={file}"), &access], "");
        assert_ne!(status, 2, "{host}");
        assert_eq!(err.contains("is read as the name of a host"), host == "10-Nov-2025", "{err}");
    }
    let agent = |name: &str| outcome(&["log", "--robots", &file, "--agent", name, &access], "");
    let (status, _, err) = agent("GPTBott");
    assert!(status == 2 && err.contains("no request has this name; did you mean GPTBot?"), "{err}");
    // A known crawler may have made no request.
    assert_eq!((agent("bingbot").0, agent("gptbot").0), (0, 1));
    assert!(agent("bingbot").2.contains("note: no request says that it is of bingbot"));
    let late = outcome(&["log", "--robots", &file, "--since", "2027-01-01", &access], "");
    assert_eq!((late.0, &*late.1), (2, ""));
    assert!(late.2.contains("the logs have none within --since and --until"), "{}", late.2);
}
