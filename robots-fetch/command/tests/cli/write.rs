//! `robots write`.

use std::collections::HashMap;
use std::fs;

use serde_json::Value;

use crate::command::{file, folder, outcome, robots};
use robots_conformance::testing::schema::against;

/// A file with comments, a group for several crawlers, records, and a last group without rules.
const FILE: &str = "# The shop\r\nUser-agent: *\r\nDisallow: /admin # keep out\r\nCrawl-delay: 3\r\n\r\nUser-agent: GPTBot\r\n\
                    User-agent: SomeBot\r\nDisallow: /x\r\n\r\nSitemap: https://example.com/s.xml\r\nUser-agent: Last\r\n";

/// Files of many kinds.
const FILES: [&str; 12] = [
    "",
    FILE,
    "User-agent: *\nDisallow: /\n",
    "User-agent: *\nDisallow: /\nAllow: /open/\n",
    "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /a\n",
    "\u{FEFF}User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /\n",
    "Disallow: /early\nUser-agent: a\nUser-agent: CCBot\nUser-agent: bingbot\nCrawl-delay: 1\nAllow: /x\nDisallow: /",
    "User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b\n",
    "User-agent: gptbot\nDisallow:\nUser-agent: GPTBOT\nDisallow: /b\n",
    "User-agent: Googlebot-Image\nUser-agent: Googlebot\nDisallow: /i\n",
    "Sitemap: https://example.com/s.xml\n# nothing else\n",
    "User-agent: *\rDisallow: /a\rUser-agent: ClaudeBot\rDisallow: /c\r",
];

const PURPOSES: [&str; 13] = [
    "search",
    "ai-search",
    "ai-training",
    "ai-data",
    "ai-assistant",
    "ai-agent",
    "ai-other",
    "seo",
    "ads",
    "archive",
    "social",
    "other",
    "ai",
];

fn written(args: &[&str], input: &str) -> (String, String) {
    let (status, out, err) = outcome(&[&["write"], args].concat(), input);
    assert_eq!(status, 0, "{args:?} {input:?}: {err}");
    (out, err)
}

#[test]
fn comments_and_other_lines_stay_and_shared_groups_are_split() {
    let (out, err) = written(&["--block", "GPTBot", "--into", "-"], FILE);
    let expected = "# The shop\r\nUser-agent: *\r\nDisallow: /admin # keep out\r\nCrawl-delay: 3\r\n\r\nUser-agent: SomeBot\r\n\
                    Disallow: /x\r\n\r\nSitemap: https://example.com/s.xml\r\nUser-agent: Last\r\nDisallow:\r\n\r\n\
                    User-agent: GPTBot\r\nDisallow: /\r\n";
    assert_eq!(out, expected);
    assert!(
        err.starts_with(
            "robots: note: may access nothing any more (1): GPTBot\nrobots: note: nothing changes for 2"
        ),
        "{err}"
    );
    assert!(
        err.ends_with("robots: note: a robots.txt states a preference; it is not legal advice\n"),
        "{err}"
    );
}

#[test]
fn a_crawler_that_is_allowed_keeps_its_other_rules() {
    let file = "User-agent: *\nDisallow: /\nDisallow: /admin\nCrawl-delay: 2\n";
    let (out, err) = written(&["--allow", "Googlebot", "--into", "-"], file);
    let own = "\nUser-agent: Googlebot\nDisallow: /admin\nCrawl-delay: 2\n";
    assert!(out.starts_with(file) && out.contains(own) && !out.contains("Allow: /"), "{out}");
    // Crawlers that also obey groups for Googlebot stay out.
    assert!(
        out.contains("User-agent: Googlebot-Image\n") && out.contains("\nDisallow: /\nDisallow: /admin\n"),
        "{out}"
    );
    assert!(err.contains("may access more than before, and nothing less (1): Googlebot\n"), "{err}");
    // One that may access `/` gets no group.
    assert_eq!(written(&["--allow", "search", "--into", "-"], FILE).0, FILE);
}

#[test]
fn training_and_search_are_told_apart() {
    let (out, err) = written(&["--block", "ai-training", "--allow", "search"], "");
    for name in ["CCBot", "GPTBot", "ClaudeBot", "Google-Extended", "Applebot-Extended", "Bytespider"] {
        assert!(out.contains(&format!("User-agent: {name}\n")), "{name}: {out}");
    }
    assert!(!out.contains("Scrapy") && !out.contains("Googlebot") && !out.contains("User-agent: *"), "{out}");
    assert!(err.contains("blocked, but may ignore robots.txt (") && err.contains("Bytespider"), "{err}");
    assert!(
        err.contains(
            "Google-Extended: a name for files only: no crawler sends it; it does not control Google Search"
        ),
        "{err}"
    );
    let (status, json, _) =
        outcome(&["write", "--block", "ai", "--allow", "OAI-SearchBot", "--format", "json"], "");
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, against("write.json", &value)), (0, Vec::<String>::new()));
    // A name counts more than a purpose.
    assert!(!value["text"].as_str().unwrap().contains("OAI-SearchBot"));
    assert!(value["blocked"].as_array().unwrap().len() > 100);
}

