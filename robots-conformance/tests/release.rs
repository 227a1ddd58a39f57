//! The release of the suite is read back and run: what holds in the tables holds in the release, and a release that was
//! changed is noticed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]

use std::sync::OnceLock;

use robots_conformance::release::Release;
use robots_conformance::{Filter, Suite, run};
use serde_json::{Value, json};

fn release() -> &'static Value {
    static RELEASE: OnceLock<Value> = OnceLock::new();
    RELEASE.get_or_init(|| {
        let release = Release::of(&Suite::folder(), Suite::own(), "0.0.0");
        assert!(release.problems.is_empty(), "{:#?}", release.problems);
        serde_json::from_str(&release.suite).unwrap()
    })
}

/// Returns the release of one of its tests.
fn with_one(release: &Value, test: &Value) -> Value {
    let mut small = json!({"files": release["files"].clone(), "tests": [test]});
    let text = test.to_string();
    small["files"].as_object_mut().unwrap().retain(|name, _| text.contains(name));
    small
}

/// Returns the rows of a release that do not hold, with their differences.
fn failures(release: &Value) -> Vec<String> {
    failures_of(&Suite::from_release(&release.to_string()))
}

fn failures_of(suite: &Suite) -> Vec<String> {
    let problems = suite.problems.iter().map(ToString::to_string);
    let outcomes = run(suite, &Filter::default());
    let failed = outcomes.iter().filter(|outcome| !outcome.differences.is_empty()).map(|outcome| {
        format!(
            "{} {} {}: {:?}",
            outcome.table.name, outcome.row.head.name, outcome.profile, outcome.differences
        )
    });
    problems.chain(failed).collect()
}

#[test]
fn every_question_of_the_release_holds() {
    let release = release();
    let suite = Suite::from_release(&release.to_string());
    let tests = release["tests"].as_array().unwrap();
    let answers: usize = tests.iter().map(|test| test["expect"].as_array().unwrap().len()).sum();
    assert_eq!(suite.rows().count(), answers);
    for kind in ["verdict", "page", "exchange", "timeline", "grammar", "records"] {
        assert!(suite.tables.iter().any(|table| table.name == kind), "{kind}");
    }
    let failures = failures_of(&suite);
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// Changes the first test of a kind that `change` accepts, and returns its id and the failures of the release that has
/// only this test.
fn changed(release: &Value, kind: &str, change: impl Fn(&mut Value) -> bool) -> (String, Vec<String>) {
    let mut tests = release["tests"].as_array().unwrap().iter().filter(|test| test["kind"] == kind).cloned();
    let test = tests.find_map(|mut test| change(&mut test).then_some(test)).expect("a test can be changed");
    let id = test["id"].as_str().unwrap().to_owned();
    (id, failures(&with_one(release, &test)))
}

#[test]
fn a_changed_answer_does_not_hold() {
    let release = release();
    let flip = |test: &mut Value| {
        let decision = &mut test["expect"][0]["answer"]["decision"];
        *decision = if *decision == "allow" { json!("disallow") } else { json!("allow") };
        true
    };
    let drop_answers = |test: &mut Value| {
        let answers = &mut test["expect"][0]["answer"]["answers"];
        let is_one = answers["index"] == "no";
        *answers = json!({});
        is_one
    };
    let invert = |test: &mut Value| {
        let access = &mut test["expect"][0]["answer"]["access"];
        let is_one = *access == "everything";
        *access = json!("nothing");
        is_one
    };
    let forget =
        |test: &mut Value| test["expect"][0]["answer"]["steps"].as_array_mut().unwrap().pop().is_some();
    for (id, failures) in [
        changed(release, "verdict", flip),
        changed(release, "page", drop_answers),
        changed(release, "exchange", invert),
        changed(release, "timeline", forget),
    ] {
        assert!(failures.iter().any(|failure| failure.contains(&id)), "{id}: {failures:?}");
    }
}

#[test]
fn a_file_that_was_cut_and_a_name_that_is_not_known_are_noticed() {
    let tests = release()["tests"].as_array().unwrap();
    let test = tests
        .iter()
        .find(|test| test["kind"] == "verdict" && test["expect"][0]["answer"]["decision"] == "disallow")
        .unwrap();
    let release = with_one(release(), test);
    let file = test["ask"]["file"].as_str().unwrap();
    let mut cut = release.clone();
    cut["files"][file]["base64"] = json!("");
    assert_eq!(failures(&cut).len(), test["expect"][0]["documents"].as_object().unwrap().len());
    for (place, value, expected) in [
        ("/tests/0/kind", json!("feeling"), "the kind feeling is not known"),
        (
            "/tests/0/expect/0/documents",
            json!({"rfc1": {"level": "MUST", "cites": []}}),
            "the document rfc1 is not known",
        ),
        ("/tests/0/ask/file", json!("absent"), "the table has no file `absent`"),
        ("/tests/0/ask/agent", json!("two"), "both `agent` and `agents` are given"),
        ("/files", json!({"absent": {"base64": "?"}}), "file absent: "),
    ] {
        let mut wrong = release.clone();
        match wrong.pointer_mut(place) {
            Some(old) => *old = value,
            None => wrong["tests"][0]["ask"]["agent"] = value,
        }
        let failures = failures(&wrong);
        assert!(failures.iter().any(|failure| failure.contains(expected)), "{place}: {failures:?}");
    }
}
