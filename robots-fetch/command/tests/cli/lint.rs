//! `robots lint`.

use std::fs;

use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use crate::command::on_terminal;
use crate::command::{EXAMPLE as FILE, file, folder, outcome, value};
use crate::site::{Site, User, answer, rules};
use robots_conformance::testing::schema::against;

#[test]
fn known_pages_show_rules_that_block_too_much() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("urls.txt");
    fs::write(
        &list,
        "https://example.com/cart\nhttps://example.com/cartography\nhttps://example.org/shops\n",
    )
    .unwrap();
    let list = list.to_str().unwrap();
    let file = "User-agent: *\nDisallow: /cart\nDisallow: /shop\n";
    let codes = |args: &[&str]| {
        let (status, out, err) = outcome(&[&["lint", "--urls", list], args, &["-"]].concat(), file);
        assert_eq!(err, "");
        (status, out.matches("[wide-prefix]").count())
    };
    assert_eq!(codes(&[]), (1, 2));
    assert_eq!(codes(&["--url", "https://example.com/robots.txt"]), (1, 1));
    assert_eq!(codes(&["--url", "https://example.net/robots.txt"]), (0, 0));
    let other = dir.path().join("others.txt");
    fs::write(&other, "# pages\n\n/cart\nhttps%\nhttps%3A%2F%2Fexample.com%2Fcart\n").unwrap();
    let (_, _, err) = outcome(&["lint", "--urls", other.to_str().unwrap(), "-"], file);
    assert_eq!(err, format!("robots: note: {}: lines without a URL: 2\n", other.display()));
    let (_, out, _) = outcome(&["lint", "--format", "json", "--urls", other.to_str().unwrap(), "-"], file);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["urls"], json!({"read": 1, "skipped": 2}));
    let (status, _, err) = outcome(&["lint", "--urls", "nothing.txt", "-"], file);
    assert_eq!(status, 2);
    assert!(err.contains("nothing.txt"), "{err}");
}

