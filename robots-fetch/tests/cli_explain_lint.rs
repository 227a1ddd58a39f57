//! The `robots` command, as a shell sees it: `explain` and `lint`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

#[path = "support/schema.rs"]
mod schema;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use schema::against;
use serde_json::{Value, json};

const FILE: &str = "Disallow: /early\nUser-agent: *\nDisallow: /\n\nUser-agent: ExampleBot\nAllow: /page\n\
                    Disallow: /*.htm\nDisallow: /TMP/\n";

fn robots() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    command.env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    command
}

fn file(name: &str, octets: impl AsRef<[u8]>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("robots.txt");
    fs::write(&path, octets).unwrap();
    path
}

/// Status, standard output and standard error of a command that reads `input`.
fn outcome(args: &[&str], input: impl Into<Vec<u8>>) -> (i32, String, String) {
    let output = robots().args(args).write_stdin(input).output().unwrap();
    let text = |octets: Vec<u8>| String::from_utf8(octets).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn value(args: &[&str], input: impl Into<Vec<u8>>) -> (i32, Value) {
    let (status, out, err) = outcome(args, input);
    assert_eq!(err, "");
    (status, serde_json::from_str(&out).unwrap())
}

#[test]
fn explain_shows_what_led_to_a_verdict() {
    let args = ["explain", "--robots", "-", "-a", "ExampleBot", "https://example.com/page.htm"];
    let (status, out, err) = outcome(&args, FILE);
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(
        out,
        "disallowed: https://example.com/page.htm for `ExampleBot`
 --> standard input:7:11
  |
5 | User-agent: ExampleBot
  |             ---------- names `ExampleBot`
6 | Allow: /page
  |        ----- matches, but is shorter (5 octets), and the longest rule decides
7 | Disallow: /*.htm
  |           ^^^^^^ decides: the longest of the rules that match (6 octets)
  |
  = patterns are compared with `/page.htm`, the path of the URL
  = the group of line 5 names the crawler, so it applies alone, and not the one for `*`
  = `Disallow: /` (line 3) would match, but stands in a group for `*`; if it should hold for this crawler, repeat it in its group
  = this is the answer of crawlers that go by today's standard (rfc9309)
  = for old software that goes by the draft of 1996 (koster-1996) it is allowed, by line 6 (`/page`)
"
    );
}

#[test]
fn explain_answers_programs_by_its_schema() {
    let args = [
        "explain",
        "--robots",
        "-",
        "-a",
        "ExampleBot",
        "--format",
        "json",
        "/page.htm",
        "/tmp/",
        "/early",
        "/robots.txt",
    ];
    for file in [
        FILE.as_bytes(),
        b"",
        b"\xFF\nUser-agent: *\rdisallow: /\xFF\n",
        b"\xEF\xBB\xBFUser-agent: *\nallow:\n",
    ] {
        for profile in ["rfc9309", "google", "draft-koster-rep-00", "koster-1996"] {
            let (_, value) = value(&[&args[..], &["-p", profile]].concat(), file);
            assert_eq!(against("explain.json", &value), [""; 0]);
        }
    }
    let (status, value) = value(&args, FILE);
    assert_eq!(status, 1);
    let explained = &value["explanations"];
    assert_eq!(explained[0]["matched"][0]["fate"], "decides");
    assert_eq!(explained[0]["elsewhere"][0]["rule"]["line"], 3);
    assert_eq!(explained[1]["near"][0]["rule"]["line"], 8);
    assert_eq!(explained[1]["near"][0]["miss"], "case");
    assert_eq!(explained[2]["near"], json!([]));
    assert_eq!(explained[2]["elsewhere"][0]["group"], Value::Null);
    assert_eq!(explained[3]["reason"], "robots-txt");
    let mut spoilt = value.clone();
    spoilt["explanations"][0]["allowed"] = json!("no");
    spoilt["explanations"][1]["more"] = json!(1);
    assert_eq!(against("explain.json", &spoilt).len(), 2, "the schema is not satisfied by anything");
}

#[test]
fn explain_tells_what_people_ask() {
    let told = |file: &str, args: &[&str]| outcome(&[&["explain", "--robots", "-"], args].concat(), file).1;
    let groups = "User-agent: OneBot\nDisallow: /a\n\nUser-agent: TwoBot\nAllow: /\n";
    let (one, two) = (["-a", "TwoBot", "-a", "OneBot", "/a"], ["-a", "FooBot", "/a"]);
    let expected = "= `Disallow: /a` (line 2) would match, but stands in a group for `OneBot`, and a group names `TwoBot`, \
                    which is tried before\n";
    assert!(told(groups, &one).contains(expected), "{}", told(groups, &one));
    assert!(told(groups, &two).contains("= no group names `FooBot`, and none is for `*`\n"));
    assert!(told("", &two).contains("= the file has no group: "));
    let list = "User-agent: OneBot, FooBot\nDisallow: /\n";
    assert!(
        told(list, &two).contains("= line 1 lists several crawlers (`OneBot, FooBot`), but a line names one")
    );
    assert!(!told("User-agent: OneBot, Foo Bot\nDisallow: /\n", &two).contains("lists several"));
    let goes_on = "= `/c` matches whatever begins with it; `/c/` would match what is below `/c` alone\n";
    for (pattern, path, is_told) in [
        ("/c", "/communities", true),
        ("/c", "/c/d", false),
        ("/c", "/c", false),
        ("/c/", "/c/d", false),
        ("/c*", "/cd", false),
    ] {
        let file = format!("User-agent: *\nDisallow: {pattern}\n");
        assert_eq!(told(&file, &["-a", "FooBot", path]).contains(goes_on), is_told, "{pattern} {path}");
    }
}

#[test]
fn lint_shows_findings_in_their_place() {
    let (status, out, err) = outcome(&["lint", "-"], FILE);
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(
        out,
        "error[rule-outside-group]: no user-agent line stands before this rule
 --> standard input:1:11
  |
1 | Disallow: /early
  |           ^^^^^^
  |
  = help: write one before it: the rule is for nobody as it is

warning[blocks-all]: this keeps every crawler out of the whole site
 --> standard input:3:11
  |
3 | Disallow: /
  |           ^
  |
  = help: remove the slash (`Disallow:`) if that is not meant; such a rule often stays behind when a site goes live

"
    );
}

#[test]
fn lint_fails_at_the_level_that_is_denied() {
    let note = "User-agent: *\nDisallow: /a*\n";
    let warning = "User-agent: *\nDisallow: /\n";
    for (file, level, status) in [
        (note, "note", 1),
        (note, "warning", 0),
        (warning, "note", 1),
        (warning, "warning", 1),
        (warning, "error", 0),
        ("Disallow: /x\n", "error", 1),
        ("User-agent: *\nDisallow: /a\n", "note", 0),
    ] {
        assert_eq!(outcome(&["lint", "--deny", level, "-"], file).0, status, "{file} {level}");
    }
    assert_eq!(outcome(&["lint", "-"], note).0, 0);
    assert_eq!(outcome(&["lint", "-"], warning).0, 1);
}

#[test]
fn lint_answers_programs_by_its_schema() {
    let long = format!("User-agent: *\n{}", "x\n".repeat(300));
    for file in [
        FILE.as_bytes(),
        b"",
        b"\xFF\xFE",
        b"\xEF\xBB\xBFa\r\xFF:\0",
        long.as_bytes(),
        b"allow /\ndisalow: b\nuser-agent:a,b",
    ] {
        let (_, value) = value(&["lint", "--format", "json", "-"], file);
        assert_eq!(against("lint.json", &value), [""; 0]);
    }
    let (_, many) = value(&["lint", "--format", "json", "-"], long);
    assert_eq!(many["files"][0]["left_out"], json!([{ "code": "unreadable-line", "count": 200 }]));
    let mut spoilt = many;
    spoilt["files"][0]["findings"][0]["line"] = json!(0);
    assert_eq!(against("lint.json", &spoilt), ["/files/0/findings/0/line: below 1"]);
}

#[test]
fn lint_speaks_sarif() {
    let path = file("sarif", "User-agent: *\nDisallow: /\u{E9} x\nDisallow: /b\nAllow: /b/%c3\n");
    let path = path.to_str().unwrap();
    let (_, log) = value(&["lint", "--format", "sarif", path], "");
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
    let replacement = &results[0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "/\u{E9}%20x");
    assert_eq!(replacement["deletedRegion"], json!({ "byteOffset": 24, "byteLength": 5 }));
    assert_eq!(results[1]["relatedLocations"][0]["message"]["text"], "prevails");
}

#[test]
fn lint_speaks_to_github() {
    let path = file("github", "User-agent: *\nDisallow: /100%\n");
    let (status, out, _) = outcome(&["lint", "--format", "github", path.to_str().unwrap()], "");
    let expected = format!(
        "::warning file={},line=2,col=15,title=broken-escape::two hex digits should follow the percent sign; write \
         `%2525` for a percent sign\n",
        path.display()
    );
    assert_eq!((status, out), (1, expected));
}

#[test]
fn fix_writes_harmless_corrections_alone() {
    let path =
        file("fix", "User-agent: *\nDisallow: /%7eb%2f\nDisallow: /a*\nDisallow: /my files\nDisallow: /a*");
    let name = path.to_str().unwrap();
    let (status, out, err) = outcome(&["lint", "--fix", "--format", "json", name], "");
    assert_eq!(err, format!("robots: note: 2 corrections made in {name}\n"));
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
    assert_eq!(outcome(&["lint", "--fix", name], "").2, "");
}

#[test]
fn pages_and_codes_are_told() {
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
fn the_url_of_the_file_tells_more() {
    let file = "User-agent: *\nDisallow: /maps\nSitemap: https://example.com/maps/a.xml\n";
    assert_eq!(outcome(&["lint", "-"], file).0, 0);
    let (status, out, _) = outcome(&["lint", "--url", "https://EXAMPLE.com/robots.txt", "-"], file);
    assert!(status == 1 && out.starts_with("warning[sitemap-disallowed]"), "{out}");
}

#[test]
fn mistakes_are_told_in_one_line() {
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
        (&["lint", "http://[x]/"], "`http://[x]/` is not an absolute URL: invalid IPv6 address"),
    ] {
        let (status, out, err) = outcome(args, "");
        assert_eq!((status, out.as_str(), err), (2, "", format!("robots: error: {message}\n")), "{args:?}");
    }
}
