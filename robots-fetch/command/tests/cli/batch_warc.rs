//! `robots batch --warc`.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::command::{folder, outcome};

const FILE: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: ExampleBot\nSitemap: /map\nUser-agent: OtherBot\nDisallow: /\n";

fn record(url: &str, status: u16, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 {status} X\r\nContent-Type: text/plain\r\n\r\n{body}");
    let len = block.len();
    let header =
        format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len}\r\n\r\n");
    [header, block, "\r\n\r\n".to_owned()].concat().into_bytes()
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn batch_checks_the_captures_of_archives() {
    let plain = [
        record("https://a.example/robots.txt", 200, FILE),
        record("https://b.example/robots.txt", 404, ""),
        record("https://a.example/page", 200, FILE),
    ]
    .concat();
    let expected = "\
        https://a.example/robots.txt\tExampleBot\t/\tdisallowed\t7\tnamed\trule\taccidental-group\n\
        https://a.example/robots.txt\tExampleBot\t/robots.txt\tallowed\t0\tnamed\trobots-txt\taccidental-group\n\
        https://a.example/robots.txt\tOtherBot\t/\tdisallowed\t7\tnamed\trule\t-\n\
        https://a.example/robots.txt\tOtherBot\t/robots.txt\tallowed\t0\tnamed\trobots-txt\t-\n";
    let questions = ["batch", "-a", "ExampleBot", "-a", "OtherBot", "-u", "/", "-u", "/robots.txt", "--warc"];
    let note = "robots: note: captures with other statuses than 2xx, which were left out: 1\n\
                robots: note: captures of other URLs than robots.txt files, which were left out: 1\n";
    assert_eq!(outcome(&questions, plain.clone()), (0, expected.to_owned(), note.to_owned()));
    assert_eq!(outcome(&questions, member(&plain)).1, expected);
    let path = folder("warc").join("a.warc");
    fs::write(&path, &plain).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(outcome(&[&questions[..], &[path, "-"]].concat(), plain).1, [expected, expected].concat());
    assert_eq!(outcome(&questions, ""), (0, String::new(), String::new()));
}

#[test]
fn batch_reads_the_captures_of_each_crawler_by_its_profile() {
    let file = "User-agent: *\nDisallow: /caf\u{e9}\nDisallow: /b:\n";
    let archive = record("https://a.example/robots.txt", 200, file);
    let questions =
        ["batch", "-a", "Googlebot", "-a", "ExampleBot", "-u", "/caf\u{e9}", "-u", "/b%3A", "--warc"];
    let (_, out, _) = outcome(&questions, archive);
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').skip(1).take(4).collect()).collect();
    assert_eq!(
        rows,
        [
            ["Googlebot", "/caf\u{e9}", "disallowed", "2"],
            ["Googlebot", "/b%3A", "allowed", "0"],
            ["ExampleBot", "/caf\u{e9}", "disallowed", "2"],
            ["ExampleBot", "/b%3A", "disallowed", "3"],
        ]
    );
}

#[test]
fn batch_reports_bodies_that_are_not_whole_and_continues() {
    let with = |url: &str, fields: &str| {
        let answer = format!("HTTP/1.1 200 X\r\n{fields}\r\n\r\n{FILE}");
        let header = format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n");
        format!("{header}Content-Length: {}\r\n\r\n{answer}\r\n\r\n", answer.len())
    };
    let archive = [
        with("http://a/robots.txt", "Content-Length: 500"),
        // Other files are not examined.
        with("http://a/page", "Content-Length: 500"),
        with("http://b/robots.txt", "Content-Encoding: br"),
    ]
    .concat();
    let (status, out, _) = outcome(&["batch", "--warc"], archive);
    assert_eq!(status, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert_eq!(lines[0], "error\t-:0: the body is shorter than its Content-Length");
    // The coding was removed before the answer was archived.
    assert!(lines[1].starts_with("http://b/robots.txt\t*\t/\t"), "{out}");
}

#[test]
fn batch_reports_damaged_records_and_continues() {
    let [a, b, c] =
        ["a", "b", "c"].map(|host| member(&record(&format!("http://{host}/robots.txt"), 200, "<html>")));
    let archive = [&a[..], &b[..b.len() - 20], &c[..]].concat();
    let (status, out, err) = outcome(&["batch", "--warc"], archive);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "http://a/robots.txt\t*\t/\tallowed\t0\tnone\tno-group\thtml");
    assert!(lines[1].starts_with(&format!("error\t-:{}: the ", a.len())), "{out}");
    assert!(lines[1].contains("gzip member"), "{out}");
    assert_eq!(lines[2..], ["http://c/robots.txt\t*\t/\tallowed\t0\tnone\tno-group\thtml"]);
    assert_eq!((status, err.as_str()), (0, ""));
}

#[test]
fn batch_needs_an_archive_for_agents() {
    let (status, _, err) = outcome(&["batch", "--agent", "a"], "");
    assert_eq!(status, 2);
    assert!(err.contains("--warc"), "{err}");
    let (status, _, err) = outcome(&["batch", "--agent", "", "--warc"], "");
    assert_eq!(status, 2);
    assert!(err.contains("a crawler name must not be empty"), "{err}");
    let (status, _, err) = outcome(&["batch", "--url", "https://example.com/a", "--warc"], "");
    assert_eq!(status, 2);
    assert!(err.contains("is not a path; write one that begins with `/`"), "{err}");
    let (status, out, err) = outcome(&["batch", "--warc", "/nowhere"], "");
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("can't read /nowhere: no such file or directory"), "{err}");
}
