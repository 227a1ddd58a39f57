//! The transcripts in `doc/questions.md` and in the guide for site owners are the output of the command. A server on this
//! machine takes the place of `http://www.example.com`; it sends the response in the last `http` block before the
//! transcript. A block such as `robots.txt` or `access.log` is the file of that name, and a `toml` block is `.robots-lint.toml`.
//!
//! With `UPDATE_TRANSCRIPTS=1` in the environment, the transcripts are written again.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::site::{Site, answer};

const SITE: &str = "http://www.example.com";

/// Returns the response that a block shows.
fn response(shown: &str) -> String {
    let (head, body) = shown.split_once("\n\n").unwrap_or((shown.trim_end(), ""));
    let mut lines = head.lines();
    let status = lines.next().unwrap().strip_prefix("HTTP/1.1 ").unwrap();
    answer(status, &lines.collect::<Vec<_>>(), body)
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
    let site = Site::new("");
    let (mut fresh, mut count) = (String::new(), 0);
    for (index, part) in page.split("```").enumerate() {
        if index > 0 {
            fresh.push_str("```");
        }
        let block = |kind: &str| part.strip_prefix(kind).filter(|_| index % 2 == 1);
        if let Some(shown) = block("console\n") {
            count += 1;
            fresh.push_str("console\n");
            let transcript = transcript(shown, folder, &site.base);
            assert!(!transcript.contains("can't read"), "{transcript}");
            fresh.push_str(&transcript);
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
            site.answers(response(text));
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
