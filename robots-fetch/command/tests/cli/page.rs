//! `robots page`.

use std::fs;
use std::io::Write as _;

use assert_cmd::Command;
use serde_json::Value;

use crate::site::{answer, path_of, served};

/// Starts a server with a body and fields for each path, and returns its URL.
fn server(answers: &'static [(&'static str, &'static str)]) -> String {
    served(move |_, head, stream| {
        let found = answers.iter().find(|(path, _)| *path == path_of(head));
        let (head, body) =
            found.map_or("404 Not Found\r\n\r\n", |found| found.1).split_once("\r\n\r\n").unwrap();
        let _ = stream.write_all(answer(head, &[], body).as_bytes());
    })
}

fn robots(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("robots").unwrap().args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str]) -> (i32, Value) {
    let (status, out, err) = robots(&[&["page", "--format", "json", "--no-cache"], arguments].concat());
    assert_eq!(err, "");
    (status, serde_json::from_str(&out).unwrap())
}

const SITE: &[(&str, &str)] = &[
    (
        "/robots.txt",
        "200 OK\r\nContent-Type: text/plain\r\n\r\n\
         User-agent: *\nDisallow: /hidden\nContent-Usage: train-ai=n\n",
    ),
    (
        "/page",
        "200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: googlebot: nofollow\r\n\r\n\
         <title>a</title>\n<meta name=robots content=noindex>",
    ),
    ("/hidden", "200 OK\r\nContent-Type: text/html\r\n\r\n<meta name=robots content=noindex>"),
    ("/open", "200 OK\r\nContent-Type: text/html\r\n\r\n<p>text"),
    ("/old", "301 Moved Permanently\r\nX-Robots-Tag: noindex\r\nLocation: /open\r\n\r\n"),
    ("/to-hidden", "302 Found\r\nLocation: /hidden\r\n\r\n"),
    ("/loop", "302 Found\r\nLocation: /loop\r\n\r\n"),
];

#[test]
fn each_answer_has_its_source() {
    let base = server(SITE);
    let (status, value) = json(&["--agent", "Googlebot", &format!("{base}/page")]);
    assert_eq!(status, 1);
    let of = &value["pages"][0]["agents"][0];
    assert_eq!((&of["document"], &of["known"]), (&"google-pages".into(), &"page".into()));
    assert_eq!((&of["index"]["value"], &of["index"]["decides"]["source"]["line"]), (&"no".into(), &2.into()));
    assert_eq!(of["follow"]["decides"]["source"]["field"], "X-Robots-Tag");
    assert_eq!(of["training"]["decides"]["source"]["robots"]["line"], 3);
    let (status, out, _) = robots(&["page", "--no-cache", "--agent", "Googlebot", &format!("{base}/page")]);
    assert_eq!(status, 1);
    assert!(out.contains("noindex (meta element, line 2)"), "{out}");
}

#[test]
fn a_page_that_may_not_be_fetched_is_known_by_its_url() {
    let base = server(SITE);
    let (status, value) = json(&["--agent", "Googlebot", &format!("{base}/hidden")]);
    let of = &value["pages"][0]["agents"][0];
    assert_eq!((status, &of["known"], &of["access"]["rule"]["line"]), (1, &"url-only".into(), &2.into()));
    assert_eq!(of["index"], Value::Null);
    let looked = ["page", "--no-cache", "--look-anyway", "--agent", "Googlebot", &format!("{base}/hidden")];
    let (_, out, _) = robots(&looked);
    assert!(out.contains("only its URL can be known"), "{out}");
    assert!(
        out.contains("Googlebot: noindex (meta element, line 1): the crawler can't see this rule"),
        "{out}"
    );
    let looked = ["--look-anyway", "--agent", "Googlebot", &format!("{base}/hidden")];
    let (_, value) = json(&looked);
    let of = &value["pages"][0]["agents"][0];
    assert_eq!((&of["known"], &of["problems"][0]["code"]), (&"url-only".into(), &"rule-not-seen".into()));
}

#[test]
fn rules_of_a_redirect_are_not_those_of_its_target_and_each_hop_is_checked() {
    let base = server(SITE);
    let (status, value) = json(&["--agent", "ExampleBot", &format!("{base}/old")]);
    let page = &value["pages"][0];
    assert_eq!((status, page["hops"].as_array().unwrap().len()), (0, 2));
    assert_eq!((&page["hops"][0]["status"], &page["hops"][1]["status"]), (&301.into(), &200.into()));
    assert_eq!(page["agents"][0]["index"]["value"], "yes");
    let (_, value) = json(&["--agent", "ExampleBot", &format!("{base}/to-hidden")]);
    let page = &value["pages"][0];
    assert_eq!((&page["hops"][1]["status"], &page["agents"][0]["known"]), (&Value::Null, &"url-only".into()));
    let (status, value) = json(&["--agent", "ExampleBot", &format!("{base}/loop")]);
    assert_eq!((status, &value["pages"][0]["problem"]), (2, &"more than 10 redirects".into()));
    assert_eq!(value["pages"][0]["agents"][0]["known"], "nothing");
}

