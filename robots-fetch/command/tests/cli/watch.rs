//! `robots watch`, and `robots diff` with two User-Agent headers.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use serde_json::Value;

use crate::command::folder;
#[cfg(unix)]
use crate::command::{ON_FULL_DISK, on_full_disk};
use crate::site::{Site, User, answer};
use robots_conformance::testing::schema::against;

fn ok(body: &str) -> String {
    answer("200 OK", &[], body)
}

/// A site that is watched.
struct Watched {
    user: User,
    site: Site,
    folder: String,
}

impl Watched {
    fn new(name: &str, first: String) -> Self {
        let folder = folder(name).join("history").to_str().unwrap().to_owned();
        Self { user: User::new(), site: Site::new(first), folder }
    }

    fn run(&self, args: &[&str]) -> (i32, Value) {
        let args = [&["watch", "--format", "json"], args, &[&self.folder, &self.site.base]].concat();
        let (status, out, err) = self.user.robots(&args);
        assert_eq!(err, "");
        let value: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(against("watch.json", &value), [""; 0]);
        (status, value["sites"][0].clone())
    }
}

#[cfg(unix)]
impl Watched {
    /// Returns the folder of the site.
    fn own(&self) -> std::path::PathBuf {
        fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.is_dir())
            .unwrap()
    }

    fn copies(&self) -> Vec<std::path::PathBuf> {
        let files = fs::read_dir(self.own()).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|end| end == "txt")).collect()
    }
}

#[test]
fn changes_since_the_last_run_have_a_severity() {
    let watched = Watched::new("watch-severity", ok("User-agent: *\nDisallow: /a\n"));
    struct Case {
        answer: String,
        status: i32,
        severity: &'static str,
        change: Option<&'static str>,
    }
    let cases = [
        Case { answer: String::new(), status: 0, severity: "none", change: None },
        Case {
            answer: ok("# new\nUser-agent: *\nDisallow: /a\n"),
            status: 0,
            severity: "low",
            change: Some("text"),
        },
        Case {
            answer: ok("User-agent: *\nDisallow: /ab\n"),
            status: 0,
            severity: "medium",
            change: Some("newly-allowed"),
        },
        Case {
            answer: ok("User-agent: *\nDisallow: /a\n"),
            status: 1,
            severity: "high",
            change: Some("newly-disallowed"),
        },
        Case {
            answer: ok("User-agent: *\nDisallow: /\n"),
            status: 1,
            severity: "critical",
            change: Some("newly-disallowed"),
        },
        Case {
            answer: answer("404 Not Found", &[], ""),
            status: 1,
            severity: "high",
            change: Some("newly-allowed"),
        },
        Case {
            answer: answer("503 Service Unavailable", &[], ""),
            status: 2,
            severity: "high",
            change: Some("newly-disallowed"),
        },
        // After an outage, the file is compared with the answer before it.
        Case {
            answer: ok("User-agent: *\nDisallow: /a\n"),
            status: 1,
            severity: "high",
            change: Some("newly-disallowed"),
        },
        Case {
            answer: answer("503 Service Unavailable", &[], ""),
            status: 2,
            severity: "high",
            change: Some("newly-disallowed"),
        },
        Case { answer: String::new(), status: 2, severity: "high", change: None },
        Case {
            answer: ok("User-agent: *\nDisallow: /\n"),
            status: 1,
            severity: "critical",
            change: Some("newly-disallowed"),
        },
        Case {
            answer: answer("503 Service Unavailable", &[], ""),
            status: 2,
            severity: "high",
            change: Some("status"),
        },
        Case {
            answer: ok("User-agent: *\nDisallow: /\n"),
            status: 0,
            severity: "medium",
            change: Some("status"),
        },
    ];
    assert_eq!(watched.run(&[]).1["first"], true);
    for Case { answer, status, severity, change } in cases {
        if !answer.is_empty() {
            watched.site.answers(answer.clone());
        }
        let (found, site) = watched.run(&[]);
        assert_eq!((found, &site["severity"]), (status, &severity.into()), "{answer}: {site:#}");
        assert_eq!(site["changes"][0]["change"].as_str(), change, "{answer}");
    }
    let own = fs::read_dir(&watched.folder).unwrap().next().unwrap().unwrap().path();
    let log = fs::read_to_string(own.join("log.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 14);
    // Each version is kept once in a row, and is what the site sent.
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    let copy = own.join(last["file"].as_str().unwrap());
    assert_eq!(fs::read_to_string(copy).unwrap(), "User-agent: *\nDisallow: /\n");
    // Without its log, the next run would look like the first one.
    fs::write(own.join("log.jsonl"), "").unwrap();
    let (status, _, err) = watched.user.robots(&["watch", &watched.folder, &watched.site.base]);
    assert!(status == 2 && err.contains("it has no run, and there are copies beside it"), "{err}");
}

#[test]
fn the_change_that_fails_is_chosen_and_the_history_is_a_page() {
    let watched = Watched::new("watch-deny", ok("User-agent: <b>\nDisallow: /\n"));
    let page = folder("watch-page").join("history.html");
    watched.run(&[]);
    watched.site.answers(ok("User-agent: <b>\nDisallow: /x\nUser-agent: *\nDisallow: /y\n"));
    let (status, site) =
        watched.run(&["--deny", "low", "--html", page.to_str().unwrap(), "-a", "ExampleBot"]);
    assert_eq!((status, &site["changes"][0]["crawlers"]), (1, &serde_json::json!(["ExampleBot"])));
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches(">first run<").count(), 1, "{html}");
    assert!(html.contains("newly disallowed for ExampleBot: /y") && html.contains("2 runs, from "), "{html}");
    assert!(!html.contains("<b>"));
    let (_, out, _) = watched.user.robots(&["watch", &watched.folder, &watched.site.base]);
    assert!(
        out.starts_with("none      http://127.0.0.1:") && out.contains(": nothing has changed since 20"),
        "{out}"
    );
}

#[test]
fn runs_of_one_outage_have_one_row_in_the_history() {
    let watched = Watched::new("watch-outage", ok("User-agent: *\nDisallow: /a\n"));
    let page = folder("watch-outage-page").join("history.html");
    watched.run(&[]);
    watched.site.answers(answer("503 Service Unavailable", &[], ""));
    for _ in 0..4 {
        watched.run(&["--html", page.to_str().unwrap()]);
    }
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches("<tr><th scope=\"row\"").count(), 2, "{html}");
    let answer =
        ">robots.txt is unreachable (status 503): nothing is allowed; the same in the next 3 runs, until 2";
    assert!(html.contains(answer), "{html}");
}

