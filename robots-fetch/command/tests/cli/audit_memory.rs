//! The memory of an audit of many sites, some of which are hostile.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use core::time::Duration;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::command::folder;

/// The most memory of an audit in KiB.
const MOST: usize = 256 << 10;

/// Returns the most memory that a process has had so far, in KiB, unless it has ended.
fn memory(child: &Child) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.parse().ok()
}

/// Runs the command, and returns its status, its output, and the most memory that it had.
pub(crate) fn measured(args: &[&str]) -> (Option<i32>, String, usize) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    for name in ["http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"] {
        command.env_remove(name);
    }
    let mut child = command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut out = String::new();
        stdout.read_to_string(&mut out).unwrap();
        out
    });
    let mut peak = 0;
    let status = loop {
        peak = memory(&child).unwrap_or(0).max(peak);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        thread::sleep(Duration::from_millis(5));
    };
    (status.code(), reader.join().unwrap(), peak)
}

/// Returns repeated text of about this size.
fn repeated(size: usize, text: impl Fn(usize) -> String) -> Vec<u8> {
    let mut all = Vec::with_capacity(size);
    for number in 0.. {
        let next = text(number);
        if all.len() + next.len() > size {
            break;
        }
        all.extend_from_slice(next.as_bytes());
    }
    all
}

fn packed(parts: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    parts.into_iter().for_each(|part| packed.write_all(&part).unwrap());
    packed.finish().unwrap()
}

/// The files of hostile sites.
struct Hostile {
    robots: Vec<Vec<u8>>,
    sitemaps: Vec<Vec<u8>>,
}

impl Hostile {
    fn new() -> Self {
        let size = 490 << 10;
        let known = ["GPTBot", "CCBot", "ClaudeBot", "Googlebot", "Bytespider"];
        let robots = vec![
            repeated(size, |number| format!("user-agent:a{number}\ndisallow:/{number}\n")),
            repeated(size, |number| format!("disallow:/*{number}*a*b\nallow:/*{number}\n")),
            repeated(size, |number| format!("allow:/{number}\n")),
            repeated(size, |number| {
                let name = known[number % known.len()];
                format!("user-agent:{name}\ndisallow:/*{number}*\n")
            }),
            repeated(size, |number| format!("disallow:/\u{444}{number}\n")),
        ];
        let robots = robots.into_iter().map(|file| [b"user-agent:*\n".as_slice(), &file].concat()).collect();
        let url = |path: &str| format!("<url><loc>http://127.0.0.1/{path}</loc></url>").into_bytes();
        let start = || vec![b"<urlset>".to_vec()];
        let long = "a".repeat(8000);
        let sitemaps = vec![
            // Long URLs, spaces, nested sitemaps that can't be read, many short URLs, and one long name.
            packed(start().into_iter().chain((0..6000).map(|number| url(&format!("{number}{long}"))))),
            packed(start().into_iter().chain((0..60).map(|_| vec![b' '; 1 << 20]))),
            packed([b"<sitemapindex>".to_vec()].into_iter().chain(
                (0..6000).map(|_| format!("<sitemap><loc>ftp://a/{long}</loc></sitemap>").into_bytes()),
            )),
            packed((0..500).map(|block| {
                let line = |number: usize| format!("http://127.0.0.1/{block}-{number}\n");
                (0..1000).map(line).collect::<String>().into_bytes()
            })),
            packed([b"<".to_vec()].into_iter().chain((0..60).map(|_| vec![b'a'; 1 << 20]))),
        ];
        Self { robots, sitemaps }
    }

