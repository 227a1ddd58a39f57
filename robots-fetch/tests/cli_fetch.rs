//! The `robots` command, as a shell sees it: `fetch`, and `check` that asks sites. The sites are on this machine.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

extern crate alloc;

#[path = "support/ftp_server.rs"]
#[allow(dead_code, reason = "the test of its client has all of its faults")]
mod ftp_server;
#[path = "support/schema.rs"]
mod schema;

use alloc::sync::Arc;
use core::time::Duration;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::{Instant, SystemTime};

use assert_cmd::Command;
use schema::against;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A site: what it answers, which can be changed, and the heads of the requests that it got.
struct Site {
    base: String,
    answer: Arc<Mutex<String>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    fn new(answer: impl Into<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let site = Self { base, answer: Arc::new(Mutex::new(answer.into())), asked: Arc::default() };
        let (answer, asked) = (Arc::clone(&site.answer), Arc::clone(&site.asked));
        // It ends with the process of the test.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut head = String::new();
                let mut lines = BufReader::new(stream.try_clone().unwrap());
                while lines.read_line(&mut head).unwrap() > 2 {}
                asked.lock().unwrap().push(head);
                let answer = answer.lock().unwrap().clone();
                if answer.is_empty() {
                    // Silence, until the other side has had enough.
                    let _ = stream.read(&mut [0]);
                    continue;
                }
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        site
    }

    fn answers(&self, answer: impl Into<String>) {
        *self.answer.lock().unwrap() = answer.into();
    }

    fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }
}

/// An answer with a body, after which the connection ends.
fn answer(status: &str, fields: &[&str], body: &str) -> String {
    let fields: String = fields.iter().map(|field| format!("{field}\r\n")).collect();
    let len = body.len();
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {len}\r\nConnection: close\r\n\r\n{body}")
}

fn file(fields: &[&str]) -> String {
    answer("200 OK", fields, "User-agent: *\nDisallow: /private\nAllow: /private/open\n")
}

/// A user with an empty folder for caches.
struct User(TempDir);

impl User {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn caches(&self) -> PathBuf {
        self.0.path().join("caches")
    }

    /// Status, standard output and standard error.
    fn robots(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
        command.env("XDG_CACHE_HOME", self.caches()).env("HOME", self.0.path());
        command.env("LOCALAPPDATA", self.caches()).env_remove("CLICOLOR_FORCE");
        let output = command.args(args).timeout(Duration::from_secs(60)).output().unwrap();
        let text = |octets: Vec<u8>| String::from_utf8(octets).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// What `fetch` prints for people, without what differs from run to run; it asks, whatever is kept.
    fn fetch(&self, args: &[&str], site: &Site) -> (i32, String) {
        let (status, out, err) = self.robots(&[&["fetch"], args, &[&site.base]].concat());
        assert_eq!(err, "");
        (status, settled(&out, site))
    }

    fn json(&self, args: &[&str]) -> (i32, Value) {
        let (status, out, err) = self.robots(&[args, &["--format", "json"]].concat());
        assert_eq!(err, "");
        let value = serde_json::from_str(&out).unwrap();
        assert_eq!(against(&format!("{}.json", args[0]), &value), [""; 0]);
        (status, value)
    }
}

/// The text without what differs from run to run: ports and times.
fn settled(text: &str, site: &Site) -> String {
    let mut settled = String::new();
    let text = text.replace(&site.base, "http://site");
    let mut rest = text.as_str();
    // As 2026-11-20T18:04:05Z.
    while let Some(at) = rest.find("20").filter(|_| rest.len() >= 20) {
        let (before, after) = rest.split_at(at);
        settled.push_str(before);
        match after.get(..20) {
            Some(time) if time.ends_with('Z') && time.as_bytes()[10] == b'T' => {
                settled.push_str("TIME");
                rest = &after[20..];
            }
            _ => {
                settled.push_str("20");
                rest = &after[2..];
            }
        }
    }
    settled + rest
}

#[test]
fn check_asks_the_sites_once_and_keeps_what_they_answer() {
    let (user, site, other) =
        (User::new(), Site::new(file(&[])), Site::new(answer("404 Not Found", &[], "")));
    let urls =
        [site.url("/private/x?y"), site.url("/private/open"), site.url("/robots.txt"), other.url("/private")];
    let args = ["check", "--agent", "ExampleBot", &urls[0], &urls[1], &urls[2], &urls[3]];
    for _ in 0..2 {
        let expected = format!(
            "disallowed {}  line 2: Disallow: /private\n\
             allowed    {}  line 3: Allow: /private/open\n\
             allowed    {}  /robots.txt is always allowed\n\
             allowed    {}  no robots.txt restricts: status 404\n",
            urls[0], urls[1], urls[2], urls[3]
        );
        assert_eq!(user.robots(&args), (1, expected, String::new()));
    }
    assert_eq!((site.count(), other.count()), (1, 1));
    let asked = site.asked.lock().unwrap()[0].to_ascii_lowercase();
    assert!(asked.starts_with("get /robots.txt http/1.1\r\n"), "{asked}");
    assert!(asked.contains(concat!("\r\nuser-agent: robots/", env!("CARGO_PKG_VERSION"), "\r\n")), "{asked}");
    assert!(user.caches().join("robots/robots.redb").exists() || cfg!(target_os = "macos"));
}

#[test]
fn check_without_a_cache_asks_each_time_and_in_a_folder_of_its_own_once() {
    let (user, site) = (User::new(), Site::new(file(&[])));
    let url = site.url("/");
    let check = ["check", "-a", "ExampleBot", &url];
    for count in 1..3 {
        assert_eq!(user.robots(&[&check[..], &["--no-cache"]].concat()).0, 0);
        assert_eq!(site.count(), count);
    }
    assert!(!user.caches().exists());
    let folder = user.0.path().join("a folder/of its own");
    for _ in 0..2 {
        assert_eq!(user.robots(&[&check[..], &["--cache", folder.to_str().unwrap()]].concat()).0, 0);
        assert_eq!(site.count(), 3);
    }
    assert!(folder.join("robots.redb").exists() && !user.caches().exists());
    // Who calls itself otherwise may be answered otherwise; what one profile made of an answer is not what another makes.
    for args in [&["--user-agent", "Other/1.0"][..], &["--profile", "google"]] {
        let before = site.count();
        for _ in 0..2 {
            let folder = ["--cache", folder.to_str().unwrap()];
            assert_eq!(user.robots(&[&check[..], &folder[..], args].concat()).0, 0);
        }
        assert_eq!(site.count(), before + 1);
    }
    assert!(site.asked.lock().unwrap()[3].contains("Other/1.0"));
}

#[test]
fn check_allows_nothing_where_a_site_fails() {
    let (user, site) =
        (User::new(), Site::new(answer("503 Service Unavailable", &[], "User-agent: *\nAllow: /\n")));
    let silent = Site::new("");
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/", listener.local_addr().unwrap())
    };
    let urls = [site.url("/"), silent.url("/"), closed];
    let args = ["check", "-a", "ExampleBot", "--timeout", "0.5", &urls[0], &urls[1], &urls[2]];
    let (status, out, err) = user.robots(&args);
    assert_eq!((status, err.as_str()), (1, ""));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 3);
    for (line, (url, why)) in
        lines.iter().zip(urls.iter().zip(["status 503", "timed out", "could not connect"]))
    {
        let start = format!("disallowed {url}  the robots.txt can't be had: {why}");
        assert!(line.starts_with(&start), "{line}");
    }
    // The pause before the next attempt is kept, too.
    assert_eq!(user.robots(&args).1, out);
    assert_eq!((site.count(), silent.count()), (1, 1));
}

