//! The memory of commands for one file of a stranger.

use std::fs;

use crate::audit_memory::measured;
use crate::command::folder;

/// The most memory of a command above its files and what it needs for a small one, in KiB.
const MOST: usize = 64 << 10;

/// The size of each file in bytes.
const SIZE: usize = 490 << 10;

/// Returns a text that is repeated up to a part of the size of a file.
fn repeated(share: usize, text: impl Fn(usize) -> String) -> String {
    let mut all = String::new();
    for number in 0.. {
        let next = text(number);
        if all.len() + next.len() > SIZE / share {
            break;
        }
        all.push_str(&next);
    }
    all
}

#[test]
fn memory_for_a_file_is_bounded_whatever_is_in_it() {
    let folder = folder("file-memory");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let all = |text: String| format!("user-agent: *\n{text}");
    let names = |number: usize| format!("user-agent:a{number}\n");
    let json_against = &["diff", "--format", "json", "--against", "google"][..];
    for (args, file) in [
        // The correction of a list of names is much longer than the line.
        (&["lint"][..], format!("user-agent:{}\ndisallow:/\n", repeated(1, |_| "a,".to_owned()))),
        (&["lint"], all(format!("disallow: /a{}\n", repeated(1, |_| " /b".to_owned())))),
        // Many crawlers share many changes.
        (json_against, repeated(2, names) + &repeated(2, |rule| format!("disallow:/{rule}*x\n"))),
        (&["diff", "--against", "google"], all(repeated(1, |_| "allow:/\n".to_owned()))),
        // Each crawler of the catalogue obeys all of many groups.
        (&["crawlers", "--format", "json"], repeated(1, |_| "user-agent:*\nallow:/\n".to_owned())),
    ] {
        let [small, large] = ["small.txt", "large.txt"].map(path);
        fs::write(&small, "user-agent: *\ndisallow: /\n").unwrap();
        fs::write(&large, file).unwrap();
        let of = |file: &str| measured(&[args, &[file]].concat());
        let (base, (status, _, memory)) = (of(&small).2, of(&large));
        assert!(status.is_some(), "{args:?}");
        let more = memory.saturating_sub(base + SIZE / 1024);
        assert!(more < MOST, "{args:?}: {more} KiB more than for a small file");
    }
}