    /// Returns the body of the answer to a request to the site of this number.
    fn answer(&self, site: usize, host: &str, path: &str) -> Vec<u8> {
        let sitemaps = |names: &[&str]| -> String {
            names.iter().map(|name| format!("Sitemap: http://{host}/{name}\n")).collect()
        };
        let kind = site / 10;
        match (path, site.is_multiple_of(10)) {
            ("/robots.txt", true) => {
                // Each hostile file with each hostile sitemap, and as many small files with a hostile sitemap.
                let pair = kind / 2;
                let file = pair % self.robots.len();
                let sitemap = sitemaps(&[&(file + pair / self.robots.len()).to_string()]);
                let file = if kind.is_multiple_of(2) {
                    &*self.robots[file]
                } else {
                    b"User-agent: *\nDisallow: /1\n"
                };
                [sitemap.as_bytes(), file].concat()
            }
            ("/robots.txt", false) => {
                format!("User-agent: *\nDisallow: /1\n{}", sitemaps(&["map"])).into_bytes()
            }
            ("/map", _) => {
                let url = |number| format!("<url><loc>http://{host}/{number}</loc></url>");
                format!("<urlset>{}</urlset>", (1..100).map(url).collect::<String>()).into_bytes()
            }
            _ => {
                let number: usize = path[1..].parse().unwrap();
                self.sitemaps[number % self.sitemaps.len()].clone()
            }
        }
    }
}

/// Answers a request: the last two numbers of the address are the number of the site.
fn answer(mut stream: TcpStream, hostile: &Hostile) -> Option<()> {
    let mut head = String::new();
    let mut lines = BufReader::new(stream.try_clone().ok()?);
    while lines.read_line(&mut head).ok()? > 2 {}
    let path = head.split(' ').nth(1)?;
    let host =
        head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("host: ").map(str::to_owned))?;
    let address: core::net::Ipv4Addr = host.split(':').next()?.parse().ok()?;
    let [.., high, low] = address.octets();
    let body = hostile.answer(usize::from(high) * 256 + usize::from(low), &host, path);
    let len = body.len();
    write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {len}\r\n\r\n").ok()?;
    stream.write_all(&body).ok()
}

#[test]
fn five_hundred_sites_of_which_fifty_are_hostile_share_a_budget() {
    // All addresses of this block are this machine.
    let Ok(listener) = TcpListener::bind("0.0.0.0:0") else { return };
    let port = listener.local_addr().unwrap().port();
    if TcpStream::connect(("127.0.1.9", port)).is_err() || fs::read("/proc/self/status").is_err() {
        println!("skipped: this system has one address of its own only, or no /proc");
        return;
    }
    let hostile = Arc::new(Hostile::new());
    // The thread ends with the process.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let hostile = Arc::clone(&hostile);
            thread::spawn(move || answer(stream.unwrap(), &hostile));
        }
    });
    let sites: Vec<String> =
        (1..=500).map(|site| format!("http://127.0.{}.{}:{port}", site / 256, site % 256)).collect();
    let list = folder("audit-memory").join("sites.txt");
    fs::write(&list, sites.join("\n")).unwrap();
    let args =
        ["audit", "--sitemaps", "--format", "jsonl", "--timeout", "300", "--list", list.to_str().unwrap()];
    let (status, out, peak) = measured(&args);
    println!("{} MiB", peak >> 10);
    assert!((1..MOST).contains(&peak), "{peak} KiB");
    let found: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_sites = found.iter().filter(|row| row["kind"] == "site");
    let inputs: BTreeSet<&str> = of_sites.map(|row| row["input"].as_str().unwrap()).collect();
    assert_eq!(inputs, sites.iter().map(String::as_str).collect(), "{status:?}");
    assert!(!found.iter().any(|row| row["kind"] == "failed"));
    // The paths of a sitemap that begin with 1, of the other sites.
    assert_eq!(found.iter().filter(|row| row["kind"] == "submitted").count(), 450 * 11);
}

#[test]
fn a_long_list_of_urls_takes_memory_for_its_text() {
    if fs::read("/proc/self/status").is_err() {
        println!("skipped: this system has no /proc");
        return;
    }
    let folder = folder("audit-memory-urls");
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let urls = write("urls.txt", (0..100_000).map(|number| format!("/{number:05}\n")).collect());
    let robots = write("robots.txt", "User-agent: *\nDisallow: /1\n".to_owned());
    for format in ["csv", "sarif"] {
        let (status, out, peak) = measured(&["audit", "--format", format, "--urls", &urls, &robots]);
        println!("{format}: {} MiB", peak >> 10);
        assert_eq!(status, Some(1));
        assert!(out.len() > 1 << 20, "{}", out.len());
        // The list has 700 KB; a million URLs took 760 MiB once.
        assert!((1..56 << 10).contains(&peak), "{format}: {peak} KiB");
    }
}