#[test]
fn sites_are_asked_side_by_side_and_each_for_its_time() {
    let user = User::new();
    let silent: Vec<Site> = (0..12).map(|_| Site::new("")).collect();
    let mut args = vec!["check", "-a", "ExampleBot", "--timeout", "0.9"];
    args.extend(silent.iter().map(|site| site.base.as_str()));
    let began = Instant::now();
    assert_eq!(user.robots(&args).0, 1);
    // One after the other they would take 10.8 seconds, and by the usual timeout one takes ten.
    assert!(began.elapsed() < Duration::from_secs(7), "{:?}", began.elapsed());
}

#[test]
fn check_for_programs_tells_what_each_site_answered() {
    let (user, site) = (User::new(), Site::new(file(&["Cache-Control: max-age=60", "ETag: \"1\""])));
    let other = Site::new(answer("500 Oops", &["Retry-After: 600"], ""));
    let (status, value) = user.json(&["check", "-a", "ExampleBot", &site.url("/private"), &other.url("/a")]);
    assert_eq!(status, 1);
    assert_eq!(value["verdicts"][0]["site"], site.base);
    assert_eq!(value["verdicts"][0]["rule"]["line"], 2);
    assert_eq!(value["verdicts"][1]["allowed"], false);
    assert_eq!(value["verdicts"][1]["reason"], "nothing");
    let sites = value["sites"].as_array().unwrap();
    assert_eq!((&sites[0]["lifetime"], &sites[0]["basis"]), (&60.into(), &"max-age".into()));
    assert_eq!((&sites[0]["access"], &sites[0]["file"]["etag"]), (&"rules".into(), &"\"1\"".into()));
    assert_eq!((&sites[1]["class"], &sites[1]["cause"]["code"]), (&"unreachable".into(), &"status".into()));
    assert_eq!((&sites[1]["basis"], &sites[1]["lifetime"]), (&"retry-after".into(), &600.into()));
    // Several URLs of a site, and several names.
    let named = Site::new(answer("200 OK", &[], "User-agent: ExampleBot\nDisallow: /b\n"));
    let none = Site::new(answer("404 Not Found", &[], ""));
    let urls = [named.url("/a"), none.url("/a"), named.url("/b")];
    let args = ["check", "-a", "Unheard", "-a", "ExampleBot", &urls[0], &urls[1], &urls[2]];
    let (status, value) = user.json(&args);
    assert_eq!(
        (status, &value["profile"], &value["agents"]),
        (1, &"rfc9309".into(), &json!(["Unheard", "ExampleBot"]))
    );
    let of_sites: Vec<_> = value["sites"].as_array().unwrap().iter().map(|site| &site["site"]).collect();
    assert_eq!(of_sites, [&named.base, &none.base]);
    let verdicts: Vec<_> = value["verdicts"].as_array().unwrap().iter().collect();
    for (verdict, (url, site, allowed, reason)) in verdicts.iter().zip([
        (&urls[0], &named, true, "no-rule"),
        (&urls[1], &none, true, "everything"),
        (&urls[2], &named, false, "rule"),
    ]) {
        assert_eq!((&verdict["url"], &verdict["site"]), (&url.as_str().into(), &site.base.as_str().into()));
        assert_eq!((&verdict["allowed"], &verdict["reason"]), (&allowed.into(), &reason.into()));
    }
    assert_eq!(verdicts.len(), 3);
}