#[test]
fn what_may_not_be_the_page_or_was_not_read_to_its_end_is_not_answered() {
    let base = server(SITE);
    let (status, value) = json(&["--agent", "ExampleBot", &format!("{base}/missing")]);
    assert_eq!((status, &value["pages"][0]["hops"][0]["status"]), (2, &404.into()));
    let folder = tempfile::tempdir().unwrap();
    let html = folder.path().join("page.html");
    fs::write(&html, format!("<body>{}", "<p>text".repeat(1 << 18))).unwrap();
    let (status, value) = json(&["--agent", "Googlebot", html.to_str().unwrap()]);
    let of = &value["pages"][0]["agents"][0];
    assert_eq!((status, &of["complete"], &of["access"]), (2, &false.into(), &Value::Null));
    let (_, out, _) = robots(&["page", "--agent", "Googlebot", html.to_str().unwrap()]);
    assert!(out.contains("no rule found"), "{out}");
}

#[test]
fn files_have_fields_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (html, headers) = (folder.path().join("page.html"), folder.path().join("headers"));
    fs::write(&html, "<meta name=robots content=nosnippet><p>text").unwrap();
    fs::write(&headers, "HTTP/1.1 200 OK\r\nContent-Usage: train-ai=n\r\nRobots-Tag: *;nofollow\r\n\r\nx")
        .unwrap();
    let [html, headers] = [html, headers].map(|path| path.to_str().unwrap().to_owned());
    let (status, value) = json(&["--agent", "ExampleBot", "--headers", &headers, &html]);
    let of = &value["pages"][0]["agents"][0];
    assert_eq!(status, 0);
    assert_eq!((&of["snippet"]["value"], &of["follow"]["value"]), (&"no".into(), &"no".into()));
    assert_eq!(of["training"]["value"], "disallowed");
    for (denied, expected) in [("index", 0), ("snippet", 1), ("follow", 1), ("training", 1)] {
        let (status, _) = json(&["--agent", "ExampleBot", "--headers", &headers, "--deny", denied, &html]);
        assert_eq!(status, expected, "{denied}");
    }
    fs::write(&headers, "no colon\n").unwrap();
    let (status, _, err) = robots(&["page", "--headers", &headers, &html, "--agent", "ExampleBot"]);
    assert_eq!(status, 2);
    assert!(err.ends_with("headers:1: expected a field such as `X-Robots-Tag: noindex`\n"), "{err}");
    for text in
        ["", "\"X-Robots-Tag: noindex\"\n", "{\"X-Robots-Tag\": \"noindex\"}\n", "x\nX-Robots-Tag: a\n"]
    {
        fs::write(&headers, text).unwrap();
        let (status, out, _) = robots(&["page", "--headers", &headers, &html, "--agent", "Googlebot"]);
        assert_eq!((status, &*out), (2, ""), "{text}");
    }
    for text in ["\u{FEFF}X-Robots-Tag: noindex\n", "X-Robots-Tag : noindex\n"] {
        fs::write(&headers, text).unwrap();
        let (status, _, _) = robots(&["page", "--headers", &headers, &html, "--agent", "Googlebot"]);
        assert_eq!(status, 1, "{text}");
    }
}

const SHOP: &[(&str, &str)] = &[
    (
        "/robots.txt",
        "200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /hidden\nCrawl-delay: 0.01\n",
    ),
    ("/open", "200 OK\r\nContent-Type: text/html\r\n\r\n<p>text"),
    (
        "/closed",
        "200 OK\r\nContent-Type: text/html\r\n\r\n<meta name=robots content=noindex><body><meta name=robots content=nofollow>",
    ),
    ("/to-hidden", "302 Found\r\nLocation: /hidden\r\n\r\n"),
    ("/broken", "500 Internal Server Error\r\nContent-Type: text/html\r\n\r\n<p>sorry"),
];

