//! `robots check`.

use core::time::Duration;
use std::net::TcpListener;
use std::time::Instant;

use serde_json::json;

use crate::command::{file, outcome, robots};
use crate::site::{Site, User, answer, rules};
use robots_conformance::testing::schema::against;

const FILE: &str = "User-agent: *\nDisallow: /private\nAllow: /private/open # here\n\n\
                    User-agent: ExampleBot\nDisallow: /*.gif$\n";

/// Returns the exit status and the output of `check` for a file with this content.
fn check(robots_txt: &str, args: &[&str]) -> (i32, String, String) {
    outcome(&[&["check", "--robots", "-"], args].concat(), robots_txt)
}

#[test]
fn check_reports_the_line_that_decides() {
    let path = file("check", FILE);
    let path = path.to_str().unwrap();
    let (status, out, err) = outcome(
        &[
            "check",
            "--robots",
            path,
            "--agent",
            "OtherBot",
            "https://example.com/private/x?y",
            "/private/open",
            "https://example.com/robots.txt",
            "/",
        ],
        "",
    );
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
fn check_shows_both_forms_of_a_host() {
    let urls = [
        "https://xn--exmple-cua.com/a",
        "https://www.EX\u{C4}MPLE.com:8080/a",
        "https://\u{430}\u{440}\u{440}\u{4CF}\u{435}.com/",
        "https://xn--80ak6aa92e.com/",
        "https://\u{5D0}\u{5D1}.com/",
        "https://xn--4dbc.com/",
        "https://example.com/xn--exmple-cua.com",
        "/xn--exmple-cua.com",
    ];
    let (_, out, err) = check("User-agent: a\nDisallow:\n", &[&["-a", "x"], &urls[..]].concat());
    assert_eq!(err, "");
    let shown: Vec<&str> = out
        .lines()
        .map(|line| line.trim_start_matches("allowed    ").trim_end_matches("  no group applies"))
        .collect();
    assert_eq!(
        shown,
        [
            "https://xn--exmple-cua.com/a (ex\u{E4}mple.com)",
            "https://www.EX\u{C4}MPLE.com:8080/a (www.xn--exmple-cua.com)",
            "https://\u{430}\u{440}\u{440}\u{4CF}\u{435}.com/ (xn--80ak6aa92e.com)",
            // Letters that look Latin, or are written from right to left.
            "https://xn--80ak6aa92e.com/",
            "https://\u{5D0}\u{5D1}.com/ (xn--4dbc.com)",
            "https://xn--4dbc.com/",
            "https://example.com/xn--exmple-cua.com",
            "/xn--exmple-cua.com",
        ]
    );
}

#[test]
fn check_exits_with_1_if_a_url_is_disallowed() {
    assert_eq!(check(FILE, &["-a", "ExampleBot", "/a.png", "/a.gif?x"]).0, 0);
    assert_eq!(check(FILE, &["-a", "ExampleBot", "/a.png", "/a.gif"]).0, 1);
    assert_eq!(check("\n", &["-a", "ExampleBot", "/"]).1, "allowed    /  no group applies\n");
}

#[test]
fn check_tries_agents_in_order() {
    let args = ["-a", "ExampleBot-Image,ExampleBot", "/private", "/a.gif"];
    let (status, out, _) = check(FILE, &args);
    assert_eq!(out, "allowed    /private  no rule matches\ndisallowed /a.gif  line 6: Disallow: /*.gif$\n");
    assert_eq!(status, 1);
}

#[test]
fn check_takes_user_agent_headers() {
    let gif = "disallowed /a.gif  line 6: Disallow: /*.gif$\n";
    for header in ["ExampleBot/2.1", "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://example.com)"] {
        let note = format!("robots: note: `{header}` is a User-Agent header; its crawler is `ExampleBot`\n");
        assert_eq!(check(FILE, &["-a", header, "/a.gif"]), (1, gif.to_owned(), note));
    }
    for header in ["user-agent:ExampleBot/2.1 (a)", "User-Agent: ExampleBot", "'ExampleBot/2.1'"] {
        assert_eq!(check(FILE, &["-a", header, "/a.gif"]).1, gif, "{header}");
    }
    for header in ["User-Agent:", "User-Agent: *", "user-agent: Mozilla/5.0 (X11)"] {
        let note = format!(
            "robots: note: `{header}` is a User-Agent header that names no crawler; groups for `*` apply\n"
        );
        assert_eq!(check(FILE, &["-a", header, "/private"]).2, note);
    }
    // A name of any document needs no note.
    for agent in ["ExampleBot", "MJ12bot", "archive.org_bot", "Screaming Frog SEO Spider"] {
        assert_eq!(check(FILE, &["-a", agent, "/"]).2, "");
    }
}

#[test]
fn check_says_how_a_text_is_read_that_may_mean_something_else() {
    let note = |file: &str, agent: &str, url: &str| check(file, &["-a", agent, url]).2;
    assert_eq!(
        note(FILE, "GPTBot CCBot", "/"),
        "robots: note: `GPTBot CCBot` is read as one name, which no known crawler has; several crawlers are several options \
         `--agent`\n"
    );
    assert_eq!(
        note(FILE, "a", "//example.com/private"),
        "robots: note: `//example.com/private` is read as a path; in a link it means `https://example.com/private`\n"
    );
    assert_eq!(note(FILE, "a", "//images/a.gif"), "");
    let without = note("Disallow: /\n", "a", "/");
    assert!(
        without.ends_with(": the file has rules but no group, so crawlers may access everything\n"),
        "{without}"
    );
    let page = note("<pre>User-agent: *\nDisallow: /\n</pre>\n", "a", "/");
    assert!(page.contains(": this is an HTML page, with rules but no group, so crawlers"), "{page}");
    assert_eq!(note("Sitemap: https://example.com/a.xml\n", "a", "/"), "");
}

#[test]
fn a_file_with_a_mistake_is_noted_if_no_rule_decides() {
    let note = |file: &str, url: &str| check(file, &["-a", "a", url]).2;
    for file in [
        "User-agent: *\\nDisallow: /private\\n",
        "User-agent: *<br>\nDisallow: /private<br>\n",
        "user-agent: \"*\"\ndisallow:\n  - /private\n",
        "User-agent: * Disallow: /private\n",
        "User-agent: *\nDisallow /private\n",
        "User-agent: *\nDisallow: https://example.com/private\n",
        "User-agent: *&#10;Disallow: /private&#10;",
        "--- a/robots.txt\n User-agent: *\n-Disallow: /old\n+Disallow: /private\n",
        "{\\rtf1\\ansi\nUser-agent: *\\par\nDisallow: /private\\par\n}",
    ] {
        let err = note(file, "/private");
        assert!(err.contains(" may not say what was meant: ") && err.lines().count() == 1, "{file} {err}");
    }
    for file in [FILE, "User-agent: *\nCrawl-delay: 5\n", "Sitemap: a.xml\n", "# Welcome.\n"] {
        assert_eq!(note(file, "/other"), "", "{file}");
    }
    // A rule decides.
    assert_eq!(note("User-agent: *\nDisallow: /a\nDisallow: https://example.com/b\n", "/a"), "");
}

#[test]
fn check_refuses_invalid_names() {
    assert_eq!(
        check(FILE, &["-a", "", "/"]),
        (2, String::new(), "robots: error: a crawler name must not be empty\n".to_owned())
    );
    let (status, _, err) = check(FILE, &["-a", "Example@Bot", "/private"]);
    assert_eq!(status, 2);
    assert!(err.contains("`Example@Bot` is not a crawler name: it contains `@`"), "{err}");
    // A header in which no name is found is that of a crawler without a group.
    let (status, _, err) = check(FILE, &["-a", "Mozilla/5.0 (X11; Linux x86_64)", "/private"]);
    assert_eq!(status, 1);
    assert_eq!(
        err,
        "robots: note: `Mozilla/5.0 (X11; Linux x86_64)` is a User-Agent header that names no crawler; groups for `*` apply\n"
    );
    // The name is that of a crawler that no line names.
    let (status, out, err) = check(FILE, &["-a", "*", "/private"]);
    assert_eq!((status, out.as_str()), (1, "disallowed /private  line 2: Disallow: /private\n"));
    assert_eq!(err, "robots: note: `*` is not the name of a crawler; groups for `*` apply\n");
}

#[test]
fn check_says_that_googles_parser_can_not_see_a_name() {
    let file = "User-agent: MJ12bot\nDisallow: /\n";
    assert_eq!(check(file, &["-a", "MJ12bot", "/"]).0, 1);
    let (status, _, err) = check(file, &["-a", "MJ12bot", "-p", "google", "/"]);
    assert_eq!(status, 0);
    assert_eq!(
        err,
        "robots: note: under google no line can name `MJ12bot`, because only letters, `_` and `-` are read; groups for \
         `*` apply\n"
    );
}

#[test]
fn check_reads_by_the_profile() {
    let lenient = "useragent: *\ndisalow /x\n";
    assert_eq!(check(lenient, &["-a", "a", "/x"]).0, 2);
    assert_eq!(check(lenient, &["-a", "a", "--profile", "google", "/x"]).0, 1);
    assert_eq!(check(lenient, &["-a", "a", "--profile=google", "/x"]).0, 1);
}

#[test]
fn check_writes_json() {
    let bom = format!("\u{FEFF}{FILE}");
    let args = ["-a", "OtherBot", "--format", "json", "https://example.com/private", "/"];
    let (status, out, _) = check(&bom, &args);
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        answer,
        serde_json::json!({
            "version": 1,
            "profile": "auto",
            "robots": "-",
            "agents": ["OtherBot"],
            "body": { "kind": "rules", "text": "a robots.txt file", "groups": 2, "rules": 3 },
            "sites": [],
            "verdicts": [
                {
                    "agent": "OtherBot",
                    "basis": "wildcard",
                    "url": "https://example.com/private",
                    "path": "/private",
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
                    "answer": null,
                    "profile": "rfc9309",
                    "text": "disallowed by line 2",
                    "as_written": null,
                },
                {
                    "agent": "OtherBot",
                    "basis": "wildcard",
                    "url": "/",
                    "path": "/",
                    "site": null,
                    "allowed": true,
                    "reason": "no-rule",
                    "rule": null,
                    "answer": null,
                    "profile": "rfc9309",
                    "text": "allowed: no rule matches",
                    "as_written": null,
                },
            ],
            "failed": [],
        })
    );
    assert_eq!(status, 1);
    assert_eq!(against("check.json", &answer), [""; 0]);
}

