//! Arguments that commands refuse.

use std::fs;

use crate::command::{file, folder, outcome};
use crate::site::{Site, User, rules};

/// Arguments, and the error that they give.
struct Mistake<'a> {
    args: &'a [&'a str],
    error: &'a str,
}

impl Mistake<'_> {
    /// The error is one line, nothing else is printed, and the status is 2.
    fn is_reported(&self) {
        let (status, out, err) = outcome(self.args, "");
        assert_eq!(err, format!("robots: error: {}\n", self.error), "{:?}", self.args);
        assert_eq!((status, out.as_str()), (2, ""), "{:?}", self.args);
    }
}

const PROFILES: &str = "rfc9309, draft-koster-rep-00, google, koster-1996";

#[test]
fn mistakes_are_reported_in_one_line() {
    for mistake in [
        Mistake { args: &[], error: "missing command; `robots --help` lists the commands" },
        Mistake { args: &["chek"], error: "unknown command `chek`; did you mean `check`?" },
        Mistake {
            args: &["publish"],
            error: "unknown command `publish`; `robots --help` lists the commands",
        },
        Mistake {
            args: &["https://example.com/a"],
            error: "`https://example.com/a` is a URL, and the command comes before it, as in `robots crawlers https://example.com/a`; `robots --help` lists the commands",
        },
        Mistake {
            args: &["--chek"],
            error: "unexpected argument `--chek`; `robots --help` lists the arguments",
        },
        Mistake {
            args: &["fetch", "--access", "outage=never", "https://example.com"],
            error: "invalid value `outage=never` for `--access <CHOICE=VALUE>`: possible values of `outage`: thirty-days, file-at-once, twelve-hours, google-later, deferred",
        },
        Mistake {
            args: &["fetch", "--access", "429=allow", "https://example.com"],
            error: "invalid value `429=allow` for `--access <CHOICE=VALUE>`: possible choices: statuses, outage, error-page-may-be-404, redirect-to-disallowed, html, first-retry-503, max-retry-503",
        },
        Mistake {
            args: &["check", "--robot", "x"],
            error: "unexpected argument `--robot`; did you mean `--robots`?",
        },
        Mistake {
            args: &["check", "--robots", "x", "--agent", "a"],
            error: "missing `<URL>...`, as in `robots check --agent ExampleBot https://example.com/ https://example.com/a`; `robots check --help` describes the arguments",
        },
        Mistake {
            args: &["check", "--robots", "x", "/"],
            error: "missing `--agent <NAME>`, as in `robots check --agent ExampleBot https://example.com/ https://example.com/a`; `robots check --help` describes the arguments",
        },
        Mistake {
            args: &["explain", "--robots", "x"],
            error: "missing `--agent <NAME>` and `<URL>...`, as in `robots explain --agent ExampleBot https://example.com/tmp`; `robots explain --help` describes the arguments",
        },
        Mistake { args: &["check", "--agent"], error: "`--agent <NAME>` needs a value" },
        Mistake {
            args: &["check", "--profile", "googel"],
            error: &format!(
                "invalid value `googel` for `--profile <NAME>`; possible values: auto, {PROFILES}"
            ),
        },
        Mistake {
            args: &["batch", "-p", ""],
            error: &format!("`--profile <NAME>` needs a value: one of auto, {PROFILES}"),
        },
        Mistake {
            args: &["check", "--format", "xml"],
            error: "invalid value `xml` for `--format <NAME>`; possible values: human, json",
        },
        Mistake {
            args: &["check", "--format", "\u{1B}[2J"],
            error: "invalid value `\\u{1b}[2J` for `--format <NAME>`; possible values: human, json",
        },
        Mistake {
            args: &["batch", "file"],
            error: "unexpected argument `file`; `robots batch --help` lists the arguments",
        },
        Mistake {
            args: &["fetch"],
            error: "missing `<URL>`, as in `robots fetch https://example.com`; `robots fetch --help` describes the arguments",
        },
        Mistake {
            args: &["fetch", "a", "b"],
            error: "unexpected argument `b`; `robots fetch --help` lists the arguments",
        },
        Mistake {
            args: &["fetch", "--timeout", "-1", "a"],
            error: "invalid value `-1` for `--timeout <SECONDS>`: expected a number of seconds, more than 0 and at \
                    most 86400",
        },
        Mistake {
            args: &["lint"],
            error: "missing `<FILE-OR-URL>...`, as in `robots lint robots.txt`; `robots lint --help` describes the arguments",
        },
        Mistake {
            args: &["audit"],
            error: "missing `<INPUT>...`, as in `robots audit robots.txt https://example.com`; `robots audit --help` describes the arguments",
        },
        Mistake {
            args: &["write"],
            error: "missing `--block <PURPOSE-OR-NAME>`, as in `robots write --block ai-training --allow search`; `robots write --help` describes the arguments",
        },
        Mistake {
            args: &["audit", "--max-pages", "3", "x"],
            error: "missing `--pages`; `robots audit --help` describes the arguments",
        },
        Mistake {
            args: &["check", "--verbose"],
            error: "unexpected argument `--verbose`; `robots check --help` lists the arguments",
        },
        Mistake {
            args: &["crawlers", "--robots", "x"],
            error: "unexpected argument `--robots`; write its value without an option, as in `robots crawlers robots.txt`",
        },
        Mistake {
            args: &["audit", "--file", "x"],
            error: "unexpected argument `--file`; write its value without an option, as in `robots audit robots.txt https://example.com`",
        },
        Mistake {
            args: &["watch", "--html", "", "x", "https://example.com"],
            error: "the name of a file is empty; look for a variable that is not set",
        },
        Mistake {
            args: &["log", "--robots", "x", "-a", "bingbot,GPTBot", "y"],
            error: "`bingbot,GPTBot` is several names; give `--agent` for each of them",
        },
        Mistake {
            args: &["lint", "--environment", "staging", "x"],
            error: "--environment is given, but robots.expect.toml is not in this folder; name the file of wanted access with --expect",
        },
        Mistake {
            args: &["lint", "--isolated", "--environment", "staging", "x"],
            error: "--environment is given, but robots.expect.toml does not count with --isolated; name the file of wanted access with --expect",
        },
        Mistake {
            args: &["lint", "--fix=all", "x"],
            error: "unexpected value `all` for `--fix`, which takes none",
        },
        Mistake {
            args: &["lint", "--deny", "all", "-"],
            error: "invalid value `all` for `--deny <LEVEL|CODES>`: expected note, warning, error, or a code of `robots lint --list`",
        },
        Mistake {
            args: &["lint", "--format", "xml", "-"],
            error: "invalid value `xml` for `--format <NAME>`; possible values: human, json, sarif, github",
        },
        Mistake {
            args: &["lint", "--no-cache", "x"],
            error: "unexpected argument `--no-cache`, which check, explain, fetch and page have; `robots lint --help` lists the arguments",
        },
        Mistake {
            args: &["lint", "--explain", "x"],
            error: "unknown code `x`; `robots lint --list` lists the codes",
        },
        Mistake {
            args: &["lint", "--explain", "noindex"],
            error: "unknown code `noindex`; about it is the page of `deprecated-key`",
        },
        Mistake {
            args: &["check", "--urls", "x"],
            error: "unexpected argument `--urls`, which lint, diff and audit have; `robots check --help` lists the arguments",
        },
        Mistake {
            args: &["crawlers", "--separator", "tab", "robots.txt"],
            error: "`--separator` is only for the format csv; add `--format csv`",
        },
        Mistake {
            args: &["audit", "--bom", "robots.txt"],
            error: "`--bom` is only for the format csv; add `--format csv`",
        },
        Mistake {
            args: &["audit", "--title", "A", "robots.txt"],
            error: "`--title` and `--client` are only for the format html; add `--format html`",
        },
        Mistake {
            args: &["generate"],
            error: "missing command; `robots generate --help` lists the commands",
        },
        Mistake {
            args: &["generate", "completions", "tcsh"],
            error: "invalid value `tcsh` for `<SHELL>`; possible values: bash, elvish, fish, powershell, zsh",
        },
    ] {
        mistake.is_reported();
    }
}