#[test]
fn lint_shows_findings_in_their_lines() {
    let (status, out, err) = outcome(&["lint", "--all", "-"], FILE);
    assert_eq!((status, err.as_str()), (1, ""));
    // Without the words, which belong to the lints.
    let shown: Vec<&str> = out
        .lines()
        .map(|line| line.split_once("]: ").map_or(line, |(code, _)| code))
        .map(|line| if line.starts_with("  = help: ") { "  = help" } else { line })
        .collect();
    let expected = "error[rule-outside-group
 --> standard input:1:11
  |
1 | Disallow: /early
  |           ^^^^^^
  |
  = help

note[blocks-all
 --> standard input:3:11
  |
3 | Disallow: /
  |           ^
  |
  = help

note[rule-without-effect
 --> standard input:6:8
  |
6 | Allow: /page
  |        ^^^^^
  |
  = help

1 file checked: 1 error, 2 notes";
    assert_eq!(shown.join("\n"), expected);
}

#[test]
fn a_clean_lint_says_so() {
    let path = file("clean", "User-agent: *\nDisallow: /a\n");
    let path = path.to_str().unwrap();
    assert_eq!(
        outcome(&["lint", path, path], ""),
        (0, "2 files checked, no findings\n".to_owned(), String::new())
    );
    #[cfg(target_os = "linux")]
    {
        let home = folder("home");
        let Some(out) = on_terminal(&format!("lint {path} {path} {path}"), &home) else { return };
        assert_eq!(out, "3 files checked, no findings\r\n");
        for format in ["json", "sarif", "github"] {
            let out = on_terminal(&format!("lint --format {format} {path}"), &home).unwrap();
            assert!(!out.contains("checked"), "{out}");
        }
    }
}

#[test]
fn totals_count_all_findings_of_all_files() {
    let path = file("totals", format!("User-agent: *\nDisallow: /\n{}", "x\n".repeat(300)));
    let note = file("totals-note", "User-agent: *\nDisallow: /a*\n");
    let (_, out, _) = outcome(&["lint", path.to_str().unwrap(), note.to_str().unwrap(), "-"], "# nothing\n");
    let totals = out.lines().last().unwrap();
    let (_, json) = value(
        &["lint", "--format", "json", path.to_str().unwrap(), note.to_str().unwrap(), "-"],
        "# nothing\n",
    );
    let all = json["files"].as_array().unwrap();
    let found: usize = all.iter().map(|file| file["findings"].as_array().unwrap().len()).sum();
    assert!(found > 100 && totals.starts_with("3 files checked: "), "{totals}");
    let counts = totals.split(' ').filter_map(|word| word.parse::<usize>().ok()).skip(1);
    assert_eq!(counts.sum::<usize>(), found + 200, "{totals}");
    // Formats for programs have no such line.
    let (_, out, _) = outcome(&["lint", "--format", "github", note.to_str().unwrap()], "");
    assert!(out.lines().all(|line| line.starts_with("::")), "{out}");
}

#[test]
fn lint_exits_with_1_at_the_denied_level() {
    struct Case<'a> {
        file: &'a str,
        level: &'a str,
        status: i32,
    }
    let clean = "User-agent: *\nDisallow: /a\n";
    let note = "User-agent: *\nDisallow: /a*\n";
    let warning = "User-agent: *\nDisallow: /\n";
    let error = "Disallow: /x\n";
    for Case { file, level, status } in [
        Case { file: clean, level: "note", status: 0 },
        Case { file: note, level: "note", status: 1 },
        Case { file: note, level: "warning", status: 0 },
        Case { file: warning, level: "note", status: 1 },
        Case { file: warning, level: "warning", status: 1 },
        Case { file: warning, level: "error", status: 0 },
        Case { file: error, level: "error", status: 1 },
    ] {
        assert_eq!(outcome(&["lint", "--all", "--deny", level, "-"], file).0, status, "{file} {level}");
    }
    assert_eq!(outcome(&["lint", "-"], note).0, 0);
    assert_eq!(outcome(&["lint", "-"], warning).0, 1);
}

#[test]
fn lint_writes_json_by_its_schema() {
    let long = format!("User-agent: *\n{}", "x\n".repeat(300));
    for file in [
        FILE.as_bytes(),
        b"# nothing\n",
        b"\xFF\xFE",
        b"\xEF\xBB\xBFa\r\xFF:\0",
        long.as_bytes(),
        b"allow /\ndisalow: b\nuser-agent:a,b",
    ] {
        let (_, value) = value(&["lint", "--format", "json", "-"], file);
        assert_eq!(against("lint.json", &value), [""; 0]);
    }
    let (_, many) = value(&["lint", "--format", "json", "-"], long);
    assert_eq!(
        many["files"][0]["left_out"],
        json!([{ "code": "unreadable-line", "severity": "warning", "count": 200 }])
    );
    let mut spoilt = many;
    spoilt["files"][0]["findings"][0]["line"] = json!(0);
    assert_eq!(against("lint.json", &spoilt), ["/files/0/findings/0/line: below 1"]);
}

#[test]
fn lint_writes_sarif() {
    let path = file("sarif", "User-agent: *\nDisallow: /\u{E9} x\nDisallow: /b\nAllow: /b/%c3\n");
    let path = path.to_str().unwrap();
    let (_, log) = value(&["lint", "--all", "--format", "sarif", path], "");
    assert_eq!((&log["version"], log["runs"].as_array().unwrap().len()), (&json!("2.1.0"), 1));
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
    }
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], path);
    let region =
        json!({ "startLine": 2, "startColumn": 13, "endColumn": 14, "byteOffset": 27, "byteLength": 1 });
    assert_eq!(place["region"], region);
    // A suggestion is not a fix.
    assert_eq!(results[0]["fixes"], Value::Null);
    assert_eq!(results[1]["relatedLocations"][0]["message"]["text"], "takes precedence");
    let replacement = &results[2]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "%C3");
    assert_eq!(replacement["deletedRegion"], json!({ "byteOffset": 53, "byteLength": 3 }));
}