#[test]
fn check_escapes_bytes_that_could_control_a_terminal() {
    let (_, out, _) =
        check("User-agent: *\nDisallow: /\u{1B}[2J\u{202E}\u{E9}\n", &["-a", "a", "/%1B[2J%E2%80%AE%C3%A9"]);
    assert_eq!(out, "disallowed /%1B[2J%E2%80%AE%C3%A9  line 2: Disallow: /\\u{1b}[2J\\u{202e}\u{E9}\n");
}

#[test]
fn colour_only_if_asked_for() {
    let args = ["check", "--robots", "-", "-a", "x", "/private"];
    let plain = outcome(&args, FILE).1;
    assert!(!plain.contains('\u{1B}'), "{plain}");
    let forced = robots().args(args).env("CLICOLOR_FORCE", "1").write_stdin(FILE).output().unwrap().stdout;
    let forced = String::from_utf8(forced).unwrap();
    assert!(
        forced.starts_with("\u{1B}[1m\u{1B}[31mdisallowed\u{1B}[0m /private"),
        "{}",
        forced.escape_debug()
    );
}

#[test]
fn check_asks_sites_once_and_keeps_their_answers() {
    let (user, site, other) =
        (User::new(), Site::new(rules(&[])), Site::new(answer("404 Not Found", &[], "")));
    let urls =
        [site.url("/private/x?y"), site.url("/private/open"), site.url("/robots.txt"), other.url("/private")];
    let args = ["check", "--agent", "ExampleBot", &urls[0], &urls[1], &urls[2], &urls[3]];
    for is_cached in [false, true] {
        let expected = format!(
            "disallowed {}  line 2: Disallow: /private\n\
             allowed    {}  line 3: Allow: /private/open\n\
             allowed    {}  /robots.txt is always allowed\n\
             allowed    {}  the site has no robots.txt (status 404)\n",
            urls[0], urls[1], urls[2], urls[3]
        );
        let (status, out, err) = user.robots(&args);
        assert_eq!((status, out), (1, expected));
        // Answers from the cache say so, with their age.
        let note = "robots: note: the answers of 2 of 2 sites are from the cache, at most ";
        assert!(
            if is_cached {
                err.starts_with(note) && err.ends_with(" old; `--no-cache` asks again\n")
            } else {
                err.is_empty()
            },
            "{err}"
        );
    }
    let (_, value) = user.json(&args);
    assert!(value["sites"][0]["age"].as_u64().is_some_and(|age| age < 60), "{value}");
    assert_eq!((site.count(), other.count()), (1, 1));
    let asked = site.asked.lock().unwrap()[0].to_ascii_lowercase();
    assert!(asked.starts_with("get /robots.txt http/1.1\r\n"), "{asked}");
    assert!(asked.contains(concat!("\r\nuser-agent: robots/", env!("CARGO_PKG_VERSION"), "\r\n")), "{asked}");
    assert!(user.caches().join("robots/robots.sqlite").exists() || cfg!(target_os = "macos"));
}

