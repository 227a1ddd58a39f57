//! Decisions, entries and rules as documents: the example prints them, and the schemas describe them.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "helpers of tests are tests")]

use robots_conformance::testing::schema;
use robots_fetch::matching::{Crawler, Document, Robots};

#[path = "../examples/documents.rs"]
mod documents;

#[test]
fn documents_follow_their_schemas() {
    let documents = documents::documents().unwrap();
    assert!(documents.len() > 50, "{}", documents.len());
    for (name, document) in documents {
        assert_eq!(schema::against(&format!("{name}.json"), &document), [""; 0], "{document}");
    }
    for name in ["verdict", "refusal", "entry", "rules"] {
        assert!(!schema::against(&format!("{name}.json"), &serde_json::json!({})).is_empty(), "{name}");
    }
}

#[test]
fn a_verdict_has_its_rule() {
    let robots = Robots::new("User-agent: *\nDisallow: /private\n", Document::Rfc9309);
    let bot = Crawler::new("ExampleBot").unwrap();
    let document = |path| serde_json::to_value(robots.check(&bot, path)).unwrap();
    let verdict = document("/private/a");
    assert_eq!(
        verdict.to_string(),
        r#"{"allowed":false,"reason":"rule","rule":{"effect":"disallow","line":2,"column":null,"span":{"start":24,"end":32},"written":null,"pattern":null},"answer":null,"profile":null,"text":"disallowed by line 2"}"#
    );
}
