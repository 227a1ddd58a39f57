//! Paths in arguments, and files that are not read to their end.

use crate::command::outcome;

/// The text after two slashes would be a host in a reference, and is a part of the path in a log.
#[test]
fn a_path_may_begin_with_two_slashes() {
    let file = "User-agent: *\nDisallow: //\nDisallow: /x\n";
    for profile in ["rfc9309", "google", "draft-koster-rep-00", "koster-1996"] {
        for command in ["check", "explain"] {
            let args = [
                command,
                "--robots",
                "-",
                "-p",
                profile,
                "-a",
                "x",
                "--format",
                "json",
                "//a/y",
                "/x",
                "https://h//x",
                "/y//",
            ];
            let (_, out, _) = outcome(&args, file);
            let json: serde_json::Value = serde_json::from_str(&out).unwrap();
            let list = json[if command == "check" { "verdicts" } else { "explanations" }].as_array().unwrap();
            let allowed: Vec<_> = list.iter().map(|one| one["allowed"].as_bool().unwrap()).collect();
            assert_eq!(allowed, [false, false, false, true], "{profile} {command}");
            assert_eq!(list[0]["url"], "//a/y");
        }
    }
}

#[test]
fn a_file_that_is_not_read_to_its_end_is_noted() {
    let file = format!("User-agent: *\n{}Disallow: /z\n", "Disallow: /a\n".repeat(40_000));
    let note = "robots: note: standard input: the file is over the size limit: lines after the first 512000 bytes are not read\n";
    let args = ["--robots", "-", "-a", "x", "/z"];
    let (status, _, err) = outcome(&[&["check"], &args[..]].concat(), file.clone());
    assert_eq!((status, err.as_str()), (0, note));
    let (status, out, err) = outcome(&[&["explain"], &args[..]].concat(), file);
    assert_eq!((status, err.as_str()), (0, note));
    assert!(out.contains("(koster-1996) it is disallowed, by line 40002"), "{out}");
}
