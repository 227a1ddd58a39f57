//! `robots audit`.

use core::fmt::Write as _;
use core::time::Duration;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

use serde_json::Value;

use crate::command::{file, folder, outcome};
use crate::site::{Site, User, answer, path_of, rules, served};
use robots_conformance::testing::schema::against;

/// Returns the rows of the JSON lines.
pub(crate) fn rows(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).unwrap();
            assert_eq!(against("audit.json", &value), [""; 0]);
            value
        })
        .collect()
}

#[test]
fn files_folders_and_failures_are_rows() {
    let folder = folder("audit");
    fs::create_dir_all(folder.join("more")).unwrap();
    fs::write(folder.join("a.txt"), "User-agent: *\nDisallow: /a\n").unwrap();
    fs::write(folder.join("more/b.txt"), "User-agent: *\nDisallow: /\nUser-agent: GPTBot\nAllow: /\n")
        .unwrap();
    let path = folder.to_str().unwrap();
    let args = ["audit", "--format", "jsonl", "-a", "GPTBot", "-a", "bingbot", path, "none.txt", "-"];
    let (status, out, err) = outcome(&args, "\n");
    assert_eq!((status, err.as_str()), (2, ""));
    let rows = rows(&out);
    let found: Vec<(&str, &str, &str)> = rows
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap_or_default();
            (text("input").rsplit('/').next().unwrap(), text("crawler"), text("access"))
        })
        .collect();
    let expected = [
        ("a.txt", "GPTBot", "parts"),
        ("a.txt", "bingbot", "parts"),
        ("b.txt", "GPTBot", "all"),
        ("b.txt", "bingbot", "nothing"),
        ("none.txt", "", ""),
        ("standard input", "GPTBot", "all"),
        ("standard input", "bingbot", "all"),
    ];
    assert_eq!(found, expected);
    let (_, human, _) = outcome(&["audit", path], "");
    assert!(
        human.ends_with("robots.txt checked: 2, with rules: 2, whole sites blocked for a crawler: 1\n"),
        "{human}"
    );
}

#[test]
fn urls_are_checked_for_their_sites() {
    let (user, one, other) =
        (User::new(), Site::new(rules(&[])), Site::new(answer("404 Not Found", &[], "")));
    let list = user.0.path().join("urls.txt");
    fs::write(&list, format!("/private\n{}/private/x\n{}/private/y\n", one.base, other.base)).unwrap();
    let sites = format!("# sites\n{}\n\n{}\n", one.base, other.base);
    let listed = user.0.path().join("sites.txt");
    fs::write(&listed, sites).unwrap();
    let args =
        ["audit", "--urls", list.to_str().unwrap(), "--list", listed.to_str().unwrap(), "--format", "csv"];
    let (status, out, _) = user.robots(&args);
    let expected = [
        "input,status,kind,crawler,url,access,line,reason,flags,profile,wanted".to_owned(),
        format!("{0},rules,url,*,/private,disallowed,2,line 2: Disallow: /private,,rfc9309,", one.base),
        format!("{0},rules,url,*,{0}/private/x,disallowed,2,line 2: Disallow: /private,,rfc9309,", one.base),
        format!(
            "{0},everything,url,*,/private,allowed,,the site has no robots.txt (status 404),,rfc9309,",
            other.base
        ),
        format!(
            "{0},everything,url,*,{0}/private/y,allowed,,the site has no robots.txt (status 404),,rfc9309,",
            other.base
        ),
    ];
    let lines: Vec<(&str, Vec<&str>)> = out
        .lines()
        .map(|line| {
            let mut cells: Vec<&str> = line.rsplitn(8, ',').collect();
            (cells.pop().unwrap(), cells.into_iter().rev().collect())
        })
        .collect();
    let shown: Vec<&str> = lines.iter().map(|(start, _)| *start).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_eq!((status, shown), (1, expected));
    let (rules, none) = (&lines[1].1, &lines[3].1);
    let robots = format!("{}/robots.txt", one.base);
    assert_eq!(lines[0].1, ["http_status", "final_url", "redirects", "time", "bytes", "sha256", "body"]);
    assert_eq!((rules[0], rules[1], rules[2], rules[6]), ("200", robots.as_str(), "0", "rules"));
    assert!(rules[3].ends_with('Z') && rules[4].parse::<usize>().unwrap() > 0 && rules[5].len() == 64);
    assert_eq!((none[0], none[2], none[4], none[5], none[6]), ("404", "0", "", "", ""));
}

