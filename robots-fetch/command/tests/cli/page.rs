//! `robots page`.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

use assert_cmd::Command;
use serde_json::Value;

/// Starts a server with a body and fields for each path, and returns its URL.
fn server(answers: &'static [(&'static str, &'static str)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    // The thread ends with the process.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut head, mut lines) = (String::new(), BufReader::new(stream.try_clone().unwrap()));
            while lines.read_line(&mut head).unwrap() > 2 {}
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            let answer =
                answers.iter().find(|(of, _)| *of == path).map_or("404 Not Found\r\n\r\n", |of| of.1);
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            let len = body.len();
            let _ =
                write!(stream, "HTTP/1.1 {head}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n{body}");
        }
    });
    base
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
}
