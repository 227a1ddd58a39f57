//! `robots crawlers`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::{file, outcome, value};
use crate::site::{Site, User, answer};
use robots_conformance::testing::schema::against;

const FILE: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: google\nUser-agent: GPTBot\nDisallow: /\n\n\
                    User-agent: Googlebot\nAllow: /x\n\nUser-agent: All\nDisallow: /all\n";

/// Returns the rows of the JSON of a command.
fn rows(args: &[&str], input: &str) -> Vec<Value> {
    let (status, value) = value(&[&["crawlers", "--format", "json"], args, &["-"]].concat(), input);
    assert_eq!(status, 0);
    assert_eq!(against("crawlers.json", &value), [""; 0]);
    value["files"][0]["crawlers"].as_array().unwrap().clone()
}

fn row<'r>(rows: &'r [Value], name: &str) -> &'r Value {
    rows.iter().find(|row| row["name"] == name).unwrap()
}

#[test]
fn crawlers_lists_the_access_and_the_group_of_each() {
    let rows = rows(&[], FILE);
    assert!(rows.len() > 210);
    struct Case {
        name: &'static str,
        access: &'static str,
        group: Option<u64>,
        line: Option<u64>,
    }
    for Case { name, access, group, line } in [
        Case { name: "*", access: "parts", group: Some(1), line: Some(2) },
        Case { name: "GPTBot", access: "nothing", group: Some(5), line: Some(6) },
        Case { name: "Googlebot", access: "all", group: Some(8), line: None },
        // The group for Googlebot applies, because none is for images.
        Case { name: "Googlebot-Image", access: "all", group: Some(8), line: None },
        Case { name: "AdsBot-Google", access: "all", group: None, line: None },
        Case { name: "MJ12bot", access: "parts", group: Some(1), line: Some(2) },
        Case { name: "google", access: "nothing", group: Some(4), line: Some(6) },
    ] {
        let row = row(&rows, name);
        let found = (
            row["access"].as_str().unwrap(),
            row["group"]["line"].as_u64(),
            row["verdict"]["rule"]["line"].as_u64(),
        );
        assert_eq!(found, (access, group, line), "{name}");
    }
    assert_eq!(
        (&row(&rows, "google")["suggestion"], &row(&rows, "All")["suggestion"]),
        (&"Googlebot".into(), &"*".into())
    );
    assert_eq!(row(&rows, "bingbot")["suggestion"], Value::Null);
}

#[test]
fn a_long_pattern_is_not_repeated_for_each_crawler() {
    let pattern = format!("/{}", "a\t".repeat(100_000));
    let body = format!("User-agent: *\nDisallow: {pattern}b\n");
    let (_, out, _) = outcome(&["crawlers", "--format", "json", "-"], &*body);
    assert!(out.len() < 20_000 * 230, "{}", out.len());
    let rows = rows(&[], &body);
    let row = row(&rows, "GPTBot");
    assert_eq!(row["verdict"]["rule"]["written"], pattern[..8192]);
    let path = row["path"].as_str().unwrap();
    assert!(path.len() < 300 && path.contains(" bytes)"), "{path}");
    let (_, out, _) = outcome(&["crawlers", "--format", "csv", "-"], &*body);
    assert!(out.len() < 1_000 * 230, "{}", out.len());
}

#[test]
fn crawlers_are_chosen_by_purpose_by_name_or_by_the_file() {
    let ai = rows(&["--purpose", "ai"], FILE);
    assert!(ai.iter().all(|row| row["purpose"].as_str().unwrap().starts_with("ai-")) && ai.len() > 100);
    let search = rows(&["--purpose", "search", "--purpose", "unknown"], FILE);
    assert!(
        search.iter().any(|row| row["name"] == "google") && search.iter().any(|row| row["name"] == "bingbot")
    );
    let names = |args: &[&str]| {
        rows(args, FILE).iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["--named"]), ["*", "google", "GPTBot", "Googlebot", "All"]);
    assert_eq!(
        names(&["-a", "ExampleBot", "-a", "Googlebot-Image,Googlebot"]),
        ["ExampleBot", "Googlebot-Image,Googlebot"]
    );
}