#[test]
fn a_damaged_log_is_an_error_that_names_the_line() {
    let watched = Watched::new("watch-damaged", ok("User-agent: *\n"));
    watched.run(&[]);
    let own = fs::read_dir(&watched.folder).unwrap().next().unwrap().unwrap().path().join("log.jsonl");
    let text = fs::read_to_string(&own).unwrap();
    fs::write(&own, format!("{text}half")).unwrap();
    let (status, _, err) = watched.user.robots(&["watch", &watched.folder, &watched.site.base]);
    assert!(status == 2 && err.contains("log.jsonl: line 2 is not a run ("), "{err}");
}

#[cfg(unix)]
#[test]
fn links_and_pipes_in_the_folder_of_a_site_are_not_followed() {
    let watched = Watched::new("watch-links", ok("User-agent: *\n"));
    watched.run(&[]);
    let own = watched.own();
    let (log, target) = (own.join("log.jsonl"), own.parent().unwrap().join("target"));
    let text = fs::read_to_string(&log).unwrap();
    let refused = |path: &std::path::Path, why: &str| {
        let (status, out, err) = watched.user.robots(&["watch", &watched.folder, &watched.site.base]);
        assert!(status == 2 && out.is_empty() && err.lines().count() == 1, "{out}{err}");
        assert!(err.ends_with(&format!("{}: {why}\n", path.display())), "{err}");
    };
    for content in [None, Some(""), Some(text.as_str())] {
        fs::remove_file(&log).unwrap();
        if let Some(content) = content {
            fs::write(&target, content).unwrap();
        }
        std::os::unix::fs::symlink(&target, &log).unwrap();
        refused(&log, "is a link");
        assert_eq!(fs::read_to_string(&target).ok().as_deref(), content);
    }
    fs::remove_file(&log).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&log).status().unwrap().success());
    refused(&log, "is not a regular file");
    // A copy.
    fs::remove_file(&log).unwrap();
    fs::write(&log, &text).unwrap();
    let copy = watched.copies().remove(0);
    fs::rename(&copy, &target).unwrap();
    std::os::unix::fs::symlink(&target, &copy).unwrap();
    watched.site.answers(ok("User-agent: *\nDisallow: /a\n"));
    refused(&copy, "is a link");
    assert_eq!((fs::read_to_string(&log).unwrap(), watched.copies()), (text, vec![copy]));
}

#[cfg(unix)]
#[test]
fn a_run_on_a_full_disk_prevents_no_later_run() {
    let long = ok(&("User-agent: *\n".to_owned() + &"Disallow: /a\n".repeat(100)));
    let watched = Watched::new("watch-full", long);
    let on_full_disk = |name: &str| {
        let (status, out, err) = on_full_disk(&["watch", &watched.folder, &watched.site.base]);
        assert!(status == 2 && out.is_empty() && err.lines().count() == 1, "{out}{err}");
        assert!(err.contains("can't write ") && err.contains(name), "{err}");
    };
    // The copy does not fit.
    on_full_disk(".txt: ");
    assert_eq!(watched.copies().len(), 0);
    watched.run(&[]);
    assert_eq!(watched.copies().len(), 1);
    // The copy fits, and only a part of the run.
    watched.site.answers(ok("User-agent: *\n"));
    let log = watched.own().join("log.jsonl");
    let mut text = fs::read_to_string(&log).unwrap();
    assert!(text.len() < ON_FULL_DISK);
    text.push_str(&"\n".repeat(ON_FULL_DISK - 10 - text.len()));
    fs::write(&log, &text).unwrap();
    on_full_disk("log.jsonl: ");
    assert_eq!((fs::read_to_string(&log).unwrap(), watched.copies().len()), (text, 1));
    assert_eq!(watched.run(&[]).1["severity"], "medium");
    assert_eq!((watched.copies().len(), fs::read_dir(watched.own()).unwrap().count()), (2, 3));
}

