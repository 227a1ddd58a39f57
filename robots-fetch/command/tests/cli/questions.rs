//! The transcripts in `doc/questions.md` and in the guide for site owners are the output of the command. A server on this
//! machine takes the place of `http://www.example.com`; it sends the response in the last `http` block before the
//! transcript. A block such as `robots.txt` or `access.log` is the file of that name, and a `toml` block is `.robots-lint.toml`.
//!
//! With `UPDATE_TRANSCRIPTS=1` in the environment, the transcripts are written again.

use alloc::sync::Arc;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use assert_cmd::Command;

const SITE: &str = "http://www.example.com";

/// Starts a server. Returns its URL, and its response, which can be changed.
fn server() -> (String, Arc<Mutex<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let answer = Arc::new(Mutex::new(String::new()));
    let shared = Arc::clone(&answer);
    // The thread ends with the process.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut head, mut lines) = (String::new(), BufReader::new(stream.try_clone().unwrap()));
            while lines.read_line(&mut head).unwrap() > 2 {}
            let answer = shared.lock().unwrap().clone();
            let (head, body) = answer.split_once("\n\n").unwrap_or((answer.trim_end(), ""));
            let head = head.replace('\n', "\r\n");
            let len = body.len();
            let _ = write!(stream, "{head}\r\nContent-Length: {len}\r\nConnection: close\r\n\r\n{body}");
        }
    });
    (base, answer)
}

/// `text` with `TIME` for times, which are as `2026-11-20T18:04:05Z`.
fn without_times(text: &str) -> String {
    let mut out = text.to_owned();
    let is_time = |text: &str| {
        text.bytes().zip(*b"0000-00-00T00:00:00Z").all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            other => byte == other,
        })
    };
    let mut at = 0;
    while let Some(part) = out.get(at..at + 20) {
        if is_time(part) {
            out.replace_range(at..at + 20, "TIME");
        }
        at += 1;
        while at < out.len() && !(out.is_char_boundary(at) && out.is_char_boundary((at + 20).min(out.len())))
        {
            at += 1;
        }
    }
    out
}

/// Runs the commands of a transcript in `folder`, and returns their output as a transcript.
fn transcript(shown: &str, folder: &Path, base: &str) -> String {
    let mut out = String::new();
    for command in shown.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let asked = command.replace(SITE, base);
        let mut words = asked.split(' ').map(|word| word.trim_matches('\''));
        assert_eq!(words.next(), Some("robots"), "{command}");
        let run = Command::new(env!("CARGO_BIN_EXE_robots"))
            .current_dir(folder)
            .env_remove("CLICOLOR_FORCE")
            .env("XDG_CACHE_HOME", folder.join("caches"))
            .env("HOME", folder)
            .env("LOCALAPPDATA", folder.join("caches"))
            .args(words)
            .output()
            .unwrap();
        out.push_str(&format!("$ {command}\n"));
        for part in [run.stderr, run.stdout] {
            // CSV ends lines with CRLF.
            let part = String::from_utf8(part).unwrap().replace("\r\n", "\n");
            let part = without_times(&part.replace(base, SITE));
            out.push_str(part.trim_end());
            out.push_str(if part.is_empty() { "" } else { "\n" });
        }
    }
    out
}

#[test]
fn questions_of_site_owners_show_the_output_of_the_command() {
    check_transcripts("../doc/questions.md", 25);
}

#[test]
fn the_guide_for_site_owners_shows_the_output_of_the_command() {
    check_transcripts("../guide/site_owners.md", 5);
}

/// Checks a page with at least `least` transcripts.
fn check_transcripts(page: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let page = fs::read_to_string(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (base, answer) = server();
    let (mut fresh, mut count) = (String::new(), 0);
    for (index, part) in page.split("```").enumerate() {
        if index > 0 {
            fresh.push_str("```");
        }
        let block = |kind: &str| part.strip_prefix(kind).filter(|_| index % 2 == 1);
        if let Some(shown) = block("console\n") {
            count += 1;
            fresh.push_str("console\n");
            fresh.push_str(&transcript(shown, folder, &base));
            continue;
        }
        // A block with the name of a file is that file.
        if let Some((name, text)) = part.split_once('\n').filter(|_| index % 2 == 1) {
            let ends = [".txt", ".log", ".csv", ".expect.toml"];
            if ends.iter().any(|end| name.ends_with(end)) && !name.contains(['/', ' ']) {
                fs::write(folder.join(name), text).unwrap();
            }
        }
        if let Some(text) = block("toml\n") {
            fs::write(folder.join(".robots-lint.toml"), text).unwrap();
        }
        if let Some(text) = block("http\n") {
            text.clone_into(&mut answer.lock().unwrap());
            // Each answer is one of another site, which no earlier example has asked.
            let _ = fs::remove_dir_all(folder.join("caches"));
        }
        fresh.push_str(part);
    }
    assert!(count >= least, "the page has {count} transcripts");
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        fs::write(&path, fresh).unwrap();
    } else {
        assert_eq!(fresh, page);
    }
}

#[test]
fn times_are_removed_from_transcripts() {
    assert_eq!(without_times("é 2026-11-20T18:04:05Z é, 2026-11-20T18:04:05Z"), "é TIME é, TIME");
    assert_eq!(
        without_times("2026-11-20 18:04:05Z 20é0-11-20T18:04:05Z"),
        "2026-11-20 18:04:05Z 20é0-11-20T18:04:05Z"
    );
}
