//! `robots diff`.

use std::fs;

use serde_json::{Value, json};

use crate::command::{folder, outcome, value};
use crate::site::{Site, User, answer, rules};
use robots_conformance::testing::schema::against;

/// Two files, with a folder for one test.
struct Pair {
    old: String,
    new: String,
}

fn pair(name: &str, old: &str, new: &str) -> Pair {
    let folder = folder(name);
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    Pair { old: write("old.txt", old), new: write("new.txt", new) }
}

impl Pair {
    /// Status, standard output and standard error, with short names of the files.
    fn diff(&self, args: &[&str]) -> (i32, String, String) {
        let (status, out, err) = outcome(&[&["diff"], args, &[&self.old, &self.new]].concat(), "");
        let short = |text: String| text.replace(&self.old, "old.txt").replace(&self.new, "new.txt");
        (status, short(out), short(err))
    }

    fn json(&self, args: &[&str]) -> (i32, Value) {
        let (status, value) =
            value(&[&["diff", "--format", "json"], args, &[&self.old, &self.new]].concat(), "");
        assert_eq!(against("diff.json", &value), [""; 0]);
        (status, value)
    }
}

const OLD: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: Googlebot-Image\nDisallow: /img\n\n\
                   User-agent: Googlebot\nDisallow: /g\n";
const NEW: &str = "User-agent: *\nDisallow: /private/x\nDisallow: /new\n\nUser-agent: Googlebot\nDisallow: /g\n\n\
                   User-agent: GPTBot\nDisallow: /\n";

#[test]
fn diff_shows_a_path_for_each_change_and_its_cause() {
    let (status, out, err) = pair("diff-human", OLD, NEW).diff(&[]);
    let expected = "newly disallowed for *: /new
  before   no rule matches
  after    line 3: Disallow: /new
  because  line 3 of new.txt is new for the crawler: Disallow: /new
newly allowed for *: /private
  before   line 2: Disallow: /private
  after    no rule matches
  because  line 2 of old.txt is gone for the crawler: Disallow: /private
newly disallowed for Googlebot-Image: /g
  before   no rule matches
  after    line 6: Disallow: /g
  because  the group for `Googlebot` (line 5) applies in new.txt, and the group for `Googlebot-Image` (line 4) in old.txt
newly allowed for Googlebot-Image: /img
  before   line 5: Disallow: /img
  after    no rule matches
  because  the group for `Googlebot` (line 5) applies in new.txt, and the group for `Googlebot-Image` (line 4) in old.txt
newly disallowed for GPTBot: /
  before   no rule matches
  after    line 9: Disallow: /
  because  the group for `GPTBot` (line 8) applies in new.txt, and the group for `*` (line 1) in old.txt
nothing changes for Googlebot (proved)
";
    assert_eq!((status, out.as_str(), err.as_str()), (1, expected, ""));
}

#[test]
fn diff_writes_json_and_the_verdicts_are_those_of_check() {
    let pair = pair("diff-json", OLD, NEW);
    let (status, value) = pair.json(&["--catalogue"]);
    assert_eq!((status, &value["result"]), (1, &json!("changes")));
    let first = &value["changes"][0];
    assert_eq!(
        *first,
        json!({
            "crawler": "*",
            "change": "newly-disallowed",
            "path": "/new",
            "shortest": true,
            "before": { "allowed": true, "reason": "no-rule", "rule": null, "answer": null, "profile": "rfc9309", "text": "allowed: no rule matches" },
            "after": {
                "allowed": false,
                "reason": "rule",
                "rule": {
                    "effect": "disallow",
                    "line": 3,
                    "column": 11,
                    "span": { "start": 45, "end": 49 },
                    "written": "/new",
                    "pattern": null,
                },
                "answer": null,
                "profile": "rfc9309",
                "text": "disallowed by line 3",
            },
            "cause": { "kind": "rule-added", "file": "new", "line": 3, "groups": null },
        })
    );
    // `*` has the crawlers that no group names; AdsBot-Google does not obey groups for `*`.
    let unchanged = value["unchanged"].as_array().unwrap();
    assert!(unchanged.contains(&json!("AdsBot-Google")) && !unchanged.contains(&json!("bingbot")));
    for change in value["changes"].as_array().unwrap().iter().take(20) {
        for (file, side) in [(&pair.old, &change["before"]), (&pair.new, &change["after"])] {
            let (path, crawler) = (change["path"].as_str().unwrap(), change["crawler"].as_str().unwrap());
            let (_, out, _) =
                outcome(&["check", "--format", "json", "--robots", file, "-a", crawler, path], "");
            let checked: Value = serde_json::from_str(&out).unwrap();
            let verdict = &checked["verdicts"][0];
            assert_eq!(
                (&side["allowed"], &side["rule"]["line"]),
                (&verdict["allowed"], &verdict["rule"]["line"]),
                "{change}"
            );
        }
    }
}