#[test]
fn expect_agrees_with_write_for_every_purpose_and_no_other_crawler_changes() {
    let (folder, known) = (folder("write-agrees"), purposes());
    for (index, text) in FILES.iter().enumerate() {
        let old = folder.join(format!("{index}.txt"));
        fs::write(&old, text).unwrap();
        for purpose in PURPOSES {
            let what = format!("file {index}, {purpose}");
            let new = folder.join("new.txt");
            let (out, _) = written(&["--block", purpose, "--into", old.to_str().unwrap()], "");
            fs::write(&new, &out).unwrap();
            let wanted = folder.join("wanted.toml");
            let entry =
                format!("[[expect]]\npurposes = ['{purpose}']\npatterns = ['/']\naccess = 'disallowed'\n");
            fs::write(&wanted, entry).unwrap();
            let new_name = new.to_str().unwrap();
            let (status, out, _) = outcome(&["expect", wanted.to_str().unwrap(), new_name], "");
            assert_eq!(status, 0, "{what}: {out}");
            let (_, diff, _) =
                outcome(&["diff", "--catalogue", "--format", "json", old.to_str().unwrap(), new_name], "");
            let diff: Value = serde_json::from_str(&diff).unwrap();
            assert_eq!(diff["undecided"], Value::Array(Vec::new()), "{what}");
            for change in diff["changes"].as_array().unwrap() {
                assert_eq!(change["change"], "newly-disallowed", "{what}: {change}");
                let known = &known[&change["crawler"].as_str().unwrap().to_lowercase()];
                assert!(
                    known.as_str() == purpose || purpose == "ai" && known.starts_with("ai-"),
                    "{what}: {change}"
                );
            }
        }
    }
}

/// Returns the purpose of each crawler, by the catalogue.
fn purposes() -> HashMap<String, String> {
    let (_, out, _) = outcome(&["crawlers", "--format", "json", "-"], "User-agent: x\n");
    let value: Value = serde_json::from_str(&out).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let crawlers = value["files"][0]["crawlers"].as_array().unwrap();
    crawlers
        .iter()
        .map(|crawler| (text(&crawler["name"]).to_lowercase(), text(&crawler["purpose"])))
        .collect()
}

#[test]
fn a_file_is_replaced_only_if_that_is_asked_for() {
    let path = file("write-in-place", FILE);
    let name = path.to_str().unwrap();
    let (out, _) = written(&["--block", "ai-training", "--into", name], "");
    assert_eq!(fs::read_to_string(&path).unwrap(), FILE);
    let (in_place, _) = written(&["--block", "ai-training", "--into", name, "--in-place"], "");
    assert_eq!((in_place.as_str(), fs::read_to_string(&path).unwrap()), ("", out.clone()));
    // Once more, nothing has to change.
    let (_, err) = written(&["--block", "ai-training", "--into", name, "--in-place"], "");
    assert!(err.contains("the file has the wanted access already"), "{err}");
    assert_eq!(fs::read_to_string(&path).unwrap(), out);
}

/// A crawler obeys only the lines of its own group.
#[test]
fn preferences_that_do_not_apply_any_more_are_named() {
    let shared = "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /a\n\nUser-agent: GPTBot\nUser-agent: SomeBot\n\
                  Content-Usage: train-ai=n\nDisallow: /b\n";
    let line = "no Content-Signal or Content-Usage line applies any more, because each obeys only its own group (2): CCBot, GPTBot\n";
    // What was refused is still refused; only what was granted is gone.
    let (out, err) = written(&["--block", "CCBot,GPTBot", "--into", "-"], shared);
    assert!(
        !err.contains("applies any more") && out.contains("User-agent: CCBot\nContent-Signal: ai-train=no\n"),
        "{out}"
    );
    let granted = &*shared.replace("ai-train=no", "ai-train=yes").replace("train-ai=n", "train-ai=y");
    let (out, err) = written(&["--block", "CCBot,GPTBot", "--into", "-"], granted);
    assert!(err.contains(line), "{err}");
    assert!(out.contains("User-agent: SomeBot\nContent-Usage: train-ai=y\n"), "{out}");
    let args = ["write", "--block", "CCBot,GPTBot", "--into", "-", "--format", "json"];
    let value: Value = serde_json::from_str(&outcome(&args, granted).1).unwrap();
    assert_eq!(value["without_preferences"], serde_json::json!(["CCBot", "GPTBot"]));
    // A line that a group has already is not written twice, and another one is named.
    let (_, err) = written(&["--content-signal", "ai-train=yes", "--into", "-"], shared);
    assert!(err.contains("lines stay (1, the first in line 2); remove those"), "{err}");
    let once = written(&["--content-signal", "ai-train=no", "--into", "-"], shared).0;
    assert_eq!(written(&["--content-signal", "ai-train=no", "--into", "-"], &once).0, once);
    // A crawler that gets access takes the lines along, and one without lines loses none.
    let closed = "User-agent: *\nContent-Signal: ai-train=no\nDisallow: /\n";
    let (out, err) = written(&["--allow", "bingbot", "--into", "-"], closed);
    assert!(out.contains("User-agent: bingbot\nContent-Signal: ai-train=no\n"), "{out}");
    assert!(!err.contains("applies any more"), "{err}");
    let (_, err) = written(&["--block", "GPTBot", "--into", "-"], "User-agent: *\nDisallow: /a\n");
    assert!(!err.contains("applies any more"), "{err}");
}