#[test]
fn files_that_cannot_be_read_are_reported_in_one_line() {
    let folder = folder("mistakes");
    let folder = folder.to_str().unwrap();
    let missing = format!("{folder}/none\n.txt");
    let not_there = format!("can't read {folder}/none\\u{{a}}.txt: no such file or directory");
    let directory = format!("can't read {folder}: is a directory");
    let large = file("large", vec![b'x'; (16 << 20) + 1]);
    let large = large.to_str().unwrap();
    let too_large = format!("{large} is larger than 16 MiB");
    for mistake in [
        Mistake { args: &["check", "--robots", &missing, "-a", "x", "/"], error: &not_there },
        Mistake { args: &["check", "--robots", folder, "-a", "x", "/"], error: &directory },
        Mistake {
            args: &["lint", "/nowhere/robots.txt"],
            error: "can't read /nowhere/robots.txt: no such file or directory",
        },
        Mistake { args: &["lint", large], error: &too_large },
        Mistake { args: &["lint", "--fix", "-"], error: "standard input can't be corrected; name a file" },
        Mistake {
            args: &["lint", "--fix", "https://example.com"],
            error: "the file of a site can't be corrected; name a local file",
        },
    ] {
        mistake.is_reported();
    }
}

#[test]
fn arguments_that_are_neither_urls_nor_paths_are_reported() {
    let neither = |argument: &str| {
        format!(
            "`{argument}` is neither a URL nor a path; write a URL such as `https://example.com/page`, or a path that \
             begins with `/`"
        )
    };
    let page = "`page`: missing scheme; did you mean `https://page`? A path begins with `/`";
    for mistake in [
        Mistake { args: &["check", "--robots", "-", "-a", "x", "page"], error: page },
        Mistake {
            args: &["explain", "-a", "x", "Cargo.toml"],
            error: "`Cargo.toml` is a file, and not a URL; `robots check --robots Cargo.toml` reads a robots.txt file",
        },
        Mistake { args: &["explain", "--robots", "-", "-a", "x", "page"], error: page },
        Mistake {
            args: &["check", "--robots", "-", "-a", "x", "example.com:8080/a"],
            error: "`example.com:8080/a`: missing scheme; did you mean `https://example.com:8080/a`? A path begins with \
                    `/`",
        },
        Mistake {
            args: &["check", "--robots", "-", "-a", "x", "git@host:x"],
            error: "`git@host:x`: missing scheme; write a URL such as `https://example.com/page`, or a path that begins \
                    with `/`",
        },
        Mistake {
            args: &["fetch", "example..com"],
            error: "`example..com`: missing scheme; write a URL such as `https://example.com/page`, or a path that begins \
                    with `/`",
        },
        Mistake { args: &["check", "--robots", "-", "-a", "x", "C:\\x"], error: &neither("C:\\x") },
        Mistake { args: &["check", "--robots", "-", "-a", "x", "C:/x"], error: &neither("C:/x") },
        Mistake { args: &["check", "--robots", "-", "-a", "x", "*.gif"], error: &neither("*.gif") },
        Mistake { args: &["check", "--robots", "-", "-a", "x", ""], error: &neither("") },
        Mistake {
            args: &["check", "--robots", "-", "-a", "x", "wss://example.com/a"],
            error: "`wss://example.com/a`: scheme `wss` is not supported; use http, https or ftp",
        },
        Mistake {
            args: &["explain", "--robots", "-", "-a", "x", "hxxps://example.com/a"],
            error: "`hxxps://example.com/a`: misspelt scheme; did you mean `https://example.com/a`?",
        },
        Mistake {
            args: &["check", "-a", "x", "https//example.com/a"],
            error: "`https//example.com/a`: missing scheme; did you mean `https://example.com/a`?",
        },
        Mistake {
            args: &["check", "-a", "x", "https:// example[.]com/a"],
            error: "the label ` example[` of ` example[.]com` is not valid: a host can't contain ` `",
        },
        Mistake {
            args: &["check", "-a", "x", "https:// example.com/a"],
            error: "`https:// example.com/a` is not a URL: invalid international domain name; did you mean \
                    `https://example.com/a`?",
        },
        Mistake {
            args: &["check", "-a", "x", "url=https://example.com/a"],
            error: "`url=https://example.com/a` is neither a URL nor a path; did you mean `https://example.com/a`?",
        },
        Mistake {
            args: &["check", "-a", "x", "https%3A%2F%2Fexample.com%2Fa"],
            error: "`https%3A%2F%2Fexample.com%2Fa`: missing scheme; did you mean `https://example.com/a`?",
        },
        Mistake {
            args: &["check", "-a", "x", "http//:example.com/a"],
            error: "`http//:example.com/a`: missing scheme; did you mean `http://example.com/a`?",
        },
        Mistake {
            args: &["lint", "hxxps://example.com"],
            error: "can't read hxxps://example.com: no such file or directory; did you mean `https://example.com`?",
        },
        Mistake { args: &["lint", "missing"], error: "can't read missing: no such file or directory" },
        Mistake {
            args: &["fetch", "<https://example.com/>"],
            error: "`<https://example.com/>` is neither a URL nor a path; did you mean `https://example.com/`?",
        },
        Mistake {
            args: &["check", "-a", "x", "page"],
            error: "`page`: missing scheme; did you mean `https://page`?",
        },
        Mistake {
            args: &["check", "-a", "x", "/a"],
            error: "`/a` is a path; add --robots FILE, or write the whole URL",
        },
        Mistake {
            args: &["check", "--robots", "x", "-a", "x", "https://"],
            error: "`https://` has no host; write a URL such as `https://example.com/page`",
        },
        Mistake {
            args: &["check", "-a", "x", "http:///private"],
            error: "`http:///private` has no host; write a URL such as `https://example.com/page`",
        },
        Mistake {
            args: &["check", "--robots", "x", "-a", "x", "https://example.com:99999/"],
            error: "`https://example.com:99999/` is not an absolute URL: invalid port number",
        },
        Mistake {
            args: &["explain", "-a", "x", "/a"],
            error: "`/a` is a path; add --robots FILE, or write the whole URL",
        },
        Mistake {
            args: &["fetch", "example.com"],
            error: "`example.com`: missing scheme; did you mean `https://example.com`?",
        },
        Mistake {
            args: &["fetch", "/a"],
            error: "`/a` is not a URL; write one such as `https://example.com/page`",
        },
    ] {
        mistake.is_reported();
    }
    // Apart from host and port, the text of a URL or path is not looked at any further.
    for argument in
        ["/", "/a b", "//", "//www.xn--a-.com/", "HTTPS://example.com/x", "https://example.com/%zz\\"]
    {
        let (status, _, err) =
            outcome(&["check", "--robots", "-", "-a", "x", argument], "User-agent: *\nDisallow:\n");
        assert_eq!((status, err.as_str()), (0, ""), "{argument}");
    }
}

