//! `--catalogue-file`: a file that replaces the built-in catalogue.

use std::fs;

use crate::command::{folder, outcome};

const CATALOGUE: &str = "\
[sources.own]
title = 'Our page'
date = '2026-11'

[[crawler]]
name = 'WrenBot-Images'
tokens = ['WrenBot-Images', 'WrenBot']
operator = 'Wren'
purpose = 'search'
respects = 'yes'
source = 'own'

[[crawler]]
name = 'FinchFetch'
purpose = 'ai-assistant'
respects = 'no'
trigger = 'user'

[[crawler]]
name = '9Bot'
purpose = 'seo'
obeys-wildcard = false
";

#[test]
fn a_file_replaces_the_catalogue_in_all_commands_about_crawlers() {
    let folder = folder("catalogue");
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let catalogue = &*write("own.toml", CATALOGUE);
    let robots = &*write("robots.txt", "User-agent: WrenBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n");
    let other = &*write("other.txt", "User-agent: *\nDisallow: /b\n");
    let expect = &*write(
        "robots.expect.toml",
        "[[expect]]\npurposes = ['search']\nurls = ['/a']\naccess = 'disallowed'\n",
    );
    let own = |args: &[&str], input: &str| outcome(&[args, &["--catalogue-file", catalogue]].concat(), input);

    let (_, out, _) = own(&["crawlers", "--format", "csv", robots], "");
    assert!(
        out.contains("WrenBot-Images") && out.contains("FinchFetch") && !out.contains("Googlebot"),
        "{out}"
    );
    let (status, _, err) = own(&["check", "--robots", robots, "-a", "wrenbot-images", "/a"], "");
    assert!(status == 1 && err.contains("obeys groups for `WrenBot`"), "{err}");
    assert_eq!(own(&["check", "--robots", robots, "-a", "9Bot", "/b"], "").0, 0);
    // Without the file, no crawler is known by this name.
    assert_eq!(outcome(&["check", "--robots", robots, "-a", "wrenbot-images", "/a"], "").0, 0);
    let header = "Mozilla/5.0 (compatible; WrenBot-Images/2.0)";
    assert_eq!(own(&["check", "--robots", robots, "-a", header, "/a"], "").0, 1);
    let log = |agent| {
        format!("192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 1 \"-\" \"{agent}\"\n")
    };
    let access = &*write("access.log", &(log("WrenBot-Images/2.0") + &log("Googlebot/2.1")));
    let (status, out, _) = own(&["log", "--robots", robots, "--format", "csv", "--all", access], "");
    assert!(status == 1 && out.contains("WrenBot-Images,automatic,Wren"), "{out}");
    assert!(out.contains("Googlebot,unlisted"), "{out}");
    let (_, out, _) = own(&["explain", "--robots", robots, "-a", "WrenBot-Images", "/a"], "");
    assert!(out.starts_with("disallowed"), "{out}");
    let (_, out, _) = own(&["batch"], &format!("{robots}\tWrenBot-Images\t/a\n"));
    assert_eq!(out, "disallowed\t2\n");
    let (_, out, _) = own(&["diff", "--purpose", "search", robots, other], "");
    assert!(out.contains("WrenBot-Images"), "{out}");
    let (_, out, _) = own(&["audit", "--purpose", "search", "--format", "csv", robots], "");
    assert!(out.contains("WrenBot-Images") && !out.contains("Googlebot"), "{out}");
    assert_eq!(own(&["expect", expect, robots], "").0, 0);
    let (_, out, err) = own(&["write", "--block", "ai", "--into", other], "");
    assert!(out.contains("User-agent: FinchFetch") && err.contains("may ignore"), "{out}{err}");
}

