//! The reports of the `robots` command whose screenshots are in the documentation.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::tidy::source;
use crate::workspace::{text, write};

/// Writes the report of an audit, the history of a site, and the report on a log into a folder. Returns their paths. `tests` has the
/// earlier runs of the history.
pub(super) fn reports(
    robots: &Path,
    corpus: &Path,
    tests: &Path,
    folder: &Path,
) -> Result<Vec<PathBuf>, String> {
    let [audit, history, log] = ["audit.html", "history.html", "log.html"].map(|name| folder.join(name));
    write(&audit, &printed(robots, corpus, AUDIT)?)?;
    watched(robots, tests, folder, &history)?;
    write(&folder.join("access.log"), &access_log())?;
    write(&folder.join("robots.txt"), "User-agent: *\nDisallow: /cart\nDisallow: /search\n")?;
    write(&log, &printed(robots, folder, LOG)?)?;
    Ok(vec![audit, history, log])
}

/// An audit of some files of the corpus.
const AUDIT: &[&str] = &[
    "audit",
    "--format",
    "html",
    "--agent",
    "Googlebot",
    "--agent",
    "GPTBot",
    "closed-site.txt",
    "crawler-list.txt",
    "managed-block.txt",
    "sitemaps.txt",
];

const LOG: &[&str] = &["log", "--format", "html", "--all", "--robots", "robots.txt", "access.log"];

/// Runs the command in a folder, and returns its output. The exit status says what was found.
fn printed(robots: &Path, folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(robots).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| format!("{}: {error}", robots.display()))?;
    if output.stdout.is_empty() && !arguments.contains(&"watch") {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Watches a site once more, after the runs that are in the folder of tests. A proxy answers for it, so that the page has a name of
/// a site.
fn watched(robots: &Path, tests: &Path, folder: &Path, history: &Path) -> Result<(), String> {
    let runs = folder.join("history");
    let _ = fs::remove_dir_all(&runs);
    let earlier = tests.join("history");
    for file in source::files(&earlier)? {
        let copy = runs.join("http___www.example.com").join(source::relative(&earlier, &file));
        write(&copy, &text(&file)?)?;
    }
    let failed = |error: std::io::Error| error.to_string();
    let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
    let proxy = format!("http://{}", listener.local_addr().map_err(failed)?);
    // The thread ends with the process.
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let body = "User-agent: *\nDisallow: /\n";
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    let page = history.to_string_lossy();
    printed(
        robots,
        folder,
        &["watch", "--proxy", &proxy, "--html", &page, "history", "http://www.example.com"],
    )?;
    if history.is_file() { Ok(()) } else { Err(format!("{page} was not written")) }
}

/// Returns a log of three weeks, in which some crawlers obey and one does not.
fn access_log() -> String {
    const CRAWLERS: [(&str, &str, usize); 4] = [
        ("192.0.2.10", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", 9),
        ("192.0.2.20", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", 5),
        ("198.51.100.7", "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)", 4),
        ("203.0.113.9", "Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)", 6),
    ];
    let mut log = String::new();
    for day in 1..=21_usize {
        for (crawler, (address, agent, most)) in CRAWLERS.iter().enumerate() {
            let reads = if crawler == 3 { "/lamp" } else { "/robots.txt" };
            let pages = (0..most + day * 7 % 5).map(|page| match (crawler, page % 3) {
                (3, 0) => format!("/cart/{page}"),
                (2, 2) if day % 8 == 0 => "/search".to_owned(),
                _ => format!("/lamp/{page}"),
            });
            for (minute, path) in [reads.to_owned()].into_iter().chain(pages).enumerate() {
                log.push_str(&format!(
                    "{address} - - [{day:02}/Nov/2026:10:{minute:02}:{:02} +0000] \"GET {path} HTTP/1.1\" 200 900 \"-\" \"{agent}\"\n",
                    crawler * 10
                ));
            }
        }
    }
    log
}