#[test]
fn a_label_that_is_not_valid_is_named() {
    let error = "the label `xn--a-` of `www.xn--a-.com` is not valid: the part after `xn--` encodes only ASCII, which is \
                 written without `xn--`";
    for url in
        ["https://www.xn--a-.com/a", "http://me@www.xn--a-.com:80", "www.xn--a-.com", "www.xn--a-.com:80/a"]
    {
        for args in [
            &["check", "-a", "x", url][..],
            &["check", "--robots", "-", "-a", "x", url],
            &["explain", "-a", "x", url],
            &["explain", "--robots", "-", "-a", "x", url],
            &["fetch", url],
            &["lint", "--url", url, "-"],
        ] {
            Mistake { args, error }.is_reported();
        }
    }
    Mistake { args: &["lint", "https://www.xn--a-.com/a"], error }.is_reported();
    Mistake {
        args: &["fetch", "https://b\u{202E}c.example"],
        error: "the label `b\\u{202e}c` of `b\\u{202e}c.example` is not valid: a host can't contain U+202E",
    }
    .is_reported();
}

#[test]
fn a_missing_scheme_is_suggested_for_a_name_in_any_form() {
    for mistake in [
        Mistake {
            args: &["fetch", "www.ex\u{E4}mple.com/a"],
            error: "`www.ex\u{E4}mple.com/a`: missing scheme; did you mean `https://www.ex\u{E4}mple.com/a` \
                    (www.xn--exmple-cua.com)?",
        },
        Mistake {
            args: &["check", "-a", "x", "xn--exmple-cua.com"],
            error: "`xn--exmple-cua.com`: missing scheme; did you mean `https://xn--exmple-cua.com` (ex\u{E4}mple.com)?",
        },
        Mistake {
            args: &["lint", "--url", "ex\u{E4}mple.com", "-"],
            error: "`ex\u{E4}mple.com`: missing scheme; did you mean `https://ex\u{E4}mple.com` (xn--exmple-cua.com)?",
        },
        Mistake {
            args: &["lint", "--url", "/robots.txt", "-"],
            error: "`/robots.txt` is not a URL; write one such as `https://example.com/page`",
        },
    ] {
        mistake.is_reported();
    }
}