#[test]
fn two_user_agents_get_the_file_of_each() {
    let (user, site) = (User::new(), Site::new(ok("User-agent: *\nDisallow: /a\n")));
    let (status, _, err) = user.robots(&[
        "diff",
        "--user-agent-old",
        "Mozilla/5.0",
        "--user-agent-new",
        "ExampleBot/1.0",
        &site.base,
    ]);
    assert_eq!((status, err.as_str()), (0, ""));
    let asked = site.asked.lock().unwrap().clone();
    assert!(
        asked.iter().any(|head| head.to_ascii_lowercase().contains("user-agent: mozilla/5.0\r\n")),
        "{asked:?}"
    );
    assert!(
        asked.iter().any(|head| head.to_ascii_lowercase().contains("user-agent: examplebot/1.0\r\n")),
        "{asked:?}"
    );
}

#[test]
fn a_page_in_place_of_the_file_is_severe_and_an_invalid_site_loses_no_other() {
    let watched = Watched::new("watch-page-instead", ok("User-agent: *\nDisallow: /a\n"));
    watched.run(&[]);
    watched.site.answers(ok("<!doctype html><title>Sign in</title>"));
    let (status, site) = watched.run(&[]);
    assert_eq!((status, &site["severity"]), (1, &"high".into()));
    let args = ["watch", &*watched.folder, "https://a b", &watched.site.base];
    let (status, out, err) = watched.user.robots(&args);
    assert!(status == 2 && err.contains("`a b` is not valid"), "{err}");
    // It is not new, and still not a robots.txt file.
    assert!(out.starts_with("low       http://127.0.0.1:"), "{out}");
    // The first run has nothing to compare with.
    for answer in [ok("<!doctype html><title>Sign in</title>"), answer("403 Forbidden", &[], "")] {
        let watched = Watched::new("watch-page-first", answer);
        let (status, site) = watched.run(&[]);
        assert_eq!((status, &site["severity"]), (1, &"high".into()), "{site}");
    }
}

#[test]
fn an_address_is_watched_beside_the_name() {
    let (user, origin) = (User::new(), Site::new(ok("User-agent: *\nDisallow: /new\n")));
    let folder = folder("watch-resolve").join("history");
    let folder = folder.to_str().unwrap();
    let port = origin.base.rsplit(':').next().unwrap();
    // Another server at the same port of another address.
    let other = TcpListener::bind(format!("127.0.0.2:{port}")).unwrap();
    thread::spawn(move || {
        for stream in other.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(ok("User-agent: *\nDisallow: /new\nDisallow: /more\n").as_bytes());
        }
    });
    let site = format!("http://localhost:{port}");
    let resolve = format!("localhost:{port}:127.0.0.2");
    let (_, out, err) = user.robots(&[
        "fetch",
        "--resolve",
        &format!("site.example:{port}:127.0.0.1"),
        &format!("http://site.example:{port}"),
    ]);
    assert!(out.contains("answer    a file"), "{out}{err}");
    let (status, out, err) =
        user.robots(&["watch", "--format", "json", "--resolve", &resolve, folder, &site]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(against("watch.json", &value), [""; 0]);
    assert_eq!((status, err.as_str()), (0, ""));
    let sites = value["sites"].as_array().unwrap();
    assert_eq!((&sites[0]["address"], &sites[1]["address"]), (&Value::Null, &"127.0.0.2".into()));
    assert_eq!((&sites[0]["severity"], &sites[1]["severity"]), (&"none".into(), &"medium".into()));
    let unlike = &sites[1]["unlike"][0];
    assert_eq!((&unlike["change"], &unlike["path"]), (&"newly-disallowed".into(), &"/more".into()));
    // What differed in the last run, too, is shown and is not severe again.
    let (status, out, _) = user.robots(&["watch", "--deny", "medium", "--resolve", &resolve, folder, &site]);
    assert!(
        status == 0 && out.contains("  differs from the named site: newly disallowed for *: /more"),
        "{out}"
    );
    let (status, _, err) = user.robots(&["watch", "--resolve", "localhost:80", folder, &site]);
    assert!(status == 2 && err.contains("expected HOST:PORT:ADDRESS"), "{err}");
    // An address and a port have no variants, which is said.
    let (status, _, err) = user.robots(&["watch", "--variants", folder, &origin.base]);
    assert!(status == 0 && err.contains(" has no variants: only names such as "), "{err}");
}
