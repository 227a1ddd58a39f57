//! Arguments that commands refuse, and help.

use crate::command::{file, folder, outcome};
use crate::site::{Site, User, rules};

#[test]
fn mistakes_are_reported_in_one_line() {
    let folder = folder("mistakes");
    let folder = folder.to_str().unwrap();
    let missing = format!("{folder}/none\n.txt");
    let shown = format!("can't read {folder}/none\\u{{a}}.txt: no such file or directory");
    let directory = format!("can't read {folder}: is a directory");
    for (args, message) in [
        (&[][..], "no command is given; `robots --help` lists them"),
        (&["chek"], "there is no command `chek`; `robots --help` lists them"),
        (&["--chek"], "invalid option '--chek'"),
        (&["check", "--robots", "x", "--agent", "a"], "no URL is given"),
        (&["check", "--robots", "x", "/"], "no crawler is given; name it by --agent TOKEN"),
        (
            &["explain", "--agent", "x", "/"],
            "`/` is no absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (
            &["check", "--agent", "x", "/"],
            "`/` is no absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (&["check", "--agent"], "missing argument for option '--agent'"),
        (
            &["check", "--profile", "googel"],
            "there is no profile `googel`; there are rfc9309, draft-koster-rep-00, google, koster-1996",
        ),
        (&["check", "--format", "xml"], "there is no format `xml`; there are human, json"),
        (&["check", "--robots", &missing, "-a", "x", "/"], &shown),
        (&["check", "--robots", folder, "-a", "x", "/"], &directory),
        (&["batch", "file"], "unexpected argument \"file\""),
        (
            &["batch", "-p", ""],
            "there is no profile ``; there are rfc9309, draft-koster-rep-00, google, koster-1996",
        ),
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!(err, format!("robots: error: {message}\n"), "{args:?}");
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn mistakes_of_lint_are_reported_in_one_line() {
    let large = file("large", vec![b'x'; (16 << 20) + 1]);
    let large = large.to_str().unwrap();
    let too_large = format!("{large} is larger than 16 MiB");
    for (args, message) in [
        (&["lint"][..], "neither a file nor a URL is given"),
        (&["lint", "--fix", "-"], "standard input can't be corrected; name a file"),
        (&["lint", "--deny", "all", "-"], "there is no level `all`; there are note, warning, error"),
        (&["lint", "--format", "xml", "-"], "there is no format `xml`; there are human, json, sarif, github"),
        (&["lint", "--explain", "x"], "there is no code `x`; `robots lint --list` lists them"),
        (&["lint", "/nowhere/robots.txt"], "can't read /nowhere/robots.txt: no such file or directory"),
        (&["lint", large], &too_large),
        (&["explain", "--robots", "-", "-a", "x"], "no URL is given"),
        (
            &["lint", "--fix", "https://example.com"],
            "what a site answers can't be corrected there; name a file",
        ),
        (&["lint", "http://[x]/"], "`http://[x]/` is no absolute URL: invalid IPv6 address"),
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!((status, out.as_str(), err), (2, "", format!("robots: error: {message}\n")), "{args:?}");
    }
}

#[test]
fn mistakes_are_reported_before_a_site_is_asked() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let url = site.url("/");
    for (args, expected) in [
        (&["fetch"][..], "no URL is given"),
        (&["fetch", "example.com"], "`example.com` is no absolute URL: relative URL without a base"),
        (&["fetch", "mailto:a@example.com"], "scheme `mailto` is none of http, https and ftp"),
        (&["fetch", &url, "--timeout", "soon"], "`soon` is no number of seconds between 0 and 86400"),
        (
            &["fetch", &url, "--profile", "x"],
            "there is no profile `x`; there are rfc9309, draft-koster-rep-00, google, koster-1996",
        ),
        (&["fetch", &url, &url], &format!("unexpected argument \"{url}\"")),
        (
            &["check", "-a", "x", &url, "/a"],
            "`/a` is no absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (&["check", &url], "no crawler is given; name it by --agent TOKEN"),
        (
            &["explain", "-a", "x", "/a"],
            "`/a` is no absolute URL: relative URL without a base; a path needs --robots FILE",
        ),
        (&["lint", "--no-cache", &url], "invalid option '--no-cache'"),
    ] {
        let (status, out, err) = user.robots(args);
        assert_eq!(
            (status, out.as_str(), err.as_str()),
            (2, "", format!("robots: error: {expected}\n").as_str())
        );
    }
    assert_eq!(user.robots(&["fetch", "--help"]).1, user.robots(&["help", "fetch"]).1);
    assert_eq!(site.count(), 0);
}

#[test]
fn help_and_version() {
    for args in
        [&["--help"][..], &["-h"], &["help"], &["check", "--help"], &["help", "batch"], &["batch", "-h"]]
    {
        let (status, out, err) = outcome(args, "");
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        assert!(out.contains("Usage: robots") && out.contains("Example"), "{args:?}");
        assert!(out.lines().all(|line| line.chars().count() <= 120), "{args:?}");
    }
    assert_eq!(outcome(&["-V"], "").1, concat!("robots ", env!("CARGO_PKG_VERSION"), "\n"));
}
