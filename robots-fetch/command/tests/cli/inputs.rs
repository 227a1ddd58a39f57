//! Arguments that name no file, and what was meant.

use std::fs;

use crate::command::{file, folder, outcome};

/// The error of a command, which is one line.
fn error(args: &[&str]) -> String {
    let (status, out, err) = outcome(args, "");
    assert_eq!((status, out.trim(), err.lines().count()), (2, "", 1), "{args:?}: {err}");
    err.trim_end().strip_prefix("robots: error: ").unwrap().to_owned()
}

#[test]
fn a_site_without_a_scheme_gets_a_suggestion_from_each_command() {
    let path = file("inputs-scheme", "User-agent: *\nDisallow: /a\n");
    let path = path.to_str().unwrap();
    let expected = "can't read example.com: no such file or directory; did you mean `https://example.com`?";
    for args in [
        &["lint", "example.com"][..],
        &["crawlers", "example.com"],
        &["diff", "example.com", path],
        &["diff", path, "example.com"],
    ] {
        assert_eq!(error(args), expected);
    }
    assert_eq!(error(&["lint", "none.txt"]), "can't read none.txt: no such file or directory");
}

#[test]
fn a_site_can_not_be_a_file() {
    let expected = "`--robots` takes a file, and `https://example.com` is a URL; leave the option out to ask the sites of the \
                    URLs";
    for command in ["check", "explain"] {
        assert_eq!(error(&[command, "--robots", "https://example.com", "-a", "ExampleBot", "/a"]), expected);
    }
    // A host can't be asked here either.
    let host = error(&["check", "--robots", "example.com", "-a", "ExampleBot", "/a"]);
    assert_eq!(host, "can't read example.com: no such file or directory");
}

#[test]
fn a_folder_is_not_linted() {
    let folder = folder("inputs-folder");
    fs::write(folder.join("robots.txt"), "User-agent: *\nDisallow: /a\n").unwrap();
    let name = folder.to_str().unwrap();
    let expected =
        format!("{name} is a folder; name its files, such as `{name}/*`, or use `robots audit {name}`");
    assert_eq!(error(&["lint", name]), expected);
    // Where each site has a folder, its files are one level below.
    let above = folder.parent().unwrap().join("inputs-folders");
    fs::create_dir_all(above.join("a")).unwrap();
    fs::write(above.join("a/robots.txt"), "User-agent: *\nDisallow: /a\n").unwrap();
    let name = above.to_str().unwrap();
    let expected = format!(
        "{name} is a folder; name its files, such as `{name}/*/robots.txt`, or use `robots audit {name}`"
    );
    assert_eq!(error(&["lint", name]), expected);
}

#[test]
fn an_empty_argument_is_reported_as_such() {
    let expected = "the name of a file is empty; look for a variable that is not set";
    let path = file("inputs-empty", "User-agent: *\nDisallow: /a\n");
    let path = path.to_str().unwrap();
    for args in [
        &["lint", ""][..],
        &["crawlers", ""],
        &["diff", "", path],
        &["check", "--robots", "", "-a", "ExampleBot", "/a"],
        &["audit", "--urls", "", path],
        &["audit", "--list", ""],
        &["lint", "--baseline", "", path],
        &["lint", "--config", "", path],
        &["lint", "--write-baseline", "", path],
    ] {
        assert_eq!(error(args), expected, "{args:?}");
    }
    let (status, out, err) = outcome(&["audit", "--format", "csv", ""], "");
    assert!((status, err.as_str()) == (2, "") && out.contains(expected), "{out}");
}

#[test]
fn a_quotation_mark_without_an_end_loses_no_row_silently() {
    let robots = file("inputs-quote-robots", "User-agent: *\nDisallow: /private\n");
    let robots = robots.to_str().unwrap();
    let folder = folder("inputs-quote");
    let named = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let list = named("list.csv", "site,name\na.txt,\"Foo\nb.txt,bar\n");
    let wanted = named("wanted.csv", "crawler,url,access,reason\nX,/x,allowed,\"why\nX,/private,allowed,y\n");
    let urls = named("urls.csv", "url,title\n/a,\"unclosed\n/private,x\n");
    for args in [
        &["audit", "--list", &list][..],
        &["expect", &wanted, robots],
        &["audit", "--urls", &urls, robots],
        &["diff", "--urls", &urls, robots, robots],
    ] {
        let error = error(args);
        assert!(
            error.ends_with("the quotation mark that begins a cell in line 2 has no end"),
            "{args:?}: {error}"
        );
    }
}
