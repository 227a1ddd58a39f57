//! `robots page`.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::fs;
use std::io::Write as _;
use std::thread;

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

/// How long a slow site takes for an answer, the time of a page, and the most requests in it.
const SLOW: Duration = Duration::from_millis(300);
const TIME: &str = "1";
const IN_TIME: usize = 4;

/// Starts a site that answers slowly, counts its requests, and redirects each page to another one, also at `next` if that is a site.
fn slow_site(count: &Arc<AtomicUsize>, next: String) -> String {
    let count = Arc::clone(count);
    served(move |_, head, stream| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        thread::sleep(SLOW);
        let sent = match path_of(head) {
            "/robots.txt" => answer("200 OK", &[], "User-agent: *\nDisallow: /private\n"),
            _ => answer("302 Found", &[&format!("Location: {next}/page-{number}")], ""),
        };
        let _ = stream.write_all(sent.as_bytes());
    })
}

#[test]
fn redirects_of_a_page_and_the_robots_txt_of_each_share_its_time() {
    // To itself, and to another site each time.
    for others in [0, 6] {
        let count = Arc::default();
        let first = (0..=others).fold(String::new(), |next, _| slow_site(&count, next));
        let (status, out, err) =
            robots(&["page", "--no-cache", "--timeout", TIME, "-a", "x", &format!("{first}/page")]);
        let asked = count.load(Ordering::Relaxed);
        assert!(asked <= IN_TIME, "{asked} requests");
        assert_eq!((status, err.as_str()), (2, ""), "{out}");
        // The last request may be that of a robots.txt.
        let is_said =
            out.contains("gave no answer within the 1 s of `--timeout`") || out.contains("timed out");
        assert!(is_said, "{out}");
    }
}