#[test]
fn check_uses_the_cache_options() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
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
    assert!(folder.join("robots.sqlite").exists() && !user.caches().exists());
    // A site may answer another user agent differently, and another profile may read an answer differently.
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
fn check_disallows_everything_if_a_site_fails() {
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
    assert_eq!((status, err.as_str()), (2, ""));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 3);
    for (line, (url, why)) in lines.iter().zip(urls.iter().zip([
        "status 503",
        "timed out, by the client's own limit",
        "could not connect",
    ])) {
        assert_eq!(*line, format!("disallowed {url}  robots.txt is unreachable ({why})"));
    }
    // The pause before the next attempt is kept, too, except after a timeout of the user's own, which says nothing about
    // the site.
    assert_eq!(user.robots(&args).1, out);
    assert_eq!((site.count(), silent.count()), (1, 2));
}

#[test]
fn check_disallows_everything_if_a_site_limits_requests_and_no_file_is_cached() {
    let (user, site) = (User::new(), Site::new(answer("429 Too Many Requests", &[], "")));
    let url = site.url("/a");
    let (status, out, err) = user.robots(&["check", "-a", "ExampleBot", &url, &site.url("/robots.txt")]);
    assert_eq!((status, err.as_str()), (2, ""));
    let expected = format!(
        "disallowed {url}  the site limits requests, and no robots.txt is cached (status 429)\n\
         allowed    {}  /robots.txt is always allowed\n",
        site.url("/robots.txt")
    );
    assert_eq!(out, expected);
    let (status, value) = user.json(&["check", "-a", "ExampleBot", &url]);
    assert_eq!((status, &value["sites"][0]["class"]), (2, &"throttled".into()));
}