#[test]
fn what_can_not_be_written_is_an_error() {
    for (args, input, error) in [
        (&["--block", "ai-trainig"][..], "", "unknown purpose `ai-trainig`; "),
        (&["--block", "unknown"], "", "no crawler of the catalogue has the purpose `unknown`; "),
        (&["--block", "google"], "", "unknown crawler `google`; did you mean `Googlebot`?"),
        (&["--block", "ai_training"], "", "unknown purpose `ai_training`; did you mean `ai-training`?"),
        (
            &["--block", "GPTBot CCBot"],
            "",
            "`GPTBot CCBot` is several names or purposes; write commas between them, such as `GPTBot,CCBot`",
        ),
        (&["--block", "Training"], "", "unknown purpose `Training`; did you mean `ai-training`?"),
        (&["--block", "GPTBot", "--allow", "GPTBot"], "", "`GPTBot` is both blocked and allowed; "),
        (
            &["--block", "ai-training search"],
            "",
            "`ai-training search` is several names or purposes; write commas",
        ),
        (&["--block", "GPTBot CCBot"], "", "`GPTBot CCBot` is several names or purposes; write commas"),
        (&["ai"], "", "unexpected argument `ai`; did you mean `--block ai`?"),
        (
            &["--block", "ai", "robots.txt"],
            "",
            "unexpected argument `robots.txt`; did you mean `--into robots.txt`?",
        ),
        (&["--block", "ai", "--into", "-", "--in-place"], "", "`--in-place` replaces a file; "),
        (
            &["--block", "ai", "--into", "-"],
            "<!DOCTYPE html><title>x</title>",
            "can't write rules into standard input: this is an HTML page",
        ),
        (&["--block", "ai", "--into", "none.txt"], "", "can't read none.txt: "),
        (&[], "", "missing "),
    ] {
        let (status, out, err) = outcome(&[&["write"], args].concat(), input);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        assert!(err.starts_with(&format!("robots: error: {error}")) && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn all_crawlers_but_some_can_be_blocked() {
    let file = "# Shop\nUser-agent: *\nDisallow: /cart # basket\n\nUser-agent: AhrefsBot\nDisallow: /a\n";
    let args = ["write", "--block", "*", "--allow", "Googlebot", "--allow", "bingbot", "--into", "-"];
    let (status, out, err) = outcome(&args, file);
    let expected = "# Shop\n\nUser-agent: AhrefsBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\n\
                    User-agent: bingbot\nUser-agent: Googlebot\nDisallow: /cart # basket\n";
    assert_eq!((status, out.as_str()), (0, expected), "{err}");
    assert!(err.contains("may access nothing any more (1): *\n"), "{err}");
    assert!(err.contains("AdsBot-Google: does not obey groups for `*`, so it keeps its access; "), "{err}");
    // Once more, nothing has to change.
    let (status, again, err) = outcome(&args, &*out);
    assert_eq!((status, again), (0, out), "{err}");
    for empty in ["", "GPTBot,", ","] {
        let (status, out, err) = outcome(&["write", "--block", empty], "");
        assert!(status == 2 && out.is_empty() && err.contains("need a name or a purpose"), "{err}");
    }
    // A list with commas is several values.
    let (status, out, _) = outcome(&["write", "--block", "GPTBot, CCBot"], "");
    assert_eq!((status, out.as_str()), (0, "User-agent: CCBot\nUser-agent: GPTBot\nDisallow: /\n"));
    let (status, out, err) = outcome(&["write", "--block", "*", "--block", "AdsBot-Google"], "");
    assert_eq!(
        (status, out.as_str()),
        (0, "User-agent: *\nUser-agent: AdsBot-Google\nDisallow: /\n"),
        "{err}"
    );
    assert!(!err.contains("AdsBot-Google: does not"), "{err}");
    // All may come back, and other rules stay.
    let (status, out, err) =
        outcome(&["write", "--allow", "*", "--into", "-"], "User-agent: *\nDisallow: /\nDisallow: /cart\n");
    assert_eq!((status, out.as_str()), (0, "User-agent: *\nDisallow: /cart\n"), "{err}");
}

#[test]
fn bytes_that_are_not_text_stay() {
    let body = b"User-agent: *\nDisallow: /\xFF\xE9 # \x1B\n\0\n".to_vec();
    let output = robots()
        .args(["write", "--block", "GPTBot", "--into", "-"])
        .write_stdin(body.clone())
        .output()
        .unwrap();
    assert!(output.status.success() && output.stdout.starts_with(&body), "{output:?}");
}

#[test]
fn each_crawler_is_read_as_its_operator_says() {
    // Only Google's parser reads the misspelt key as a rule.
    let input = "User-agent: *\nDisalow: /\n";
    let (status, out, err) = outcome(&["write", "--allow", "Storebot-Google", "--into", "-"], input);
    assert!(
        status == 0 && err.contains("may access more than before, and nothing less (1): Storebot-Google\n"),
        "{err}"
    );
    let path = folder("write-by-operator").join("wanted.toml");
    let wanted = "[[expect]]\ncrawlers = ['Storebot-Google']\npatterns = ['/']\naccess = 'allowed'\n";
    fs::write(&path, wanted).unwrap();
    let (status, out, err) = outcome(&["expect", path.to_str().unwrap(), "-"], out);
    assert_eq!(status, 0, "{out}{err}");
    let (_, _, err) =
        outcome(&["write", "--allow", "Storebot-Google", "--into", "-", "-p", "rfc9309"], input);
    assert!(err.contains("the file has the wanted access already"), "{err}");
    // Crawlers that obey groups for `Googlebot` would need the misspelt rule in groups, which is not written.
    let (status, out, err) = outcome(&["write", "--allow", "Googlebot", "--into", "-"], input);
    assert!(status == 2 && out.is_empty() && err.contains("nothing is written"), "{out}{err}");
}

#[test]
fn signals_and_preferences_are_written_on_request_only() {
    let (_, out, _) = outcome(&["write", "--block", "ai-training"], "");
    assert!(!out.contains("Content-"), "{out}");
    let file = "User-agent: *\nDisallow: /a\n";
    let args = ["write", "--content-signal", "search=yes, ai-train=no", "--block", "GPTBot", "--into", "-"];
    let (status, out, _) = outcome(&args, file);
    let expected = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /a\n\nUser-agent: GPTBot\nContent-Signal: ai-train=no\nDisallow: /\n";
    assert_eq!((status, out.as_str()), (0, expected));
    let (status, out, _) = outcome(&["write", "--content-usage", "train-ai=n", "--into", "-"], file);
    assert_eq!((status, out.as_str()), (0, "User-agent: *\nContent-Usage: train-ai=n\nDisallow: /a\n"));
    let (status, out, err) = outcome(&["write", "--content-signal", "ai-train", "--into", "-"], file);
    assert!(status == 2 && out.is_empty() && err.contains("`Content-Signal: ai-train`: "), "{err}");
}

#[test]
fn lines_that_are_removed_and_access_beyond_that_of_others_are_noted() {
    let file = "User-agent: *\nDisallow: /cart # JIRA-12\n\n# partner\nUser-agent: GPTBot   # OpenAI\n\
                User-agent: CCBot\nAllow: /blog\nDisallow: /\n";
    let (_, err) = written(&["--block", "ai-training", "--into", "-"], file);
    assert!(
        err.contains("lines that are removed (2): 5 `User-agent: GPTBot   # OpenAI`, 7 `Allow: /blog`\n"),
        "{err}"
    );
    let (out, err) = written(&["--allow", "CCBot", "--into", "-"], file);
    assert!(!err.contains("removed"), "{err}");
    assert!(out.ends_with("User-agent: CCBot\nAllow: /blog\n"), "{out}");
    assert!(err.contains("robots: note: CCBot: ") && err.contains(": `/cart` may be fetched\n"), "{err}");
    let (status, json, _) =
        outcome(&["write", "--block", "ai-training", "--into", "-", "--format", "json"], file);
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, against("write.json", &value)), (0, Vec::new()));
    assert_eq!(value["removed"][1], serde_json::json!({ "line": 7, "text": "Allow: /blog" }));
}

#[test]
fn purposes_are_in_any_case() {
    let [lower, upper] = ["ai-training", "AI-Training"].map(|name| outcome(&["write", "--block", name], ""));
    assert_eq!(lower, upper);
    assert!(lower.0 == 0 && lower.1.contains("User-agent: GPTBot\n"), "{}", lower.1);
}