#[test]
fn redirects_of_a_page_of_an_audit_share_its_time() {
    let count = Arc::default();
    let site = slow_site(&count, String::new());
    let folder = tempfile::tempdir().unwrap();
    let urls = folder.path().join("urls.txt");
    fs::write(&urls, "/page\n").unwrap();
    let urls = urls.to_str().unwrap();
    let (status, out, _) = robots(&["audit", "--pages", "--timeout", TIME, "-a", "x", "--urls", urls, &site]);
    // The robots.txt of the site has a time of its own.
    let asked = count.load(Ordering::Relaxed);
    assert!(asked <= IN_TIME + 1, "{asked} requests");
    assert!(status == 2 && out.contains("gave no answer within the 1 s of `--timeout`"), "{out}");
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
fn a_page_that_nothing_keeps_out_has_a_next_step() {
    let base = server(SITE);
    const NOTE: &str = "\n\nnote: nothing here keeps the page out of an index; each search engine decides whether it is in one, \
                        and shows that in its tools for owners of sites, such as Google Search Console\n";
    for (path, has_note) in [("/open", true), ("/page", false), ("/hidden", false), ("/old", false)] {
        let (_, out, _) = robots(&[
            "page",
            "--no-cache",
            "--agent",
            "Googlebot",
            "--agent",
            "bingbot",
            &format!("{base}{path}"),
        ]);
        assert_eq!(out.ends_with(NOTE), has_note, "{path}: {out}");
    }
}

#[test]
fn only_crawlers_that_the_user_named_have_notes() {
    let folder = tempfile::tempdir().unwrap();
    let html = folder.path().join("page.html");
    fs::write(&html, "<p>text").unwrap();
    let html = html.to_str().unwrap();
    let (_, out, err) = robots(&["page", html]);
    assert!(out.contains("YandexBot") && err.is_empty(), "{out}{err}");
    let (_, _, err) = robots(&["page", "--agent", "YandexBot", html]);
    assert!(err.contains("`YandexBot` obeys groups for `Yandex`"), "{err}");
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
    // Its lines have the form of fields, and none of them is one.
    fs::write(&headers, "User-agent: *\nDisallow: /private\n").unwrap();
    let (status, _, err) = robots(&["page", "--headers", &headers, &html, "--agent", "Googlebot"]);
    assert!(status == 2 && err.contains("headers is a robots.txt file"), "{err}");
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
    (
        "/copy",
        "200 OK\r\nContent-Type: text/html\r\n\r\n<head><link rel=canonical href='/open'>\n<meta http-equiv=refresh content='0; URL=/closed'>",
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
fn an_audit_says_what_may_bring_another_page_into_the_index() {
    for format in ["human", "csv", "jsonl", "html"] {
        let (status, out, _) = audit("/copy\n", &["--format", format]);
        assert_eq!(status, 0, "{out}");
        assert!(out.contains("/open as the canonical URL") && out.contains("/closed"), "{format} {out}");
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

/// Writes a page and the fields of its response, and returns the status and the document of `robots page`.
fn of_files(headers: &[u8], body: &[u8]) -> (i32, Value) {
    let folder = tempfile::tempdir().unwrap();
    let (page, fields) = (folder.path().join("page.html"), folder.path().join("headers"));
    fs::write(&page, body).unwrap();
    fs::write(&fields, headers).unwrap();
    let [page, fields] = [page, fields].map(|path| path.to_str().unwrap().to_owned());
    let (status, value) = json(&["--agent", "Googlebot", "--headers", &fields, &page]);
    (status, value["pages"][0].clone())
}

const PLAIN: &str = "<html><head></head><body>x</body></html>";

#[test]
fn all_fields_of_a_head_are_read() {
    let page = |status: &str, fields: &[&str], count: usize| {
        let fields = fields.iter().map(|field| format!("{field}\r\n")).collect::<String>();
        let many = "X-n: a\r\n".repeat(count);
        format!("{status}\r\nContent-Type: text/html\r\n{many}{fields}\r\n{PLAIN}")
    };
    let answers = [
        ("/robots.txt".to_owned(), "200 OK\r\n\r\nUser-agent: *\nDisallow:\n".to_owned()),
        ("/few".to_owned(), page("200 OK", &["X-Robots-Tag: noindex"], 117)),
        (
            "/many".to_owned(),
            page("200 OK", &["x-robots-tag:\tgooglebot:\tnoindex", "Robots-other-fields: a:b"], 4000),
        ),
        ("/none".to_owned(), page("200 OK", &[], 4000)),
        ("/named".to_owned(), page("200 OK", &["Robots-other-fields: x-robots-tag:noindex"], 1)),
        ("/too-many".to_owned(), page("200 OK", &["X-Robots-Tag: noindex"], 5000)),
        (
            "/rules".to_owned(),
            page("200 OK", &[&["X-Robots-Tag: nofollow"; 300][..], &["X-Robots-Tag: noindex"]].concat(), 1),
        ),
        ("/two".to_owned(), page("200 OK", &["X-Robots-Tag: nofollow", "X-Robots-Tag: noindex"], 115)),
    ];
    let base = served(move |_, head, stream| {
        let found = answers.iter().find(|(path, _)| path == path_of(head));
        let (head, body) = found.unwrap().1.split_once("\r\n\r\n").unwrap();
        let _ = stream.write_all(answer(head, &[], body).as_bytes());
    });
    for (path, expected) in
        [("few", 1), ("many", 1), ("none", 0), ("named", 0), ("too-many", 2), ("rules", 2), ("two", 1)]
    {
        let (status, value) = json(&["--agent", "Googlebot", &format!("{base}/{path}")]);
        assert_eq!(status, expected, "{path}: {value}");
    }
    let folder = tempfile::tempdir().unwrap();
    let urls = folder.path().join("urls.txt");
    fs::write(&urls, "/few\n").unwrap();
    let urls = urls.to_str().unwrap();
    let (status, out, _) = robots(&["audit", "--pages", "--agent", "Googlebot", "--urls", urls, &base]);
    assert_eq!(status, 1, "{out}");
}

#[test]
fn a_body_that_is_not_html_is_not_answered() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let utf32 = |text: &str| text.chars().flat_map(|char| u32::from(char).to_le_bytes()).collect::<Vec<u8>>();
    let closed = "<html><meta name=robots content=noindex>";
    // `<html><meta name=robots content=noindex>` in EBCDIC.
    let ebcdic =
        b"\x4C\x88\xA3\x94\x93\x6E\x4C\x94\x85\xA3\x81\x40\x95\x81\x94\x85\x7E\x99\x96\x82\x96\xA3\xA2\x6E";
    let bodies: &[(&str, &[u8])] = &[
        ("text/html", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("text/html", b"%PDF-1.7\n<a>"),
        ("text/html", b"{\"html\": \"<p>\"}"),
        ("text/html", b""),
        ("text/html", b"not found"),
        ("text/html", &utf16(closed)),
        ("text/html; charset=utf-16be", &utf16(closed)),
        ("text/html; charset=utf-16", closed.as_bytes()),
        ("text/html; charset=ibm037", ebcdic),
        ("text/html", &utf32(closed)),
        ("text/html", &utf32(&format!("\u{FEFF}{closed}"))),
        ("html", b"%PDF-1.7\n"),
    ];
    for (media, body) in bodies {
        let (status, page) = of_files(format!("Content-Type: {media}\n").as_bytes(), body);
        assert_eq!((status, &page["agents"][0]["index"]["value"]), (2, &"unknown".into()), "{media}: {page}");
        let problem = page["problem"].as_str().unwrap();
        assert!(problem.ends_with(", not an HTML page, so its rules are not known"), "{problem}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        fs::write(&file, body).unwrap();
        if !media.contains("charset=utf-16") {
            assert_eq!(robots(&["page", file.to_str().unwrap()]).0, 2, "{media}");
        }
    }
    let read: &[(&str, &[u8])] = &[
        ("text/html; charset=utf-16", &utf16(closed)),
        ("text/html; charset=utf-8", &utf16(&format!("\u{FEFF}{closed}"))),
        ("text/html; charset=ibm037", closed.as_bytes()),
    ];
    for (media, body) in read {
        let (status, page) = of_files(format!("Content-Type: {media}\n").as_bytes(), body);
        assert_eq!((status, &page["problem"]), (1, &Value::Null), "{media}: {page}");
    }
    // Other media have rules in fields only.
    let (status, page) = of_files(b"Content-Type: application/pdf\n", b"%PDF-1.7\n");
    assert_eq!((status, &page["notes"]), (0, &serde_json::json!([])), "{page}");
    for media in ["text/plain", "application/octet-stream"] {
        let (status, page) = of_files(format!("Content-Type: {media}\n").as_bytes(), closed.as_bytes());
        assert_eq!((status, &page["notes"][0]["code"]), (0, &"not-html".into()), "{page}");
    }
}

#[test]
fn the_last_response_of_a_file_counts_with_its_status() {
    for first in [
        "404 Not Found",
        "503 Service Unavailable",
        "301 Moved Permanently",
        "204 No Content",
        "206 Partial",
        "304",
    ] {
        let headers = format!("HTTP/1.1 {first}\r\nContent-Type: text/html\r\n\r\n");
        let (status, page) = of_files(headers.as_bytes(), PLAIN.as_bytes());
        assert_eq!((status, &page["agents"][0]["index"]["value"]), (2, &"unknown".into()), "{first}: {page}");
        let number = first.split(' ').next().unwrap();
        assert_eq!(
            page["problem"],
            format!("the site answered status {number}, so this may not be the page")
        );
    }
    let redirect = "HTTP/1.1 301 Moved\r\nX-Robots-Tag: noindex\r\nLocation: /b\r\n\r\n";
    let last = "HTTP/2 200 \r\ncontent-type: text/html\r\n\r\n";
    assert_eq!(of_files(format!("{redirect}{last}").as_bytes(), PLAIN.as_bytes()).0, 0);
    assert_eq!(of_files(format!("{last}{redirect}").as_bytes(), PLAIN.as_bytes()).0, 1);
    let folder = tempfile::tempdir().unwrap();
    let (page, fields) = (folder.path().join("page.html"), folder.path().join("headers"));
    fs::write(&page, PLAIN).unwrap();
    fs::write(&fields, "HTTP/1.1 OK\nX-a: b\n").unwrap();
    let [page, fields] = [page, fields].map(|path| path.to_str().unwrap().to_owned());
    let (status, _, err) = robots(&["page", "--headers", &fields, &page]);
    assert!(status == 2 && err.contains("headers:1: expected a status line"), "{err}");
}

#[test]
fn both_formats_know_the_same() {
    const ODD: &[(&str, &str)] = &[
        ("/robots.txt", "200 OK\r\n\r\nUser-agent: *\nDisallow:\n"),
        ("/404", "404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>x"),
        ("/index-404", "404 Not Found\r\nX-Robots-Tag: index\r\nContent-Type: text/html\r\n\r\n<p>x"),
        ("/503", "503 Oops\r\nContent-Type: text/html\r\n\r\n<p>x"),
        ("/202", "202 Accepted\r\nContent-Type: text/html\r\n\r\n<p>x"),
        ("/206", "206 Partial Content\r\nContent-Range: bytes 0-3/9\r\nContent-Type: text/html\r\n\r\n<p>x"),
        ("/301", "301 Moved\r\nContent-Type: text/html\r\n\r\n<p>x"),
        ("/empty", "200 OK\r\nContent-Type: text/html\r\n\r\n"),
        ("/json", "200 OK\r\nContent-Type: text/html\r\n\r\n{\"a\": 1}"),
    ];
    let base = server(ODD);
    for (path, _) in &ODD[1..] {
        let url = format!("{base}{path}");
        let (status, value) = json(&["--agent", "Googlebot", &url]);
        let page = &value["pages"][0];
        assert_eq!((status, &page["agents"][0]["index"]["value"]), (2, &"unknown".into()), "{path}: {page}");
        let (_, out, _) = robots(&["page", "--no-cache", "--agent", "Googlebot", &url]);
        let row = out.lines().find(|line| line.starts_with("may it be in the index?")).unwrap();
        assert!(row.ends_with("  not known") && out.contains(page["problem"].as_str().unwrap()), "{out}");
    }
    let folder = tempfile::tempdir().unwrap();
    let urls = folder.path().join("urls.txt");
    fs::write(&urls, "/empty\n/json\n/202\n").unwrap();
    let arguments = ["audit", "--pages", "--format", "jsonl", "--urls", urls.to_str().unwrap(), &base];
    let (status, out, _) = robots(&arguments);
    assert_eq!((status, out.matches("\"access\":\"unknown\"").count()), (2, 3), "{out}");
}

#[test]
fn a_page_is_not_shown_after_its_date() {
    let (status, page) = of_files(b"X-Robots-Tag: unavailable_after: 2020-09-21\n", PLAIN.as_bytes());
    let of = &page["agents"][0];
    assert_eq!((status, &of["index"]["value"]), (1, &"no".into()), "{page}");
    assert_eq!(
        (&of["problems"][0]["code"], &of["index"]["limited"]),
        (&"date-in-the-past".into(), &true.into())
    );
    let (status, page) = of_files(b"X-Robots-Tag: unavailable_after: 9000-01-01\n", PLAIN.as_bytes());
    assert_eq!((status, &page["agents"][0]["problems"]), (0, &serde_json::json!([])), "{page}");
}

#[test]
fn what_may_bring_another_page_into_the_index_is_noted() {
    const PAGES: &[(&str, &str)] = &[
        ("/robots.txt", "200 OK\r\n\r\nUser-agent: *\nDisallow:\n"),
        ("/old", "301 Moved\r\nX-Robots-Tag: noindex\r\nLocation: /own\r\n\r\n"),
        (
            "/own",
            "200 OK\r\nContent-Type: text/html\r\nLink: </own#x>; rel=canonical\r\n\r\n<head>\n<link rel=canonical href='own'>",
        ),
        (
            "/other",
            "200 OK\r\nContent-Type: text/html\r\n\r\n<head>\n<!-- <link rel=canonical href=/no> -->\n\
             <link rel='canonical' href='/own'><meta http-equiv=refresh content=\"0; URL='/own'\">\n<span data-nosnippet>x",
        ),
        (
            "/fields",
            "200 OK\r\nContent-Type: text/html\r\nX-Robot-Tag: noindex\r\nX_Robots_Tag: noindex\r\nRobots: noindex\r\n\
             Link: </a,b>; rel=\"next\"; title=\"a, b\", <https://example.com/x>; rel=\"alternate canonical\"\r\n\
             Refresh: 5;/own\r\n\r\n<meta http-equiv=refresh content=30><p>x",
        ),
    ];
    let base = server(PAGES);
    let notes = |path: &str| {
        let (status, value) = json(&["--agent", "Googlebot", &format!("{base}{path}")]);
        assert_eq!(status, 0, "{value}");
        let notes = value["pages"][0]["notes"].as_array().unwrap().clone();
        let shown = |note: &Value| {
            let url = note["url"].as_str().unwrap_or_default().replace(&base, "");
            format!("{} {} {url}", note["code"].as_str().unwrap(), note["line"])
        };
        notes.iter().map(shown).collect::<Vec<_>>()
    };
    assert_eq!(notes("/old"), ["redirect-rule null "]);
    assert_eq!(notes("/own"), [""; 0]);
    assert_eq!(notes("/other"), ["canonical 3 /own", "refresh 3 /own", "data-nosnippet 4 "]);
    assert_eq!(
        notes("/fields"),
        [
            "field-spelling null ",
            "field-spelling null ",
            "field-spelling null ",
            "canonical null https://example.com/x",
            "refresh null /own",
        ]
    );
    let (_, out, _) = robots(&["page", "--no-cache", "--agent", "Googlebot", &format!("{base}/other")]);
    let canonical = format!(
        "note: the page names {base}/own as the canonical URL; search engines may index that URL in place of this page (line 3)\n"
    );
    assert!(out.contains(&canonical), "{out}");
}