#[test]
fn lint_writes_workflow_commands() {
    let path = file("github", "User-agent: *\nDisallow: /100%\n");
    let (status, out, _) = outcome(&["lint", "--format", "github", path.to_str().unwrap()], "");
    let start = format!("::warning file={},line=2,col=15,title=broken-escape::", path.display());
    // The percent signs of the message are escaped.
    assert!(out.starts_with(&start) && out.contains("`%2525`") && out.lines().count() == 1, "{out}");
    assert_eq!(status, 1);
}

#[test]
fn fix_makes_only_corrections_that_change_no_verdict() {
    let path =
        file("fix", "User-agent: *\nDisallow: /%7eb%2f\nDisallow: /a*\nDisallow: /my files\nDisallow: /a*");
    let name = path.to_str().unwrap();
    let (status, out, err) = outcome(&["lint", "--all", "--fix", "--format", "json", name], "");
    let not_made = format!(
        "robots: note: {name}: 2 corrections were not made, because they could change verdicts under google, koster-1996, or \
         which rule decides where several match; 1 suggestion was not made, because only you know what is meant; edit these lines by hand\n"
    );
    assert_eq!(err, format!("robots: note: 2 corrections made in {name}\n{not_made}"));
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "User-agent: *\nDisallow: /%7eb%2F\nDisallow: /a*\nDisallow: /my files\n"
    );
    let left: Value = serde_json::from_str(&out).unwrap();
    let codes: Vec<&str> = left["files"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["over-encoded", "trailing-star", "space-in-pattern"]);
    assert_eq!(status, 1);
    // Nothing else is left in the folder, and nothing more is corrected.
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    assert_eq!(outcome(&["lint", "--all", "--fix", name], "").2, not_made);
}

#[test]
fn fix_says_why_a_correction_is_not_made() {
    let file = |body: &str| {
        let path = file("fix-reasons", body);
        let name = path.to_str().unwrap().to_owned();
        let (_, _, err) = outcome(&["lint", "--all", "--fix", &name], "");
        assert_eq!(fs::read_to_string(&path).unwrap(), body);
        err.replace(&name, "FILE")
    };
    let star = "robots: note: FILE: 1 correction was not made, because it could change verdicts under koster-1996, or which \
                rule decides where several match; edit the line by hand\n";
    assert_eq!(file("User-agent: *\nDisallow: /a*\n"), star);
    assert_eq!(file("User-agent: *\nAllow: /a*\nDisallow: /\n"), star);
    assert_eq!(file("User-agent: *\nDisallow: /a\n"), "");
}

#[test]
fn lint_prints_pages_and_codes() {
    let (status, out, _) = outcome(&["lint", "--explain", "missing-colon"], "");
    assert!(status == 0 && out.starts_with("# missing-colon\n\nA colon is missing (error).\n"), "{out}");
    let (status, list, _) = outcome(&["lint", "--list"], "");
    assert!(status == 0 && list.lines().count() > 40);
    for line in list.lines() {
        let code = line.split(' ').next().unwrap();
        assert!(outcome(&["lint", "--explain", code], "").1.starts_with(&format!("# {code}\n")));
    }
}

#[test]
fn lint_uses_the_url_of_the_file() {
    let file = "User-agent: *\nDisallow: /maps\nSitemap: https://example.com/maps/a.xml\n";
    assert_eq!(outcome(&["lint", "-"], file).0, 0);
    let (status, out, _) = outcome(&["lint", "--url", "https://EXAMPLE.com/robots.txt", "-"], file);
    assert!(status == 1 && out.starts_with("warning[sitemap-disallowed]"), "{out}");
}