#[test]
fn the_exit_status_says_whether_something_changes() {
    let same = "User-agent: *\nDisallow: /a\nDisallow: /a/b\n";
    let equal = pair("diff-equal", same, "User-agent: *\nDisallow: /a*\n");
    assert_eq!(equal.diff(&[]), (0, "nothing changes for * (proved)\n".to_owned(), String::new()));
    let opened = pair("diff-opened", same, "User-agent: *\nDisallow: /a/b\n");
    assert_eq!(opened.diff(&["--deny", "newly-disallowed"]).0, 0);
    assert_eq!(opened.diff(&["--deny", "newly-allowed"]).0, 1);
    assert_eq!(opened.diff(&["--deny", "any"]).0, 1);
    assert_eq!(opened.diff(&["--deny", "newly-disallowed", "--deny", "newly-allowed"]).0, 1);
    assert_eq!(opened.diff(&["--agent", "AdsBot-Google"]).0, 0);
    let twice = "robots: error: standard input can be read only once; name a file instead of one `-`\n";
    for args in [&["diff", "-", "-"][..], &["diff", "--urls", "-", "-", "x"], &["audit", "--list", "-", "-"]]
    {
        assert_eq!(outcome(args, ""), (2, String::new(), twice.to_owned()), "{args:?}");
    }
    assert_eq!(outcome(&["diff", "none.txt", &opened.old], "").0, 2);
}

/// The order of `a` and `b`, and that of `c` and `d`, are the values of two variables, of which the rules exclude each pair. That
/// nothing is newly allowed needs a search.
#[test]
fn an_undecided_search_has_its_own_status() {
    let mut new = "User-agent: *\nDisallow: /\nAllow: /*a*c\n".to_owned();
    for excluded in ["*c*b", "*d*a", "*a*b*c*d", "*a*b*d*c", "*b*a*c*d", "*b*a*d*c"] {
        new += &format!("Disallow: /{excluded}********\n");
    }
    let excluded = pair("diff-undecided", &format!("{new}Disallow: /*b*d*\n"), &new);
    assert_eq!(excluded.diff(&[]).0, 0);
    let (status, value) = excluded.json(&["--max-states", "0"]);
    assert_eq!((status, &value["result"]), (3, &json!("undecided")));
    assert_eq!(value["undecided"].as_array().unwrap().len(), 1);
    assert_eq!(value["unchanged"], json!([]));
    // A shortest path needs a search, and any path is better than none.
    let old = "User-agent: *\nDisallow: /*a*b\nAllow: /*ab***\nAllow: /*axb***\n";
    let pair = pair("diff-limited", old, "User-agent: *\nAllow: /*ab***\nAllow: /*axb***\n");
    let first = |args: &[&str]| pair.json(args).1["changes"][0].clone();
    let (shortest, limited) = (first(&[]), first(&["--max-states", "0"]));
    assert_eq!((&shortest["path"], &shortest["shortest"]), (&json!("/azb"), &json!(true)));
    assert_eq!((&limited["change"], &limited["shortest"]), (&json!("newly-allowed"), &json!(false)));
}

#[test]
fn urls_of_lists_logs_and_sitemaps_are_compared() {
    let pair = pair("diff-urls", OLD, NEW);
    let folder = folder("diff-urls-lists");
    let log = folder.join("access.log");
    fs::write(
        &log,
        "1.2.3.4 - - [21/Nov/2026] \"GET /private/a HTTP/1.1\" 200 1 \"-\" \"x\"\n1.2.3.4 - - [t] \"GET /other HTTP/1.1\" 200 1\nnothing\n",
    )
    .unwrap();
    let sitemap = folder.join("map.xml");
    let xml = "<urlset><url><loc>https://example.com/new?a=1&amp;b</loc></url></urlset>";
    fs::write(&sitemap, xml).unwrap();
    let (status, value) = pair.json(&["--urls", log.to_str().unwrap(), "-a", "ExampleBot"]);
    assert_eq!(status, 1);
    let urls = &value["urls"];
    assert_eq!((&urls["compared"], &urls["skipped"]), (&json!(2), &json!(1)));
    assert_eq!(urls["changes"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&urls["changes"][0]["url"], &urls["changes"][0]["after"]["allowed"]),
        (&json!("/private/a"), &json!(true))
    );
    let (_, value) = pair.json(&["--urls", sitemap.to_str().unwrap(), "-a", "ExampleBot"]);
    assert_eq!(value["urls"]["changes"][0]["url"], "https://example.com/new?a=1&b");
    let (status, out, err) = outcome(&["diff", "--urls", "-", &pair.old, &pair.new], "/new\n");
    assert!(status == 1 && err.is_empty() && out.ends_with("URLs: 1, verdicts that change: 2\n"), "{out}");
    // Many URLs are rows of the lines that decide.
    let many: String = (0..25).map(|page| format!("/new/{page}\n")).collect();
    let args = ["diff", "--urls", "-", "-a", "ExampleBot", &pair.old, &pair.new];
    let (status, out, err) = outcome(&args, many);
    let row = "newly disallowed for ExampleBot: 25 URLs: /new/0, /new/1, /new/2 and 22 more  no rule matches -> line ";
    assert!(status == 1 && err.is_empty() && out.contains(row), "{out}");
    assert!(
        out.ends_with("`--format json` writes each of these URLs\nURLs: 25, verdicts that change: 25\n"),
        "{out}"
    );
}

