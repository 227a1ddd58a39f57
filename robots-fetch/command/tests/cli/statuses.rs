//! Exit statuses: for one state of a site or a file, all commands have the same.

use core::time::Duration;
use std::fs;
use std::path::Path;
use std::thread;

use crate::command::{file, folder, outcome};
use crate::site::{User, answer, served};

/// The commands about a site, with what each needs.
fn commands<'a>(site: &'a str, page: &'a str, wanted: &'a str) -> [Vec<&'a str>; 7] {
    [
        vec!["check", "--no-cache", "-a", "ExampleBot", page],
        vec!["explain", "--no-cache", "-a", "ExampleBot", page],
        vec!["fetch", "--no-cache", site],
        vec!["crawlers", site],
        vec!["audit", "-a", "ExampleBot", site],
        vec!["diff", site, site],
        vec!["expect", wanted, site],
    ]
}

/// A state of a site, the part of a note that names it, and the statuses of the commands in their order.
struct State {
    name: &'static str,
    /// The URL of the site.
    site: String,
    said: &'static str,
    statuses: [i32; 7],
}

fn site(response: String) -> String {
    served(move |_, _, stream| {
        let _ = std::io::Write::write_all(stream, response.as_bytes());
        // The client reads the response before the connection is reset.
        thread::sleep(Duration::from_millis(1));
    })
}

/// Redirects without an end: each request leads to another path.
fn endless() -> String {
    served(|base, head, stream| {
        let path = crate::site::path_of(head);
        let response = answer("302 Found", &[&format!("Location: {base}{path}x")], "");
        let _ = std::io::Write::write_all(stream, response.as_bytes());
    })
}

#[test]
fn one_state_has_one_status() {
    const UNANSWERED: [i32; 7] = [2; 7];
    // Nothing is wanted of a file that is not a robots.txt file, so `expect` has no answer.
    const OTHER: [i32; 7] = [0, 0, 0, 0, 0, 0, 2];
    let user = User::new();
    let folder = folder("statuses");
    let wanted = folder.join("robots.expect.toml");
    fs::write(&wanted, "[[expect]]\ncrawlers = ['ExampleBot']\nurls = ['/a']\naccess = 'allowed'\n").unwrap();
    let wanted = wanted.to_str().unwrap();
    let of = |status: &str, body: &str| site(answer(status, &[], body));
    let states = [
        State {
            name: "rules",
            site: of("200 OK", "User-agent: *\nDisallow: /b\n"),
            said: "",
            statuses: [0; 7],
        },
        State { name: "no file", site: of("404 Not Found", ""), said: "404", statuses: [0; 7] },
        State { name: "refused", site: of("403 Forbidden", ""), said: "refuse", statuses: [0; 7] },
        State { name: "page", site: of("200 OK", "<!doctype html><p>Hi"), said: "HTML", statuses: OTHER },
        State { name: "json", site: of("200 OK", "{\"a\": 1}"), said: "JSON", statuses: OTHER },
        State { name: "image", site: of("200 OK", "GIF89a\u{1}"), said: "GIF", statuses: OTHER },
        State {
            name: "rules without a group",
            site: of("200 OK", "Disallow: /b\n"),
            said: "no group",
            statuses: [0; 7],
        },
        State {
            name: "page with rules without a group",
            site: of("200 OK", "<!doctype html><pre>\nDisallow: /b\n</pre>"),
            said: "no group",
            statuses: OTHER,
        },
        State {
            name: "loop",
            site: served(|base, _, stream| {
                let response = answer("302 Found", &[&format!("Location: {base}/robots.txt")], "");
                let _ = std::io::Write::write_all(stream, response.as_bytes());
            }),
            said: "redirect",
            statuses: [0; 7],
        },
        State { name: "endless", site: endless(), said: "redirect", statuses: [0; 7] },
        State {
            name: "redirect to a closed port",
            site: site(answer("301 Moved", &["Location: http://127.0.0.1:1/robots.txt"], "")),
            said: "connect",
            statuses: UNANSWERED,
        },
        State { name: "error", site: of("503 Service Unavailable", ""), said: "503", statuses: UNANSWERED },
        State { name: "limit", site: of("429 Too Many Requests", ""), said: "429", statuses: UNANSWERED },
        State { name: "no host", site: "http://host.invalid".to_owned(), said: "host", statuses: UNANSWERED },
        State {
            name: "no server",
            site: "http://127.0.0.1:1".to_owned(),
            said: "connect",
            statuses: UNANSWERED,
        },
    ];
    for State { name, site, said, statuses } in &states {
        let page = format!("{site}/a");
        for (args, expected) in commands(site, &page, wanted).iter().zip(statuses) {
            let (status, out, err) = user.robots(args);
            assert_eq!(status, *expected, "{name} {args:?}\n{out}{err}");
            let all = format!("{out}{err}");
            assert!(all.contains(said), "{name} {args:?}\n{all}");
        }
    }
}

