//! `robots expect`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::command::{folder, outcome, robots, value};
use crate::site::{Site, User, answer, rules};
use robots_conformance::testing::schema::against;

const WANTED: &str = "\
[environments]
production = ['https://www.example.com']

[[expect]]
crawlers = ['Googlebot', 'bingbot']
patterns = ['/shop/']
urls = ['/']
access = 'allowed'
environments = ['production']
reason = 'The shop has to be found'

[[expect]]
crawlers = ['GPTBot']
patterns = ['/']
access = 'disallowed'
environments = ['production']

[[expect]]
crawlers = ['*']
patterns = ['/']
access = 'disallowed'
environments = ['staging']
";

const ROBOTS: &str = "User-agent: *\nDisallow: /shop/cart\n\nUser-agent: GPTBot\nDisallow: /\n";

/// A folder with both files.
struct Case(PathBuf);

impl Case {
    fn new(name: &str, wanted: &str, file: &str) -> Self {
        let folder = folder(name);
        fs::write(folder.join("robots.expect.toml"), wanted).unwrap();
        fs::write(folder.join("robots.txt"), file).unwrap();
        Self(folder)
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = robots().current_dir(&self.0).arg("expect").args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn patterns_are_proved_and_urls_are_checked() {
    let case = Case::new("expect-proved", WANTED, ROBOTS);
    let (status, out, err) = case.run(&["-e", "production", "robots.txt"]);
    let expected = "\
broken   robots.txt [production]  Googlebot: all of /shop/: /shop/cart is disallowed, wanted allowed; line 2: Disallow: /shop/cart \
(The shop has to be found)
broken   robots.txt [production]  bingbot: all of /shop/: /shop/cart is disallowed, wanted allowed; line 2: Disallow: /shop/cart \
(The shop has to be found)
1 robots.txt checked with robots.expect.toml: 3 kept, 2 broken, 0 unknown
";
    assert_eq!((status, out.as_str(), err.as_str()), (1, expected, ""));
    let (status, out, _) = case.run(&["-e", "staging", "robots.txt"]);
    assert_eq!(status, 1);
    assert!(
        out.starts_with(
            "broken   robots.txt [staging]  *: all of /: / is allowed, wanted disallowed; no rule matches\n"
        ),
        "{out}"
    );
    fs::write(case.0.join("staging.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    let (status, out, _) = case.run(&["-e", "staging", "--all", "staging.txt"]);
    let expected = "kept     staging.txt [staging]  *: all of /: disallowed, which is proved\n\
                    1 robots.txt checked with robots.expect.toml: 1 kept, 0 broken, 0 unknown\n";
    assert_eq!((status, out.as_str()), (0, expected));
}

#[test]
fn a_purpose_stands_for_its_crawlers() {
    let wanted = "[[expect]]\npurposes = ['ai']\npatterns = ['/']\naccess = 'disallowed'\n";
    let case = Case::new("expect-purpose", wanted, ROBOTS);
    let (status, out, _) = case.run(&["--format", "json", "robots.txt"]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(against("expect.json", &value), [""; 0]);
    let results = value["inputs"][0]["results"].as_array().unwrap();
    let of = |name: &str| results.iter().find(|result| result["crawler"] == name).unwrap();
    assert_eq!((status, &of("GPTBot")["result"]), (1, &"kept".into()));
    assert_eq!((&of("ClaudeBot")["result"], &of("ClaudeBot")["path"]), (&"broken".into(), &"/".into()));
    assert_eq!(of("Perplexity-User")["may_ignore_robots_txt"], true);
    assert!(results.len() > 100 && results.iter().all(|result| result["crawler"] != "Googlebot"));
    // Everyone is kept out.
    fs::write(case.0.join("robots.txt"), "User-agent: *\nDisallow: /\n").unwrap();
    let (_, out, _) = case.run(&["robots.txt"]);
    assert!(
        out.contains("0 unknown\nrules do not keep these crawlers out, because they may ignore robots.txt: "),
        "{out}"
    );
}

#[test]
fn crawlers_of_a_purpose_share_a_row() {
    let wanted = "[[expect]]\ncrawlers = ['bingbot']\npurposes = ['search']\npatterns = ['/']\nurls = ['/a']\naccess = 'allowed'\n";
    let robots = "User-agent: Applebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n";
    let case = Case::new("expect-shared", wanted, robots);
    let (status, out, _) = case.run(&["robots.txt"]);
    let rows: Vec<&str> = out.lines().collect();
    // One that is named has its own row. Others share it where they have the same answer.
    assert_eq!((status, rows.len()), (1, 5), "{out}");
    assert_eq!(
        rows[0],
        "broken   robots.txt  bingbot: all of /: /b is disallowed, wanted allowed; line 5: Disallow: /b"
    );
    assert!(rows[1].starts_with("broken   robots.txt  360Spider, AddSearchBot, Baiduspider and 2"), "{out}");
    assert!(
        rows[1].ends_with(" more: all of /: /b is disallowed, wanted allowed; line 5: Disallow: /b"),
        "{out}"
    );
    assert_eq!(
        rows[2..4],
        [
            "broken   robots.txt  Applebot: /a: /a is disallowed, wanted allowed; line 2: Disallow: /a",
            "broken   robots.txt  Applebot: all of /: /a is disallowed, wanted allowed; line 2: Disallow: /a"
        ]
    );
    // The numbers are of crawlers.
    let (_, value, _) = case.run(&["--format", "json", "robots.txt"]);
    let value: Value = serde_json::from_str(&value).unwrap();
    let broken = value["totals"]["broken"].as_u64().unwrap();
    assert!(broken > 20 && rows[4].contains(&format!(" {broken} broken, ")), "{out}");
    let (_, github, _) = case.run(&["--format", "github", "robots.txt"]);
    let (_, sarif, _) = case.run(&["--format", "sarif", "robots.txt"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!((github.lines().count(), sarif["runs"][0]["results"].as_array().unwrap().len()), (4, 4));
    let (_, junit, _) = case.run(&["--format", "junit", "robots.txt"]);
    assert_eq!(junit.matches("<failure ").count(), usize::try_from(broken).unwrap());
}

#[test]
fn spreadsheets_have_the_same_entries() {
    let case = Case::new("expect-csv", "", ROBOTS);
    for (name, text) in [
        (
            "comma.csv",
            "crawler,pattern,access,reason\r\nGooglebot,/shop/,allowed,\"found, always\"\r\nGPTBot,/,disallowed,\r\n",
        ),
        (
            "excel.csv",
            "\u{FEFF}Access;Crawlers;URLs;Pattern;Reason\nallowed;Googlebot;;/shop/;found, always\n;;;;\ndisallowed;GPTBot;;/;\n",
        ),
    ] {
        fs::write(case.0.join(name), text).unwrap();
        let (status, out, err) = case.run(&[name, "robots.txt"]);
        assert_eq!((status, err.as_str()), (1, ""), "{name}");
        assert!(
            out.contains("Disallow: /shop/cart (found, always)\n") && out.contains(" 1 kept, 1 broken"),
            "{out}"
        );
    }
}

/// Compares a test report with the schema that programs expect, if a validator is installed.
fn follows_the_schema(folder: &std::path::Path, junit: &str) {
    let file = folder.join("report.xml");
    fs::write(&file, junit).unwrap();
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/junit.xsd");
    let run = std::process::Command::new("xmllint").args(["--noout", "--schema", schema]).arg(&file).output();
    match run {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => println!("skipped: xmllint is not installed"),
    }
}

#[test]
fn every_format_has_each_broken_result() {
    let case = Case::new("expect-formats", WANTED, ROBOTS);
    let run = |format: &str| {
        let (status, out, err) = case.run(&["-e", "production", "--format", format, "robots.txt"]);
        assert_eq!((status, err.as_str()), (1, ""), "{format}");
        out
    };
    let junit = run("junit");
    assert!(junit.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"robots expect\" tests=\"5\" failures=\"2\" errors=\"0\">"), "{junit}");
    assert_eq!((junit.matches("<testcase ").count(), junit.matches("<failure ").count()), (5, 2));
    follows_the_schema(&case.0, &junit);
    fs::write(case.0.join("page.html"), "<!DOCTYPE html><title>\u{1} & \"x\"</title>").unwrap();
    let (status, junit, _) =
        case.run(&["-e", "production", "--format", "junit", "page.html", "none & none.txt"]);
    assert_eq!((status, junit.matches("<error ").count()), (2, 5), "{junit}");
    follows_the_schema(&case.0, &junit);
    let github = run("github");
    assert!(
        github.starts_with(
            "::error file=robots.txt,line=2,title=robots expect::robots.txt: Googlebot: all of /shop/: "
        ),
        "{github}"
    );
    assert_eq!(github.lines().count(), 2);
    let sarif: Value = serde_json::from_str(&run("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!((results.len(), &results[0]["ruleId"]), (2, &"access-not-wanted".into()));
    assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert_eq!(results[0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 4);
}

#[test]
fn what_is_not_known_is_an_error() {
    let (user, site) = (User::new(), Site::new(answer("503 Service Unavailable", &[], "")));
    let wanted = user.0.path().join("wanted.toml");
    let text = format!(
        "[environments]\nproduction = ['{}']\n[[expect]]\ncrawlers = ['a']\nurls = ['/x', 'https://other.example/']\naccess = \
         'disallowed'\n",
        site.base
    );
    fs::write(&wanted, text).unwrap();
    // The site is the one that the file names.
    let run = || user.robots(&["expect", wanted.to_str().unwrap()]);
    let (status, out, _) = run();
    assert_eq!(status, 2, "{out}");
    assert!(
        out.contains(
            "a: /x: wanted disallowed; robots.txt is unreachable (status 503): nothing is allowed\n"
        ),
        "{out}"
    );
    assert!(
        out.contains("a: https://other.example/: wanted disallowed; the URL belongs to none of the sites\n"),
        "{out}"
    );
    site.answers(rules(&[]));
    let (status, out, _) = run();
    assert!(status == 2 && out.ends_with(": 0 kept, 1 broken, 1 unknown\n"), "{out}");
    // One cause of all is said once.
    site.answers(answer("503 Service Unavailable", &[], ""));
    let text = "[[expect]]\ncrawlers = ['a', 'b']\nurls = ['/x', '/y']\naccess = 'disallowed'\n";
    fs::write(&wanted, text).unwrap();
    let (status, out, _) = user.robots(&["expect", wanted.to_str().unwrap(), &site.base]);
    let line = "  all 4 wanted verdicts; robots.txt is unreachable (status 503): nothing is allowed\n";
    assert!(status == 2 && out.contains(line) && out.lines().count() == 2, "{out}");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let case = Case::new("expect-mistakes", "", ROBOTS);
    struct Case2 {
        text: &'static str,
        error: &'static str,
    }
    for Case2 { text, error } in [
        Case2 { text: "", error: "w.toml has no entry; `robots expect --help` shows some" },
        Case2 { text: "[[expect]\n", error: "w.toml:1: " },
        Case2 {
            text: "\n[[expect]]\ncrawler = 'a'\n",
            error: "w.toml:3: unknown field `crawler`, expected one of",
        },
        Case2 {
            text: "[[expect]]\ncrawlers = ['a']\nurls = ['/']\n",
            error: "w.toml:1: missing field `access`",
        },
        Case2 {
            text: "\n[[expect]]\ncrawlers = ['a']\nurls = ['/']\naccess = 'open'\n",
            error: "w.toml:2: `access` must be `allowed` or `disallowed`, not `open`",
        },
        Case2 {
            text: "[[expect]]\ncrawlers = ['a']\naccess = 'allowed'\n",
            error: "w.toml:1: the entry names no URL",
        },
        Case2 {
            text: "[[expect]]\nurls = ['/']\naccess = 'allowed'\n",
            error: "w.toml:1: the entry names no crawler",
        },
        Case2 {
            text: "[[expect]]\npurposes = ['ia']\nurls = ['/']\naccess = 'allowed'\n",
            error: "w.toml:1: unknown purpose `ia`; the purposes are ai, search, ",
        },
        Case2 {
            text: "[[expect]]\npurposes = ['unknown']\nurls = ['/']\naccess = 'allowed'\n",
            error: "w.toml:1: no crawler of the catalogue has the purpose `unknown`; ",
        },
        Case2 {
            text: "[[expect]]\ncrawlers = ['a']\nurls = ['example.com/x']\naccess = 'allowed'\n",
            error: "w.toml:1: `example.com/x`: missing scheme; did you mean `https://example.com/x`?",
        },
        Case2 {
            text: "[[expect]]\ncrawlers = ['a']\npatterns = ['https://a.example/*']\naccess = 'allowed'\n",
            error: "w.toml:1: `https://a.example/*` is not a pattern; write it as in a rule",
        },
    ] {
        fs::write(case.0.join("w.toml"), text).unwrap();
        let (status, out, err) = case.run(&["w.toml", "robots.txt"]);
        assert_eq!((status, out.as_str()), (2, ""), "{text}");
        assert!(err.starts_with(&format!("robots: error: {error}")) && err.lines().count() == 1, "{err}");
    }
    fs::write(case.0.join("w.toml"), WANTED).unwrap();
    for (args, error) in [
        (
            &["w.toml", "robots.txt"][..],
            "w.toml has entries for environments, and does not say which one robots.txt is; add --environment with one of `production`, `staging`",
        ),
        (
            &["w.toml", "-e", "test", "robots.txt"],
            "w.toml has no environment `test`; it has `production`, `staging`",
        ),
        (
            &["w.toml", "-e", "staging"],
            "no robots.txt is named; add a file or the URL of a site, or name them in w.toml below [environments]",
        ),
        (&["w.csv", "robots.txt"], "can't read w.csv: no such file or directory"),
        (&["w.tsv", "robots.txt"], "can't read w.tsv: no such file or directory"),
    ] {
        let (status, _, err) = case.run(args);
        assert_eq!((status, err.as_str()), (2, format!("robots: error: {error}\n").as_str()), "{args:?}");
    }
    fs::remove_file(case.0.join("robots.expect.toml")).unwrap();
    let (_, _, err) = case.run(&["robots.txt", "w.toml"]);
    assert_eq!(
        err,
        "robots: error: the file of wanted access is the first argument; write `robots expect w.toml ...`\n"
    );
    let (status, _, err) = outcome(&["expect", "robots.txt"], "");
    assert!(
        status == 2 && err.starts_with("robots: error: there is no robots.expect.toml in this folder; "),
        "{err}"
    );
}

#[test]
fn hostile_text_is_safe_in_every_format() {
    let wanted = "[[expect]]\ncrawlers = ['*']\npatterns = [\"/<b>\\u001B[1m'&\"]\naccess = 'disallowed'\nreason = \"\u{202E}]]>\\u007F\"\n";
    let case = Case::new("expect-hostile", wanted, ROBOTS);
    for format in ["human", "json", "junit", "github", "sarif"] {
        let (_, out, err) = case.run(&["--format", format, "robots.txt"]);
        assert!(!out.contains(['\u{1B}', '\u{202E}', '\u{7f}']) && err.is_empty(), "{format}: {out}");
        assert!(format != "junit" || !out.contains("<b>"), "{out}");
    }
}

#[test]
fn a_missing_input_does_not_hide_the_others() {
    let case = Case::new("expect-missing", WANTED, ROBOTS);
    let (status, out, err) = case.run(&["-e", "production", "none.txt", "robots.txt"]);
    assert_eq!(
        (status, err.as_str()),
        (2, "robots: error: can't read none.txt: no such file or directory\n")
    );
    assert!(out.contains("3 kept, 2 broken"), "{out}");
    let file = case.0.join("robots.expect.toml");
    let (status, value) = value(
        &["expect", file.to_str().unwrap(), "-e", "staging", "--format", "json", "-"],
        "User-agent: a\nDisallow: /\n",
    );
    assert_eq!((status, &value["totals"]["broken"]), (1, &1.into()));
}

#[test]
fn an_entry_or_an_input_that_is_never_checked_is_an_error() {
    let entries =
        "[[expect]]\ncrawlers = ['a']\nurls = ['/']\naccess = 'allowed'\nenvironments = ['production']\n";
    let known = "[environments]\nproduction = ['robots.txt']\nstaging = ['staging.txt']\n";
    let case = Case::new("expect-unchecked", &format!("{known}{entries}"), ROBOTS);
    fs::write(case.0.join("staging.txt"), ROBOTS).unwrap();
    let (status, out, err) = case.run(&["--all"]);
    assert_eq!(status, 2, "{out}");
    assert_eq!(
        err,
        "robots: error: staging.txt: no entry of robots.expect.toml is about it in the environment `staging`, so nothing was checked\n"
    );
    assert!(out.ends_with(": 1 kept, 0 broken, 0 unknown\n"), "{out}");
    // The names of files begin in the folder of the list.
    let other = folder("expect-unchecked-other");
    let list = case.0.join("robots.expect.toml");
    let run = |args: &[&str]| {
        let output = robots().current_dir(&other).arg("expect").arg(&list).args(args).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, out) = run(&["-e", "production"]);
    assert!(status == 0 && out.ends_with(": 1 kept, 0 broken, 0 unknown\n"), "{out}");
    fs::write(&list, format!("{known}{}", entries.replace("'production'", "'live'"))).unwrap();
    let (status, _, err) = case.run(&[]);
    let error = "robots.expect.toml:4: the entry is for the environment `live`, for which [environments] names no \
                 input; it has `production`, `staging`";
    assert!(status == 2 && err.starts_with(&format!("robots: error: {error}\n")), "{err}");
}