#[test]
fn workflow_commands_escape_what_files_contain() {
    let (status, out, _) = pair("diff-github", "User-agent: a\n", "User-agent: a\nDisallow: /100%25,:x\n")
        .diff(&["--format", "github"]);
    assert_eq!(status, 1);
    let line = out.lines().next().unwrap();
    assert!(line.starts_with("::error file=new.txt,line=2,title=newly-disallowed::/100%2525,:x is newly disallowed for a: line 2"), "{out}");
    let (status, out, _) = pair("diff-github-same", "# a\n", "# b\n").diff(&["--format", "github"]);
    assert_eq!(
        (status, out.as_str()),
        (0, "::notice title=robots diff::old.txt and new.txt: nothing changes\n")
    );
}

#[test]
fn a_list_without_urls_is_an_error() {
    let pair = pair("diff-empty-list", "", "User-agent: *\nDisallow: /\n");
    let (status, out, err) = outcome(&["diff", "--urls", "-", &pair.old, &pair.new], "# nothing\n");
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(
        err.starts_with("robots: error: the list standard input has no URL; write a URL such as"),
        "{err}"
    );
}

#[test]
fn two_profiles_are_compared_on_one_file() {
    let (status, out, _) = outcome(
        &["diff", "--profile", "google", "--against", "rfc9309", "-"],
        "User-agent: *\nDisallow: /a\n",
    );
    assert_eq!(status, 1);
    assert!(out.starts_with("newly disallowed for *: /%61\n"), "{out}");
    let (status, out, _) =
        outcome(&["diff", "--against", "draft-koster-rep-00", "-"], "User-agent: *\nDisallow: /\n");
    assert_eq!((status, out.as_str()), (0, "nothing changes for * (proved)\n"));
}

#[test]
fn sites_without_rules_allow_everything_or_nothing() {
    let (user, site) = (User::new(), Site::new(answer("404 Not Found", &[], "")));
    let pair = pair("diff-sites", "User-agent: *\nDisallow: /private\nAllow: /private/open\n", "# Nothing\n");
    let (status, out, _) = user.robots(&["diff", &site.base, &pair.new]);
    let note = format!("{}: the site has no robots.txt (status 404): everything is allowed\n", site.base);
    assert_eq!((status, out), (0, format!("{note}nothing changes for * (proved)\n")));
    site.answers(answer("503 Service Unavailable", &[], ""));
    // Nothing is known about the rules of the site, so no format reports a change.
    let formats = [&["--format", "github"][..], &["--format", "json"], &["--deny", "newly-disallowed"], &[]];
    for arguments in formats {
        for sides in [[&site.base, &pair.old], [&pair.old, &site.base]] {
            let gate = user.robots(&[&["diff"], arguments, &[sides[0], sides[1]]].concat());
            assert_eq!((gate.0, gate.1.as_str()), (2, ""));
            assert!(
                gate.2.contains("is unreachable (status 503): nothing is allowed; try again"),
                "{}",
                gate.2
            );
        }
    }
    // A failure that is not the site's.
    let (status, out, err) = user.robots(&["diff", "--public-only", &site.base, &pair.old]);
    assert_eq!((status, out.as_str(), err.lines().count()), (2, "", 1), "{err}");
    assert!(err.starts_with(&format!("robots: error: can't ask {}: ", site.base)), "{err}");
    site.answers(rules(&[]));
    assert_eq!(user.robots(&["diff", &site.base, &pair.old]).0, 0);
}