#[test]
fn check_writes_json_with_the_answers_of_sites() {
    let (user, site) = (User::new(), Site::new(rules(&["Cache-Control: max-age=60", "ETag: \"1\""])));
    let other = Site::new(answer("500 Oops", &["Retry-After: 600"], ""));
    let (status, value) = user.json(&["check", "-a", "ExampleBot", &site.url("/private"), &other.url("/a")]);
    assert_eq!(status, 2);
    assert_eq!(value["verdicts"][0]["site"], site.base);
    assert_eq!(value["verdicts"][0]["rule"]["line"], 2);
    assert_eq!(value["verdicts"][1]["allowed"], false);
    assert_eq!(
        (&value["verdicts"][1]["reason"], &value["verdicts"][1]["answer"]["status"]),
        (&"status".into(), &500.into())
    );
    let sites = value["sites"].as_array().unwrap();
    assert_eq!((&sites[0]["lifetime"], &sites[0]["basis"]), (&60.into(), &"max-age".into()));
    assert_eq!((&sites[0]["access"], &sites[0]["file"]["etag"]), (&"rules".into(), &"\"1\"".into()));
    assert_eq!((&sites[1]["class"], &sites[1]["cause"]["code"]), (&"unreachable".into(), &"status".into()));
    assert_eq!((&sites[1]["basis"], &sites[1]["lifetime"]), (&"retry-after".into(), &600.into()));
    // Several URLs of a site, and several names.
    let named = Site::new(answer("200 OK", &[], "User-agent: ExampleBot\nDisallow: /b\n"));
    let none = Site::new(answer("404 Not Found", &[], ""));
    let urls = [named.url("/a"), none.url("/a"), named.url("/b")];
    let args = ["check", "-a", "Unheard,ExampleBot", &urls[0], &urls[1], &urls[2]];
    let (status, value) = user.json(&args);
    assert_eq!(
        (status, &value["profile"], &value["agents"]),
        (1, &"auto".into(), &json!(["Unheard,ExampleBot"]))
    );
    let of_sites: Vec<_> = value["sites"].as_array().unwrap().iter().map(|site| &site["site"]).collect();
    assert_eq!(of_sites, [&named.base, &none.base]);
    let verdicts: Vec<_> = value["verdicts"].as_array().unwrap().iter().collect();
    struct Case<'a> {
        site: &'a Site,
        allowed: bool,
        reason: &'static str,
    }
    let cases = [
        Case { site: &named, allowed: true, reason: "no-rule" },
        Case { site: &none, allowed: true, reason: "status" },
        Case { site: &named, allowed: false, reason: "rule" },
    ];
    assert_eq!(verdicts.len(), cases.len());
    for (verdict, (url, case)) in verdicts.iter().zip(urls.iter().zip(cases)) {
        assert_eq!(
            (verdict["url"].as_str(), verdict["site"].as_str()),
            (Some(&**url), Some(&*case.site.base))
        );
        assert_eq!((&verdict["allowed"], &verdict["reason"]), (&case.allowed.into(), &case.reason.into()));
    }
}