#[test]
fn mistakes_are_reported_before_a_site_is_asked() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let url = site.url("/");
    for args in [
        &["fetch", "example.com"][..],
        &["fetch", "mailto:a@example.com"],
        &["fetch", &url, "--timeout", "soon"],
        &["fetch", &url, "--profile", "x"],
        &["fetch", &url, &url],
        &["check", "-a", "x", "/a"],
        &["check", &url],
        &["explain", "-a", "x", "/a"],
        &["lint", "--no-cache", &url],
        &["lint", "http://[x]/"],
    ] {
        let (status, out, err) = user.robots(args);
        assert_eq!((status, out.as_str(), err.lines().count()), (2, "", 1), "{args:?}: {err}");
        assert!(err.starts_with("robots: error: "), "{err}");
    }
    assert_eq!(site.count(), 0);
}

#[test]
fn the_last_one_of_repeated_options_counts() {
    let args = ["check", "--robots", "-", "-p", "google", "--format", "json", "-a", "x", "/x"];
    let args = [&args[..], &["--profile", "rfc9309", "--format=human"]].concat();
    // Only one of the profiles knows this spelling.
    let (status, out, _) = outcome(&args, "useragent: *\ndisalow /x\n");
    assert_eq!(
        (status, out.as_str()),
        (2, "allowed    /x  no group applies: the robots.txt is text without a line of a robots.txt file\n")
    );
    for (args, error) in [
        (
            &["check", "--robots", "a", "--robots=b", "-a", "x", "/x"][..],
            "`--robots` is given twice; run the command for each of them",
        ),
        (
            &["diff", "--urls", "a", "--urls", "b", "c", "d"],
            "`--urls` is given twice; run the command for each of them",
        ),
        (
            &["diff", "--public-only", "--private-redirects", "c", "d"],
            "`--public-only` can't be used with `--private-redirects`",
        ),
        (&["crawlers", "--agent", "GPTBot", "--named", "c"], "`--agent <NAME>` can't be used with `--named`"),
    ] {
        assert_eq!(outcome(args, ""), (2, String::new(), format!("robots: error: {error}\n")));
    }
}

