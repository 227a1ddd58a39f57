//! The `robots` command, as a shell sees it: `fetch`, and `check` that asks sites. The sites are on this machine.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

extern crate alloc;

use alloc::sync::Arc;
use core::time::Duration;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use assert_cmd::Command;
use serde_json::Value;
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
        command.env("LOCALAPPDATA", self.caches());
        let output = command.args(args).timeout(Duration::from_secs(60)).output().unwrap();
        let text = |octets: Vec<u8>| String::from_utf8(octets).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn json(&self, args: &[&str]) -> (i32, Value) {
        let (status, out, err) = self.robots(&[args, &["--format", "json"]].concat());
        assert_eq!(err, "");
        (status, serde_json::from_str(&out).unwrap())
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
        lines.iter().zip(urls.iter().zip(["status 503", "no answer in time", "no connection"]))
    {
        let start = format!("disallowed {url}  the robots.txt can't be had: {why}");
        assert!(line.starts_with(&start), "{line}");
    }
    // The pause before the next attempt is kept, too.
    assert_eq!(user.robots(&args).1, out);
    assert_eq!((site.count(), silent.count()), (1, 1));
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
    let (status, value) = user.json(&["fetch", &site.base]);
    assert_eq!((status, &value["status"], &value["access"]), (0, &304.into(), &"rules".into()));
    assert!(site.asked.lock().unwrap()[1].to_ascii_lowercase().contains("\r\nif-none-match: \"1\"\r\n"));
    assert_eq!(value["profile"], "rfc9309");
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
    let start = format!("robots: note: store `{}` is damaged or none: ", store.display());
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
        (&["fetch", "example.com"], "`example.com` is no absolute URL: relative URL without a base"),
        (&["fetch", "mailto:a@example.com"], "scheme `mailto` is none of http, https and ftp"),
        (&["fetch", &url, "--timeout", "soon"], "`soon` is no number of seconds between 0 and 86400"),
        (
            &["fetch", &url, "--profile", "x"],
            "there is no profile `x`; there are rfc9309, draft-koster-rep-00, google, koster-1996",
        ),
        (&["fetch", &url, &url], &format!("unexpected argument \"{url}\"")),
        (
            &["check", "-a", "x", &url, "/a"],
            "`/a` is no absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (&["check", &url], "no crawler is given; name it by --agent TOKEN"),
        (&["explain", "-a", "x", "--no-cache", "--robots", "-", "/"], "invalid option '--no-cache'"),
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
