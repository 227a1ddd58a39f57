//! The help of every command, completions and man pages.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::command::{file, folder, outcome};

/// Every command, and the name of its snapshot.
const COMMANDS: [(&str, &[&str]); 17] = [
    ("help", &[]),
    ("help-check", &["check"]),
    ("help-explain", &["explain"]),
    ("help-fetch", &["fetch"]),
    ("help-lint", &["lint"]),
    ("help-crawlers", &["crawlers"]),
    ("help-diff", &["diff"]),
    ("help-audit", &["audit"]),
    ("help-expect", &["expect"]),
    ("help-log", &["log"]),
    ("help-write", &["write"]),
    ("help-watch", &["watch"]),
    ("help-page", &["page"]),
    ("help-batch", &["batch"]),
    ("help-generate", &["generate"]),
    ("help-generate-completions", &["generate", "completions"]),
    ("help-generate-man", &["generate", "man"]),
];

#[test]
fn help_texts_match_the_snapshots() {
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false }, {
        for (name, command) in COMMANDS {
            let (status, out, err) = outcome(&[command, &["--help"]].concat(), "");
            assert_eq!((status, err.as_str()), (0, ""), "{name}");
            insta::assert_snapshot!(name, out);
        }
    });
}

#[test]
fn every_help_is_complete_and_80_columns_wide() {
    for (name, command) in COMMANDS {
        let out = outcome(&[command, &["--help"]].concat(), "").1;
        assert_eq!(outcome(&[command, &["-h"]].concat(), "").1, out, "{name}");
        assert_eq!(outcome(&[&["help"], command].concat(), "").1, out, "{name}");
        for part in
            ["\nUsage: robots", "\nExit status:\n  0  ", "\n  2  an error occurred", "\nExamples:\n  "]
        {
            assert!(out.contains(part), "{name}: {part:?}");
        }
        for line in out.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
            assert!(!line.starts_with('-') && line.trim_end() == line, "{name}: {line}");
        }
        // An example that the terminal breaks would be two commands, and a line of text that it breaks leaves a word on its own.
        let (text, examples) = out.split_once("\nExamples:\n").unwrap();
        let mut continues = false;
        for line in examples.lines() {
            let is_whole =
                line.starts_with("  robots ") || line.contains(" | robots ") || line.ends_with('|');
            assert!(is_whole || continues, "{name}: {line}");
            continues = line.ends_with('|');
        }
        for pair in text.lines().collect::<Vec<_>>().windows(2) {
            let [line, next] = pair else { continue };
            let first = next.split(' ').next().unwrap_or_default();
            let is_text = [line, next].iter().all(|line| line.starts_with(|char: char| char.is_alphabetic()));
            let ends = line.ends_with(['.', ':', ';']) || line.starts_with("Usage");
            let has_room = line.chars().count() + first.chars().count() < 72;
            assert!(!is_text || ends || !has_room, "{name}: {line}");
        }
    }
}

#[test]
fn the_version_is_the_package_version() {
    let expected = concat!("robots ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(outcome(&["--version"], "").1, expected);
    assert_eq!(outcome(&["-V"], "").1, expected);
}

/// A shell, and a script that prints an option which completion offers after `robots check --rob`.
struct Shell {
    name: &'static str,
    script: &'static str,
}

#[test]
fn completions_load_and_offer_options() {
    let folder = folder("completions");
    for Shell { name, script } in [
        Shell {
            name: "bash",
            script: "source \"$1\" && COMP_WORDS=(robots check --rob) COMP_CWORD=2 && _robots robots --rob check && \
                     echo \"${COMPREPLY[@]}\"",
        },
        // Without a terminal, zsh can't complete; that the function is there shows that the file was read to its end.
        Shell {
            name: "zsh",
            script: "autoload -U compinit && compinit -u -d \"$1.dump\" && source \"$1\" && \
                     functions _robots | grep -o -m1 -e --robots",
        },
        Shell { name: "fish", script: "source $argv[1]; and complete -C 'robots check --rob'" },
    ] {
        let (status, completions, err) = outcome(&["generate", "completions", name], "");
        assert_eq!((status, err.as_str()), (0, ""), "{name}");
        assert!(completions.contains("robots") && completions.contains("public-only"), "{name}");
        if Command::new(name).arg("--version").output().is_err() {
            println!("skipped: {name} is not installed");
            continue;
        }
        let path = folder.join(name);
        fs::write(&path, completions).unwrap();
        let mut command = Command::new(name);
        command.args(["-c", script]);
        if name != "fish" {
            command.arg(name);
        }
        let output = command.arg(&path).output().unwrap();
        let offers = output.stdout.starts_with(b"--robots");
        assert!(output.status.success() && offers, "{name}: {output:?}");
    }
    for name in ["powershell", "elvish"] {
        let (status, completions, _) = outcome(&["generate", "completions", name], "");
        assert!(status == 0 && completions.contains("--robots"), "{name}");
    }
}

#[test]
fn closed_output_is_not_an_error() {
    let robots_txt = file("closed-output", "User-agent: *\nDisallow: /\n");
    let robots_txt = robots_txt.to_str().unwrap();
    struct Case<'a> {
        args: &'a [&'a str],
        status: i32,
    }
    for Case { args, status } in [
        Case { args: &["--help"], status: 0 },
        Case { args: &["--version"], status: 0 },
        Case { args: &["generate", "completions", "bash"], status: 0 },
        Case { args: &["check", "--robots", robots_txt, "-a", "x", "/"], status: 1 },
        Case { args: &["explain", "--robots", robots_txt, "-a", "x", "/"], status: 1 },
        Case { args: &["lint", robots_txt], status: 1 },
        Case { args: &["lint", "--format", "json", robots_txt], status: 1 },
        Case { args: &["lint", "--list"], status: 0 },
        Case { args: &["crawlers", robots_txt], status: 0 },
        Case { args: &["diff", robots_txt, "/dev/null"], status: 1 },
        Case { args: &["audit", robots_txt], status: 1 },
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_robots"))
            .args(args)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .and_then(Child::wait_with_output)
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.as_str()), (Some(status), ""), "{args:?}");
    }
}

#[test]
fn man_pages_are_written_for_every_command() {
    let folder = folder("man").join("man1");
    let (status, out, err) = outcome(&["generate", "man", folder.to_str().unwrap()], "");
    assert_eq!((status, out.as_str(), err.as_str()), (0, "", ""));
    let mut pages: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    let expected = [
        "robots-audit.1",
        "robots-batch.1",
        "robots-check.1",
        "robots-crawlers.1",
        "robots-diff.1",
        "robots-expect.1",
        "robots-explain.1",
        "robots-fetch.1",
        "robots-lint.1",
        "robots-log.1",
        "robots-page.1",
        "robots-watch.1",
        "robots-write.1",
        "robots.1",
    ];
    assert_eq!(pages, expected);
    let page = fs::read_to_string(folder.join("robots-check.1")).unwrap();
    for part in [".TH robots-check 1", "\\fB\\-\\-robots\\fR \\fI<FILE>\\fR", "Exit status:", "Examples:"] {
        assert!(page.contains(part), "{part}");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let (status, _, err) = outcome(&["generate", "man", file.to_str().unwrap()], "");
    assert!(status == 2 && err.starts_with("robots: error: can't write man pages to "), "{err}");
}
