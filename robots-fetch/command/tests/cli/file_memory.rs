//! The memory of commands for one file of a stranger, and for the files that they read beside a robots.txt.

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

/// A file that a command reads beside a robots.txt.
struct Beside {
    args: &'static [&'static str],
    name: &'static str,
    file: String,
}

#[test]
fn memory_for_settings_is_bounded_whatever_is_in_them() {
    let folder = folder("settings-memory");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let robots = path("robots.txt");
    fs::write(&robots, "user-agent: *\ndisallow: /x\n").unwrap();
    let base = measured(&["lint", &robots]).2;
    let of_purpose =
        |access: &str| format!("purpose,url,access\n{}", repeated(1, |_| format!("ai,/x,{access}\n")));
    let tables = || repeated(1, |_| "{a.b.c.d.e.f=1},".to_owned());
    for Beside { args, name, file } in [
        // Crawlers of a purpose are found once for all entries.
        Beside { args: &["lint", "--expect"], name: "wanted.csv", file: of_purpose("disallowed") },
        Beside {
            args: &["lint", "--expect"],
            name: "wanted.toml",
            file: repeated(1, |_| {
                "[[expect]]\npurposes=['ai']\nurls=['/x']\naccess='disallowed'\n".to_owned()
            }),
        },
        // Nearly as many results as there may be.
        Beside {
            args: &["expect"],
            name: "kept.csv",
            file: of_purpose("disallowed").lines().take(6_000).collect::<Vec<_>>().join("\n"),
        },
        Beside {
            args: &["audit", "--expect"],
            name: "broken.csv",
            file: of_purpose("allowed").lines().take(6_000).collect::<Vec<_>>().join("\n"),
        },
        Beside { args: &["expect"], name: "many.csv", file: of_purpose("allowed") },
        // Tables in tables.
        Beside { args: &["lint", "--config"], name: "settings.toml", file: format!("a=[{}]", tables()) },
        Beside { args: &["lint", "--expect"], name: "tables.toml", file: format!("a=[{}]", tables()) },
        Beside {
            args: &["crawlers", "--catalogue-file"],
            name: "known.toml",
            file: format!("a=[{}]", tables()),
        },
        Beside {
            args: &["lint", "--expect"],
            name: "lists.toml",
            file: format!("a=[{}]", repeated(1, |_| "1,".to_owned())),
        },
        Beside {
            args: &["lint", "--baseline"],
            name: "known.json",
            file: format!(
                "{{\"version\":1,\"left_out\":[],\"findings\":[{}0]}}",
                "{\"\":0,\"file\":\"\",\"fingerprint\":\"\"},".repeat(200_000)
            ),
        },
    ] {
        let beside = path(name);
        fs::write(&beside, &file).unwrap();
        let (status, _, memory) = measured(&[args, &[&*beside, &*robots]].concat());
        assert!(status.is_some(), "{name}");
        let more = memory.saturating_sub(base + file.len() / 1024);
        println!("{name}: {more} KiB");
        assert!(more < MOST, "{args:?} {name}: {more} KiB more than without it");
    }
}