#[test]
fn lint_asks_the_site() {
    let user = User::new();
    let there = Site::new(answer(
        "200 OK",
        &["Content-Type: text/html"],
        "User-agent: *\nDisallow: /maps\nSitemap: BASE/maps/a.xml\n",
    ));
    let here =
        Site::new(answer("301 Moved Permanently", &[&format!("Location: {}", there.url("/r.txt"))], ""));
    let body = format!("User-agent: *\nDisallow: /maps\nSitemap: {}/maps/a.xml\n", here.base);
    there.answers(answer("200 OK", &["Content-Type: text/html"], &body));
    let page = here.url("/robots.txt");
    for count in 1..3 {
        let (status, value) = user.json(&["lint", &page]);
        assert_eq!((status, here.count()), (1, count));
        let file = &value["files"][0];
        assert_eq!((&file["file"], &file["asked"]), (&there.url("/r.txt").into(), &page.clone().into()));
        let codes: Vec<&str> = file["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["code"].as_str().unwrap())
            .collect();
        // A rule is about the site that was asked, whose sitemap this is.
        assert_eq!(codes, ["content-type", "sitemap-disallowed"]);
    }
    assert!(!user.caches().exists());
    let (_, out, err) = user.robots(&["lint", &page]);
    let place = format!("\n --> {}:1:1\n", there.url("/r.txt"));
    assert!(out.starts_with("warning[content-type]: ") && out.contains(&place) && err.is_empty(), "{out}");
    let (_, log, _) = user.robots(&["lint", "--format", "sarif", &page]);
    let log: Value = serde_json::from_str(&log).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], there.url("/r.txt"));
    // Another path is not that of a robots.txt.
    let (_, _, err) = user.robots(&["lint", &here.url("/any/page")]);
    assert!(err.contains("only the robots.txt at the root of a site counts"), "{err}");
    // All of a file is read, even if it is larger than crawlers read.
    there.answers(answer("200 OK", &[], &"# 0123456789\n".repeat(40_000)));
    let (_, out, _) = user.robots(&["lint", &page]);
    assert!(out.starts_with("error[too-large]: ") && out.contains("/r.txt:39385:1\n"), "{out}");
}

#[test]
fn lint_reports_a_missing_file() {
    let user = User::new();
    let site = Site::new(answer("500 Oops", &[], ""));
    let (status, out, err) = user.robots(&["lint", &site.base]);
    assert_eq!((status, out.as_str()), (2, ""));
    let message = "could not be fetched (status 500): crawlers may access nothing\n";
    assert!(err.ends_with(message) && err.contains(&site.base), "{err}");
    // A site may have none, and a deploy may have lost it.
    for status in ["404 Not Found", "403 Forbidden", "410 Gone"] {
        let site = Site::new(answer(status, &[], "<html>Not found</html>"));
        let number = &status[..3];
        let (code, out, err) = user.robots(&["lint", &site.base]);
        let what = match number {
            "403" => "the site refuses access to robots.txt, as if there were none",
            _ => "the site has no robots.txt",
        };
        let message = format!("note[no-robots-txt]: {what} (status {number}); nothing to lint");
        assert!(out.starts_with(&message) && out.ends_with("1 file checked: 1 note\n"), "{out}");
        assert_eq!((code, err.contains("refused access to robots.txt")), (0, number == "403"), "{err}");
        assert_eq!(user.robots(&["lint", "--deny", "no-robots-txt", &site.base]).0, 1);
        assert_eq!(user.robots(&["lint", "--deny", "error,no-robots-txt", &site.base]).0, 1);
        assert_eq!(user.robots(&["lint", "--deny", "note", &site.base]).0, 1);
        assert_eq!(user.robots(&["lint", "--deny", "trailing-star", &site.base]).0, 0);
        let (code, out, _) = user.robots(&["lint", "--format", "json", &site.base]);
        assert!(
            code == 0 && out.contains("\"code\": \"no-robots-txt\"") && out.contains("\"failed\": []"),
            "{out}"
        );
    }
    let private = Site::new(rules(&[]));
    let (status, _, err) = user.robots(&["lint", "--public-only", &private.base]);
    assert!(status == 2 && err.contains("could not be fetched (") && private.count() == 0, "{err}");
}