#[test]
fn a_failure_names_the_url_to_which_a_redirect_led() {
    let (user, folder) = (User::new(), folder("led"));
    let wanted = folder.join("wanted.toml");
    fs::write(&wanted, "[[expect]]\ncrawlers = ['x']\nurls = ['/a']\naccess = 'allowed'\n").unwrap();
    let wanted = wanted.to_str().unwrap();
    let site = site(answer("301 Moved", &["Location: http://127.0.0.1:1/robots.txt"], ""));
    let page = format!("{site}/a");
    for args in [
        &["check", "--no-cache", "-a", "x", &page][..],
        &["explain", "--no-cache", "-a", "x", &page],
        &["fetch", "--no-cache", &site],
        &["crawlers", "-a", "x", &site],
        &["diff", &site, wanted],
        &["expect", wanted, &site],
        &["page", "--no-cache", "-a", "x", &page],
        &["write", "--block", "x", "--into", &site],
        &["lint", &site],
    ] {
        let (_, out, err) = user.robots(args);
        assert!(format!("{out}{err}").contains("http://127.0.0.1:1/robots.txt"), "{args:?} {out}{err}");
    }
}

#[test]
fn options_without_effect_are_refused() {
    let folder = folder("without-effect");
    let path = folder.join("robots.txt");
    fs::write(&path, "User-agent: *\nDisallow: /a\n").unwrap();
    let path = path.to_str().unwrap();
    let wanted = folder.join("wanted.toml");
    fs::write(&wanted, "[[expect]]\ncrawlers = ['*']\nurls = ['/']\naccess = 'allowed'\n").unwrap();
    let wanted = wanted.to_str().unwrap();
    // Each command, and what it says.
    let refused: [(&[&str], &str); 5] = [
        (&["lint", "--list", "--format", "json"], "`--list` can't be used with"),
        (&["lint", "--explain", "blocks-all", "--fix"], "`--explain <CODE>` can't be used with"),
        (&["lint", "--expect", wanted, "-e", "nope", path], "has no environment `nope`"),
        (&["audit", "--max-urls", "5", path], "missing `--sitemaps`"),
        (&["diff", "--against", "google", "-p", "google", path], "compared with itself"),
    ];
    for (args, said) in refused {
        let (status, out, err) = outcome(args, "");
        assert_eq!((status, out.as_str()), (2, ""), "{args:?} {err}");
        assert!(err.contains(said), "{args:?} {err}");
    }
    let page = folder.join("page.html");
    fs::write(&page, "<p>text").unwrap();
    let (_, _, err) = outcome(&["page", "--look-anyway", page.to_str().unwrap()], "");
    assert!(err.contains("`--look-anyway` has no effect"), "{err}");
}

#[test]
fn empty_standard_input_is_an_error_everywhere() {
    for args in [
        &["check", "--robots", "-", "-a", "x", "/"][..],
        &["explain", "--robots", "-", "-a", "x", "/"],
        &["crawlers", "-"],
        &["lint", "-"],
        &["audit", "-"],
        &["diff", "-", "-", "--against", "google"],
        &["write", "--block", "GPTBot", "--into", "-"],
        &["page", "-"],
        &["audit", "--list", "-"],
        &["log", "--robots", "-", "x"],
        &["expect", "--environment", "x", "-"],
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!(status, 2, "{args:?} {out}{err}");
    }
    let (_, _, err) = outcome(&["check", "--robots", "-", "-a", "x", "/"], "");
    assert!(err.starts_with("robots: error: standard input is empty; "), "{err}");
    // A file that is empty is an answer.
    let path = file("empty", "");
    let (status, out, err) = outcome(&["check", "--robots", path.to_str().unwrap(), "-a", "x", "/"], "");
    assert_eq!((status, out.as_str()), (0, "allowed    /  no group applies\n"));
    assert!(err.contains("the file is empty"), "{err}");
}