/// A site with a robots.txt, an index of sitemaps, and two sitemaps, one of them compressed.
fn site_with_sitemaps() -> String {
    served(|base, head, stream| {
        let map = |path: &str| format!("<sitemap><loc>{base}{path}</loc></sitemap>");
        let url = |path: &str| format!("<url><loc>{base}{path}</loc></url>");
        let body = match path_of(head) {
            "/robots.txt" => {
                format!("User-agent: *\nDisallow: /private\nSitemap: {base}/index.xml\nSitemap: map.xml\n")
            }
            "/index.xml" => {
                let maps = ["/a.xml", "/b.xml.gz", "/none.xml"].map(map).concat();
                format!("<sitemapindex>{maps}</sitemapindex>")
            }
            "/a.xml" => format!(
                "<urlset>{}{}<url><loc>https://other.example/private</loc></url></urlset>",
                url("/private/a"),
                url("/open")
            ),
            "/b.xml.gz" => format!("<urlset>{}</urlset>", url("/private/b")),
            _ => {
                let _ = stream.write_all(answer("404 Not Found", &[], "").as_bytes());
                return;
            }
        };
        let mut body = body.into_bytes();
        if path_of(head).ends_with(".gz") {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(&body).unwrap();
            body = encoder.finish().unwrap();
        }
        let len = body.len();
        let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n");
        let _ = stream.write_all(&body);
    })
}

#[test]
fn submitted_urls_that_are_disallowed_are_found() {
    let (user, base) = (User::new(), site_with_sitemaps());
    let (status, out, _) = user.robots(&["audit", "--sitemaps", "--format", "jsonl", &base]);
    assert_eq!(status, 2);
    let rows = rows(&out);
    let submitted: Vec<&str> = rows
        .iter()
        .filter(|row| row["kind"] == "submitted")
        .map(|row| row["url"].as_str().unwrap())
        .collect();
    assert_eq!(submitted, [format!("{base}/private/a"), format!("{base}/private/b")]);
    let problems: Vec<&str> = rows
        .iter()
        .filter(|row| row["kind"] == "problem" || row["kind"] == "left-out")
        .map(|row| row["reason"].as_str().unwrap())
        .collect();
    assert_eq!(problems[0], "1 sitemap is not a URL by http or https: `map.xml`");
    assert_eq!(
        problems[1..],
        [
            format!("the sitemap {base}/none.xml could not be read: the server answered 404"),
            "1 URL of the sitemaps is of another site and was not checked: `https://other.example/private`"
                .to_owned()
        ]
    );
    let (_, out, _) = user.robots(&["audit", "--sitemaps", "--format", "sarif", &base]);
    let sarif: Value = serde_json::from_str(&out).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.iter().filter(|result| result["ruleId"] == "submitted-url-disallowed").count(), 2);
    let (_, out, _) = user.robots(&["audit", "--sitemaps", "--format", "html", &base]);
    assert!(
        out.contains("<h2>Blocked by a rule: 1</h2>")
            && out.contains("<td data-column=\"Blocks\">2 URLs</td>")
    );
    assert!(out.contains("/private/b"), "{out}");
    assert!(out.contains("Content-Security-Policy") && out.matches("<script").count() == 1);
    let (_, out, _) = user.robots(&["audit", "--sitemaps", "--max-urls", "1", "--format", "jsonl", &base]);
    assert!(out.contains("only the first URL was read"), "{out}");
}