#[test]
fn crawlers_are_shown_to_people() {
    let (status, out, err) = outcome(&["crawlers", "--named", "-"], FILE);
    let expected = "standard input: 5 crawlers: 1 open, 2 partly open, 2 blocked
CRAWLER                           PURPOSE      GROUP              ACCESS   DECIDES
*                                 unknown      *, line 1          parts    line 2: Disallow: /private (/private)
google (did you mean Googlebot?)  unknown      google, line 4     nothing  line 6: Disallow: /
GPTBot                            ai-training  GPTBot, line 5     nothing  line 6: Disallow: /
Googlebot                         search       Googlebot, line 8  all      no rule matches (google)
All (did you mean `*`?)           unknown      All, line 11       parts    line 12: Disallow: /all (/all)
";
    assert_eq!((status, out.as_str(), err.as_str()), (0, expected, ""));
}

#[test]
fn the_crawlers_of_a_product_are_named() {
    let (_, out, _) =
        outcome(&["crawlers", "--named", "-"], "User-agent: ChatGPT\nUser-agent: facebook\nDisallow: /\n");
    for name in [
        "ChatGPT (did you mean GPTBot, OAI-SearchBot, ChatGPT-User?)",
        "facebook (did you mean meta-externalagent, meta-externalfetcher, facebookexternalhit and 1 more?)",
    ] {
        assert!(out.contains(name), "{out}");
    }
}

#[test]
fn text_of_files_is_safe_in_every_format() {
    let file = "User-agent: =cmd(1)\nUser-agent: <script>\nUser-agent: x\u{1B}[1m\nDisallow: /\"<b>'\n";
    let html = outcome(&["crawlers", "--format", "html", "--named", "-"], file).1;
    assert!(html.contains("Content-Security-Policy") && html.contains("&quot;&lt;b&gt;&#39;"), "{html}");
    assert!(!html.contains("<b>") && !html.contains("<script") && !html.contains('\u{1B}'));
    let csv = outcome(&["crawlers", "--format", "csv", "--named", "-"], file).1;
    assert!(
        !csv.contains('\u{1B}') && csv.lines().next().unwrap().starts_with("file,crawler,tokens,"),
        "{csv}"
    );
}

#[test]
fn a_site_without_rules_and_a_missing_file_are_reported() {
    let (user, site) = (User::new(), Site::new(answer("404 Not Found", &[], "")));
    let present = file("crawlers-present", FILE);
    let (status, out, err) =
        user.robots(&["crawlers", "--format", "json", "none.txt", &site.base, present.to_str().unwrap()]);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(against("crawlers.json", &value), [""; 0]);
    assert_eq!(
        (status, err.as_str()),
        (2, "robots: error: can't read none.txt: no such file or directory\n")
    );
    assert_eq!(value["files"].as_array().unwrap().len(), 2);
    assert_eq!(value["failed"][0]["input"], "none.txt");
    let answer = &value["files"][0]["answer"];
    assert_eq!(answer, "the site has no robots.txt (status 404): everything is allowed");
    assert!(value["files"][0]["crawlers"].as_array().unwrap().iter().all(|row| row["access"] == "all"));
    site.answers(crate::site::answer("503 Service Unavailable", &[], ""));
    let (_, out, _) = user.robots(&["crawlers", "--format", "json", &site.base]);
    let value: Value = serde_json::from_str(&out).unwrap();
    // Also crawlers that do not obey groups for `*`.
    assert!(value["files"][0]["crawlers"].as_array().unwrap().iter().all(|row| row["access"] == "nothing"));
}

/// The files that are compared with `check`: reduced ones of robots-conformance, and real ones if there are any.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for (folder, step) in [("robots-conformance/corpus", 1), ("../shared/corpus/sites", 190)] {
        let Ok(entries) = fs::read_dir(root.join(folder)) else {
            println!("skipped: the folder {folder} does not exist next to this package");
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_none_or(|extension| extension != "toml"));
        paths.sort();
        files.extend(paths.into_iter().step_by(step));
    }
    files
}

