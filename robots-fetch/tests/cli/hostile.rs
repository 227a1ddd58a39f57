//! One hostile file through every command and format: no character of a file, a server or an argument controls a terminal.

use std::fs;

use crate::command::{folder, outcome};
use crate::site::{Site, User, answer};

/// Characters that must not reach a terminal: C0 and C1 controls, directions, invisible ones, tags, and variation selectors.
const HOSTILE: &str = "\u{1}\u{7}\u{8}\u{1B}[2J\u{1B}]0;title\u{7}\u{7F}\u{80}\u{85}\u{9B}31m\u{9D}\u{AD}\u{34F}\u{61C}\u{115F}\u{180E}\u{200B}\u{200E}\
    \u{200F}\u{2028}\u{2029}\u{202A}\u{202E}\u{2060}\u{2066}\u{2069}\u{206F}\u{3164}\u{FE0F}\u{FEFF}\u{FFA0}\u{FFF9}\u{E0001}\u{E0041}\u{E0100}";

/// A file with these characters in every place.
fn hostile() -> String {
    let h = HOSTILE;
    format!(
        "# {h}\n{h}\nUser-agent: {h}\nUser-agent: ExampleBot\nDisallow: /{h}\nDisalow: /{h}\nDisallow: /a b{h}\nAllow: /{h}$x\n\
         Crawl-delay: {h}\nSitemap: {h}\nSitemap https://example.com/{h}\nHost: {h}\nContent-Usage: {h}\nUser-agent: *\nDisallow: /%{h}\n\
         \u{202E}Disallow: /x\nAllow: =cmd|'/C calc'!A0,::error::%0A{h}\r\nUser-agent: a,b:c%\nDisallow: /{h}"
    )
}

/// Fails if a text contains a character of `HOSTILE` that is neither printable ASCII nor a line end.
fn inspect(what: &str, text: &str) {
    for char in HOSTILE.chars().filter(|char| !char.is_ascii_graphic()) {
        if let Some(at) = text.find(char) {
            let start = text.get(..at).map_or(0, |before| before.rfind('\n').map_or(0, |line| line + 1));
            panic!("{what}: {char:?} in {:?}", text.get(start..).and_then(|rest| rest.lines().next()));
        }
    }
}

#[test]
fn nothing_hidden_reaches_a_terminal_in_any_command_or_format() {
    let folder = folder("hostile");
    // A name of a file can have most of these characters, too.
    let name = folder.join(format!("robots{}.txt", HOSTILE.replace('/', "")));
    let plain = folder.join("robots.txt");
    fs::write(&plain, hostile()).unwrap();
    let named = fs::write(&name, hostile()).is_ok();
    let agent = format!("Bot{HOSTILE}");
    let path = format!("/{HOSTILE}");
    let mut files = vec![plain.to_str().unwrap()];
    if named {
        files.push(name.to_str().unwrap());
    }
    let mut runs = 0;
    let mut run = |args: &[&str], input: &str| {
        let (_, out, err) = outcome(args, input);
        inspect(&format!("{args:?}, standard output"), &out);
        inspect(&format!("{args:?}, standard error"), &err);
        assert!(!out.is_empty() || !err.is_empty(), "{args:?}");
        runs += 1;
    };
    for file in files {
        for format in ["human", "json", "github", "sarif"] {
            run(&["lint", "--format", format, file], "");
            run(
                &[
                    "lint",
                    "--format",
                    format,
                    "--profile",
                    "google",
                    "--url",
                    "https://example.com/robots.txt",
                    file,
                ],
                "",
            );
            run(&["lint", "--format", format, "-"], &hostile());
        }
        for command in ["check", "explain"] {
            for format in ["human", "json"] {
                for agent in ["ExampleBot", "Other", agent.as_str()] {
                    for url in ["/x", path.as_str(), "/a b", "https://example.com/\u{9B}\u{202E}"] {
                        run(&[command, "--robots", file, "-a", agent, "--format", format, url], "");
                    }
                }
            }
        }
        let row = |agent: &str, url: &str| format!("{file}\t{agent}\t{url}\n");
        run(
            &["batch"],
            &(row("ExampleBot", "/x") + &row(&agent, &path) + "no such\u{9B}\u{202E}file\tx\t/\n"),
        );
        run(&["lint", "--fix", file], "");
    }
    // Arguments and their mistakes.
    for args in [
        &[HOSTILE][..],
        &["check", HOSTILE],
        &["check", "-a", "x", HOSTILE],
        &["check", "--robots", HOSTILE, "-a", "x", "/"],
        &["lint", HOSTILE],
        &["lint", "--format", HOSTILE, "x"],
        &["fetch", HOSTILE],
        &["fetch", "--timeout", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--proxy", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--ca", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--profile", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--access", HOSTILE, "http://127.0.0.1:1"],
        &["fetch", "--user-agent", HOSTILE, "http://127.0.0.1:1"],
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!(status, 2, "{args:?} {out} {err}");
        inspect(&format!("{args:?}"), &format!("{out}{err}"));
    }
    println!("{runs} runs");
    assert!(runs > 60);
}

#[test]
fn nothing_hidden_reaches_a_terminal_from_a_server() {
    // Bytes of fields that are not ASCII are valid in HTTP (obs-text).
    let h = HOSTILE.replace(|char: char| char.is_ascii_control(), "");
    let fields = [
        format!("ETag: \"{h}\""),
        format!("Content-Type: text/html; {h}"),
        format!("Cache-Control: max-age={h}"),
        format!("Last-Modified: {h}"),
        format!("Location: http://127.0.0.1:1/{h}"),
    ];
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    for status in ["200 OK", "301 Moved", "404 Not Found", "503 Wait", "429 Wait"] {
        let (user, site) = (User::new(), Site::new(answer(status, &fields, &hostile())));
        for args in [
            &["fetch"][..],
            &["fetch", "--format", "json"],
            &["check", "-a", "ExampleBot"],
            &["check", "-a", "ExampleBot", "--format", "json"],
            &["explain", "-a", "ExampleBot"],
            &["explain", "-a", "ExampleBot", "--format", "json"],
            &["lint"],
            &["lint", "--format", "json"],
            &["lint", "--format", "sarif"],
            &["lint", "--format", "github"],
        ] {
            let url = site.url("/x");
            let (_, out, err) = user.robots(&[args, &[url.as_str()]].concat());
            inspect(&format!("{status} {args:?}"), &format!("{out}{err}"));
        }
    }
}