/// Starts 500 sites on this machine, 50 of which fail in different ways. Returns their URLs, one on each line.
fn five_hundred_sites() -> String {
    let mut urls = String::new();
    let good = "User-agent: *\nDisallow: /private\n";
    for number in 0..500 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let kind = if number % 10 == 0 { Some(number / 10 % 5) } else { None };
        match kind {
            // A host without a name, and a port at which no server listens.
            Some(0) => {
                let _ = writeln!(urls, "http://host-{number}.invalid");
                continue;
            }
            Some(1) => {
                drop(listener);
                // A site that is named twice is asked once.
                let _ = writeln!(urls, "http://127.0.0.1:{}/", 1 + number / 50);
                continue;
            }
            _ => {}
        }
        let _ = writeln!(urls, "http://{address}");
        // The thread ends with the process.
        thread::Builder::new()
            .stack_size(64 << 10)
            .spawn(move || {
                for stream in listener.incoming() {
                    let Ok(mut stream) = stream else { break };
                    let mut head = [0; 1024];
                    let _ = stream.read(&mut head);
                    let text = match kind {
                        None => answer("200 OK", &[], good),
                        Some(2) => answer("503 Service Unavailable", &[], ""),
                        Some(3) => "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser".to_owned(),
                        // No response until the connection is closed.
                        Some(_) => {
                            thread::sleep(Duration::from_secs(1));
                            continue;
                        }
                    };
                    let _ = stream.write_all(text.as_bytes());
                }
            })
            .unwrap();
    }
    urls
}

/// Runs the command. Returns its status, its output, and the most memory that it had, in KB; 0 where that is not known.
fn measured(user: &User, args: &[&str]) -> (i32, String, u64) {
    let out = user.0.path().join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots"))
        .args(args)
        .env("XDG_CACHE_HOME", user.0.path().join("caches"))
        .env("LOCALAPPDATA", user.0.path().join("caches"))
        .env("HOME", user.0.path())
        .stdout(fs::File::create(&out).unwrap())
        .spawn()
        .unwrap();
    let mut most = 0;
    let status = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
        most = most.max(peak.map_or(0, |peak| peak.parse().unwrap()));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        thread::sleep(Duration::from_millis(20));
    };
    (status.code().unwrap(), fs::read_to_string(out).unwrap(), most)
}

#[test]
fn five_hundred_sites_are_five_hundred_rows() {
    let user = User::new();
    let list = user.0.path().join("sites.txt");
    let urls = five_hundred_sites();
    fs::write(&list, &urls).unwrap();
    let sites = ["--no-proxy", "--jobs", "64", "--timeout", "60", "--list", list.to_str().unwrap()];
    let (status, out, memory) = measured(&user, &[&["audit", "--format", "jsonl"], &sites[..]].concat());
    assert_eq!(status, 2);
    println!("500 sites: at most {memory} KB");
    // 64 threads, each with a connection and buffers of its own. Pages of the program count, too.
    assert!(memory < 120_000, "{memory} KB");
    let rows = rows(&out);
    assert_eq!(rows.len(), 500);
    let count = |status: &str, access: &str| {
        rows.iter().filter(|row| row["status"] == status && row["access"] == access).count()
    };
    assert_eq!((count("rules", "parts"), count("nothing", "nothing")), (450, 50));
    // The order is that of the list.
    for (row, url) in rows.iter().zip(urls.lines()) {
        assert!(row["robots"].as_str().unwrap().starts_with(url.trim_end_matches('/')), "{row} {url}");
    }
}

#[test]
fn spreadsheets_of_other_countries_open_the_csv() {
    let path = file("audit-separator", "User-agent: *\nDisallow: /\n");
    for command in ["audit", "crawlers"] {
        let args = [command, "--format", "csv", "--separator", "semicolon", "--bom", path.to_str().unwrap()];
        let (_, out, err) = outcome(&args, "");
        let mut reader = csv::ReaderBuilder::new();
        let text = out.strip_prefix('\u{FEFF}').unwrap();
        let mut reader = reader.delimiter(b';').from_reader(text.as_bytes());
        assert!(reader.headers().unwrap().len() > 8 && err.is_empty(), "{out}");
        assert!(reader.records().count() > 0 && !text.contains('\u{FEFF}'));
    }
}