#[test]
fn crawlers_agree_with_check() {
    const NAMES: [&str; 5] = ["MJ12bot", "GPTBot", "bingbot", "Googlebot-Image", "AdsBot-Google"];
    let agents: Vec<&str> = NAMES.iter().flat_map(|&name| ["-a", name]).collect();
    for path in files() {
        let path = path.to_str().unwrap();
        let (_, out, _) = outcome(&[&["crawlers", "--format", "json"], &agents[..], &[path]].concat(), "");
        let listed: Value = serde_json::from_str(&out).unwrap();
        for name in NAMES {
            let row = row(listed["files"][0]["crawlers"].as_array().unwrap(), name);
            let asked = row["path"].as_str().unwrap();
            let (_, out, _) = outcome(
                &["check", "--format", "json", "--robots", path, "-a", name, asked, "/", "/x/y?z"],
                "",
            );
            let value: Value = serde_json::from_str(&out).unwrap();
            let verdicts = value["verdicts"].as_array().unwrap();
            let line = |verdict: &Value| verdict["rule"]["line"].clone();
            assert_eq!(
                (&row["verdict"]["allowed"], &line(&row["verdict"])),
                (&verdicts[0]["allowed"], &line(&verdicts[0])),
                "{path} {name}"
            );
            let allowed: Vec<bool> =
                verdicts.iter().map(|verdict| verdict["allowed"].as_bool().unwrap()).collect();
            match row["access"].as_str().unwrap() {
                "all" => assert_eq!(allowed, [true; 3], "{path} {name}"),
                "nothing" => assert_eq!(allowed, [false; 3], "{path} {name}"),
                other => assert_eq!((other, allowed[0]), ("parts", false), "{path} {name}"),
            }
        }
    }
}

#[test]
fn all_groups_that_apply_are_named() {
    let file = "User-agent: *\nAllow: /\n\nUser-agent: a\nDisallow: /b\n\nUser-agent: *\nDisallow: /x\n";
    let (_, out, _) = outcome(&["crawlers", "-a", "x", "-a", "a", "-"], file);
    assert!(out.contains("*, lines 1, 7  ") && out.contains("a, line 4 "), "{out}");
    let rows = rows(&["-a", "x"], file);
    assert_eq!(
        (&rows[0]["group"]["line"], &rows[0]["group"]["others"]),
        (&1.into(), &serde_json::json!([7]))
    );
}

#[test]
fn one_crawler_and_none_are_counted_in_words() {
    let head = |args: &[&str], file: &str| {
        let (_, out, _) = outcome(&[&["crawlers"], args, &["-"]].concat(), file);
        out.lines().next().unwrap().to_owned()
    };
    assert_eq!(head(&["-a", "x"], "\n"), "standard input: 1 crawler: 1 open");
    assert_eq!(head(&["--named", "--purpose", "archive"], "\n"), "standard input: no crawlers");
}

/// Records that ran together in one line are lost, and crawlers and explain name the crawlers that they are for.
#[test]
fn crawlers_in_lines_that_ran_together_are_named() {
    for (file, names) in [
        ("User-agent: GPTBot Disallow: / User-agent: CCBot Disallow: /\n", ["`GPTBot`", "`CCBot`"]),
        ("User-agent: *\\nDisallow: /a\\n\\nUser-agent: bingbot\\nDisallow: /\n", ["`*`", "`bingbot`"]),
        (
            "# rules User-agent: Googlebot Disallow: / User-agent: Bingbot Disallow: /\n",
            ["`Googlebot`", "`Bingbot`"],
        ),
    ] {
        for args in [
            &["crawlers", "-a", "x", "-"][..],
            &["crawlers", "-a", "x", "--format", "json", "-"],
            &["crawlers", "-a", "x", "--format", "html", "-"],
            &["explain", "--robots", "-", "-a", "x", "/a"],
            &["explain", "--robots", "-", "-a", "x", "--format", "json", "/a"],
        ] {
            let (_, out, err) = outcome(args, file);
            let all = format!("{out}{err}");
            let is_named = names.iter().all(|name| all.contains(name));
            assert!(is_named && all.contains("ran together"), "{args:?}: {all}");
        }
    }
}

#[test]
fn names_of_options_are_in_upper_or_lower_case() {
    let (of_purpose, in_capitals) = (rows(&["--purpose", "ai"], FILE), rows(&["--purpose", "AI"], FILE));
    assert!(!of_purpose.is_empty() && of_purpose.len() < 200);
    assert_eq!(of_purpose, in_capitals);
    assert_eq!(rows(&["--profile", "Google"], FILE), rows(&["--profile", "google"], FILE));
}