/// Arguments that are not UTF-8 never end the command by a panic.
#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf_8_are_used_or_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use crate::command::robots;

    let spoilt = |text: &[u8]| OsStr::from_bytes(text).to_owned();
    let path = folder("not-utf-8").join(spoilt(b"\xFF.txt"));
    if fs::write(&path, b"User-agent: *\nAllow: /\xFF\n").is_ok() {
        let mut command = robots();
        command.args(["check", "-a", "x", "--robots"]).arg(&path).arg(spoilt(b"/\xFF"));
        assert_eq!(command.output().unwrap().status.code(), Some(0));
    }
    let text = |text: &str| OsStr::new(text).to_owned();
    let bad = spoilt(b"\xFF");
    for args in [
        vec![bad.clone()],
        vec![spoilt(b"--\xFF")],
        vec![text("check"), spoilt(b"--\xFF")],
        vec![text("check"), text("--profile"), bad.clone()],
        vec![text("check"), text("-a"), text("x"), bad.clone()],
        vec![text("fetch"), bad.clone()],
        vec![text("fetch"), text("--timeout"), bad.clone(), text("http://example.com")],
        vec![text("fetch"), text("--user-agent"), bad.clone(), text("http://example.com")],
        vec![text("lint"), text("--deny"), bad.clone(), text("-")],
        vec![text("lint"), text("--url"), bad.clone(), text("-")],
        vec![text("lint"), text("--explain"), bad.clone()],
        vec![text("batch"), bad.clone()],
        vec![text("help"), bad.clone()],
        vec![text("generate"), text("completions"), bad.clone()],
    ] {
        let output = robots().args(&args).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.lines().count()), (Some(2), 1), "{args:?}: {err}");
        assert!(err.starts_with("robots: error: "), "{args:?}: {err}");
    }
}