#[test]
fn a_file_that_is_not_a_catalogue_is_an_error() {
    let folder = folder("no-catalogue");
    for (text, what) in [
        ("", "there is no crawler"),
        ("[[crawler]]\nname = 'A'\n", "purpose"),
        ("[[crawler]]\nname = 'AB'\npurpose = 'x'\n", "write one of search"),
        ("[[crawler]]\nname = 'AB'\npurpose = 'seo'\nrespects = 'maybe'\n", "yes, no, unknown"),
        ("[[crawler]]\nname = 'AB'\npurpose = 'seo'\nsource = 'x'\n", "not below [sources]"),
        (
            "[[crawler]]\nname = 'AB'\npurpose = 'seo'\n[[crawler]]\nname = 'ab'\npurpose = 'seo'\n",
            "two crawlers have the name",
        ),
        ("[[crawler]]\nname = 'A:B'\npurpose = 'seo'\n", "is not one that a crawler can have"),
        ("[[crawler]]\nname = 'AB'\ncolour = 'red'\n", "line"),
        ("[[crawler]]\nname = 'AB'\npurpose = 'seo'\ndomains = ['com']\n", "write one such as example.com"),
        ("not toml", "line 1"),
    ] {
        let path = folder.join("own.toml");
        fs::write(&path, text).unwrap();
        let (status, out, err) = outcome(&["crawlers", "--catalogue-file", path.to_str().unwrap(), "-"], "");
        assert_eq!((status, out.as_str()), (2, ""), "{text}");
        assert!(err.starts_with("robots: error: ") && err.lines().count() == 1, "{err}");
        assert!(err.contains(what), "{text}: {err}");
    }
    let (status, _, err) = outcome(&["crawlers", "--catalogue-file", "/no/such/file", "-"], "");
    assert!(
        status == 2 && err.contains("`/no/such/file` for `--catalogue-file <FILE>`: can't read"),
        "{err}"
    );
}

#[test]
fn a_second_catalogue_is_an_error() {
    let folder = folder("two-catalogues");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [one, other] = ["one.toml", "other.toml"].map(path);
    fs::write(&one, "[[crawler]]\nname = 'WrenBot'\npurpose = 'search'\n").unwrap();
    fs::write(&other, "[[crawler]]\nname = 'FinchBot'\npurpose = 'search'\n").unwrap();
    let twice = ["crawlers", "--catalogue-file", &one, "--catalogue-file", &other, "-"];
    let (status, out, err) = outcome(&twice, "");
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains(&*other) && err.contains("give one file") && err.lines().count() == 1, "{err}");
}

/// Names of crawlers and a purpose can be given together; each crawler is there once.
#[test]
fn purposes_are_beside_names() {
    let folder = folder("purposes");
    let [old, new, log, history] =
        ["old.txt", "new.txt", "access.log", "history"].map(|name| folder.join(name).display().to_string());
    fs::write(&old, "User-agent: *\nDisallow: /a\n").unwrap();
    fs::write(&new, "User-agent: *\nDisallow: /b\n").unwrap();
    let line = |agent: &str| {
        format!("192.0.2.1 - - [10/Nov/2025:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 1 \"-\" \"{agent}\"\n")
    };
    let agents = ["WrenBot/1.0", "ia_archiver", "archive.org_bot", "bingbot/2.0"];
    fs::write(&log, agents.map(line).concat()).unwrap();
    let site = crate::site::Site::new(crate::site::rules(&[]));
    let user = crate::site::User::new();
    for args in [
        &["crawlers", "--format", "csv", &old][..],
        &["audit", "--format", "csv", &old],
        &["diff", &old, &new],
        &["watch", &history, &site.base],
        &["log", "--robots", &old, "--format", "csv", "--all", &log],
    ] {
        let chosen = ["--purpose", "archive", "--agent", "WrenBot", "--agent", "archive.org_bot"];
        let (_, out, err) = user.robots(&[args, &chosen].concat());
        assert_eq!(err.matches("can't be used").count(), 0, "{args:?} {err}");
        assert!(!out.contains("bingbot"), "{args:?} {out}");
        if matches!(args[0], "watch" | "diff") {
            continue;
        }
        for name in ["WrenBot", "ia_archiver", "archive.org_bot"] {
            let rows = out.lines().filter(|line| line.contains(name)).count();
            assert_eq!(rows, 1, "{args:?} {name} {out}{err}");
        }
    }
}
