//! The transcripts in `doc/questions.md`: what they show is what the command does.
//!
//! With `UPDATE_TRANSCRIPTS=1` in the environment they are written anew.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// What the commands of a transcript give in `folder`, as a transcript.
fn transcript(shown: &str, folder: &Path) -> String {
    let mut out = String::new();
    for command in shown.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let mut words = command.split(' ');
        assert_eq!(words.next(), Some("robots"), "{command}");
        let run = Command::new(env!("CARGO_BIN_EXE_robots"))
            .current_dir(folder)
            .env_remove("CLICOLOR_FORCE")
            .args(words)
            .output()
            .unwrap();
        out.push_str(&format!("$ {command}\n"));
        for part in [run.stderr, run.stdout] {
            let part = String::from_utf8(part).unwrap();
            out.push_str(part.trim_end());
            out.push_str(if part.is_empty() { "" } else { "\n" });
        }
    }
    out
}

#[test]
fn transcripts_are_what_the_command_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("doc/questions.md");
    let page = fs::read_to_string(&path).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("questions");
    fs::create_dir_all(&folder).unwrap();
    let (mut fresh, mut count) = (String::new(), 0);
    for (index, part) in page.split("```").enumerate() {
        if index > 0 {
            fresh.push_str("```");
        }
        let shown = part.strip_prefix("console\n").filter(|_| index % 2 == 1);
        if let Some(shown) = shown {
            count += 1;
            fresh.push_str("console\n");
            fresh.push_str(&transcript(shown, &folder));
            continue;
        }
        if let Some(file) = part.strip_prefix("robots.txt\n").filter(|_| index % 2 == 1) {
            fs::write(folder.join("robots.txt"), file).unwrap();
        }
        fresh.push_str(part);
    }
    assert!(count >= 5, "five questions are answered");
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        fs::write(&path, fresh).unwrap();
    } else {
        assert_eq!(fresh, page);
    }
}