#[test]
fn what_is_not_read_is_not_proved() {
    let filler = "# filler\n".repeat(60_000);
    let old = file("cut-old", format!("User-agent: *\nDisallow: /a\n{filler}"));
    let new = file("cut-new", format!("User-agent: *\nDisallow: /a\n{filler}Disallow: /b\n"));
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    let (status, out, _) = outcome(&["diff", old, new], "");
    assert_eq!(status, 0);
    assert!(out.contains("nothing changes for * (proved for the part that is read)"), "{out}");
    let (_, out, _) = outcome(&["diff", "--format", "json", old, new], "");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&value["old"]["cut"], &value["new"]["cut"]), (&true.into(), &true.into()));
    let wanted = folder("cut-wanted").join("wanted.toml");
    fs::write(&wanted, "[[expect]]\ncrawlers = ['*']\npatterns = ['/b']\naccess = 'allowed'\n").unwrap();
    let (status, out, _) = outcome(&["expect", "--all", wanted.to_str().unwrap(), new], "");
    assert_eq!(status, 0);
    assert!(out.contains("allowed, which is proved for the part that is read"), "{out}");
}

/// A list with several URLs in a line has other URLs than its author means.
#[test]
fn lists_with_several_urls_in_a_line_have_a_note() {
    let folder = folder("several-in-a-line");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [robots, list] = ["robots.txt", "list.txt"].map(path);
    fs::write(&robots, "User-agent: *\nDisallow: /a\n").unwrap();
    for (text, count) in [
        ("https://example.com/a https://example.com/b\n/c\n", Some(1)),
        ("/a,https://example.com/b\n/a #note\n", Some(2)),
        ("/a,b\n/c;d?u=https://example.com/\n", None),
    ] {
        fs::write(&list, text).unwrap();
        for args in [
            &["audit", "--urls", &list, &robots][..],
            &["diff", "--urls", &list, &robots, &robots],
            &["lint", "--urls", &list, &robots],
        ] {
            let (_, _, err) = outcome(args, "");
            let note = count.map(|count| format!("which are read as one: {count}, such as"));
            assert_eq!(note.is_some(), err.contains("read as one"), "{args:?} {err}");
            assert!(err.contains(&note.unwrap_or_default()), "{args:?} {err}");
        }
    }
}

/// A file that is plainly of another kind is named as such, wherever it is given.
#[test]
fn files_in_the_place_of_another_are_named() {
    let folder = folder("places");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let robots = &*file("robots.txt", "User-agent: *\nDisallow: /private\n");
    let page = &*file("page.html", "<!doctype html><title>Sign in</title>");
    let wanted =
        &*file("wanted.toml", "[[expect]]\ncrawlers = ['GPTBot']\nurls = ['/']\naccess = 'disallowed'\n");
    let folder = folder.to_str().unwrap();
    let is_folder = &*format!("is a directory; did you mean `{robots}`?");
    let cases: [(&[&str], &str); 19] = [
        (&["audit", "--list", robots], "it is a robots.txt file, not a list of files and sites"),
        (&["audit", "--list", page], "it is an HTML page, not a list of files and sites"),
        (&["audit", "--urls", robots, robots], "it is a robots.txt file, not a list of URLs"),
        (&["diff", "--urls", robots, robots, robots], "it is a robots.txt file, not a list of URLs"),
        (&["lint", "--urls", robots, robots], "it is a robots.txt file, not a list of URLs"),
        (&["log", "--robots", robots, robots], "is a robots.txt file, not a log"),
        (&["log", "--robots", robots, page], "is an HTML page, not a log"),
        (&["page", wanted], "is a file of settings (TOML or INI), not an HTML page"),
        (&["check", "--robots", wanted, "-a", "x", "/"], "this is a file of settings (TOML or INI)"),
        // A crawler may access it, and nothing says that its site has this file.
        (&["expect", wanted, page], "this is an HTML page"),
        (&["check", "--robots", folder, "-a", "x", "/"], is_folder),
        (&["explain", "--robots", folder, "-a", "x", "/"], is_folder),
        (&["crawlers", folder], is_folder),
        (&["diff", folder, robots], is_folder),
        (&["expect", wanted, folder], is_folder),
        (&["write", "--block", "GPTBot", "--into", folder], is_folder),
        (&["log", "--robots", folder, robots], is_folder),
        (&["page", folder], is_folder),
        (&["audit", "--list", folder], is_folder),
    ];
    for (args, said) in cases {
        let (status, out, err) = outcome(args, "");
        assert_eq!(status, 2, "{args:?} {out}{err}");
        assert!(format!("{out}{err}").contains(said), "{args:?} {out}{err}");
    }
    // The lines of a list come from no shell.
    let list = Path::new(folder).join("list.txt");
    fs::write(&list, "a*.txt\n").unwrap();
    let (_, out, _) = outcome(&["audit", "--list", list.to_str().unwrap()], "");
    assert!(out.contains("can't read a*.txt: no such file or directory\n"), "{out}");
}