/// Audits pages of a site, and returns the status, the output and the errors.
fn audit(list: &str, more: &[&str]) -> (i32, String, String) {
    let base = server(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let urls = folder.path().join("urls.txt");
    fs::write(&urls, list).unwrap();
    let urls = urls.to_str().unwrap();
    let (status, out, err) =
        robots(&[&["audit", "--pages", "--agent", "ExampleBot", "--urls", urls, &base], more].concat());
    (status, out.replace(&base, "BASE"), err)
}

#[test]
fn an_audit_reads_pages() {
    let all = "/open\n/closed\n/hidden\n/to-hidden\n/broken\n";
    let (status, out, err) = audit(all, &["--format", "jsonl"]);
    assert_eq!((status, &*err), (2, ""), "{out}");
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let pages: Vec<(&str, &str, &str)> = rows
        .iter()
        .filter(|row| row["kind"] == "page")
        .map(|row| ["url", "access", "reason"].map(|name| row[name].as_str().unwrap()))
        .map(|[url, access, reason]| (url, access, reason))
        .collect();
    let expected = [
        ("/open", "indexable", "no rule prevents it"),
        ("/closed", "not-indexable", "noindex (meta element, line 1)"),
        ("/hidden", "url-only", "line 2: Disallow: /hidden"),
        ("/to-hidden", "url-only", "redirect to BASE/hidden: disallowed by line 2"),
        ("/broken", "unknown", "status 500"),
    ];
    assert_eq!(pages, expected);
    let closed = rows.iter().find(|row| row["kind"] == "page" && row["url"] == "/closed").unwrap();
    assert_eq!(closed["flags"], serde_json::json!(["meta-in-body"]));
    assert_eq!(audit("/open\n", &[]).0, 0);
    assert_eq!(audit("/closed\n", &[]).0, 1);
}

#[test]
fn paths_of_a_list_are_those_of_the_site() {
    let (_, out, _) = audit("//other.invalid/x\n/\\other.invalid\n", &["--format", "jsonl"]);
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let pages: Vec<&Value> = rows.iter().filter(|row| row["kind"] == "page").collect();
    // The site was asked, which has no such page.
    assert!(pages.len() == 2 && pages.iter().all(|row| row["reason"] == "status 404"), "{out}");
}

#[test]
fn a_site_that_does_not_answer_is_not_asked_for_all_its_pages() {
    // Otherwise the connection is closed without an answer.
    let base = served(|_, head, stream| {
        if path_of(head) == "/robots.txt" {
            let _ = stream.write_all(answer("200 OK", &[], "").as_bytes());
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let urls = folder.path().join("urls.txt");
    fs::write(&urls, "/a\n/b\n/c\n/d\n/e\n").unwrap();
    let (status, out, _) = robots(&["audit", "--pages", "--urls", urls.to_str().unwrap(), &base]);
    assert_eq!(status, 2);
    assert!(out.contains("3 pages in a row had no answer, so 2 pages are left out"), "{out}");
    assert!(out.contains("pages checked: 3"), "{out}");
}

#[test]
fn all_formats_of_an_audit_have_pages() {
    let list = "/open\n/closed\n";
    let (_, out, _) = audit(list, &[]);
    assert!(out.contains("page: /closed  noindex (meta element, line 1)  [meta-in-body]"), "{out}");
    assert!(out.contains("pages checked: 2, pages that may not be indexed: 1"), "{out}");
    let (_, out, _) = audit(list, &["--format", "csv"]);
    assert!(out.contains(",page,ExampleBot,/closed,not-indexable,,"), "{out}");
    let (_, out, _) = audit(list, &["--format", "html"]);
    assert!(out.contains("<h2>Pages: 1</h2>"), "{out}");
    let (_, out, _) = audit(list, &["--format", "sarif"]);
    let log: Value = serde_json::from_str(&out).unwrap();
    let found: Vec<_> =
        log["runs"][0]["results"].as_array().unwrap().iter().map(|found| &found["ruleId"]).collect();
    assert_eq!(found, ["meta-in-body", "page-not-indexable"]);
    for found in found {
        if found == "meta-in-body" {
            let (status, out, _) = robots(&["lint", "--explain", found.as_str().unwrap()]);
            assert!(status == 0 && out.contains("A `meta` element is in the body."), "{out}");
        }
    }
}

#[test]
fn pages_that_are_not_read_are_said() {
    let (status, out, _) = audit("/open\n/closed\n", &["--max-pages", "1"]);
    assert!(out.contains("1 page is left out after the limit of 1"), "{out}");
    assert_eq!(status, 0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("robots.txt");
    fs::write(&file, "User-agent: *\nAllow: /\n").unwrap();
    let (status, _, err) = robots(&["audit", "--pages", file.to_str().unwrap()]);
    assert_eq!((status, err.contains("--pages needs the URLs of pages")), (2, true), "{err}");
    let urls = folder.path().join("urls.txt");
    fs::write(&urls, "/open\n").unwrap();
    let (status, out, _) =
        robots(&["audit", "--pages", "--urls", urls.to_str().unwrap(), file.to_str().unwrap()]);
    assert_eq!(status, 2);
    assert!(out.contains("pages are read from sites only"), "{out}");
}

#[test]
fn an_error_page_says_nothing_about_the_page() {
    let site = server(SITE);
    let (status, out, _) = robots(&["page", "--no-cache", "-a", "bingbot", &format!("{site}/nowhere")]);
    assert_eq!(status, 2);
    for question in ["may it be in the index?", "may it be quoted?"] {
        let row = out.lines().find(|line| line.starts_with(question)).unwrap();
        assert!(row.ends_with("  not known"), "{out}");
    }
    assert!(out.contains("the site answered status 404"), "{out}");
}

#[test]
fn a_rule_that_is_not_known_is_named() {
    let folder = crate::command::folder("page-unknown-rule");
    let file = folder.join("page.html");
    fs::write(&file, "<meta name=robots content='noindex,nosnippett,foo'>").unwrap();
    let (_, out, _) = robots(&["page", "-a", "bingbot", file.to_str().unwrap()]);
    assert!(out.contains("note: nosnippett, foo (meta element, line 1): this rule is not known"), "{out}");
}