#[test]
fn many_sites_are_asked_and_answered_in_order() {
    let user = User::new();
    let sites: Vec<Site> = (0..30)
        .map(|number| Site::new(answer("200 OK", &[], &format!("User-agent: *\nDisallow: /{number}\n"))))
        .collect();
    let urls: Vec<String> = (0..30).map(|number| sites[number].url(&format!("/{number}"))).collect();
    let mut args = vec!["check", "-a", "ExampleBot"];
    args.extend(urls.iter().map(String::as_str));
    let (status, out, err) = user.robots(&args);
    // No progress where there is no terminal.
    assert_eq!((status, err.as_str(), out.lines().count()), (1, "", 30));
    for (number, line) in out.lines().enumerate() {
        assert_eq!(line, format!("disallowed {}  line 2: Disallow: /{number}", urls[number]));
    }
}

#[test]
fn fetch_shows_requests_and_what_holds_until_when() {
    let (user, site) = (User::new(), Site::new(file(&["Cache-Control: max-age=3600", "ETag: \"1\""])));
    let (status, out, err) = user.robots(&["fetch", &site.url("/any/page")]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(
        settled(&out, &site),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  200\n\
         \x20 answer    a file (success)\n\
         \x20 size      54 octets, all of them read\n\
         \x20 holds     until TIME, 1 hour from its retrieval on: Cache-Control: max-age\n\
         \x20 now       crawlers may do what the rules let them\n\
         \x20 change    another file, which is asked for from TIME on, if it has changed\n"
    );
    // The site is asked again, on condition; and says no.
    site.answers(answer("304 Not Modified", &[], ""));
    let (status, out) = user.fetch(&[], &site);
    let expected = "robots.txt of http://site\n\
        \x20 request   http://site/robots.txt  304\n\
        \x20 answer    the file that is held is still the one (success)\n\
        \x20 size      54 octets, all of them read\n\
        \x20 holds     until TIME, 1 hour from its retrieval on: Cache-Control: max-age\n";
    assert!(status == 0 && out.starts_with(expected), "{out}");
    site.answers(answer("304 Not Modified", &[], ""));
    let (status, value) = user.json(&["fetch", &site.base]);
    assert_eq!((status, &value["status"], &value["access"]), (0, &304.into(), &"rules".into()));
    assert!(site.asked.lock().unwrap()[1].to_ascii_lowercase().contains("\r\nif-none-match: \"1\"\r\n"));
    assert_eq!(value["profile"], "rfc9309");
}

#[test]
fn fetch_tells_what_there_is_where_there_is_no_file() {
    let (user, site) = (User::new(), Site::new(answer("404 Not Found", &[], "")));
    let expected = "robots.txt of http://site\n\
        \x20 request   http://site/robots.txt  404\n\
        \x20 answer    there is no robots.txt (unavailable): status 404\n\
        \x20 holds     until TIME, 24 hours from its retrieval on: the default of the profile\n\
        \x20 now       crawlers may do everything\n\
        \x20 change    a robots.txt at the site, which is asked for from TIME on\n";
    assert_eq!(user.fetch(&[], &site), (0, expected.to_owned()));
    site.answers(answer("403 Forbidden", &[], ""));
    let expected = "robots.txt of http://site\n\
        \x20 request   http://site/robots.txt  403\n\
        \x20 answer    robots are not wanted (restricted): status 403\n\
        \x20 holds     until TIME, 7 days from its retrieval on: the default of the profile\n\
        \x20 now       crawlers may do nothing\n\
        \x20 change    another answer, which is asked for from TIME on\n";
    assert_eq!(user.fetch(&["--profile", "koster-1996"], &site), (1, expected.to_owned()));
    // An outage without a file from before, of which the site says how long it will last.
    let (user, site) = (User::new(), Site::new(answer("503 Service Unavailable", &["Retry-After: 600"], "")));
    for holds in ["an outage, since this attempt at TIME", "an outage of 2 attempts, since TIME"] {
        let expected = format!(
            "robots.txt of http://site\n\
             \x20 request   http://site/robots.txt  503\n\
             \x20 answer    the robots.txt can't be reached (unreachable): status 503\n\
             \x20 holds     {holds}\n\
             \x20 now       crawlers may do nothing\n\
             \x20 change    an answer to the next attempt, from TIME on, as the server asks\n\
             \x20 change    an attempt that fails at TIME or later: then they may do everything\n"
        );
        assert_eq!(user.fetch(&[], &site), (1, expected));
    }
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (status, out, _) = user.robots(&["fetch", &format!("http://{closed}/")]);
    assert!(
        status == 1 && out.contains(&format!("  request   http://{closed}/robots.txt  no answer\n")),
        "{out}"
    );
}

#[test]
fn fetch_tells_what_says_how_long_it_holds() {
    let user = User::new();
    let now = SystemTime::now();
    let date = format!("Date: {}", httpdate::fmt_http_date(now));
    let expires = format!("Expires: {}", httpdate::fmt_http_date(now + Duration::from_secs(7200)));
    for (fields, expected) in [
        (
            &["Cache-Control: max-age=60"][..],
            "until TIME, 1 minute from its retrieval on: Cache-Control: max-age\n",
        ),
        (
            &["Cache-Control: max-age=172800"],
            "until TIME, 24 hours from its retrieval on: Cache-Control: max-age asks for 2 days, which is more than the \
             profile lets it\n",
        ),
        (&[&date, &expires], " from its retrieval on: Expires\n"),
        (&["Cache-Control: no-cache"], "for this moment only: Cache-Control: no-cache\n"),
        (&["Cache-Control: no-store"], "for this moment only: Cache-Control: no-store\n"),
    ] {
        let site = Site::new(file(fields));
        let (status, out) = user.fetch(&[], &site);
        assert!(status == 0 && out.contains(expected), "{fields:?}: {out}");
    }
}

/// A value without what differs from run to run, and its times in order.
fn settled_json(value: &Value, site: &Site) -> (Value, Vec<String>) {
    let text = value.to_string();
    let times = text.split('"').filter(|word| settled(word, site) == "TIME").map(str::to_owned).collect();
    (serde_json::from_str(&settled(&text, site)).unwrap(), times)
}

#[test]
fn fetch_tells_programs_all_it_knows() {
    let fields =
        ["Cache-Control: max-age=600", "ETag: \"1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"];
    let (user, site) = (User::new(), Site::new(file(&fields)));
    let (_, value) = user.json(&["fetch", &site.base]);
    let (settled, times) = settled_json(&value, &site);
    let mut expected = json!({
        "version": 1,
        "site": "http://site",
        "requests": [{ "url": "http://site/robots.txt", "status": 200 }],
        "status": 200,
        "class": "success",
        "cause": null,
        "octets": 54,
        "file": {
            "url": "http://site/robots.txt",
            "octets": 54,
            "dropped": 0,
            "looks_like_html": false,
            "retrieved": "TIME",
            "confirmed": "TIME",
            "etag": "\"1\"",
            "last_modified": "Sun, 06 Nov 1994 08:49:37 GMT",
            "content_type": null,
        },
        "access": "rules",
        "received": "TIME",
        "fresh": true,
        "until": "TIME",
        "next": "TIME",
        "lifetime": 600,
        "asked": 600,
        "basis": "max-age",
        "outage": null,
        "changes": ["another file, which is asked for from TIME on, if it has changed"],
        "profile": "rfc9309",
    });
    assert_eq!(settled, expected);
    let [retrieved, confirmed, received, until, next] = times.try_into().unwrap();
    assert!(retrieved == confirmed && confirmed == received && received < until && until == next);
    // The same site, to which something has happened.
    site.answers(answer("503 Service Unavailable", &["Retry-After: 600"], ""));
    user.json(&["fetch", &site.base]);
    // Times are shown in seconds.
    thread::sleep(Duration::from_millis(1100));
    let (status, value) = user.json(&["fetch", &site.base]);
    let (settled, times) = settled_json(&value, &site);
    for (key, value) in [
        ("requests", json!([{ "url": "http://site/robots.txt", "status": 503 }])),
        ("status", json!(503)),
        ("class", json!("unreachable")),
        ("cause", json!({ "code": "status", "text": "status 503" })),
        ("octets", json!(0)),
        ("file", Value::Null),
        ("access", json!("nothing")),
        ("fresh", json!(false)),
        ("basis", json!("retry-after")),
        ("outage", json!({ "since": "TIME", "last": "TIME", "attempts": 2 })),
        (
            "changes",
            json!([
                "an answer to the next attempt, from TIME on, as the server asks",
                "an attempt that fails at TIME or later: then they may do what the last good file lets them",
            ]),
        ),
    ] {
        expected[key] = value;
    }
    assert_eq!((status, settled), (1, expected));
    let [received, until, next, since, last] = times.clone().try_into().unwrap();
    assert!(since < last && last == received && until == received && received < next, "{times:?}");
    // What a site sends that is larger than is read, and no robots.txt.
    site.answers(answer(
        "200 OK",
        &["Cache-Control: max-age=172800"],
        &"<html><p>0123456789\n".repeat(30_000),
    ));
    let (_, value) = user.json(&["fetch", &site.base]);
    assert_eq!(value["octets"], 512_001);
    assert_eq!(value["file"]["octets"], 512_001);
    assert_eq!(value["file"]["dropped"], 512_001 % 20);
    assert_eq!((&value["file"]["looks_like_html"], &value["outage"]), (&true.into(), &Value::Null));
    assert_eq!((&value["lifetime"], &value["asked"]), (&86_400.into(), &172_800.into()));
}

/// What many sites are asked for on a terminal, which only `script` of Linux gives.
#[test]
#[cfg(target_os = "linux")]
fn progress_is_shown_on_a_terminal_for_many_sites() {
    if Command::new("script").arg("--version").output().is_err() {
        println!("skipped: there is no `script`");
        return;
    }
    let (user, sites) = (User::new(), [Site::new(file(&[])), Site::new(file(&[]))]);
    let on_terminal = |urls: &str| {
        let robots = env!("CARGO_BIN_EXE_robots");
        let command = format!("{robots} check --no-cache -a ExampleBot {urls}");
        let mut script = Command::new("script");
        script.args(["-q", "-e", "-c", &command, "/dev/null"]).env("HOME", user.0.path());
        // Whatever a terminal is called, there are colours on it where `CI` is set.
        script.env("TERM", "dumb").env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
        let output = script.timeout(Duration::from_secs(60)).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let out = on_terminal(&format!("{} {}", sites[0].base, sites[1].base));
    let expected = "\rrobots: 1 of 2 sites\rrobots: 2 of 2 sites\r\x1B[Kallowed";
    assert!(out.starts_with(expected), "{out:?}");
    // One site is no many.
    assert!(on_terminal(&sites[0].base).starts_with("allowed"));
}

#[test]
fn fetch_follows_redirects_and_shows_them() {
    let (user, there) = (User::new(), Site::new(file(&[])));
    let field = format!("Location: {}", there.url("/a/robots.txt"));
    let here = Site::new(answer("301 Moved Permanently", &[&field], ""));
    let (status, out, _) = user.robots(&["fetch", "--no-cache", &here.base]);
    let expected =
        format!("  request   {}/robots.txt  301\n  request   {}/a/robots.txt  200\n", here.base, there.base);
    assert!(status == 0 && out.contains(&expected), "{out}");
    assert!(out.contains("24 hours from its retrieval on: the default of the profile"), "{out}");
    let round = Site::new(answer("302 Found", &["Location: /robots.txt"], ""));
    let (status, value) = user.json(&["fetch", "--no-cache", &round.base]);
    assert_eq!((status, &value["cause"]["code"]), (0, &"redirect-loop".into()));
}

#[test]
fn fetch_speaks_ftp_and_follows_redirects_there() {
    let user = User::new();
    let base = format!("ftp://{}", ftp_server::serve(ftp_server::Fault::None));
    let here = Site::new(answer("302 Found", &[&format!("Location: {base}/robots.txt")], ""));
    let (status, out, err) = user.robots(&["fetch", &format!("{base}/any/page")]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(
        settled(&out, &here).replace(&base, "ftp://site"),
        "robots.txt of ftp://site\n\
         \x20 request   ftp://site/robots.txt  150\n\
         \x20 answer    a file (success)\n\
         \x20 size      33 octets, all of them read\n\
         \x20 holds     until TIME, 24 hours from its retrieval on: the default of the profile\n\
         \x20 now       crawlers may do what the rules let them\n\
         \x20 change    another file, which is asked for from TIME on\n"
    );
    let (status, out, _) = user.robots(&["fetch", &here.base]);
    let expected = format!("  request   {}/robots.txt  302\n  request   {base}/robots.txt  150\n", here.base);
    assert!(status == 0 && out.contains(&expected), "{out}");
    let urls = [here.url("/private"), format!("{base}/")];
    let (status, out, err) = user.robots(&["check", "-a", "ExampleBot", &urls[0], &urls[1]]);
    let expected = format!(
        "disallowed {}  line 2: disallow: /private\nallowed    {}  no rule matches\n",
        urls[0], urls[1]
    );
    assert_eq!((status, out, err), (1, expected, String::new()));
    assert_eq!(here.count(), 1);
}

#[test]
fn fetch_tells_what_an_outage_leads_to() {
    let (user, site) = (User::new(), Site::new(file(&[])));
    assert_eq!(user.robots(&["fetch", &site.base]).0, 0);
    site.answers(answer("503 Service Unavailable", &[], ""));
    let first = user.robots(&["fetch", &site.base]);
    assert_eq!((first.0, first.2.as_str()), (1, ""));
    assert_eq!(
        settled(&first.1, &site),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  503\n\
         \x20 answer    the robots.txt can't be reached (unreachable): status 503\n\
         \x20 holds     an outage, since this attempt at TIME\n\
         \x20 now       crawlers may do nothing\n\
         \x20 change    an answer to the next attempt, from TIME on\n\
         \x20 change    an attempt that fails at TIME or later: then they may do what the last good file lets them\n"
    );
    let (_, value) = user.json(&["fetch", &site.base]);
    assert_eq!((&value["outage"]["attempts"], &value["lifetime"]), (&2.into(), &120.into()));
    // The old draft knows robots that are not wanted.
    site.answers(answer("403 Forbidden", &[], ""));
    let (status, out, _) = user.robots(&["fetch", "--profile", "koster-1996", &site.base]);
    assert!(status == 1 && out.contains("robots are not wanted (restricted): status 403"), "{out}");
    let (status, out, _) = user.robots(&["fetch", &site.base]);
    assert!(status == 0 && out.contains("there is no robots.txt (unavailable): status 403"), "{out}");
}

#[test]
fn fetch_tells_of_pages_and_of_what_is_cut() {
    let user = User::new();
    let page = Site::new(answer("200 OK", &[], "<!DOCTYPE html><title>Oops</title>"));
    assert!(user.robots(&["fetch", &page.base]).1.contains("  note      it looks like a page of HTML\n"));
    let large =
        Site::new(answer("200 OK", &["Cache-Control: no-store"], &"Disallow: /0123456789\n".repeat(30_000)));
    let (_, out, _) = user.robots(&["fetch", &large.base]);
    // 23,272 lines of 22 octets are the last whole ones in 512,000 octets.
    assert!(
        out.contains("more than is read: the first 511984 octets count, and no line that is cut"),
        "{out}"
    );
    assert!(out.contains("for this moment only: Cache-Control: no-store"), "{out}");
}

#[test]
fn private_addresses_are_refused_where_that_is_asked_for() {
    let (user, site) = (User::new(), Site::new(file(&[])));
    let (status, value) = user.json(&["fetch", "--public-only", &site.base]);
    assert_eq!((status, &value["cause"]["code"], site.count()), (1, &"refused-address".into(), 0));
}

#[test]
fn a_cache_that_is_damaged_or_in_use_is_told_and_stops_nobody() {
    let (user, site) = (User::new(), Site::new(file(&[])));
    let folder = user.0.path().join("cache");
    let store = folder.join("robots.redb");
    let url = site.url("/");
    let args = ["check", "-a", "ExampleBot", "--cache", folder.to_str().unwrap(), &url];
    fs::create_dir_all(&folder).unwrap();
    fs::write(&store, "this is no store".repeat(1000)).unwrap();
    let (status, _, err) = user.robots(&args);
    assert_eq!(status, 0);
    let start = format!("robots: note: store `{}` is damaged or not a store: ", store.display());
    assert!(err.starts_with(&start) && err.ends_with("; a new one is begun\n"), "{err}");
    assert_eq!(user.robots(&args).2, "");
    assert_eq!(site.count(), 1);
    let open = robots_fetch::Disk::open(&store, Default::default(), Default::default()).unwrap();
    let (status, _, err) = user.robots(&args);
    let expected = format!("robots: note: store `{}` is in use; nothing is kept\n", store.display());
    assert_eq!((status, err, site.count()), (0, expected, 2));
    drop(open);
    // A folder that can't be.
    let (status, out, err) = user.robots(&["check", "-a", "x", "--cache", store.to_str().unwrap(), &url]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(
        err.starts_with(&format!("robots: error: store `{}/robots.redb` failed: ", store.display())),
        "{err}"
    );
}

#[test]
fn what_is_wrong_is_told_before_a_site_is_asked() {
    let (user, site) = (User::new(), Site::new(file(&[])));
    let url = site.url("/");
    for (args, expected) in [
        (&["fetch"][..], "no URL is given"),
        (&["fetch", "example.com"], "`example.com` has no scheme; did you mean `https://example.com`?"),
        (&["fetch", "mailto:a@example.com"], "scheme `mailto` is not supported; use http, https or ftp"),
        (&["fetch", &url, "--timeout", "soon"], "`soon` is no number of seconds between 0 and 86400"),
        (
            &["fetch", &url, "--profile", "x"],
            "there is no profile `x`; there are rfc9309, draft-koster-rep-00, google, koster-1996",
        ),
        (&["fetch", &url, &url], &format!("unexpected argument \"{url}\"")),
        (
            &["check", "-a", "x", &url, "/a"],
            "`/a` is not an absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (&["check", &url], "no crawler is given; name it by --agent TOKEN"),
        (
            &["explain", "-a", "x", "/a"],
            "`/a` is not an absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (&["lint", "--no-cache", &url], "invalid option '--no-cache'"),
    ] {
        let (status, out, err) = user.robots(args);
        assert_eq!(
            (status, out.as_str(), err.as_str()),
            (2, "", format!("robots: error: {expected}\n").as_str())
        );
    }
    assert_eq!(user.robots(&["fetch", "--help"]).1, user.robots(&["help", "fetch"]).1);
    assert_eq!(site.count(), 0);
}

#[test]
fn explain_asks_the_site_and_tells_what_it_answers() {
    let (user, site) = (User::new(), Site::new(file(&["Cache-Control: max-age=3600"])));
    let urls = [site.url("/private/open"), site.url("/private/x"), site.url("/robots.txt")];
    let args = ["explain", "-a", "ExampleBot", &urls[0], &urls[1], &urls[2]];
    let (status, out, err) = user.robots(&args);
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(
        settled(&out, &site),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  200\n\
         \x20 answer    a file (success)\n\
         \x20 size      54 octets, all of them read\n\
         \x20 holds     until TIME, 1 hour from its retrieval on: Cache-Control: max-age\n\
         \x20 now       crawlers may do what the rules let them\n\
         \x20 change    another file, which is asked for from TIME on\n\
\n\
         allowed: http://site/private/open for `ExampleBot`\n\
         \x20--> http://site/robots.txt:3:8\n\
         \x20 |\n\
         1 | User-agent: *\n\
         \x20 |             - stands for every crawler\n\
         2 | Disallow: /private\n\
         \x20 |           -------- matches, but is shorter (8 octets), and the longest rule decides\n\
         3 | Allow: /private/open\n\
         \x20 |        ^^^^^^^^^^^^^ decides: the longest of the rules that match (13 octets)\n\
         \x20 |\n\
         \x20 = patterns are compared with `/private/open`, the path of the URL\n\
         \x20 = no group names `ExampleBot`, so the one for `*` applies (line 1)\n\
         \x20 = this is the answer of crawlers that go by today's standard (rfc9309)\n\
         \x20 = for old software that goes by the draft of 1996 (koster-1996) it is disallowed, by line 2 (`/private`)\n\
\n\
         disallowed: http://site/private/x for `ExampleBot`\n\
         \x20--> http://site/robots.txt:2:11\n\
         \x20 |\n\
         1 | User-agent: *\n\
         \x20 |             - stands for every crawler\n\
         2 | Disallow: /private\n\
         \x20 |           ^^^^^^^^ decides: the only rule that matches\n\
         \x20 |\n\
         \x20 = patterns are compared with `/private/x`, the path of the URL\n\
         \x20 = no group names `ExampleBot`, so the one for `*` applies (line 1)\n\
         \x20 = this is the answer of crawlers that go by today's standard (rfc9309)\n\
         \x20 = other readers answer the same (draft-koster-rep-00, google, koster-1996)\n\
\n\
         allowed: http://site/robots.txt for `ExampleBot`\n\
         \x20--> http://site/robots.txt:1:13\n\
         \x20 |\n\
         1 | User-agent: *\n\
         \x20 |             - stands for every crawler\n\
         \x20 |\n\
         \x20 = `/robots.txt` itself may always be fetched, whatever it says\n\
         \x20 = no group names `ExampleBot`, so the one for `*` applies (line 1)\n\
         \x20 = this is the answer of crawlers that go by today's standard (rfc9309)\n\
         \x20 = other readers answer the same (draft-koster-rep-00, google, koster-1996)\n"
    );
    // What is kept is used, as it is by `check`.
    assert_eq!(user.robots(&args).0, 1);
    assert_eq!(user.robots(&["check", "-a", "ExampleBot", &urls[0]]).0, 0);
    assert_eq!(site.count(), 1);
    let (status, value) = user.json(&args);
    assert_eq!((status, &value["robots"], value["sites"].as_array().unwrap().len()), (1, &Value::Null, 1));
    assert_eq!(value["sites"][0]["requests"][0]["status"], 200);
    let explained = &value["explanations"];
    assert_eq!((&explained[0]["site"], &explained[0]["line"]), (&site.base.clone().into(), &3.into()));
    assert_eq!((&explained[1]["allowed"], &explained[1]["reason"]), (&false.into(), &"rule".into()));
    assert_eq!(explained[2]["reason"], "robots-txt");
    assert_eq!(value["explanations"][1]["profiles"].as_array().unwrap().len(), 4);
}

#[test]
fn explain_tells_what_holds_without_a_file() {
    let user = User::new();
    let none = Site::new(answer("403 Forbidden", &[], ""));
    let (status, out, _) = user.robots(&["explain", "--no-cache", "-a", "ExampleBot", &none.url("/a")]);
    assert_eq!(status, 0);
    assert_eq!(
        settled(&out, &none),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  403\n\
         \x20 answer    there is no robots.txt (unavailable): status 403\n\
         \x20 holds     until TIME, 24 hours from its retrieval on: the default of the profile\n\
         \x20 now       crawlers may do everything\n\
         \x20 change    a robots.txt at the site, which is asked for from TIME on\n\
         \n\
         allowed: http://site/a for `ExampleBot`\n\
         \x20 |\n\
         \x20 = the site gives no robots.txt (status 403); that counts as having none, so everything may be accessed\n\
         \x20 = this is the answer of crawlers that go by today's standard (rfc9309)\n\
         \x20 = to old software that goes by the draft of 1996 (koster-1996) the answer says that crawlers are not wanted: nothing may be accessed\n"
    );
    let failing = Site::new(answer("503 Service Unavailable", &[], ""));
    let url = failing.url("/a");
    let args = ["explain", "--no-cache", "-a", "ExampleBot", &url];
    let (status, out, _) = user.robots(&args);
    assert_eq!(status, 1);
    assert_eq!(
        settled(&out, &failing),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  503\n\
         \x20 answer    the robots.txt can't be reached (unreachable): status 503\n\
         \x20 holds     an outage, since this attempt at TIME\n\
         \x20 now       crawlers may do nothing\n\
         \x20 change    an answer to the next attempt, from TIME on\n\
         \x20 change    an attempt that fails at TIME or later: then they may do everything\n\
         \n\
         disallowed: http://site/a for `ExampleBot`\n\
         \x20 |\n\
         \x20 = the robots.txt can't be had (status 503); until it can, nothing may be accessed, for nobody knows what it says\n\
         \x20 = this is the answer of crawlers that go by today's standard (rfc9309)\n"
    );
    let (_, value) = user.json(&args);
    let explained = &value["explanations"][0];
    assert_eq!((&explained["allowed"], &explained["reason"]), (&false.into(), &"nothing".into()));
    assert_eq!((&explained["path"], &explained["groups"]), (&"/a".into(), &Value::Array(Vec::new())));
    // The draft of 1996 takes the same answer for another.
    let (status, value) =
        user.json(&["explain", "--no-cache", "-p", "koster-1996", "-a", "ExampleBot", &none.url("/a")]);
    assert_eq!((status, &value["sites"][0]["class"]), (1, &"restricted".into()));
    let allowed = |profile: usize| value["explanations"][0]["profiles"][profile]["allowed"].clone();
    assert_eq!([0, 1, 2, 3].map(allowed), [true, true, true, false].map(Value::from));
    // No status, nothing to tell of others.
    let closed = format!("http://{}/", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let (status, value) = user.json(&["explain", "--no-cache", "-a", "ExampleBot", &closed]);
    assert_eq!((status, &value["explanations"][0]["profiles"]), (1, &Value::Array(Vec::new())));
}

#[test]
fn lint_asks_the_site() {
    let user = User::new();
    let there = Site::new(answer(
        "200 OK",
        &["Content-Type: text/html"],
        "User-agent: *\nDisallow: /maps\nSitemap: BASE/maps/a.xml\n",
    ));
    let here =
        Site::new(answer("301 Moved Permanently", &[&format!("Location: {}", there.url("/r.txt"))], ""));
    let body = format!("User-agent: *\nDisallow: /maps\nSitemap: {}/maps/a.xml\n", here.base);
    there.answers(answer("200 OK", &["Content-Type: text/html"], &body));
    let page = here.url("/any/page");
    for count in 1..3 {
        let (status, value) = user.json(&["lint", &page]);
        assert_eq!((status, here.count()), (1, count));
        let file = &value["files"][0];
        assert_eq!((&file["file"], &file["asked"]), (&there.url("/r.txt").into(), &page.clone().into()));
        let codes: Vec<&str> = file["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["code"].as_str().unwrap())
            .collect();
        // A rule is about the site that was asked, whose sitemap this is.
        assert_eq!(codes, ["content-type", "sitemap-disallowed"]);
    }
    assert!(!user.caches().exists());
    let (_, out, err) = user.robots(&["lint", &page]);
    let expected = format!(
        "warning[content-type]: the file is served as `text/html`\n --> {}:1:1\n",
        there.url("/r.txt")
    );
    assert!(out.starts_with(&expected) && err.is_empty(), "{out}");
    let (_, log, _) = user.robots(&["lint", "--format", "sarif", &page]);
    let log: Value = serde_json::from_str(&log).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], there.url("/r.txt"));
    // A file that is larger than crawlers read is read on.
    there.answers(answer("200 OK", &[], &"# 0123456789\n".repeat(40_000)));
    let (_, out, _) = user.robots(&["lint", &page]);
    assert!(out.contains("readers read 512000 octets of this file of 520000: no rule is lost"), "{out}");
}

#[test]
fn lint_tells_where_there_is_no_file() {
    let user = User::new();
    for (status, told) in [
        ("404 Not Found", "has no robots.txt (status 404): crawlers may access everything"),
        ("500 Oops", "can't be had (status 500): crawlers may access nothing"),
    ] {
        let site = Site::new(answer(status, &[], ""));
        let (status, out, err) = user.robots(&["lint", &site.base]);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(err.ends_with(&format!("{told}\n")) && err.contains(&site.base), "{err}");
    }
    let private = Site::new(file(&[]));
    let (status, _, err) = user.robots(&["lint", "--public-only", &private.base]);
    assert!(status == 2 && err.contains("can't be had (") && private.count() == 0, "{err}");
}