#[test]
fn sites_are_asked_in_parallel_each_with_its_timeout() {
    let user = User::new();
    let silent: Vec<Site> = (0..12).map(|_| Site::new("")).collect();
    let mut args = vec!["check", "-a", "ExampleBot", "--timeout", "0.9"];
    args.extend(silent.iter().map(|site| site.base.as_str()));
    let began = Instant::now();
    assert_eq!(user.robots(&args).0, 2);
    // One after the other they would take 10.8 seconds, and by the usual timeout one takes ten.
    assert!(began.elapsed() < Duration::from_secs(7), "{:?}", began.elapsed());
}

#[test]
fn check_keeps_the_order_of_many_sites() {
    let user = User::new();
    let sites: Vec<Site> = (0..30)
        .map(|number| Site::new(answer("200 OK", &[], &format!("User-agent: *\nDisallow: /{number}\n"))))
        .collect();
    let urls: Vec<String> = (0..30).map(|number| sites[number].url(&format!("/{number}"))).collect();
    let mut args = vec!["check", "-a", "ExampleBot"];
    args.extend(urls.iter().map(String::as_str));
    let (status, out, err) = user.robots(&args);
    // Progress is not shown without a terminal.
    assert_eq!((status, err.as_str(), out.lines().count()), (1, "", 30));
    for (number, line) in out.lines().enumerate() {
        assert_eq!(line, format!("disallowed {}  line 2: Disallow: /{number}", urls[number]));
    }
}

#[test]
fn a_name_that_is_nearly_that_of_a_known_crawler_is_noted() {
    let (status, _, err) =
        outcome(&["check", "--robots", "-", "-a", "GPTBoot", "/a"], "User-agent: GPTBot\nDisallow: /\n");
    assert_eq!(status, 0);
    assert!(
        err.contains("no crawler of the catalogue has the name `GPTBoot`; did you mean `GPTBot`?"),
        "{err}"
    );
    for name in ["ExampleBot", "gptbot", "*"] {
        let (_, _, err) =
            outcome(&["check", "--robots", "-", "-a", name, "/a"], "User-agent: x\nDisallow: /\n");
        assert!(!err.contains("did you mean"), "{err}");
    }
}

#[test]
fn one_wrong_argument_does_not_lose_the_other_answers() {
    let (status, out, err) = check(FILE, &["-a", "OtherBot", "/private", "private", "/"]);
    assert_eq!(out, "disallowed /private  line 2: Disallow: /private\nallowed    /  no rule matches\n");
    assert!(err.starts_with("robots: error: `private`") && err.lines().count() == 1, "{err}");
    assert_eq!(status, 2);
    let (user, site) = (User::new(), Site::new(rules(&[])));
    for command in ["check", "explain"] {
        let url = site.url("/");
        let args = [command, "--format", "json", "-a", "OtherBot", "/private", &url, "mailto:a@example.com"];
        let (status, out, err) = user.robots(&args);
        let value: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(against(&format!("{command}.json"), &value), [""; 0]);
        let answers = if command == "check" { "verdicts" } else { "explanations" };
        assert_eq!(value[answers].as_array().unwrap().len(), 1, "{value}");
        assert_eq!(value[answers][0]["url"], url.as_str());
        let failed: Vec<_> = value["failed"].as_array().unwrap().iter().map(|one| &one["input"]).collect();
        assert_eq!(failed, ["/private", "mailto:a@example.com"]);
        assert_eq!((status, err.lines().count()), (2, 2), "{err}");
    }
}
