//! `robots audit --expect` and `robots lint --expect`.

use std::fs;
use std::path::PathBuf;

use crate::audit::rows;
use crate::command::{folder, robots};

const WANTED: &str = "\
[environments]
staging = ['staging.txt']
production = ['robots.txt']

[[expect]]
crawlers = ['*']
patterns = ['/']
access = 'disallowed'
environments = ['staging']

[[expect]]
purposes = ['ai-training']
patterns = ['/']
access = 'disallowed'
environments = ['production']

[[expect]]
crawlers = ['Googlebot']
urls = ['/']
patterns = ['/shop/']
access = 'allowed'
environments = ['production']
reason = 'The shop has to be found'
";

const STAGING: &str = "User-agent: *\nDisallow: /\n";
const PRODUCTION: &str = "User-agent: *\nDisallow: /shop/cart\n\nUser-agent: GPTBot\nDisallow: /\n";

struct Case(PathBuf);

impl Case {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        fs::write(folder.join("robots.expect.toml"), WANTED).unwrap();
        fs::write(folder.join("staging.txt"), STAGING).unwrap();
        fs::write(folder.join("robots.txt"), PRODUCTION).unwrap();
        Self(folder)
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = robots().current_dir(&self.0).args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn wanted_blocks_are_no_findings_and_other_access_is_one() {
    let case = Case::new("audit-expect");
    let (status, out, err) = case.run(&["audit", "staging.txt", "--expect", "robots.expect.toml"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("line 2: Disallow: / (as wanted)"), "{out}");
    assert!(out.ends_with("as wanted: 1, blocked as wanted: 2\n"), "{out}");
    // Without the file, the same is a finding.
    assert_eq!(case.run(&["audit", "staging.txt"]).0, 1);
    let args = ["audit", "robots.txt", "--expect", "robots.expect.toml", "-a", "GPTBot", "--format", "jsonl"];
    let (status, out, _) = case.run(&args);
    assert_eq!(status, 1);
    let rows = rows(&out);
    assert_eq!(
        (&rows[0]["kind"], &rows[0]["access"], &rows[0]["wanted"]),
        (&"site".into(), &"nothing".into(), &"disallowed".into())
    );
    let broken: Vec<&str> = rows
        .iter()
        .filter(|row| row["kind"] == "expected")
        .map(|row| row["reason"].as_str().unwrap())
        .collect();
    let shop = "all of /shop/: /shop/cart is disallowed, wanted allowed; line 2: Disallow: /shop/cart (The shop has to be found)";
    assert!(broken.contains(&shop), "{broken:#?}");
    let claude = rows.iter().find(|row| row["crawler"] == "ClaudeBot").unwrap();
    assert_eq!((&claude["access"], &claude["wanted"]), (&"broken".into(), &"disallowed".into()));
    // An environment that is not known is an error of the input, and not a success.
    fs::write(case.0.join("other.txt"), STAGING).unwrap();
    let (status, out, _) = case.run(&["audit", "other.txt", "--expect", "robots.expect.toml"]);
    assert!(status == 2 && out.contains("add --environment with one of"), "{out}");
    let args = ["audit", "other.txt", "--expect", "robots.expect.toml", "-e", "staging", "--format"];
    assert_eq!(case.run(&[&args[..], &["csv"]].concat()).0, 0);
    let (_, html, _) = case.run(&[&args[..], &["html", "--title", "Access", "--client", "A & B"]].concat());
    assert!(
        html.contains("<title>Access: A &amp; B</title>") && html.contains("blocked, as wanted"),
        "{html}"
    );
    let args = ["audit", "robots.txt", "--expect", "robots.expect.toml", "--format", "html"];
    let (_, html, _) = case.run(&args);
    // Crawlers with the same row are named together.
    assert!(html.contains("<td data-column=\"Crawlers\">AI2Bot, Ai2Bot-Dolma, Amazonbot, anthropic-ai, Applebot-Extended, Brightbot and 2"), "{html}");
    let args = ["audit", "robots.txt", "--expect", "robots.expect.toml", "--format", "sarif"];
    let (_, sarif, _) = case.run(&args);
    assert!(sarif.contains("\"ruleId\": \"access-not-wanted\""), "{sarif}");
}

#[test]
fn lint_reports_no_blocks_that_are_wanted() {
    let case = Case::new("lint-expect");
    // The file of the folder is read without being named.
    let (status, out, err) = case.run(&["lint", "staging.txt"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(!out.contains("blocks-all"), "{out}");
    let (status, out, _) = case.run(&["lint", "staging.txt", "--isolated"]);
    assert!(status == 1 && out.contains("blocks-all"), "{out}");
    let named = ["lint", "staging.txt", "--isolated", "--expect", "robots.expect.toml"];
    assert_eq!(case.run(&named).0, 0);
    // In another environment, it is not wanted.
    let (status, out, _) = case.run(&[&named[..], &["-e", "production"]].concat());
    assert!(status == 1 && out.contains("blocks-all"), "{out}");
    fs::write(case.0.join("other.txt"), STAGING).unwrap();
    assert_eq!(case.run(&["lint", "other.txt"]).0, 1);
    let (status, _, err) = case.run(&["lint", "other.txt", "--expect", "robots.expect.toml"]);
    assert!(status == 2 && err.contains("add --environment with one of"), "{err}");
    fs::write(case.0.join(".robots-lint.toml"), "expect = 'robots.expect.toml'\n").unwrap();
    assert_eq!(case.run(&["lint", "other.txt", "-e", "staging"]).0, 0);
    // A search engine that is shut out on purpose.
    let wanted = "[[expect]]\ncrawlers = ['googlebot']\npatterns = ['/']\naccess = 'disallowed'\n";
    fs::write(case.0.join("google.toml"), wanted).unwrap();
    fs::write(case.0.join("google.txt"), "User-agent: Googlebot\nDisallow: /\n").unwrap();
    assert_eq!(case.run(&["lint", "google.txt", "--isolated"]).0, 1);
    assert_eq!(case.run(&["lint", "google.txt", "--expect", "google.toml"]).0, 0);
}

/// A line that blocks search engines is one row for people, and one for each crawler for programs.
#[test]
fn crawlers_of_a_purpose_share_a_row_for_people() {
    let case = Case::new("audit-expect-shared");
    let entry = "[[expect]]\npurposes = ['search']\npatterns = ['/shop/']\naccess = 'allowed'\n\n\
                 [[expect]]\ncrawlers = ['GPTBot', 'CCBot']\npatterns = ['/']\naccess = 'disallowed'\n";
    fs::write(case.0.join("wanted.toml"), entry).unwrap();
    fs::write(case.0.join("other.txt"), "User-agent: *\nDisallow: /shop/cart\n").unwrap();
    let run = |format: &str| {
        case.run(&["audit", "--expect", "wanted.toml", "--format", format, "robots.txt", "other.txt"])
    };
    let (status, out, err) = run("human");
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    let broken: Vec<&str> = out.lines().filter(|line| line.starts_with("broken")).collect();
    assert_eq!(broken.len(), 5, "{out}");
    for (row, file) in [(broken[0], "robots.txt"), (broken[2], "other.txt")] {
        assert!(
            row.starts_with(&format!("broken      {file}  360Spider, AddSearchBot, Applebot and ")),
            "{row}"
        );
        assert!(
            row.ends_with(
                " more  all of /shop/: /shop/cart is disallowed, wanted allowed; line 2: Disallow: /shop/cart"
            ),
            "{row}"
        );
    }
    // Crawlers that the file names have rows of their own.
    let own: Vec<Option<&str>> = [1, 3, 4].map(|row| broken[row].split("  ").nth(4)).to_vec();
    assert_eq!(own, [Some("CCBot"), Some("GPTBot"), Some("CCBot")], "{out}");
    let all = rows(&run("jsonl").1);
    assert!(all.iter().filter(|row| row["kind"] == "expected").count() > 40);
}
