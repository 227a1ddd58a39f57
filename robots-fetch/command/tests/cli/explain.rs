//! `robots explain`.

use serde_json::{Value, json};

use crate::command::{EXAMPLE as FILE, outcome, value};
use crate::site::{Site, User, answer, rules, settled};
use robots_conformance::testing::ClosedPort;
use robots_conformance::testing::schema::against;

#[test]
fn explain_shows_why() {
    let args = ["explain", "--robots", "-", "-a", "ExampleBot", "https://example.com/page.htm"];
    let (status, out, err) = outcome(&args, FILE);
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(
        out,
        "disallowed: https://example.com/page.htm for `ExampleBot`
 --> standard input:7:11
  |
5 | User-agent: ExampleBot
  |             ---------- names `ExampleBot`
6 | Allow: /page
  |        ----- matches, but is shorter (5 bytes); the longest rule decides
7 | Disallow: /*.htm
  |           ^^^^^^ decides: the longest rule that matches (6 bytes)
  |
  = patterns are compared with `/page.htm`, the path of the URL
  = the group of line 5 names the crawler, so only this group applies, and not the group for `*`
  = `Disallow: /` (line 3) would match, but is in the group for `*`; if it should apply to this crawler, repeat it in the group that names the crawler
  = this is the answer of crawlers that follow today's standard (rfc9309)
  = for old software that follows the draft of 1996 (koster-1996) it is allowed, by line 6 (`/page`)
"
    );
}

#[test]
fn explain_writes_json_by_its_schema() {
    let args = [
        "explain",
        "--robots",
        "-",
        "-a",
        "ExampleBot",
        "--format",
        "json",
        "/page.htm",
        "/tmp/",
        "/early",
        "/robots.txt",
    ];
    for file in [
        FILE.as_bytes(),
        b"\n",
        b"\xFF\nUser-agent: *\rdisallow: /\xFF\n",
        b"\xEF\xBB\xBFUser-agent: *\nallow:\n",
    ] {
        for profile in ["rfc9309", "google", "draft-koster-rep-00", "koster-1996"] {
            let (_, value) = value(&[&args[..], &["-p", profile]].concat(), file);
            assert_eq!(against("explain.json", &value), [""; 0]);
        }
    }
    let (status, value) = value(&args, FILE);
    assert_eq!(status, 1);
    let explained = &value["explanations"];
    assert_eq!(explained[0]["matched"][0]["fate"], "decides");
    assert_eq!(explained[0]["elsewhere"][0]["rule"]["line"], 3);
    assert_eq!(explained[1]["near"][0]["rule"]["line"], 8);
    assert_eq!(explained[1]["near"][0]["miss"], "case");
    assert_eq!(explained[2]["near"], json!([]));
    assert_eq!(explained[2]["elsewhere"][0]["group"], Value::Null);
    assert_eq!(explained[3]["reason"], "robots-txt");
    let mut spoilt = value.clone();
    spoilt["explanations"][0]["allowed"] = json!("no");
    spoilt["explanations"][1]["more"] = json!(1);
    assert_eq!(against("explain.json", &spoilt).len(), 2, "the schema is not satisfied by anything");
}

#[test]
fn explain_shows_decoded_paths() {
    let note = |url: &str| {
        let (_, out, err) =
            outcome(&["explain", "--robots", "-", "-a", "x", url], "User-agent: *\nDisallow: /a\n");
        assert_eq!(err, "");
        let note =
            out.lines().find_map(|line| line.trim_start().strip_prefix("= patterns are compared with "));
        note.unwrap().to_owned()
    };
    for (url, expected) in [
        ("/a", "`/a`, the path of the URL"),
        ("/\u{E4}", "`/%C3%A4`, the path of the URL (decoded: `/\u{E4}`)"),
        ("/%E3%83%84?b%20c", "`/%E3%83%84?b%20c`, the path of the URL (decoded: `/\u{30C4}?b c`)"),
        // Not UTF-8, a control character, a direction mark, and a percent sign that begins no escape.
        ("/%E4", "`/%E4`, the path of the URL"),
        ("/%C3%A4%1B[2J", "`/%C3%A4%1B[2J`, the path of the URL"),
        ("/%E2%80%AEtxt", "`/%E2%80%AEtxt`, the path of the URL"),
        ("/%D8%9Ctxt", "`/%D8%9Ctxt`, the path of the URL"),
        ("/100%", "`/100%`, the path of the URL"),
        // Decoded, this would read as another path.
        ("/a%2Fb", "`/a%2Fb`, the path of the URL"),
        ("/%C3%A4%25", "`/%C3%A4%25`, the path of the URL"),
    ] {
        assert_eq!(note(url), expected);
    }
}

#[test]
fn explain_shows_both_forms_of_a_host() {
    let args = ["explain", "--robots", "-", "-a", "x", "https://xn--exmple-cua.com/a"];
    let (_, out, _) = outcome(&args, "User-agent: *\nDisallow: /a\n");
    assert!(
        out.starts_with("disallowed: https://xn--exmple-cua.com/a (ex\u{E4}mple.com) for `x`\n"),
        "{out}"
    );
}

#[test]
fn explain_notes_common_mistakes() {
    let notes = |file: &str, args: &[&str]| outcome(&[&["explain", "--robots", "-"], args].concat(), file).1;
    let groups = "User-agent: OneBot\nDisallow: /a\n\nUser-agent: TwoBot\nAllow: /\n";
    let (one, two) = (["-a", "TwoBot,OneBot", "/a"], ["-a", "FooBot", "/a"]);
    let expected = "= `Disallow: /a` (line 2) would match, but is in a group for `OneBot`, and another group names `TwoBot`, \
                    which is tried first\n";
    assert!(notes(groups, &one).contains(expected), "{}", notes(groups, &one));
    assert!(notes(groups, &two).contains("= no group names `FooBot`, and no group is for `*`\n"));
    assert!(notes("\n", &two).contains("= the file has no group: "));
    let list = "User-agent: OneBot, FooBot\nDisallow: /\n";
    assert!(
        notes(list, &two)
            .contains("= line 1 lists several crawlers (`OneBot, FooBot`), but a line can name only one")
    );
    assert!(!notes("User-agent: OneBot, Foo Bot\nDisallow: /\n", &two).contains("lists several"));
    let note =
        "= `/c` matches every path that begins with it; `/c/` would match only what is inside that folder\n";
    struct Case {
        pattern: &'static str,
        path: &'static str,
        is_noted: bool,
    }
    for Case { pattern, path, is_noted } in [
        Case { pattern: "/c", path: "/communities", is_noted: true },
        Case { pattern: "/c", path: "/c/d", is_noted: false },
        Case { pattern: "/c", path: "/c", is_noted: false },
        Case { pattern: "/c/", path: "/c/d", is_noted: false },
        Case { pattern: "/c*", path: "/cd", is_noted: false },
    ] {
        let file = format!("User-agent: *\nDisallow: {pattern}\n");
        assert_eq!(notes(&file, &["-a", "FooBot", path]).contains(note), is_noted, "{pattern} {path}");
    }
}

#[test]
fn explain_asks_the_site_and_shows_its_answer() {
    let (user, site) = (User::new(), Site::new(rules(&["Cache-Control: max-age=3600"])));
    let urls = [site.url("/private/open"), site.url("/private/x"), site.url("/robots.txt")];
    let args = ["explain", "-a", "ExampleBot", &urls[0], &urls[1], &urls[2]];
    let (status, out, err) = user.robots(&args);
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(
        settled(&out, &site),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  200\n\
         \x20 answer    a file\n\
         \x20 size      54 bytes, all read\n\
         \x20 read      1 group with 2 rules\n\
         \x20 sent      Cache-Control: max-age=3600\n\
         \x20 fresh     until TIME, 1 hour after it was fetched (Cache-Control: max-age)\n\
         \x20 now       crawlers may access what the rules allow\n\
         \x20 later     next request at TIME\n\
\n\
         allowed: http://site/private/open for `ExampleBot`\n\
         \x20--> http://site/robots.txt:3:8\n\
         \x20 |\n\
         1 | User-agent: *\n\
         \x20 |             - applies to every crawler that no group names\n\
         2 | Disallow: /private\n\
         \x20 |           -------- matches, but is shorter (8 bytes); the longest rule decides\n\
         3 | Allow: /private/open\n\
         \x20 |        ^^^^^^^^^^^^^ decides: the longest rule that matches (13 bytes)\n\
         \x20 |\n\
         \x20 = patterns are compared with `/private/open`, the path of the URL\n\
         \x20 = no group names `ExampleBot`, so the group for `*` applies (line 1)\n\
         \x20 = this is the answer of crawlers that follow today's standard (rfc9309)\n\
         \x20 = for old software that follows the draft of 1996 (koster-1996) it is disallowed, by line 2 (`/private`)\n\
\n\
         disallowed: http://site/private/x for `ExampleBot`\n\
         \x20--> http://site/robots.txt:2:11\n\
         \x20 |\n\
         1 | User-agent: *\n\
         \x20 |             - applies to every crawler that no group names\n\
         2 | Disallow: /private\n\
         \x20 |           ^^^^^^^^ decides: the only rule that matches\n\
         \x20 |\n\
         \x20 = patterns are compared with `/private/x`, the path of the URL\n\
         \x20 = no group names `ExampleBot`, so the group for `*` applies (line 1)\n\
         \x20 = this is the answer of crawlers that follow today's standard (rfc9309)\n\
         \x20 = other profiles give the same answer (draft-koster-rep-00, google, koster-1996)\n\
\n\
         allowed: http://site/robots.txt for `ExampleBot`\n\
         \x20--> http://site/robots.txt:1:13\n\
         \x20 |\n\
         1 | User-agent: *\n\
         \x20 |             - applies to every crawler that no group names\n\
         \x20 |\n\
         \x20 = `/robots.txt` itself is always allowed\n\
         \x20 = no group names `ExampleBot`, so the group for `*` applies (line 1)\n\
         \x20 = this is the answer of crawlers that follow today's standard (rfc9309)\n\
         \x20 = other profiles give the same answer (draft-koster-rep-00, google, koster-1996)\n"
    );
    // Cached answers are used, as by `check`.
    assert_eq!(user.robots(&args).0, 1);
    assert_eq!(user.robots(&["check", "-a", "ExampleBot", &urls[0]]).0, 0);
    assert_eq!(site.count(), 1);
    let (status, value) = user.json(&args);
    assert_eq!((status, &value["robots"], value["sites"].as_array().unwrap().len()), (1, &Value::Null, 1));
    assert_eq!(value["sites"][0]["requests"][0]["status"], 200);
    let explained = &value["explanations"];
    assert_eq!(
        (&explained[0]["site"], &explained[0]["rule"]["line"]),
        (&site.base.clone().into(), &3.into())
    );
    assert_eq!((&explained[1]["allowed"], &explained[1]["reason"]), (&false.into(), &"rule".into()));
    assert_eq!(explained[2]["reason"], "robots-txt");
    assert_eq!(value["explanations"][1]["profiles"].as_array().unwrap().len(), 4);
}

#[test]
fn explain_shows_what_applies_without_a_file() {
    let user = User::new();
    let none = Site::new(answer("403 Forbidden", &[], ""));
    let (status, out, _) = user.robots(&["explain", "--no-cache", "-a", "ExampleBot", &none.url("/a")]);
    assert_eq!(status, 0);
    assert_eq!(
        settled(&out, &none),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  403\n\
         \x20 answer    the site refuses access to robots.txt, as if there were none (status 403)\n\
         \x20 fresh     until TIME, 24 hours after it was fetched (the default of the profile)\n\
         \x20 note      the server refused access to robots.txt (status 403), and crawlers read that as if the site had none; it may refuse only this program: try `--user-agent` with the header of a crawler\n\
         \x20 now       crawlers may access everything\n\
         \x20 later     next request at TIME\n\
         \n\
         allowed: http://site/a for `ExampleBot`\n\
         \x20 |\n\
         \x20 = the site does not provide a robots.txt (status 403); this counts as having none, so every URL is allowed\n\
         \x20 = this is the answer of crawlers that follow today's standard (rfc9309)\n\
         \x20 = for old software that follows the draft of 1996 (koster-1996), the answer means that access to the site is restricted: every URL is disallowed\n"
    );
    let busy = Site::new(answer("429 Too Many Requests", &[], ""));
    let (status, out, _) = user.robots(&["explain", "--no-cache", "-a", "ExampleBot", &busy.url("/a")]);
    assert_eq!(status, 2);
    let expected = "\n\
         disallowed: http://site/a for `ExampleBot`\n\
         \x20 |\n\
         \x20 = the site limits requests and no robots.txt is cached, so every URL is disallowed for now\n\
         \x20 = this is the answer of crawlers that follow today's standard (rfc9309)\n";
    let shown = settled(&out, &busy);
    assert!(shown.contains(expected), "{shown}");
    assert!(shown.contains(
        "(draft-koster-rep-00), the answer means that the site has no robots.txt: every URL is allowed"
    ));
    let failing = Site::new(answer("503 Service Unavailable", &[], ""));
    let url = failing.url("/a");
    let args = ["explain", "--no-cache", "-a", "ExampleBot", &url];
    let (status, out, _) = user.robots(&args);
    assert_eq!(status, 2);
    assert_eq!(
        settled(&out, &failing),
        "robots.txt of http://site\n\
         \x20 request   http://site/robots.txt  503\n\
         \x20 answer    robots.txt is unreachable (status 503)\n\
         \x20 outage    unreachable since TIME\n\
         \x20 now       crawlers may access nothing\n\
         \x20 later     next attempt at TIME\n\
         \x20 later     if still failing on TIME, crawlers may treat the site as unrestricted\n\
         \n\
         disallowed: http://site/a for `ExampleBot`\n\
         \x20 |\n\
         \x20 = the rules of the site are unknown, so every URL is disallowed for now\n\
         \x20 = this is the answer of crawlers that follow today's standard (rfc9309)\n"
    );
    let (_, value) = user.json(&args);
    let explained = &value["explanations"][0];
    assert_eq!((&explained["allowed"], &explained["reason"]), (&false.into(), &"status".into()));
    assert_eq!((&explained["path"], &explained["groups"]), (&"/a".into(), &Value::Array(Vec::new())));
    // The draft of 1996 takes the same answer for another.
    let (status, value) =
        user.json(&["explain", "--no-cache", "-p", "koster-1996", "-a", "ExampleBot", &none.url("/a")]);
    assert_eq!((status, &value["sites"][0]["class"]), (1, &"restricted".into()));
    let allowed = |profile: usize| value["explanations"][0]["profiles"][profile]["allowed"].clone();
    assert_eq!([0, 1, 2, 3].map(allowed), [true, true, true, false].map(Value::from));
    // Without a status, other documents get no note.
    let closed = ClosedPort::new();
    let url = format!("http://{}/", closed.address);
    let (status, value) = user.json(&["explain", "--no-cache", "-a", "ExampleBot", &url]);
    assert_eq!((status, &value["explanations"][0]["profiles"]), (2, &Value::Array(Vec::new())));
}

#[test]
fn explain_says_if_a_crawler_ignores_the_groups_for_all() {
    let file = "User-agent: *\nDisallow: /\n";
    let (status, out, _) = outcome(&["explain", "--robots", "-", "-a", "AdsBot-Google", "/"], file);
    assert_eq!(status, 0);
    assert!(
        out.contains("= no group names `AdsBot-Google`, and this crawler ignores groups for `*`\n"),
        "{out}"
    );
    assert!(!out.contains("no group is for `*`"), "{out}");
}

#[test]
fn explain_says_if_a_document_reads_another_name() {
    let file = "User-agent: MJ12bot\nDisallow: /\n\nUser-agent: *\nDisallow: /p\n";
    let (_, out, _) = outcome(&["explain", "-p", "google", "--robots", "-", "-a", "mj12bot", "/x"], file);
    let note = "= `Disallow: /` (line 2) would match, but is in a group whose line `MJ12bot` google reads as another name\n";
    assert!(out.contains(note), "{out}");
}

#[test]
fn a_line_that_the_size_limit_of_a_retrieval_cuts_is_a_rule_of_no_document() {
    let user = User::new();
    // The limit is in the middle of a line whose first half is another rule.
    let rules = |count: usize| "Disallow: /page-and-more\n".repeat(count);
    let start = "User-agent: *\n";
    let count = (512_000 - start.len()) / rules(1).len();
    let left = 512_000 - start.len() - rules(count).len();
    let padding = "#".repeat(left + rules(1).len() - 15);
    let file = format!("{start}{padding}\n{}Disallow: /page-and-more-lines\n", rules(count - 1));
    assert_eq!(&file[512_000 - 14..512_000], "Disallow: /pag");
    let site = Site::new(answer("200 OK", &[], &file));
    let (status, out, _) = user.robots(&["explain", "--no-cache", "-a", "ExampleBot", &site.url("/page")]);
    assert_eq!(status, 0, "{out}");
    let same = "= other profiles give the same answer (draft-koster-rep-00, google, koster-1996)\n";
    assert!(out.ends_with(same), "{out}");
}