const FILE: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: ExampleBot\nDisallow: /*.gif$\n";

fn check(file: &str, args: &[&str]) -> (i32, String, String) {
    outcome(&[&["check", "--robots", "-"], args].concat(), file)
}

#[test]
fn several_agents_are_several_crawlers() {
    let args = ["-a", "ExampleBot", "-a", "OtherBot", "-a", "OtherBot", "/private", "/a.gif"];
    let (status, out, _) = check(FILE, &args);
    let expected = "allowed    ExampleBot  /private  no rule matches
disallowed OtherBot  /private  line 2: Disallow: /private
disallowed ExampleBot  /a.gif  line 5: Disallow: /*.gif$
allowed    OtherBot  /a.gif  no rule matches
";
    assert_eq!((status, out.as_str()), (1, expected));
}

#[test]
fn known_crawlers_have_their_fallback_and_may_ignore_the_general_group() {
    let file = "User-agent: *\nDisallow: /\nUser-agent: Googlebot\nDisallow: /g\n";
    let images = "robots: note: `Googlebot-Image` obeys groups for `Googlebot` if no group names it\n";
    let allowed = |why: &str| format!("allowed    /  {why}\n");
    assert_eq!(
        check(file, &["-a", "Googlebot-Image", "/"]),
        (0, allowed("no rule matches (google)"), images.to_owned())
    );
    let ads = "robots: note: `AdsBot-Google` does not obey groups for `*`\n";
    assert_eq!(
        check(file, &["-a", "AdsBot-Google", "/"]),
        (0, allowed("no group applies (google)"), ads.to_owned())
    );
}

/// One function reads the URLs of all commands.
#[test]
fn what_is_meant_as_a_url_is_said_by_every_command_that_takes_one() {
    let history = folder("meant-urls").to_str().unwrap().to_owned();
    let commands: [&[&str]; 9] = [
        &["page"],
        &["fetch"],
        &["crawlers"],
        &["diff"],
        &["lint"],
        &["audit", "-a", "x"],
        &["watch", &history],
        &["check", "-a", "x"],
        &["explain", "-a", "x"],
    ];
    let texts = [
        ("https//example.com/a", "did you mean `https://example.com/a`?"),
        ("htps://example.com/a", "did you mean `https://example.com/a`?"),
        ("<https://example.com/>", "did you mean `https://example.com/`?"),
        ("http://http://example.com/", "has two schemes; did you mean `http://example.com/`?"),
        ("https:///a", "has no host"),
        ("https://exa mple.com/", "a host can't contain ` `"),
        ("https://example.com:99999/", "invalid port number"),
        ("ws://example.com/", "https"),
    ];
    for command in commands {
        for (text, expected) in texts {
            let args = match command {
                ["diff"] => vec!["diff", text, text],
                _ => [command, &[text]].concat(),
            };
            let (status, out, err) = outcome(&args, "");
            let all = format!("{out}{err}");
            assert!(status == 2 && all.contains(expected), "{args:?}: {all}");
        }
    }
}

#[test]
fn watch_takes_the_folder_first() {
    let (user, site) = (User::new(), Site::new(rules(&[])));
    let (status, out, err) = user.robots(&["watch", &site.base, &site.base]);
    let error = format!(
        "robots: error: the first argument is the folder for copies, and `{0}` is a URL; write `robots watch DIR {0}`\n",
        site.base
    );
    assert_eq!((status, out.as_str(), err, site.count()), (2, "", error, 0));
}

#[test]
fn options_about_sites_have_a_note_where_no_site_is_asked() {
    let path = file("without-sites", "User-agent: *\nDisallow: /a\n");
    let path = path.to_str().unwrap();
    let note = |args: &[&str]| outcome(args, "").2;
    let check = ["check", "--robots", path, "--agent", "X", "/a"];
    assert_eq!(note(&check), "");
    assert_eq!(
        note(&[&check[..], &["--timeout", "3", "--cache", "folder"]].concat()),
        "robots: note: `--timeout`, `--cache` have no effect, because no site was asked\n"
    );
    for command in ["lint", "crawlers"] {
        let expected = "robots: note: `--public-only` has no effect, because no site was asked\n";
        assert_eq!(note(&[command, "--public-only", path]), expected, "{command}");
    }
}

/// A mistake in a file of wanted access has its line, and says how to write it.
#[test]
fn mistakes_in_wanted_access_say_what_to_write() {
    let path = folder("wanted-mistakes").join("wanted.toml");
    for (text, said) in [
        ("[expect]\ncrawlers = ['x']\n", "wanted.toml:1: an entry begins with `[[expect]]`, in two brackets"),
        (
            "[[expect]]\ncrawlers = 'x'\n",
            "wanted.toml:2: invalid type: string \"x\", expected a list in brackets",
        ),
        (
            "# x\n[[expect]]\ncrawlers = ['GTPBot']\nurls = ['/']\naccess = 'allowed'\n",
            "wanted.toml:2: unknown crawler `GTPBot`; did you mean `GPTBot`?",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let (status, _, err) = outcome(&["expect", path.to_str().unwrap(), "robots.txt"], "");
        assert!(status == 2 && err.contains(said), "{err}");
    }
}

/// A pattern in quotes, or one that no file matches, comes to the command as it is written.
#[test]
fn patterns_are_not_names_of_files() {
    let file = file("patterns", "User-agent: *\n");
    let file = file.to_str().unwrap();
    for args in [
        &["check", "--robots", "no*.txt", "-a", "x", "/"][..],
        &["lint", "no*.txt"],
        &["crawlers", "no*.txt"],
        &["diff", "no*.txt", "b"],
        &["audit", "no*.txt"],
        &["audit", "--list", "no*.txt"],
        &["audit", "--urls", "no*.txt", "b"],
        &["expect", "no*.toml", "b"],
        &["page", "no*.html"],
        &["page", "--headers", "no*.txt", "b"],
        &["log", "--robots", "no*.txt", "b"],
        &["log", "--robots", file, "no*.log"],
        &["write", "--block", "GPTBot", "--into", "no*.txt"],
        &["batch", "--warc", "no*.warc"],
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!(status, 2, "{args:?}");
        let all = format!("{out}{err}");
        assert!(all.contains("a shell replaces a pattern by the names of files"), "{args:?} {all}");
    }
}
